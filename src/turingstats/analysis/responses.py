"""Verdicts by response: who judged each response, and how.

A response is what one agent made for one stimulus, or what was said on one side of a conversation. All
tables here use the recommended reading, in which the sessions of a person are one judge, and each judge's
first verdict on a response.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.data.counts import merge_sessions
from turingstats.data.distinct_values import (
    change_values,
    choose_cells,
    combine_columns,
    fill_column,
)
from turingstats.data.schema import RESULTS, VERDICTS
from turingstats.stats.intervals import wilson

READING = "recommended"
RESPONSE = ["stimulus", "side", "agent"]
UNNAMED = "not computed: the source does not name stimuli"
GAMES = "not computed: each game is a conversation of its own, which one judge saw"
PLACE = ["study", "task", "cohort", "judge_kind"]
NEEDED = [*PLACE, "judge", *RESPONSE, "truth", "verdict", f"kept_{READING}"]
"""Columns of the judgments that are counted here."""


def select_first_verdicts(
    judgments: pd.DataFrame, study: Study, people: dict[str, str] | None = None
) -> pd.DataFrame:
    """Select each judge's first verdict on each response, and all verdicts where no response is named.

    One row per cohort, judge and response, as categories, in the order of the study. `stimulus` is empty
    where the source does not name it and in games of three parties, each of which is a conversation of its
    own; `select_named` leaves these verdicts out.
    """
    table = judgments.loc[judgments[f"kept_{READING}"], NEEDED[:-1]].astype("category")
    table = merge_sessions(table, people)
    table = table.apply(change_values, change=str, missing="").reset_index(drop=True)
    games = [name for name, task in study.tasks.items() if task.design == "three_party"]
    is_game = table["task"].isin(games)
    nameless = fill_column("", table.index)
    table["stimulus"] = choose_cells(is_game, nameless, table["stimulus"])
    judged, _ = combine_columns(table[[*PLACE, "judge", *RESPONSE]])
    again = pd.Series(judged).duplicated()
    cohorts = [
        (task, cohort)
        for task, task_of_study in study.tasks.items()
        for cohort in task_of_study.cohorts
    ]
    codes, pairs = combine_columns(table[["task", "cohort"]])
    ranks = [cohorts.index(place) for place in pairs.itertuples(index=False, name=None)]
    rows = np.flatnonzero(~again | (table["stimulus"] == ""))
    rows = rows[np.argsort(np.array(ranks, int)[codes[rows]], kind="stable")]
    return table.iloc[rows].reset_index(drop=True)


def select_named(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Select the verdicts on stimuli that have a name."""
    return verdicts[verdicts["stimulus"] != ""]


def split_cohorts(
    verdicts: pd.DataFrame, study: Study
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split verdicts by cohort; cohorts without any of their own, as those that pool others, are left out."""
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            of_cohort = (verdicts["task"] == name) & (verdicts["cohort"] == cohort)
            if of_cohort.any() and not described.pools:
                keys = {"study": study.study, "task": name, "cohort": cohort}
                yield keys | {"judge_kind": described.judge_kind}, verdicts[of_cohort]


def count_by_response(verdicts: pd.DataFrame, by: list[str]) -> tuple[np.ndarray, pd.DataFrame]:
    """Count verdicts by response, which the columns `by` identify, in order of appearance.

    Returns the row of the counts that each verdict belongs to, and the counts.
    """
    codes, responses = combine_columns(verdicts[by])
    given = verdicts["verdict"].to_numpy()
    counts = {
        verdict: np.bincount(codes[given == verdict], minlength=len(responses))
        for verdict in VERDICTS
    }
    return codes, responses.astype(object).reset_index(drop=True).assign(**counts)


def tabulate_responses(verdicts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Count the verdicts on each response, one row per cohort and response.

    k of n verdicts were machine, `unsure` more were unsure; share is k / n with its Wilson interval,
    right the share of correct verdicts; both are empty if no one decided.
    """
    _, table = count_by_response(select_named(verdicts), [*PLACE, *RESPONSE, "truth"])
    table = table.rename(columns={"machine": "k"})
    n = table["human"] + table["k"]
    low, high = wilson(table["k"].to_numpy(), n.to_numpy(), level)
    share = table["k"] / n.where(n > 0)
    right = share.where(table["truth"] == "machine", 1 - share)
    # Row by row, an empty table would give columns instead of names.
    return table.assign(
        response_id=[
            ".".join(names)
            for names in table[["task", "cohort", *RESPONSE]].itertuples(index=False, name=None)
        ],
        n_judges=n + table["unsure"],
        n=n,
        share=share,
        ci_low=low,
        ci_high=high,
        right=right,
        unit="verdict",
        method="first verdict per judge; Wilson interval",
        reading=READING,
    )[RESULTS["stimuli"]]
