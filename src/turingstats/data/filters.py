"""Rows that a rule of the study file or of the configuration leaves out, one function per rule."""

import numpy as np
import pandas as pd

from turingstats.config.settings import ReadingTime
from turingstats.config.study import Filter, Study
from turingstats.core.errors import InputError


def find_other_reading(judgments: pd.DataFrame, reading: str) -> pd.Series:
    """Find the rows that belong to the other reading: judges trained here differ between readings."""
    return (judgments["reading"].notna() & (judgments["reading"] != reading)).astype(bool)


def drop_fixed_answers(judgments: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Drop control answers that are a fixed label of the stimulus."""
    fixed = {
        (task, name)
        for task, described in study.tasks.items()
        for name, cohort in described.cohorts.items()
        if cohort.fixed_control
    }
    if not fixed:
        return judgments
    keys = zip(judgments["task"].astype(str), judgments["cohort"].astype(str), strict=True)
    not_fixed = [key not in fixed for key in keys]
    return judgments.assign(control_ok=judgments["control_ok"].where(not_fixed))


def find_hasty_trials(judgments: pd.DataFrame, limit: ReadingTime) -> pd.Series:
    """Find rows of conversations that were judged faster than they can be read."""
    least = 1000 * limit.seconds_per_word * limit.words_per_exchange * judgments["exchanges"]
    return (judgments["rt_ms"] < least).fillna(False).astype(bool)


def find_judges_with_few_trials(
    judgments: pd.DataFrame, in_time: pd.Series, least: int
) -> pd.Series:
    """Find rows of judges with too few conversations that were read in time and answered correctly."""
    trials = keep_one_per_trial(judgments)
    trials = trials[
        (trials["phase"] != "catch") & trials["control_ok"].notna() & trials["exchanges"].notna()
    ]
    good = in_time & judgments["control_ok"].fillna(False).astype(bool)
    number = good[trials.index].groupby(trials["judge"].astype(str)).sum()
    return judgments["judge"].astype(str).isin(number.index[number < least])


def match_filter(judgments: pd.DataFrame, declared: Filter) -> pd.Series:
    """Find the rows that a declared filter leaves out."""

    if declared.column:
        return judgments[declared.column].astype(str).isin(declared.values)
    if judgments["position"].isna().any():
        raise InputError(
            "judgments",
            f"trials without a position cannot be filtered ({declared.reason})",
            column="position",
            value="",
            fix="name the column with the position in the session under columns: position in "
            "data/sources/, or remove the filter from the study file",
        )
    ordered = judgments.sort_values(["judge", "position"], kind="stable")
    matches = (ordered["truth"].astype(str) == "machine").astype(int)
    by_judge = matches.groupby(ordered["judge"].astype(str), sort=False)
    before = sum(by_judge.shift(k, fill_value=0) for k in range(1, declared.run + 1))
    return pd.Series(before == declared.run).reindex(judgments.index)


def find_inattentive_judges(
    judgments: pd.DataFrame, study: Study, reading: str, counted: bool = True
) -> pd.Series:
    """Find rows of judges with too few correct control answers, where a cohort declares a minimum.

    On catch trials the published count accumulates from judge to judge; the recommended one starts again
    with each judge.
    """

    out, needed = set(), ["task", "cohort", "judge", "phase", "side", "control_ok"]
    trials = keep_one_per_trial(judgments[needed])
    for (task, cohort), cohort_trials in trials.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        catch = cohort_trials["phase"] == "catch"
        if counted and described.min_control_right is not None:
            right, _ = count_right_answers(cohort_trials[~catch])
            out |= set(right.index[right < described.min_control_right])
        if described.min_catch_control is not None:
            right, asked = count_right_answers(cohort_trials[catch])
            if reading == "published":
                right, asked = right.cumsum(), asked.cumsum()
            out |= set(right.index[right < described.min_catch_control * asked])
    return judgments["judge"].isin(out)


def keep_one_per_trial(judgments: pd.DataFrame) -> pd.DataFrame:
    """Keep one judgment per trial: the one on speaker A where both speakers are judged."""
    second = judgments["side"] == "B"
    return judgments[~second] if second.any() else judgments


def count_right_answers(trials: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Count the correct control answers and the control questions of each judge."""
    right = trials["control_ok"].fillna(False).astype(int)
    by_judge = right.groupby(trials["judge"].astype(str), sort=False)
    return by_judge.sum(), by_judge.size()


def find_failed_control(judgments: pd.DataFrame, right: int, of: int) -> pd.Series:
    """Find rows of judges with less than `right`/`of` of the control answers of their session correct."""
    answers = judgments["control_ok"].astype("boolean")
    by_judge = answers.groupby(judgments["judge"], observed=True)
    # Integer arithmetic, so that a share of exactly right/of passes.
    return (of * by_judge.transform("sum") < right * by_judge.transform("count")).astype(bool)


def find_repeated_verdicts(judgments: pd.DataFrame, study: Study) -> pd.Series:
    """Find rows that repeat the verdicts of a machine judge run several times on the same split.

    The verdicts of a file are `replicates` identical blocks in sequence; the first one is kept.
    """

    out = pd.Series(False, index=judgments.index)
    for task, described in study.tasks.items():
        for name, cohort in described.cohorts.items():
            if cohort.replicates == 1:
                continue
            cohort_rows = judgments[(judgments["task"] == task) & (judgments["cohort"] == name)]
            cohort_rows = cohort_rows.sort_values("trial", kind="stable")
            each, rest = divmod(len(cohort_rows), cohort.replicates)
            answers = cohort_rows[["agent", "verdict"]].astype(str).to_numpy()
            blocks = [] if rest else np.split(answers, cohort.replicates)
            if rest or not all((block == blocks[0]).all() for block in blocks):
                raise InputError(
                    "judgments",
                    f"the verdicts of {task}, {name} are not {cohort.replicates} equal blocks",
                    column="verdict",
                    value=f"{len(cohort_rows)} verdicts",
                    fix="correct `replicates` of the cohort in the study file",
                )
            out[cohort_rows.index[each:]] = True
    return out
