"""How often intervals of win rates hold the truth if people who judge games are judged in others, too.

Writes a section of docs/coverage.md, and docs/coverage_games.csv. Run with `make coverage`.
"""

import sys
from collections.abc import Iterator
from itertools import product

from tools.coverage import (  # Before numpy is imported.
    CONSTANT,
    DOCS,
    LEVEL,
    SEED,
    SPREADS,
    STUDIES,
    compute_truth,
    end_page_with,
    list_coverage,
    list_ranges,
    sum_up_kinds,
)

import numpy as np  # isort: skip
import pandas as pd
from scipy.special import expit

from turingstats.core import files
from turingstats.data.pairs import find_both_roles
from turingstats.stats import crossed

PEOPLE, ROUNDS = (20, 50, 100, 200), 8
RELATED = (0.0, 0.6)
"""Correlations of how hard to fool and how convincing a person is."""
ROLES = ("roles apart", "roles together")
HEADING = "\n## Games of three parties\n"
TEXT = (
    HEADING
    + """
The share of games that a machine wins ([three_party.md](three_party.md)): in each round half of the people
judge and each of the others is judged, in {rounds} rounds of either role. *Related* is the correlation of how
hard to fool and how convincing a person is. *Roles apart* takes judges and people judged for different
people, *together* does not.

{short}

| People | Related | {heads} |
| --- | --- | --- | --- |
{table}
"""
)


def measure_game_coverage(number: int) -> pd.DataFrame:
    """Measure how often intervals hold the truth, by number of people, relation and spread of the roles."""
    rows = []
    for place, (people, related, spreads) in enumerate(product(PEOPLE, RELATED, SPREADS[1:])):
        limits = []
        for study in range(number):
            rng = np.random.default_rng([SEED, 2, place, study])
            limits += estimate_win_rate(people, related, spreads[1], rng)
        # Both people of a game have a spread, as judges, by sensitivity and bias, and stimuli have.
        of_truth = spreads[1] / np.sqrt(2), spreads[1]
        truth = compute_truth(of_truth)
        limits = [(*limit, truth) for limit in limits]
        of_design = list_coverage(limits, (people, people, ROUNDS), of_truth)
        rows += [row | {"related": related} for row in of_design]
    return pd.DataFrame(rows)


def estimate_win_rate(
    people: int, related: float, spread: float, rng: np.random.Generator
) -> Iterator[tuple[str, str, float, float]]:
    """Simulate games, and yield the limits of the share that the machine wins."""
    hard = rng.normal(0, 1, people)
    convincing = related * hard + np.sqrt(1 - related**2) * rng.normal(0, 1, people)
    order = rng.random((2 * ROUNDS, people)).argsort(axis=1)
    judges, judged = (half.ravel() for half in np.split(order, 2, axis=1))
    odds = CONSTANT - spread * (hard[judges] + convincing[judged])
    won = rng.random(len(judges)) < expit(odds)
    influence = (won - won.mean()) / len(won)
    # As judges of a study are named, since plain numbers that are the same are no person in both roles.
    names = np.char.add("games.people.w", np.arange(people).astype(str))
    (one, judge), (other, person) = (
        np.unique(names[part], return_inverse=True) for part in (judges, judged)
    )
    for kind, both in zip(ROLES, (None, find_both_roles(one, other)), strict=True):
        error = crossed.estimate_crossed_error(influence, judge, person, both_roles=both)
        yield "p_HM", kind, *crossed.compute_crossed_interval(won.mean(), error, LEVEL)


def write_section(table: pd.DataFrame) -> None:
    """Write the section of docs/coverage.md, in place of an earlier one."""
    text = TEXT.format(
        rounds=ROUNDS,
        short=sum_up_kinds(table, ROLES),
        heads=" | ".join(ROLES),
        table=list_ranges(table, ["judges", "related"], ROLES),
    )
    end_page_with(HEADING, text)


if __name__ == "__main__":
    table = measure_game_coverage(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
    files.write_frame(table.assign(data="simulation"), DOCS / "coverage_games.csv")
    write_section(table)
