"""Inspect a table of verdicts: what each column holds, and what its values mean.

What the user says comes first, then what names and values suggest. Nothing that looks like a name, an
address or a browser string is read unless the user says so; the judge's id is replaced by a pseudonym.
"""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.yaml_models import build_model, make_list
from turingstats.data.adapters import graded, shapes
from turingstats.data.adapters.columns import FEW_WRONG
from turingstats.data.cells import NAMED, describe_codes, find_no_answers, write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.answers import (
    Meanings,
    check_agents,
    find_answers,
    leave_out_unanswered,
    refuse_unknown_roles,
)
from turingstats.new_study.design import find_bands, write_formulas
from turingstats.new_study.games import (
    find_person_in_rows,
    find_witnesses,
    locate_choices_of,
)
from turingstats.new_study.other_columns import (
    check_numbers,
    find_groups,
    leave_out_private_columns,
)
from turingstats.new_study.vocabulary import (
    MAX_AGENTS,
    MOSTLY,
    NAMES,
    choose_unused_name,
    interpret_value,
    interpret_values,
    make_identifier,
    name_sample_columns,
    strip_signs,
)

ABOUT_TRIALS = ("stimulus", "session", "confidence", "rt_ms", "position", "exchanges")
CONTRACT = ("cohort", "phase", "control_ok", "person", "trial", "variant")
"""Names of the data contract that only the user can give to a column."""
SHAPE = ("sheet", "wide", "join", "missing", "where", "rating", "score")
"""Keys of a file in data/sources/ that say what shape a table has, and what its numbers mean."""


def describe_shape(path: Path, shape: dict[str, Any]) -> RawFile:
    """Describe the table as a file of data/sources/."""
    unknown = [key for key in shape if key not in SHAPE]
    if unknown:
        raise ConfigError(
            f"table: unknown key {', '.join(unknown)}; known here: {', '.join(SHAPE)}\n"
            "  fix:     give the others in the two files that are written"
        )
    file = {"path": path.name, "format": "verdict_table", "task": "verdicts"}
    return build_model(RawFile, file | shape, "table")


def read_table(file: RawFile, path: Path, words: dict[str, Any]) -> pd.DataFrame:
    """Read all columns of a table in its final shape, and the rows that are wanted.

    Words for nothing are empty, unless the user said what they mean.
    """
    columns = shapes.list_columns(file, path.parent)
    wanted = [name for name, number in columns.items() if number != shapes.AMBIGUOUS]
    said = [key for key, meaning in words.items() if not isinstance(meaning, dict)]
    said += [str(word) for part in words.values() if isinstance(part, dict) for word in part]
    names = {word for what in NAMED for word in NAMES.get(what, "").split()}
    named = [name for name in wanted if strip_signs(name) in names]
    shaped = shapes.read_shaped_table(file, path.parent, [*wanted, *file.where], said, named)
    kept = ~shaped.not_shown
    for column, values in file.where.items():
        kept &= shaped.table[column].isin(values)
    shaped = shaped.select_rows(kept.index[kept])
    # Who judges is not known yet.
    shapes.require_matches(file, path.parent, shaped, list(shaped.table))
    table = shaped.table
    filled = [name for name in table if set(table[name].cat.categories[:2]) - {""}]
    return table[filled or list(table)].astype(str)


class TableInspector:
    """Find out what the columns of a table of verdicts hold; call `inspect`.

    `named` are columns by what they hold, several as a list: {judge: Beurteiler, stimulus: [corpus, text]};
    `scales` are ratings given beside the verdict; other names are those of conditions, and None leaves a
    column out. `words` says what words mean as a truth or verdict: {KI: machine}; None leaves rows out. Words
    of a single column are below its name, or below what it holds: {verdict: {1: machine}}. `shape` says what
    shape the table has and what its ratings or scores mean, in keys of data/sources/: sheet, wide, join,
    missing, where, rating, score. Messages tell how to do better with the `command` that reads the table.
    """

    def __init__(
        self,
        path: Path,
        named: dict[str, Any] | None = None,
        words: dict[str, Any] | None = None,
        shape: dict[str, Any] | None = None,
        command: str = "",
    ) -> None:
        self.path, self.shape, self.command = Path(path), shape or {}, command
        self.named, self.words = named or {}, words or {}
        self.given = {
            normalize_spelling(word): meaning
            for word, meaning in self.words.items()
            if not isinstance(meaning, dict)
        }
        self.given_by: dict[str, dict[str, Any]] = {}
        self.file = describe_shape(self.path, self.shape)
        self.table = read_table(self.file, self.path, self.words)
        if self.table.empty:
            raise InputError(path, "the table has no rows", fix="save it with its rows of verdicts")
        self.header = list(self.table)
        self.named = name_sample_columns(self.header, self.named) | self.named
        # Parts of the columns that are combined, and names that the user gave to conditions.
        self.parts: dict[str, list[str]] = {}
        self.added: dict[str, str] = {}
        self.columns: dict[str, str] = {}
        self.values: dict[str, Meanings] = {}
        self.not_read, self.remarks, self.lacking = {}, [], []
        self.not_understood: dict[str, dict[str, int]] = {}
        self.choice = False
        # Of games of three parties: names of the machines, these with their prompts, and the number of
        # people who were judged.
        self.design, self.machines, self.agents, self.people_judged = "", [], [], 0
        # Columns of the task, and what they are: a number, a word, or a check of the verdicts.
        self.demographics, self.conditions, self.task_columns = {}, [], {}
        # Cohorts of a column by their names in the study file: names in the table, and who judges.
        self.cohorts, self.judge_kind, self.kinds = {}, "human", {}
        self.bands, self.models = {}, {}
        # Columns of coded reasons, and of ratings given beside the verdict.
        self.codes: list[str] = []
        # Levels of columns, as from `list_levels`, and numbers for no answer, by column.
        self.levels: dict[str, list[str]] = {}
        self.no_answers: dict[str, list[float]] = {}
        self.scales: list[str] = []

    def inspect(self) -> "TableInspector":
        """Find out what each column holds; return the inspector itself."""
        self.take_given_columns()
        self.take_given_words()
        self.find_judges()
        find_witnesses(self)
        leave_out_private_columns(self)
        find_answers(self)
        if self.lacking:
            refuse_unknown_roles(self)
        leave_out_unanswered(self)
        check_agents(self)
        for name in (*ABOUT_TRIALS, "topic", "domain"):
            column = self.find_named_column(name)
            if column is not None and not (self.design and name == "stimulus"):
                self.columns[name] = column
        check_numbers(self)
        find_groups(self)
        self.list_cohorts()
        self.bands = find_bands(self)
        self.models = write_formulas(self)
        return self

    def take_given_columns(self) -> None:
        """Assign the columns that the user named, and leave out those that are not to be read."""
        self.refuse_columns_named_twice()
        for what, named in self.named.items():
            if named is None:
                self.not_read[self.resolve_column(what, "columns")] = "left out, as you said"
                continue
            parts = list(make_list(named))
            self.require_columns(parts, f"columns: {what}")
            if what == "scales":
                self.scales = parts
                self.added |= {column: make_identifier(column, "column") for column in parts}
                continue
            column = ", ".join(parts)
            if column not in self.header:
                self.parts[column] = parts
                cells = self.table[parts].astype("category")
                self.table[column] = shapes.combine_cells(cells).astype(str)
            if what in NAMES or what in CONTRACT:
                self.columns[what] = column
            else:
                self.added[column] = make_identifier(what, "column")
        grade = self.file.rating or self.file.score
        if grade is not None:
            kind = "rating" if self.file.rating else "score"
            self.require_columns([grade.column], f"table: {kind}: column")
            self.columns[graded.NAME] = grade.column

    def refuse_columns_named_twice(self) -> None:
        """Refuse a column that the user gave two meanings, of which one would be lost."""
        meant: dict[str, str] = {}
        for what, named in self.named.items():
            column = ", ".join(make_list(named)) if named is not None else what
            if what != "scales" and meant.setdefault(column, what) != what:
                raise ConfigError(
                    f"columns: {meant[column]} and {what} are both {column}\n"
                    f"  fix:     name one of them; a column is read once"
                )

    def require_columns(self, columns: list[str], key: str) -> None:
        """Refuse columns that the user named and the table lacks."""
        for column in columns:
            if column not in self.header:
                raise InputError(
                    self.path,
                    "the table lacks a column that was named",
                    column=column,
                    allowed=self.header,
                    fix=f"correct {key}",
                )

    @property
    def is_graded(self) -> bool:
        """Whether verdicts follow from ratings or scores."""
        return graded.NAME in self.columns

    def take_given_words(self) -> None:
        """Assign what the user said about the words of single columns to these columns."""
        for key, meanings in self.words.items():
            if not isinstance(meanings, dict):
                continue
            column = self.resolve_column(key, "values")
            self.given_by[column] = {
                normalize_spelling(word): meaning for word, meaning in meanings.items()
            }
            if column == self.columns.get(graded.NAME):
                self.values[graded.NAME] = {
                    str(word): meaning for word, meaning in meanings.items()
                }
        if self.is_graded and self.file.missing:
            # Trials without a rating are left out, and counted.
            self.values[graded.NAME] = {"": None} | self.values.get(graded.NAME, {})

    def find_judges(self) -> None:
        """Find who gave the verdicts: people by their ids, or machines by their names."""
        judge = self.find_named_column("judge")
        if judge is not None:
            self.columns["judge"] = judge
            if self.table[judge].is_unique and len(self.table) > 1:
                self.remarks.append(
                    f"{judge} differs in every row, as if each judge gave one verdict; if it numbers games "
                    'or sessions, say where the ids of people are: columns="{judge: their column}"'
                )
            if self.file.score is None:
                return
        detector = self.find_named_column("detector") or judge
        if detector is None:
            self.lacking.append("judge")
            return
        for name in ("detector", "judge"):
            self.columns.pop(name, None)
        self.columns["cohort"] = detector
        self.judge_kind = "llm" if re.search("llm|model", strip_signs(detector)) else "detector"
        self.remarks.append(
            f"{detector} taken for machines that judge, each a cohort of its own with judge_kind: "
            f"{self.judge_kind} (detector: trained to judge; llm: a language model that was asked)"
        )

    def list_cohorts(self) -> None:
        """Name the cohorts of a column: ids in the study file, their names in the table, and who judges."""
        if "cohort" not in self.columns:
            return
        for name in sorted(self.list_levels(self.columns["cohort"])):
            used = {*self.cohorts, "all"}
            cohort = choose_unused_name(make_identifier(name, "judge"), used)
            self.cohorts[cohort], self.kinds[cohort] = name, self.judge_kind
            if "judge" in self.columns:
                of_cohort = self.table[self.table[self.columns["cohort"]] == name]
                alone = of_cohort[self.columns["judge"]].nunique() == 1
                if alone or interpret_value(name) == "machine":
                    self.kinds[cohort] = "llm"
                    why = "has one judge, taken for a machine" if alone else "taken for machines"
                    self.remarks.append(f"{name} {why} (judge_kind: llm, detector or human)")

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

    # --- columns and their values ---------------------------------------------------------------

    def list_free_columns(self) -> list[str]:
        """List the columns that are neither assigned nor left out."""
        used = {*self.columns.values(), *self.not_read}
        used |= {part for column in used for part in self.parts.get(column, ())}
        return [name for name in self.table if name not in used]

    def find_named_column(self, what: str) -> str | None:
        """Find the column that the user named, else the first free one with a known name, or None."""
        if what in self.columns:
            return self.columns[what]
        free = {
            strip_signs(re.sub(r"[(\[].*?[)\]]", "", name)): name
            for name in reversed(self.list_free_columns())
            if name not in self.added
        }
        return next((free[name] for name in NAMES[what].split() if name in free), None)

    def list_levels(self, column: str) -> list[str]:
        """List the distinct values of a column, most frequent first, without empty cells."""
        if column not in self.levels:
            counts = self.table[column].value_counts()
            self.levels[column] = [value for value in counts.index if value]
        return self.levels[column]

    def get_given(self, column: str) -> dict[str, Any]:
        """Get what the user said that words mean in a column, by their spelling."""
        return self.given | self.given_by.get(column, {})

    def find_meaning(self, column: str, value: str) -> str | None:
        """Find what a value means as a truth or verdict: as the user said, else as a known word; or None."""
        return self.get_given(column).get(normalize_spelling(value), interpret_value(value))

    def interpret_columns(self) -> dict[str, Meanings]:
        """Interpret the columns whose values are words for human and machine, and note those in part."""
        given = [self.columns[what] for what in ("truth", "verdict") if what in self.columns]
        named = {*map(self.find_named_column, ("truth", "verdict", "agent")), *given}
        words = {}
        for column in [*self.list_free_columns(), *given]:
            meanings, levels = self.interpret_column(column), self.list_levels(column)
            strange = [value for value in levels if value not in meanings]
            sides = {"human", "machine"} & set(meanings.values())
            cells = self.table.loc[self.table[column] != "", column]
            # Typos are left to the user if the rest is clear.
            mostly = len(sides) == 2 and cells.isin(list(meanings)).mean() >= MOSTLY
            if sides and (mostly or not strange):
                words[column] = meanings
            elif sides or (column in named and 1 < len(levels) <= MAX_AGENTS):
                counts = self.table[column].value_counts()
                self.not_understood[column] = {value: int(counts[value]) for value in strange}
        return words

    def interpret_column(self, column: str) -> Meanings:
        """Interpret the values of a column that are recognized; None leaves rows out."""
        values, given = self.list_levels(column), self.get_given(column)
        if "" in given and (self.table[column] == "").any():
            values = ["", *values]
        spelled = {value: normalize_spelling(value) for value in values}
        return interpret_values(column, values) | {
            value: given[word] for value, word in spelled.items() if word in given
        }

    def parse_numbers(self, column: str, whole: bool = False) -> pd.Series:
        """Parse the filled cells of a column as numbers; NaN where they are not."""
        cells = self.table.loc[self.table[column] != "", column]
        plain = write_plainly(cells.astype("category"), self.path, column, whole)
        numbers = pd.to_numeric(plain.astype(str), errors="coerce")
        numbers = numbers.where(numbers.abs() != float("inf"))
        return numbers[~numbers.isin(self.no_answers.get(column, []))]

    def empty_codes(self, what: str, column: str) -> None:
        """Empty the numbers of a column that are codes for no answer, unless the user explained them."""
        given = self.given_by.get(column, {})
        numbers = self.parse_numbers(column)
        codes = [code for code in find_no_answers(numbers) if f"{code:g}" not in given]
        if codes:
            self.no_answers[column] = codes
            meant = {f"{code:g}": "" for code in codes}
            self.values[what] = self.values.get(what, {}) | meant
            self.remarks.append(describe_codes(column, codes, numbers))

    @staticmethod
    def are_mostly_numbers(numbers: pd.Series) -> bool:
        """Tell whether so few parsed cells are no numbers that a run reads them as empty."""
        return numbers.isna().sum() <= max(1, FEW_WRONG * len(numbers))

    # --- who made the responses, and what was said of them ------------------------------------------

    def find_truth_of_rows(self) -> pd.Series:
        """Find whether each row is by a person or a machine; missing where that is not understood."""
        if self.choice:
            return pd.Series("machine", self.table.index)
        if "truth" in self.columns:
            return self.table[self.columns["truth"]].map(self.values["truth"])
        agents = self.values.get("agent", {})
        return self.table[self.columns["agent"]].map(lambda name: agents.get(name, "machine"))

    def find_verdict_of_rows(self) -> pd.Series:
        """Find what was said in each row; missing where that is not understood."""
        if {"witness_a", "chosen"} <= set(self.columns):
            chosen = locate_choices_of(self, self.columns["chosen"])
            is_right = chosen.mask(chosen == "unsure") == find_person_in_rows(self)
            return is_right.map({True: "machine", False: "human"}).mask(
                chosen == "unsure", "unsure"
            )
        if "chosen" in self.columns:
            is_right = self.table[self.columns["chosen"]] == self.table[self.columns["human_at"]]
            return is_right.map({True: "machine", False: "human"})
        if not self.is_graded:
            column = self.columns.get("verdict") or self.columns["right"]
            return self.table[column].map(
                self.values["verdict"] if "verdict" in self.columns else str
            )
        numbers = self.parse_numbers(self.columns[graded.NAME])
        if self.file.rating:
            return numbers.map(self.file.rating.interpret, na_action="ignore").reindex(
                self.table.index
            )
        score = self.file.score
        said_machine = graded.COMPARE[score.sign](numbers, score.threshold)
        return said_machine.map({True: "machine", False: "human"}).reindex(self.table.index)

    def select_machines(self, column: str) -> pd.Series:
        """Select the cells of a column in rows by machines, or all if no truth says which rows these are."""
        cells = self.table[column]
        return cells[self.find_truth_of_rows() == "machine"] if "truth" in self.columns else cells

    def name_agents(self) -> dict[str, Any]:
        """Name the machines: ids in the study file, and their names in the table.

        Case does not distinguish agents when a table is read. An id is never the table's name for another
        agent, nor a word that YAML or a results table would read as a number or a missing value.
        """
        names = self.agents or ["machine"]
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
