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
    unread: dict[Any, list[tuple[str, str, int]]] = {}
    for place, own in () if left_out is None else left_out.groupby(["task", "cohort"], sort=False):
        numbers = own.groupby("reason", sort=False)["rows"].sum().astype(int)
        unread[place] = [("source", reason, number) for reason, number in numbers.items()]
    rows = []
    reasons = [f"excluded_{reading}" for reading in study.readings]
    marked = marked[["task", "cohort", "judge", "side", "reading", *reasons]]
    # Both judgments of a conversation stay or go together: it is one trial.
    marked = keep_one_per_trial(marked)
    for (task, cohort), trials in marked.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        counted = {reading: count_reasons(trials, reading) for reading in study.readings}
        lost = {"all": unread.pop((task, cohort), [])}
        for judge in ["all", *trials.groupby("judge", observed=True).size().index]:
            for reading in study.readings:
                if judge not in counted[reading]:
                    continue
                reasons = counted[reading][judge]
                judges = len(counted[reading]) - 1 if judge == "all" else 1
                losses = [*lost.get(judge, ())]
                if described.trials_shown is not None:
                    # Rows that the source holds but that are not read are not absent from it.
                    held = sum(reasons.values()) + sum(number for *_, number in losses)
                    absent = described.trials_shown * judges - held
                    absent = max(absent, 0) if losses else absent
                    why = described.absent_because or UNREAD if absent else ""
                    losses.insert(0, ("source", why, absent))
                losses += [("filter", reason, n) for reason, n in reasons.items() if reason and n]
                place = (study.study, task, cohort, judge, reading)
                rows += list_steps(place, losses, reasons.get("", 0))
    for (task, cohort), losses in unread.items():
        kept = 0
        if cohort == adapters.RESPONSES and responses is not None:
            kept = int((responses["task"] == task).sum())
        for reading in study.readings:
            rows += list_steps((study.study, task, cohort, "all", reading), losses, kept)
    return pd.DataFrame(rows, columns=STEPS)


def list_steps(
    place: tuple[str, ...], losses: Sequence[tuple[str, str, int]], kept: int
) -> list[tuple[Any, ...]]:
    """List the rows of the log, from all trials to those analyzed."""
    rows, remaining = [], kept + sum(number for _, _, number in losses)
    for step, reason, number in [*losses, ("analyzed", "", 0)]:
        rows.append((*place, step, reason, remaining, number, remaining - number))
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
    return {"all": table.sum().to_dict()} | table.to_dict("index")
