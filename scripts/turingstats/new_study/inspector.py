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
from turingstats.new_study.design import MAX_LEVELS, find_bands, group_answers, write_formulas
from turingstats.new_study.privacy import explain_privacy
from turingstats.new_study.vocabulary import (
    ASKED,
    GENDERS,
    NAMES,
    NO,
    OF_GENDERS,
    RESERVED,
    WORDS,
    YES,
    choose_unused_name,
    interpret_values,
    make_identifier,
    normalize_value,
    strip_signs,
)

MAX_AGENTS = 60
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
        self.find_verdicts()
        self.check_agents()
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

    def find_verdicts(self):
        """Find truth, verdict (or whether it was right) and agent."""
        if self.find_choice():
            return
        open_to = [
            *self.list_free_columns(),
            *(self.columns[n] for n in ("verdict", "truth") if n in self.columns),
        ]
        words = {column: self.find_meanings(column) for column in open_to}
        words = {column: known for column, known in words.items() if known}
        verdict, truth, right = (
            self.find_named_column("verdict"),
            self.find_named_column("truth"),
            self.find_right_column(),
        )
        said = [c for c in words if re.match(r"(said|judged|guessed|perceived|thought)", c.lower())]
        verdict = verdict if verdict in words else next(iter(said), None)
        truth = truth if truth in words and truth != verdict else None
        # A column with the same value in all rows distinguishes nothing and may be about anything.
        several = [column for column in words if len(self.list_levels(column)) > 1]
        rest = [column for column in several if column not in (verdict, truth)]
        unsure = [column for column in rest if "unsure" in words[column].values()]
        if verdict is None and unsure:
            verdict = unsure[0]
            self.remarks.append(f"{verdict} taken for the verdict: it may be unsure")
        rest = [column for column in rest if column != verdict]
        if verdict is None and right is None:
            verdict = self.find_verdict_column(rest, words, truth)
            rest = [column for column in rest if column != verdict]
        if truth is None and rest and (verdict or right):
            truth = rest[0]
            self.remarks.append(f"{truth} taken for the truth, by its values")
        for what, column in (("truth", truth), ("verdict", verdict)):
            if column is not None:
                self.take(what, column)
                self.values[what] = words[column]
                self.remark_slips(what, column)
        if truth is not None and len(self.list_levels(truth)) == 1:
            (value,) = self.list_levels(truth)
            self.remarks.append(
                f"{truth} taken for the truth, by its name, though it is {value!r} in all rows: everything "
                f"is by {'people' if words[truth][value] == 'human' else 'machines'} then; if that is "
                "wrong, name the column of the truth"
            )
        self.find_agent()
        if not {"truth", "agent"} & set(self.columns) and right and self.find_named_column("agent"):
            self.choice = True
            self.take("right", right)
            self.take("agent", self.find_named_column("agent"))
            self.remarks.append(
                "nothing is by people: each row taken for a choice between a person's and a machine's "
                "response; if judges saw only machines, remove choice: true from the task"
            )
            return
        if "truth" not in self.columns and "agent" not in self.columns:
            raise self.make_unknown_error(
                "truth",
                "who made each response, in words such as human and machine (or human_at, where the "
                "person's response was in a choice between two)",
            )
        if verdict is None:
            self.take("right", right)
            if right is None:
                raise self.make_unknown_error(
                    "verdict", "what each judge said, such as human and machine"
                )
            self.remarks.append(
                "the verdict follows from the truth and from whether the judge was right; if a trial "
                "showed a person's and a machine's response and the judge chose, add choice: true to the task"
            )

    def find_choice(self):
        """Tell whether each row is a choice between a person's and a machine's response, with its columns."""
        places, chosen = self.find_named_column("human_at"), self.find_named_column("chosen")
        if places is None or chosen is None:
            return False
        other = set(self.list_levels(chosen)) - set(self.list_levels(places))
        if len(other) >= len(self.list_levels(chosen)):
            return False
        self.choice = True
        self.take("human_at", places)
        self.take("chosen", chosen)
        unsure = {
            value: "unsure" for value in sorted(other) if self.find_meaning(value) == "unsure"
        }
        if unsure:
            self.values["chosen"] = unsure
        self.take("agent", self.find_named_column("agent"))
        self.remarks.append(
            f"each row taken for a choice between a person's and a machine's response: {chosen} is what "
            "the judge took for the person's"
        )
        return True

    def find_right_column(self):
        """Find the column that says whether judges were right, in words such as yes and 0."""
        column = self.find_named_column("right")
        if column is None:
            return None
        unsure = {v: "unsure" for v in self.list_levels(column) if self.find_meaning(v) == "unsure"}
        unsure |= {
            value: None
            for value in (*self.list_levels(column), "")
            if normalize_spelling(value) in self.given
            and self.given[normalize_spelling(value)] is None
        }
        if not {normalize_value(v) for v in self.list_levels(column) if v not in unsure} <= {
            *YES,
            *NO,
        }:
            return None
        if unsure:
            self.values["right"] = unsure
        return column

    def find_verdict_column(self, candidates, words, truth):
        """Find the first column of human and machine that differs from who made the responses, or None."""
        agent = self.find_named_column("agent")
        if truth is not None:
            people = self.table[truth].map(words[truth]) == "human"
        elif agent is not None:
            people = self.table[agent].map(lambda name: self.find_meaning(name) == "human")
        else:
            return None
        for column in candidates:
            said = self.table[column].map(words[column]) == "human"
            if column != agent and people.any() and (said != people).any():
                self.remarks.append(f"{column} taken for the verdict, by its values")
                return column
        return None

    def remark_slips(self, what, column):
        """Note which values of a truth or verdict are not understood, and where."""
        cells = self.table.loc[self.table[column] != "", column]
        slips = cells[~cells.isin(list(self.values[what]))].drop_duplicates()
        empty = self.table.index[self.table[column] == ""]
        if len(empty) and "" not in self.values[what]:
            self.remarks.append(
                f"{column}: {len(empty)} empty, the first in row {empty[0]}; correct the table, or say "
                f'under values: {what}: what "" means (null leaves the rows out)'
            )
        if len(slips):
            where = ", ".join(f"{value!r} (row {row})" for row, value in slips.items())
            self.remarks.append(
                f"{column}: not understood is {where}; correct the table, or say under values: {what}: "
                "what it means (null leaves the rows out)"
            )

    def find_agent(self):
        """Find which machine made each response; people may have any name or none there."""
        given = "agent" in self.columns
        truth = None
        if "truth" in self.columns:
            truth = self.table[self.columns["truth"]].map(self.values["truth"])
        named = self.find_named_column("agent")
        self.columns.pop("agent", None)
        for column in [*([named] if named else []), *self.list_free_columns()]:
            if column in self.columns.values() or len(self.list_levels(column)) > MAX_AGENTS:
                continue
            people = {v for v in self.list_levels(column) if self.find_meaning(v) == "human"}
            if truth is None:
                if column == named and (people or self.given.get("") == "human"):
                    self.take("agent", column)
                    self.values["agent"] = dict.fromkeys(sorted(people), "human")
                    return
                continue
            made_by = {
                side: {normalize_spelling(cell) for cell in self.table.loc[truth == side, column]}
                for side in ("human", "machine")
            }
            filled = made_by["machine"] - {""}
            if column != named and "" in made_by["machine"]:
                continue
            apart = not (made_by["human"] & filled)
            nameless = made_by["human"] <= {"", *map(normalize_spelling, people)}
            if filled and apart and (column == named or nameless):
                self.take("agent", column)
                return
        if given:
            self.take("agent", named)

    def check_agents(self):
        """Note where no agent is named, and leave out the rows that the user's words leave out.

        Raises
        ------
        InputError
            A machine's response has no name in a table that names machines.
        """
        if "agent" not in self.columns:
            return
        column = self.columns["agent"]
        cells = self.select_machines(column)
        known = self.values.get("agent", {})
        for value in cells.unique():
            if (
                normalize_spelling(value) in self.given
                and self.given[normalize_spelling(value)] is None
            ):
                known[value] = None
        empty = cells.index[cells == ""]
        if len(empty) and "" in self.given:
            known[""] = self.given[""]
        elif len(empty):
            raise InputError(
                self.path,
                f"no agent: it is unknown who made the response ({len(empty)} such rows)",
                row=empty[0],
                column=column,
                value="",
                fix="fill it in, or say what an empty cell means: --config "
                f"csv={self.path} values=\"{{'': human}}\" (null in place of human leaves such rows out)",
            )
        if known:
            self.values["agent"] = known

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
