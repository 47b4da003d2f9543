"""Tables of xlsx workbooks and parquet files, as text."""

import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from turingstats.core.text_tables import LINES_ABOVE, TextTable
from turingstats.data.adapters.messages import make_error
from turingstats.data.distinct_values import encode_values


def read_sheet(path: str | Path, sheet: str | None = None) -> TextTable:
    """Read a sheet of a workbook, by default the only visible one with cells: the values that Excel saved."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        pages = {page.title: page for page in book.worksheets}
        tables = {name: list_cells(page) for name, page in pages.items() if sheet in (None, name)}
        visible = [name for name in tables if pages[name].sheet_state == "visible" and tables[name]]
        visible = visible or [name for name in tables if tables[name]]
        book.close()
    except (ValueError, OSError):
        raise
    except Exception as error:
        if zipfile.is_zipfile(path) and "chartsheets" in " ".join(zipfile.ZipFile(path).namelist()):
            raise make_error(path, "chart_sheet") from None
        # Damaged workbooks fail in many ways, deep inside zip, XML and dates.
        raise ValueError(f"it is not a workbook: {error}") from None
    if (sheet is None and len(visible) > 1) or (sheet is not None and sheet not in pages):
        problem = "it has several sheets" if sheet is None else "it has no such sheet"
        where = {"value": sheet, "allowed": visible if sheet is None else list(pages)}
        raise make_error(path, "several_sheets", problem=problem, **where)
    if not visible:
        raise ValueError("the sheet is empty")
    (name,) = visible
    rows = tables[name]
    refuse_formulas_without_values(path, name, rows)
    # A title fills one cell, which may be merged with others.
    filled = [sum(map(bool, cells)) for cells in rows[:LINES_ABOVE]]
    above = next((row for row, number in enumerate(filled) if number > 1), 0)
    header, *others = rows[above:]
    cells = pd.DataFrame(others, range(above + 2, len(rows) + 1), range(len(header)), dtype=object)
    return TextTable(header, cells, "", above)


def refuse_formulas_without_values(path: str | Path, sheet: str, rows: list[list[str]]) -> None:
    """Refuse formulas whose values no program has saved: their cells look empty."""
    import openpyxl

    with zipfile.ZipFile(path) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        if not any(b"<f" in archive.read(name) for name in sheets):
            return
    book = openpyxl.load_workbook(path, read_only=True)
    for number, cells in enumerate(list_cells(book[sheet]), start=1):
        values = rows[number - 1] if number <= len(rows) else []
        for place, formula in enumerate(cells, start=1):
            if formula.startswith("=") and not any(values[place - 1 : place]):
                column = openpyxl.utils.get_column_letter(place)
                where = {"row": number, "column": column, "value": formula}
                raise make_error(path, "unsaved_formula", **where)
    book.close()


def list_cells(page: Any) -> list[list[str]]:
    """List the cells of a sheet as rows of text of equal length."""
    # Some programs write a wrong size.
    page.reset_dimensions()
    rows = [[write_value(value) for value in cells] for cells in page.iter_rows(values_only=True)]
    while rows and not any(rows[-1]):
        rows.pop()
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def read_parquet(path: str | Path) -> TextTable:
    """Read a parquet table."""
    table = pq.read_table(path)
    columns = {place: encode_column(column) for place, column in enumerate(table.columns)}
    cells = pd.DataFrame(columns, range(2, len(table) + 2))
    return TextTable(table.column_names, cells, "", 0)


def encode_column(column: Any) -> pd.Categorical:
    """Convert a column of pyarrow to categories of texts: a Python value for each distinct cell, so that no
    type is rounded or replaced by another."""
    if pa.types.is_nested(column.type):
        return encode_values([*map(write_value, column.to_pylist())])
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    codes = column.indices.fill_null(len(column.dictionary)).to_numpy(zero_copy_only=False)
    # Values that differ may be written alike.
    texts = encode_values([*map(write_value, column.dictionary.to_pylist()), ""])
    return pd.Categorical.from_codes(texts.codes[codes], texts.categories)


def write_value(value: Any) -> str:
    """Write a value of a cell as text: whole numbers without decimals, nothing where it is missing."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
