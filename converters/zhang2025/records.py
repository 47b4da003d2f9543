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


AnyRecord = TypeVar("AnyRecord", bound=Record)


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


def check_record(
    model: type[AnyRecord], value: Any, path: Path, row: str, column: str = ""
) -> AnyRecord:
    """Check a record, or the part of it at `column`; the error names the first key that is not allowed."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    keys = [part for part in (column, *map(str, fault["loc"])) if part]
    found = fault["input"]
    hidden = isinstance(found, dict | list) or not {*keys}.isdisjoint(PRIVATE)
    raise InputError(
        path,
        fault["msg"],
        row=row,
        column=".".join(keys) or None,
        value=None if hidden else str(found)[:SHOWN],
        fix=EXTEND if fault["type"] == "literal_error" else RESTORE,
    )


def load_records(
    file: RawFile, folder: str | Path, form: str, example: str
) -> Iterator[tuple[str, Any]]:
    """Yield key and value of the records of a JSON file, from under `file.key` if it has one.

    `form` is a regular expression of the keys, and `example` one of them.
    """
    path = Path(folder) / file.path
    content = read_json(path)
    if file.key is not None and isinstance(content, dict):
        content = content.get(file.key)
    if not isinstance(content, dict) or not content:
        raise InputError(path, "no records", row=file.key, fix=RESTORE)
    for row, value in content.items():
        if not re.fullmatch(form, row):
            problem = "a record whose key has another form"
            raise InputError(
                path, problem, row=row[:SHOWN], allowed=[f"keys like {example}"], fix=RESTORE
            )
        yield row, value


def map_agent_names(study: Study) -> dict[str, str]:
    """Map raw agent names, in lower case, to canonical ids; the raw name of people is empty."""
    names = {"": "human", "human": "human"}
    for agent, described in study.agents.items():
        for name in (agent, described.label, *described.aliases):
            names[name.lower()] = agent
    return names


def require_allowed_value(
    value: str, allowed: Collection[str], path: Path, row: str, column: str
) -> str:
    """Return `value` in lower case if it is allowed; otherwise raise `InputError`."""
    text = value.strip().lower()
    if text not in allowed:
        problem = "a value outside the vocabulary of its field"
        where = {"row": row, "column": column, "value": value[:SHOWN]}
        raise InputError(path, problem, **where, allowed=allowed, fix=EXTEND)
    return text


def find_agent_and_truth(
    data: Author, agents: dict[str, str], path: Path, row: str
) -> tuple[str, str]:
    """Find who made a response, and check it against the stated ground truth."""
    raw, truth = data.machine_groundtruth, data.groundtruth
    agent = agents[require_allowed_value(raw, agents, path, row, "machine_groundtruth")]
    if (agent == "human") != (truth == "human"):
        problem = f"the ground truth is {truth} but the agent is {agent}"
        raise InputError(path, problem, row=row, column="machine_groundtruth", value=raw)
    return agent, truth


def make_common_columns(file: RawFile, study: Study) -> dict[str, str]:
    """Make the columns that all judgments and judges of a raw file share."""
    return {
        "study": study.study,
        "task": file.task,
        "cohort": file.cohort,
        "judge_kind": study.tasks[file.task].cohorts[file.cohort].judge_kind,
    }


def make_pseudonym(file: RawFile, number: int) -> str:
    """Make the name of the `number`-th judge of a cohort, from 1, including the variant if there is one."""
    variant = f"{file.variant.replace(' ', '-')}." if file.variant else ""
    return f"{file.task}.{file.cohort}.{variant}w{number:03d}"


def build_tables(judgments: list[dict[str, Any]], judges: list[dict[str, Any]]) -> Tables:
    """Build the tables of judgments and judges from their rows."""
    # Ids of workers identify people who judged in several files, and are dropped when tables are joined.
    workers = [schema.WORKER] if judges and schema.WORKER in judges[0] else []
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=[*schema.JUDGES, *workers]),
    }
