"""Tables of text: CSV in the spellings of spreadsheets, read strictly.

What could be read in two ways is an error that names its row: an open quote, a row that is cut short, bytes
of two encodings.
"""

import codecs
import csv
import functools
import io
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
from pandas.api.types import union_categoricals

from turingstats.core.errors import InputError
from turingstats.data.distinct_values import encode_values

SAVE = "save it as CSV in UTF-8, as xlsx or as parquet"
MARKS = {b"\x1f\x8b": "a gzip archive", b"PK\x03\x04": "a zip archive or workbook"}
MARKS |= {b"PAR1": "a parquet table", b"\xd0\xcf\x11\xe0": "a workbook of an old format (xls)"}
MARKS |= {b"%PDF": "a PDF", b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive"}
"""How files of other kinds begin."""
SEVERAL_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
"""Letters of UTF-8 that make no sense in Windows-1252."""
BLOCK = 2**25
"""Bytes, or letters, of a file that are looked at together; no row is longer."""


class TextForm(NamedTuple):
    """How the text of a table is written."""

    encoding: str
    delimiter: str
    has_quotes: bool
    """Some cells below the header may be in quotes."""
    has_end: bool
    """The last line has an end."""


def read_form(path: str | Path) -> TextForm:
    """Read how a text table is written; a file that was changed is looked at again."""
    return load_form(str(path), Path(path).stat().st_mtime_ns)


@functools.lru_cache(maxsize=16)
def load_form(path: str, _changed: int) -> TextForm:
    """Load how a text is written: UTF-8, UTF-16 with a mark, or Windows-1252, as Excel saves it."""
    with open(path, "rb") as stream:
        start = stream.read(8)
    kind = next((kind for mark, kind in MARKS.items() if start.startswith(mark)), None)
    if kind:
        raise InputError(path, f"not a table of text, but {kind}", fix=SAVE)
    marked = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if marked else "utf-8-sig"
    fault = find_fault(path, encoding)
    if fault is not None and not marked and not SEVERAL_BYTES.search(Path(path).read_bytes()):
        encoding = "cp1252"
        fault = find_fault(path, encoding)
    if fault is not None:
        content = Path(path).read_bytes()
        raise InputError(
            path,
            "bytes that are not text, or text of two encodings",
            row=f"line {count_lines(content[:fault])}",
            value=content[max(fault - 10, 0) : fault + 10],
            fix=SAVE,
        )
    has_quotes, last, lines = False, "", 1
    with open(path, encoding=encoding, newline="") as stream:
        header = stream.readline()
        stream.seek(0)
        while block := stream.read(BLOCK):
            if "\0" in block:
                lines += count_lines(block[: block.index("\0")].encode()) - 1
                raise InputError(
                    path, "not text: it holds NUL characters", row=f"line {lines}", fix=SAVE
                )
            has_quotes |= '"' in (block if last else block[len(header) :])
            last = block[-1]
            lines += block.count("\n")
    return TextForm(encoding, detect_delimiter(header), has_quotes, last in ("\n", "\r"))


def find_fault(path: str | Path, encoding: str) -> int | None:
    """Find the place of the first byte that an encoding does not allow; None if there is none."""
    decoder, place = codecs.getincrementaldecoder(encoding)(), 0
    with open(path, "rb") as stream:
        while True:
            block, held = stream.read(BLOCK), len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return place - held + error.start
            if not block:
                return None
            place += len(block)


def count_lines(content: bytes) -> int:
    """Count the lines that have begun in some bytes."""
    return len(re.findall(rb"\r\n|\r|\n", content)) + 1


def detect_delimiter(header: str) -> str:
    """Detect the delimiter of a table: the most frequent candidate in its first line, outside quotes."""
    header = re.sub(r'"[^"]*("|$)', "", header)
    return max(",;\t|", key=header.count)


def list_rows(path: str | Path) -> Iterator[list[str]]:
    """Yield the header and the rows of a table as lists of text."""
    # Texts of any length are allowed, also in columns that are not read.
    csv.field_size_limit(sys.maxsize)
    form, row = read_form(path), 0
    with open(path, encoding=form.encoding, newline="") as stream:
        reader = csv.reader(stream, delimiter=form.delimiter, strict=True)
        while True:
            row += 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise InputError(
                    path,
                    f"not a row of a table ({error}): a quote is not closed, or not doubled inside a cell",
                    row=row,
                    fix='close the quote; inside a cell in quotes, write each quote twice: ""',
                ) from None
            yield cells


def list_names(path: str | Path) -> list[str]:
    """List the names in the header of a table; see `turingstats.data.adapters.table_files`."""
    return next(list_rows(path), [])


def name_column(name: str, place: int) -> str:
    """Name a column; one without a name as pandas does."""
    return name or f"Unnamed: {place}"


def is_unnamed(name: str) -> bool:
    """Tell whether a column has no name of its own: the header ends with a delimiter, and rows may not."""
    return re.fullmatch(r"Unnamed: \d+", name) is not None


def read_columns(
    path: str | Path, header: list[str], wanted: Sequence[str]
) -> tuple[list[pd.Categorical], np.ndarray]:
    """Read columns of a table."""
    form = read_form(path)
    if form.has_quotes:
        # pyarrow is lenient with quotes.
        deque(list_rows(path), maxlen=0)
    if not form.has_end:
        print(f"{path}: its last line has no end; check that the table is not cut short there")
    places = [header.index(name) for name in wanted]
    columns = read_places(path, form, header, places)
    filled = find_filled(columns)
    if not filled.all() or not columns:
        others = [place for place in range(len(header)) if place not in places]
        others = read_places(path, form, header, others)
        filled = find_filled(others) | (filled if columns else False)
    return columns, filled


def find_filled(columns: Sequence[pd.Categorical]) -> np.ndarray:
    """Find the rows that hold anything in columns, each a `pandas.Categorical`."""
    filled = [
        np.array([bool(value.strip()) for value in cells.categories], bool)[cells.codes]
        for cells in columns
    ]
    return np.logical_or.reduce(filled)


def read_places(
    path: str | Path, form: TextForm, header: list[str], places: Sequence[int]
) -> list[pd.Categorical]:
    """Read the columns at some places of a table; see `read_columns`."""
    rows = list_rows(path)
    next(rows, None)
    if next(rows, None) is None or not places:
        return [encode_values([]) for _ in places]
    odd = OddRows(path, form, header)
    kind = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(len(header))]
    wanted = [names[place] for place in places]
    try:
        table = pyarrow.csv.read_csv(
            path,
            # Only one thread knows the numbers of rows.
            pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=BLOCK,
                column_names=names,
                skip_rows_after_names=1,
                encoding="utf-8" if form.encoding == "utf-8-sig" else form.encoding,
            ),
            pyarrow.csv.ParseOptions(
                delimiter=form.delimiter,
                newlines_in_values=form.has_quotes,
                ignore_empty_lines=False,
                invalid_row_handler=odd.take,
            ),
            pyarrow.csv.ConvertOptions(
                include_columns=wanted,
                column_types=dict.fromkeys(wanted, kind),
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        if odd.fault is None:
            raise
        raise odd.fault from None
    return [odd.insert(encode_column(table[name]), int(name)) for name in wanted]


def encode_column(column: Any) -> pd.Categorical:
    """Convert a column of pyarrow that is a dictionary to a categorical array."""
    column = column.unify_dictionaries().combine_chunks()
    codes, values = column.indices.to_numpy(), column.dictionary.to_pylist()
    return pd.Categorical.from_codes(codes, pd.Index(values, dtype=str))


class OddRows:
    """Rows that have more cells than there are columns, or fewer."""

    def __init__(self, path: str | Path, form: TextForm, header: list[str]) -> None:
        self.path, self.form, self.header = path, form, header
        self.rows: dict[int, list[str]] = {}
        self.fault: InputError | None = None

    def take(self, row: Any) -> str:
        """Keep a row that pyarrow cannot read, if only empty cells are absent or too many."""
        lines = io.StringIO(row.text, newline="")
        cells = next(csv.reader(lines, delimiter=self.form.delimiter), [])
        try:
            self.rows[row.number] = self.fit_cells(row.number, cells)
        except InputError as error:
            self.fault = error
            return "error"
        return "skip"

    def fit_cells(self, row: int, cells: list[str]) -> list[str]:
        """Fit the cells of a row to the columns; raise `InputError` if one is too many or absent."""
        width = len(self.header)
        if any(cells[width:]):
            raise InputError(
                self.path,
                f"a row of {len(cells)} cells, where there are {width} columns",
                row=row,
                fix="put cells that contain the delimiter in quotes, such as those with decimal "
                "commas; or separate the columns with semicolons",
            )
        absent = [name for name in self.header[len(cells) :] if not is_unnamed(name)]
        if absent and any(map(str.strip, cells)):
            raise InputError(
                self.path,
                f"a row of {len(cells)} cells, where there are {width} columns: it may be cut short",
                row=row,
                column=", ".join(absent[:8]),
                fix="complete the row; an empty cell at its end needs its delimiter, too",
            )
        return (cells + [""] * (width - len(cells)))[:width]

    def insert(self, column: pd.Categorical, place: int) -> pd.Categorical:
        """Insert the cells of these rows into a column at a place."""
        if not self.rows:
            return column
        own = encode_values([cells[place] for cells in self.rows.values()])
        # The header is row 1.
        at = np.array(list(self.rows)) - 2
        number = np.arange(len(column) + len(at))
        order = np.argsort(np.concatenate([np.delete(number, at), at]))
        return union_categoricals([column, own]).take(order)
