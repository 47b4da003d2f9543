"""The two sides of a quantity: verdicts on people's and on an agent's responses, and who gave them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats.clustered import UnitSums
from turingstats.stats.quantities import QUANTITIES

COUNTED = {
    "decided": np.array([[1, 0], [0, 1], [0, 0]]),
    "every": np.array([[1, 0], [0, 1], [0, 1]]),
    "wrong": np.array([[-1, 0], [1, 1], [0, 1]]),
    "unsure": np.array([[0, 0], [0, 1], [1, 1]]),
}
"""How the numerator and the denominator of a rate are made of right, decided and unsure verdicts."""


class Sides(NamedTuple):
    """How the verdicts on both sides of quantities are counted; arrays of shape (quantities, ...)."""

    quantity: np.ndarray
    # Whether both sides are the same verdicts, as in a choice and for people themselves.
    same: np.ndarray
    counted: np.ndarray  # `COUNTED`, shape (quantities, 3, 2)


def describe_sides(quantities: Sequence[str], same: np.ndarray) -> Sides:
    """Describe the sides of quantities."""
    counted = np.array([COUNTED[QUANTITIES[name].counts] for name in quantities])
    return Sides(np.array(quantities, str), same, counted.reshape(-1, 3, 2))


def sum_verdicts(
    cohort: CohortCounts, rows: np.ndarray, place: np.ndarray, places: int
) -> Iterator[tuple[np.ndarray, np.ndarray] | None]:
    """Sum rows by judge, stimulus, and pair of both; None where stimuli are not known.

    Yields numbers of units, and their verdicts by the place of each row, shape (places, units, 3).
    """
    # People in both roles keep their numbers; otherwise units without verdicts are left out.
    kept = cohort.both_roles is not None and len(cohort.both_roles[0]) > 0
    for unit, names in (
        (cohort.judge, cohort.judges),
        (cohort.stimulus, cohort.stimuli),
        (cohort.pair, None),
    ):
        if unit is None:
            yield None
            continue
        if kept and names is not None:
            seen, codes = np.arange(len(names)), unit[rows]
        else:
            present = np.bincount(unit[rows]) > 0
            seen, codes = np.flatnonzero(present), (np.cumsum(present) - 1)[unit[rows]]
        bins, number = place * len(seen) + codes, places * len(seen)
        sums = [np.bincount(bins, column, number) for column in cohort.counts[rows].T]
        yield seen, np.stack(sums, axis=-1).reshape(places, len(seen), len(sums))


def move_quantities(verdicts: np.ndarray, sides: Sides, slopes: np.ndarray) -> UnitSums:
    """Compute how much units move quantities, and their trials; shape (quantities, units, sides).

    `verdicts` on both sides have shape (quantities, 2, units, 3); `slopes` are derivatives of each quantity
    by its counts on people's, then on the agent's responses.
    """
    whose = np.array([WHOSE[name] for name in sides.quantity])
    is_pooled = np.array([QUANTITIES[name].is_pooled for name in sides.quantity])
    moves = slopes.reshape(-1, 2, 2) @ np.swapaxes(sides.counted, -1, -2)
    trials = np.repeat(sides.counted[:, None, :, 1], 2, axis=1)
    # The same verdicts count once.
    moves[sides.same, 0] += moves[sides.same, 1]
    moves[sides.same, 1] = trials[sides.same, 1] = 0
    trials[~sides.same & (whose == "agent"), 0] = 0
    sums = np.stack([(verdicts @ part[..., None])[..., 0] for part in (moves, trials)])
    # What describes one set of verdicts, such as the rate of both kinds of responses, has one side.
    sums[:, is_pooled, 0] += sums[:, is_pooled, 1]
    sums[:, is_pooled, 1] = 0
    return UnitSums(*np.swapaxes(sums, -1, -2))


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
