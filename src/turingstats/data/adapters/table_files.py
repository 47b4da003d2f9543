"""Read table files as text: CSV in the spellings of spreadsheets, parquet, and xlsx."""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from turingstats.config.raw_files import list_matching_files
from turingstats.core import text_tables
from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import InputError
from turingstats.data.adapters import binary_tables, records
from turingstats.data.adapters.messages import make_error
from turingstats.data.distinct_values import change_values, encode_values

ENCODINGS = {"cp1251": "read as Windows-1251 (Cyrillic)", "cp1252": "read as Windows-1252"}
LABEL = '{"ImportId"'
"""How the cells of the last of Qualtrics' header rows begin."""


class TableFile(NamedTuple):
    """A table as text."""

    header: list[str]
    cells: pd.DataFrame
    """Text without surrounding blanks, as categories, by place in the header; the index is the row in the
    file. Empty rows are left out."""
    delimiter: str = ""
    skipped: str = ""
    """Which rows are not data: a title above the header, labels below it."""


def read_table(path: str | Path, sheet: str | None = None) -> TableFile:
    """Read a table of any format; whatever is wrong with the file becomes an `InputError`."""
    if "*" in Path(path).name and not Path(path).exists():
        changed = [(str(file), file.stat().st_mtime_ns) for file in list_matching_files(path)]
        return load_folder(str(path), sheet, tuple(changed))
    try:
        return load_table(str(path), sheet, Path(path).stat().st_mtime_ns)
    except FileNotFoundError:
        raise make_error(path, "no_file") from None
    except PermissionError:
        raise make_error(path, "unreadable") from None
    except (ValueError, OSError, MemoryError, OverflowError, pa.ArrowException) as error:
        raise InputError(
            path, f"cannot be read as a table ({error})", fix=text_tables.SAVE
        ) from None


@functools.lru_cache(maxsize=2)
def load_folder(pattern: str, sheet: str | None, files: tuple[tuple[str, int], ...]) -> TableFile:
    """Load the files that match a pattern as one table, whose rows are named by file and row.

    A column that a file lacks is empty in its rows; files without any content are left out.
    """
    filled = [path for path, _ in files if Path(path).stat().st_size]
    if not filled:
        raise make_error(pattern, "no_files")
    tables = {path: read_table(path, sheet) for path in filled}
    parts = []
    for path, table in tables.items():
        refuse_repeated(path, table.header, table.header)
        rows = [f"{row} of {Path(path).name}" for row in table.cells.index]
        parts.append(table.cells.set_axis(table.header, axis=1).set_axis(rows).astype(object))
    delimiters = {table.delimiter for table in tables.values()}
    if len(delimiters) > 1:
        found = " and ".join(map(repr, sorted(delimiters)))
        raise make_error(pattern, "different_delimiters", value=found)
    cells = pd.concat(parts).fillna("")
    header = list(cells)
    lacking = sum(len(table.header) < len(header) for table in tables.values())
    encoded = {place: encode_values(cells[name]) for place, name in enumerate(header)}
    skipped = [f"files read as one table: {len(filled)}"]
    empty = len(files) - len(filled)
    skipped += [f"empty files left out: {empty}"] if empty else []
    skipped += [f"files that lack columns of others, empty there: {lacking}"] if lacking else []
    skipped += dict.fromkeys(table.skipped for table in tables.values() if table.skipped)
    return TableFile(
        header, pd.DataFrame(encoded, cells.index), delimiters.pop(), "; ".join(skipped)
    )


@functools.lru_cache(maxsize=8)
def load_table(path: str, sheet: str | None, _changed: int) -> TableFile:
    """Load a table for `read_table`; a file that was changed is loaded again."""
    name = path.lower()
    if name.endswith(".parquet"):
        table = binary_tables.read_parquet(path)
    elif name.endswith((".xlsx", ".xlsm")):
        table = binary_tables.read_sheet(path, sheet)
    elif name.removesuffix(".gz").endswith(records.NAMES):
        table = records.read_records(path)
    else:
        table = text_tables.read_cells(path)
    header, cells, delimiter, above, encoding = table
    if not any(name.strip() for name in header):
        raise make_error(path, "no_header", row=1)
    text_tables.refuse_many_columns(path, header)
    # A column without a name is named as pandas does.
    header = [name or f"Unnamed: {place}" for place, name in enumerate(header)]
    cells = cells.apply(encode_cells)
    filled = (cells != "").any(axis=1)
    cells = cells if filled.all() else cells[filled]
    labels = cells.iloc[:2].astype(str).map(lambda cell: cell.startswith(LABEL)).any(axis=1)
    labeled = 1 + int(np.flatnonzero(labels)[-1]) if labels.any() else 0
    skipped = [f"{above} lines above the header"] if above else []
    skipped += [f"{ENCODINGS[encoding]}: check letters with accents"] if encoding else []
    skipped += [f"{labeled} rows of labels below the header"] if labeled else []
    return TableFile(header, cells.iloc[labeled:], delimiter, " and ".join(skipped))


def encode_cells(cells: pd.Series) -> pd.Series:
    """Encode a column of text as categories; blanks around values do not matter."""
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = pd.Series(encode_values(cells), cells.index)
    return change_values(cells, str.strip)


def read_named_columns(
    path: str | Path, wanted: Iterable[str] | None = None, sheet: str | None = None
) -> pd.DataFrame:
    """Read columns (by default all) as text; the index is the row in the file, where the header is row 1.

    Rows that are empty in every column of the file are left out. All other rows are kept, even if the
    columns that are read are empty.
    """
    file = read_table(path, sheet)
    names = list(dict.fromkeys(file.header if wanted is None else wanted))
    require_columns(
        path,
        file.header,
        names,
        "correct the names of its columns in data/sources/",
        problem="a column named in the sources file is not in the table",
        allowed=file.header,
    )
    refuse_repeated(path, file.header, names)
    places = [file.header.index(name) for name in names]
    return file.cells[places].set_axis(names, axis=1)


def refuse_repeated(path: str | Path, header: list[str], names: list[str]) -> None:
    """Refuse columns of which a table has several of one name."""
    twice = sorted({name for name in names if header.count(name) > 1})
    if twice:
        raise make_error(path, "repeated_column", row=1, column=", ".join(twice))


def read_header(path: str | Path, sheet: str | None = None) -> list[str]:
    """Read the column names of a table."""
    return read_table(path, sheet).header
