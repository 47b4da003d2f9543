"""Adapters: one module per kind of table that users have, each reading it to tables of the data contract.

A format is a module of this package with a function ``read(file, folder, study)``. Files in data/sources/
refer to it by name.

Identifiers of people and machines (worker ids, addresses, browser strings) are dropped while reading.
Judges get pseudonyms in order of first appearance in a file, people get numbers in order of first
appearance in the study.
"""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError
from turingstats.data import distinct_values, notes, schema
from turingstats.data.adapters.identifiers import number_people

FORMATS = ("response_table", "verdict_table")
"""Modules of this package with a function `read`."""
ALL_ROWS = "all rows of the file"
"""Cohort of rows that are left out, where the cohort is not known."""
RESPONSES = "responses"
"""Cohort of rows of a table of responses."""


def read_with_left_out(
    files: Sequence[RawFile], folder: str | Path, study: Study
) -> tuple[pd.DataFrame, ...]:
    """Read raw files into the tables of the data contract, with the rows that are left out, and notes."""
    tables = collect_tables(files, folder, study)
    optional = {name for file in files for name in file.optional}
    return schema.complete_tables(tables, study, optional)


class TracedRows(NamedTuple):
    """Which rows of a table are read, and which are not."""

    identity: tuple[str, str]
    """The file, and the columns with the verdicts or responses."""
    read: pd.Index
    """Numbers in the file of the rows that are read."""
    left_out: pd.DataFrame
    """study, task, cohort, file, reason of the other rows, indexed by row number."""


def trace_rows(
    file: RawFile, study: Study, read: pd.Index, left_out: pd.DataFrame, place: str | None = None
) -> TracedRows:
    """Record which rows of a table are read, and why the others are not."""
    answers = ("verdict", "rating", "right", "chosen", "response")
    asked = [file.labels.get(name, "") for name in answers]
    cohort = left_out["cohort"] if place is None else place
    lost = left_out.assign(study=study.study, task=file.task, file=file.path, cohort=cohort)
    return TracedRows((file.path, " ".join(asked)), read, lost)


def count_unread_rows(traced: Sequence[TracedRows]) -> pd.DataFrame:
    """Count the rows that no entry of the sources reads, by reason.

    Several entries may share the rows of a file, for example one entry per task. A row that any of them
    reads is not left out, and a row that none of them reads is counted once.
    """
    place, lost = ["study", "task", "cohort", "file", "reason"], []
    for identity in dict.fromkeys(rows.identity for rows in traced):
        own = [rows for rows in traced if rows.identity == identity]
        rows = pd.concat([part.left_out for part in own])
        for part in own:
            rows = rows[~rows.index.isin(part.read)]
        rows["cohort"] = rows["cohort"].astype(object).fillna(ALL_ROWS)
        several = rows.groupby(level=0)["cohort"].transform("nunique") > 1
        rows["cohort"] = rows["cohort"].where(~several, ALL_ROWS)
        lost.append(rows[~rows.index.duplicated()])
    if not lost:
        return pd.DataFrame(columns=list(schema.LEFT_OUT))
    counted = pd.concat(lost).groupby(place, sort=False).size()
    return counted.rename("rows").reset_index()[list(schema.LEFT_OUT)]


def collect_tables(
    files: Sequence[Any],
    folder: str | Path,
    study: Study,
    read: Callable[..., dict[str, pd.DataFrame]] | None = None,
) -> dict[str, pd.DataFrame]:
    """Read raw files as they are, before joining them and validating the data contract."""
    tables = {name: [pd.DataFrame(columns=[*schema.CONTRACT[name]])] for name in schema.READ}
    tables["notes"] = [pd.DataFrame(columns=notes.NOTE_COLUMNS)]
    people, traced, origins = {}, [], [pd.Series(dtype=object)]
    for file in files:
        for name, table in (read or read_file)(file, folder, study).items():
            if name == "rows":
                traced.append(table)
                continue
            if name == "judges":
                table = number_people(table, study.study, people)
            tables[name].append(table)
            if name == "judgments":
                origins.append(pd.Series(file.path, table.index, dtype=object))
    tables["left_out"].insert(0, count_unread_rows(traced))
    stacked = {name: stack_parts(parts) for name, parts in tables.items()}
    return stacked | {"origins": pd.concat(origins, ignore_index=True)}


def read_file(file: RawFile, folder: str | Path, study: Study) -> dict[str, Any]:
    """Read a raw file with the adapter of its format."""
    if file.format not in FORMATS:
        problem = f"data/sources: {file.path} has the unknown format {file.format!r}"
        fix = "correct it, or add its adapter (docs/extending.md)"
        raise ConfigError(problem, allowed=", ".join(FORMATS), fix=fix)
    return importlib.import_module(f"{__name__}.{file.format}").read(file, folder, study)


def stack_parts(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Stack tables; columns that have a type of the data contract in all of them keep it."""
    filled = [table for table in tables if len(table)]
    # Types of the data contract, rather than any Python values.
    has_types = all(
        pd.api.types.is_extension_array_dtype(kind) and kind != "str"
        for table in filled
        for kind in table.dtypes
    )
    if not filled or not has_types:
        return pd.concat([table.astype(object) for table in tables], ignore_index=True)
    return distinct_values.stack_tables(filled).reset_index(drop=True)
