"""Tables of other shapes as one row per verdict: a column per stimulus, a second table, combined columns."""

import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from turingstats.config.raw_files import Join, RawFile, Wide
from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.yaml_models import make_list
from turingstats.data.adapters import table_files
from turingstats.data.adapters.identifiers import list_private_columns
from turingstats.data.adapters.messages import make_error, make_source_error
from turingstats.data.cells import NAMED, empty_nothing
from turingstats.data.distinct_values import (
    change_values,
    combine_columns,
    encode_values,
    fill_column,
    look_up,
    stack_tables,
)
from turingstats.data.notes import describe
from turingstats.data.schema import normalize_spelling

SEPARATOR = "/"
"""Between the parts of a combined identifier."""
AMBIGUOUS = -1
FREE = ("response", "tags", "item_a", "item_b", "item")
"""What holds words that identify nothing, or any word, such as items whose similarity is rated."""
SHOWN = 8
"""Maximum number of names that a message lists."""
MEANT = dict.fromkeys(["verdict", "right", "chosen"], "unsure")
MEANT |= {"agent": "human", "truth": "human"}
"""What an empty cell might mean."""


class Shaped(NamedTuple):
    """A table with one row per verdict, under the names of its files."""

    file: RawFile
    folder: Path
    table: pd.DataFrame
    """Text, as categories; the index is the row in the file, where the header is row 1, and for a table with
    one column per stimulus also the column."""
    origins: dict[str, int]
    """The table that each column comes from: 0 is the first one, then those that are joined."""
    not_shown: pd.Series
    """Whether all cells of a row made from a table with one column per stimulus are empty."""
    rows: pd.DataFrame
    """For each second table, by its number from 1: the row there of each row; missing where it has none."""
    notes: list[dict[str, Any]]
    """What readers of the results should know of the reading, as from `turingstats.data.notes.describe`."""

    @property
    def path(self) -> Path:
        """The first table."""
        return self.folder / self.file.path

    def select_rows(self, index: pd.Index) -> "Shaped":
        """Select rows by their labels."""
        selected = {name: getattr(self, name).loc[index] for name in ("table", "not_shown", "rows")}
        return self._replace(**selected)

    def note(self, check: str, places: Any, of: int, done: str) -> None:
        """Note what readers of the results should know."""
        self.notes.append(describe("note", check, places, of, done))

    def refuse(
        self,
        wrong: pd.Series,
        name: str,
        message: str,
        /,
        allowed: Sequence[Any] = (),
        **facts: Any,
    ) -> None:
        """Raise an error for the first of some cells of a column, if there are any."""
        for row, value in wrong.iloc[:1].items():
            place = {"row": row, "column": self.file.labels.get(name, name), "value": value}
            place |= {"allowed": allowed} if allowed else {}
            raise make_error(self.path, message, **place, name=name, **facts)

    def require_filled(self, table: pd.DataFrame, name: str) -> pd.Series:
        """Return the cells of a column; raise an `InputError` if one is empty."""
        cells = table[name]
        empty = cells[cells.isna()].astype(object).fillna("")
        self.refuse(empty, name, "empty_cell", meant=MEANT.get(name, "a name"))
        return cells

    @contextlib.contextmanager
    def name_sources(self) -> Iterator[None]:
        """Make errors about a column of a second table name that table, and its row."""
        try:
            yield
        except InputError as error:
            number = self.origins.get(error.column or "", 0)
            row = self.rows[number].get(error.row) if number in self.rows else None
            if error.file != self.path or pd.isna(row):
                raise
            told = {name: getattr(error, name) for name in ("column", "value", "allowed", "fix")}
            path = self.folder / self.file.join[number - 1].table
            raise InputError(path, error.problem, row=row, **told) from None


def list_columns(file: RawFile, folder: str | Path) -> dict[str, int]:
    """List the columns of a file entry, with the table of each: 0 is its own, -1 where several have it."""
    path = Path(folder) / file.path
    header = table_files.read_header(path, file.sheet)
    if file.wide is not None:
        spread = find_wide_columns(file.wide, header, path)
        used = {column for cells in spread.values() for column in cells.values()}
        header = [name for name in header if name not in used]
        new = [file.wide.name, *file.wide.columns]
        twice = [name for name in new if name in header]
        if twice:
            raise make_source_error(file, "taken_name", name=twice[0])
        header += new
    origins = dict.fromkeys(header, 0)
    for number, join in enumerate(file.join, start=1):
        # A name that occurs twice in one table is refused where that table is read.
        for name in dict.fromkeys(table_files.read_header(Path(folder) / join.table, join.sheet)):
            if name not in join.by.values():
                origins[name] = AMBIGUOUS if name in origins else number
    return origins


def read_shaped_table(
    file: RawFile,
    folder: str | Path,
    wanted: Sequence[str],
    kept: Collection[str] = (),
    named: Collection[str] = (),
) -> Shaped:
    """Read columns of a file entry and bring them into the shape of one row per verdict.

    Words for nothing are empty, unless they are `kept` or the file says what they mean; `named` are columns
    with names, beside those that the file says are.
    """
    path, origins = Path(folder) / file.path, list_columns(file, folder)
    keys = [left for join in file.join for left in join.by]
    # A column that no table has is looked for in the first one, which says what it has.
    first = [name for name in dict.fromkeys([*keys, *wanted]) if origins.get(name, 0) == 0]
    require_known(path, origins, first, wanted)
    table, not_shown = read_first_table(file, path, first)
    rows: dict[int, pd.Series] = {}
    for number, join in enumerate(file.join, start=1):
        own = [name for name in dict.fromkeys([*keys, *wanted]) if origins.get(name) == number]
        table, rows[number] = join_table(table, file, join, folder, own)
    if file.missing:
        codes = set(map(normalize_number, file.missing))
        table = table.apply(
            change_values, change=lambda cell: "" if normalize_number(cell) in codes else cell
        )
    shaped = Shaped(
        file,
        Path(folder),
        table,
        {name: origins[name] for name in table},
        not_shown,
        pd.DataFrame(rows, table.index),
        [],
    )
    if skipped := table_files.read_table(path, file.sheet).skipped:
        shaped.note("how the file was read", [skipped], 1, "the other rows are read")
    spelled = {name: empty_column(shaped, name, kept, name in named) for name in table}
    return shaped._replace(table=table.assign(**spelled))


def require_known(
    path: Path, origins: dict[str, int], first: Sequence[str], wanted: Sequence[str]
) -> None:
    """Refuse wanted columns that several tables have, and those of the `first` one that it lacks."""
    unclear = [name for name in wanted if origins.get(name) == AMBIGUOUS]
    if unclear:
        raise make_error(path, "ambiguous_column", column=", ".join(unclear))
    require_columns(
        path,
        list(origins),
        first,
        "correct `columns` or `where` of this file in data/sources/",
        problem="a column named in the sources file is not in the table",
        allowed=list(origins),
    )


def join_table(
    table: pd.DataFrame, file: RawFile, join: Join, folder: str | Path, wanted: Sequence[str]
) -> tuple[pd.DataFrame, pd.Series]:
    """Add columns of a second table, and say which row there each row has; missing where it has none."""
    late = [name for name in join.by if name not in table]
    if late:
        raise make_source_error(file, "late_key", table=join.table, keys=", ".join(late))
    second, rows = read_second_table(file, join, folder, wanted)
    at = combine_cells(table[list(join.by)])
    # The row of the second table that each key is in; the last place is that of keys without a row.
    place = look_up(at, np.append(second.index.get_indexer(at.cat.categories), -1))
    for name in wanted:
        values = encode_values([*second[name].astype(object), ""])
        joined = pd.Categorical.from_codes(values.codes[place], values.categories)
        table = table.assign(**{name: pd.Series(joined, table.index)})
    return table, rows.reindex(place).set_axis(table.index)


def empty_column(shaped: Shaped, name: str, kept: Collection[str], has_names: bool) -> pd.Series:
    """Empty the cells of a column with words for nothing that the file does not explain; free text stays."""
    file = shaped.file
    held = [what for what, names in file.columns.items() if name in make_list(names)]
    if set(held) & set(FREE):
        return shaped.table[name]
    words = [*kept, *file.where.get(name, ())]
    words += [word for what in held for word in file.values.get(what, ())]
    has_names = has_names or not set(held).isdisjoint(NAMED)
    spelled = set(map(normalize_spelling, words))
    return empty_nothing(shaped.table[name], name, shaped.notes, spelled, has_names)


def normalize_number(cell: str) -> str:
    """Normalize the spelling of a value, and of a whole number with decimals: -1.0 is the code -1."""
    return re.sub(r"^([+-]?\d+)[.,]0+$", r"\1", normalize_spelling(cell))


def read_first_table(
    file: RawFile, path: str | Path, wanted: Sequence[str]
) -> tuple[pd.DataFrame, pd.Series]:
    """Read columns of the first table, with one row per judge and stimulus; say which rows are empty."""
    if file.wide is None:
        table = table_files.read_named_columns(path, wanted, file.sheet)
        return table, pd.Series(False, index=table.index)
    wide = file.wide
    spread = find_wide_columns(wide, table_files.read_header(path, file.sheet), path)
    made = {wide.name, *wide.columns}
    kept = [name for name in wanted if name not in made]
    cells = [column for own in spread.values() for column in own.values()]
    sheet = table_files.read_named_columns(path, [*kept, *cells], file.sheet)
    tables = []
    for name, own in spread.items():
        part = sheet[[*kept, *own.values()]].set_axis([*kept, *own], axis=1)
        index = [f"{row}, {', '.join(own.values())}" for row in sheet.index]
        tables.append(part.assign(**{wide.name: fill_column(name, part.index)}).set_axis(index))
    # Rows of one judge stay together, in the order of the columns.
    order = np.arange(len(tables) * len(sheet)).reshape(len(tables), -1).T.ravel()
    table = stack_tables(tables).iloc[order]
    return table, (table[list(wide.columns)] == "").all(axis=1)


def find_wide_columns(wide: Wide, header: list[str], path: str | Path) -> dict[str, dict[str, str]]:
    """Find the columns of each stimulus."""
    by_new = {}
    for new, pattern in wide.columns.items():
        if isinstance(pattern, str):
            shape = re.compile("(.+?)".join(map(re.escape, pattern.split("*"))))
            matches = {name: shape.fullmatch(name) for name in header}
            fitting = by_new[new] = {
                name if wide.whole else SEPARATOR.join(match.groups()): name
                for name, match in matches.items()
                if match
            }
        else:
            by_new[new] = {name: name for name in pattern if name in header}
            fitting = by_new[new] if len(by_new[new]) == len(pattern) else {}
        if not fitting:
            where = {"column": ", ".join(make_list(pattern)), "allowed": header}
            raise make_error(path, "no_wide_column", new=new, **where)
    names = list(dict.fromkeys(name for cells in by_new.values() for name in cells))
    for new, cells in by_new.items():
        lacking = [name for name in names if name not in cells]
        if lacking:
            where = {"column": ", ".join(make_list(wide.columns[new])), "value": ", ".join(cells)}
            stimuli = ", ".join(lacking[:SHOWN])
            raise make_error(path, "uneven_wide_columns", new=new, lacking=stimuli, **where)
    return {name: {new: cells[name] for new, cells in by_new.items()} for name in names}


def read_second_table(
    file: RawFile, join: Join, folder: str | Path, wanted: Sequence[str]
) -> tuple[pd.DataFrame, pd.Series]:
    """Read columns of a table that is joined, indexed by its key, and the row of each key."""
    path, keys = Path(folder) / join.table, list(join.by.values())
    table = table_files.read_named_columns(path, [*keys, *wanted], join.sheet)
    table = table[(table[keys] != "").any(axis=1)]
    at = combine_cells(table[keys])
    twice = at[at.duplicated()]
    if len(twice):
        value = None if hides_keys(file, join) else twice.iloc[0]
        where = {"row": twice.index[0], "column": ", ".join(keys), "value": value}
        raise make_error(path, "repeated_key", number=len(twice), **where)
    return table.set_axis(at.astype(str), axis=0), pd.Series(table.index, dtype=object)


def combine_cells(table: pd.DataFrame) -> pd.Series:
    """Combine the cells of each row to one identifier; empty if all are. A column counts once."""
    table = table.loc[:, ~table.columns.duplicated()]
    if table.shape[1] == 1:
        return table.iloc[:, 0]
    codes, distinct = combine_columns(table)
    rows = list(distinct.astype(object).itertuples(index=False, name=None))
    combined = [SEPARATOR.join(row) if any(row) else "" for row in rows]
    twice = pd.Series(combined, dtype=str).duplicated(keep=False)
    if twice.any():
        one, another = [row for row, is_twice in zip(rows, twice, strict=True) if is_twice][:2]
        problem = f"columns {', '.join(table)}: {one} and {another} are both"
        problem += f" {combined[twice.idxmax()]!r} when joined by {SEPARATOR}"
        raise ConfigError(problem, fix=f"use another character than {SEPARATOR} in these columns")
    names = pd.Categorical.from_codes(codes, pd.Index(combined, dtype=str))
    return pd.Series(names, table.index)


def hides_keys(file: RawFile, join: Join) -> bool:
    """Tell whether the keys of a join may identify people, so that no message shows them."""
    return bool(list_private_columns(file.columns) & set(join.by))


def require_matches(shaped: Shaped, judges: Collection[str]) -> None:
    """Refuse rows that a second table has no row for, unless it is about judges, who may have no answers.

    `judges` are the columns with their ids.
    """
    file, folder = shaped.file, shaped.folder
    for number, join in enumerate(file.join, start=1):
        lacking = shaped.table[shaped.rows[number].isna()]
        if lacking.empty:
            continue
        at = combine_cells(lacking[list(join.by)])
        # If most are lacking, ids are spelled differently.
        if set(join.by) <= set(judges) and len(lacking) <= len(shaped.table) / 2:
            check = f"rows of judges whom {join.table} has no row for"
            done = "what it says of judges is empty there"
            shaped.note(check, ["not shown"] * len(lacking), len(shaped.table), done)
            continue
        keys, hidden = list(at.unique()), hides_keys(file, join)
        second, _ = read_second_table(file, join, folder, [])
        near = get_close_matches(keys[0], list(second.index))
        hint = f"; it has {', '.join(map(repr, near))}" if near and not hidden else ""
        listed = ", ".join(map(repr, keys[:SHOWN]))
        listed += f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
        fix = f"add it to {join.table}, or leave such rows out with where"
        is_cut = file.wide and file.wide.name in join.by and not file.wide.whole
        if is_cut and set(table_files.read_header(shaped.path, file.sheet)) & set(second.index):
            fix = f"{join.table} has whole names of columns: add whole: true under wide"
        value = None if hidden else at.iloc[0]
        where = {"row": at.index[0], "column": ", ".join(join.by), "value": value}
        said = {"keys": f"{len(keys)} keys" if hidden else listed, "hint": hint, "fix": fix}
        number = len(lacking)
        raise make_error(
            shaped.path, "unmatched_key", table=join.table, number=number, **said, **where
        )
