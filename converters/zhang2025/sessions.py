"""Tables of psiTurk (`psiturk`): one row per session, its trials in JSON in the column `datastring`.

A session counts if it was finished: in psiTurk's terms completed (status 3), submitted (4), credited (5) or
rewarded (7). Trials of sessions that are not just completed have the defect "other status"; the trials of
unfinished sessions are counted as left out, as are those of workers of MTurk that were not live but tests of
the page. A session that was restarted holds several runs; the last one,
from the last trial 1 on, counts. Of the columns with identifiers and addresses only the worker id is read, to
identify people who judged before.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

import pandas as pd
from pydantic import BeforeValidator, Field, model_validator

from converters.zhang2025 import conversations, psiturk, records, scanpaths, trials
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Record, Source
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE, parse_json
from turingstats.data import schema

LIVE_ONLY = "mturk"


class SessionRow(Record):
    """A row of the table; status 0 to 2 are sessions that were not finished, 6 one that was given up."""

    status: Literal["0", "1", "2", "3", "4", "5", "6", "7"]
    datastring: str
    workerid: str = ""
    uniqueid: str = ""
    mode: str = ""


class Phase(Record):
    """The part of a session that an entry belongs to."""

    phase: Literal["TEST", "INSTRUCTIONS", "prequestionnaire", "postquestionnaire"]
    trial: records.Position | None = None

    @model_validator(mode="after")
    def check_number(self) -> Self:
        """Refuse a test trial without a number, and a number of anything else."""
        if (self.phase == "TEST") != (self.trial is not None):
            raise ValueError("test trials are numbered, other entries are not")
        return self


class Recorded(Record):
    """What psiTurk recorded at one time."""

    trialdata: Phase
    uniqueid: str = ""


class SessionData(Record):
    """The JSON of a session."""

    data: list[Recorded]


class Asked(Record):
    """The JSON of a finished session, of which the judge's answers are read."""

    questiondata: records.Answers


class SessionTrial(conversations.ConversationTrial):
    """A verdict on a conversation."""

    trial: records.Position


class LabelledTrial(SessionTrial):
    """A verdict on a conversation with a label; judges have feedback in some trials."""

    trueLabel: conversations.Label
    isCatch: bool
    hasFeedback: bool


class LaterTrial(LabelledTrial):
    """A trial of 2025, where long conversations are marked."""

    isFixed: bool


class ScanpathTrial(Record):
    """A verdict on eye movements; the folder of `imageID` tells whose they are."""

    trial: records.Position
    rt: records.Milliseconds
    imageID: scanpaths.Address
    verdict: records.Side = Field(alias="choose response")
    truth: records.Side = Field(alias="correct response")
    control_answer: records.Filled = Field(alias="object response")
    control_truth: records.Filled = Field(alias="correct object")


Code = Annotated[
    Literal["0", "1", "2", ""],
    BeforeValidator(lambda code: str(code) if code in (0, 1, 2) else code),
]
"""Truth of a control question (0: the statement is true), or its answer (1: true, 2: false)."""


class PageTrial(Record):
    """A verdict on the page of a response, whose letter tells whose it is."""

    trial: records.Position
    rt: records.Milliseconds
    page_name: Annotated[str, Field(pattern=trials.PAGE)]
    verdict: records.Side = Field(alias="Aclass")
    control_answer: Code = Field("", alias="topic")
    control_truth: Code = Field("", alias="oneWord_curr")

    @property
    def control_ok(self) -> bool | None:
        """Whether the answer to the control question was right; None where there was none."""
        return trials.check_control(self.control_answer, self.control_truth)


class Session(NamedTuple):
    """A finished session: its row in the file (the header is row 1), and the raw trials of its last run."""

    row: str
    is_completed: bool
    worker: str | None
    answers: records.Answers
    trials: list[dict[str, Any]]


Describe = Callable[[Any, Session, str], Iterator[dict[str, Any]]]
"""Yields the columns of the judgments of a trial."""


def read(source: Source) -> records.Tables:
    """Read `judgments` of conversations, without agent, and `judges`.

    Trials with feedback are training where the cohort's setting is feedback.
    """
    setting = source.task.cohorts[source.file.cohort].setting

    def describe(data: Any, session: Session, row: str) -> Iterator[dict[str, Any]]:
        label, phase = getattr(data, "trueLabel", None), "test"
        if label and data.isCatch:
            phase = "catch"
        elif label and data.hasFeedback and setting == "feedback":
            phase = "train"
        defect = None if session.is_completed else "other status"
        for side in conversations.make_judgments(data, label):
            yield {"phase": phase, "defect": defect} | side

    return read_judgments(source, choose_model, describe)


def read_attention(source: Source) -> records.Tables:
    """Read `judgments` of eye movements and `judges`."""

    def describe(data: Any, session: Session, row: str) -> Iterator[dict[str, Any]]:
        agent = scanpaths.identify_agent(source, data.imageID, row)
        place = {"row": row, "column": "correct response", "fix": RESTORE}
        judged: dict[str, Any] = source.check_truth(agent, data.truth, **place)
        judged |= {"verdict": data.verdict, "rt_ms": data.rt}
        judged["control_ok"] = scanpaths.check_answer(data.control_answer, data.control_truth)
        about = scanpaths.describe_address(data.imageID, source.path, row)
        yield {"phase": "test"} | about | judged

    return read_judgments(source, lambda _: ScanpathTrial, describe)


def read_pages(source: Source) -> records.Tables:
    """Read `judgments` of responses that had a page each, and `judges`."""
    known = trials.map_letters(source)

    def describe(data: Any, session: Session, row: str) -> Iterator[dict[str, Any]]:
        stimulus, letter, _ = re.search(trials.PAGE, data.page_name).groups()
        agent = known[source.require(letter, known, row, "page_name")]
        phase = "train" if data.trial <= source.file.training else "test"
        yield {
            "phase": "catch" if agent == trials.CATCH else phase,
            "stimulus": stimulus,
            "agent": agent,
            "truth": "human" if agent == "human" else "machine",
            "verdict": data.verdict,
            "rt_ms": data.rt,
            "control_ok": data.control_ok,
        }

    return read_judgments(source, lambda _: PageTrial, describe)


def read_labels(source: Source) -> records.Tables:
    """Read `stimuli`, truth of each side and variant, from the labels in finished sessions."""
    finished, _ = read_sessions(source)
    labels = {
        (data.stimulus, data.trueLabel)
        for session in finished
        for _, data in check_trials(source, session, LabelledTrial)
    }
    rows = [
        source.place
        | {"stimulus": stimulus, "variant": conversations.VARIANTS[label]}
        | {"side": side, "truth": truth}
        for stimulus, label in sorted(labels)
        for side, truth in zip("AB", conversations.LABELS[label], strict=True)
    ]
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}


def read_judgments(
    source: Source, choose: Callable[[list[dict[str, Any]]], type[Any]], describe: Describe
) -> records.Tables:
    """Read `judgments` and `judges`, and how many trials are left out.

    `choose` chooses the model of all trials.
    """
    file = source.file
    finished, left_out = read_sessions(source)
    model = choose([trial for session in finished for trial in session.trials])
    right, of = file.control_pass or (0, 1)
    for session in finished:
        checked = list(check_trials(source, session, model))
        # Other tables have no control answers of this kind.
        answers = [data.control_ok for _, data in checked] if file.control_pass else []
        answered = [answer for answer in answers if answer is not None]
        if of * sum(answered) < right * len(answered):
            reason = f"with less than {right}/{of} of the control answers right"
            left_out.setdefault(reason, []).append(len(checked))
            continue
        answers_given = session.answers.list_columns() | {schema.WORKER: session.worker}
        judge = source.add_judge(**answers_given)
        for row, data in checked:
            place = judge | {"trial": data.trial, "position": data.trial}
            source.judgments += [place | judged for judged in describe(data, session, row)]
    place = source.place | {"cohort": file.cohort, "file": file.path}
    # Sessions without trials need no row.
    listed = [
        place | {"reason": f"{len(n)} session{'s' * (len(n) > 1)} {reason}", "rows": sum(n)}
        for reason, n in left_out.items()
        if sum(n)
    ]
    lost = pd.DataFrame(listed, columns=list(schema.LEFT_OUT))
    return source.build_tables() | {"left_out": lost}


def choose_model(trials: list[dict[str, Any]]) -> type[SessionTrial]:
    """Choose the model of all raw trials of a table: its richest trial tells which fields all must have."""
    keys = {key for trial in trials for key in trial}
    if keys & {"isFixed", "fixedType"}:
        return LaterTrial
    return LabelledTrial if keys & {"trueLabel", "isCatch", "hasFeedback"} else SessionTrial


def read_sessions(source: Source) -> tuple[list[Session], dict[str, list[int]]]:
    """Read the finished sessions of a table; count the trials of each of the others, by reason."""
    path = source.path
    finished: list[Session] = []
    left_out: dict[str, list[int]] = {}
    for number, cells in psiturk.read_table(path).to_dict("index").items():
        row = f"row {number}"
        given = source.check(SessionRow, cells, row)
        text = given.datastring or '{"data": []}'
        content = parse_json(text, path, row=row, column="datastring")
        shown = list_last_run(source, content, row, given.uniqueid)
        is_test = source.file.workers == LIVE_ONLY and given.mode != "live"
        if is_test or given.status not in psiturk.FINISHED:
            reason = "not live" if is_test else "not finished"
            left_out.setdefault(reason, []).append(len(shown))
            continue
        if not shown:
            problem = "a finished session without trials"
            raise InputError(path, problem, row=row, column="datastring", fix=RESTORE)
        answers = source.check(Asked, content, row, "datastring").questiondata
        worker = find_worker_id(given, source.file)
        finished.append(Session(row, given.status == psiturk.COMPLETED, worker, answers, shown))
    return finished, left_out


def find_worker_id(row: SessionRow, file: RawFile) -> str | None:
    """Find the worker id of a session (`uniqueid` is `worker:assignment`); None if not known."""
    if not file.workers:
        return None
    return row.workerid or row.uniqueid.partition(":")[0] or None


def check_trials(
    source: Source, session: Session, model: type[records.AnyRecord]
) -> Iterator[tuple[str, Any]]:
    """Check the trials of a session, which are numbered without a gap; yield each with its row."""
    for number, given in enumerate(session.trials, start=1):
        row = f"{session.row}, trial {number}"
        trial: Any = source.check(model, given, row)
        if trial.trial != number:
            problem = f"trial {trial.trial} stands where trial {number} belongs"
            raise InputError(source.path, problem, row=row, column="trial", fix=RESTORE)
        yield row, trial


def list_last_run(source: Source, content: Any, row: str, uniqueid: str) -> list[dict[str, Any]]:
    """List the raw test trials of a session, of its last run if there are several."""
    entries = source.check(SessionData, content, row, "datastring").data
    raw = [each["trialdata"] for each in content["data"]]
    tested = [n for n, entry in enumerate(entries) if entry.trialdata.trial is not None]
    starts = [0, *(n for n, at in enumerate(tested) if entries[at].trialdata.trial == 1)]
    lengths = [end - start for start, end in pairwise([*starts, len(tested)])]
    problem, column = "", "datastring.data"
    own = ("", uniqueid)
    others = [n for n, entry in enumerate(entries) if uniqueid and entry.uniqueid not in own]
    if others:
        problem = "an entry of another session: its uniqueid is not that of the row"
        column += f"[{others[0]}]"
    elif lengths[-1] < max(lengths):
        problem = f"the session was restarted, but its last run of {lengths[-1]} trials is not the longest"
    if problem:
        raise InputError(source.path, problem, row=row, column=column, fix=RESTORE)
    return [raw[at] for at in tested[starts[-1] :]]
