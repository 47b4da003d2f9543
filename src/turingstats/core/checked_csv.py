"""CSV files that people write: read as text and checked against a pandera schema.

The first fault is raised as an `InputError` that names file, line, column, value, allowed values and fix.
Checks are made with `check_cells` and `check_rows`, so that each has its own message.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pandera.errors
import pandera.pandas as pa

from turingstats.core.errors import InputError

LONGEST_CELL = 10_000_000
"""Characters of a cell: more than any session of a psiTurk table has."""


class CellFault(NamedTuple):
    """What is wrong with one cell of a row, for rules that pandera cannot express."""

    column: str
    problem: str
    allowed: Iterable[object] | None = None
    fix: str | None = None


# --- checks --------------------------------------------------------------------------------------


def check_cells(
    test: Callable[[Any], pd.Series],
    problem: str,
    fix: str | None = None,
    allowed: Iterable[str] | None = None,
) -> pa.Check:
    """Make a check of one column from a test of its cells, with what is wrong and how to fix it."""
    statistics = {"allowed_values": None if allowed is None else list(allowed)}
    # A missing cell is checked like any other.
    return pa.Check(test, error=problem, description=fix, statistics=statistics, ignore_na=False)


def check_each(test: Callable[[str], bool], problem: str, fix: str | None = None) -> pa.Check:
    """Make a check of one column from a function that says whether a single cell is valid."""
    return check_cells(lambda cells: cells.map(test).astype(bool), problem, fix)


def check_rows(
    test: Callable[[pd.DataFrame], pd.Series],
    column: str,
    problem: str,
    fix: str | None = None,
    allowed: Iterable[str] | None = None,
) -> pa.Check:
    """Make a check of whole rows; a failure is reported for `column`. Parameters as in `check_cells`."""
    check = check_cells(test, problem, fix, allowed)
    check.name = column
    return check


def check_filled(problem: str = "an empty cell", fix: str = "fill in the cell") -> pa.Check:
    """Make a check that no cell of a column is empty."""
    return check_cells(lambda cells: cells.notna() & (cells != ""), problem, fix)


def check_allowed(
    allowed: Iterable[str],
    fix: str | None = None,
    problem: str = "not one of the allowed values",
    or_empty: bool = False,
) -> pa.Check:
    """Make a check that cells hold one of the allowed values, or nothing if `or_empty`."""
    allowed = list(allowed)
    accepted = [*allowed, *([""] if or_empty else [])]
    return check_cells(lambda cells: cells.isin(accepted), problem, fix, allowed)


def check_unique(problem: str, fix: str) -> pa.Check:
    """Make a check that no value of a column is repeated; the second one is reported."""
    return check_cells(lambda cells: ~cells.duplicated(), problem, fix)


def make_text_schema(columns: list[str], **checks: list[pa.Check] | pa.Check) -> pa.DataFrameSchema:
    """Make the schema of a file whose columns are all text, which `read_cells` sees to, some with checks."""
    return pa.DataFrameSchema({name: pa.Column(None, checks.get(name)) for name in columns})


# --- reading -------------------------------------------------------------------------------------


def read_checked(
    path: Path | str,
    schema: pa.DataFrameSchema,
    *,
    what: str,
    docs: str,
    key: str | None = None,
    find_fault: Callable[[dict[str, str]], CellFault | None] | None = None,
) -> pd.DataFrame:
    """Read a CSV file as text, refusing the first cell that its schema does not allow.

    The file is in UTF-8, with a header that names exactly the columns of the schema, in any order; the
    index is the line in the file, empty cells are empty strings. `what` the file is, the page `docs` that
    describes it and the column `key` that names a row are for messages. `find_fault`, called only after
    the schema, maps a row to its first fault.
    """
    table = read_cells(path)
    columns = list(schema.columns)
    fix = f"the header must name exactly the columns of a {what}; see {docs}"
    require_columns(path, table.columns, columns, fix)
    refuse_unknown(path, table.columns, columns, fix)
    table = check_table(table[columns], schema, path, key=key)
    for line, row in zip(table.index, table.to_dict("records"), strict=True):
        fault = find_fault(row) if find_fault else None
        if fault is not None:
            raise InputError(
                path,
                fault.problem,
                row=name_row(line, row.get(key)),
                column=fault.column,
                value=row[fault.column],
                allowed=fault.allowed,
                fix=fault.fix,
            )
    return table


def read_cells(path: Path | str) -> pd.DataFrame:
    """Read the cells of a CSV file as text, by the line on which a row begins; blank lines are skipped.

    Errors: the file does not exist, is empty or not UTF-8, or is cut short within quotes; two columns
    have one name; a row has more or fewer cells than the header; a cell is longer than `LONGEST_CELL`.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(path, "there is no such file", fix="correct its path") from None
    except OSError as error:
        raise InputError(path, f"the file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InputError(
            path, f"not UTF-8 text ({error.reason})", fix="save it as CSV in UTF-8"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(path, "a NUL character", row=f"line {line}", fix="save it as CSV in UTF-8")
    csv.field_size_limit(LONGEST_CELL)
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    first = 1
    try:
        header = next(reader, [])
        check_header(path, header)
        first = reader.line_num + 1
        for cells in reader:
            line, first = first, reader.line_num + 1
            if not cells:
                continue
            if len(cells) != len(header):
                raise InputError(
                    path,
                    f"{len(cells)} cells, but the header names {len(header)} columns",
                    row=f"line {line}",
                    fix='put a cell that holds a comma in quotes, such as "car, tree, dog"; restore a '
                    "file that was cut short",
                )
            rows.append(cells)
            lines.append(line)
    except csv.Error as error:
        raise InputError(
            path,
            f"not valid CSV ({error}); the file may be cut short",
            row=f"line {first}",
            fix="close every quote and double the quotes within cells, or restore the file",
        ) from None
    return pd.DataFrame(rows, index=pd.Index(lines, dtype=int), columns=header, dtype=str)


def check_header(path: Path | str, header: list[str]) -> None:
    """Refuse a file without a header, or with two columns of one name."""
    if not header:
        raise InputError(path, "the file is empty", fix="begin it with the names of the columns")
    repeated = [name for number, name in enumerate(header) if name in header[:number]]
    if repeated:
        columns = [n for n, name in enumerate(header, start=1) if name == repeated[0]]
        raise InputError(
            path,
            f"columns {columns[0]} and {columns[1]} have the same name",
            row="line 1",
            column=repeated[0],
            fix="rename or remove one of them",
        )


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


# --- the first fault -----------------------------------------------------------------------------


def check_table(
    table: pd.DataFrame,
    schema: pa.DataFrameSchema,
    path: Path | str,
    *,
    key: str | None = None,
    header_lines: int | None = None,
) -> pd.DataFrame:
    """Validate a table and return it with the types of a schema; the first invalid cell is an error.

    The column `key` names a row in messages. `header_lines` are those above the first row, for a table
    whose index counts rows from 0; without it the index holds line numbers.
    """
    try:
        return schema.validate(table, lazy=True)
    except pandera.errors.SchemaErrors as error:
        index, column, value, check, problem = find_first_failure(error, schema, table)
    row = None
    if index is not None:
        line = index if header_lines is None else index + 1 + header_lines
        row = name_row(line, None if key is None else table.at[index, key])
    raise InputError(
        path,
        problem,
        row=row,
        column=column,
        value=value,
        allowed=check and check.statistics.get("allowed_values"),
        fix=check and check.description,
    ) from None


def find_first_failure(
    error: pandera.errors.SchemaErrors,
    schema: pa.DataFrameSchema,
    table: pd.DataFrame,
) -> tuple[Any, str, Any, Any, str]:
    """Find the first failure: index (None: the whole table), column, value, check (None: a type), problem."""
    order = {name: position for position, name in enumerate(schema.columns)}
    failures = []
    for case in error.failure_cases.to_dict("records"):
        number = None if pd.isna(case["check_number"]) else int(case["check_number"])
        of_rows = case["schema_context"] == "DataFrameSchema"
        index = None if pd.isna(case["index"]) else case["index"]
        column, value, check = case["column"], case["failure_case"], None
        if number is not None:
            checks = schema.checks if of_rows else schema.columns[column].checks
            check = checks[number]
        if of_rows and check is not None and check.name in table and index is not None:
            column, value = check.name, table.at[index, check.name]
        position = -1 if index is None else table.index.get_loc(index)
        rank = position, of_rows, order.get(column, -1), -1 if number is None else number
        failures.append((rank, (index, column, value, check, str(case["check"]))))
    return min(failures, key=lambda failure: failure[0])[1]


def name_row(line: int, key: str | None = None) -> str:
    """Name a row in a message: its line, and its id if it has one."""
    return f"line {line} ({key})" if key else f"line {line}"
