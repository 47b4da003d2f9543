"""The exclusion log: what happens to every trial shown, with the reason for each one not analyzed."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from turingstats.config.study import Study
from turingstats.data import adapters
from turingstats.data.cleaning import find_other_reading, keep_one_per_trial

STEPS = "study task cohort judge reading step reason rows_in excluded rows_out".split()
UNREAD = "in a file that this source does not hold"
"""Reason for trials that were shown but not read, where the study file gives no other reason."""


def log_exclusions(
    marked: pd.DataFrame,
    study: Study,
    left_out: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Account for every trial, from those shown to those analyzed."""
    unread: dict[Any, dict[str, int]] = {}
    if left_out is not None:
        for place, own in left_out.groupby(["task", "cohort"], sort=False):
            unread[place] = own.groupby("reason", sort=False)["rows"].sum().astype(int).to_dict()
    rows = []
    reasons = [f"excluded_{reading}" for reading in study.readings]
    marked = marked[["task", "cohort", "judge", "side", "reading", *reasons]]
    # Both judgments of a conversation stay or go together: it is one trial.
    marked = keep_one_per_trial(marked)
    for (task, cohort), trials in marked.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        counted = {reading: count_reasons(trials, reading) for reading in study.readings}
        n_shown = described.trials_shown
        not_read = unread.pop((task, cohort), {})
        for judge in ["all", *trials.groupby("judge", observed=True).size().index]:
            for reading in study.readings:
                reasons = counted[reading].get(judge)
                if reasons is None:
                    continue
                judges = len(counted[reading]) - 1 if judge == "all" else 1
                key = {"study": study.study, "task": task, "cohort": cohort, "judge": judge}
                lost = not_read if judge == "all" else {}
                held = sum(reasons.values())
                source = [("source", reason, number) for reason, number in lost.items()]
                if n_shown is not None:
                    # Rows that the source holds but that are not read are not absent from it.
                    absent = max(n_shown * judges - held - sum(lost.values()), 0)
                    if not lost:
                        absent = n_shown * judges - held
                    why = described.absent_because or UNREAD if absent else ""
                    source.insert(0, ("source", why, absent))
                filters = [("filter", reason, n) for reason, n in reasons.items() if reason and n]
                rows += list_steps(key | {"reading": reading}, source + filters, reasons.get("", 0))
    for (task, cohort), lost in unread.items():
        kept = 0
        if cohort == adapters.RESPONSES and responses is not None:
            kept = int((responses["task"] == task).sum())
        source = [("source", reason, number) for reason, number in lost.items()]
        for reading in study.readings:
            key = {"study": study.study, "task": task, "cohort": cohort, "judge": "all"}
            rows += list_steps(key | {"reading": reading}, source, kept)
    return pd.DataFrame(rows, columns=STEPS)


def list_steps(
    key: dict[str, Any], losses: Sequence[tuple[str, str, int]], kept: int
) -> list[dict[str, Any]]:
    """List the rows of the log, from all trials to those analyzed."""
    rows, remaining = [], kept + sum(number for _, _, number in losses)
    for step, reason, number in [*losses, ("analyzed", "", 0)]:
        numbers = {"rows_in": remaining, "excluded": number, "rows_out": remaining - number}
        rows.append(key | {"step": step, "reason": reason} | numbers)
        remaining -= number
    return rows


def count_reasons(trials: pd.DataFrame, reading: str) -> dict[str, dict[str, int]]:
    """Count trials by reason (empty where kept) for each judge, and for `all` judges together.

    Verdicts of the other reading are not counted: they were never candidates for this one.
    """
    why = ["judge", f"excluded_{reading}"]
    trial_reasons = trials.loc[~find_other_reading(trials, reading), why]
    if trial_reasons.empty:
        return {}
    table = trial_reasons.groupby(why, observed=True).size().unstack(fill_value=0)
    judges, reasons, numbers = ["all", *table.index], list(table), table.to_numpy()
    rows = [numbers.sum(axis=0).tolist(), *numbers.tolist()]
    return {
        judge: dict(zip(reasons, row, strict=True)) for judge, row in zip(judges, rows, strict=True)
    }
