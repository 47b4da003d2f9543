"""Starting studies for tables of other designs than verdicts: similarity ratings, choices between agents."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from turingstats.data.adapters.places import name_places
from turingstats.data.cells import find_no_answers, find_scale
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.roles import Findings
from turingstats.new_study.sentences import write_note
from turingstats.new_study.source_table import SourceTable, spell_words
from turingstats.new_study.vocabulary import (
    KNOWN,
    LONG,
    MOSTLY,
    NAMES,
    SHOWN,
    find_columns,
    is_people,
    name_all,
    strip_signs,
)
from turingstats.rankings.reading import OPTIONS, TIE, WHEN

RATED = {
    "rating": KNOWN["ratings"]["rating"],
    "participant": NAMES["judge"],
    "system": f"system {NAMES['agent']}",
    "task": KNOWN["ratings"]["task"],
}
ENDS = re.compile(r"(.*?)(a|b|1|2|left|right|first|second)$")
MAX_SYSTEMS, MAX_TASKS = 60, 20

OF_PAIRS: dict[str, str] = KNOWN["pairs"]
CHOSEN = {
    "winner": f"{OF_PAIRS['winner']} {OF_PAIRS['other_winner']}",
    "judge": NAMES["judge"],
    "stimulus": f"{NAMES['stimulus']} {OF_PAIRS['stimulus']}",
    "aspect": OF_PAIRS["aspect"],
    "trial": OF_PAIRS["trial"],
}
NAMED_OPTIONS = OF_PAIRS["named_options"].split()
MAX_ASPECTS = 12
END = re.compile(r"(.*?)(left|right|[a-h]|[1-8])")


@dataclass(frozen=True)
class OtherTable(Findings):
    """What was found of a table of ratings, or of choices between agents."""

    design: str = ""
    """ratings or pairs, which is also the format of the file."""
    task: str = ""
    cohort: str | None = None
    """Task and cohort of the file; None where a column says which."""
    agents: dict[str, str] = field(default_factory=dict)
    """Names in the study file, and in the table; people are `human`."""
    tasks: dict[str, Any] = field(default_factory=dict)
    """As the study file declares them."""
    scale: tuple[float, float] | None = None

    @property
    def not_read(self) -> list[str]:
        """Columns that no step reads."""
        return [name for name in self.source.header if name not in self.columns.values()]


def refuse_unknown_column(table: OtherTable, what: str, meaning: str) -> None:
    """Refuse a table without a column that it needs."""
    if what not in table.columns:
        facts = {"what": what, "meaning": meaning, "allowed": NAMES["judge"].split()}
        raise table.source.make_error("unknown_column", columns={what: "its name"}, **facts)


def drop_unfit(
    source: SourceTable, columns: dict[str, str], what: str, most: int
) -> dict[str, str]:
    """Drop the column of a role that the user did not name, if its levels are too many, or cells empty."""
    if what not in columns or what in source.named:
        return columns
    counts = source.count_values(columns[what])
    if "" not in counts and 2 <= len(counts) <= most:
        return columns
    return {name: column for name, column in columns.items() if name != what}


# --- similarity ratings -------------------------------------------------------------------------


def find_ratings(source: SourceTable) -> OtherTable | None:
    """Find the columns of a table of similarity ratings; None if it is not one."""
    given = source.named
    columns = {name: given[name] for name in ("item_a", "item_b", *RATED) if name in given}
    if not {"item_a", "item_b"} <= set(columns):
        pair = find_pair(source, source.header)
        if pair is None:
            return None
        columns |= dict(zip(("item_a", "item_b"), pair, strict=True))
    columns = find_columns(source.header, columns, RATED)
    if "rating" not in columns:
        reverse = find_columns(source.header, {}, {"rating": KNOWN["ratings"]["difference"]})
        if not reverse:
            return None
        raise source.make_error("dissimilarity", column=reverse["rating"])
    if "system" in columns and len(source.count_values(columns["system"])) > MAX_SYSTEMS:
        del columns["system"]
    columns = drop_unfit(source, columns, "task", MAX_TASKS)
    table = OtherTable(source, columns, design="ratings", task="all")
    refuse_unknown_column(table, "participant", "who gave each rating")
    return scale_ratings(name_tasks(name_systems(table)))


def group_by_stem(columns: Iterable[str], ends: re.Pattern[str]) -> dict[str, list[str]]:
    """Group the columns whose names differ in their ends alone, by what is before these."""
    by_stem: dict[str, list[str]] = {}
    for name in columns:
        if match := ends.fullmatch(strip_signs(name)):
            by_stem.setdefault(match[1], []).append(name)
    return by_stem


def find_pair(source: SourceTable, columns: Iterable[str]) -> list[str] | None:
    """Find two columns of the same stimuli, such as item_a and item_b; None if there are none."""
    pairs = (pair for pair in group_by_stem(columns, ENDS).values() if len(pair) == 2)
    for pair in pairs:
        first, second = (set(source.list_levels(name)) for name in pair)
        smaller = min(len(first), len(second))
        if smaller > 1 and 2 * len(first & second) >= smaller:
            return sorted(pair)
    return None


def name_systems(table: OtherTable) -> OtherTable:
    """Name the systems that rated: people first."""
    column = table.columns.get("system")
    if column is None:
        note = write_note("all_by_people")
        return table.add(note, agents={"human": "People"}, cohort="human")
    levels = [*table.source.count_values(column)]
    people = [name for name in levels if is_people(name)]
    if len(people) != 1:
        value = ", ".join(levels[:SHOWN])
        raise table.source.make_error("unclear_raters", column=column, value=value)
    others = [name for name in levels if name not in people]
    agents = {"human": people[0]} | name_all(others, "system", ["human"])
    return table.add(
        agents=agents, values={"system": {name: system for system, name in agents.items()}}
    )


def name_tasks(table: OtherTable) -> OtherTable:
    """Name the tasks: sets of items that are analyzed separately."""
    column, tasks = table.columns.get("task"), {"items": "Items"}
    if column is not None:
        tasks = name_all(table.source.read_texts(column).unique(), "task")
        table = table.add(
            write_note("tasks", column=column),
            values={"task": {name: task for task, name in tasks.items()}},
        )
    return table.add(
        tasks={task: {"label": label, "references": ["human"]} for task, label in tasks.items()}
    )


def scale_ratings(table: OtherTable) -> OtherTable:
    """Find the scale of the ratings: the first common one that contains all of them."""
    column = table.columns["rating"]
    numbers = table.source.parse_numbers(column)
    if numbers.isna().any():
        row = numbers.index[numbers.isna()][0]
        place = {"row": row, "column": column, "value": table.source.read_texts(column)[row]}
        raise table.source.make_error("rating_of_words", **place)
    codes = find_no_answers(numbers)
    table = table.explain_codes("rating", codes, numbers, "")
    numbers = numbers[~numbers.isin(codes)]
    low, high = float(numbers.min()), float(numbers.max())
    scale = find_scale(numbers)
    return table.add(write_note("rating_scale", low=low, high=high, scale=scale), scale=scale)


# --- choices between agents ---------------------------------------------------------------------


def find_pairs(source: SourceTable) -> OtherTable | None:
    """Find the columns of a table of choices between agents; None if it is not one."""
    columns = find_pair_columns(source)
    if columns is None:
        return None
    table = OtherTable(source, columns, design="pairs", task="pairs")
    refuse_unknown_column(table, "judge", "who chose; choices of one judge belong together")
    notes = [write_note("first_option", column=columns["option_a"])]
    notes += [write_note("no_stimulus")] if "stimulus" not in columns else []
    notes += [write_note("aspects", column=columns["aspect"])] if "aspect" in columns else []
    table = name_options(table.add(*notes))
    cohorts = {"judges": "Judges"}
    if "cohort" in columns:
        cohorts = name_all(source.read_texts(columns["cohort"]).unique(), "cohort")
    else:
        table = replace(table, cohort="judges")
    described = {cohort: {"label": label} for cohort, label in cohorts.items()}
    tasks = {"pairs": {"label": "Pairs", "design": "pairs", "cohorts": described}}
    return explain_winners(table.add(tasks=tasks))


def find_pair_columns(source: SourceTable) -> dict[str, str] | None:
    """Find the columns of choices between agents, in the order of their roles; None if there are none."""
    order = ("judge", "cohort", "stimulus", "aspect", *WHEN, *OPTIONS, "winner")
    columns = {name: source.named[name] for name in order if name in source.named}
    is_said = "option_a" in columns
    columns |= {} if is_said else find_options(source)
    columns = find_columns(source.header, columns, CHOSEN)
    if not {"option_a", "option_b"} <= set(columns):
        return None
    if "winner" not in columns:
        if not is_said and strip_signs(columns["option_a"])[:-1] not in NAMED_OPTIONS:
            return None
        said = {"winner": "its name"}
        raise source.make_error("no_winner", columns=said, allowed=source.header)
    columns = drop_unfit(source, columns, "aspect", MAX_ASPECTS)
    if not is_said and strip_signs(columns["winner"]) not in OF_PAIRS["winner"].split():
        options = (source.read_texts(columns[name]) for name in ("option_a", "option_b"))
        people = sum(option.map(is_people).astype(int) for option in options)
        if (people == 1).mean() > MOSTLY:
            # A person and a machine in each row: who was taken for the person, which has analyses of its own.
            return None
    return {name: columns[name] for name in order if name in columns}


def find_options(source: SourceTable) -> dict[str, str]:
    """Find the columns with the agents of the options, such as model_a and model_b."""
    for stem, columns in group_by_stem(source.header, END).items():
        levels = [set(source.list_levels(name)) for name in columns]
        has_shared = len(set.union(*levels)) < sum(map(len, levels))
        is_known = stem in OF_PAIRS["options"].split() and 2 <= len(columns) <= len(OPTIONS)
        is_of_names = max(map(source.measure_length, columns)) <= LONG
        if is_known and is_of_names and (has_shared or stem in NAMED_OPTIONS):
            return dict(zip(OPTIONS, sorted(columns, key=strip_signs), strict=False))
    return {}


def name_options(table: OtherTable) -> OtherTable:
    """Name the agents that were compared: people first, then the most frequent."""
    options = [name for name in OPTIONS if name in table.columns]
    texts = [table.source.read_texts(table.columns[option]) for option in options]
    counts = pd.concat(texts, axis=1).stack().value_counts().index
    first = {normalize_spelling(name): name for name in reversed(counts) if name}
    levels = list(first.values())[::-1]
    people = [name for name in levels if is_people(name)]
    agents = {"human": people[0]} if people else {}
    agents |= name_all([name for name in levels if name not in people], "agent", ["human"])
    meant = {name: "human" for name in people if name != "human"}
    return table.add(agents=agents, values={option: meant for option in options})


def explain_winners(table: OtherTable) -> OtherTable:
    """Explain what words for winners mean that name neither an option nor an agent."""
    source, column = table.source, table.columns["winner"]
    given = source.given
    for key in (column, "winner"):
        given = given | spell_words(source.words.get(key) or {})
    labels = {option: table.columns[option] for option in OPTIONS if option in table.columns}
    known = {*name_places(labels), *map(normalize_spelling, table.agents.values()), TIE}
    meant: dict[str, str | None] = {}
    unknown = []
    for word, number in source.count_values(column).items():
        spelled = normalize_spelling(word)
        if spelled in given:
            meant[word] = given[spelled]
        elif not spelled:
            meant[word] = None
            table = table.add(write_note("unanswered", column=column, number=number))
        elif spelled not in known:
            if strip_signs(word) not in OF_PAIRS["tie"].split():
                unknown.append(word)
            meant[word] = TIE
    if unknown:
        asked = dict.fromkeys(unknown[:SHOWN], f"option_a or {TIE}")
        place = {"column": column, "value": ", ".join(map(repr, unknown[:SHOWN]))}
        facts = {"number": len(unknown), "allowed": [*labels.values(), TIE, "names of the agents"]}
        raise source.make_error("unknown_winners", values={"winner": asked}, **place, **facts)
    return table.add(values={"winner": meant})
