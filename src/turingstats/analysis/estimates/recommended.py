"""Estimate every quantity with its error over judges and stimuli."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.sides import find_people_table, measure_cells, order_rows
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats import crossed, intervals, signal_detection
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.quantities import QUANTITIES

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
    agent, quantities = list_cells(cohort)
    sides = np.column_stack(
        [np.where((agent == 0) | cohort.choice, agent, len(cohort.agents)), agent]
    )
    tables = [
        measure_table(cohort, table, find_people_table(cohort, table, pooled), sides, quantities)
        for table in range(len(cohort.tables))
    ]
    values, four, counted = (
        np.concatenate(arrays) for arrays in list(zip(*tables, strict=True))[:3]
    )
    error = crossed.CrossedError(
        *map(np.concatenate, zip(*(part[3] for part in tables), strict=True))
    )
    group_by, group = np.repeat(np.array(cohort.tables, object), len(agent), axis=0).T
    names = np.tile(np.array(quantities, object), len(tables))
    estimates = pd.DataFrame(
        {
            "group_by": group_by,
            "group": group,
            "agent": np.tile(np.array(cohort.agents, object)[agent], len(tables)),
            "quantity": names,
            "value": values,
            "n_judges": counted[:, 0].astype(int),
            "n_stimuli": counted[:, 1],
            **describe_errors(names, values, four, error, level),
            "four": [*four],
        }
    )
    of_quantity = [
        summarize_counts(part, name, cohort.choice, level)
        for name, part in estimates.groupby("quantity", sort=False)
    ]
    return estimates.drop(columns="four").join(pd.concat(of_quantity))


def list_cells(cohort: CohortCounts) -> tuple[np.ndarray, list[str]]:
    """List the quantities of all agents in the order of their rows: places of agents, and quantities."""
    rows = order_rows(
        [
            {"quantity": name, "agent": place}
            for place, agent in enumerate(cohort.agents)
            for name in list_quantities(cohort)
            if (WHOSE[name] == "human") == (agent == "human")
        ]
    )
    return np.array([row["agent"] for row in rows], int), [row["quantity"] for row in rows]


def list_quantities(cohort: CohortCounts) -> list[str]:
    """List the quantities that are defined for a cohort."""
    unsure = cohort.unsure.any()
    return [
        name
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cohort.choice) and (quantity.counts == "decided" or unsure)
    ]


def measure_table(
    cohort: CohortCounts, table: int, of_people: int, sides: np.ndarray, quantities: list[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, crossed.CrossedError]:
    """Measure the quantities of one table: values, counts, numbers of judges and stimuli, and errors.

    People whom agents are compared with are in the table `of_people`, and in the last place.
    """
    rows, opposite = cohort.find_rows(table), cohort.find_rows(of_people, "human")
    number = len(cohort.agents)
    place = np.append(cohort.agent[rows], np.full(len(opposite), number))
    rows = np.append(rows, opposite)
    cells = measure_cells(cohort, rows, place, number + 1, sides, quantities)
    numbers = np.full((2, 2, len(sides)), np.nan)
    for kind, seen in enumerate(cells.seen[:2]):
        if seen is not None:
            numbers[kind] = count_units(seen, quantities)
    enough = tuple(numbers[:, 1] >= MIN_UNITS)
    error = crossed.combine_unit_sums(cells.moved[:2], cells.squares, enough, cohort.both_roles)
    return cells.value, cells.four, numbers[:, 0].T, error


def count_units(seen: np.ndarray, quantities: Sequence[str]) -> np.ndarray:
    """Count the units that saw either side, and those of the side that has fewer; shape (2, cells)."""
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
