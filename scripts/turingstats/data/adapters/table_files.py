"""Read table files as text: CSV in the spellings of spreadsheets, parquet, and xlsx."""

import codecs
import csv
import functools
from pathlib import Path

import pandas as pd

from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import InputError


def read_named_columns(path, wanted=None, sheet=None):
    """Read columns (by default all) of a CSV, parquet or xlsx file as text.

    Rows that are empty in every column of the file are left out. All other rows are kept, even if the
    columns that are read are empty.

    Parameters
    ----------
    path : path-like
    wanted : sequence of str, optional
    sheet : str, optional
        Of a workbook; needed if it has several.

    Returns
    -------
    pandas.DataFrame
        Text without surrounding blanks; the index is the row in the file, where the header is row 1.

    Raises
    ------
    InputError
        The file cannot be read, or a column is missing or occurs several times.
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
    if is_parquet(path):
        table = pd.read_parquet(path, columns=wanted).reset_index(drop=True)
        for name in wanted:
            if pd.api.types.is_float_dtype(table[name]) and (table[name].dropna() % 1 == 0).all():
                table[name] = table[name].astype("Int64")
        table = table.astype(object).where(table.notna(), "").astype(str)
        holds = (table.apply(lambda column: column.str.strip()) != "").any(axis=1)
        if not holds.all():
            # Read the other columns only if some rows are empty in these.
            others = pd.read_parquet(path).reset_index(drop=True)[~holds]
            others = others.where(others.notna(), "").astype(str)
            holds |= (
                others.apply(lambda column: column.str.strip() != "")
                .any(axis=1)
                .reindex(holds.index, fill_value=False)
            )
        holds = holds.tolist()
    elif is_workbook(path):
        cells = read_sheet(path, sheet)[1:]
        holds = [any(cell.strip() for cell in row) for row in cells]
        places = [header.index(name) for name in wanted]
        table = pd.DataFrame([[row[place] for place in places] for row in cells], columns=wanted)
        table = table.astype(str)
    else:
        options = detect_layout(path) | {"dtype": str, "keep_default_na": False}
        # Empty lines are read and then left out, so that rows keep their numbers in the file.
        options |= {"skip_blank_lines": False, "index_col": False}
        holds = find_filled_rows(path, len(header), options)
        places = sorted(header.index(name) for name in wanted)
        table = pd.read_csv(path, usecols=places, **options).fillna("")
        table = table.set_axis([header[place] for place in places], axis=1)[wanted]
    table.index = range(2, len(table) + 2)
    table = table.apply(lambda column: column.str.strip())
    return table[holds]


def find_filled_rows(path, width, layout):
    """Find for each row of a text table, below its header, whether it holds anything.

    Raises
    ------
    InputError
        A row has more cells than there are columns, so that its content is ambiguous.
    """
    filled = []
    with Path(path).open(encoding=layout["encoding"], newline="") as stream:
        for row, cells in enumerate(csv.reader(stream, delimiter=layout["sep"]), start=1):
            if any(cells[width:]):
                raise InputError(
                    path,
                    f"a row of {len(cells)} cells, where there are {width} columns",
                    row=row,
                    fix="put cells that contain the delimiter in quotes, such as those with decimal "
                    "commas; or separate the columns with semicolons",
                )
            filled.append(any(cell.strip() for cell in cells))
    return filled[1:]


def read_header(path, sheet=None):
    """Read the column names of a table; columns without a name are named as pandas does.

    Raises
    ------
    InputError
        There is no such file, or it cannot be read as a table.
    """
    try:
        return list_names(path, sheet)
    except FileNotFoundError:
        raise InputError(path, "there is no such file", fix="correct its path or folder") from None
    except (UnicodeDecodeError, ValueError, OSError) as error:
        raise InputError(
            path,
            f"cannot be read as a table ({error})",
            fix="save it as CSV in UTF-8, as xlsx or as parquet",
        ) from None


def list_names(path, sheet=None):
    """List the column names of a table as its format has them; see `read_header`."""
    if is_parquet(path):
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(path).names
    if is_workbook(path):
        names = read_sheet(path, sheet)[0]
    else:
        written = detect_layout(path)
        with Path(path).open(encoding=written["encoding"], newline="") as stream:
            names = next(csv.reader(stream, delimiter=written["sep"]), [])
    if not any(name.strip() for name in names):
        raise ValueError("its first line is empty, where the names of the columns should be")
    return [name or f"Unnamed: {place}" for place, name in enumerate(names)]


def read_sheet(path, sheet=None):
    """Read a sheet of a workbook: a list of rows as text, the first with the names of the columns.

    Raises
    ------
    InputError
        The workbook has several sheets of which none was chosen, or lacks the one that was.
    ValueError
        The file is not a workbook, or the sheet is empty.
    """
    return load_sheet(str(path), sheet, Path(path).stat().st_mtime_ns)


@functools.lru_cache(maxsize=4)
def load_sheet(path, sheet, _changed):
    """Load a sheet for `read_sheet`; a file that was changed is loaded again."""
    import zipfile

    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            several = len(book.sheet_names) > 1
            if sheet not in (None, *book.sheet_names) or (sheet is None and several):
                raise InputError(
                    path,
                    "it has several sheets" if sheet is None else "it has no such sheet",
                    value=sheet,
                    allowed=book.sheet_names,
                    fix="say which one holds the table, with sheet: its name (for snakemake init: "
                    'table="{sheet: its name}")',
                )
            options = {"header": None, "dtype": str, "na_filter": False}
            cells = pd.read_excel(book, sheet_name=sheet or 0, **options)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ValueError(f"it is not a workbook: {error}") from None
    if cells.empty:
        raise ValueError("the sheet is empty")
    return cells.to_numpy().tolist()


def is_parquet(path):
    """Return whether a file is a parquet table, by its name."""
    return str(path).endswith(".parquet")


def is_workbook(path):
    """Return whether a file is an xlsx workbook, by its name."""
    return str(path).lower().endswith((".xlsx", ".xlsm"))


def detect_layout(path):
    """Detect delimiter and encoding of a text table: `sep` and `encoding`, as pandas names them."""
    return {"sep": detect_delimiter(path), "encoding": detect_encoding(path)}


def detect_delimiter(path):
    """Detect the delimiter of a text table: the most frequent candidate in its header."""
    # The candidates are the same in all single-byte encodings.
    with Path(path).open(encoding="utf-16" if is_utf16(path) else "latin-1") as stream:
        header = stream.readline()
    return max(",;\t|", key=header.count)


def is_utf16(path):
    """Return whether a text table starts with a UTF-16 byte order mark."""
    with Path(path).open("rb") as stream:
        return stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def detect_encoding(path):
    """Detect the encoding of a text table: UTF-8, UTF-16, or as Excel saves CSV in western Europe."""
    if is_utf16(path):
        return "utf-16"
    text = Path(path).read_bytes()
    for name in ("utf-8-sig", "cp1252"):
        try:
            text.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    return "latin-1"


def convert_decimal_commas(cells, path):
    """Replace decimal commas by points, in tables whose columns are separated by semicolons."""
    if is_parquet(path) or is_workbook(path) or detect_delimiter(path) != ";":
        return cells
    return cells.str.replace(r"^([+-]?\d*),(\d+)$", r"\1.\2", regex=True)
