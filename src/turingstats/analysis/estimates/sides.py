"""The two sides of a quantity: verdicts on people's and on an agent's responses, and who gave them."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats.quantities import QUANTITIES


class Sides(NamedTuple):
    """Rows of a cohort with verdicts on people's and on an agent's responses."""

    rows: np.ndarray  # places in `CohortCounts`
    # Whether each row is of the agent's responses; where both sides are the same verdicts, as in a choice
    # and for people themselves, all are, and `same` is true.
    of_agent: np.ndarray
    same: bool


def collect_sides(cohort: CohortCounts, table: int, agent: str) -> Sides:
    """Collect the rows of an agent, and those of people, in a table."""
    rows = cohort.find_rows(table, agent)
    if cohort.choice or agent == "human":
        return Sides(rows, np.ones(len(rows), bool), True)
    people = cohort.find_rows(table, "human")
    return Sides(
        np.concatenate([people, rows]), np.arange(len(people) + len(rows)) >= len(people), False
    )


def split_influence(
    counts: np.ndarray, of_agent: np.ndarray, slopes: np.ndarray, quantity: str, same: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Split how much rows move a quantity, and their trials, by side; two arrays of shape (rows, 2).

    Parameters
    ----------
    counts : array, shape (rows, 2)
        Counts of the quantity and trials.
    of_agent : array of bool, shape (rows,)
    slopes : array, shape (4,)
        Derivatives of the quantity by its counts on people's, then on the agent's responses.
    same : bool
        Both sides are the same verdicts, which count once.
    """
    by_side = slopes.reshape(2, 2)
    moved = (counts * (by_side.sum(axis=0) if same else by_side[1 * of_agent])).sum(axis=-1)
    trials = counts[:, 1].astype(float)
    if not same and WHOSE[quantity] != "pair":
        trials[of_agent != (WHOSE[quantity] == "agent")] = 0
    # What describes one set of verdicts, such as the rate of both kinds of responses, has one side.
    place = np.zeros(len(counts), int) if same or QUANTITIES[quantity].is_pooled else 1 * of_agent
    both = np.zeros((2, len(counts), 2))
    both[:, np.arange(len(counts)), place] = moved, trials
    return both[0], both[1]


def find_people_table(cohort: CohortCounts, table: int, pooled: Collection[str]) -> int:
    """Find the table with people's responses that agents are compared with: of all trials if `pooled`."""
    return 0 if cohort.tables[table][0] in pooled else table


def order_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Order the rows of one table: people's rates, each agent's, then each quantity of pairs."""
    names = list(QUANTITIES)

    def find_rank(row: dict[str, Any]) -> tuple[int, int]:
        whose = WHOSE[row["quantity"]]
        return ("human", "agent", "pair").index(whose), names.index(
            row["quantity"]
        ) if whose == "pair" else 0

    return sorted(rows, key=find_rank)
