"""Ratings given beside a verdict, such as of trust: means by agent, and correlation with the verdict."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from turingstats.analysis.graded_verdicts import (
    code_units,
    describe_estimate,
    estimate_mean,
    measure_difference,
    select_agents,
    split_judges,
)
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.data.counts import merge_sessions
from turingstats.stats.hypothesis.correlation import linearize_correlation

WITHIN = {"correlation": None, "within_judges": 0, "within_stimuli": 1}
"""Correlations with the verdict, and within which of judges and stimuli they are."""


def measure_scales(
    judgments: pd.DataFrame, study: Study, people: Mapping[str, str], level: float
) -> pd.DataFrame:
    """Measure each scale of each cohort, or machine judge, in the recommended reading.

    Quantities are mean (by agent), difference (of means, an agent's responses minus people's), and the
    correlation of the scale with the verdict human: of all trials, within judges (does the same judge rate
    higher what it judges human?), and within stimuli (do judges who rate a stimulus higher judge it human?).
    """
    rows = []
    for task, described in study.tasks.items():
        kept = judgments[(judgments["task"] == task) & judgments["kept_recommended"]]
        if not described.scales or kept.empty:
            continue
        kept = merge_sessions(kept, people)
        for keys, trials in split_judges(kept):
            for scale in described.scales:
                values = pd.to_numeric(trials[scale].astype(object), errors="coerce")
                rated = trials.assign(**{scale: values})[values.notna()]
                place = keys | {"scale": scale}
                rows += [place | row for row in measure_scale(rated, scale, level)]
    return tabulate(rows, "scales", study=study.study, reading="recommended")


def measure_scale(trials: pd.DataFrame, scale: str, level: float) -> Iterator[dict[str, Any]]:
    """Measure one scale of one cohort or machine judge; yields rows."""
    agents = select_agents(trials)
    for agent, rows in agents.items():
        yield {"agent": agent, "quantity": "mean"} | estimate_mean(trials[rows], scale, level)
        if agent != "human" and "human" in agents:
            both = trials[rows | agents["human"]]
            yield {"agent": agent} | measure_difference(both, scale, level)
    decided = trials[trials["verdict"].isin(["human", "machine"])]
    human = decided["verdict"].eq("human").to_numpy(float)
    units = code_units(decided)
    for quantity, within in WITHIN.items():
        if within is not None and len(np.unique(units[within])) == len(decided):
            continue
        unit = None if within is None else units[within]
        r, influence = linearize_correlation(decided[scale].to_numpy(float), human, unit)
        if np.isfinite(r):
            row = describe_estimate(r, influence, units, level, share=False)
            # Fisher's z, whose error is that of r by 1 - r^2.
            reach = stats.t.ppf(0.5 + level / 2, row["df"]) * row["se"] / (1 - r**2)
            low, high = np.tanh(np.arctanh(r) + np.array([-reach, reach])).tolist()
            row |= {"agent": "every", "quantity": quantity, "ci_low": low, "ci_high": high}
            how = f"correlation with the verdict human; {row['method']}, of Fisher's z"
            yield row | {"method": how}
