"""Select the judgments to analyze in each reading, and record why each other row is left out.

The published analysis of the vision tasks used all trials in its files. The recommended one applies
one rule to all cohorts: a trial counts if its control question was answered correctly, where that is
known; and a verdict that the source repeats counts once. In the Conversation task both readings use
the control question, which asks for the topic: judges with too few correct answers are left out, and
so are the trials of other judges with a wrong answer. Defects of the source that the adapters found are
left out in the readings that the study file names (`defects` of a task), and both readings apply its
`filters`.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from turingstats.config.settings import Cleaning
from turingstats.config.study import Filter, Study, Task
from turingstats.core.errors import InputError
from turingstats.data.distinct_values import encode_values, sort_categories, stack_tables

OTHER = "verdict of the other reading's judge"
WRONG_ANSWER = "wrong answer to the control question"
INATTENTIVE = "judge with too few right control answers"
UNKNOWN_TRUTH = "no file says who was judged"


def append_judged_here(
    judgments: pd.DataFrame, trained: pd.DataFrame | None, asked: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Append the verdicts of judges trained here, and of language models asked here, to the others."""
    texts = list(judgments.select_dtypes("category"))
    tables = [judgments]
    for table in (trained, asked):
        if table is not None:
            plain = table.reindex(columns=judgments.columns).astype(dict.fromkeys(texts, object))
            filled = fill_in_stimuli(plain, judgments)
            tables.append(filled.assign(**{name: encode_values(filled[name]) for name in texts}))
    if len(tables) == 1:
        return judgments
    return sort_categories(stack_tables(tables).reset_index(drop=True))


def fill_in_stimuli(verdicts: pd.DataFrame, judgments: pd.DataFrame) -> pd.DataFrame:
    """Fill in the domain and topic of a stimulus, where the judgments of its task agree on it."""
    place = ["task", "stimulus"]
    keys = pd.MultiIndex.from_frame(verdicts[place].astype(object))
    for column in ("domain", "topic"):
        known = judgments[[*place, column]].dropna().drop_duplicates().astype(object)
        known = known.drop_duplicates(place, keep=False).set_index(place)[column]
        if len(known):
            filled = known.reindex(keys).to_numpy()
            verdicts[column] = verdicts[column].where(verdicts[column].notna(), filled)
    return verdicts


def find_exclusions(
    judgments: pd.DataFrame, study: Study, cleaning: Cleaning, reading: str
) -> pd.Series:
    """Find for each judgment why it is left out in a reading: the first reason that holds."""
    codes = np.zeros(len(judgments), dtype=int)
    order = [""]
    for rows, reason in list_exclusions(judgments, study, cleaning, reading):
        codes[(codes == 0) & rows.to_numpy(bool)] = len(order)
        order.append(reason)
    return pd.Series(pd.Categorical.from_codes(codes, order), index=judgments.index)


def list_exclusions(
    judgments: pd.DataFrame, study: Study, cleaning: Cleaning, reading: str
) -> Iterator[tuple[pd.Series, str]]:
    """List the rows that are left out in a reading, and why, in the order in which reasons are tried."""
    # A fixed label of the stimulus is no control answer.
    is_fixed = match_cohorts(judgments, study, lambda task, name: task.cohorts[name].fixed_control)
    judgments = judgments.assign(control_ok=judgments["control_ok"].where(~is_fixed))
    yield find_other_reading(judgments, reading), OTHER
    # Not before: their control questions count for the judge.
    yield judgments["truth"].isna(), UNKNOWN_TRUTH
    yield judgments["phase"] != "test", "not a test trial"
    for task, described in study.tasks.items():
        in_task = judgments["task"] == task
        for declared in described.filters:
            yield in_task & match_filter(judgments, declared), declared.reason
        for name, defect in described.defects.items():
            if reading in defect.left_out_in:
                yield in_task & (judgments["defect"] == name).fillna(False), defect.reason
    by_judge = {name: task.control_pass for name, task in study.tasks.items() if task.control_pass}
    for task, (right, of) in by_judge.items():
        failed = find_failed_control(judgments, right, of) & (judgments["task"] == task)
        yield failed, f"judge with less than {right}/{of} of the control answers right"
    wrong = ~judgments["control_ok"].fillna(True).astype(bool) & ~judgments["task"].isin(by_judge)
    if reading == "published":
        yield find_inattentive_judges(judgments, study, reading), INATTENTIVE
        used = match_cohorts(judgments, study, lambda task, name: name in task.published_control)
        yield wrong & used, WRONG_ANSWER
    if reading == "recommended":
        repeated = find_repeated_verdicts(judgments, study)
        yield repeated, "repeat of an identical verdict at the source"
        if cleaning.exclude_failed_control:
            yield find_inattentive_judges(judgments, study, reading), INATTENTIVE
            yield wrong, WRONG_ANSWER
        if cleaning.min_rt_ms:
            fast = (judgments["rt_ms"] < cleaning.min_rt_ms).fillna(False).astype(bool)
            yield fast, f"verdict faster than {cleaning.min_rt_ms} ms"


def mark_exclusions(judgments: pd.DataFrame, study: Study, cleaning: Cleaning) -> pd.DataFrame:
    """Mark every judgment as kept or left out, in both readings."""
    marks = {}
    for reading in study.readings:
        reasons = find_exclusions(judgments, study, cleaning, reading)
        marks |= {f"kept_{reading}": reasons == "", f"excluded_{reading}": reasons}
    return judgments.assign(**marks)


def clean_judgments(judgments: pd.DataFrame, study: Study, cleaning: Cleaning) -> pd.DataFrame:
    """Mark every judgment as kept or left out; that none is kept is an error."""
    marked = mark_exclusions(judgments, study, cleaning)
    if any(marked[f"kept_{reading}"].any() for reading in study.readings):
        return marked
    reasons = marked[f"excluded_{study.readings[0]}"].astype(str).value_counts()
    raise InputError(
        "judgments",
        "there are no judgments left to analyze: "
        + "; ".join(f"{reason} ({number})" for reason, number in reasons.items()),
        fix="see `filters` of the study file, `cleaning` of the configuration, and `phase` of the table",
    )


# --- rules, one function each -------------------------------------------------------------------


def find_other_reading(judgments: pd.DataFrame, reading: str) -> pd.Series:
    """Find the rows that belong to the other reading: judges trained here differ between readings."""
    return (judgments["reading"].notna() & (judgments["reading"] != reading)).astype(bool)


def match_cohorts(
    judgments: pd.DataFrame, study: Study, test: Callable[[Task, str], bool]
) -> np.ndarray:
    """Find the rows of cohorts that pass a test of their task and name; array of bool, shape (rows,)."""
    rows = np.zeros(len(judgments), bool)
    for name, task in study.tasks.items():
        wanted = [cohort for cohort in task.cohorts if test(task, cohort)]
        in_task = judgments["task"] == name
        rows |= (in_task & judgments["cohort"].isin(wanted)).to_numpy(bool)
    return rows


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
    by_judge = matches.groupby(ordered["judge"].astype(str))
    run = declared.run or 0
    before = sum(by_judge.shift(k, fill_value=0) for k in range(1, run + 1))
    return pd.Series(before == run).reindex(judgments.index)


def find_inattentive_judges(judgments: pd.DataFrame, study: Study, reading: str) -> pd.Series:
    """Find rows of judges with too few correct control answers, where a cohort declares a minimum.

    On catch trials the published count accumulates from judge to judge; the recommended one starts again
    with each judge.
    """
    out, needed = set(), ["task", "cohort", "judge", "phase", "side", "control_ok"]
    trials = keep_one_per_trial(judgments[needed])
    for (task, cohort), cohort_trials in trials.groupby(["task", "cohort"]):
        described = study.tasks[task].cohorts[cohort]
        catch = cohort_trials["phase"] == "catch"
        if described.min_control_right is not None:
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
    by_judge = answers.groupby(judgments["judge"])
    # Integer arithmetic, so that a share of exactly right/of passes.
    return (of * by_judge.transform("sum") < right * by_judge.transform("count")).astype(bool)


def find_repeated_verdicts(judgments: pd.DataFrame, study: Study) -> pd.Series:
    """Find rows that repeat the verdicts of a machine judge run several times on the same split.

    The verdicts of a file are `replicates` identical blocks in sequence; the first one is kept.
    """
    out = pd.Series(False, index=judgments.index)
    for task, described in study.tasks.items():
        several = [key for key, cohort in described.cohorts.items() if cohort.replicates > 1]
        for name in several:
            cohort = described.cohorts[name]
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
