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
    show_sides,
)
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import Cells
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
    "decided": [[1, 0], [0, 1], [0, 0]],
    "every": [[1, 0], [0, 1], [0, 1]],
    "wrong": [[-1, 0], [1, 1], [0, 1]],
    "unsure": [[0, 0], [0, 1], [1, 1]],
}
"""How the numerator and the denominator of a rate are made of right, decided and unsure verdicts."""


def estimate_recommended(cells: Cells, pooled: Collection[str], level: float) -> pd.DataFrame:
    """Estimate every quantity with its error over judges and stimuli, one row per table, agent and quantity.

    At the levels of `pooled` conditions, agents are compared with people's responses at all levels.
    """
    quantities = list_quantities(cells)
    rows: list[dict[str, Any]] = []
    for table, (group_by, group) in enumerate(cells.tables):
        of_table = []
        for agent in cells.agents:
            people = table if agent == "human" else find_people_table(cells, table, pooled)
            sides = collect_sides(cells, table, agent, people)
            names = [name for name in quantities if (WHOSE[name] == "human") == (agent == "human")]
            place = {"group_by": group_by, "group": group, "agent": agent}
            of_table += [place | row for row in estimate_quantities(sides, names, level)]
        rows += order_rows(of_table)
    estimates = pd.DataFrame(rows)
    of_quantity = [
        summarize_counts(part, name, cells.choice, level)
        for name, part in estimates.groupby("quantity", sort=False)
    ]
    return estimates.drop(columns="four").join(pd.concat(of_quantity))


def list_quantities(cells: Cells) -> list[str]:
    """List the quantities that are defined for a cohort."""
    unsure = cells.unsure.any()
    return [
        name
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cells.choice) and (quantity.counts == "decided" or unsure)
    ]


def estimate_quantities(sides: Sides, names: list[str], level: float) -> Iterator[dict[str, Any]]:
    """Estimate quantities of one agent in one table; `four` are the counts that each is a function of."""
    if not names:
        return
    quantities = [QUANTITIES[name] for name in names]
    by_side = sides.counts.reshape(-1, 2, 3)
    counts = [by_side @ np.array(COUNTED[quantity.counts]) for quantity in quantities]
    fours = [part.sum(axis=0).ravel() for part in counts]
    slopes = [differentiate_quantity(name, four) for name, four in zip(names, fours, strict=True)]
    influence = [part.reshape(-1, 4) @ slope for part, slope in zip(counts, slopes, strict=True)]
    shown = [
        show_sides(part[:, :, 1] > 0, WHOSE[name]) for name, part in zip(names, counts, strict=True)
    ]
    judged = np.any(by_side[:, :, 1:], axis=2)
    units = [unit for unit in (sides.judge, sides.stimulus) if unit is not None]
    numbers = np.full((2, 2, len(names)), np.nan)
    for kind, unit in enumerate(units):
        counted = count_units(judged, unit)
        numbers[kind] = np.transpose([counted[WHOSE[name]] for name in names])
    error = crossed.estimate_crossed_error(
        np.transpose(influence),
        sides.judge,
        sides.stimulus,
        np.transpose(shown),
        tuple(numbers[:, 1] >= MIN_UNITS),
        sides.both_roles,
    )
    over = crossed.describe_units(error).tolist()
    values = [float(q.value(*four)) for q, four in zip(quantities, fours, strict=True)]
    ends = {
        share: crossed.compute_crossed_interval(values, error, level, share)
        for share in (True, False)
    }
    for i, (name, quantity, value) in enumerate(zip(names, quantities, values, strict=True)):
        one = error.pick(i)
        low, high = (end[i] for end in ends[quantity.share])
        # All judges and stimuli alike do not make a rate certain.
        alike = over[i] != "" and np.isfinite(value) and np.isnan(low)
        yield {
            "quantity": name,
            "value": value,
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
            "method": explain_undefined(name, fours[i])
            if np.isnan(value)
            else ALIKE
            if alike
            else METHODS[over[i]],
            "four": fours[i],
        }


def count_units(judged: np.ndarray, unit: np.ndarray) -> dict[str, tuple[int, int]]:
    """Count the units (judges, or stimuli) that saw each side, and those of the side that has fewer."""
    people, agent = (len(np.unique(unit[side])) for side in judged.T)
    either = len(np.unique(unit[np.any(judged, axis=1)]))
    return {
        "human": (people, people),
        "agent": (agent, agent),
        "pair": (either, min(people, agent)),
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
