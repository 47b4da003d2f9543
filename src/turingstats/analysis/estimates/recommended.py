"""Estimate every quantity with its error over judges and stimuli."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.sides import (
    Sides,
    collect_sides,
    find_people_table,
    order_rows,
    split_influence,
)
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import CohortCounts
from turingstats.stats import crossed, intervals, signal_detection
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


def estimate_recommended(
    cohort: CohortCounts, pooled: Collection[str], level: float
) -> pd.DataFrame:
    """Estimate every quantity with its error over judges and stimuli, one row per table, agent and quantity.

    At the levels of `pooled` conditions, agents are compared with people's responses at all levels.
    """
    names = list_quantities(cohort)
    tables = [find_people_table(cohort, table, pooled) for table in range(len(cohort.tables))]
    of_agent = cohort.sums.sum(axis=0)
    of_people = of_agent.copy()
    if not cohort.choice:
        of_people[:, 1:] = of_agent[tables, :1]
    both = np.stack([of_people, of_agent], axis=2)
    table_counts = {
        name: (both @ COUNTED[QUANTITIES[name].counts]).reshape(*both.shape[:2], 4)
        for name in names
    }
    values = {
        name: QUANTITIES[name].value(*np.moveaxis(table_counts[name], -1, 0)) for name in names
    }
    slopes = {name: differentiate_quantity(name, table_counts[name]) for name in names}
    rows: list[dict[str, Any]] = []
    for table, (group_by, group) in enumerate(cohort.tables):
        of_table = []
        for place, agent in enumerate(cohort.agents):
            chosen = [name for name in names if (WHOSE[name] == "human") == (agent == "human")]
            if not chosen:
                continue
            sides = collect_sides(cohort, table, agent, tables[table])
            parts = (
                {name: part[name][table, place] for name in chosen}
                for part in (values, table_counts, slopes)
            )
            shared = {"group_by": group_by, "group": group, "agent": agent}
            of_table += [shared | row for row in estimate_quantities(cohort, sides, level, *parts)]
        rows += order_rows(of_table)
    estimates = pd.DataFrame(rows)
    of_quantity = [
        summarize_counts(part, name, cohort.choice, level)
        for name, part in estimates.groupby("quantity", sort=False)
    ]
    return estimates.drop(columns="four").join(pd.concat(of_quantity))


def list_quantities(cohort: CohortCounts) -> list[str]:
    """List the quantities that are defined for a cohort."""
    unsure = cohort.unsure.any()
    return [
        name
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cohort.choice) and (quantity.counts == "decided" or unsure)
    ]


def estimate_quantities(
    cohort: CohortCounts,
    sides: Sides,
    level: float,
    values: dict[str, float],
    table_counts: dict[str, np.ndarray],
    slopes: dict[str, np.ndarray],
) -> Iterator[dict[str, Any]]:
    """Estimate the errors of quantities of one agent in one table.

    `table_counts` are the counts that each is a function of, `slopes` its derivatives by them.
    """
    counts = cohort.counts[sides.rows]
    kinds = {kind: counts @ COUNTED[kind] for kind in {QUANTITIES[name].counts for name in values}}
    influence, trials = np.moveaxis(
        np.array(
            [
                split_influence(
                    kinds[QUANTITIES[name].counts], sides.of_agent, slopes[name], name, sides.same
                )
                for name in values
            ]
        ),
        0,
        -1,
    )
    judge, stimulus = (
        None if unit is None else unit[sides.rows] for unit in (cohort.judge, cohort.stimulus)
    )
    judged = counts[:, 1:].any(axis=1)
    numbers = np.full((2, 2, len(values)), np.nan)
    for kind, unit in enumerate((judge, stimulus)):
        if unit is not None:
            counted = count_units(judged, sides, unit)
            numbers[kind] = np.transpose([counted[WHOSE[name]] for name in values])
    error = crossed.estimate_crossed_error(
        influence,
        judge,
        stimulus,
        trials,
        tuple(numbers[:, 1] >= MIN_UNITS),
        cohort.both_roles,
        cohort.pair[sides.rows],
    )
    over = crossed.describe_units(error).tolist()
    ends = {
        share: crossed.compute_crossed_interval([*values.values()], error, level, share)
        for share in (True, False)
    }
    for i, (name, value) in enumerate(values.items()):
        one = error.pick(i)
        low, high = (end[i] for end in ends[QUANTITIES[name].share])
        # All judges and stimuli alike do not make a rate certain.
        alike = over[i] != "" and np.isfinite(value) and np.isnan(low)
        yield {
            "quantity": name,
            "value": float(value),
            "n_judges": int(numbers[0, 0, i]),
            "n_stimuli": numbers[1, 0, i],
            "error_over": "" if alike else over[i],
            "se": np.nan if alike else one.se,
            "df": np.nan if alike else one.df,
            "se_judges": np.sqrt(one.judges),
            "se_stimuli": np.sqrt(one.stimuli),
            "se_verdicts": np.sqrt(one.verdicts) if over[i] else np.nan,
            "ci_low": float(low),
            "ci_high": float(high),
            "method": explain_undefined(name, table_counts[name])
            if np.isnan(value)
            else ALIKE
            if alike
            else METHODS[over[i]],
            "four": table_counts[name],
        }


def count_units(judged: np.ndarray, sides: Sides, unit: np.ndarray) -> dict[str, tuple[int, int]]:
    """Count the units (judges, or stimuli) that saw each side, and those of the side that has fewer."""
    agent = judged & sides.of_agent
    people = agent if sides.same else judged & ~sides.of_agent
    of_people, of_agent, either = (
        int(np.count_nonzero(np.bincount(unit[rows]))) for rows in (people, agent, judged)
    )
    return {
        "human": (of_people, of_people),
        "agent": (of_agent, of_agent),
        "pair": (either, min(of_people, of_agent)),
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
