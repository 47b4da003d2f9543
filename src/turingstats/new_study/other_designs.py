"""Starting studies for tables of other designs than verdicts: similarity ratings, choices between agents."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import InputError
from turingstats.data.cells import describe_codes, find_no_answers, find_scale, write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.vocabulary import (
    CHOSEN_FROM,
    LONG,
    MOSTLY,
    NAMES,
    RATED_AS_DIFFERENT,
    RATED_AS_SIMILAR,
    RATED_IN,
    SHOWN,
    find_columns,
    format_word,
    is_people,
    name_all,
    strip_signs,
)
from turingstats.rankings.reading import OPTIONS, TIE, WHEN, name_places

RATED = {
    "rating": RATED_AS_SIMILAR,
    "participant": NAMES["judge"],
    "system": "system " + NAMES["agent"],
    "task": RATED_IN,
}
ENDS = re.compile(r"(.*?)(a|b|1|2|left|right|first|second)$")
MAX_SYSTEMS, MAX_TASKS = 60, 20

PREFERRED = "winner preference preferred preferredmodel better best"
CHOSEN = {
    "winner": f"{PREFERRED} chosen choice vote verdict",
    "judge": NAMES["judge"],
    "stimulus": f"{NAMES['stimulus']} promptid prompt instructionid instruction",
    "aspect": "aspect criterion criteria dimension attribute quality qualities facet",
    "trial": "turn turnno turnid round roundno trial trialno trialnumber",
}
OF_NAMES = ("model", "agent", "system", "assistant", "bot", "llm")
"""Columns of options, without their last letter, that hold names and not what was said."""
MAX_ASPECTS = 12
TIES = "tie tiebothbad tiebothgood bothbad bothgood both neither equal equallygood same draw nopreference"
END = re.compile(r"(.*?)(left|right|[a-h]|[1-8])")


@dataclasses.dataclass
class OtherTable:
    """A table of ratings or of choices between agents, read as text, and what was found in it."""

    design: str
    """ratings or pairs, which is also the format of the file."""
    path: Path
    command: str
    """The command that reads the table, for messages."""
    table: pd.DataFrame
    columns: dict[str, str]
    """By what they hold."""
    task: str
    cohort: str | None = None
    """Task and cohort of the file; None where a column says which."""
    agents: dict[str, str] = dataclasses.field(default_factory=dict)
    """Names in the study file, and in the table; people are `human`."""
    tasks: dict[str, Any] = dataclasses.field(default_factory=dict)
    """As the study file declares them."""
    values: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)
    scale: tuple[float, float] | None = None
    shape: dict[str, Any] = dataclasses.field(default_factory=dict)
    """How its rows are made, in keys of data/sources/: sheet, wide, join, missing, where."""
    remarks: list[str] = dataclasses.field(default_factory=list)

    @property
    def not_read(self) -> list[str]:
        """Columns that no step reads."""
        return [name for name in self.table if name not in self.columns.values()]

    def refuse_unknown_column(self, what: str, meaning: str) -> None:
        """Refuse a table without a column that it needs."""
        if what not in self.columns:
            raise InputError(
                self.path,
                f"no column is known for {what}: {meaning}",
                allowed=NAMES["judge"].split(),
                fix=f'say which it is: {self.command} columns="{{{what}: its name}}"',
            )


# --- similarity ratings -------------------------------------------------------------------------


def find_ratings(
    path: Path, table: pd.DataFrame, named: dict[str, Any], command: str
) -> OtherTable | None:
    """Find the columns of a table of similarity ratings; None if it is not one."""
    columns = {name: named[name] for name in ("item_a", "item_b", *RATED) if name in named}
    if not {"item_a", "item_b"} <= set(columns):
        pair = find_pair(table)
        if pair is None:
            return None
        columns |= dict(zip(("item_a", "item_b"), pair, strict=True))
    columns = find_columns(table, columns, RATED)
    if "rating" not in columns:
        reverse = find_columns(table, {}, {"rating": RATED_AS_DIFFERENT})
        if not reverse:
            return None
        raise InputError(
            path,
            "ratings of how different two stimuli are; they must say how similar they are",
            column=reverse["rating"],
            fix="subtract them from the highest possible rating, and name the column similarity",
        )
    if "system" in columns and table[columns["system"]].nunique() > MAX_SYSTEMS:
        del columns["system"]
    if "task" in columns and "task" not in named:
        names = set(table[columns["task"]])
        if "" in names or not 2 <= len(names) <= MAX_TASKS:
            del columns["task"]
    found = OtherTable("ratings", path, command, table, columns, "all")
    found.refuse_unknown_column("participant", "who gave each rating")
    name_systems(found)
    name_tasks(found)
    found.scale = scale_ratings(found)
    return found


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


def name_systems(found: OtherTable) -> None:
    """Name the systems that rated: people first."""
    if "system" not in found.columns:
        found.remarks.append(
            "no column says who rated: all ratings taken for people's (cohort: human); columns: system says "
            "who else rated"
        )
        found.agents, found.cohort = {"human": "People"}, "human"
        return
    levels = list(found.table[found.columns["system"]].value_counts().index)
    people = [name for name in levels if is_people(name)]
    if len(people) != 1:
        raise InputError(
            found.path,
            "it is not clear which raters are people, whom the others are compared with",
            column=found.columns["system"],
            value=", ".join(levels[:SHOWN]),
            fix="name them human in the table",
        )
    others = [name for name in levels if name not in people]
    found.agents = {"human": people[0]} | name_all(others, "system", ["human"])
    found.values["system"] = {name: system for system, name in found.agents.items()}


def name_tasks(found: OtherTable) -> None:
    """Name the tasks: sets of items that are analyzed separately."""
    tasks = {"items": "Items"}
    if "task" in found.columns:
        tasks = name_all(found.table[found.columns["task"]].unique(), "task")
        found.values["task"] = {name: task for task, name in tasks.items()}
        found.remarks.append(
            f"each {found.columns['task']} is a task: its items are compared only with each other, and there "
            "is an alignment for each"
        )
    found.tasks = {task: {"label": label, "references": ["human"]} for task, label in tasks.items()}


def scale_ratings(found: OtherTable) -> tuple[float, float]:
    """Find the scale of the ratings: the first common one that contains all of them."""
    column = found.columns["rating"]
    cells = found.table[column]
    filled = write_plainly(cells[cells != ""].astype("category"), found.path, column)
    numbers = pd.to_numeric(filled.astype(str), errors="coerce")
    if numbers.isna().any():
        row = numbers.index[numbers.isna()][0]
        raise InputError(
            found.path,
            "a rating that is not a number",
            row=row,
            column=column,
            value=cells[row],
            fix="leave it empty, and say why there is no rating in a column status",
        )
    codes = find_no_answers(numbers)
    if codes:
        found.values["rating"] = {f"{code:g}": "" for code in codes}
        found.remarks.append(describe_codes(column, codes, numbers))
        numbers = numbers[~numbers.isin(codes)]
    low, high = float(numbers.min()), float(numbers.max())
    scale = find_scale(numbers)
    found.remarks.append(
        f"ratings from {low:g} to {high:g} taken for a scale from {scale[0]:g} to {scale[1]:g}, where the "
        "highest means identical: correct scale if not"
    )
    return scale


# --- choices between agents ---------------------------------------------------------------------


def find_pairs(
    path: Path,
    table: pd.DataFrame,
    named: dict[str, Any],
    words: dict[str, Any],
    command: str,
) -> OtherTable | None:
    """Find the columns of a table of choices between agents; None if it is not one."""
    order = ("judge", "cohort", "stimulus", "aspect", *WHEN, *OPTIONS, "winner")
    columns = {name: named[name] for name in order if name in named}
    is_said = "option_a" in columns
    if not is_said:
        columns |= find_options(table)
    columns = find_columns(table, columns, CHOSEN)
    if not {"option_a", "option_b"} <= set(columns):
        return None
    if "winner" not in columns:
        if not is_said and strip_signs(columns["option_a"])[:-1] not in OF_NAMES:
            return None
        raise InputError(
            path,
            "two agents in each row, and no column is known for winner: which of them was chosen",
            allowed=[*table],
            fix=f'say which it is: {command} columns="{{winner: its name}}"; where each judge has a column: '
            "table=\"{wide: {name: judge, columns: {winner: 'rater*'}}}\"",
        )
    if "aspect" in columns and "aspect" not in named:
        levels = set(table[columns["aspect"]])
        if "" in levels or not 2 <= len(levels) <= MAX_ASPECTS:
            del columns["aspect"]
    if not is_said and strip_signs(columns["winner"]) not in PREFERRED.split():
        people = table[[columns["option_a"], columns["option_b"]]].map(is_people).sum(axis=1)
        if (people == 1).mean() > MOSTLY:
            # A person and a machine in each row: who was taken for the person, which has analyses of its own.
            return None
    columns = {name: columns[name] for name in order if name in columns}
    found = OtherTable("pairs", path, command, table, columns, "pairs")
    found.refuse_unknown_column("judge", "who chose; choices of one judge belong together")
    found.remarks.append(
        f"{columns['option_a']} taken for the option shown first: the order of columns is that of places"
    )
    if "stimulus" not in columns:
        found.remarks.append(
            "no column says what was responded to (stimulus): errors are over judges alone"
        )
    if "aspect" in columns:
        found.remarks.append(
            f"{columns['aspect']} taken for what was asked: agents are ranked for each aspect, and for all"
        )
    name_options(found)
    cohorts = {"judges": "Judges"}
    if "cohort" in columns:
        cohorts = name_all(table[columns["cohort"]].unique(), "cohort")
    else:
        found.cohort = "judges"
    described = {cohort: {"label": label} for cohort, label in cohorts.items()}
    found.tasks = {"pairs": {"label": "Pairs", "design": "pairs", "cohorts": described}}
    found.values["winner"] = explain_winners(found, words)
    return found


def find_options(table: pd.DataFrame) -> dict[str, str]:
    """Find the columns with the agents of the options, such as model_a and model_b."""
    by_stem: dict[str, list[str]] = {}
    for name in table:
        match = END.fullmatch(strip_signs(name))
        if match and match[1] in CHOSEN_FROM:
            by_stem.setdefault(match[1], []).append(name)
    for stem, found in by_stem.items():
        levels = [set(table[name]) - {""} for name in found]
        has_shared = len(set.union(*levels)) < sum(map(len, levels))
        is_of_names = max(table[name].str.len().mean() for name in found) <= LONG
        may_be_names = has_shared or stem in OF_NAMES
        if 2 <= len(found) <= len(OPTIONS) and is_of_names and may_be_names:
            return dict(zip(OPTIONS, sorted(found, key=strip_signs), strict=False))
    return {}


def name_options(found: OtherTable) -> None:
    """Name the agents that were compared: people first, then the most frequent."""
    options = [name for name in OPTIONS if name in found.columns]
    counts = found.table[[found.columns[option] for option in options]].stack().value_counts().index
    first = {normalize_spelling(name): name for name in reversed(counts) if name}
    levels = list(first.values())[::-1]
    people = [name for name in levels if is_people(name)]
    others = name_all([name for name in levels if name not in people], "agent", ["human"])
    found.agents = dict.fromkeys(["human"][: len(people)], people[0] if people else "") | others
    meant = dict.fromkeys([name for name in people if name != "human"], "human")
    found.values |= {option: meant for option in options}


def explain_winners(found: OtherTable, words: dict[str, Any]) -> dict[str, str | None]:
    """Explain what words for winners mean that name neither an option nor an agent."""
    column = found.columns["winner"]
    options = [name for name in OPTIONS if name in found.columns]
    flat = {word: meaning for word, meaning in words.items() if not isinstance(meaning, dict)}
    given = {
        normalize_spelling(word): meaning
        for word, meaning in (flat | words.get(column, {}) | words.get("winner", {})).items()
    }
    file = RawFile(path="t.csv", format="pairs", task="pairs", columns=found.columns)
    names = {normalize_spelling(name) for name in found.agents.values()}
    known = {*name_places(file, options), *names, TIE}
    meant, unknown = {}, []
    for word in found.table[column].value_counts().index:
        spelled = normalize_spelling(word)
        if spelled in given:
            meant[word] = given[spelled]
        elif not spelled:
            meant[word] = None
            empty = int((found.table[column] == "").sum())
            found.remarks.append(f"{column}: {empty} rows without an answer are left out")
        elif spelled not in known:
            if strip_signs(word) not in TIES.split():
                unknown.append(word)
            meant[word] = TIE
    if unknown:
        asked = ", ".join(f"{format_word(w)}: option_a or {TIE}" for w in unknown[:SHOWN])
        raise InputError(
            found.path,
            f"{len(unknown)} words for the winner are not understood",
            column=column,
            value=", ".join(map(repr, unknown[:SHOWN])),
            allowed=[*(found.columns[option] for option in options), TIE, "names of the agents"],
            fix=f'say what they mean: {found.command} values="{{winner: {{{asked}}}}}" (null leaves '
            "rows out)",
        )
    return meant
