"""Estimate every quantity with its error over judges and stimuli."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.sides import (
    Sides,
    describe_sides,
    find_people_table,
    move_quantities,
    order_rows,
    sum_verdicts,
)
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


def estimate_recommended(
    cohort: CohortCounts, pooled: Collection[str], level: float
) -> pd.DataFrame:
    """Estimate every quantity with its error over judges and stimuli, one row per table, agent and quantity.

    At the levels of `pooled` conditions, agents are compared with people's responses at all levels.
    """
    agent, sides = list_cells(cohort)
    pairs = np.column_stack([np.where(sides.same, agent, len(cohort.agents)), agent])
    people = [find_people_table(cohort, table, pooled) for table in range(len(cohort.tables))]
    totals = cohort.sums.sum(axis=0)
    totals = np.concatenate([totals, totals[people, :1]], axis=1)[:, pairs]
    four = (totals @ sides.counted).reshape(len(people), -1, 4)
    values, slopes = np.empty(four.shape[:-1]), np.empty(four.shape)
    for name in np.unique(sides.quantity):
        rows = sides.quantity == name
        values[:, rows] = QUANTITIES[name].value(*np.moveaxis(four[:, rows], -1, 0))
        slopes[:, rows] = differentiate_quantity(name, four[:, rows])
    numbers, errors = zip(
        *(
            measure_table(cohort, pairs, sides, tables, slopes[tables[0]])
            for tables in enumerate(people)
        ),
        strict=True,
    )
    counted = np.concatenate(numbers, axis=-1)
    group_by, group = np.repeat(np.array(cohort.tables, object), len(agent), axis=0).T
    names = np.tile(sides.quantity.astype(object), len(people))
    values, four = values.ravel(), four.reshape(-1, 4)
    error = crossed.CrossedError(*map(np.concatenate, zip(*errors, strict=True)))
    estimates = pd.DataFrame(
        {
            "group_by": group_by,
            "group": group,
            "agent": np.tile(np.array(cohort.agents, object)[agent], len(people)),
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


def list_cells(cohort: CohortCounts) -> tuple[np.ndarray, Sides]:
    """List the quantities of all agents in the order of their rows: places of agents, and quantities."""
    rows = order_rows(
        [
            {"quantity": name, "agent": place}
            for place, agent in enumerate(cohort.agents)
            for name in list_quantities(cohort)
            if (WHOSE[name] == "human") == (agent == "human")
        ]
    )
    agent = np.array([row["agent"] for row in rows], int)
    return agent, describe_sides([row["quantity"] for row in rows], (agent == 0) | cohort.choice)


def list_quantities(cohort: CohortCounts) -> list[str]:
    """List the quantities that are defined for a cohort."""
    unsure = cohort.unsure.any()
    return [
        name
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cohort.choice) and (quantity.counts == "decided" or unsure)
    ]


def measure_table(
    cohort: CohortCounts,
    pairs: np.ndarray,
    sides: Sides,
    tables: tuple[int, int],
    slopes: np.ndarray,
) -> tuple[np.ndarray, crossed.CrossedError]:
    """Count judges and stimuli (`count_units`), and estimate the errors of quantities, in one table.

    `pairs` are the places of both sides of each quantity among agents; people whom agents are compared with
    are last, and in the second of the tables.
    """
    rows, of_people = cohort.find_rows(tables[0]), cohort.find_rows(tables[1], "human")
    agent = np.concatenate([cohort.agent[rows], np.full(len(of_people), len(cohort.agents))])
    rows = np.concatenate([rows, of_people])
    numbers = np.full((2, 2, len(slopes)), np.nan)
    moved: list[UnitSums | None] = []
    for kind, summed in enumerate(sum_verdicts(cohort, rows, agent, len(cohort.agents) + 1)):
        if summed is None:
            moved.append(None)
            continue
        by_agent = summed[1]
        by_agent[1] = by_agent[2:-1].sum(axis=0)
        verdicts = by_agent[pairs]
        moved.append(move_quantities(verdicts, sides, slopes))
        if kind < 2:
            numbers[kind] = count_units(verdicts, sides.quantity)
    *units, by_pair = moved
    error = crossed.combine_unit_sums(
        units,
        np.swapaxes(by_pair.influence, -1, -2) @ by_pair.influence,
        tuple(numbers[:, 1] >= MIN_UNITS),
        cohort.both_roles,
    )
    return numbers, error


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
