"""Read table files as text: CSV in the spellings of spreadsheets, parquet, and xlsx."""

import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import InputError
from turingstats.data.adapters import parquet_tables, text_tables, workbooks
from turingstats.data.distinct_values import (
    change_values,
    encode_values,
    match_values,
)


def read_named_columns(
    path: str | Path, wanted: Sequence[str] | None = None, sheet: str | None = None
) -> pd.DataFrame:
    """Read columns (by default all) of a CSV, parquet or xlsx file as text.

    Rows that are empty in every column of the file are left out. All other rows are kept, even if the
    columns that are read are empty.
    """

    header = read_header(path, sheet)
    wanted = list(dict.fromkeys(header if wanted is None else wanted))
    require_columns(
        path,
        header,
        wanted,
        "correct the names of its columns in data/sources/",
        problem="the table lacks a column that the sources file names",
        allowed=header,
    )
    twice = [name for name in wanted if header.count(name) > 1]
    if twice:
        raise InputError(
            path,
            "several columns of one name, of which any might be meant",
            row=1,
            column=", ".join(twice),
            fix="give each column of the table a unique name",
        )
    columns, filled = call_reader(read_columns, path, sheet, header, wanted)
    index = pd.RangeIndex(2, len(filled) + 2)
    cells = {
        name: change_values(pd.Series(column, index), str.strip)
        for name, column in zip(wanted, columns, strict=True)
    }
    table = pd.DataFrame(cells, index, wanted)
    return table if filled.all() else table[filled]


def read_header(path: str | Path, sheet: str | None = None) -> list[str]:
    """Read the column names of a table; columns without a name are named as pandas does."""
    names = call_reader(list_names, path, sheet)
    if not any(name.strip() for name in names):
        raise InputError(
            path,
            "cannot be read as a table: its first line is empty, where the names of the columns should be",
            row=1,
            fix="write the names of the columns into the first row",
        )
    return [text_tables.name_column(name, place) for place, name in enumerate(names)]


def call_reader(
    read: Callable[..., Any], path: str | Path, sheet: str | None, *arguments: Any
) -> Any:
    """Call `read(path, sheet, ...)`; whatever is wrong with the file becomes an `InputError`."""
    try:
        # Other than a file, a named pipe would be waited for without end.
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise InputError(path, "not a file", fix="give the path of a table")
        return read(path, sheet, *arguments)
    except FileNotFoundError:
        raise InputError(path, "there is no such file", fix="correct its path or folder") from None
    except PermissionError:
        raise InputError(path, "it may not be read", fix="change its permissions") from None
    except (ValueError, OSError, MemoryError, OverflowError, pa.ArrowException) as error:
        raise InputError(
            path, f"cannot be read as a table ({error})", fix=text_tables.SAVE
        ) from None


def list_names(path: str | Path, sheet: str | None) -> list[str]:
    """List the column names of a table as its format has them."""
    if is_parquet(path):
        return parquet_tables.list_names(path)
    if is_workbook(path):
        return workbooks.read_sheet(path, sheet).rows[0]
    return text_tables.list_names(path)


def read_columns(
    path: str | Path, sheet: str | None, header: list[str], wanted: Sequence[str]
) -> tuple[list[pd.Categorical], np.ndarray]:
    """Read columns of a table as categories of text; see `text_tables.read_columns`."""
    if is_parquet(path):
        return parquet_tables.read_columns(path, header, wanted)
    if not is_workbook(path):
        return text_tables.read_columns(path, header, wanted)
    page, places = workbooks.read_sheet(path, sheet), [header.index(name) for name in wanted]
    workbooks.refuse_faults(path, page, places)
    rows = page.rows[1:]
    columns = [encode_values([row[place] for row in rows]) for place in places]
    return columns, np.array([any(map(str.strip, row)) for row in rows], bool)


def is_parquet(path: str | Path) -> bool:
    """Return whether a file is a parquet table, by its name."""
    return str(path).lower().endswith(".parquet")


def is_workbook(path: str | Path) -> bool:
    """Return whether a file is an xlsx workbook, by its name."""
    return str(path).lower().endswith((".xlsx", ".xlsm"))


def convert_decimal_commas(cells: pd.Series, path: str | Path) -> pd.Series:
    """Replace decimal commas by points, in tables whose columns are separated by semicolons."""
    if is_parquet(path) or is_workbook(path) or text_tables.read_form(path).delimiter != ";":
        return cells
    cells = cells.astype("category")
    is_comma = re.compile(r"[+-]?\d*,\d+").fullmatch
    commas = match_values(cells, is_comma)
    points = match_values(cells, re.compile(r"[+-]?\d*\.\d+").fullmatch)
    if commas.any() and points.any():
        raise InputError(
            path,
            "numbers with commas and numbers with points in one column: which are decimals is not clear",
            row=points.idxmax(),
            column=cells.name,
            value=cells[points.idxmax()],
            fix=f"write all of them like {cells[commas.idxmax()]!r}, without separators of thousands",
        )
    if not commas.any():
        return cells
    return change_values(cells, lambda value: value.replace(",", ".") if is_comma(value) else value)
