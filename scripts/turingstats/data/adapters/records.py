"""Shared by the JSON adapters: reading records, agent names, checks that name the invalid value."""

import json
from pathlib import Path

import pandas as pd

from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import InputError

GONE = "restore it; for fetched or generated files, delete their folder in data/raw/ and run again"


def load_records(file, folder):
    """Return the records of a JSON file as a dict, from under `file.key` if it has one."""
    path = Path(folder) / file.path
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            path,
            "the raw file is missing",
            fix=GONE,
        ) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            path,
            f"not valid JSON ({error}); the file may be cut short",
            fix="restore the file from its source",
        ) from None
    if file.key is not None:
        if not isinstance(content, dict) or file.key not in content:
            raise InputError(
                path,
                "the top-level key is missing",
                column=file.key,
                allowed=list(content)[:5] if isinstance(content, dict) else None,
                fix="check `key` of this file in data/sources/",
            )
        content = content[file.key]
    if not isinstance(content, dict) or not content:
        raise InputError(path, "no records", fix="restore the file from its source")
    return content


def read_csv_columns(path, columns, optional=()):
    """Return the named columns of a CSV file as text; empty cells are empty strings.

    Columns of `optional` are returned where the file has them.
    """

    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except FileNotFoundError:
        raise InputError(
            path,
            "the raw file is missing",
            fix=GONE,
        ) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise InputError(
            path,
            f"not valid CSV ({error}); the file may be cut short",
            fix="restore the file from its source",
        ) from None
    require_columns(path, table, columns, f"the file needs the columns {', '.join(columns)}")
    return table[[*columns, *(name for name in optional if name in table)]]


def require_field(record, *names, path, row):
    """Return `record[a][b]...`; raise `InputError` with the key that is missing."""
    value = record
    for depth, name in enumerate(names):
        if not isinstance(value, dict) or name not in value:
            raise InputError(
                path,
                "a required key is missing",
                row=row,
                column=".".join(names[: depth + 1]),
                fix="restore the record from its source",
            )
        value = value[name]
    return value


def require_allowed_value(value, allowed, *, path, row, column):
    """Return `value` in lower case if it is allowed; otherwise raise `InputError`."""
    text = str(value).strip().lower()
    if text not in allowed:
        fix = "correct the record, or extend the vocabulary if the value is legitimate"
        raise make_vocabulary_error(value, allowed, path=path, row=row, column=column, fix=fix)
    return text


def make_vocabulary_error(value, allowed, *, path, row, column, fix="correct the record"):
    """Make the error for a value outside the vocabulary of its field."""
    return InputError(
        path,
        "a value outside the vocabulary of its field",
        row=row,
        column=column,
        value=value,
        allowed=allowed,
        fix=fix,
    )


def parse_whole_number(value, *, path, row, column):
    """Return `value` as an int, or None where it is absent."""
    if value in (None, ""):
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        raise InputError(path, "not a whole number", row=row, column=column, value=value) from None


def map_agent_names(study):
    """Map raw agent names, in lower case, to canonical ids; the raw name of people is empty."""
    names = {"": "human", "human": "human"}
    for agent, described in study.agents.items():
        for name in (agent, described.label, *described.aliases):
            names[name.lower()] = agent
    return names


def make_common_columns(file, study):
    """Make the columns that all judgments and judges of a raw file share."""
    return {
        "study": study.study,
        "task": file.task,
        "cohort": file.cohort,
        "judge_kind": study.tasks[file.task].cohorts[file.cohort].judge_kind,
    }


def make_pseudonym(file, number):
    """Make the name of the `number`-th judge of a cohort, from 1, including the variant if there is one."""
    variant = f"{file.variant.replace(' ', '-')}." if file.variant else ""
    return f"{file.task}.{file.cohort}.{variant}w{number:03d}"
