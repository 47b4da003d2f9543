"""Tables in columns of any names: reading just the columns that the sources file names.

A column that is not named there is never read, so that identifiers, addresses and browser strings
that a table holds besides cannot reach any result.
"""

import codecs
import csv
from pathlib import Path

import pandas as pd

from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import schema

# What else a table of verdicts may hold in place of a verdict.
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
"""Values that a reason still lists."""


def load_columns(file, folder, known, columns=None):
    """Read the named columns of a table, under the names of the data contract.

    Parameters
    ----------
    file : RawFile
        Its `columns`, `values` and `where` say what is read.
    folder : path-like
    known : collection of str
        Names of the contract that the table may hold.
    columns : dict, optional
        Names to read, in place of all `file.columns`.

    Returns
    -------
    table : pandas.DataFrame
        Text, None where a cell is empty; the index is the row in the file, the header being row 1.
    left_out : pandas.DataFrame
        The rows that are not in `table`: `reason`, and `cohort` as the file has it (None where it is
        no column). Lines with nothing in them are no rows.

    Raises
    ------
    ConfigError
        The sources file names a column that the contract does not know, or says two things of a value.
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
        # What may tell judges apart is written nowhere.
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
    """A value as it is written, but for case and outer blanks, which do not matter in a table."""
    return str(value).strip().lower()


def list_private_columns(columns):
    """Columns of a file that may name people."""
    return {columns[name] for name in ("judge", "responder") if name in columns}


def map_meanings(file, name):
    """What the values of a column mean, by the value as `normalize_spelling`."""
    found = {}
    for value, meaning in file.values.get(name, {}).items():
        if found.setdefault(normalize_spelling(value), meaning) != meaning:
            raise ConfigError(
                f"data/sources: {file.path}: values: {name}: {value!r} has two meanings, "
                f"{found[normalize_spelling(value)]} and {meaning}; case and outer blanks do not matter\n"
                "  fix:     keep one of them, or correct the table"
            )
    return found


def drop_absent_columns(columns, file, path):
    """Leave out the optional columns that a table lacks; say which."""
    if not file.optional or not path.is_file():
        return columns
    header = read_header(path)
    gone = [n for n in file.optional if n in columns and columns[n] not in header]
    if gone:
        print(f"{file.path} has no column of {', '.join(gone)}: not known")
    return {name: column for name, column in columns.items() if name not in gone}


def read_named_columns(path, wanted=None):
    """Read columns (by default all) of a CSV or parquet file as text; say which are not there.

    Rows with nothing in any column of the file are left out; those with something are all there, even
    where the columns that are read are empty.
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
            fix="give each column of the table a name of its own",
        )
    if is_parquet(path):
        table = pd.read_parquet(path, columns=wanted).reset_index(drop=True)
        for name in wanted:
            if pd.api.types.is_float_dtype(table[name]) and (table[name].dropna() % 1 == 0).all():
                table[name] = table[name].astype("Int64")
        table = table.astype(object).where(table.notna(), "").astype(str)
        holds = (table.apply(lambda column: column.str.strip()) != "").any(axis=1)
        if not holds.all():
            # What else is in rows without an entry here is only asked for where there are any.
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
    """Whether each row of a text table below its header holds anything.

    Raises
    ------
    InputError
        A row has more cells than there are columns; what it says is not known.
    """
    found = []
    with Path(path).open(encoding=layout["encoding"], newline="") as stream:
        for row, cells in enumerate(csv.reader(stream, delimiter=layout["sep"]), start=1):
            if any(cells[width:]):
                raise InputError(
                    path,
                    f"a row of {len(cells)} cells, where there are {width} columns",
                    row=row,
                    fix="put cells that hold the sign between columns in quotes, such as decimal "
                    "commas; or let semicolons part the columns",
                )
            found.append(any(cell.strip() for cell in cells))
    return found[1:]


def read_header(path):
    """Names of the columns of a table; a column without a name is called as pandas does."""
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
    """Whether a file is a parquet table, by its name."""
    return str(path).endswith(".parquet")


def detect_layout(path):
    """How a text table is written: `sep` and `detect_encoding`, as pandas names them."""
    return {"sep": detect_delimiter(path), "encoding": detect_encoding(path)}


def detect_delimiter(path):
    """What stands between the columns of a text table: the most frequent candidate in its header."""
    # The candidates are the same in all encodings of single bytes.
    with Path(path).open(encoding="utf-16" if is_utf16(path) else "latin-1") as stream:
        header = stream.readline()
    return max(",;\t|", key=header.count)


def is_utf16(path):
    """Whether a text table says at its start that it is in UTF-16."""
    with Path(path).open("rb") as stream:
        return stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def detect_encoding(path):
    """How the letters of a text table are written: UTF-8, or as Excel saves CSV in western Europe."""
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
    """Cells of a fixed vocabulary in its spelling; name the first that is none of it."""
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
            f"a value that is no {name}",
            row=wrong.index[0],
            column=column,
            value=wrong.iloc[0],
            allowed=sorted(spelling),
            fix=f"say in data/sources/ what it means, under values: {name}: (null leaves the row "
            f"out); not understood here: {seen}",
        )
    return words


def require_filled_cells(cells, name, column, path):
    """Return the cells of a column that may not be empty."""
    empty = cells[cells.isna()]
    if len(empty):
        raise InputError(
            path,
            f"no {name}",
            row=empty.index[0],
            column=column,
            value="",
            fix=f"fill it in; or say in data/sources/ what an empty cell means, such as values: {name}: "
            f'{{"": {MEANT.get(name, "a name")}}}; null in its place leaves such rows out',
        )
    return cells


def parse_numbers(cells, name, column, path):
    """Cells as numbers, missing where empty; milliseconds are rounded, other whole numbers must be."""

    found = pd.to_numeric(convert_decimal_commas(cells, path), errors="coerce")
    # Words for infinity are read as numbers, and are none that anybody answered.
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
    """Cells with decimal points: where semicolons part the columns, a comma in a number is decimal."""
    if is_parquet(path) or detect_delimiter(path) != ";":
        return cells
    return cells.str.replace(r"^([+-]?\d*),(\d+)$", r"\1.\2", regex=True)
