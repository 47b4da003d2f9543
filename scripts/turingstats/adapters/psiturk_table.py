"""Judgments of conversations in a table of psiTurk (CSV), a row a session, its trials in `datastring`.

A session counts when it was finished (status 3 or more). Who began twice in one session has both runs
in it; the last one, from the last trial 1 on, counts. Of the columns with
identifiers and addresses only that of the worker is read, to tell who judged before.
"""

import json
from pathlib import Path

from turingstats import schema
from turingstats.adapters import conversations, persons, records
from turingstats.errors import InputError

FINISHED = 3


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
    for row, session, worker in sessions(file, folder):
        own = common | {"judge": records.pseudonym(file, len(judges) + 1)}
        answers = records.field(session, "questiondata", path=path, row=row)
        said = conversations.questionnaire(answers, path=path, row=row)
        judges.append(own | said | {schema.WORKER: worker})
        for position, data in enumerate(trials_of(session, path=path, row=row), start=1):
            where = {"path": path, "row": f"{row}, trial {position}"}
            if data.get("isCatch"):
                phase = "catch"
            elif data.get("hasFeedback") and cohort.setting == "feedback":
                phase = "train"
            else:
                phase = "test"
            place = own | {"trial": position, "position": position, "phase": phase}
            judgments += [place | side for side in conversations.judgments_of(data, **where)]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=[*schema.JUDGES, schema.WORKER]),
    }


def sessions(file, folder):
    """Finished sessions of a table, as (row, session, worker); rows count from the one of names, 1.

    The worker is None where the sources file does not say whose ids they are.

    Raises
    ------
    InputError
        A file that is gone or cut short, lacks a column, or holds no finished session.
    """
    path = Path(folder) / file.path
    table = records.table(path, ["status", "datastring"], ["workerid", "uniqueid"])
    found = []
    for number, cells in enumerate(table.to_dict("records"), start=2):
        status, text = cells["status"], cells["datastring"]
        row = f"row {number}"
        state = records.whole_number(status, path=path, row=row, column="status")
        if state is None or state < FINISHED or not text:
            continue
        try:
            found.append((row, json.loads(text), persons.worker_of(cells, file)))
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
    return found


def trials_of(session, *, path, row):
    """The test trials of a session, of its last run if there are several."""
    entries = records.field(session, "data", path=path, row=row)
    told = [records.field(entry, "trialdata", path=path, row=row) for entry in entries]
    trials = [data for data in told if isinstance(data, dict) and data.get("phase") == "TEST"]
    starts = [i for i, data in enumerate(trials) if data.get("trial") == 1]
    return trials[starts[-1] :] if starts else trials
