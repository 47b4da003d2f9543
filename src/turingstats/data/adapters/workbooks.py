"""Tables in xlsx workbooks: the values that Excel saved, as text."""

import functools
import re
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl

from turingstats.core.errors import InputError

LARGEST = 2_000_000_000
"""Maximum number of bytes that a workbook may unpack to."""
FORMULA, MERGED = (re.compile(rb"<(\w+:)?%s[ />]" % name) for name in (b"f", b"mergeCell"))
FAULTS = {
    "error": ("the result of a formula is an error", "correct the formula, or empty the cell"),
    "unsaved": (
        "a formula without a result: the program that wrote it did not compute it",
        "open the workbook in Excel or LibreOffice and save it, or replace formulas by their results",
    ),
    "merged": (
        "merged cells, of which only the first one holds the value",
        "unmerge them, and fill in each cell",
    ),
}


class Sheet(NamedTuple):
    """A sheet of a workbook."""

    rows: list[list[str]]
    """The first has the names of the columns."""
    faults: dict[tuple[int, int], tuple[str, str]]
    """By place in `rows`: cells without a usable value, their kind of fault and what they hold."""


def read_sheet(path: str | Path, sheet: str | None = None) -> Sheet:
    """Read a sheet of a workbook."""
    return load_sheet(str(path), sheet, Path(path).stat().st_mtime_ns)


@functools.lru_cache(maxsize=4)
def load_sheet(path: str, sheet: str | None, _changed: int) -> Sheet:
    """Load a sheet for `read_sheet`; a file that was changed is loaded again."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = [part for part in archive.infolist() if "/worksheets/" in part.filename]
            if sum(part.file_size for part in archive.infolist()) > LARGEST:
                raise ValueError("it unpacks to more than 2 GB")
            content = [archive.read(part) for part in parts]
        merged = any(map(MERGED.search, content))
        # Only a workbook that is read as a whole says which cells are merged.
        book = openpyxl.load_workbook(path, read_only=not merged, data_only=True)
        names = [page.title for page in book.worksheets]
        chosen = sheet if sheet is not None else names[0]
        if chosen in names and (sheet is not None or len(names) == 1):
            rows, faults = list_cells(book[chosen])
            if merged:
                faults |= find_merged(book[chosen])
            if any(map(FORMULA.search, content)):
                written = openpyxl.load_workbook(path, read_only=True)
                faults |= find_unsaved(written[chosen], rows)
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
    return Sheet(rows, faults)


def list_cells(page: Any) -> tuple[list[list[str]], dict[tuple[int, int], tuple[str, str]]]:
    """List the cells of a sheet as rows of text of equal length, and find those with errors."""
    if hasattr(page, "reset_dimensions"):
        # Some programs write a wrong size.
        page.reset_dimensions()
    rows, faults = [], {}
    for number, cells in enumerate(page.iter_rows()):
        rows.append([write_value(cell.value) for cell in cells])
        for place, cell in enumerate(cells):
            if cell.data_type == "e":
                faults[number, place] = "error", str(cell.value)
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows], faults


def find_merged(page: Any) -> dict[tuple[int, int], tuple[str, str]]:
    """Find the cells of merged ranges, except the first ones of each."""
    return {
        (row - 1, column - 1): ("merged", str(area))
        for area in page.merged_cells.ranges
        for row, column in list(area.cells)[1:]
    }


def find_unsaved(page: Any, rows: list[list[str]]) -> dict[tuple[int, int], tuple[str, str]]:
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


def refuse_faults(path: str | Path, sheet: Sheet, places: Collection[int]) -> None:
    """Refuse a sheet with a cell without a usable value in one of the columns that are read."""
    mine = [place for place in sorted(sheet.faults) if place[1] in places]
    if mine:
        row, column = mine[0]
        kind, found = sheet.faults[mine[0]]
        problem, fix = FAULTS[kind]
        name = sheet.rows[0][column]
        raise InputError(path, problem, row=row + 1, column=name, value=found, fix=fix)
