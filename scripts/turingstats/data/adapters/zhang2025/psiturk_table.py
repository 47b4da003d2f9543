"""Judgments of conversations in a psiTurk table (CSV), one row per session, its trials in `datastring`.

A session counts if it was finished: in psiTurk's terms completed (status 3), submitted (4) or credited
(5). Trials of submitted and credited sessions have the defect "other status"; the trials of unfinished
sessions are counted as left out. A session that was restarted holds several runs; the last one, from the
last trial 1 on, counts. Of the columns with identifiers and addresses only the worker id is read, to
identify people who judged before.
"""

import json
from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import persons, records
from turingstats.data.adapters.zhang2025 import conversations

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

    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.make_common_columns(file, study)
    judgments, judges = [], []
    finished, unfinished = read_sessions(file, folder)
    for row, status, session, worker in finished:
        judge_columns = common | {"judge": records.make_pseudonym(file, len(judges) + 1)}
        answers = records.require_field(session, "questiondata", path=path, row=row)
        said = conversations.read_questionnaire(answers, path=path, row=row)
        judges.append(judge_columns | said | {schema.WORKER: worker})
        for position, data in enumerate(list_session_trials(session, path=path, row=row), start=1):
            where = {"path": path, "row": f"{row}, trial {position}"}
            if data.get("isCatch"):
                phase = "catch"
            elif data.get("hasFeedback") and cohort.setting == "feedback":
                phase = "train"
            else:
                phase = "test"
            place = judge_columns | {"trial": position, "position": position, "phase": phase}
            place["defect"] = None if status == COMPLETED else "other status"
            judgments += [place | side for side in conversations.extract_judgments(data, **where)]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=[*schema.JUDGES, schema.WORKER]),
        "left_out": count_unfinished(unfinished, file, study),
    }


def count_unfinished(left, file, study):
    """Count the trials of unfinished sessions as a row of the left-out table.

    Parameters
    ----------
    left : list of int
        Number of trials of each session.
    """

    counted = {
        "study": study.study,
        "task": file.task,
        "cohort": file.cohort,
        "file": file.path,
        "reason": f"{len(left)} session{'s' * (len(left) > 1)} not finished",
        "rows": sum(left),
    }
    # Sessions without trials need no row.
    return pd.DataFrame([counted] if sum(left) else [], columns=list(counted))


def read_sessions(file, folder):
    """Read the finished sessions of a table, and count the trials of each of the others.

    Returns
    -------
    finished : list of tuple
        (row, status, session, worker); the header is row 1. The worker is None where the sources file
        does not say whose ids they are.
    left : list of int
        Number of trials of each unfinished session.

    Raises
    ------
    InputError
        The file is missing or truncated, lacks a column, or holds no finished session.
    """
    path = Path(folder) / file.path
    table = records.read_csv_columns(path, ["status", "datastring"], ["workerid", "uniqueid"])
    found, unfinished = [], []
    for number, cells in enumerate(table.to_dict("records"), start=2):
        status, text = cells["status"], cells["datastring"]
        row = f"row {number}"
        state = records.parse_whole_number(status, path=path, row=row, column="status")
        try:
            session = json.loads(text) if text else None
            if state is None or state < COMPLETED or session is None:
                unfinished.append(
                    len(list_session_trials(session, path=path, row=row)) if session else 0
                )
            else:
                found.append((row, state, session, persons.find_worker_id(cells, file)))
        except json.JSONDecodeError as error:
            raise InputError(
                path,
                f"not valid JSON ({error}); the file may be cut short",
                row=row,
                column="datastring",
                fix="restore the file from its source",
            ) from None
    if not found:
        raise InputError(
            path,
            "no finished session",
            column="status",
            fix="restore the file from its source",
        )
    return found, unfinished


def list_session_trials(session, *, path, row):
    """List the test trials of a session, of its last run if there are several."""
    entries = records.require_field(session, "data", path=path, row=row)
    data_of_entries = [
        records.require_field(entry, "trialdata", path=path, row=row) for entry in entries
    ]
    trials = [
        data for data in data_of_entries if isinstance(data, dict) and data.get("phase") == "TEST"
    ]
    starts = [i for i, data in enumerate(trials) if data.get("trial") == 1]
    return trials[starts[-1] :] if starts else trials
