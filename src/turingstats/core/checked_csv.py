"""CSV files that people write: read as text and checked cell by cell.

The first fault is raised as an `InputError` that names file, row, column, value, allowed values and fix.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from turingstats.core import text_tables
from turingstats.core.errors import InputError


@dataclass(frozen=True)
class Check:
    """What the cells of a column must be, and what to say of the first one that is not."""

    test: Callable[..., pd.Series]
    """Tells which cells are valid or, of a check of whole rows, which rows of the table."""
    problem: str
    fix: str | None = None
    allowed: Iterable[object] | None = None


Checks = Mapping[str, Check | Sequence[Check]]
"""Checks by the column in which their failures are reported."""


def check_each(test: Callable[[str], bool], problem: str, fix: str | None = None) -> Check:
    """Make a check from a function that says whether a single cell is valid."""
    return Check(lambda cells: cells.map(test).astype(bool), problem, fix)


def check_filled(problem: str = "an empty cell", fix: str = "fill in the cell") -> Check:
    """Make a check that no cell of a column is empty."""
    return Check(lambda cells: cells.notna() & (cells != ""), problem, fix)


def check_allowed(
    allowed: Collection[str],
    fix: str | None = None,
    problem: str = "not one of the allowed values",
    or_empty: bool = False,
) -> Check:
    """Make a check that cells hold one of the allowed values, or nothing if `or_empty`."""
    accepted = [*allowed, *([""] if or_empty else [])]
    return Check(lambda cells: cells.isin(accepted), problem, fix, allowed)


def check_unique(problem: str, fix: str) -> Check:
    """Make a check that no value of a column is repeated; the second one is reported."""
    return Check(lambda cells: ~cells.duplicated(), problem, fix)


def read_checked(
    path: Path | str,
    columns: Sequence[str],
    checks: Checks,
    rules: Checks | None = None,
    *,
    what: str,
    docs: str,
    key: str | None = None,
) -> pd.DataFrame:
    """Read a CSV file as text, refusing the first cell that `checks`, or row that `rules`, do not allow.

    Its header names exactly these columns, in any order; the index is the row in the file, empty cells are
    empty strings. `what` the file is, the page `docs` that describes it and the column `key` that names a row
    are for messages.
    """
    table = read_cells(path)
    fix = f"the header must name exactly the columns of a {what}; see {docs}"
    require_columns(path, table.columns, columns, fix)
    refuse_unknown(path, table.columns, columns, fix)
    table = table[list(columns)]
    check_table(table, checks, path, rules, key)
    return table


def read_cells(path: Path | str) -> pd.DataFrame:
    """Read the cells of a table of text, by row, where the header is row 1; empty rows are skipped."""
    header, cells, *_ = text_tables.read_cells(path)
    if not header:
        raise InputError(path, "the file is empty", fix="begin it with the names of the columns")
    repeated = [name for number, name in enumerate(header) if name in header[:number]]
    if repeated:
        problem, fix = "several columns have the same name", "rename or remove one of them"
        raise InputError(path, problem, row=1, column=repeated[0], fix=fix)
    cells = cells.set_axis(header, axis=1).astype(str)
    return cells[(cells != "").any(axis=1)]


def require_columns(
    path: Path | str,
    header: Iterable[str],
    wanted: Sequence[str],
    fix: str,
    problem: str = "a required column is missing",
    allowed: list[str] | None = None,
) -> None:
    """Refuse a table that lacks a column; `allowed` are those to choose from, if `wanted` can be changed."""
    header = list(header)
    absent = [name for name in wanted if name not in header]
    if absent:
        raise InputError(
            path,
            problem,
            column=", ".join(absent),
            value=", ".join(map(str, header[:40])) if allowed is None else None,
            allowed=allowed,
            fix=fix,
        )


def refuse_unknown(path: Path | str, header: Iterable[str], known: Sequence[str], fix: str) -> None:
    """Refuse a table with an unknown column; parameters as in `require_columns`."""
    unknown = [name for name in header if name not in known]
    if unknown:
        raise InputError(path, "unknown column", column=unknown[0], allowed=known, fix=fix)


def check_table(
    table: pd.DataFrame,
    checks: Checks,
    path: Path | str,
    rules: Checks | None = None,
    key: str | None = None,
) -> None:
    """Raise an `InputError` for the first row that `checks` of cells, or else `rules` of whole rows, refuse.

    The index holds the rows in the file, and the column `key` names one.
    """
    failures = []
    for of_rows, declared in enumerate((checks, rules or {})):
        for column, listed in declared.items():
            for check in listed if isinstance(listed, Sequence) else [listed]:
                valid = check.test(table if of_rows else table[column])
                order = of_rows, table.columns.get_loc(column)
                first = np.flatnonzero(~valid.to_numpy(bool))[:1]
                failures += [(at, order, column, check) for at in first]
    if failures:
        at, _, column, check = min(failures, key=lambda failure: failure[:2])
        raise InputError(
            path,
            check.problem,
            row=name_row(table.index[at], None if key is None else table[key].iloc[at]),
            column=column,
            value=table[column].iloc[at],
            allowed=check.allowed,
            fix=check.fix,
        )


def name_row(row: int, key: str | None = None) -> str:
    """Name a row in a message: its number, and its id if it has one."""
    return f"{row} ({key})" if key else str(row)
