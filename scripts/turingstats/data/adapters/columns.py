"""Read tables with arbitrary column names: only the columns that the sources file names.

A column that is not named there is never read, so that other contents of a table, such as identifiers,
addresses and browser strings, cannot reach any result.
"""

import codecs
import csv
from pathlib import Path

import pandas as pd

from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import schema

# Columns that a table of verdicts may have in place of a verdict.
ANSWERS = {
    "right": "whether the judge was right",
    "chosen": "of a choice: the item that the judge took for the person's",
    "human_at": "of a choice: the item that was the person's",
    "rt_s": "response time in seconds, in place of rt_ms",
}
WORDS = {
    "truth": schema.TRUTHS,
    "verdict": schema.VERDICTS,
    "perceived_gender": schema.GENDERS,
    "phase": schema.PHASES,
    "side": ("A", "B"),
    "right": ("yes", "no", "unsure"),
    "control_ok": ("yes", "no"),
}
MEANT = {
    "agent": "human",
    "truth": "human",
    "verdict": "unsure",
    "right": "unsure",
    "chosen": "unsure",
}
"""What an empty cell might mean."""
YES_NO = {"yes": "yes", "no": "no", "1": "yes", "0": "no", "true": "yes", "false": "no"}
WHOLE = ("trial", "position", "exchanges", "rt_ms")
NUMBERS = (*WHOLE, "rt_s", "confidence")
FEW = 6
"""Maximum number of values that are listed in a reason."""


def load_columns(file, folder, known, columns=None):
    """Read the named columns of a table, under the names of the data contract.

    Parameters
    ----------
    file : RawFile
        Its `columns`, `values` and `where` define what is read.
    folder : path-like
    known : collection of str
        Names of the contract that the table may hold.
    columns : dict, optional
        Names to read, in place of all `file.columns`.

    Returns
    -------
    table : pandas.DataFrame
        Text, None where a cell is empty; the index is the row in the file, where the header is row 1.
    left_out : pandas.DataFrame
        The rows that are not in `table`: `reason`, and `cohort` as in the file (None if it is not a
        column). Empty lines are not counted as rows.

    Raises
    ------
    ConfigError
        The sources file names a column that the contract does not have, or gives a value two meanings.
    InputError
        The file lacks a column, or holds a value that is not allowed.
    """

    path = Path(folder) / file.path
    columns = file.columns if columns is None else columns
    unknown = [name for name in (*columns, *file.values) if name not in known]
    if unknown:
        raise ConfigError(
            f"data/sources: {file.path}: columns or values for {', '.join(unknown)}, which no table "
            f"of this study has\n  allowed: {', '.join(known)}\n"
            "  fix:     name it as the data contract does (docs/your_own_data.md), or declare it under "
            "conditions or demographics of the study"
        )
    columns = drop_absent_columns(columns, file, path)
    known_values = {name: map_meanings(file, name) for name in columns}
    table = read_named_columns(path, [*columns.values(), *file.where])
    whole, reasons = table, []

    def leave_out(rows, reason):
        reasons.append(pd.Series(reason, index=table.index[rows], dtype=object))
        return table[~rows]

    table = leave_out(~(table != "").any(axis=1), "nothing in any column that is read")
    for column, wanted in file.where.items():
        # Values that may identify judges are never written out.
        hidden = column in list_private_columns(columns) or len(wanted) > FEW
        one_of = f"one of {len(wanted)} values" if hidden else " or ".join(wanted)
        table = leave_out(~table[column].isin(wanted), f"{column} is not {one_of} (where)")
    table = table[list(columns.values())].set_axis(list(columns), axis=1)
    table = table.where(table != "", None)
    for name, column in columns.items():
        lower = table[name].str.lower().fillna("")
        for value in file.values.get(name, {}):
            if known_values[name][normalize_spelling(value)] is None:
                shown = (
                    "a value left out"
                    if column in list_private_columns(columns)
                    else value.strip() or "empty"
                )
                rows = lower == normalize_spelling(value)
                table, lower = (
                    leave_out(rows, f"{column} is {shown} (null under values)"),
                    lower[~rows],
                )
        meant = lower.map(known_values[name]).where(lower.isin(known_values[name]), table[name])
        meant = meant.where(meant != "", None)
        table = table.assign(**{name: match_vocabulary(meant, name, column, path)})
    left_out = pd.concat(reasons).rename("reason").to_frame()
    cohort = whole[columns["cohort"]] if "cohort" in columns else pd.Series(None, whole.index)
    left_out = left_out.assign(cohort=cohort.reindex(left_out.index).astype(object))
    for reason, number in left_out["reason"].value_counts(sort=False).items():
        print(f"{number} {'row' if number == 1 else 'rows'} of {file.path} left out: {reason}")
    return table, left_out.sort_index()


def normalize_spelling(value):
    """Remove case and surrounding whitespace, which do not matter in a table."""
    return str(value).strip().lower()


def list_private_columns(columns):
    """List the columns of a file that may name people."""
    return {columns[name] for name in ("judge", "responder") if name in columns}


def map_meanings(file, name):
    """Map the values of a column, as from `normalize_spelling`, to their meanings."""
    by_spelling = {}
    for value, meaning in file.values.get(name, {}).items():
        if by_spelling.setdefault(normalize_spelling(value), meaning) != meaning:
            raise ConfigError(
                f"data/sources: {file.path}: values: {name}: {value!r} has two meanings, "
                f"{by_spelling[normalize_spelling(value)]} and {meaning}; case and surrounding blanks do not "
                "matter\n"
                "  fix:     keep one of them, or correct the table"
            )
    return by_spelling


def drop_absent_columns(columns, file, path):
    """Drop the optional columns that a table lacks, and print which."""
    if not file.optional or not path.is_file():
        return columns
    header = read_header(path)
    gone = [n for n in file.optional if n in columns and columns[n] not in header]
    if gone:
        print(f"{file.path} has no column of {', '.join(gone)}: not known")
    return {name: column for name, column in columns.items() if name not in gone}


def read_named_columns(path, wanted=None):
    """Read columns (by default all) of a CSV or parquet file as text.

    Rows that are empty in every column of the file are left out. All other rows are kept, even if the
    columns that are read are empty.

    Raises
    ------
    InputError
        The file cannot be read, or a column is missing or occurs several times.
    """

    try:
        header = read_header(path)
    except FileNotFoundError:
        raise InputError(path, "there is no such file", fix="correct its path or folder") from None
    except (UnicodeDecodeError, ValueError, OSError) as error:
        raise InputError(
            path, f"cannot be read as a table ({error})", fix="save it as CSV in UTF-8"
        ) from None
    wanted = list(dict.fromkeys(header if wanted is None else wanted))
    require_columns(
        path,
        header,
        wanted,
        "correct `columns` or `where` of this file in data/sources/",
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


def read_header(path):
    """Read the column names of a table; columns without a name are named as pandas does."""
    if is_parquet(path):
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(path).names
    written = detect_layout(path)
    with Path(path).open(encoding=written["encoding"], newline="") as stream:
        names = next(csv.reader(stream, delimiter=written["sep"]), [])
    if not any(name.strip() for name in names):
        raise ValueError("its first line is empty, where the names of the columns should be")
    return [name or f"Unnamed: {place}" for place, name in enumerate(names)]


def is_parquet(path):
    """Return whether a file is a parquet table, by its name."""
    return str(path).endswith(".parquet")


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


def match_vocabulary(cells, name, column, path):
    """Convert cells to the spelling of a fixed vocabulary; raise `InputError` for the first other value."""
    if name not in WORDS:
        return cells
    spelling = {word.lower(): word for word in WORDS[name]}
    if "yes" in spelling:
        spelling |= YES_NO
    words = cells.str.lower().map(spelling)
    wrong = cells[words.isna() & cells.notna()]
    if len(wrong):
        seen = ", ".join(repr(value) for value in wrong.unique()[:8])
        raise InputError(
            path,
            f"not a valid {name}",
            row=wrong.index[0],
            column=column,
            value=wrong.iloc[0],
            allowed=sorted(spelling),
            fix=f"say in data/sources/ what it means, under values: {name}: (null leaves the row "
            f"out); values not understood: {seen}",
        )
    return words


def require_filled_cells(cells, name, column, path):
    """Return the cells of a column; raise `InputError` if one is empty."""
    empty = cells[cells.isna()]
    if len(empty):
        raise InputError(
            path,
            f"no {name}",
            row=empty.index[0],
            column=column,
            value="",
            fix=f"fill it in; or say in data/sources/ what an empty cell means, such as values: {name}: "
            f'{{"": {MEANT.get(name, "a name")}}}; null instead leaves such rows out',
        )
    return cells


def parse_numbers(cells, name, column, path):
    """Parse cells as numbers, missing where empty.

    Milliseconds are rounded; other integer columns must hold whole numbers.
    """

    found = pd.to_numeric(convert_decimal_commas(cells, path), errors="coerce")
    # Words for infinity are parsed as numbers, but no one meant them as answers.
    found = found.where(found.abs() != float("inf"))
    wrong = cells[found.isna() & cells.notna()]
    if name in WHOLE and name != "rt_ms" and wrong.empty:
        wrong = cells[found.notna() & (found % 1 != 0)]
    if len(wrong):
        raise InputError(
            path,
            f"not a {'whole ' if name in WHOLE else ''}number",
            row=wrong.index[0],
            column=column,
            value=wrong.iloc[0],
            fix=f'correct it, or say what it means under values: {name}: in data/sources/ ("" for '
            "not known)",
        )
    return found.round() if name in WHOLE else found


def convert_decimal_commas(cells, path):
    """Replace decimal commas by points, in tables whose columns are separated by semicolons."""
    if is_parquet(path) or detect_delimiter(path) != ";":
        return cells
    return cells.str.replace(r"^([+-]?\d*),(\d+)$", r"\1.\2", regex=True)
