"""Tables of text: CSV in the spellings of spreadsheets, read strictly.

What could be read in two ways is an error that names its row: an open quote, a row that is cut short, bytes
of two encodings.
"""

import codecs
import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.csv as csv_of_arrow

from turingstats.core.errors import InputError, word_error
from turingstats.core.yaml_models import read_mapping

SAVE = "save it as CSV in UTF-8, as xlsx or as parquet"
GZIP = b"\x1f\x8b"
LARGEST = 2**32
"""Maximum number of bytes of an unpacked file."""
MARKS = {b"PK\x03\x04": "a zip archive or workbook"}
MARKS |= {b"PAR1": "a parquet table", b"\xd0\xcf\x11\xe0": "a workbook of an old format (xls)"}
MARKS |= {b"%PDF": "a PDF", b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive"}
"""How files of other kinds begin."""
WEB_PAGE = re.compile(
    rb"\s*(\xef\xbb\xbf)?\s*<(!doctype|html|head|table|meta|\?xml)", re.IGNORECASE
)
SEVERAL_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
"""Letters of UTF-8 that make no sense in Windows-1252."""
DELIMITERS = ",;\t|"
DECLARED = re.compile(r'"?sep=(.)"?')
"""The first line of Excel's own that names the delimiter."""
MAX_COLUMNS = 5000
"""Maximum number of columns."""
LINES_ABOVE = 20
"""Maximum number of lines above the header, such as a title or comments."""
BEGINNING, BLOCK = 1_000_000, 16_000_000
"""Number of letters in which the header ends, and bytes that are read at once."""


MESSAGES = read_mapping(Path(__file__).with_suffix(".yaml"))


def make_error(path: str | Path, name: str, /, **facts: Any) -> InputError:
    """Make an error about a file."""
    return word_error(MESSAGES[name], path, save=SAVE, **facts)


class TextTable(NamedTuple):
    """A table of text."""

    header: list[str]
    cells: pd.DataFrame
    """Text, as categories or objects, by place in the header; the index is the row in the file."""
    delimiter: str
    skipped: int
    """Number of lines above the header."""
    encoding: str = ""
    """Of a file that is not in UTF-8 or UTF-16."""


def read_cells(path: str | Path) -> TextTable:
    """Read the cells of a table; an empty file has no header."""
    text, encoding = decode_text(path)
    skipped, delimiter = find_header(text)
    stream = io.StringIO(text[:BEGINNING], newline="")
    for _ in range(skipped):
        stream.readline()
    header = next(parse_rows(stream, delimiter, path, skipped + 1), [])
    if not header:
        return TextTable([], pd.DataFrame(), delimiter, skipped, encoding)
    refuse_many_columns(path, header)
    body = text[stream.tell() :].rstrip("\r\n")
    # Arrow does not know quotes after blanks, as in "a", "b".
    is_spaced = re.search(rf"{re.escape(delimiter)} +\"", body)
    cells = None if is_spaced else read_regular_rows(body, delimiter, len(header))
    if cells is None or '"' in body:
        # The csv module reads strictly, and says in which row, but Arrow in a fraction of the time.
        first = skipped + 2
        rows = parse_rows(io.StringIO(body, newline=""), delimiter, path, first)
        fitted = [fit_row(row, header, path, at) for at, row in enumerate(rows, first)]
        if cells is None:
            cells = pd.DataFrame(fitted, columns=range(len(header)), dtype=object)
    cells = cells.set_axis(cells.index + skipped + 2)
    return TextTable(header, cells, delimiter, skipped, encoding)


def refuse_many_columns(path: str | Path, header: list[str]) -> None:
    """Refuse a table with far more columns than a study has, each of which costs time."""
    if len(header) > MAX_COLUMNS:
        raise make_error(path, "many_columns", number=len(header))


def read_regular_rows(body: str, delimiter: str, width: int) -> pd.DataFrame | None:
    """Read rows that all have as many cells as the header; None if some have not, or a cell is very long."""
    texts = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(width)]
    try:
        table = csv_of_arrow.read_csv(
            io.BytesIO(body.encode()),
            csv_of_arrow.ReadOptions(use_threads=False, block_size=BLOCK, column_names=names),
            csv_of_arrow.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            csv_of_arrow.ConvertOptions(column_types=dict.fromkeys(names, texts)),
        )
    except pa.ArrowInvalid:
        return None
    columns = [column.unify_dictionaries().combine_chunks() for column in table.columns]
    return pd.DataFrame(
        {
            place: pd.Categorical.from_codes(
                column.indices.to_numpy(), pd.Index(column.dictionary.to_pylist(), dtype=str)
            )
            for place, column in enumerate(columns)
        }
    )


def read_text(path: str | Path) -> str:
    """Read a text of any known encoding; see `decode_text`."""
    return decode_text(path)[0]


def read_bytes(path: str | Path) -> bytes:
    """Read a file, unpacked if it is a gzip archive."""
    try:
        content = Path(path).read_bytes()
        if content.startswith(GZIP):
            with gzip.open(path) as unpacked:
                content = unpacked.read(LARGEST)
                if unpacked.read(1):
                    raise make_error(path, "too_large")
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise make_error(path, "unreadable", why=why) from None
    return content


def decode_text(path: str | Path) -> tuple[str, str]:
    """Read a text in UTF-8, UTF-16 with a mark, or as Excel saves it, Windows-1252 or (Cyrillic) 1251.

    Returns the text, and the encoding if it is one of Windows.
    """
    content, encoding = read_bytes(path), ""
    kind = next((kind for mark, kind in MARKS.items() if content.startswith(mark)), None)
    if WEB_PAGE.match(content[:200]):
        kind = "a web page (HTML or XML), as some programs save it under the name .xls"
    if kind:
        raise make_error(path, "other_kind", kind=kind)
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        try:
            if marked or SEVERAL_BYTES.search(content):
                raise error
            encoding = "cp1251" if is_cyrillic(content) else "cp1252"
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            row = f"line {count_lines(content[: error.start])}"
            value = content[max(error.start - 10, 0) : error.start + 10]
            raise make_error(path, "two_encodings", row=row, value=value) from None
    if "\0" in text:
        line = count_lines(text[: text.index("\0")].encode())
        raise make_error(path, "nul", row=f"line {line}")
    return text, encoding


def is_cyrillic(content: bytes) -> bool:
    """Tell whether most letters beyond ASCII stand beside others, as in words of Cyrillic letters only."""
    words = re.findall(rb"[\xa8\xb8\xc0-\xff]+", content)
    return sum(len(word) for word in words if len(word) > 1) > sum(map(len, words)) / 2


def count_lines(content: bytes) -> int:
    """Count the lines that have begun in some bytes."""
    return len(re.findall(rb"\r\n|\r|\n", content)) + 1


def find_header(text: str) -> tuple[int, str]:
    """Find how many lines are above the header, and the delimiter.

    Above it may be empty lines, `sep=;`, comments with #, and a title: lines with fewer delimiters than one
    below them, if they have none or begin with #. The delimiter is the most frequent candidate in the header.
    """
    lines = re.split(r"\r\n|\r|\n", text[:BEGINNING], maxsplit=LINES_ABOVE)[:LINES_ABOVE]
    # Delimiters in quotes do not count, nor do those of empty cells with which Excel fills up a title.
    bare = [re.sub(r'"[^"]*("|$)', '""', line) for line in lines]
    numbers = [sum(map(line.rstrip(DELIMITERS).count, DELIMITERS)) for line in bare]
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


def parse_rows(
    stream: io.StringIO, delimiter: str, path: str | Path, first: int
) -> Iterator[list[str]]:
    """Yield the cells of each row, the first of which has a number; a quote that is left open is an error."""
    # Texts of any length are allowed, also in columns that are not read.
    csv.field_size_limit(sys.maxsize)
    row = first
    try:
        for cells in csv.reader(
            stream, delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t"
        ):
            yield cells
            row += 1
    except csv.Error as error:
        raise make_error(path, "open_quote", row=row, error=error) from None


def fit_row(cells: list[str], header: list[str], path: str | Path, row: int) -> list[str]:
    """Fit a row to the header; cells beyond it must be empty, and absent ones of columns without a name.

    Empty rows fit, too.
    """
    width = len(header)
    if len(cells) == width:
        return cells
    if any(cells[width:]):
        raise make_error(path, "many_cells", row=row, number=len(cells), width=width)
    absent = [name for name in header[len(cells) :] if name]
    if absent and any(map(str.strip, cells)):
        where = {"row": row, "column": ", ".join(absent[:8])}
        raise make_error(path, "few_cells", number=len(cells), width=width, **where)
    return (cells + [""] * width)[:width]
