"""Estimate rates and detectability as published."""

from typing import Any

import numpy as np

from turingstats.analysis.estimates.sides import pool_sides, split_sides
from turingstats.analysis.settings import AnalysisSettings
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import Cells
from turingstats.stats import resampling
from turingstats.stats.quantities import rate


def estimate_published(
    cells: Cells, with_all_people: np.ndarray, name: str, config: AnalysisSettings
) -> dict[str, dict[str, Any]]:
    """Estimate rates and detectability as published; see `turingstats.analysis.estimates`.

    Returns value, k, n, se and method by quantity. The name of task and cohort seeds the draws.
    """
    right, n = cells.right.sum(axis=0), cells.n.sum(axis=0)
    estimates = {}
    rates = ("p_MM", "p_HM") if cells.choice else ("p_HH", "p_MH", "p_MM", "p_HM")
    for quantity in rates:
        columns = slice(0, 1) if WHOSE[quantity] == "human" else slice(1, None)
        k = right[:, columns] if quantity in ("p_HH", "p_MM") else n[:, columns] - right[:, columns]
        p = rate(k, n[:, columns])
        estimates[quantity] = {
            "value": p,
            "k": k,
            "n": n[:, columns],
            "se": np.sqrt(rate(p * (1 - p), n[:, columns])),
            "method": "pooled trials; se sd/sqrt(n) over trials",
        }
    four = split_sides("pair", right, n, with_all_people, cells.choice)
    people_right, people_n, agent_right, agent_n = np.broadcast_arrays(*four)
    rounded = np.round(rate(people_right, people_n), 2) + np.round(rate(agent_right, agent_n), 2)
    spread = np.empty(agent_n.shape)
    for table, (_, group) in enumerate(cells.tables):
        for i, agent in enumerate(cells.agents[1:]):
            draws = resampling.make_generator(config["seed"], f"half-sample {name}.{group}.{agent}")
            counts = (people_right, people_n, agent_right, agent_n)
            k1, n1, k2, n2 = (int(part[table, i]) for part in counts)
            spread[table, i] = resampling.half_sample_sd(k1, n1, k2, n2, draws)
    estimates["detectability"] = {
        "value": np.round(rounded / 2, 6),
        "n": agent_n if cells.choice else people_n + agent_n,
        "se": spread,
        "method": "mean of rates rounded to two decimals; se sd of half-samples of trials",
    }
    k, n = pool_sides(four, cells.choice)
    estimates["accuracy"] = {
        "value": (p := rate(k, n)),
        "k": k,
        "n": n,
        "se": np.sqrt(rate(p * (1 - p), n)),
        "method": "share of right verdicts, pooled trials; se sd/sqrt(n) over trials",
    }
    return estimates


def average_over_stimuli(cells: Cells) -> dict[str, dict[str, Any]]:
    """Estimate rates of choices as the unweighted mean of the rates of single stimuli.

    If C_i of the K_i judges of stimulus i identified the machine, P(H|M) is 1 - mean(C_i / K_i): the
    "X-turn pass rate" of Wu et al. (2025), equation 1, which assumes that all K_i are equal. The standard
    error is that of a mean over stimuli; n counts verdicts.
    """
    right, n, _ = cells.pairs.sum_by_stimulus(*cells.n.shape[1:])
    right, n = right[:, :, 1:], n[:, :, 1:]
    judged = n > 0
    stimuli = judged.sum(axis=0)
    shares = np.where(judged, rate(right, n), 0.0)
    mean = rate(shares.sum(axis=0), stimuli)
    squares = np.where(judged, (shares - mean) ** 2, 0).sum(axis=0)
    se = np.sqrt(rate(squares, (stimuli - 1) * stimuli))
    method = (
        "mean of the rates of single stimuli, each of the same weight; se sd/sqrt(n) over stimuli"
    )
    common = {"n": n.sum(axis=0).astype(int), "se": se, "method": method}
    estimates = {
        name: {"value": mean} | common for name in ("p_MM", "p_HM", "detectability", "accuracy")
    }
    estimates["p_HM"]["value"] = 1 - mean
    return estimates


def average_levels(rows: list[dict[str, Any]], condition: str) -> None:
    """Replace the rates of a whole cohort by the mean of its levels' rates, in place, as published.

    The levels of the condition have equal weights, regardless of their numbers of trials, and their rates
    are rounded to two decimals first. Errors are combined as for independent rates.
    """
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
