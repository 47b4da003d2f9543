"""Estimate a study's rates in both readings, and list them as rows of estimates.csv."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.estimates.published import (
    average_levels,
    average_over_stimuli,
    estimate_published,
)
from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.analysis.estimates.sides import count_units
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.core.quantity_names import WHOSE
from turingstats.data import counts as counting
from turingstats.data.counts import Cells
from turingstats.data.schema import ESTIMATES


def estimate_rates(
    counts: pd.DataFrame, groups: pd.DataFrame, study: Study, config: AnalysisSettings
) -> pd.DataFrame:
    """Estimate every cell of every confusion matrix."""
    rows = []
    by_reading = dict(iter(groups.groupby("reading")))
    # Judges trained on different agents saw different responses of people, and a group of judges has its
    # cohort_counts verdicts.
    of_judges = {"trained_on", *groups["group_by"].unique()}
    for (task, cohort, reading), cohort_counts in counts.groupby(
        ["task", "cohort", "reading"], sort=False
    ):
        described = study.tasks[task].cohorts[cohort]
        present = set(cohort_counts["agent"].unique())
        agents = [a for a in described.agents if a in present]
        choice = study.tasks[task].choice
        members = by_reading.get(reading, groups[:0])
        cells = counting.arrange_counts(cohort_counts, members, agents, choice)
        if reading == "published" and described.published_judges is not None:
            cells = drop_first_judges(cells, described.published_judges)
        pooled = {
            name for name in study.tasks[task].pooled_humans if not of_judges & set(name.split("+"))
        }
        # Tables whose agents are compared with people's responses at all levels, not only at the same one.
        with_all_people = np.array([group_by in pooled for group_by, _ in cells.tables])
        if reading == "published" and study.tasks[task].published_mean_over == "stimuli":
            estimates = average_over_stimuli(cells)
        elif reading == "published":
            estimates = estimate_published(cells, with_all_people, f"{task}.{cohort}", config)
        else:
            estimates = estimate_recommended(cells, with_all_people, config)
        shared = {
            "study": study.study,
            "task": task,
            "cohort": cohort,
            "judge_kind": described.judge_kind,
            "reading": reading,
        }
        of_cohort = [
            shared | row
            for row in list_estimate_rows(estimates, cells, with_all_people, f"{task}.{cohort}")
        ]
        if reading == "published" and described.published_mean_of:
            average_levels(of_cohort, described.published_mean_of)
        rows += of_cohort
    return pd.DataFrame(rows).reindex(columns=[c for c in ESTIMATES if c != "data"])


def drop_first_judges(cells: Cells, number: int) -> Cells:
    """Set the counts of all but the first judges to 0."""
    early = np.arange(len(cells.judges)) < number
    kept = {name: getattr(cells, name) * early[:, None, None] for name in ("n", "right", "unsure")}
    return cells._replace(**kept, pairs=cells.pairs.keep_judges(early))


def list_estimate_rows(
    estimates: dict[str, dict[str, Any]], cells: Cells, with_all_people: np.ndarray, name: str
) -> Iterator[dict[str, Any]]:
    """List rows of estimates, table by table: people's rates, each agent's, then those of pairs.

    Estimates are by quantity: arrays of shape (tables, 1) or (tables, agents - 1), or one text for all
    cells.
    """
    people = [(0, q) for q in estimates if WHOSE[q] == "human"]
    agent_indices = range(len(cells.agents) - 1)
    agents = [(i, q) for i in agent_indices for q in estimates if WHOSE[q] == "agent"]
    pairs = [(i, q) for q in estimates if WHOSE[q] == "pair" for i in agent_indices]
    judges, _ = count_units(cells.n + cells.unsure > 0, with_all_people, cells.choice)
    for table, (group_by, group) in enumerate(cells.tables):
        for i, quantity in (*people, *agents, *pairs):
            of = WHOSE[quantity]
            agent = "human" if of == "human" else cells.agents[i + 1]
            yield {
                "estimate_id": f"{name}.{group}.{agent}.{quantity}",
                "group_by": group_by,
                "group": group,
                "agent": agent,
                "quantity": quantity,
                "n_judges": judges[of][table, i].item(),
            } | {
                key: values if isinstance(values, str) else values[table, i].item()
                for key, values in estimates[quantity].items()
            }
