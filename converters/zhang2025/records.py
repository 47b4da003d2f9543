"""Raw records: loaded, checked against a model before anything is read of them, and made parts of tables.

A commit pins the raw files, so that a model says only what is read of a record: other keys are ignored, among
them all that identify people and machines. A value that a model does not allow is an `InputError` with
file, record, key and value. Types are strict: "4" and 4.0 are not 4.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import pandas as pd
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE, read_json
from turingstats.data import schema

EXTEND = "correct the record, or extend the vocabulary if the value is legitimate"
PRIVATE = ("workerID", "workerid", "uniqueid")
"""Keys whose values never appear in a message."""
SIDES = {"ai": "machine", "h": "human"}
"""Other spellings of a side in raw answers."""
AGE_BANDS = ("18-20", "21-25", "26-30", "31-35", "36-40", "41-45", "46-50", "51+")
SHOWN = 60
"""Characters of a value in a message."""
Tables = dict[str, pd.DataFrame]
"""Tables of the data contract by name, as far as a raw file fills them."""


class Record(BaseModel):
    """What is read of a record of a raw file."""

    model_config = ConfigDict(strict=True, frozen=True)


AnyRecord = TypeVar("AnyRecord", bound=BaseModel)


def spell_side(value: Any) -> Any:
    """Spell human or machine as in the data contract; leave other values."""
    text = value.strip().lower() if isinstance(value, str) else value
    return SIDES.get(text, text) if isinstance(text, str) else text


def spell_age_band(value: Any) -> Any:
    """Spell an age band as in the data contract, where all above 50 are one; leave other values."""
    if isinstance(value, str) and re.fullmatch(r"(5[1-9]|[6-9][0-9])(-[0-9]{2}|\+)?", value):
        return AGE_BANDS[-1]
    return "46-50" if value == "45-50" else value


Filled = Annotated[str, Field(pattern=r"\S")]
"""A text that is not blank."""
Side = Annotated[Literal["human", "machine"], BeforeValidator(spell_side)]
Position = Annotated[int, Field(ge=1, le=1000)]
"""Place of a trial in a session."""
Milliseconds = Annotated[int, Field(ge=0, le=24 * 60 * 60 * 1000)]
"""Time to a verdict. The longest in the public files is 2 h 21 min."""


class Answers(Record):
    """A judge's answers about themselves."""

    age: Annotated[Literal[AGE_BANDS], BeforeValidator(spell_age_band)]  # type: ignore[valid-type]
    gender: Literal["female", "male", "non binary", "non_binary", "other"]
    education: Literal["middle school", "high school", "bachelor", "master", "pg"]

    def list_columns(self) -> dict[str, str]:
        """List the columns of the judges table that the answers fill."""
        return {"gender": self.gender, "age_band": self.age, "education": self.education}


class Author(Record):
    """Who made a response: nothing in `machine_groundtruth` means a person."""

    groundtruth: Side
    machine_groundtruth: str


class Judged(Author):
    """A verdict on a response."""

    response_speaker: Side


class Source:
    """A raw file, and the judgments and judges that are read of it."""

    def __init__(self, file: RawFile, folder: str | Path, study: Study) -> None:
        self.file, self.folder, self.study = file, Path(folder), study
        self.task = study.tasks[file.task]
        self.place = {"study": study.study, "task": file.task}
        self.agents = map_agent_names(study)
        self.judgments: list[dict[str, Any]] = []
        self.judges: list[dict[str, Any]] = []

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / self.file.path

    def replace(self, **keys: Any) -> "Source":
        """Take another file, or part of one, of which nothing has been read."""
        return Source(self.file.model_copy(update=keys), self.folder, self.study)

    def check(self, model: type[AnyRecord], value: Any, row: str, column: str = "") -> AnyRecord:
        """Check a record, or the part of it at `column`; an error names the first wrong key."""
        try:
            return model.model_validate(value)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
        keys = [part for part in (column, *map(str, fault["loc"])) if part]
        raw = fault["input"]
        hidden = isinstance(raw, dict | list) or not {*keys}.isdisjoint(PRIVATE)
        place = {"row": row, "column": ".".join(keys) or None}
        place["value"] = None if hidden else str(raw)[:SHOWN]
        fix = EXTEND if fault["type"] == "literal_error" else RESTORE
        raise InputError(self.path, fault["msg"], **place, fix=fix)

    def load(self, form: str, example: str) -> Iterator[tuple[str, Any]]:
        """Yield key and value of the records of a JSON file, from under `file.key` if it has one.

        `form` is a regular expression of the keys, and `example` one of them.
        """
        content, key = read_json(self.path), self.file.key
        if key is not None and isinstance(content, dict):
            content = content.get(key)
        if not isinstance(content, dict) or not content:
            raise InputError(self.path, "no records", row=key, fix=RESTORE)
        for row, value in content.items():
            if not re.fullmatch(form, row):
                where = {"row": row[:SHOWN], "allowed": [f"keys like {example}"], "fix": RESTORE}
                raise InputError(self.path, "a record whose key has another form", **where)
            yield row, value

    def require(self, value: str, allowed: Collection[str], row: str, column: str) -> str:
        """Return `value` in lower case if it is allowed; otherwise raise `InputError`."""
        text = value.strip().lower()
        if text not in allowed:
            problem = "a value outside the vocabulary of its field"
            where = {"row": row, "column": column, "value": value[:SHOWN]}
            raise InputError(self.path, problem, **where, allowed=allowed, fix=EXTEND)
        return text

    def find_author(self, data: Author, row: str) -> dict[str, str]:
        """Find who made a response, `agent` and `truth`, and check it against the stated ground truth."""
        raw = data.machine_groundtruth
        agent = self.agents[self.require(raw, self.agents, row, "machine_groundtruth")]
        place = {"row": row, "column": "machine_groundtruth", "value": raw}
        return self.check_truth(agent, data.groundtruth, **place)

    def check_truth(self, agent: str, truth: str, **place: Any) -> dict[str, str]:
        """Check the agent of a response against the stated ground truth, and return both."""
        if (agent == "human") != (truth == "human"):
            raise InputError(
                self.path, f"the ground truth is {truth} but the agent is {agent}", **place
            )
        return {"agent": agent, "truth": truth}

    def name_judge(self, number: int) -> dict[str, str]:
        """Name the `number`-th judge of the cohort, from 1, with the columns that all share."""
        file = self.file
        variant = f"{file.variant.replace(' ', '-')}." if file.variant else ""
        kind = self.task.cohorts[file.cohort].judge_kind
        judge = f"{file.task}.{file.cohort}.{variant}w{number:03d}"
        return self.place | {"cohort": file.cohort, "judge_kind": kind, "judge": judge}

    def add_judge(self, **answers: Any) -> dict[str, str]:
        """Add the next judge, with answers about themselves; return the columns that name the judge."""
        judge = self.name_judge(len(self.judges) + 1)
        self.judges.append(judge | answers)
        return judge

    def build_tables(self) -> Tables:
        """Build the tables of judgments and judges from their rows."""
        # Ids of workers identify people who judged in several files, and are dropped when tables are joined.
        workers = [schema.WORKER] if self.judges and schema.WORKER in self.judges[0] else []
        return {
            "judgments": pd.DataFrame(self.judgments, columns=list(schema.JUDGMENTS)),
            "judges": pd.DataFrame(self.judges, columns=[*schema.JUDGES, *workers]),
        }


def map_agent_names(study: Study) -> dict[str, str]:
    """Map raw agent names, in lower case, to canonical ids; the raw name of people is empty."""
    names = {"": "human", "human": "human"}
    for agent, described in study.agents.items():
        for name in (agent, described.label, *described.aliases):
            names[name.lower()] = agent
    return names
