"""A table of one's own as it is: its columns as text, and what the user said of them."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.data_labels import GENERATED
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.yaml_models import build_model
from turingstats.data.adapters import shapes
from turingstats.data.adapters.columns import FEW_WRONG
from turingstats.data.cells import NAMED, write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.sentences import make_error
from turingstats.new_study.vocabulary import NAMES, format_flow, strip_signs

SHAPE = ("sheet", "wide", "join", "missing", "where", "rating", "score")
"""Keys of a file in data/sources/ that say what shape a table has, and what its numbers mean."""


# Tables are compared by identity; their cells do not change.
remember = functools.lru_cache(2**12)


@dataclass(frozen=True, eq=False)
class SourceTable:
    """A table, and what the user said.

    `named` are columns by what they hold, several as a list: {judge: Beurteiler, stimulus: [corpus, text]};
    `scales` are ratings given beside the verdict; other names are those of conditions, and None leaves a
    column out. `words` says what words mean as a truth or verdict: {KI: machine}; None leaves rows out. Words
    of a single column are below its name, or below what it holds: {verdict: {1: machine}}. `shape` says what
    shape the table has and what its ratings or scores mean, in keys of data/sources/. Messages tell how to do
    better with the `command` that reads the table.
    """

    path: Path
    file: RawFile
    cells: pd.DataFrame
    """Text, as categories; the index is the row in the file."""
    named: dict[str, Any]
    words: dict[str, Any]
    shape: dict[str, Any]
    command: str

    def write_command(self, **more: dict[str, Any]) -> str:
        """Write the command that reads the table, with what the user said and more of it.

        More is said by key: columns, values or table; of a column, it joins what was said of it.
        """
        words = [self.command]
        for key, said in {"columns": self.named, "values": self.words, "table": self.shape}.items():
            merged = dict(said)
            for name, part in more.get(key, {}).items():
                earlier = merged.get(name)
                merged[name] = earlier | part if isinstance(earlier, dict) else part
            words += [f'{key}="{format_flow(merged)}"'] if merged else []
        return " ".join(words)

    def make_error(self, name: str, /, **facts: Any) -> InputError:
        """Make an error whose fix is the command that reads the table, with more columns, values or table."""
        more = {key: facts.pop(key) for key in ("columns", "values", "table") if key in facts}
        return make_error(self.path, name, command=self.write_command(**more), **facts)

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return list(self.cells)

    @functools.cached_property
    def given(self) -> dict[str, Any]:
        """What the user said that words mean in every column, by their spelling."""
        flat = {word: said for word, said in self.words.items() if not isinstance(said, dict)}
        return spell_words(flat)

    @remember
    def read_texts(self, column: str) -> pd.Series:
        """Read the cells of a column as Python texts."""
        cells = self.cells[column]
        texts = np.asarray(cells.cat.categories, dtype=object)[cells.cat.codes]
        return pd.Series(texts, cells.index)

    @remember
    def count_values(self, column: str) -> dict[str, int]:
        """Count the distinct values of a column, most frequent first, then in order of appearance."""
        codes, values = pd.factorize(self.cells[column].cat.codes.to_numpy())
        counts = np.bincount(codes, minlength=len(values))
        names = self.cells[column].cat.categories.to_numpy(object)[values]
        order = np.argsort(-counts, kind="stable")
        return {names[at]: int(counts[at]) for at in order}

    def list_levels(self, column: str) -> list[str]:
        """List the distinct values of a column, most frequent first, without empty cells."""
        return [value for value in self.count_values(column) if value]

    def says_generated(self) -> bool:
        """Tell whether every row says that its data are generated, in whatever column."""
        levels = (self.count_values(column) for column in self.header)
        return any(values and all(GENERATED in value for value in values) for values in levels)

    def measure_length(self, column: str) -> float:
        """Measure the mean number of letters of a column's cells."""
        counts = self.count_values(column)
        return sum(len(value) * number for value, number in counts.items()) / len(self.cells)

    @remember
    def parse_numbers(self, column: str, whole: bool = False) -> pd.Series:
        """Parse the filled cells of a column as numbers; NaN where they are not."""
        levels = pd.Series(self.list_levels(column), dtype="category")
        plain = write_plainly(levels, self.path, column, whole).astype(object)
        numbers = pd.to_numeric(plain, errors="coerce").replace([np.inf, -np.inf], np.nan)
        texts = self.read_texts(column)
        parsed = texts[texts != ""].map(dict(zip(levels, numbers, strict=True)))
        return parsed.astype(float)

    def differs_within(self, column: str, group: str) -> bool:
        """Tell whether a column differs between rows of the same value of another one."""
        pairs = self.cells[group].cat.codes.to_numpy() * np.int64(len(self.cells) + 1)
        pairs = pairs + self.cells[column].cat.codes.to_numpy()
        return len(np.unique(pairs)) > len(self.count_values(group))

    def require_columns(self, columns: Iterable[str], key: str) -> None:
        """Refuse columns that the user named and the table lacks."""
        for column in columns:
            if column not in self.header:
                allowed = self.header
                raise self.make_error("absent_column", key=key, column=column, allowed=allowed)

    def combine(self, parts: list[str]) -> "SourceTable":
        """Add a column that combines others."""
        combined = shapes.combine_cells(self.cells[parts])
        return replace(self, cells=self.cells.assign(**{", ".join(parts): combined}))


def spell_words(meanings: dict[str, Any]) -> dict[str, Any]:
    """Spell words as `normalize_spelling` does."""
    return {normalize_spelling(word): meaning for word, meaning in meanings.items()}


def are_mostly_numbers(numbers: pd.Series) -> bool:
    """Tell whether so few parsed cells are no numbers that a run reads them as empty."""
    return bool(numbers.isna().sum() <= max(1, FEW_WRONG * len(numbers)))


def describe_shape(path: Path, shape: dict[str, Any]) -> RawFile:
    """Describe the table as a file of data/sources/."""
    unknown = [key for key in shape if key not in SHAPE]
    if unknown:
        problem = f"table: unknown key {', '.join(unknown)}; known here: {', '.join(SHAPE)}"
        raise ConfigError(problem, fix="give the others in the two files that are written")
    file = {"path": path.name, "format": "verdict_table", "task": "verdicts"}
    return build_model(RawFile, file | shape, "table")


def read_source(
    path: Path,
    named: dict[str, Any],
    words: dict[str, Any],
    shape: dict[str, Any],
    command: str,
) -> SourceTable:
    """Read all columns of a table in its final shape, and the rows that are wanted.

    Words for nothing are empty, unless the user said what they mean.
    """
    file = describe_shape(path, shape)
    columns = shapes.list_columns(file, path.parent)
    wanted = [name for name, number in columns.items() if number != shapes.AMBIGUOUS]
    said = [key for key, meaning in words.items() if not isinstance(meaning, dict)]
    said += [str(word) for part in words.values() if isinstance(part, dict) for word in part]
    known = {word for what in NAMED for word in NAMES.get(what, "").split()}
    names = [name for name in wanted if strip_signs(name) in known]
    shaped = shapes.read_shaped_table(file, path.parent, [*wanted, *file.where], said, names)
    kept = ~shaped.not_shown
    for column, values in file.where.items():
        kept &= shaped.table[column].isin(values)
    shaped = shaped.select_rows(kept.index[kept])
    # Who judges is not known yet.
    shapes.require_matches(shaped, list(shaped.table))
    table = shaped.table
    if table.empty:
        raise make_error(path, "no_rows")
    filled = [name for name in table if {*table[name].cat.categories[:2]} - {""}]
    return SourceTable(path, file, table[filled or list(table)], named, words, shape, command)
