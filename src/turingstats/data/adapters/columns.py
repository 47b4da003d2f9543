"""Read tables with arbitrary column names: only the columns that the sources file names.

A column that is not named there is never read, so that other contents of a table, such as identifiers,
addresses and browser strings, cannot reach any result.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.plain_text import show_plainly
from turingstats.core.yaml_models import make_list
from turingstats.data import schema
from turingstats.data.adapters import shapes
from turingstats.data.adapters.identifiers import IDS, PRIVATE, list_private_columns, read_ids
from turingstats.data.adapters.messages import make_error, make_source_error
from turingstats.data.cells import YES_NO, write_plainly
from turingstats.data.distinct_values import change_values, look_up, replace_values
from turingstats.data.schema import normalize_spelling

WITNESSES = ("witness_a", "witness_b")
ANSWERS = ("right", "chosen", "human_at", *WITNESSES, "prompt", "witness", "rt_s", "session")
"""Columns that a table of verdicts may have beside those of the data contract (docs/your_own_data.md)."""
WORDS = schema.ALLOWED | {"right": ("yes", "no", "unsure"), "control_ok": ("yes", "no")}
WHOLE = tuple(name for name, kind in schema.NUMBERS.items() if kind.startswith("Int"))
NUMBERS = (*WHOLE, "rt_s", "confidence")
TIMES = ("rt_ms", "rt_s")
FEW_WRONG = 0.05
"""Largest share of cells that are emptied because they are no numbers; one may always be."""
FEW = 6
"""Maximum number of values that are listed in a reason."""


def load_columns(
    file: RawFile,
    folder: str | Path,
    known: Collection[str],
    numbers: Collection[str] = (),
) -> tuple[pd.DataFrame, pd.DataFrame, shapes.Shaped]:
    """Read the named columns of a table, under the names of the data contract."""
    unknown = [name for name in (*file.columns, *file.values, *file.limits) if name not in known]
    if unknown:
        raise make_source_error(file, "unknown_names", known, names=", ".join(unknown))
    file = drop_absent_columns(file, folder)
    wanted = [part for column in file.columns.values() for part in make_list(column)]
    whole = shapes.read_shaped_table(file, folder, [*wanted, *file.where])
    shaped, reasons = whole, []
    for find in (find_empty_rows, find_rows_not_wanted, find_rows_of_nulls):
        for rows, reason in find(shaped):
            rows = rows[shaped.table.index]
            reasons.append(pd.Series(reason, index=rows.index[rows], dtype=object))
            shaped = shaped.select_rows(rows.index[~rows]) if rows.any() else shaped
    shapes.require_matches(shaped, list_private_columns(file.columns))
    with shaped.name_sources():
        table = {
            name: read_column(shaped, name, name in (*NUMBERS, *numbers)) for name in file.columns
        }
    left_out = pd.concat(reasons).rename("reason").to_frame()
    cohort = None
    if "cohort" in file.columns:
        cohort = read_cells(whole.table.loc[left_out.index], "cohort", file).astype(object)
    left_out = left_out.assign(cohort=cohort)
    for reason, number in left_out["reason"].value_counts(sort=False).items():
        print(f"{number} {'row' if number == 1 else 'rows'} of {file.path} left out: {reason}")
    return pd.DataFrame(table, index=shaped.table.index), left_out.sort_index(), shaped


Found = Iterator[tuple[pd.Series, str]]
"""Rows that are left out, and the reason."""


def find_empty_rows(shaped: shapes.Shaped) -> Found:
    """Find the rows without any content."""
    mine = [name for name, number in shaped.origins.items() if number == 0]
    yield ~(shaped.table[mine] != "").any(axis=1), "nothing in any column that is read"
    if wide := shaped.file.wide:
        yield (
            shaped.not_shown,
            f"nothing in {' or '.join(wide.columns)} (not shown, or not answered)",
        )


def find_rows_not_wanted(shaped: shapes.Shaped) -> Found:
    """Find the rows that `where` leaves out, but not those that a second table of stimuli lacks."""
    for column, wanted in shaped.file.where.items():
        # Values that may identify judges are never written out.
        hidden = column in list_private_columns(shaped.file.columns) or len(wanted) > FEW
        one_of = f"one of {len(wanted)} values" if hidden else " or ".join(wanted)
        cells = shaped.table[column]
        never = [value for value in wanted if value not in set(cells.unique())]
        if never:
            values = ["not shown"] * len(never) if hidden else never
            check = f"where: values that {column} never has"
            shaped.note(check, values, len(wanted), "no row is kept by them")
        rows = drop_unmatched(~cells.isin(wanted), shaped, [column])
        yield rows, f"{column} is not {one_of} (where)"


def find_rows_of_nulls(shaped: shapes.Shaped) -> Found:
    """Find the rows with a value that the sources file calls null."""
    for name, column in shaped.file.columns.items():
        meanings = shaped.file.values.get(name, {})
        nulls = [value for value, meant in meanings.items() if meant is None]
        if not nulls:
            continue
        cells = change_values(read_cells(shaped.table, name, shaped.file), str.lower)
        for value in nulls:
            meaning = "a value left out" if name in PRIVATE else value.strip() or "empty"
            rows = cells == normalize_spelling(value)
            rows = drop_unmatched(rows, shaped, make_list(column))
            yield rows, f"{shaped.file.labels[name]} is {meaning} (null under values)"


def drop_unmatched(rows: pd.Series, shaped: shapes.Shaped, columns: Iterable[str]) -> pd.Series:
    """Drop the rows that a second table lacks, which are refused later, where it tells of stimuli."""
    for number in {shaped.origins[name] for name in columns} - {0}:
        if not shapes.hides_keys(shaped.file, shaped.file.join[number - 1]):
            rows = rows & shaped.rows[number].notna()
    return rows


def read_column(shaped: shapes.Shaped, name: str, is_number: bool) -> pd.Series:
    """Read a column: what its cells mean, in the words of the data contract."""
    file, label = shaped.file, shaped.file.labels[name]
    cells = read_cells(shaped.table, name, file)
    # Values that look the same are the same.
    if name not in ("response", "tags"):
        cells = change_values(cells, show_plainly)
    if is_number:
        number = shaped.origins[make_list(file.columns[name])[0]]
        origin = shaped.folder / file.join[number - 1].table if number else shaped.path
        cells = write_plainly(cells, origin, label, whole=name in WHOLE)
    elif name in IDS:
        cells = read_ids(cells, name, label, shaped.path, shaped.notes)
    known = map_meanings(file, name)
    meant = [known.get(cell.lower(), cell) for cell in cells.cat.categories]
    return match_vocabulary(shaped, replace_values(cells, [cell or None for cell in meant]), name)


def read_cells(table: pd.DataFrame, name: str, file: RawFile) -> pd.Series:
    """Read the cells of a column, or of several that are combined."""
    cells = table[list(make_list(file.columns[name]))]
    if cells.shape[1] == 1:
        return cells.iloc[:, 0]
    partly = (cells == "").any(axis=1) & (cells != "").any(axis=1)
    if partly.any():
        row = partly.idxmax()
        empty = ", ".join(cells.columns[cells.loc[row] == ""])
        where = {"row": row, "column": empty, "value": ""}
        raise make_error(file.path, "part_is_empty", name=name, parts=", ".join(cells), **where)
    return shapes.combine_cells(cells)


def map_meanings(file: RawFile, name: str) -> dict[str, Any]:
    """Map the values of a column, as from `normalize_spelling`, to their meanings."""
    by_spelling = {}
    for value, meaning in file.values.get(name, {}).items():
        earlier = by_spelling.setdefault(normalize_spelling(value), meaning)
        if earlier != meaning:
            raise make_source_error(
                file, "two_meanings", name=name, word=value, one=earlier, other=meaning
            )
    return by_spelling


def drop_absent_columns(file: RawFile, folder: str | Path) -> RawFile:
    """Drop the optional columns that a table lacks, and print which."""
    if not file.optional or not (Path(folder) / file.path).is_file():
        return file
    known = shapes.list_columns(file, folder)
    kept = {
        name: column
        for name, column in file.columns.items()
        if name not in file.optional or set(make_list(column)) <= set(known)
    }
    if gone := [name for name in file.optional if name in file.columns.keys() - kept]:
        print(f"{file.path} has no column of {', '.join(gone)}: not known")
    return file.model_copy(update={"columns": kept})


def match_vocabulary(shaped: shapes.Shaped, cells: pd.Series, name: str) -> pd.Series:
    """Convert cells to the spelling of a fixed vocabulary; raise `InputError` for the first other value."""
    if name not in WORDS:
        return cells
    spelling = {word.lower(): word for word in WORDS[name]}
    if "yes" in spelling:
        spelling |= YES_NO
    words = change_values(cells, lambda value: spelling.get(value.lower()))
    wrong = cells[words.isna() & cells.notna()]
    listed = ", ".join(map(repr, wrong.unique()[:8]))
    shaped.refuse(wrong, name, "not_in_vocabulary", sorted(spelling), words=listed)
    return words


def parse_numbers(
    shaped: shapes.Shaped, cells: pd.Series, name: str, is_lenient: bool = False
) -> pd.Series:
    """Parse cells as numbers, missing where empty; by default, limits are those of the data contract.

    Milliseconds are rounded; other integer columns must hold whole numbers. If `is_lenient`, a few cells
    that are no numbers, and times below zero (of trials without an answer), are empty, with a note.
    """
    cells = cells.astype("category")
    numbers = pd.to_numeric(cells.cat.categories.astype(object), errors="coerce")
    parsed = pd.Series(look_up(cells, np.append(numbers.to_numpy(float), np.nan)), cells.index)
    # Words for infinity are parsed as numbers, but no one meant them as answers.
    parsed = parsed.where(parsed.abs() != float("inf"))
    wrong = cells[parsed.isna() & cells.notna()]
    if name in WHOLE and name != "rt_ms" and wrong.empty:
        wrong = cells[parsed.notna() & (parsed % 1 != 0)]
    few = max(1, FEW_WRONG * cells.notna().sum())
    emptied = {"cells that are no numbers": wrong if len(wrong) <= few else wrong[:0]}
    emptied["times below zero"] = cells[parsed < 0] if name in TIMES else wrong[:0]
    for what, own in emptied.items() if is_lenient else ():
        if len(own):
            places = [f"row {row}: {cell}" for row, cell in own.items()]
            check = f"{shaped.file.labels[name]}: {what}"
            shaped.note(check, places, len(own), "read as empty")
            parsed = parsed.where(~parsed.index.isin(own.index))
            wrong = wrong.drop(own.index, errors="ignore")
    shaped.refuse(wrong, name, "not_a_number", kind="whole " if name in WHOLE else "")
    low, high = shaped.file.limits.get(name, schema.LIMITS.get(name, (-float("inf"), float("inf"))))
    impossible = cells[~parsed.between(low, high) & parsed.notna()]
    shaped.refuse(impossible, name, "impossible_number", [f"{low:g} to {high:g}"])
    return parsed.round() if name in WHOLE else parsed
