"""A starting study for a table of similarity ratings: two stimuli and a number in each row."""

import re
from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data.adapters import table_files
from turingstats.new_study.vocabulary import (
    HUMAN,
    NAMES,
    RATED_AS_DIFFERENT,
    RATED_AS_SIMILAR,
    RATED_IN,
    choose_unused_name,
    make_identifier,
    normalize_value,
    strip_signs,
)

NEEDED = ("participant", "item_a", "item_b", "rating")
ENDS = re.compile(r"(.*?)(a|b|1|2|left|right|first|second)$")
SCALES = ((0, 1), (1, 5), (1, 7), (1, 9), (0, 10), (1, 10), (0, 100), (1, 100))
MAX_SYSTEMS, MAX_TASKS = 60, 20


class RatingsInspector:
    """What the columns of a table of similarity ratings, read as text, hold; see `find_ratings`."""

    def __init__(self, path: Path, table: pd.DataFrame, columns: dict[str, str]) -> None:
        self.path, self.table, self.remarks = Path(path), table, []
        # By what they hold: participant, item_a, item_b, rating, and system if there is one.
        self.columns = columns
        # Names of the systems and tasks in the table, by their names in the study; people are `human`.
        self.systems = self.name_systems()
        self.tasks = self.name_tasks()
        self.scale = self.find_scale()

    @property
    def not_read(self) -> list[str]:
        """Columns that no step reads."""
        return [name for name in self.table if name not in self.columns.values()]

    def name_tasks(self) -> dict[str, str]:
        """Name the tasks: sets of items that are analyzed separately."""
        if "task" not in self.columns:
            return {"items": "Items"}
        tasks: dict[str, str] = {}
        for name in self.table[self.columns["task"]].unique():
            tasks[choose_unused_name(make_identifier(name, "task"), {*tasks, "all"})] = name
        self.remarks.append(
            f"each {self.columns['task']} is a task: its items are compared only with each other, and there "
            "is an alignment for each"
        )
        return tasks

    def name_systems(self) -> dict[str, str]:
        """Name the systems that rated: people first."""
        if "system" not in self.columns:
            self.remarks.append(
                "no column says who rated: all ratings taken for people's (cohort: human); columns: system "
                "says who else rated"
            )
            return {"human": "People"}
        systems = {}
        levels = list(self.table[self.columns["system"]].value_counts().index)
        people = [name for name in levels if normalize_value(name) in HUMAN.split()]
        if len(people) != 1:
            raise InputError(
                self.path,
                "it is not clear which raters are people, whom the others are compared with",
                column=self.columns["system"],
                value=", ".join(levels[:8]),
                allowed=HUMAN.split(),
                fix="name them human in the table",
            )
        for name in [*people, *(name for name in levels if name not in people)]:
            system = "human" if name in people else make_identifier(name, "system")
            systems[choose_unused_name(system, {*systems, "all"})] = name
        return systems

    def find_scale(self) -> tuple[float, float]:
        """Find the scale of the ratings: the first common one that contains all of them."""
        cells = self.table[self.columns["rating"]]
        numbers = pd.to_numeric(
            table_files.convert_decimal_commas(cells[cells != ""], self.path).astype(str),
            errors="coerce",
        )
        if numbers.isna().any():
            row = numbers.index[numbers.isna()][0]
            raise InputError(
                self.path,
                "a rating that is not a number",
                row=row,
                column=self.columns["rating"],
                value=cells[row],
                fix="leave it empty, and say why there is no rating in a column status",
            )
        low, high = float(numbers.min()), float(numbers.max())
        whole = (numbers % 1 == 0).all()
        fitting = [ends for ends in SCALES if ends[0] <= low and high <= ends[1]]
        scale = next((ends for ends in fitting if whole or ends[1] in (1, 100)), (low, high))
        self.remarks.append(
            f"ratings from {low:g} to {high:g} taken for a scale from {scale[0]:g} to {scale[1]:g}, where "
            "the highest means identical: correct scale if not"
        )
        return scale


def find_ratings(path: Path, table: pd.DataFrame, named: dict[str, str]) -> RatingsInspector | None:
    """Find the columns of a table of similarity ratings; None if it is not one."""
    free = {strip_signs(name): name for name in reversed(list(table))}
    columns = {name: named[name] for name in (*NEEDED, "system", "task") if name in named}
    if not {"item_a", "item_b"} <= set(columns):
        pair = find_pair(table)
        if pair is None:
            return None
        columns |= dict(zip(("item_a", "item_b"), pair, strict=True))
    reverse = [free[name] for name in RATED_AS_DIFFERENT.split() if name in free]
    for name, spellings in (
        ("rating", RATED_AS_SIMILAR),
        ("participant", NAMES["judge"]),
        ("system", "system " + NAMES["agent"]),
        ("task", RATED_IN),
    ):
        column = next((free[word] for word in spellings.split() if word in free), None)
        if name not in columns and column is not None and column not in columns.values():
            columns[name] = column
    if "rating" not in columns:
        if not reverse:
            return None
        raise InputError(
            path,
            "ratings of how different two stimuli are; they must say how similar they are",
            column=reverse[0],
            fix="subtract them from the highest possible rating, and name the column similarity",
        )
    if "system" in columns and table[columns["system"]].nunique() > MAX_SYSTEMS:
        del columns["system"]
    if "task" in columns and "task" not in named:
        names = set(table[columns["task"]])
        if "" in names or not 2 <= len(names) <= MAX_TASKS:
            del columns["task"]
    if "participant" not in columns:
        raise InputError(
            path,
            "no column is known for participant: who gave each rating",
            allowed=NAMES["judge"].split(),
            fix=f'say which it is: --config csv={path} columns="{{participant: its name}}"',
        )
    return RatingsInspector(path, table, columns)


def find_pair(table: pd.DataFrame) -> list[str] | None:
    """Find two columns of the same stimuli, such as item_a and item_b; None if there are none."""
    by_stem = {}
    for name in table:
        match = ENDS.fullmatch(strip_signs(name))
        if match:
            by_stem.setdefault(match[1], []).append(name)
    for pair in by_stem.values():
        if len(pair) == 2:
            one, other = (set(table[name]) - {""} for name in pair)
            if min(len(one), len(other)) > 1 and 2 * len(one & other) >= min(len(one), len(other)):
                return sorted(pair)
    return None
