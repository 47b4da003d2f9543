"""Estimate every quantity with its error over judges and stimuli."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.sides import find_people_table, order_rows
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats import crossed, intervals, signal_detection
from turingstats.stats.clustered import UnitSums
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

METHODS = {
    "judges and stimuli": "pooled trials; error over judges and stimuli, t interval",
    "judges": "pooled trials; error over judges, t interval",
    "stimuli": "pooled trials; error over stimuli, for these judges alone, t interval",
    "": f"pooled trials; Wilson only, fewer than {MIN_UNITS} judges, and of stimuli if they are known",
}
ALIKE = "pooled trials; Wilson only, all judges and stimuli alike"
UNDEFINED = "not defined without verdicts on these responses"
COUNTED = {
    "decided": np.array([[1, 0], [0, 1], [0, 0]]),
    "every": np.array([[1, 0], [0, 1], [0, 1]]),
    "wrong": np.array([[-1, 0], [1, 1], [0, 1]]),
    "unsure": np.array([[0, 0], [0, 1], [1, 1]]),
}
"""How the numerator and the denominator of a rate are made of right, decided and unsure verdicts."""


class Cells(NamedTuple):
    """Quantities of agents in a table, in the order of its rows; arrays of shape (cells, ...)."""

    agent: np.ndarray  # place in `CohortCounts.agents`
    quantity: np.ndarray
    # Places of people's and of the agent's responses among sums by agent; people's that agents are
    # compared with are last. Shape (cells, 2).
    sides: np.ndarray
    # Whether both sides are the same verdicts, as in a choice and for people themselves.
    same: np.ndarray
    counted: np.ndarray  # `COUNTED`, shape (cells, 3, 2)


def estimate_recommended(
    cohort: CohortCounts, pooled: Collection[str], level: float
) -> pd.DataFrame:
    """Estimate every quantity with its error over judges and stimuli, one row per table, agent and quantity.

    At the levels of `pooled` conditions, agents are compared with people's responses at all levels.
    """
    cells = list_cells(cohort)
    people = [find_people_table(cohort, table, pooled) for table in range(len(cohort.tables))]
    totals = cohort.sums.sum(axis=0)
    totals = np.concatenate([totals, totals[people, :1]], axis=1)[:, cells.sides]
    four = (totals @ cells.counted).reshape(len(people), -1, 4)
    values, slopes = np.empty(four.shape[:-1]), np.empty(four.shape)
    for name in np.unique(cells.quantity):
        rows = cells.quantity == name
        values[:, rows] = QUANTITIES[name].value(*np.moveaxis(four[:, rows], -1, 0))
        slopes[:, rows] = differentiate_quantity(name, four[:, rows])
    numbers, errors = zip(
        *(
            measure_table(cohort, cells, table, people[table], slopes[table])
            for table in range(len(people))
        ),
        strict=True,
    )
    counted = np.concatenate(numbers, axis=-1)
    group_by, group = np.repeat(np.array(cohort.tables, object), len(cells.agent), axis=0).T
    names = np.tile(cells.quantity.astype(object), len(people))
    values, four = values.ravel(), four.reshape(-1, 4)
    error = crossed.CrossedError(*map(np.concatenate, zip(*errors, strict=True)))
    estimates = pd.DataFrame(
        {
            "group_by": group_by,
            "group": group,
            "agent": np.tile(np.array(cohort.agents, object)[cells.agent], len(people)),
            "quantity": names,
            "value": values,
            "n_judges": counted[0, 0].astype(int),
            "n_stimuli": counted[1, 0],
            **describe_errors(names, values, four, error, level),
            "four": [*four],
        }
    )
    of_quantity = [
        summarize_counts(part, name, cohort.choice, level)
        for name, part in estimates.groupby("quantity", sort=False)
    ]
    return estimates.drop(columns="four").join(pd.concat(of_quantity))


def list_cells(cohort: CohortCounts) -> Cells:
    """List the quantities of all agents."""
    rows = order_rows(
        [
            {"quantity": name, "agent": place}
            for place, agent in enumerate(cohort.agents)
            for name in list_quantities(cohort)
            if (WHOSE[name] == "human") == (agent == "human")
        ]
    )
    agent = np.array([row["agent"] for row in rows], int)
    names = np.array([row["quantity"] for row in rows], str)
    same = (agent == 0) | cohort.choice
    sides = np.column_stack([np.where(same, agent, len(cohort.agents)), agent])
    counted = np.array([COUNTED[QUANTITIES[name].counts] for name in names]).reshape(-1, 3, 2)
    return Cells(agent, names, sides, same, counted)


def list_quantities(cohort: CohortCounts) -> list[str]:
    """List the quantities that are defined for a cohort."""
    unsure = cohort.unsure.any()
    return [
        name
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cohort.choice) and (quantity.counts == "decided" or unsure)
    ]


def measure_table(
    cohort: CohortCounts, cells: Cells, table: int, people_table: int, slopes: np.ndarray
) -> tuple[np.ndarray, crossed.CrossedError]:
    """Count judges and stimuli (`count_units`), and estimate the errors of quantities, in one table."""
    by_unit = [
        None if sums is None else sums[cells.sides]
        for sums in sum_verdicts(cohort, table, people_table)
    ]
    *units, pairs = (
        None if verdicts is None else move_quantities(verdicts, cells, slopes)
        for verdicts in by_unit
    )
    numbers = np.full((2, 2, len(slopes)), np.nan)
    for kind, verdicts in enumerate(by_unit[:2]):
        if verdicts is not None:
            numbers[kind] = count_units(verdicts, cells.quantity)
    error = crossed.combine_unit_sums(
        units,
        np.swapaxes(pairs.influence, -1, -2) @ pairs.influence,
        tuple(numbers[:, 1] >= MIN_UNITS),
        cohort.both_roles,
    )
    return numbers, error


def sum_verdicts(
    cohort: CohortCounts, table: int, people_table: int
) -> Iterator[np.ndarray | None]:
    """Sum verdicts by agent and judge, stimulus, and pair of both; shape (agents + 1, units, 3).

    The last sums are those of people that agents are compared with.
    """
    rows, of_people = cohort.find_rows(table), cohort.find_rows(people_table, "human")
    agent = np.concatenate([cohort.agent[rows], np.full(len(of_people), len(cohort.agents))])
    rows = np.concatenate([rows, of_people])
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
        seen, codes = np.unique(unit[rows], return_inverse=True)
        if kept and names is not None:
            seen, codes = names, unit[rows]
        sums = np.zeros((len(cohort.agents) + 1, len(seen), 3))
        np.add.at(sums, (agent, codes), cohort.counts[rows])
        sums[1] = sums[2:-1].sum(axis=0)
        yield sums


def move_quantities(verdicts: np.ndarray, cells: Cells, slopes: np.ndarray) -> UnitSums:
    """Compute how much units move quantities, and their trials; shape (cells, units, sides).

    `verdicts` on both sides have shape (cells, 2, units, 3); `slopes` are the derivatives of each quantity
    by its counts on people's, then on the agent's responses.
    """
    whose = np.array([WHOSE[name] for name in cells.quantity])
    is_pooled = np.array([QUANTITIES[name].is_pooled for name in cells.quantity])
    moves = slopes.reshape(-1, 2, 2) @ np.swapaxes(cells.counted, -1, -2)
    trials = np.repeat(cells.counted[:, None, :, 1], 2, axis=1)
    # The same verdicts count once.
    moves[cells.same, 0] += moves[cells.same, 1]
    moves[cells.same, 1] = trials[cells.same, 1] = 0
    trials[~cells.same & (whose == "agent"), 0] = 0
    sums = np.stack([(verdicts @ part[..., None])[..., 0] for part in (moves, trials)])
    # What describes one set of verdicts, such as the rate of both kinds of responses, has one side.
    sums[:, is_pooled, 0] += sums[:, is_pooled, 1]
    sums[:, is_pooled, 1] = 0
    return UnitSums(*np.swapaxes(sums, -1, -2))


def count_units(verdicts: np.ndarray, quantities: np.ndarray) -> np.ndarray:
    """Count the units that saw either side, and those of the side that has fewer; shape (2, cells)."""
    seen = np.any(verdicts[..., 1:], axis=-1)
    number = seen.sum(axis=-1)
    of_pair = np.array([WHOSE[name] == "pair" for name in quantities])
    either = np.where(of_pair, np.any(seen, axis=1).sum(axis=-1), number[:, 1])
    return np.stack([either, np.where(of_pair, number.min(axis=-1), number[:, 1])])


def describe_errors(
    quantities: np.ndarray,
    values: np.ndarray,
    four: np.ndarray,
    error: crossed.CrossedError,
    level: float,
) -> dict[str, Any]:
    """Describe errors and intervals of quantities, and how they were computed."""
    over = crossed.describe_units(error)
    ends = [
        crossed.compute_crossed_interval(values, error, level, share) for share in (False, True)
    ]
    low, high = np.where([QUANTITIES[name].share for name in quantities], ends[1], ends[0])
    # All judges and stimuli alike do not make a rate certain.
    alike = (over != "") & np.isfinite(values) & np.isnan(low)
    methods = [
        explain_undefined(name, counts)
        if np.isnan(value)
        else ALIKE
        if is_alike
        else METHODS[units]
        for name, counts, value, is_alike, units in zip(
            quantities, four, values, alike, over, strict=True
        )
    ]
    return {
        "error_over": np.where(alike, "", over).astype(object),
        "se": np.where(alike, np.nan, error.se),
        "df": np.where(alike, np.nan, error.df),
        "se_judges": np.sqrt(error.judges),
        "se_stimuli": np.sqrt(error.stimuli),
        "se_verdicts": np.where(over == "", np.nan, np.sqrt(error.verdicts)),
        "ci_low": low,
        "ci_high": high,
        "method": methods,
    }


def explain_undefined(name: str, four: np.ndarray) -> str:
    """Say why a quantity is not defined."""
    same = four[1] > 0 and four[3] > 0 and signal_detection.find_same_answers(*four)
    if same and name in ("d_prime", "criterion"):
        return signal_detection.SAME_ANSWERS
    return UNDEFINED


def summarize_counts(part: pd.DataFrame, name: str, choice: bool, level: float) -> pd.DataFrame:
    """Summarize the counts behind a quantity, with an interval for independent trials where there is one.

    Rates have a Wilson interval, detectability an interval from two of them, d' and c a normal interval.
    For choices an agent is compared with itself, so its trials count once.
    """
    people_right, n_people, right, n = four = np.stack(part["four"]).T
    counted = {"n": n_people + n}
    if WHOSE[name] != "pair" or choice or name == "accuracy":
        if WHOSE[name] == "pair" and not choice:
            right, n = people_right + right, n_people + n
        counted = {"k": n - right if name in ("p_MH", "p_HM") else right, "n": n}
        low, high = intervals.wilson(counted["k"], n, level)
    elif name in ("detectability", "identified"):
        low, high = intervals.compute_mean_proportion_interval(
            people_right, n_people, right, n, level
        )
    else:
        low, high = signal_detection.compute_intervals(*four, level=level)[name == "criterion"]
    return pd.DataFrame(counted | {"wilson_low": low, "wilson_high": high}, index=part.index)
