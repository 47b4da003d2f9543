"""Tables of text: CSV in the spellings of spreadsheets, read strictly.

What could be read in two ways is an error that names its row: an open quote, a row that is cut short, bytes
of two encodings.
"""

import codecs
import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from turingstats.core.errors import InputError

SAVE = "save it as CSV in UTF-8, as xlsx or as parquet"
MARKS = {b"\x1f\x8b": "a gzip archive", b"PK\x03\x04": "a zip archive or workbook"}
MARKS |= {b"PAR1": "a parquet table", b"\xd0\xcf\x11\xe0": "a workbook of an old format (xls)"}
MARKS |= {b"%PDF": "a PDF", b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive"}
"""How files of other kinds begin."""
SEVERAL_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
"""Letters of UTF-8 that make no sense in Windows-1252."""
DELIMITERS = ",;\t|"
DECLARED = re.compile(r'"?sep=(.)"?')
"""The first line of Excel's own that names the delimiter."""
LINES_ABOVE = 20
"""Maximum number of lines above the header, such as a title or comments."""


class TextRows(NamedTuple):
    """The rows of a table of text."""

    header: list[str]
    rows: Iterator[tuple[int, list[str]]]
    """Number in the file of each row that is not empty, and its cells, as many as the header has."""
    delimiter: str
    skipped: int
    """Number of lines above the header."""


def read_rows(path: str | Path) -> TextRows:
    """Read the rows of a table; an empty file has no header."""
    text = read_text(path)
    skipped, delimiter = find_header(text)
    stream = io.StringIO(text, newline="")
    for _ in range(skipped):
        stream.readline()
    rows = list_rows(stream, delimiter, path, skipped)
    _, header = next(rows, (0, []))
    return TextRows(header, fit_rows(rows, header, path), delimiter, skipped)


def read_text(path: str | Path) -> str:
    """Read a text in UTF-8, UTF-16 with a mark, or Windows-1252, as Excel saves it."""
    content = Path(path).read_bytes()
    kind = next((kind for mark, kind in MARKS.items() if content.startswith(mark)), None)
    if kind:
        raise InputError(path, f"not a table of text, but {kind}", fix=SAVE)
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        try:
            if marked or SEVERAL_BYTES.search(content):
                raise error
            text = content.decode("cp1252")
        except UnicodeDecodeError as error:
            raise InputError(
                path,
                "bytes that are not text, or text of two encodings",
                row=f"line {count_lines(content[: error.start])}",
                value=content[max(error.start - 10, 0) : error.start + 10],
                fix=SAVE,
            ) from None
    if "\0" in text:
        line = count_lines(text[: text.index("\0")].encode())
        raise InputError(path, "not text: it holds NUL characters", row=f"line {line}", fix=SAVE)
    return text


def count_lines(content: bytes) -> int:
    """Count the lines that have begun in some bytes."""
    return len(re.findall(rb"\r\n|\r|\n", content)) + 1


def find_header(text: str) -> tuple[int, str]:
    """Find how many lines are above the header, and the delimiter.

    Above it may be empty lines, `sep=;`, comments with #, and a title: lines with fewer delimiters than one
    below them, if they have none or begin with #. The delimiter is the most frequent candidate in the header.
    """
    lines = re.split(r"\r\n|\r|\n", text[:1_000_000], maxsplit=LINES_ABOVE)[:LINES_ABOVE]
    # Delimiters in quotes do not count.
    bare = [re.sub(r'"[^"]*("|$)', "", line) for line in lines]
    numbers = [sum(map(line.count, DELIMITERS)) for line in bare]
    declared = [DECLARED.fullmatch(line) for line in lines]
    skipped = 0
    while skipped < len(lines) - 1 and (
        declared[skipped]
        or (
            (numbers[skipped] == 0 or lines[skipped].startswith("#"))
            and numbers[skipped] < max(numbers[skipped + 1 :])
        )
    ):
        skipped += 1
    named = next((match[1] for match in declared[:skipped] if match), None)
    return skipped, named or max(DELIMITERS, key=bare[skipped].count)


def list_rows(
    stream: io.StringIO, delimiter: str, path: str | Path, row: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbers and cells of the rows after line `row`; a quote that is left open is an error."""
    # Texts of any length are allowed, also in columns that are not read.
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    try:
        for row, cells in enumerate(reader, row + 1):  # noqa: B020
            yield row, cells
    except csv.Error as error:
        raise InputError(
            path,
            f"not a row of a table ({error}): a quote is not closed, or not doubled inside a cell",
            row=row + 1,
            fix='close the quote; inside a cell in quotes, write each quote twice: ""',
        ) from None


def fit_rows(
    rows: Iterator[tuple[int, list[str]]], header: list[str], path: str | Path
) -> Iterator[tuple[int, list[str]]]:
    """Fit rows to the header; only empty cells, and those of columns without a name, may be absent."""
    width = len(header)
    for row, cells in rows:
        if len(cells) == width and cells[0].strip():
            yield row, cells
            continue
        if len(cells) > width and any(cells[width:]):
            raise InputError(
                path,
                f"a row of {len(cells)} cells, where there are {width} columns",
                row=row,
                fix="put cells that contain the delimiter in quotes, such as those with decimal "
                "commas; or separate the columns with semicolons; remove a title above the header",
            )
        if not any(map(str.strip, cells)):
            continue
        absent = [name for name in header[len(cells) :] if name]
        if absent:
            raise InputError(
                path,
                f"a row of {len(cells)} cells, where there are {width} columns: it may be cut short",
                row=row,
                column=", ".join(absent[:8]),
                fix="complete the row; an empty cell at its end needs its delimiter, too",
            )
        yield row, (cells + [""] * (width - len(cells)))[:width]
