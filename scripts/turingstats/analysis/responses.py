"""Verdicts by response: who judged each response, and how.

A response is what one agent made for one stimulus, or what was said on one side of a conversation. All
tables here use the recommended reading, in which the sessions of a person are one judge, and each judge's
first verdict on a response.
"""

import pandas as pd

from turingstats.data.counts import merge_sessions
from turingstats.stats.intervals import wilson

READING = "recommended"
RESPONSE = ["stimulus", "side", "agent"]
UNNAMED = "not computed: the source does not name stimuli"
PLACE = ["study", "task", "cohort", "judge_kind"]
STIMULI = (
    "response_id study task cohort judge_kind stimulus side agent truth n_judges n k unsure share ci_low "
    "ci_high right all_wrong none_wrong unit method reading"
).split()


def select_first_verdicts(judgments, study, people=None):
    """Select each judge's first verdict on each response, and all verdicts on stimuli without a name.

    Parameters
    ----------
    judgments : pandas.DataFrame
        From `turingstats.data.cleaning.mark_exclusions`.
    study : Study
    people : dict of str to str, optional
        From `turingstats.data.counts.map_judges_to_people`.

    Returns
    -------
    pandas.DataFrame
        One row per cohort, judge and response, as text: the columns `PLACE`, judge, those of `RESPONSE`,
        truth and verdict, in the order of the study. `stimulus` is empty where the source does not name
        it; `select_named` leaves these verdicts out.
    """
    kept = judgments[judgments[f"kept_{READING}"]]
    if people:
        kept = merge_sessions(kept, people)
    table = kept[[*PLACE, "judge", *RESPONSE, "truth", "verdict"]].astype("string").fillna("")
    table = table.astype(object)
    again = table.duplicated([*PLACE, "judge", *RESPONSE])
    table = table[~again | (table["stimulus"] == "")]
    order = {
        (task, cohort): number
        for number, (task, cohort) in enumerate(
            (task, cohort) for task, own in study.tasks.items() for cohort in own.cohorts
        )
    }
    ranks = pd.Series(
        [order[pair] for pair in zip(table["task"], table["cohort"], strict=True)],
        index=table.index,
        dtype=int,
    )
    return table.loc[ranks.sort_values(kind="stable").index].reset_index(drop=True)


def select_named(verdicts):
    """Select the verdicts on stimuli that have a name."""
    return verdicts[verdicts["stimulus"] != ""]


def list_cohorts(study):
    """List the cohorts with verdicts of their own, which those that pool others lack.

    Returns
    -------
    list of dict
        study, task, cohort, judge_kind.
    """
    return [
        {"study": study.study, "task": name, "cohort": cohort, "judge_kind": described.judge_kind}
        for name, task in study.tasks.items()
        for cohort, described in task.cohorts.items()
        if not described.pools
    ]


def split_cohorts(verdicts, study):
    """Split verdicts by cohort; cohorts without any are left out.

    Yields
    ------
    place : dict
        From `list_cohorts`.
    own : pandas.DataFrame
    """
    parts = dict(iter(verdicts.groupby(["task", "cohort"], sort=False)))
    for place in list_cohorts(study):
        own = parts.get((place["task"], place["cohort"]))
        if own is not None:
            yield place, own


def tabulate_responses(verdicts, level):
    """Count the verdicts on each response.

    Parameters
    ----------
    verdicts : pandas.DataFrame
        From `select_first_verdicts`.
    level : float
        Confidence level.

    Returns
    -------
    pandas.DataFrame
        Columns `STIMULI`, one row per cohort and response: k of n verdicts were machine, `unsure` more
        were unsure; share is k / n with its Wilson interval, right the share of correct verdicts.
        all_wrong and none_wrong are True or False, and empty if no one decided.
    """
    by = [*PLACE, *RESPONSE, "truth"]
    verdicts = select_named(verdicts)
    table = (
        verdicts[by]
        .assign(
            n_judges=1,
            k=(verdicts["verdict"] == "machine").astype(int),
            unsure=(verdicts["verdict"] == "unsure").astype(int),
        )
        .groupby(by, sort=False)
        .sum()
        .reset_index()
    )
    n = table["n_judges"] - table["unsure"]
    low, high = wilson(table["k"].to_numpy(), n.to_numpy(), level)
    share = table["k"] / n.where(n > 0)
    right = share.where(table["truth"] == "machine", 1 - share)
    # Row by row, an empty table would give columns instead of names.
    return table.assign(
        response_id=[
            ".".join(names)
            for names in table[["task", "cohort", *RESPONSE]].itertuples(index=False, name=None)
        ],
        n=n,
        share=share,
        ci_low=low,
        ci_high=high,
        right=right,
        all_wrong=(right == 0).astype(object).where(n > 0),
        none_wrong=(right == 1).astype(object).where(n > 0),
        unit="verdict",
        method="first verdict per judge; Wilson interval",
        reading=READING,
    )[STIMULI]
