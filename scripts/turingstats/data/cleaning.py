"""Which judgments are analysed, in each reading, with an account of every row that is not.

The published analysis of the vision tasks used whatever its files held. The recommended one applies
one rule to all cohorts: a trial counts when its control question was answered right, where that is
known; and it counts a verdict once that the source repeats. In the Conversation task both readings go
by the control question, which asks for the topic: judges with too few right answers are left out, and
of the others the trials with a wrong one. Defects of the source that the adapters found are left out
in the readings that the study file names (`defects` of a task), and both leave out what its `filters`
say.
"""

import numpy as np
import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import adapters


def joined(judgments, trained):
    """Put the verdicts of judges trained here below the others.

    Parameters
    ----------
    judgments : pandas.DataFrame
        The data contract's table.
    trained : list of pandas.DataFrame
        The same, of one task each.

    Returns
    -------
    pandas.DataFrame
        In the types of `judgments`. Verdicts of judges trained here have the domain and the topic of
        their stimulus, as the others have, so that conditions apply to them.
    """

    texts = judgments.select_dtypes("category").columns
    trained = [
        described(table.astype(dict.fromkeys(texts, object)), judgments) for table in trained
    ]
    plain = [judgments.astype(dict.fromkeys(texts, object)), *trained]
    return pd.concat(plain, ignore_index=True).astype(dict.fromkeys(texts, "category"))


def described(verdicts, judgments):
    """Fill in what a stimulus is, where the judgments of its task say one and the same of it."""

    place = ["task", "stimulus"]
    keys = pd.MultiIndex.from_frame(verdicts[place].astype(object))
    for column in ("domain", "topic"):
        known = judgments[[*place, column]].dropna().drop_duplicates().astype(object)
        known = known.drop_duplicates(place, keep=False).set_index(place)[column]
        if len(known):
            found = known.reindex(keys).to_numpy()
            verdicts[column] = verdicts[column].where(verdicts[column].notna(), found)
    return verdicts


def exclusions(judgments, study, cleaning, reading, members=None):
    """Say for each judgment why it is left out in a reading.

    Parameters
    ----------
    judgments : pandas.DataFrame
        The data contract's table.
    study : Study
    cleaning : Cleaning
        The recommended reading's filters.
    reading : {"published", "recommended"}
    members : collection of str, optional
        Pseudonyms of the people to keep as judges; by default all. Machine judges always stay.

    Returns
    -------
    pandas.Series of category
        The first reason that applies; empty for a judgment that stays. Categories are in the order of
        the filters.
    """

    codes = np.zeros(len(judgments), dtype=int)
    order = [""]
    judgments = with_answers_that_tell(judgments, study)

    def leave_out(rows, reason):
        codes[(codes == 0) & rows.to_numpy(bool)] = len(order)
        order.append(reason)

    leave_out(of_other_reading(judgments, reading), OTHER)
    leave_out(judgments["phase"] != "test", "not a test trial")
    if members is not None:
        outside = ~judgments["judge"].astype(str).isin(members)
        people = judgments["judge_kind"] == "human"
        leave_out(people & outside, "judge outside the chosen group")
    for task, described in study.tasks.items():
        own = judgments["task"] == task
        for declared in described.filters:
            leave_out(own & filtered(judgments, declared), declared.reason)
        for name, defect in described.defects.items():
            if reading in defect.left_out_in:
                leave_out(own & (judgments["defect"] == name).fillna(False), defect.reason)
    read = cleaning.reading_time
    hasty = read_too_fast(judgments, read) if read else None
    # The least number of conversations read in time takes the place of that of right answers.
    counted = not (read and read.least_trials is not None)
    if not counted:
        few = too_few(judgments, ~hasty, study, read.least_trials)
        leave_out(few, f"judge with less than {read.least_trials} trials read and answered right")
    by_judge = [name for name, task in study.tasks.items() if task.control_pass]
    for name in by_judge:
        right, of = study.tasks[name].control_pass
        failed = failed_control(judgments, right, of) & (judgments["task"] == name)
        leave_out(failed, f"judge with less than {right}/{of} of the control answers right")
    wrong = ~judgments["control_ok"].fillna(True).astype(bool) & ~judgments["task"].isin(by_judge)
    if reading == "published":
        controlled = [name for name, task in study.tasks.items() if task.published_control]
        leave_out(
            inattentive(judgments, study, reading, counted),
            "judge with too few right control answers",
        )
        if not (read and read.keep_wrong_answers):
            leave_out(
                wrong & judgments["task"].isin(controlled), "wrong answer to the control question"
            )
    if read:
        leave_out(hasty, f"read in less than {read.seconds_per_word:g} s a word")
    if reading == "recommended":
        leave_out(repeats(judgments, study), "repeat of an identical verdict at the source")
        if cleaning.exclude_failed_control:
            leave_out(
                inattentive(judgments, study, reading, counted),
                "judge with too few right control answers",
            )
            leave_out(wrong, "wrong answer to the control question")
        if cleaning.min_rt_ms:
            fast = (judgments["rt_ms"] < cleaning.min_rt_ms).fillna(False).astype(bool)
            leave_out(fast, f"verdict faster than {cleaning.min_rt_ms} ms")
        if cleaning.exclude_constant_judges:
            people = judgments["judge_kind"] == "human"
            verdicts = judgments.groupby("judge", observed=True)["verdict"].transform("nunique")
            leave_out(people & (verdicts == 1), "judge gave one verdict on every trial")
    return pd.Series(pd.Categorical.from_codes(codes, order), index=judgments.index)


def with_answers_that_tell(judgments, study):
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


def read_too_fast(judgments, limit):
    """Rows of conversations that were judged sooner than they can be read.

    Parameters
    ----------
    judgments : pandas.DataFrame
    limit : ReadingTime
        Words are not known, so that an exchange counts as so many.
    """
    least = 1000 * limit.seconds_per_word * limit.words_per_exchange * judgments["exchanges"]
    return (judgments["rt_ms"] < least).fillna(False).astype(bool)


def too_few(judgments, in_time, study, least):
    """Rows of judges of conversations with too few trials that were read, and answered right."""
    trials = one_a_trial(judgments)
    trials = trials[
        (trials["phase"] != "catch") & trials["control_ok"].notna() & trials["exchanges"].notna()
    ]
    good = in_time & judgments["control_ok"].fillna(False).astype(bool)
    number = good[trials.index].groupby(trials["judge"].astype(str)).sum()
    return judgments["judge"].astype(str).isin(number.index[number < least])


OTHER = "verdict of the other reading's judge"
UNREAD = "in a file that this source does not hold"
"""Reason for trials shown that are not read, where the study file gives no other one."""


def of_other_reading(judgments, reading):
    """Rows that belong to the other reading: judges trained here have one of their own in each."""
    return (judgments["reading"].notna() & (judgments["reading"] != reading)).astype(bool)


def filtered(judgments, declared):
    """Rows that a declared filter leaves out.

    Parameters
    ----------
    judgments : pandas.DataFrame
        The data contract's table.
    declared : Filter
        Values of a column, or a run: each judge's trials in the order of their position, whether or not
        they are analysed themselves.

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
            remedy="name the column with the place in the session under columns: position in "
            "data/sources/, or take the filter out of the study file",
        )
    ordered = judgments.sort_values(["judge", "position"], kind="stable")
    alike = (ordered["truth"].astype(str) == declared.truth).astype(int)
    by_judge = alike.groupby(ordered["judge"].astype(str), sort=False)
    before = sum(by_judge.shift(k, fill_value=0) for k in range(1, declared.run + 1))
    return pd.Series(before == declared.run).reindex(judgments.index)


def inattentive(judgments, study, reading, counted=True):
    """Rows of judges with too few right control answers, where a cohort declares how many it takes.

    With `counted` false, those on catch trials alone.

    On catch trials the published count runs on from judge to judge, so that whether a judge stays
    depends on those before; the recommended one starts anew with each judge.
    """

    out = set()
    trials = one_a_trial(judgments)
    for (task, cohort), own in trials.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        catch = own["phase"] == "catch"
        if counted and described.min_control_right is not None:
            right, _ = right_answers(own[~catch])
            out |= set(right.index[right < described.min_control_right])
        if described.min_catch_control is not None:
            right, asked = right_answers(own[catch])
            if reading == "published":
                right, asked = right.cumsum(), asked.cumsum()
            out |= set(right.index[right < described.min_catch_control * asked])
    return pd.Series(judgments["judge"].astype(str).isin(out), index=judgments.index)


def one_a_trial(judgments):
    """One judgment a trial: where both speakers of a conversation are judged, that on A."""
    return judgments[judgments["side"].ne("B").fillna(True).astype(bool)]


def right_answers(trials):
    """Right control answers, and control questions, of each judge."""
    right = trials["control_ok"].fillna(False).astype(int)
    by_judge = right.groupby(trials["judge"].astype(str), sort=False)
    return by_judge.sum(), by_judge.size()


def failed_control(judgments, right, of):
    """Rows of judges with a smaller share than right/of of right answers over their whole session."""
    answers = judgments["control_ok"].astype("boolean")
    by_judge = answers.groupby(judgments["judge"], observed=True)
    # Whole numbers: a share of just right/of passes.
    return (of * by_judge.transform("sum") < right * by_judge.transform("count")).astype(bool)


def repeats(judgments, study):
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
                    remedy="correct `replicates` of the cohort in the study file",
                )
            out[own.index[each:]] = True
    return out


def clean(judgments, study, cleaning, members=None):
    """Mark every judgment as kept or left out, in both readings.

    Parameters
    ----------
    judgments : pandas.DataFrame
    study : Study
    cleaning : Cleaning
    members : dict of str to collection of str, optional
        By reading, the people to keep as judges; by default all.

    Returns
    -------
    pandas.DataFrame
        `judgments` with the columns `kept_published` and `kept_recommended`, and the reasons
        `excluded_published` and `excluded_recommended` (empty where kept).
    """
    marked = judgments.copy()
    for reading in study.readings:
        own = None if members is None else members[reading]
        reasons = exclusions(judgments, study, cleaning, reading, own)
        marked[f"kept_{reading}"] = reasons == ""
        marked[f"excluded_{reading}"] = reasons
    return marked


def require_some(marked, study):
    """Say why nothing is analysed, where every judgment is left out in every reading.

    Raises
    ------
    InputError
        With the reasons, by number.
    """
    if any(marked[f"kept_{reading}"].any() for reading in study.readings):
        return
    reasons = marked[f"excluded_{study.readings[0]}"].astype(str).value_counts()
    raise InputError(
        "judgments",
        "there are no judgments left to analyse: "
        + "; ".join(f"{reason} ({number})" for reason, number in reasons.items()),
        remedy="see `filters` of the study file, `cleaning` and `judge_group` of the configuration, and "
        "`phase` of the table",
    )


STEPS = "study task cohort judge reading step reason rows_in excluded rows_out".split()


def account(marked, study, left_out=None, responses=None):
    """Account for every trial, from those shown to those analysed.

    Parameters
    ----------
    marked : pandas.DataFrame
        From `clean`.
    study : Study
        Says how many trials each judge was shown, where that is known.
    left_out : pandas.DataFrame, optional
        Rows of the source that were not read, from `turingstats.data.adapters.read_with_left_out`.
    responses : pandas.DataFrame, optional
        The data contract's table, to account for those that were not read.

    Returns
    -------
    pandas.DataFrame
        One row a step: study, task, cohort, judge ("all" for the cohort), reading, step, reason,
        rows_in, excluded, rows_out. Steps are `source` (trials shown that the source does not hold;
        only where the number shown is known; and rows of the source that were not read, which are
        nobody's but the whole cohort's), then one `filter` for every reason, then `analysed`.
        The cohort of rows whose judges are not known is `turingstats.data.adapters.ALL_ROWS`.
    """

    unread = {}
    for row in [] if left_out is None else left_out.to_dict("records"):
        own = unread.setdefault((row["task"], row["cohort"]), {})
        own[row["reason"]] = own.get(row["reason"], 0) + int(row["rows"])
    rows = []
    reasons = [f"excluded_{reading}" for reading in study.readings]
    marked = marked[["task", "cohort", "judge", "side", "reading", *reasons]]
    # Both judgments of a conversation stay or go together: it is one trial.
    marked = one_a_trial(marked)
    for (task, cohort), trials in marked.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        counted = {reading: reasons_by_judge(trials, reading) for reading in study.readings}
        shown = described.shown_per_judge
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
                if shown is not None:
                    # What the source holds and is not read is not absent from it.
                    absent = max(shown * judges - held - sum(lost.values()), 0)
                    if not lost:
                        absent = shown * judges - held
                    why = described.absent_because or UNREAD * (absent > 0)
                    source.insert(0, ("source", why, absent))
                filters = [("filter", reason, n) for reason, n in reasons.items() if reason and n]
                rows += steps(key | {"reading": reading}, source + filters, reasons.get("", 0))
    for (task, cohort), lost in unread.items():
        kept = 0
        if cohort == adapters.RESPONSES and responses is not None:
            kept = int((responses["task"] == task).sum())
        source = [("source", reason, number) for reason, number in lost.items()]
        for reading in study.readings:
            key = {"study": study.study, "task": task, "cohort": cohort, "judge": "all"}
            rows += steps(key | {"reading": reading}, source, kept)
    return pd.DataFrame(rows, columns=STEPS)


def steps(key, losses, kept):
    """Rows of the account, from all trials to those analysed.

    Parameters
    ----------
    key : dict
        Columns that are the same in all rows.
    losses : list of (step, reason, number)
    kept : int
        Trials that are analysed.
    """
    rows, left = [], kept + sum(number for _, _, number in losses)
    for step, reason, number in [*losses, ("analysed", "", 0)]:
        numbers = {"rows_in": left, "excluded": number, "rows_out": left - number}
        rows.append(key | {"step": step, "reason": reason} | numbers)
        left -= number
    return rows


def reasons_by_judge(trials, reading):
    """Number of trials by reason (empty where kept) of each judge, and of `all` judges together.

    A verdict of the other reading was never a candidate of this one.
    """
    why = ["judge", f"excluded_{reading}"]
    own = trials.loc[~of_other_reading(trials, reading), why]
    if own.empty:
        return {}
    table = own.groupby(why, observed=True).size().unstack(fill_value=0)
    judges, reasons, numbers = ["all", *table.index], list(table), table.to_numpy()
    rows = [numbers.sum(axis=0).tolist(), *numbers.tolist()]
    return {
        judge: dict(zip(reasons, row, strict=True)) for judge, row in zip(judges, rows, strict=True)
    }


def flags(marked):
    """Judges and trials that look careless; marked for the reader, not left out.

    Returns
    -------
    pandas.DataFrame
        study, task, cohort, judge, flag, number, of: people's trials under 200 ms or over 100 s, people
        with one verdict on every trial, and the longest run of one verdict in the file of a machine judge
        that is longer than chance has it once in a thousand such files.
    """

    people = marked[marked["judge_kind"] == "human"]
    fast, slow = people["rt_ms"] < 200, people["rt_ms"] > 100_000
    by_judge = people.assign(fast=fast, slow=slow).groupby(
        ["study", "task", "cohort", "judge"], observed=True
    )
    sums = by_judge[["fast", "slow"]].sum().astype(int)
    sums = sums.assign(of=by_judge.size(), verdicts=by_judge["verdict"].nunique())
    rows = []
    for (study, task, cohort, judge), own in zip(sums.index, sums.to_dict("records"), strict=True):
        found = {
            "one verdict on every trial": own["of"] * (own["verdicts"] == 1),
            "verdict under 200 ms": own["fast"],
            "verdict after more than 100 s": own["slow"],
        }
        rows += [
            {
                "study": study,
                "task": task,
                "cohort": cohort,
                "judge": judge,
                "flag": flag,
                "number": number,
                "of": own["of"],
            }
            for flag, number in found.items()
            if number
        ]
    machines = marked[(marked["judge_kind"] != "human") & marked["reading"].isna()]
    place = ["study", "task", "cohort", "judge"]
    for names, own in machines.groupby(place, observed=True):
        verdicts = own.sort_values("trial", kind="stable")["verdict"].astype(str)
        longest = longest_run(verdicts)
        most = verdicts.value_counts(normalize=True).max()
        # Bound on the chance of a run as long among as many independent verdicts.
        if most < 1 and len(verdicts) * (1 - most) * most**longest < 0.001:
            flag = {"flag": "same verdict in a row", "number": longest, "of": len(verdicts)}
            rows.append(dict(zip(place, names, strict=True)) | flag)
    columns = ["study", "task", "cohort", "judge", "flag", "number", "of"]
    return pd.DataFrame(rows, columns=columns)


def longest_run(values):
    """Length of the longest run of equal values."""
    return int(values.groupby((values != values.shift()).cumsum()).size().max())
