"""Tables in columns of any names: reading just the columns that the sources file names.

A column that is not named there is never read, so that identifiers, addresses and browser strings
that a table holds besides cannot reach any result.
"""

import codecs
import csv
from pathlib import Path

from turingstats import schema
from turingstats.errors import ConfigError, InputError

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
YES_NO = {"yes": "yes", "no": "no", "1": "yes", "0": "no", "true": "yes", "false": "no"}
WHOLE = ("trial", "position", "exchanges", "rt_ms")
NUMBERS = (*WHOLE, "rt_s", "confidence")


def load(file, folder, known, columns=None):
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
    pandas.DataFrame
        Text, None where a cell is empty; the index is the row in the file, the header being row 1.

    Raises
    ------
    ConfigError
        The sources file names a column that the contract does not know.
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
            "  remedy:  name it as the data contract does (docs/your_own_data.md), or declare it under "
            "conditions or demographics of the study"
        )
    columns = without_absent(columns, file, path)
    table = read(path, [*columns.values(), *file.where])
    for column, wanted in file.where.items():
        table = table[table[column].isin(wanted)]
    table = table[list(columns.values())].set_axis(list(columns), axis=1)
    table = table.where(table != "", None)
    left_out = 0
    for name in columns:
        meanings = {str(key).lower(): value for key, value in file.values.get(name, {}).items()}
        out = [key for key, value in meanings.items() if value is None]
        lower = table[name].str.lower().fillna("")
        rows = lower.isin(out)
        left_out += int(rows.sum())
        table, lower = table[~rows], lower[~rows]
        meant = lower.map(meanings).where(lower.isin(meanings), table[name])
        meant = meant.where(meant != "", None)
        table = table.assign(**{name: in_words(meant, name, columns[name], path)})
    if left_out:
        rows = "row" if left_out == 1 else "rows"
        print(f"{left_out} {rows} of {file.path} left out, as `values` has it (null)")
    return table


def without_absent(columns, file, path):
    """Leave out the optional columns that a table lacks; say which."""
    if not file.optional or not path.is_file():
        return columns
    header = header_of(path)
    gone = [n for n in file.optional if n in columns and columns[n] not in header]
    if gone:
        print(f"{file.path} has no column of {', '.join(gone)}: not known")
    return {name: column for name, column in columns.items() if name not in gone}


def read(path, wanted=None):
    """Read columns (by default all) of a CSV or parquet file as text; say which are not there."""
    import pandas as pd

    try:
        header = header_of(path)
    except FileNotFoundError:
        raise InputError(
            path, "there is no such file", remedy="correct its path or folder"
        ) from None
    except (UnicodeDecodeError, ValueError, OSError) as error:
        raise InputError(
            path, f"cannot be read as a table ({error})", remedy="save it as CSV in UTF-8"
        ) from None
    wanted = list(dict.fromkeys(header if wanted is None else wanted))
    absent = [name for name in wanted if name not in header]
    if absent:
        raise InputError(
            path,
            "the table lacks a column that the sources file names",
            column=", ".join(absent),
            allowed=header,
            remedy="correct `columns` or `where` of this file in data/sources/",
        )
    if is_parquet(path):
        table = pd.read_parquet(path, columns=wanted)
        for name in wanted:
            if pd.api.types.is_float_dtype(table[name]) and (table[name].dropna() % 1 == 0).all():
                table[name] = table[name].astype("Int64")
        table = table.astype(object).where(table.notna(), "").astype(str)
    else:
        options = layout(path) | {"dtype": str, "keep_default_na": False}
        # Empty lines are read and then left out, so that rows keep their numbers in the file.
        options |= {"skip_blank_lines": False, "index_col": False}
        no_row_is_longer(path, len(header), options)
        table = pd.read_csv(path, usecols=wanted, **options).fillna("")
    table.index = range(2, len(table) + 2)
    table = table.apply(lambda column: column.str.strip())
    return table[(table != "").any(axis=1)]


def no_row_is_longer(path, width, layout):
    """Name the first row of a text table with more cells than columns; what it says is not known."""
    with Path(path).open(encoding=layout["encoding"], newline="") as stream:
        for row, cells in enumerate(csv.reader(stream, delimiter=layout["sep"]), start=1):
            if any(cells[width:]):
                raise InputError(
                    path,
                    f"a row of {len(cells)} cells, where there are {width} columns",
                    row=row,
                    remedy="put cells that hold the sign between columns in quotes, such as decimal "
                    "commas; or let semicolons part the columns",
                )


def header_of(path):
    """Names of the columns of a table."""
    import pandas as pd

    if is_parquet(path):
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(path).names
    return list(pd.read_csv(path, nrows=0, **layout(path)))


def is_parquet(path):
    """Whether a file is a parquet table, by its name."""
    return str(path).endswith(".parquet")


def layout(path):
    """How a text table is written: `sep` and `encoding`, as pandas names them."""
    return {"sep": separator(path), "encoding": encoding(path)}


def separator(path):
    """What stands between the columns of a text table: the most frequent candidate in its header."""
    # The candidates are the same in all encodings of single bytes.
    with Path(path).open(encoding="utf-16" if is_utf16(path) else "latin-1") as stream:
        header = stream.readline()
    return max(",;\t|", key=header.count)


def is_utf16(path):
    """Whether a text table says at its start that it is in UTF-16."""
    with Path(path).open("rb") as stream:
        return stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def encoding(path):
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


def in_words(cells, name, column, path):
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
            remedy=f"say in data/sources/ what it means, under values: {name}: (null leaves the row "
            f"out); not understood here: {seen}",
        )
    return words


def filled(cells, name, column, path):
    """Return the cells of a column that may not be empty."""
    empty = cells[cells.isna()]
    if len(empty):
        raise InputError(
            path,
            f"no {name}",
            row=empty.index[0],
            column=column,
            value="",
            remedy=f"fill it in, or leave such rows out in data/sources/ with values: {name}: "
            f'{{"": null}}',
        )
    return cells


def numbers(cells, name, column, path):
    """Cells as numbers, missing where empty; milliseconds are rounded, other whole numbers must be."""
    import pandas as pd

    found = pd.to_numeric(with_points(cells, path), errors="coerce")
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
            remedy=f'correct it, or say what it means under values: {name}: in data/sources/ ("" for '
            "not known)",
        )
    return found.round() if name in WHOLE else found


def with_points(cells, path):
    """Cells with decimal points: where semicolons part the columns, a comma in a number is decimal."""
    if is_parquet(path) or separator(path) != ";":
        return cells
    return cells.str.replace(r"^([+-]?\d*),(\d+)$", r"\1.\2", regex=True)
