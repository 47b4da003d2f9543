"""Intervals of win rates if people who judge games are judged in others, too."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from tools.simulations import LEVEL, Row
from tools.simulations.judges import CONSTANT, compute_truth
from turingstats.data.counts import find_both_roles
from turingstats.data.schema import JUDGED
from turingstats.stats import crossed

ROUNDS = 8


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate games, and yield the intervals of the share that the machine wins."""
    people: int = case["people"]
    related, spread = case["related"], case["spread"]
    hard = rng.normal(0, 1, people)
    convincing = related * hard + np.sqrt(1 - related**2) * rng.normal(0, 1, people)
    order = rng.random((2 * ROUNDS, people)).argsort(axis=1)
    judges, judged = (half.ravel() for half in np.split(order, 2, axis=1))
    odds = CONSTANT - spread * (hard[judges] + convincing[judged])
    won = rng.random(len(judges)) < expit(odds)
    influence = (won - won.mean()) / len(won)
    names = np.arange(people).astype(str)
    one, judge = np.unique(names[judges], return_inverse=True)
    other, person = np.unique(np.char.add(JUDGED, names[judged]), return_inverse=True)
    # Both people of a game have a spread, as judges, by sensitivity and bias, and stimuli have.
    truth = compute_truth((spread / np.sqrt(2), spread))
    roles = {"roles apart": None, "roles together": find_both_roles(one, other)}
    for kind, both in roles.items():
        error = crossed.estimate_crossed_error(influence, judge, person, both_roles=both)
        ends = crossed.compute_crossed_interval(float(won.mean()), error, LEVEL)
        yield {"quantity": "p_HM", "interval": kind, "ends": ends, "truth": truth}
