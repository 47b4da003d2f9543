"""The two sides of a quantity: verdicts on people's and on an agent's responses, and who gave them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats.clustered import UnitSums
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

COUNTED = {
    "decided": np.array([[1, 0], [0, 1], [0, 0]]),
    "every": np.array([[1, 0], [0, 1], [0, 1]]),
    "wrong": np.array([[-1, 0], [1, 1], [0, 1]]),
    "unsure": np.array([[0, 0], [0, 1], [1, 1]]),
}
"""How the numerator and the denominator of a rate are made of right, decided and unsure verdicts."""


class Cells(NamedTuple):
    """Quantities of agents in one table of a cohort, and how much verdicts move them."""

    # Right verdicts and trials on both sides, and the derivatives of quantities by them, shape (cells, 4).
    four: np.ndarray
    slopes: np.ndarray
    value: np.ndarray
    # Of judges, stimuli, and pairs of both (None where stimuli are not known): their numbers in the cohort,
    # whether they saw each side, shape (cells, 2, units), and how much they move quantities.
    units: list[np.ndarray | None]
    seen: list[np.ndarray | None]
    moved: list[UnitSums | None]
    squares: np.ndarray  # products of how much pairs move two sides, summed; shape (cells, 2, 2)


def measure_cells(
    cohort: CohortCounts,
    rows: np.ndarray,
    place: np.ndarray,
    places: int,
    sides: np.ndarray,
    quantities: Sequence[str],
) -> Cells:
    """Measure quantities in some rows of a cohort.

    `place` numbers whose responses each row is about, one of so many `places`; of more than two, place 1 has
    those of all but the first and the last. `sides`, shape (cells, 2), are the places of people and of the
    agent of each quantity, which are the same where an agent is compared with itself.
    """
    counted = np.array([COUNTED[QUANTITIES[name].counts] for name in quantities])
    names, same = np.array(quantities, str), sides[:, 0] == sides[:, 1]
    by_place = np.stack([np.bincount(place, column, places) for column in cohort.counts[rows].T], 1)
    by_place[1:2] += by_place[2:-1].sum(axis=0)
    four = (by_place[sides] @ counted).reshape(len(sides), 4).astype(int)
    value, slopes = np.empty(len(sides)), np.empty(four.shape)
    for name in dict.fromkeys(quantities):
        cells = names == name
        value[cells] = QUANTITIES[name].value(*four[cells].T)
        slopes[cells] = differentiate_quantity(name, four[cells])
    units, seen, moved = [], [], []
    for summed in sum_verdicts(cohort, rows, place, places):
        if summed is None:
            numbers, judged, moves = None, None, None
        else:
            numbers, by_unit = summed
            by_unit[1:2] += by_unit[2:-1].sum(axis=0)
            judged = np.any(by_unit[..., 1:], axis=-1)[sides]
            moves = move_quantities(by_unit[sides], names, counted, same, slopes)
        units.append(numbers)
        seen.append(judged)
        moved.append(moves)
    pairs = moved[-1].influence
    return Cells(four, slopes, value, units, seen, moved, np.swapaxes(pairs, -1, -2) @ pairs)


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


def move_quantities(
    verdicts: np.ndarray,
    quantities: np.ndarray,
    counted: np.ndarray,
    same: np.ndarray,
    slopes: np.ndarray,
) -> UnitSums:
    """Compute how much units move quantities, and their trials; shape (quantities, units, sides).

    `verdicts` on both sides have shape (quantities, 2, units, 3), `counted` is that of `COUNTED`; `slopes`
    are derivatives of each quantity by its counts on people's, then on the agent's responses.
    """
    whose = np.array([WHOSE[name] for name in quantities])
    is_pooled = np.array([QUANTITIES[name].is_pooled for name in quantities])
    moves = slopes.reshape(-1, 2, 2) @ np.swapaxes(counted, -1, -2)
    trials = np.repeat(counted[:, None, :, 1], 2, axis=1)
    # The same verdicts count once.
    moves[same, 0] += moves[same, 1]
    moves[same, 1] = trials[same, 1] = 0
    trials[~same & (whose == "agent"), 0] = 0
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
