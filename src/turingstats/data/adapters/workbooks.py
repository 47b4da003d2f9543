"""Tables in xlsx workbooks: the values that Excel saved, as text."""

import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd

from turingstats.core.errors import InputError
from turingstats.core.text_tables import LINES_ABOVE

FORMULA, MERGED = (re.compile(rb"<(\w+:)?%s[ />]" % name) for name in (b"f", b"mergeCell"))
FAULTS = {
    "unsaved": (
        "a formula without a result: the program that wrote it did not compute it",
        "open the workbook in Excel or LibreOffice and save it, or replace formulas by their results",
    ),
    "merged": (
        "merged cells, of which only the first one holds the value",
        "unmerge them, and fill in each cell",
    ),
}
Faults = dict[tuple[int, int], tuple[str, str]]
"""Cells without a usable value, by row and column from 0: their kind of fault and what they hold."""


def read_sheet(
    path: str | Path, sheet: str | None = None
) -> tuple[list[str], pd.DataFrame, dict[int, InputError], int]:
    """Read the header of a sheet, its cells by place, by place why a column cannot be read, and how many
    rows are above the header.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = [name for name in archive.namelist() if "/worksheets/" in name]
            content = [archive.read(part) for part in parts]
        merged = any(map(MERGED.search, content))
        # Only a workbook that is read as a whole says which cells are merged.
        book = openpyxl.load_workbook(path, read_only=not merged, data_only=True)
        names = [page.title for page in book.worksheets]
        chosen = sheet if sheet is not None else names[0]
        if chosen in names and (sheet is not None or len(names) == 1):
            rows = list_cells(book[chosen])
            found = find_merged(book[chosen]) if merged else {}
            if any(map(FORMULA.search, content)):
                written = openpyxl.load_workbook(path, read_only=True)
                found |= find_unsaved(written[chosen], rows)
                written.close()
        book.close()
    except (ValueError, OSError):
        raise
    except Exception as error:
        # Damaged workbooks fail in many ways, deep inside zip, XML and dates.
        raise ValueError(f"it is not a workbook: {error}") from None
    if chosen not in names or (sheet is None and len(names) > 1):
        raise InputError(
            path,
            "it has several sheets" if sheet is None else "it has no such sheet",
            value=sheet,
            allowed=names,
            fix="say which one holds the table, with sheet: its name (for snakemake init: "
            'table="{sheet: its name}")',
        )
    if not rows:
        raise ValueError("the sheet is empty")
    # A title fills one cell, which may be merged with others.
    filled = [sum(map(bool, cells)) for cells in rows[:LINES_ABOVE]]
    above = next((row for row, number in enumerate(filled) if number > 1), 0)
    header, *others = rows[above:]
    faults: dict[int, InputError] = {}
    for row, column in sorted(place for place in found if place[0] >= above):
        kind, value = found[row, column]
        problem, fix = FAULTS[kind]
        name = header[column]
        error = InputError(path, problem, row=row + 1, column=name, value=value, fix=fix)
        faults.setdefault(column, error)
    cells = pd.DataFrame(others, range(above + 2, len(rows) + 1), range(len(header)), dtype=object)
    return header, cells, faults, above


def list_cells(page: Any) -> list[list[str]]:
    """List the cells of a sheet as rows of text of equal length."""
    if hasattr(page, "reset_dimensions"):
        # Some programs write a wrong size.
        page.reset_dimensions()
    rows = [[write_value(value) for value in cells] for cells in page.iter_rows(values_only=True)]
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def find_merged(page: Any) -> Faults:
    """Find the cells of merged ranges, except the first ones of each."""
    return {
        (row - 1, column - 1): ("merged", str(area))
        for area in page.merged_cells.ranges
        for row, column in list(area.cells)[1:]
    }


def find_unsaved(page: Any, rows: list[list[str]]) -> Faults:
    """Find formulas whose results were not saved."""
    page.reset_dimensions()
    return {
        (number, place): ("unsaved", str(cell.value))
        for number, cells in enumerate(page.iter_rows())
        for place, cell in enumerate(cells)
        if cell.data_type == "f" and rows[number][place] == ""
    }


def write_value(value: Any) -> str:
    """Write a value of a cell as text: whole numbers without decimals, nothing where it is missing."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
