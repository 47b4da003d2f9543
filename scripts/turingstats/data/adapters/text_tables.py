"""Tables of text: CSV in the spellings of spreadsheets, read strictly, row by row.

What could be read in two ways is an error that names its row: an open quote, a row that is cut short, bytes
of two encodings.
"""

import codecs
import csv
import functools
import io
import re
import sys
from pathlib import Path

from turingstats.core.errors import InputError

SAVE = "save it as CSV in UTF-8, as xlsx or as parquet"
MARKS = {b"\x1f\x8b": "a gzip archive", b"PK\x03\x04": "a zip archive or workbook"}
MARKS |= {b"PAR1": "a parquet table", b"\xd0\xcf\x11\xe0": "a workbook of an old format (xls)"}
MARKS |= {b"%PDF": "a PDF", b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive"}
"""How files of other kinds begin."""
SEVERAL_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
"""Letters of UTF-8 that make no sense in Windows-1252."""


def read_text(path):
    """Read a text table: UTF-8, UTF-16 with a mark, or Windows-1252, as Excel saves it in western Europe.

    Raises
    ------
    InputError
        The file is not text, or holds bytes of two encodings.
    """
    content = Path(path).read_bytes()
    kind = next((kind for mark, kind in MARKS.items() if content.startswith(mark)), None)
    if kind:
        raise InputError(path, f"not a table of text, but {kind}", fix=SAVE)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name, fault = "utf-16", None
    else:
        name, fault = "utf-8-sig", find_fault(content, "utf-8-sig")
        if fault is not None:
            name = "cp1252"
            both = SEVERAL_BYTES.search(content)
            fault = fault if both else find_fault(content, name)
    fault = find_fault(content, name) if fault is None else fault
    if fault is not None:
        raise InputError(
            path,
            "bytes that are not text, or text of two encodings",
            row=f"line {count_lines(content[:fault])}",
            value=content[max(fault - 10, 0) : fault + 10],
            fix=SAVE,
        )
    text = content.decode(name)
    if "\0" in text:
        line = count_lines(text[: text.index("\0")].encode())
        raise InputError(path, "not text: it holds NUL characters", row=f"line {line}", fix=SAVE)
    return text


def find_fault(content, encoding):
    """Find the place of the first byte that an encoding does not allow; None if there is none."""
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return None


def count_lines(content):
    """Count the lines that have begun in some bytes."""
    return len(re.findall(rb"\r\n|\r|\n", content)) + 1


def detect_delimiter(text):
    """Detect the delimiter of a table: the most frequent candidate in its header, outside quotes."""
    header = re.sub(r'"[^"]*("|$)', "", re.split(r"[\r\n]", text, maxsplit=1)[0])
    return max(",;\t|", key=header.count)


def read_delimiter(path):
    """Read which delimiter a table has."""
    return load_delimiter(str(path), Path(path).stat().st_mtime_ns)


@functools.lru_cache(maxsize=16)
def load_delimiter(path, _changed):
    """Load the delimiter for `read_delimiter`; a file that was changed is loaded again."""
    return detect_delimiter(read_text(path))


def list_rows(path):
    """Yield the header and the rows of a table as lists of text.

    Raises
    ------
    InputError
        A quote is never closed, or is followed by other text.
    """
    # Texts of any length are allowed, also in columns that are not read.
    csv.field_size_limit(sys.maxsize)
    text = read_text(path)
    stream = io.StringIO(text, newline="")
    reader, row = csv.reader(stream, delimiter=detect_delimiter(text), strict=True), 0
    while True:
        row += 1
        try:
            cells = next(reader)
        except StopIteration:
            if not text.endswith(("\n", "\r")):
                print(
                    f"{path}: its last line has no end; check that the table is not cut short there"
                )
            return
        except csv.Error as error:
            raise InputError(
                path,
                f"not a row of a table ({error}): a quote is not closed, or not doubled inside a cell",
                row=row,
                fix='close the quote; inside a cell in quotes, write each quote twice: ""',
            ) from None
        yield cells


def list_names(path):
    """List the names in the header of a table; see `turingstats.data.adapters.table_files`."""
    return next(list_rows(path), [])


def name_column(name, place):
    """Name a column; one without a name as pandas does."""
    return name or f"Unnamed: {place}"


def is_unnamed(name):
    """Tell whether a column has no name of its own: the header ends with a delimiter, and rows may not."""
    return re.fullmatch(r"Unnamed: \d+", name) is not None


def read_columns(path, header, wanted):
    """Read columns of a table.

    Parameters
    ----------
    path : path-like
    header, wanted : list of str

    Returns
    -------
    columns : list of list of str
        One per name in `wanted`; empty lines are rows, so that rows keep their numbers in the file.
    filled : list of bool
        Whether each row holds anything, in any column.

    Raises
    ------
    InputError
        A row has more cells than the header, or fewer.
    """
    width, places = len(header), [header.index(name) for name in wanted]
    columns, filled, rows = [[] for _ in wanted], [], list_rows(path)
    next(rows, None)
    for row, cells in enumerate(rows, start=2):
        is_filled = any(map(str.strip, cells))
        filled.append(is_filled)
        if len(cells) != width:
            if any(cells[width:]):
                raise InputError(
                    path,
                    f"a row of {len(cells)} cells, where there are {width} columns",
                    row=row,
                    fix="put cells that contain the delimiter in quotes, such as those with decimal "
                    "commas; or separate the columns with semicolons",
                )
            absent = [name for name in header[len(cells) :] if not is_unnamed(name)]
            if absent and is_filled:
                raise InputError(
                    path,
                    f"a row of {len(cells)} cells, where there are {width} columns: it may be cut short",
                    row=row,
                    column=", ".join(absent[:8]),
                    fix="complete the row; an empty cell at its end needs its delimiter, too",
                )
            cells = cells + [""] * (width - len(cells))
        for column, place in zip(columns, places, strict=True):
            column.append(cells[place])
    return columns, filled
