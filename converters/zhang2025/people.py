"""Identify the judges of a file of people's judgments, and give them pseudonyms."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from converters.zhang2025 import gate, records, repeats
from converters.zhang2025.gate import Unread
from converters.zhang2025.raw_files import RawFile
from turingstats.core.errors import InputError
from turingstats.data import schema

AGE_BANDS = ("18-20", "21-25", "26-30", "31-35", "36-40", "41-45", "46-50", "51+")
# Two spellings of the same age band, and the open band without its plus sign.
AGE_SPELLINGS = {"45-50": "46-50", "51": "51+"}
SHARED_IDS = {("caption", "inlab"), ("word", "inlab")}
"""Tasks and cohorts whose judges share one id; questionnaire and trial counter distinguish them."""


def spell_age_band(value: Any) -> Any:
    """Spell an age band uniformly; leave other values."""
    return AGE_SPELLINGS.get(value, value) if isinstance(value, str) else value


Gender = Literal["female", "male", "non binary", "non_binary", "other"]
Education = Literal["middle school", "high school", "bachelor", "master", "pg"]


class Answers(gate.Record):
    """A judge's answers about themselves, which every trial repeats."""

    age: Annotated[Literal[AGE_BANDS], BeforeValidator(spell_age_band)]  # type: ignore[valid-type]
    gender: Gender
    education: Education
    native: Unread = None
    country: Unread = None
    engagement: Unread = None
    difficulty: Unread = None
    mode: Unread = None
    condition: Unread = None
    imagetype: Unread = None
    ai_experience: Unread = Field(None, alias="ai-experience")

    def list_columns(self) -> dict[str, str]:
        """List the columns of the judges table that the answers fill."""
        return {"gender": self.gender, "age_band": self.age, "education": self.education}


class JudgedRecord(gate.Record):
    """A record of a trial, with who judged."""

    workerID: gate.Worker
    workerData: Answers
    trialData: Any


class Judges:
    """Pseudonyms and questionnaires of the judges of one file, in order of first appearance.

    Where the judges of a cohort share one id (the test account of the laboratory), a new judge begins when
    the trial counter does not increase. The answers of a judge are the same in all records. `rows` are those
    of the judges table, by worker.
    """

    def __init__(self, file: RawFile, common: dict[str, str], path: Path) -> None:
        self.file, self.common = file, common
        self.rows: dict[Any, dict[str, Any]] = {}
        # Of the last record: who judged with which answers, its position, and its key.
        self.last: tuple[Any, int, str] | None = None
        self.path, self.repeats = path, repeats.Repeats(path)

    def assign_pseudonym(self, record: Any, row: str) -> str:
        """Assign a pseudonym to the judge of a record."""
        worker, answers = record.workerID, record.workerData.list_columns()
        # The first wave of Attention prediction joins the worker and the session by a colon.
        person = worker.partition(":")[0] if self.file.workers else None
        if (self.file.task, self.file.cohort) in SHARED_IDS:
            person, worker = None, self.number_session(record, row)
        self.repeats.refuse_different(
            "questionnaires with different keys",
            "",
            record.workerData.model_fields_set,
            row,
            "workerData",
        )
        self.repeats.refuse_different(
            "two questionnaires of one judge", worker, tuple(answers.values()), row, "workerData"
        )
        if worker not in self.rows:
            name = records.make_pseudonym(self.file, len(self.rows) + 1)
            self.rows[worker] = self.common | {"judge": name, schema.WORKER: person} | answers
        return self.rows[worker]["judge"]

    def number_session(self, record: Any, row: str) -> int:
        """Number the session of a record where judges share an id."""
        judge, position = (record.workerID, record.workerData), record.trialData.trial
        last_judge, last_position, last_row = self.last or (None, position, "")
        goes_on = position > last_position
        if goes_on and judge != last_judge:
            raise InputError(
                self.path,
                f"the id or questionnaire changes within a session, from {last_row} to {row}",
                row=row,
                column="workerData",
                fix=gate.FIX,
            )
        self.last = judge, position, row
        return len(self.rows) + (0 if goes_on else 1)
