"""Shared by the adapters of raw records: reading files, agent names, pseudonyms."""

import re
from pathlib import Path

from converters.zhang2025 import gate
from turingstats.core.checked_csv import read_cells, require_columns
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE, read_json

GONE = "restore it; for fetched or generated files, delete their folder in data/raw/ and run again"
TRIAL = r"Trial_(?:[A-Z][A-Za-z]{0,20}_)?(?:0|[1-9][0-9]{0,6})"
"""Form of the key of a trial, such as Trial_12 or Trial_FV_12."""


def load_records(file, folder):
    """Return the records of a JSON file as a dict, from under `file.key` if it has one.

    Raises
    ------
    InputError
        The file is missing, not valid JSON (`turingstats.core.strict_json`), or holds no object of records.
    """
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


def read_records(file, folder, model, form, example):
    """Read the records of a JSON file, each through the gate.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    model : type of Record
    form : str
        Regular expression of the keys of records.
    example : str
        A key of this form, for messages.

    Yields
    ------
    row : str
        The record's key.
    record : Record
    where : dict
        Path and row, for errors.
    """
    path, form = Path(folder) / file.path, re.compile(form)
    for row, value in load_records(file, folder).items():
        check_key(row, form, example, path)
        where = {"path": path, "row": row}
        yield row, gate.check_record(model, value, **where), where


def check_key(row, form, example, path):
    """Check that the key of a record has the form of such keys, a compiled regular expression."""
    if not form.fullmatch(row):
        raise InputError(
            path,
            "a record whose key has another form",
            row=gate.show_value(row),
            allowed=[f"keys like {example}"],
            fix="correct the key, or remove the record",
        )


def require_list(value, path, row):
    """Return a list that is not empty, or raise `InputError`."""
    if not isinstance(value, list) or not value:
        raise InputError(
            path, "expected a list", row=row, value=gate.show_value(value), fix=gate.FIX
        )
    return value


def make_contradiction(problem, column, *, path, row):
    """Make the error of a record that contradicts itself."""
    return InputError(path, problem, row=row, column=column, fix="correct the record")


def read_whole_table(path, columns):
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


def read_csv_columns(path, columns, optional=()):
    """Return the named columns of a CSV file as text; empty cells are empty strings.

    Columns of `optional` are returned where the file has them.

    Raises
    ------
    InputError
        The file is missing, is not a complete table, or lacks a column.
    """
    if not Path(path).exists():
        raise InputError(path, "the raw file is missing", fix=GONE)
    table = read_cells(path)
    require_columns(path, table, columns, f"the file needs the columns {', '.join(columns)}")
    return table[[*columns, *(name for name in optional if name in table)]]


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
