"""What the columns of a table of verdicts hold, as far as it is known."""

import re
from dataclasses import dataclass, field, replace
from typing import Any, Self

import pandas as pd

from turingstats.data.adapters import graded
from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.games import UNSURE
from turingstats.data.adapters.places import locate_choices
from turingstats.data.cells import describe_codes
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.source_table import SourceTable
from turingstats.new_study.vocabulary import NAMES, interpret_value, name_all, strip_signs

Meanings = dict[str, str | None]
"""What the values of a column mean: human, machine or unsure; None leaves rows out."""


@dataclass(frozen=True)
class Findings:
    """What was found of a table of any design; whoever finds more returns it with that added."""

    source: SourceTable
    columns: dict[str, str] = field(default_factory=dict)
    """By what they hold."""
    values: dict[str, Meanings] = field(default_factory=dict)
    """Meanings of values, by what their column holds."""
    remarks: tuple[str, ...] = ()

    def add(self, *remarks: str, **parts: Any) -> Self:
        """Add to what was found: entries (None removes one) and places; numbers and words are replaced."""
        merged: dict[str, Any] = {"remarks": self.remarks + remarks}
        for name, part in parts.items():
            earlier = getattr(self, name)
            if isinstance(earlier, dict):
                part = {key: value for key, value in (earlier | part).items() if value is not None}
            merged[name] = (*earlier, *part) if isinstance(earlier, tuple) else part
        return replace(self, **merged)

    def explain_codes(
        self, what: str, codes: list[float], numbers: pd.Series, meaning: str | None
    ) -> Self:
        """Add what numbers that are codes for no answer mean, and a remark on them, if there are any."""
        if not codes:
            return self
        meant = self.values.get(what, {}) | {f"{code:g}": meaning for code in codes}
        return self.add(describe_codes(self.columns[what], codes, numbers), values={what: meant})


@dataclass(frozen=True)
class Roles(Findings):
    """What was found of a table of verdicts."""

    not_read: dict[str, str] = field(default_factory=dict)
    """Columns that are not read, and why."""
    lacking: tuple[str, ...] = ()
    """Roles without a column."""
    not_understood: dict[str, dict[str, int]] = field(default_factory=dict)
    """Words of columns that may be truth, verdict or agent, with the numbers of their rows."""
    parts: dict[str, list[str]] = field(default_factory=dict)
    """Parts of the columns that are combined."""
    added: dict[str, str] = field(default_factory=dict)
    """Names that the user gave to conditions and scales, by column."""
    scales: tuple[str, ...] = ()
    given_by: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the user said of words of single columns, by their spelling."""
    choice: bool = False
    design: str = ""
    machines: tuple[str, ...] = ()
    """Machines among the witnesses of games, most frequent first."""
    prompted: tuple[str, ...] = ()
    """These with their prompts."""
    people_judged: int = 0
    """Number of people who were judged in games."""
    judge_kind: str = "human"
    cohorts: dict[str, dict[str, str]] = field(default_factory=dict)
    """By name in the study file: label, which is the name in the table, and judge_kind."""
    declared: dict[str, str] = field(default_factory=dict)
    """Kinds of other columns: condition, group of judges, or number, scale, check, code or word of trials."""
    no_answers: dict[str, list[float]] = field(default_factory=dict)
    """Numbers for no answer, by column."""

    def leave_out(self, what: str, why: str) -> "Roles":
        """Read the column of a role no more."""
        return self.add(
            columns={what: None}, values={what: None}, not_read={self.columns[what]: why}
        )

    # --- columns --------------------------------------------------------------------------------

    def list_declared(self, *kinds: str) -> list[str]:
        """List the other columns of some kinds."""
        return [name for name, kind in self.declared.items() if kind in kinds]

    def take_named_columns(self, *names: str) -> "Roles":
        """Assign the columns that have known names."""
        roles = self
        for name in names:
            roles = roles.add(columns={name: roles.find_named_column(name)})
        return roles

    @property
    def is_graded(self) -> bool:
        """Whether verdicts follow from ratings or scores."""
        return graded.NAME in self.columns

    def list_free_columns(self) -> list[str]:
        """List the columns that are neither assigned nor left out."""
        used = {*self.columns.values(), *self.not_read}
        used |= {part for column in used for part in self.parts.get(column, ())}
        return [name for name in self.source.header if name not in used]

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

    # --- values ---------------------------------------------------------------------------------

    def get_given(self, column: str) -> dict[str, Any]:
        """Get what the user said that words mean in a column, by their spelling."""
        return self.source.given | self.given_by.get(column, {})

    def list_given(self, column: str) -> Meanings:
        """List the values of a column, the empty one among them, whose meaning the user said."""
        given, values = self.get_given(column), self.source.count_values(column)
        spelled = {value: normalize_spelling(value) for value in values}
        return {value: given[word] for value, word in spelled.items() if word in given}

    def find_meaning(self, column: str, value: str) -> str | None:
        """Find what a value means as a truth or verdict: as the user said, else as a known word; or None."""
        return self.get_given(column).get(normalize_spelling(value), interpret_value(value))

    def list_meanings(self, name: str) -> list[str]:
        """List what the levels of a column mean, by what it holds."""
        meant, levels = self.values.get(name, {}), self.source.list_levels(self.columns[name])
        meanings = (meant.get(level, level) for level in levels)
        return [meaning for meaning in dict.fromkeys(meanings) if meaning]

    def select_levels(self, column: str, meaning: str) -> list[str]:
        """Select the values of a column with a meaning, most frequent first."""
        levels = self.source.list_levels(column)
        return [value for value in levels if self.find_meaning(column, value) == meaning]

    def select_left_out(self, column: str) -> set[str]:
        """Select the values of a column, the empty one among them, whose rows the user leaves out."""
        return {value for value, meaning in self.list_given(column).items() if meaning is None}

    def names_people(self, column: str | None) -> bool:
        """Tell whether a column of agents has people among them."""
        if column is None:
            return False
        people = self.select_levels(column, "human")
        # A column of people alone names no agents.
        has_people = people or self.get_given(column).get("") == "human"
        return bool(has_people) and len(self.source.list_levels(column)) > len(people)

    def parse_numbers(self, column: str, whole: bool = False) -> pd.Series:
        """Parse the filled cells of a column, without codes for no answer; NaN where they are no numbers."""
        numbers = self.source.parse_numbers(column, whole)
        return numbers[~numbers.isin(self.no_answers.get(column, []))]

    # --- rows -----------------------------------------------------------------------------------

    def find_truth_of_rows(self) -> pd.Series:
        """Find whether each row is by a person or a machine; missing where that is not understood."""
        if self.choice:
            return pd.Series("machine", self.source.cells.index)
        if "truth" in self.columns:
            return self.source.read_texts(self.columns["truth"]).map(self.values["truth"])
        agents = self.values.get("agent", {})
        names = self.source.read_texts(self.columns["agent"])
        return names.map(lambda name: agents.get(name, "machine"))

    def find_verdict_of_rows(self) -> pd.Series:
        """Find what was said in each row; missing where that is not understood."""
        words = {True: "machine", False: "human"}
        if "chosen" in self.columns and "witness_a" in self.columns:
            chosen = self.locate_choices_of(self.columns["chosen"])
            first = self.source.read_texts(self.columns["witness_a"]).isin(self.machines)
            person = first.map({True: "witness_b", False: "witness_a"})
            return (chosen == person).map(words).mask(chosen == "unsure", "unsure")
        if "chosen" in self.columns:
            chosen = self.source.read_texts(self.columns["chosen"])
            return (chosen == self.source.read_texts(self.columns["human_at"])).map(words)
        if not self.is_graded:
            column = self.columns.get("verdict") or self.columns["right"]
            meanings = self.values["verdict"] if "verdict" in self.columns else str
            return self.source.read_texts(column).map(meanings)
        numbers = self.parse_numbers(self.columns[graded.NAME])
        if self.source.file.rating:
            said = numbers.map(self.source.file.rating.interpret, na_action="ignore")
        else:
            score = self.source.file.score
            assert score is not None, "a table is graded by a rating or a score"
            said = graded.COMPARE[score.sign](numbers, score.threshold).map(words)
        return said.reindex(self.source.cells.index)

    def locate_choices_of(self, column: str) -> pd.Series:
        """Locate the witness that a column names in each row, as a run will."""
        given = self.get_given(column)
        located = {
            cell: given.get(normalize_spelling(cell))
            or ("unsure" if self.find_meaning(column, cell) == "unsure" else cell)
            for cell in self.source.count_values(column)
        }
        labels = {place: self.columns[place] for place in WITNESSES}
        witnesses = {place: self.source.read_texts(label) for place, label in labels.items()}
        said = self.source.read_texts(column).map(located)
        return locate_choices(said, pd.DataFrame(witnesses), labels, UNSURE)

    def select_machines(self, column: str) -> pd.Series:
        """Select the cells of a column in rows by machines, or all if no truth says which rows these are."""
        cells = self.source.read_texts(column)
        return cells[self.find_truth_of_rows() == "machine"] if "truth" in self.columns else cells

    def name_agents(self) -> dict[str, str]:
        """Name the machines: ids in the study file, and their names in the table.

        Case does not distinguish agents when a table is read.
        """
        names = list(self.prompted) or ["machine"]
        if "agent" in self.columns:
            spelled = {normalize_spelling(name) for name in self.values.get("agent", {})}
            cells = self.select_machines(self.columns["agent"]).drop_duplicates()
            by_spelling = {normalize_spelling(name): name for name in reversed(list(cells))}
            names = [name for key, name in reversed(by_spelling.items()) if key not in spelled]
        return name_all(names, "agent", ["human"])
