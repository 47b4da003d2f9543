"""Estimate a study's rates in both readings, and conclude which agents are equivalent to people or chance."""

from functools import partial

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.published import (
    average_levels,
    average_over_stimuli,
    estimate_published,
)
from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.analysis.headline_cohorts import list_headlines
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data import counts as counting
from turingstats.data.counts import CohortCounts
from turingstats.data.schema import RESULTS
from turingstats.stats import equivalence


def estimate_rates(
    counts: pd.DataFrame, groups: pd.DataFrame, study: Study, config: AnalysisSettings
) -> pd.DataFrame:
    """Estimate every cell of every confusion matrix."""
    tables = []
    by_reading = dict(iter(groups.astype("category").groupby("reading")))
    # Judges trained on different agents saw different responses of people, and a group of judges has its
    # own verdicts.
    of_judges = {"trained_on", *groups["group_by"].unique()}
    for (task, cohort, reading), cohort_counts in counts.groupby(
        ["task", "cohort", "reading"], sort=False
    ):
        described, of_task = study.tasks[task].cohorts[cohort], study.tasks[task]
        present = set(cohort_counts["agent"].unique())
        agents = [a for a in described.agents if a in present]
        members = by_reading.get(reading, groups[:0])
        cells = counting.arrange_counts(cohort_counts, members, agents, of_task.choice)
        # Conditions at whose levels agents are compared with people's responses at all levels.
        pooled = {name for name in of_task.pooled_humans if not of_judges & set(name.split("+"))}
        name = f"{task}.{cohort}"
        if reading == "recommended":
            estimates = estimate_recommended(cells, pooled, config["confidence"])
        elif of_task.published_mean_over == "stimuli":
            estimates = average_over_stimuli(cells)
        else:
            cells = keep_first_judges(cells, described.published_judges)
            estimates = estimate_published(cells, pooled, name, config)
            if described.published_mean_of:
                estimates = average_levels(estimates, described.published_mean_of)
        ids = estimates["group"] + "." + estimates["agent"] + "." + estimates["quantity"]
        tables.append(
            estimates.assign(
                estimate_id=f"{name}." + ids,
                study=study.study,
                task=task,
                cohort=cohort,
                judge_kind=described.judge_kind,
                reading=reading,
            )
        )
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    return table.reindex(columns=RESULTS["estimates"])


def conclude_equivalence(
    estimates: pd.DataFrame, study: Study, options: AnalysisSettings
) -> pd.DataFrame:
    """Conclude whether agents are equivalent to people or chance, corrected over headline cohorts."""
    return equivalence.assess_agents(estimates, options, partial(list_headlines, study))


def keep_first_judges(cells: CohortCounts, number: int | None) -> CohortCounts:
    """Set the counts of all but the first judges to 0; None keeps all."""
    early = np.arange(len(cells.judges)) < (number or np.inf)
    return cells._replace(sums=cells.sums * early[:, None, None, None])
