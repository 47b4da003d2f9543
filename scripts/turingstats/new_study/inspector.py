"""Inspect a table of verdicts: what each column holds, and what its values mean.

Nothing that looks like a name, an address or a browser string is read; the judge's id is read to
distinguish judges and is replaced by a pseudonym.
"""

import re
from pathlib import Path

import pandas as pd

from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters import table_files
from turingstats.data.adapters.columns import normalize_spelling
from turingstats.new_study.answers import check_agents, find_verdicts
from turingstats.new_study.design import MAX_LEVELS, find_bands, group_answers, write_formulas
from turingstats.new_study.privacy import explain_privacy
from turingstats.new_study.vocabulary import (
    ASKED,
    GENDERS,
    NAMES,
    OF_GENDERS,
    RESERVED,
    WORDS,
    choose_unused_name,
    interpret_values,
    make_identifier,
    normalize_value,
    strip_signs,
)

LONG = 30
"""Mean number of letters above which answers are free text."""
MOSTLY = 0.95
"""Share of rows whose truth or verdict must be a known word; the rest may be typos."""


class TableInspector:
    """Find out what the columns of a table of verdicts seem to hold; call `inspect`.

    Parameters
    ----------
    path : path-like
        CSV or parquet, one row per verdict.
    named : dict, optional
        Columns that are known, by what they hold: {judge: Beurteiler}.
    words : dict, optional
        What further words mean as a truth or verdict: {Mensch: human, KI: machine}; None leaves rows out.
    """

    def __init__(self, path, named=None, words=None):
        self.path = Path(path)
        self.given = {normalize_spelling(word): meaning for word, meaning in (words or {}).items()}
        self.named = named or {}
        self.table = table_files.read_named_columns(self.path)
        if self.table.empty:
            raise InputError(path, "the table has no rows")
        self.header = list(self.table)
        self.columns, self.values = {}, {}
        self.not_read, self.not_understood, self.remarks = {}, {}, []
        self.choice = False
        self.demographics, self.conditions = {}, []
        self.bands, self.models = [], {}

    def inspect(self):
        """Find out what each column holds; return the inspector itself."""
        self.take_given_columns(self.named)
        self.take("judge", self.find_named_column("judge"))
        if "judge" not in self.columns:
            raise self.make_unknown_error(
                "judge", "who gave each verdict; verdicts of one person belong together"
            )
        self.leave_out_private_columns()
        find_verdicts(self)
        check_agents(self)
        for name in ("stimulus", "confidence", "rt_ms", "position", "exchanges", "topic", "domain"):
            self.take(name, self.find_named_column(name))
        self.check_numbers()
        self.find_groups()
        self.bands = find_bands(self)
        self.models = write_formulas(self)
        self.remark_repeated_rows()
        return self

    def remark_repeated_rows(self):
        """Note which rows occur twice."""
        repeated = self.table.index[self.table.duplicated()]
        if len(repeated):
            self.remarks.append(
                f"{len(repeated)} rows repeat an earlier one in every column, the first in row "
                f"{repeated[0]}: remove them if they were saved twice"
            )

    def take_given_columns(self, named):
        """Assign the columns that the user named."""
        for what, column in named.items():
            if what not in NAMES:
                raise ConfigError(
                    f"columns: {what!r} is not something that a table of verdicts can hold\n"
                    f"  allowed: {', '.join(NAMES)}\n"
                    "  fix:     correct it; groups and conditions are found without it"
                )
            if column not in self.header:
                raise InputError(
                    self.path,
                    "the table lacks a column that was named",
                    column=column,
                    allowed=self.header,
                    fix=f"correct columns: {what}",
                )
            self.columns[what] = column

    def make_unknown_error(self, what, meaning):
        """Make the error that no column was recognized for a role."""
        strange = "".join(
            f"; {column} is not understood where it is {cells}"
            for column, cells in self.not_understood.items()
        )
        return InputError(
            self.path,
            f"no column is known for {what}: {meaning}{strange}",
            allowed=[
                f"{', '.join(NAMES[what].split())} (case, spaces and punctuation do not matter)"
            ],
            fix=f'say which it is: --config csv={self.path} columns="{{{what}: its name}}", and what '
            'words such as KI mean: values="{KI: machine}"; or write the two files by hand '
            f"(docs/your_own_data.md); columns found: {', '.join(self.header)}",
        )

    def list_free_columns(self):
        """List the columns that are neither assigned nor left out."""
        return [n for n in self.header if n not in {*self.columns.values(), *self.not_read}]

    def find_named_column(self, what):
        """Find the column that the user named, else the first free one with a known name, or None."""
        if what in self.columns:
            return self.columns[what]
        free = {
            strip_signs(re.sub(r"[(\[].*?[)\]]", "", name)): name
            for name in reversed(self.list_free_columns())
        }
        return next((free[name] for name in NAMES[what].split() if name in free), None)

    def take(self, what, column):
        """Assign a column to a role; do nothing if there is no column."""
        if column is not None:
            self.columns[what] = column

    def list_levels(self, column):
        """List the distinct values of a column, most frequent first, without empty cells."""
        return [value for value in self.table[column].value_counts().index if value]

    def leave_out_private_columns(self):
        """Leave out columns that could identify a person."""
        for column in self.list_free_columns():
            cells = self.table[column]
            reason = explain_privacy(column, cells[cells != ""])
            if reason:
                self.not_read[column] = reason

    def find_meaning(self, value):
        """Find what a value means as a truth or verdict: as the user said, else as a known word; or None."""
        return self.given.get(normalize_spelling(value), WORDS.get(normalize_value(value)))

    def find_known_meanings(self, column):
        """Find what the recognized values of a column mean; None for values that leave rows out."""
        values = self.list_levels(column)
        if "" in self.given and (self.table[column] == "").any():
            values = ["", *values]
        known = interpret_values(column, values)
        spelled = {value: normalize_spelling(value) for value in values}
        return known | {v: self.given[own] for v, own in spelled.items() if own in self.given}

    def find_meanings(self, column):
        """Find what the values of a column mean as a truth or verdict; None if they are not such words."""
        if self.is_gender_column(column):
            return None
        known, levels = self.find_known_meanings(column), self.list_levels(column)
        strange = [value for value in levels if value not in known]
        if strange:
            # Typos are left to the user if the rest is clear.
            sides = set(known.values()) >= {"human", "machine"}
            cells = self.table.loc[self.table[column] != "", column]
            if not sides or cells.isin(list(known)).mean() < MOSTLY:
                if {"human", "machine"} & set(known.values()):
                    counts = cells.value_counts()
                    shown = [f"{value!r} ({counts[value]})" for value in strange[:8]]
                    self.not_understood[column] = ", ".join(shown)
                return None
        return known if set(known.values()) & {"human", "machine"} else None

    def is_gender_column(self, column):
        """Tell whether a column holds a person's gender, by its name or by its values."""
        words = {normalize_value(value) for value in self.list_levels(column)}
        return bool(OF_GENDERS.fullmatch(strip_signs(column))) or (bool(words) and words <= GENDERS)

    def select_machines(self, column):
        """Select the cells of a column in rows by machines, or all if no truth says which rows these are."""
        cells = self.table[column]
        if "truth" in self.columns:
            cells = cells[cells.index.map(self.find_truth_of_rows()) == "machine"]
        return cells

    def find_truth_of_rows(self):
        """Find whether each row is by a person or a machine, by its number."""
        return self.table[self.columns["truth"]].map(self.values["truth"])

    def name_agents(self):
        """Name the machines: ids in the study file, and their names in the table.

        Case does not distinguish agents when a table is read. An id is never the table's name for another
        agent, nor a word that YAML or a results table would read as a number or a missing value.
        """
        names = ["machine"]
        if "agent" in self.columns:
            known = {normalize_spelling(name) for name in self.values.get("agent", {})}
            cells = self.select_machines(self.columns["agent"]).drop_duplicates()
            names = {normalize_spelling(name): name for name in reversed(list(cells))}
            names = [name for key, name in reversed(names.items()) if key not in known]
        found, taken = {}, {normalize_spelling(name) for name in names}
        for name in names:
            used = {"human", "all", *found, *(taken - {normalize_spelling(name)})}
            found[choose_unused_name(make_identifier(name, "agent"), used)] = name
        return found

    def check_numbers(self):
        """Leave out columns that should be numbers but are not, or have another unit."""

        for name in ("confidence", "rt_ms", "position", "exchanges"):
            column = self.columns.get(name)
            if column is None:
                continue
            cells = self.table.loc[self.table[column] != "", column]
            numbers = pd.to_numeric(
                table_files.convert_decimal_commas(cells, self.path), errors="coerce"
            )
            numbers = numbers.where(numbers.abs() != float("inf"))
            whole = name in ("confidence", "rt_ms") or (numbers % 1 == 0).all()
            if numbers.isna().any() or not whole:
                self.not_read[column] = "not all of its values are numbers"
                del self.columns[name]
            elif name == "rt_ms" and numbers.median() < 100:
                self.columns["rt_s"] = self.columns.pop("rt_ms")
                self.remarks.append(
                    f"{column} taken for seconds: half of it is below {numbers.median():g}"
                )

    def find_groups(self):
        """Sort the remaining columns into groups of judges, conditions, and columns that are not read."""
        by_judge = self.table.groupby(self.columns["judge"])
        for name in ASKED:
            column = self.find_named_column(name)
            if column is not None and (by_judge[column].nunique() <= 1).all():
                self.take(name, column)
                self.demographics[name] = group_answers(name, self.list_levels(column))
        for column in self.list_free_columns():
            levels = self.list_levels(column)
            if len(levels) < 2:
                self.not_read[column] = "one value in all rows"
            elif self.table[column].str.len().mean() > LONG:
                self.not_read[column] = "free text"
            elif len(levels) > MAX_LEVELS:
                self.not_read[column] = "too many different values for a condition"
            else:
                constant = (by_judge[column].nunique() <= 1).all()
                alone = self.table.groupby(column)[self.columns["judge"]].nunique() == 1
                if constant and alone.drop("", errors="ignore").mean() > 0.5:
                    self.not_read[column] = "most of its values belong to a single judge"
                    continue
                name = choose_unused_name(
                    make_identifier(column, "column"), {*self.columns, *RESERVED}
                )
                self.columns[name] = column
                if constant:
                    self.demographics[name] = {level: level for level in sorted(levels)}
                else:
                    self.conditions.append(name)
        if (
            "exchanges" in self.columns
            and len(self.list_levels(self.columns["exchanges"])) <= MAX_LEVELS
        ):
            self.conditions.append("exchanges")
