"""Rows that a rule of the study file or of the configuration leaves out, one function per rule."""

import numpy as np
import pandas as pd

from turingstats.core.errors import InputError


def find_other_reading(judgments, reading):
    """Rows that belong to the other reading: judges trained here have one of their own in each."""
    return (judgments["reading"].notna() & (judgments["reading"] != reading)).astype(bool)


def drop_fixed_answers(judgments, study):
    """The judgments, without control answers that are a fixed label of the stimulus."""
    fixed = {
        (task, name)
        for task, described in study.tasks.items()
        for name, cohort in described.cohorts.items()
        if cohort.fixed_control
    }
    if not fixed:
        return judgments
    keys = zip(judgments["task"].astype(str), judgments["cohort"].astype(str), strict=True)
    told = [key not in fixed for key in keys]
    return judgments.assign(control_ok=judgments["control_ok"].where(told))


def find_hasty_trials(judgments, limit):
    """Rows of conversations that were judged sooner than they can be read.

    Parameters
    ----------
    judgments : pandas.DataFrame
    limit : ReadingTime
        Words are not known, so that an exchange counts as so many.
    """
    least = 1000 * limit.seconds_per_word * limit.words_per_exchange * judgments["exchanges"]
    return (judgments["rt_ms"] < least).fillna(False).astype(bool)


def find_judges_with_few_trials(judgments, in_time, study, least):
    """Rows of judges of conversations with too few trials that were read, and answered right."""
    trials = keep_one_per_trial(judgments)
    trials = trials[
        (trials["phase"] != "catch") & trials["control_ok"].notna() & trials["exchanges"].notna()
    ]
    good = in_time & judgments["control_ok"].fillna(False).astype(bool)
    number = good[trials.index].groupby(trials["judge"].astype(str)).sum()
    return judgments["judge"].astype(str).isin(number.index[number < least])


def match_filter(judgments, declared):
    """Rows that a declared filter leaves out.

    Parameters
    ----------
    judgments : pandas.DataFrame
        The data contract's table.
    declared : Filter
        Values of a column, or a run: each judge's trials in the order of their position, whether or not
        they are analyzed themselves.

    Raises
    ------
    InputError
        A run is asked for and a trial has no position.
    """

    if declared.column:
        return judgments[declared.column].astype(str).isin(declared.values)
    if judgments["position"].isna().any():
        raise InputError(
            "judgments",
            f"trials without a position cannot be filtered ({declared.reason})",
            column="position",
            value="",
            fix="name the column with the place in the session under columns: position in "
            "data/sources/, or take the filter out of the study file",
        )
    ordered = judgments.sort_values(["judge", "position"], kind="stable")
    alike = (ordered["truth"].astype(str) == declared.truth).astype(int)
    by_judge = alike.groupby(ordered["judge"].astype(str), sort=False)
    before = sum(by_judge.shift(k, fill_value=0) for k in range(1, declared.run + 1))
    return pd.Series(before == declared.run).reindex(judgments.index)


def find_inattentive_judges(judgments, study, reading, counted=True):
    """Rows of judges with too few right control answers, where a cohort declares how many it takes.

    With `counted` false, those on catch trials alone.

    On catch trials the published count runs on from judge to judge, so that whether a judge stays
    depends on those before; the recommended one starts anew with each judge.
    """

    out = set()
    trials = keep_one_per_trial(judgments)
    for (task, cohort), own in trials.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        catch = own["phase"] == "catch"
        if counted and described.min_control_right is not None:
            right, _ = count_right_answers(own[~catch])
            out |= set(right.index[right < described.min_control_right])
        if described.min_catch_control is not None:
            right, asked = count_right_answers(own[catch])
            if reading == "published":
                right, asked = right.cumsum(), asked.cumsum()
            out |= set(right.index[right < described.min_catch_control * asked])
    return pd.Series(judgments["judge"].astype(str).isin(out), index=judgments.index)


def keep_one_per_trial(judgments):
    """One judgment a trial: where both speakers of a conversation are judged, that on A."""
    return judgments[judgments["side"].ne("B").fillna(True).astype(bool)]


def count_right_answers(trials):
    """Right control answers, and control questions, of each judge."""
    right = trials["control_ok"].fillna(False).astype(int)
    by_judge = right.groupby(trials["judge"].astype(str), sort=False)
    return by_judge.sum(), by_judge.size()


def find_failed_control(judgments, right, of):
    """Rows of judges with a smaller share than right/of of right answers over their whole session."""
    answers = judgments["control_ok"].astype("boolean")
    by_judge = answers.groupby(judgments["judge"], observed=True)
    # Whole numbers: a share of just right/of passes.
    return (of * by_judge.transform("sum") < right * by_judge.transform("count")).astype(bool)


def find_repeated_verdicts(judgments, study):
    """Rows that repeat the verdicts of a machine judge run several times on one and the same split.

    The verdicts of a file follow each other in `replicates` equal blocks, of which the first is kept.

    Raises
    ------
    InputError
        The blocks differ, so that they are no repeats.
    """

    out = pd.Series(False, index=judgments.index)
    for task, described in study.tasks.items():
        for name, cohort in described.cohorts.items():
            if cohort.replicates == 1:
                continue
            own = judgments[(judgments["task"] == task) & (judgments["cohort"] == name)]
            own = own.sort_values("trial", kind="stable")
            each, rest = divmod(len(own), cohort.replicates)
            told = own[["agent", "verdict"]].astype(str).to_numpy()
            blocks = [] if rest else np.split(told, cohort.replicates)
            if rest or not all((block == blocks[0]).all() for block in blocks):
                raise InputError(
                    "judgments",
                    f"the verdicts of {task}, {name} are not {cohort.replicates} equal blocks",
                    column="verdict",
                    value=f"{len(own)} verdicts",
                    fix="correct `replicates` of the cohort in the study file",
                )
            out[own.index[each:]] = True
    return out
