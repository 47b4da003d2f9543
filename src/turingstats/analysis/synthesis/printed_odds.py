"""Odds ratios of agents from the counts that papers print; their errors take verdicts as independent."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from turingstats.analysis.printed_rates import BOTH
from turingstats.analysis.synthesis.odds_ratios import (
    HALF,
    INDEPENDENT,
    Effects,
    add_intervals,
    combine_effects,
)

METHOD = "error of printed counts"
NOT_PRINTED = "the paper prints no counts of it, and none follow from its rates"


def measure_counts(rates: pd.DataFrame, level: float) -> Effects:
    """Measure odds ratios from printed counts of agents and of people, of one task and subset.

    All agents are compared with the same people, which is in the covariance.
    """
    people, agents = (rates[(rates["agent"] == "human") == whose] for whose in (True, False))
    if people.empty or agents.empty:
        return combine_effects([])
    first = people.iloc[0]
    value, variance = compute_log_odds(agents["k"], agents["n"])
    reference, shared = compute_log_odds(first["k"], first["n"])
    table = agents[["agent", "k", "n"]].astype({"k": float, "n": float}).reset_index(drop=True)
    table = table.assign(
        k_people=float(first["k"]), n_people=float(first["n"]), log_odds_ratio=value - reference
    )
    return describe_printed(table, np.diag(variance) + shared, level)


def measure_choices(rates: pd.DataFrame, level: float) -> tuple[Effects, list[str]]:
    """Measure odds ratios from printed counts of choices; name the agents whose counts are not known.

    The rates are those of people as judges, with the longest history, over both settings.
    """
    rates = rates[rates["variant"] == BOTH]
    rates = rates[rates["history"] == rates["history"].max()]
    rates = rates.drop_duplicates(["agent", "exchanges"])
    sums = rates.groupby("agent", sort=False)[["k", "n"]].sum(min_count=1).dropna()
    without = [agent for agent in dict.fromkeys(rates["agent"]) if agent not in sums.index]
    if sums.empty:
        return combine_effects([]), without
    value, variance = compute_log_odds(sums["k"], sums["n"])
    table = sums.astype(float).reset_index()
    table = table.assign(k_people=np.nan, n_people=np.nan, log_odds_ratio=value)
    return describe_printed(table, np.diag(variance), level), without


def compute_log_odds(k: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Compute log odds and their error variance; 0.5 is added to both counts where one of them is 0."""
    k, n = np.asarray(k, float), np.asarray(n, float)
    more = HALF * ((k == 0) | (k == n))
    human, machine = k + more, n - k + more
    return np.log(human / machine), 1 / human + 1 / machine


def describe_printed(table: pd.DataFrame, covariance: np.ndarray, level: float) -> Effects:
    """Add what holds for all odds ratios from printed counts."""
    table = table.assign(
        se=np.sqrt(np.diag(covariance)), df=np.inf, error_over=INDEPENDENT, method=METHOD
    )
    return Effects(add_intervals(table, level), covariance)
