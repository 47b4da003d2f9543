"""What a judge said before: rows that repeat it do not count, and what differs is noted, in every design."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.study import Task
from turingstats.data.adapters.messages import make_error
from turingstats.data.distinct_values import combine_columns
from turingstats.data.notes import KEPT, describe

ORDER = ("session", "trial", "position", "rt_ms", "rt_s")
"""Columns that distinguish two verdicts of a judge on the same stimulus."""


def find_later_sessions(table: pd.DataFrame, task: Task, path: str | Path) -> pd.Series:
    """Find the rows of all sessions of a judge but the first, where only the first one counts.

    Sessions are ordered by number or date (2024-03-01), else as in the table.
    """
    if "session" not in table or task.sessions == "all":
        return pd.Series(False, table.index)
    session = table["session"].astype(object)
    number = pd.to_numeric(session, errors="coerce")
    if number.notna().sum() < session.notna().sum():
        is_date = session.dropna().str.match(r"\d{4}-\d\d-\d\d").all()
        codes = session.rank(method="dense") if is_date else pd.factorize(session)[0]
        number = pd.Series(codes, table.index, float).where(session.notna())
    verdicts = number.groupby([table["judge"], number], observed=True).size()
    sessions = verdicts.groupby(level=0, observed=True).size()
    if len(verdicts) and verdicts.max() == 1 and sessions.max() > 2:
        raise make_error(path, "session_of_one_trial", row=table.index[0])
    return number > number.groupby(table["judge"], observed=True).transform("min")


def find_repeats(table: pd.DataFrame, task: Task, path: str | Path) -> pd.Series:
    """Find rows that repeat an earlier one, and so would count a verdict twice.

    Without stimuli two verdicts may well look the same, and nothing is a repeat; nor is it in cohorts whose
    source repeats all verdicts (`replicates`).
    """
    repeats = pd.Series(False, table.index)
    if "stimulus" not in table:
        return repeats
    several = [name for name, cohort in task.cohorts.items() if cohort.replicates > 1]
    timed = [name for name in ORDER if name in table]
    is_sought = table["stimulus"].notna() & ~table["cohort"].isin(several)
    # Few rows share all of these, and only they are compared in every column.
    codes, _ = combine_columns(table[["judge", "stimulus", *timed]])
    alike = is_sought & pd.Series(codes, table.index).duplicated(keep=False)
    repeats[alike] = table[alike].duplicated().to_numpy()
    return repeats


def check_repeats(
    responses: pd.DataFrame, said: pd.Series, level: str, of: str, done: str = KEPT
) -> Iterator[dict[str, Any]]:
    """Check what judges said again of the same response: something else, which is of a `level`, or the same.

    `responses` has the judge and all that tells responses apart; `of` names them.
    """
    key_columns = [name for name in ("judge", "stimulus", "first", "second") if name in responses]
    codes, distinct = combine_columns(responses.astype("category"))
    rows = pd.DataFrame({"response": codes, "said": said.astype(str).to_numpy()})
    counts = rows.groupby("response")["said"].agg(["size", "nunique"])
    again, differs = counts["size"] > 1, counts["nunique"] > 1
    for kind, cases, what in (
        (level, again & differs, "said something else"),
        ("note", again & ~differs, "said the same"),
    ):
        if cases.any():
            check = f"judges who judged {of} again {what}"
            yield describe(
                kind, check, distinct.loc[cases.to_numpy(), key_columns], len(responses), done
            )


REPEATED = "repeats an earlier row in every column that is read"
Find = Callable[[pd.DataFrame, Task, str | Path], pd.Series]
REASONS: dict[str, Find] = {
    "a later session of the same judge (see sessions: of the task)": find_later_sessions,
    REPEATED: find_repeats,
}
"""Why rows are left out, and what finds them."""
