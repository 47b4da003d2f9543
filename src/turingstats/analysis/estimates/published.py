"""Estimate rates and detectability as published."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.sides import find_people_table, order_rows
from turingstats.analysis.settings import AnalysisSettings
from turingstats.data.counts import CohortCounts
from turingstats.stats import resampling
from turingstats.stats.quantities import rate

POOLED = "pooled trials; se sd/sqrt(n) over trials"
STIMULI = "mean of the rates of single stimuli, each of the same weight; se sd/sqrt(n) over stimuli"


def estimate_published(
    cells: CohortCounts, pooled: Collection[str], name: str, config: AnalysisSettings
) -> pd.DataFrame:
    """Estimate rates and detectability as published; see `turingstats.analysis.estimates`.

    One row per table, agent and quantity. At the levels of `pooled` conditions, agents are compared with
    people's responses at all levels. The name of task and cohort seeds the draws.
    """
    right, n = cells.right.sum(axis=0), cells.n.sum(axis=0)
    judged = cells.n + cells.unsure > 0
    rows: list[dict[str, Any]] = []
    for table, (group_by, group) in enumerate(cells.tables):
        opposite = find_people_table(cells, table, pooled)
        of_table = []
        for i, agent in enumerate(cells.agents):
            place = {"group_by": group_by, "group": group, "agent": agent}
            k, trials = int(right[table, i]), int(n[table, i])
            if agent == "human":
                rates = {} if cells.choice else {"p_HH": k, "p_MH": trials - k}
            else:
                rates = {"p_MM": k, "p_HM": trials - k}
            alone = {"n_judges": int(judged[:, table, i].sum())}
            of_table += [
                place | {"quantity": quantity} | alone | describe_share(number, trials, POOLED)
                for quantity, number in rates.items()
            ]
            if agent == "human":
                continue
            people = (k, trials) if cells.choice else (int(right[opposite, 0]), int(n[opposite, 0]))
            seen = judged[:, table, i]
            if not cells.choice:
                seen = seen | judged[:, opposite, 0]
            draws = resampling.make_generator(config["seed"], f"half-sample {name}.{group}.{agent}")
            rounded = np.round(rate(*people), 2) + np.round(rate(k, trials), 2)
            detectability = {
                "value": float(np.round(rounded / 2, 6)),
                "n": trials if cells.choice else people[1] + trials,
                "se": resampling.half_sample_sd(*people, k, trials, draws),
                "method": "mean of rates rounded to two decimals; se sd of half-samples of trials",
            }
            both = (k, trials) if cells.choice else (people[0] + k, people[1] + trials)
            accuracy = describe_share(*both, f"share of right verdicts, {POOLED}")
            for quantity, row in (("detectability", detectability), ("accuracy", accuracy)):
                of_table.append(place | {"quantity": quantity, "n_judges": int(seen.sum())} | row)
        rows += order_rows(of_table)
    return pd.DataFrame(rows)


def describe_share(k: int, n: int, method: str) -> dict[str, Any]:
    """Describe a share of pooled trials, with the standard error of independent ones."""
    p = rate(k, n)
    return {
        "value": float(p),
        "k": k,
        "n": n,
        "se": float(np.sqrt(rate(p * (1 - p), n))),
        "method": method,
    }


def average_over_stimuli(cells: CohortCounts) -> pd.DataFrame:
    """Estimate rates of choices as the unweighted mean of the rates of single stimuli.

    If C_i of the K_i judges of stimulus i identified the machine, P(H|M) is 1 - mean(C_i / K_i): the
    "X-turn pass rate" of Wu et al. (2025), equation 1, which assumes that all K_i are equal. The standard
    error is that of a mean over stimuli; n counts verdicts.
    """
    rows: list[dict[str, Any]] = []
    for table, (group_by, group) in enumerate(cells.tables):
        of_table = []
        for i, agent in enumerate(cells.agents[1:], start=1):
            entries = cells.find_rows(table, agent)
            right, n = (
                np.bincount(cells.stimulus[entries], cells.counts[entries, column])
                for column in (0, 1)
            )
            shares = right[n > 0] / n[n > 0]
            stimuli = len(shares)
            mean = float(rate(shares.sum(), stimuli))
            squares = ((shares - mean) ** 2).sum()
            row = {
                "group_by": group_by,
                "group": group,
                "agent": agent,
                "n_judges": int((cells.n + cells.unsure > 0)[:, table, i].sum()),
                "n": int(n.sum()),
                "se": float(np.sqrt(rate(squares, (stimuli - 1) * stimuli))),
                "method": STIMULI,
            }
            of_table += [
                row | {"quantity": quantity, "value": 1 - mean if quantity == "p_HM" else mean}
                for quantity in ("p_MM", "p_HM", "detectability", "accuracy")
            ]
        rows += order_rows(of_table)
    return pd.DataFrame(rows)


def average_levels(estimates: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Replace the rates of a whole cohort by the mean of its levels' rates, as published.

    The levels of the condition have equal weights, regardless of their numbers of trials, and their rates
    are rounded to two decimals first. Errors are combined as for independent rates.
    """
    rows = estimates.to_dict("records")
    whole = {(r["agent"], r["quantity"]): r for r in rows if r["group_by"] == "all"}
    levels: dict[tuple[str, str], list[dict[str, Any]]] = {key: [] for key in whole}
    for row in rows:
        if row["group_by"] == condition:
            levels[row["agent"], row["quantity"]].append(row)
    for (agent, quantity), row in whole.items():
        parts = levels[agent, quantity]
        if len(parts) < 2:
            continue
        errors = [part["se"] for part in parts]
        row["se"] = float(np.sqrt(np.sum(np.square(errors))) / len(parts))
        row["k"] = np.nan
        row["method"] = f"mean of the rates at the levels of {condition}, each at two decimals"
        if quantity in ("p_HH", "p_MM"):
            row["value"] = float(np.mean([np.round(part["value"], 2) for part in parts]).round(6))
            other = whole[agent, "p_MH" if quantity == "p_HH" else "p_HM"]
            other["value"] = 1 - row["value"]
    for (agent, quantity), row in whole.items():
        if quantity == "detectability" and len(levels[agent, quantity]) > 1:
            pair = whole["human", "p_HH"], whole[agent, "p_MM"]
            row["value"] = float(np.mean([np.round(r["value"], 2) for r in pair]).round(6))
    return pd.DataFrame(rows)
