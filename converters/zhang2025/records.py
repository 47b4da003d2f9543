"""Shared by the adapters of raw records: reading files, agent names, pseudonyms."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from converters.zhang2025 import gate
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.checked_csv import read_cells, require_columns
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE, read_json
from turingstats.data import schema

GONE = "restore it; for fetched or generated files, delete their folder in data/raw/ and run again"
TRIAL = r"Trial_(?:[A-Z][A-Za-z]{0,20}_)?(?:0|[1-9][0-9]{0,6})"
"""Form of the key of a trial, such as Trial_12 or Trial_FV_12."""
AnyRecord = TypeVar("AnyRecord", bound=gate.Record)
Tables = dict[str, pd.DataFrame]
"""Tables of the data contract by name, as far as a raw file fills them."""


def load_records(file: RawFile, folder: str | Path) -> dict[str, Any]:
    """Load the records of a JSON file, from under `file.key` if it has one."""
    path = Path(folder) / file.path
    if not path.exists():
        raise InputError(path, "the raw file is missing", fix=GONE)
    content = read_json(path)
    if file.key is not None:
        if not isinstance(content, dict) or file.key not in content:
            raise InputError(
                path,
                "the top-level key is missing",
                column=file.key,
                allowed=list(content)[:5] if isinstance(content, dict) else None,
                fix="check `key` of this file in converters/zhang2025/files/",
            )
        content = content[file.key]
    if not isinstance(content, dict) or not content:
        found = None if content == {} else gate.show_value(content)
        raise InputError(path, "no records", row=file.key, value=found, fix=RESTORE)
    return content


def read_records(
    file: RawFile, folder: str | Path, model: type[AnyRecord], form: str, example: str
) -> Iterator[tuple[str, AnyRecord, dict[str, Any]]]:
    """Yield key, record, and path and row for errors, of each record of a JSON file.

    `form` is a regular expression of the keys, and `example` one of them.
    """
    path, pattern = Path(folder) / file.path, re.compile(form)
    for row, value in load_records(file, folder).items():
        check_key(row, pattern, example, path)
        where: dict[str, Any] = {"path": path, "row": row}
        yield row, gate.check_record(model, value, **where), where


def check_key(row: str, form: re.Pattern[str], example: str, path: Path) -> None:
    """Check that the key of a record has the form of such keys."""
    if not form.fullmatch(row):
        raise InputError(
            path,
            "a record whose key has another form",
            row=gate.show_value(row),
            allowed=[f"keys like {example}"],
            fix="correct the key, or remove the record",
        )


def require_list(value: Any, path: Path, row: str) -> list[Any]:
    """Return a list that is not empty, or raise `InputError`."""
    if not isinstance(value, list) or not value:
        raise InputError(
            path, "expected a list", row=row, value=gate.show_value(value), fix=gate.FIX
        )
    return value


def make_contradiction(problem: str, column: str, *, path: Path | str, row: str) -> InputError:
    """Make the error of a record that contradicts itself."""
    return InputError(path, problem, row=row, column=column, fix="correct the record")


def read_whole_table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Return the named columns of a CSV file whose last row is complete: it ends with a line break."""
    table = read_csv_columns(path, columns)
    if not Path(path).read_bytes().endswith((b"\n", b"\r")):
        raise InputError(
            path,
            "the last line has no end; the file may be cut short",
            row=f"line {table.index[-1] if len(table) else 1}",
            fix="restore the file, or end its last line with a line break",
        )
    return table


def read_csv_columns(
    path: Path, columns: Sequence[str], optional: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the named columns of a CSV file as text, and those of `optional` that it has."""
    if not Path(path).exists():
        raise InputError(path, "the raw file is missing", fix=GONE)
    table = read_cells(path)
    require_columns(path, table, columns, f"the file needs the columns {', '.join(columns)}")
    return table[[*columns, *(name for name in optional if name in table)]]


def require_allowed_value(
    value: str, allowed: Collection[str], *, path: Path | str, row: str, column: str
) -> str:
    """Return `value` in lower case if it is allowed; otherwise raise `InputError`."""
    text = str(value).strip().lower()
    if text not in allowed:
        fix = "correct the record, or extend the vocabulary if the value is legitimate"
        problem = "a value outside the vocabulary of its field"
        where = {"row": row, "column": column, "value": value}
        raise InputError(path, problem, **where, allowed=allowed, fix=fix)
    return text


def map_agent_names(study: Study) -> dict[str, str]:
    """Map raw agent names, in lower case, to canonical ids; the raw name of people is empty."""
    names = {"": "human", "human": "human"}
    for agent, described in study.agents.items():
        for name in (agent, described.label, *described.aliases):
            names[name.lower()] = agent
    return names


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
