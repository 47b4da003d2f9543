"""Judgments of conversations in a table of psiTurk (CSV), a row a session, its trials in `datastring`.

A session counts when it was finished: in psiTurk's terms completed (status 3), submitted (4) or credited
(5). Trials of one in another state than completed have the defect "other status"; sessions that were
not finished are counted in the log of the run. Who began twice in one session has both runs in it; the
last one, from the last trial 1 on, counts. Every column with an identifier or an address is left
unread.
"""

import json
from pathlib import Path

from turingstats import schema
from turingstats.adapters import conversations, records
from turingstats.errors import InputError

COMPLETED = 3


def read(file, folder, study):
    """Read a table of sessions.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` (without agent; without truth where the trials have no label) and `judges`. Trials
        with feedback are training where the cohort's setting is feedback.
    """
    import pandas as pd

    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.place(file, study)
    judgments, judges = [], []
    finished, left = sessions(file, folder)
    if left:
        print(
            f"{file.path}: sessions not finished and left out: {len(left)}, with {sum(left)} trials; "
            f"finished: {len(finished)}"
        )
    for row, status, session in finished:
        own = common | {"judge": records.pseudonym(file, len(judges) + 1)}
        answers = records.field(session, "questiondata", path=path, row=row)
        judges.append(own | conversations.questionnaire(answers, path=path, row=row))
        for position, data in enumerate(trials_of(session, path=path, row=row), start=1):
            where = {"path": path, "row": f"{row}, trial {position}"}
            if data.get("isCatch"):
                phase = "catch"
            elif data.get("hasFeedback") and cohort.setting == "feedback":
                phase = "train"
            else:
                phase = "test"
            place = own | {"trial": position, "position": position, "phase": phase}
            place["defect"] = None if status == COMPLETED else "other status"
            judgments += [place | side for side in conversations.judgments_of(data, **where)]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=list(schema.JUDGES)),
    }


def sessions(file, folder):
    """Finished sessions of a table, and how many trials each of the others has.

    Returns
    -------
    finished : list of tuple
        (row, status, session); rows count from the one of names, 1.
    left : list of int
        Trials of each session that was not finished.

    Raises
    ------
    InputError
        A file that is gone or cut short, lacks a column, or holds no finished session.
    """
    path = Path(folder) / file.path
    table = records.table(path, ["status", "datastring"])
    found, left = [], []
    for number, (status, text) in enumerate(table.itertuples(index=False), start=2):
        row = f"row {number}"
        state = records.whole_number(status, path=path, row=row, column="status")
        try:
            session = json.loads(text) if text else None
            if state is None or state < COMPLETED or session is None:
                left.append(len(trials_of(session, path=path, row=row)) if session else 0)
            else:
                found.append((row, state, session))
        except json.JSONDecodeError as error:
            raise InputError(
                path,
                f"not valid JSON ({error}); the file may be cut short",
                row=row,
                column="datastring",
                remedy="restore the file from its source",
            ) from None
    if not found:
        raise InputError(
            path,
            "no finished session",
            column="status",
            remedy="restore the file from its source",
        )
    return found, left


def trials_of(session, *, path, row):
    """The test trials of a session, of its last run if there are several."""
    entries = records.field(session, "data", path=path, row=row)
    told = [records.field(entry, "trialdata", path=path, row=row) for entry in entries]
    trials = [data for data in told if isinstance(data, dict) and data.get("phase") == "TEST"]
    starts = [i for i, data in enumerate(trials) if data.get("trial") == 1]
    return trials[starts[-1] :] if starts else trials
