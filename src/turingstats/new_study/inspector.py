"""Inspect a table of verdicts: what each column holds, and what its values mean.

Nothing that looks like a name, an address or a browser string is read; the judge's id is read to
distinguish judges and is replaced by a pseudonym.
"""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters import graded, shapes, table_files
from turingstats.data.adapters.columns import normalize_number, normalize_spelling
from turingstats.new_study.answers import check_agents, find_verdicts
from turingstats.new_study.design import MAX_LEVELS, find_bands, group_answers, write_formulas
from turingstats.new_study.privacy import explain_privacy
from turingstats.new_study.table_shape import describe_shape, read_table
from turingstats.new_study.unclear import UnclearError
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
EPOCH = 1e9
"""Numbers above this are seconds or milliseconds since 1970."""
MOSTLY = 0.95
"""Share of rows whose truth or verdict must be a known word; the rest may be typos."""


def list_words(words: dict[str, int]) -> str:
    """List words with the number of their rows, for a message."""
    shown = ", ".join(f"{word!r} ({number})" for word, number in list(words.items())[:8])
    return shown + (f" and {len(words) - 8} others" if len(words) > 8 else "")


def format_word(word: str) -> str:
    """Format a word for YAML on a command line, in single quotes where it needs them."""
    return word if re.fullmatch(r"[A-Za-z]\w*", word) else "'" + word.replace("'", "''") + "'"


class TableInspector:
    """Find out what the columns of a table of verdicts seem to hold; call `inspect`.

    `named` are columns that are known, by what they hold: {judge: Beurteiler}. `words` says what further
    words mean as a truth or verdict: {Mensch: human, KI: machine}; None leaves rows out. Words of a
    single column are below its name, or below what it holds: {verdict: {1: machine}}. `shape` says what
    shape the table has and what its ratings or scores mean, in keys of data/sources/: sheet, wide, join,
    missing, where, rating, score.
    """

    def __init__(
        self,
        path: Path,
        named: dict[str, str] | None = None,
        words: dict[str, Any] | None = None,
        shape: dict[str, Any] | None = None,
    ) -> None:
        self.path, self.shape = Path(path), shape or {}
        words = words or {}
        self.given = {
            normalize_spelling(word): meaning
            for word, meaning in words.items()
            if not isinstance(meaning, dict)
        }
        self.given_by = {
            key: meanings for key, meanings in words.items() if isinstance(meanings, dict)
        }
        self.named = named or {}
        self.file = describe_shape(self.path, self.shape)
        self.table = read_table(self.file, self.path)
        if self.table.empty:
            raise InputError(path, "the table has no rows", fix="save it with its rows of verdicts")
        self.header = list(self.table)
        self.columns, self.values = {}, {}
        self.not_read, self.not_understood, self.slips, self.remarks = {}, {}, {}, []
        self.choice, self.missing_in, self.guesses = False, {}, {}
        self.demographics, self.conditions, self.covariates = {}, [], []
        self.cohorts, self.judge_kind = {}, "human"
        self.bands, self.models = [], {}

    def inspect(self) -> "TableInspector":
        """Find out what each column holds; return the inspector itself."""
        self.take_given_columns(self.named)
        self.take_grade()
        self.find_judges()
        self.leave_out_private_columns()
        self.take_given_words()
        self.take_missing_codes()
        find_verdicts(self)
        check_agents(self)
        for name in ("stimulus", "confidence", "rt_ms", "position", "exchanges", "topic", "domain"):
            self.take(name, self.find_named_column(name))
        self.check_numbers()
        self.find_groups()
        self.list_cohorts()
        self.bands = find_bands(self)
        self.models = write_formulas(self)
        self.remark_repeated_rows()
        return self

    def take_grade(self) -> None:
        """Assign the column of ratings or scores, if the user said what they mean."""
        grade = self.file.rating or self.file.score
        if grade is None:
            return
        if grade.column not in self.header:
            kind = "rating" if self.file.rating else "score"
            raise InputError(
                self.path,
                "the table lacks a column that was named",
                column=grade.column,
                allowed=self.header,
                fix=f"correct table: {kind}: column",
            )
        self.columns[graded.NAME] = grade.column

    @property
    def graded(self) -> bool:
        """Whether verdicts follow from ratings or scores."""
        return graded.NAME in self.columns

    def find_judges(self) -> None:
        """Find who gave the verdicts: people by their ids, or machines by their names."""
        self.take("judge", self.find_named_column("judge"))
        if "judge" in self.columns and self.file.score is None:
            return
        detector = self.find_named_column("detector") or self.columns.get("judge")
        if detector is None:
            raise self.make_unknown_error(
                "judge",
                "who gave each verdict; verdicts of one person belong together (or detector, which "
                "machine gave it)",
            )
        for name in ("detector", "judge"):
            self.columns.pop(name, None)
        self.columns["cohort"] = detector
        self.judge_kind = "llm" if re.search("llm|model", strip_signs(detector)) else "detector"
        self.remarks.append(
            f"{detector} taken for machines that judge, each a cohort of its own with judge_kind: "
            f"{self.judge_kind} (detector: trained to judge; llm: a language model that was asked)"
        )

    @property
    def judge_column(self) -> str:
        """The column that tells judges apart."""
        return self.columns.get("judge") or self.columns["cohort"]

    def list_cohorts(self) -> None:
        """Name the cohorts of machine judges: ids in the study file, and their names in the table."""
        if "cohort" not in self.columns:
            return
        for name in sorted(self.list_levels(self.columns["cohort"])):
            used = {*self.cohorts, "all"}
            self.cohorts[choose_unused_name(make_identifier(name, "judge"), used)] = name

    def take_given_words(self) -> None:
        """Assign what the user said about the words of single columns to these columns."""
        by_key, self.given_by = self.given_by, {}
        for key, meanings in by_key.items():
            column = self.resolve_column(key, "values")
            self.given_by[column] = {
                normalize_spelling(word): meaning for word, meaning in meanings.items()
            }
            if column == self.columns.get(graded.NAME):
                self.values[graded.NAME] = {
                    str(word): meaning for word, meaning in meanings.items()
                }

    def take_missing_codes(self) -> None:
        """Empty the cells that hold codes of missing values."""
        missing = self.file.missing
        if not isinstance(missing, dict):
            missing = dict.fromkeys(self.header, missing)
        for key, codes in missing.items():
            column = self.resolve_column(key, "missing")
            self.missing_in[column] = codes
            cells = self.table[column]
            coded = cells.map(normalize_number).isin([normalize_number(code) for code in codes])
            self.table[column] = cells.mask(coded, "")
            if column == self.columns.get(graded.NAME) and coded.any():
                # Trials without a rating are left out, and counted.
                self.values[graded.NAME] = {"": None} | self.values.get(graded.NAME, {})

    def resolve_column(self, key: str, where: str) -> str:
        """Find the column that the user means by its name, or by what it holds."""
        named = self.find_named_column(key) if key in NAMES else self.columns.get(key)
        made = {make_identifier(name, "column"): name for name in reversed(self.header)}
        column = key if key in self.header else named or made.get(key)
        if column is None:
            raise ConfigError(
                f"{where}: no column {key!r} in {self.path}\n"
                f"  allowed: {', '.join([*self.header, *NAMES])}\n"
                "  fix:     correct it, or say which column it is under columns"
            )
        return column

    def get_given(self, column: str) -> dict[str, Any]:
        """Get what the user said that words mean in a column, by their spelling."""
        return self.given | self.given_by.get(column, {})

    def remark_repeated_rows(self) -> None:
        """Note which rows occur twice."""
        repeated = self.table.index[self.table.duplicated()]
        if len(repeated):
            self.remarks.append(
                f"{len(repeated)} rows repeat an earlier one in every column, the first in row "
                f"{repeated[0]}: remove them if they were saved twice"
            )

    def take_given_columns(self, named: dict[str, str]) -> None:
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

    def make_unknown_error(self, what: str, meaning: str) -> UnclearError:
        """Make the error that no column was recognized for a role, or that its words were not."""
        roles = ("truth", "agent") if what == "truth" else (what,)
        named = [column for column in map(self.find_named_column, roles) if column is not None]
        column = next((column for column in named if column in self.not_understood), None)
        keys = {"what": what, "in_column": column, "words": self.not_understood.get(column)}
        if column is not None:
            words = self.not_understood[column]
            meant = ", ".join(f"{format_word(word)}: human or machine" for word in list(words)[:8])
            keys |= {"column": column, "allowed": ("human", "machine", "unsure", "null")}
            return UnclearError(
                self.path,
                f"column {column} was found for {what}, but it is not understood where it is "
                f"{list_words(words)}",
                fix=f'say what they mean: --config csv={self.path} values="{{{format_word(column)}: '
                f'{{{meant}}}}}"; if those that are not human are names of machines to keep apart, say '
                "only which are human; null leaves rows out",
                **keys,
            )
        strange = "".join(
            f"; {other} is not understood where it is {list_words(words)}"
            for other, words in self.not_understood.items()
        )
        return UnclearError(
            self.path,
            f"no column is known for {what}: {meaning}{strange}",
            allowed=[
                f"{', '.join(NAMES[what].split())} (case, spaces and punctuation do not matter)"
            ],
            fix=f'say which it is: --config csv={self.path} columns="{{{what}: its name}}", and what '
            'words such as KI mean: values="{KI: machine}"; or write the two files by hand '
            f"(docs/your_own_data.md); columns found: {', '.join(self.header)}",
            **keys,
        )

    def count_values(self, column: str, values: list[str]) -> dict[str, Any]:
        """Count the rows of some values of a column."""
        counts = self.table[column].value_counts()
        return {value: int(counts[value]) for value in values}

    def list_free_columns(self) -> list[str]:
        """List the columns that are neither assigned nor left out."""
        return [n for n in self.header if n not in {*self.columns.values(), *self.not_read}]

    def find_named_column(self, what: str) -> str | None:
        """Find the column that the user named, else the first free one with a known name, or None."""
        if what in self.columns:
            return self.columns[what]
        free = {
            strip_signs(re.sub(r"[(\[].*?[)\]]", "", name)): name
            for name in reversed(self.list_free_columns())
        }
        return next((free[name] for name in NAMES[what].split() if name in free), None)

    def take(self, what: str, column: str | None) -> None:
        """Assign a column to a role; do nothing if there is no column."""
        if column is not None:
            self.columns[what] = column

    def list_levels(self, column: str) -> list[str]:
        """List the distinct values of a column, most frequent first, without empty cells."""
        return [value for value in self.table[column].value_counts().index if value]

    def leave_out_private_columns(self) -> None:
        """Leave out columns that could identify a person, and those that any of several tables might have."""
        for column, number in shapes.list_columns(self.file, self.path.parent).items():
            if number == shapes.AMBIGUOUS:
                self.not_read[column] = "several of the joined tables have it"
        for column in self.list_free_columns():
            cells = self.table[column]
            reason = explain_privacy(column, cells[cells != ""])
            if reason:
                self.not_read[column] = reason

    def find_meaning(self, column: str, value: str) -> str | None:
        """Find what a value means as a truth or verdict: as the user said, else as a known word; or None."""
        given = self.get_given(column)
        return given.get(normalize_spelling(value), WORDS.get(normalize_value(value)))

    def find_known_meanings(self, column: str) -> dict[str, Any]:
        """Find what the recognized values of a column mean; None for values that leave rows out."""
        values, given = self.list_levels(column), self.get_given(column)
        if "" in given and (self.table[column] == "").any():
            values = ["", *values]
        meanings = interpret_values(column, values)
        spelled = {value: normalize_spelling(value) for value in values}
        return meanings | {v: given[word] for v, word in spelled.items() if word in given}

    def find_meanings(self, column: str) -> dict[str, Any] | None:
        """Find what the values of a column mean as a truth or verdict; None if they are not such words."""
        if self.is_gender_column(column):
            return None
        meanings, levels = self.find_known_meanings(column), self.list_levels(column)
        strange = [value for value in levels if value not in meanings]
        if strange:
            # Typos are left to the user if the rest is clear.
            sides = set(meanings.values()) >= {"human", "machine"}
            cells = self.table.loc[self.table[column] != "", column]
            if not sides or cells.isin(list(meanings)).mean() < MOSTLY:
                if {"human", "machine"} & set(meanings.values()):
                    self.not_understood[column] = self.count_values(column, strange)
                return None
        return meanings if set(meanings.values()) & {"human", "machine"} else None

    def is_gender_column(self, column: str) -> bool:
        """Tell whether a column holds a person's gender, by its name or by its values."""
        words = {normalize_value(value) for value in self.list_levels(column)}
        return bool(OF_GENDERS.fullmatch(strip_signs(column))) or (bool(words) and words <= GENDERS)

    def select_machines(self, column: str) -> pd.Series:
        """Select the cells of a column in rows by machines, or all if no truth says which rows these are."""
        cells = self.table[column]
        if "truth" in self.columns:
            cells = cells[cells.index.map(self.find_truth_of_rows()) == "machine"]
        return cells

    def find_truth_of_rows(self) -> pd.Series:
        """Find whether each row is by a person or a machine, by its number."""
        return self.table[self.columns["truth"]].map(self.values["truth"])

    def name_agents(self) -> dict[str, Any]:
        """Name the machines: ids in the study file, and their names in the table.

        Case does not distinguish agents when a table is read. An id is never the table's name for another
        agent, nor a word that YAML or a results table would read as a number or a missing value.
        """
        names = ["machine"]
        if "agent" in self.columns:
            spelled = {normalize_spelling(name) for name in self.values.get("agent", {})}
            cells = self.select_machines(self.columns["agent"]).drop_duplicates()
            names = {normalize_spelling(name): name for name in reversed(list(cells))}
            names = [name for key, name in reversed(names.items()) if key not in spelled]
        agents, taken = {}, {normalize_spelling(name) for name in names}
        for name in names:
            used = {"human", "all", *agents, *(taken - {normalize_spelling(name)})}
            agents[choose_unused_name(make_identifier(name, "agent"), used)] = name
        return agents

    def check_numbers(self) -> None:
        """Leave out columns that should be numbers but are not, or have another unit."""

        for name in ("confidence", "rt_ms", "position", "exchanges"):
            column = self.columns.get(name)
            if column is None:
                continue
            numbers = self.parse_numbers(column)
            whole = name in ("confidence", "rt_ms") or (numbers % 1 == 0).all()
            if numbers.isna().any() or not whole:
                self.not_read[column] = "not all of its values are numbers"
                del self.columns[name]
            elif name == "rt_ms" and numbers.median() < 100:
                self.columns["rt_s"] = self.columns.pop("rt_ms")
                self.remarks.append(
                    f"{column} taken for seconds: half of it is below {numbers.median():g}"
                )

    def find_groups(self) -> None:
        """Sort the remaining columns into groups of judges, conditions, numbers, and what is not read."""
        by_judge = self.table.groupby(self.judge_column)
        for name in ASKED:
            column = self.find_named_column(name)
            if column is not None and (by_judge[column].nunique() <= 1).all():
                self.take(name, column)
                self.demographics[name] = group_answers(name, self.map_levels(name, column))
        for column in self.list_free_columns():
            constant = (by_judge[column].nunique() <= 1).all()
            alone = self.table.groupby(column)[self.judge_column].nunique() == 1
            reason = self.explain_unread(column)
            if reason:
                self.not_read[column] = reason
            elif constant and self.judge_kind != "human":
                self.not_read[column] = "the same in all rows of each machine that judges"
            elif constant and alone.drop("", errors="ignore").mean() > 0.5:
                self.not_read[column] = "most of its values belong to a single judge"
            else:
                name = choose_unused_name(
                    make_identifier(column, "column"), {*self.columns, *RESERVED}
                )
                self.columns[name] = column
                levels = self.map_levels(name, column)
                if len(levels) > MAX_LEVELS:
                    self.covariates.append(name)
                elif constant:
                    self.demographics[name] = {level: level for level in sorted(levels)}
                else:
                    self.conditions.append(name)
        if (
            "exchanges" in self.columns
            and len(self.list_levels(self.columns["exchanges"])) <= MAX_LEVELS
        ):
            self.conditions.append("exchanges")

    def explain_unread(self, column: str) -> str | None:
        """Say why a column is neither a group, a condition nor a number; None if it is."""
        levels = self.list_levels(column)
        if len(levels) < 2:
            return "one value in all rows"
        if self.table[column].str.len().mean() > LONG:
            return "free text"
        if len(levels) <= MAX_LEVELS:
            return None
        numbers = self.parse_numbers(column)
        if numbers.isna().any():
            return "too many different values for a condition, and not all are numbers"
        if numbers.median() > EPOCH:
            return "looks like a date"
        if (numbers % 1 == 0).all() and numbers.is_unique and len(numbers) == len(self.table):
            return "a number of its own in each row"
        return None

    def parse_numbers(self, column: str) -> pd.Series:
        """Parse the filled cells of a column as numbers; NaN where they are not."""
        cells = self.table.loc[self.table[column] != "", column]
        numbers = pd.to_numeric(
            table_files.convert_decimal_commas(cells, self.path).astype(str), errors="coerce"
        )
        return numbers.where(numbers.abs() != float("inf"))

    def map_levels(self, name: str, column: str) -> list[str]:
        """List what the levels of a column mean, and note it where the user said so."""
        given = self.given_by.get(column, {})
        spelled = {
            level: given[normalize_spelling(level)]
            for level in [*self.list_levels(column), ""]
            if normalize_spelling(level) in given
        }
        if spelled:
            self.values[name] = spelled
        levels = [spelled.get(level, level) for level in self.list_levels(column)]
        return [level for level in dict.fromkeys(levels) if level]
