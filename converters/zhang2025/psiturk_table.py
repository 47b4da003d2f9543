"""Judgments of conversations in a psiTurk table (CSV), one row per session, its trials in `datastring`.

A session counts if it was finished: in psiTurk's terms completed (status 3), submitted (4), credited (5) or
rewarded (7). Trials of sessions that are not just completed have the defect "other status"; the trials of
unfinished sessions are counted as left out. A session that was restarted holds several runs; the last one,
from the last trial 1 on, counts. Of the columns with identifiers and addresses only the worker id is read, to
identify people who judged before.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd
from pydantic import model_validator

from converters.zhang2025 import conversations, gate, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats, TrialRepeats
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.core.strict_json import parse_json
from turingstats.data import schema

COMPLETED = "3"
FINISHED = (COMPLETED, "4", "5", "7")


class SessionRow(gate.OpenRecord):
    """A row of the table; status 0 to 2 are sessions that were not finished, 6 one that was given up."""

    status: Literal["0", "1", "2", "3", "4", "5", "6", "7"]
    datastring: str
    workerid: gate.Text = ""
    uniqueid: gate.Text = ""


class SessionData(gate.OpenRecord):
    """The JSON of a session."""

    data: list[Any]


class Entry(gate.OpenRecord):
    """What psiTurk recorded at one time."""

    trialdata: dict[str, Any]
    uniqueid: gate.Text = ""


class Phase(gate.OpenRecord):
    """The part of a session that an entry belongs to."""

    phase: Literal["TEST", "INSTRUCTIONS", "prequestionnaire", "postquestionnaire"]
    trial: gate.Position | None = None

    @model_validator(mode="after")
    def check_trial(self) -> Self:
        """Refuse a test trial without its number, and a numbered entry of another phase."""
        if (self.phase == "TEST") != (self.trial is not None):
            raise gate.make_contradiction(
                "test trials are numbered, other entries are not", "trial", self.trial
            )
        return self


class Asked(gate.OpenRecord):
    """A finished session."""

    questiondata: conversations.Questionnaire


class Person(gate.OpenRecord):
    """Who judged."""

    person: gate.Worker


class Session(NamedTuple):
    """A finished session: `row` in the file (the header is row 1), `trials` of its last run."""

    row: str
    status: str
    answers: conversations.Questionnaire
    worker: str | None
    trials: list[Any]


RECORD = conversations.LaterTrial


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments`, without agent, and `judges` from a table of sessions.

    Trials with feedback are training where the cohort's setting is feedback.
    """
    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.make_common_columns(file, study)
    repeats = TrialRepeats(file, path)
    judgments, judges = [], []
    finished, unfinished = read_sessions(file, folder, conversations.choose_trial_model)
    for session, judge_columns, judge in identify_judges(finished, file, common):
        judges.append(judge)
        for data in session.trials:
            row = f"{session.row}, trial {data.trial}"
            phase = "test"
            if isinstance(data, conversations.LabelledTrial):
                problem = "two labels of one conversation"
                repeats.refuse_different(problem, data.stimulus, data.trueLabel, row, "trueLabel")
                if data.isCatch:
                    phase = "catch"
                elif data.hasFeedback and cohort.setting == "feedback":
                    phase = "train"
            shown = judge["judge"], data.stimulus, data.trial, data.rt, data.Aclass
            repeats.refuse_trial(*shown, row=row, phase=phase)
            place = judge_columns | {"trial": data.trial, "position": data.trial, "phase": phase}
            place["defect"] = None if session.status == COMPLETED else "other status"
            judgments += [place | side for side in conversations.make_judgments(data)]
    return records.build_tables(judgments, judges) | {
        "left_out": count_unfinished(unfinished, file, study),
    }


def identify_judges(
    finished: list[Session], file: RawFile, common: dict[str, str]
) -> Iterator[tuple[Session, dict[str, str], dict[str, Any]]]:
    """Yield each session, the columns that all rows of its judge share, and the row of the judges table."""
    for number, session in enumerate(finished, start=1):
        judge_columns = common | {"judge": records.make_pseudonym(file, number)}
        said = session.answers.list_columns()
        yield session, judge_columns, judge_columns | said | {schema.WORKER: session.worker}


def count_unfinished(left: list[int], file: RawFile, study: Study) -> pd.DataFrame:
    """Make a row of the left-out table from the numbers of trials of unfinished sessions."""
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


def read_sessions(
    file: RawFile, folder: str | Path, choose_model: Callable[[list[dict[str, Any]]], type[Any]]
) -> tuple[list[Session], list[int]]:
    """Read the finished sessions of a table, and count the trials of each of the others.

    `choose_model` chooses the model of the trials from all those of finished sessions.
    """
    path = Path(folder) / file.path
    table = records.read_csv_columns(path, ["status", "datastring"], ["workerid", "uniqueid"])
    repeats = Repeats(path)
    found, unfinished = [], []
    for number, cells in enumerate(table.to_dict("records"), start=2):
        where: dict[str, Any] = {"path": path, "row": f"row {number}"}
        row = gate.check_record(SessionRow, cells, **where)
        if row.uniqueid:
            repeats.refuse("one session listed twice", row.uniqueid, row=where["row"])
        text = row.datastring
        session = parse_json(text, path, row=where["row"], column="datastring") if text else None
        trials = [] if session is None else list_last_run(session, row.uniqueid, **where)
        if row.status not in FINISHED:
            unfinished.append(len(trials))
            continue
        if not trials:
            raise InputError(
                path,
                "a finished session without trials",
                row=where["row"],
                column="datastring",
                fix="restore the file from its source",
            )
        found.append((row, session, trials, where))
    if not found:
        raise InputError(
            path,
            "no finished session",
            column="status",
            fix="restore the file from its source",
        )
    model = choose_model([data for _, _, trials, _ in found for data in trials])
    return [check_session(*one, model, file) for one in found], unfinished


def find_worker_id(row: SessionRow, file: RawFile) -> str | None:
    """Find the worker id of a session (`uniqueid` is `worker:assignment`); None if not known."""
    if not file.workers:
        return None
    return row.workerid or (row.uniqueid or "").partition(":")[0] or None


def check_session(
    row: SessionRow,
    session: Any,
    trials: list[dict[str, Any]],
    where: dict[str, Any],
    model: type[Any],
    file: RawFile,
) -> Session:
    """Check a finished session, and that its trials are numbered without a gap."""
    answers = gate.check_record(Asked, session, **where, column="datastring").questiondata
    worker = find_worker_id(row, file)
    if file.workers:
        gate.check_record(Person, {"person": worker}, **where)
    checked = []
    for number, data in enumerate(trials, start=1):
        place = f"{where['row']}, trial {number}"
        trial = gate.check_record(model, data, path=where["path"], row=place)
        if trial.trial != number:
            raise InputError(
                where["path"],
                f"trial {trial.trial} stands where trial {number} belongs",
                row=place,
                column="trial",
                fix="restore the session from its source",
            )
        checked.append(trial)
    if answers.total_trials not in (None, len(checked)):
        raise InputError(
            where["path"],
            f"{len(checked)} trials, but total_trials says {answers.total_trials}",
            row=where["row"],
            column="questiondata.total_trials",
            fix="restore the session from its source",
        )
    return Session(where["row"], row.status, answers, worker, checked)


def list_last_run(session: Any, uniqueid: str, *, path: Path, row: str) -> list[dict[str, Any]]:
    """List the raw test trials of a session, of its last run if there are several.

    Where the table has a `uniqueid`, entries of another session are refused.
    """
    where: dict[str, Any] = {"path": path, "row": row}
    trials: list[dict[str, Any]] = []
    starts: list[int] = []
    data = gate.check_record(SessionData, session, **where, column="datastring").data
    for number, value in enumerate(data):
        column = f"datastring.data[{number}]"
        entry = gate.check_record(Entry, value, **where, column=column)
        if uniqueid and entry.uniqueid not in ("", uniqueid):
            raise records.make_contradiction(
                "an entry of another session than that of the row", column, **where
            )
        place = f"{column}.trialdata"
        phase = gate.check_record(Phase, entry.trialdata, **where, column=place)
        if phase.trial is not None:
            starts += [len(trials)] if phase.trial == 1 else []
            trials.append(entry.trialdata)
    lengths = np.diff([*starts, len(trials)])
    if len(lengths) and lengths[-1] < lengths.max():
        raise InputError(
            path,
            f"the session was restarted, but its last run of {lengths[-1]} trials is not the longest",
            row=row,
            column="datastring.data",
            fix="restore the session from its source",
        )
    return trials[starts[-1] :] if starts else trials
