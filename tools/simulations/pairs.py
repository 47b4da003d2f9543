"""Intervals of strengths and ranks in comparisons of agents."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from scipy.special import expit, ndtri, stdtrit

from tools.simulations import LEVEL, SEED, Row
from tools.simulations.joint import draw_design
from turingstats.stats.bradley_terry import BradleyTerry, fit_bradley_terry
from turingstats.stats.comparisons import Comparisons
from turingstats.stats.rank_sets import infer_ranks

SEEN, LEAN = 20, 0.2
"""Comparisons by each judge, on average, and log odds of the option shown first."""
STRENGTHS = np.array([0.8, 0.4, 0.4, 0.0, -0.8])


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield the coverage of its intervals."""
    design, spread = (case["judges"], case["stimuli"], case["numbers"]), case["spread"]
    fitted, number = fit_study(rng, design, spread), len(STRENGTHS)
    if fitted is None:
        return
    truth, found = compute_true_differences(spread), fitted.estimate_differences()
    pairs = np.triu_indices(len(STRENGTHS), 1)
    error = np.abs(found.value - truth)[pairs]
    reach = (stdtrit(found.df, 0.5 + LEVEL / 2) * found.se)[pairs]
    shared = fitted.independent[:number, :number]
    plain = np.sqrt(np.add.outer(np.diag(shared), np.diag(shared)) - 2 * shared)[pairs]
    ranks = infer_ranks(found, fitted.shared_spread, LEVEL, rng)
    # What would be told apart if all agents were equal.
    equal = found._replace(value=found.value - truth)
    apart = infer_ranks(equal, fitted.shared_spread, LEVEL, rng)
    rank = 1 + (truth < 0).sum(axis=1)
    for interval, held in (
        ("independent", (error <= ndtri(0.5 + LEVEL / 2) * plain).mean()),
        ("clustered", (error <= reach).mean()),
        ("at_once", not apart.is_stronger.any()),
        ("ranks", ((ranks.low <= rank) & (rank <= ranks.high)).all()),
    ):
        yield {"interval": interval, "coverage": float(held)}


def fit_study(
    rng: np.random.Generator, design: tuple[int, int, str], spread: float
) -> BradleyTerry | None:
    """Draw the comparisons of one study, and fit the model to them."""
    judges, stimuli, numbers = design
    mean = 4 if numbers == "arena" else SEEN
    judge, seen = draw_design(rng, judges, stimuli, mean, numbers)
    first, second = rng.random((len(judge), len(STRENGTHS))).argsort(axis=1)[:, :2].T
    tastes = [rng.normal(0, spread, (number, len(STRENGTHS))) for number in design[:2]]
    odds = LEAN + rng.normal(0, spread, judges)[judge]
    for sign, agent in ((1, first), (-1, second)):
        odds += sign * (STRENGTHS[agent] + tastes[0][judge, agent] + tastes[1][seen, agent])
    chosen = 1.0 * (rng.random(len(judge)) < expit(odds))
    return fit_bradley_terry(Comparisons(first, second, chosen, judge, seen), len(STRENGTHS))


@cache
def compute_true_differences(spread: float) -> np.ndarray:
    """Compute the differences in the choices of very many judges about very many stimuli."""
    fits = [
        fit_study(np.random.default_rng([SEED, 3, number]), (4000, 4000, "equal"), spread)
        for number in range(4)
    ]
    strengths = np.mean([fitted.strength for fitted in fits if fitted], axis=0)
    # These two are equal.
    strengths[1:3] = strengths[1:3].mean()
    return strengths[:, None] - strengths
