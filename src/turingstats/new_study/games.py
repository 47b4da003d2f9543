"""Find the witnesses of games of three parties: which columns they are, and who of them is a person."""

from typing import TYPE_CHECKING

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.games import add_prompts, locate_choices
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.other_designs import find_pair
from turingstats.new_study.vocabulary import (
    LONG,
    MAX_AGENTS,
    MOSTLY,
    OF_WITNESSES,
    SHOWN,
    format_word,
    strip_signs,
)

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

SIDES = {"human": ("human", "person"), "machine": ("machine", "ai", "bot", "model")}
"""How names of columns with people alone, and with machines alone, begin."""


def find_witnesses(inspector: "TableInspector") -> None:
    """Find the columns of a machine and a person in each row, and the names of the machines."""
    pair = [inspector.find_named_column(place) for place in WITNESSES]
    is_named = None not in pair
    if not is_named:
        pair = find_pair(inspector.table[inspector.list_free_columns()])
    if pair is None or inspector.find_named_column("human_at"):
        return
    table = inspector.table[pair].set_axis(WITNESSES, axis=1)
    side_of = tell_people_from_machines(inspector, pair)
    sides = table.apply(lambda cells: cells.map(side_of))
    is_game = ((sides == "human").sum(axis=1) == 1) & ((sides == "machine").sum(axis=1) == 1)
    if is_game.mean() < MOSTLY:
        if is_named or all(OF_WITNESSES.fullmatch(strip_signs(column)) for column in pair):
            refuse_unknown_witnesses(inspector, pair, side_of)
        return
    counts = table.stack().value_counts()
    inspector.columns |= dict(zip(WITNESSES, pair, strict=True))
    inspector.machines = [value for value in counts.index if side_of.get(value) == "machine"]
    inspector.choice, inspector.design = True, "three_party"
    inspector.agents = name_prompted_machines(inspector, table)
    people = [value for value in counts.index if side_of.get(value) == "human"]
    words = [value for value in people if inspector.find_meaning(pair[0], value) == "human"]
    # Those who are only called human are not known.
    inspector.people_judged = len(people) if len(words) < len(people) else 0
    for place, column in inspector.columns.items():
        if place in WITNESSES:
            levels = {*inspector.list_levels(column)}
            given = inspector.get_given(column)
            meant = {value: "human" for value in words if value in levels and value != "human"}
            left_out = {v: None for v in levels if given.get(normalize_spelling(v), "") is None}
            if meant | left_out:
                inspector.values[place] = meant | left_out
    witness = inspector.find_named_column("witness")
    if not inspector.people_judged and witness is not None:
        inspector.columns["witness"] = witness
        inspector.people_judged = len(inspector.list_levels(witness))
    named = "whose names are not known"
    if inspector.people_judged:
        named = f"one of {inspector.people_judged}, whose ids are replaced by pseudonyms"
    inspector.remarks.append(f"machines, most games first: {', '.join(inspector.agents)}")
    inspector.remarks.append(
        f"each row taken for a game: {' and '.join(pair)} are a machine and a person, {named}"
    )


def name_prompted_machines(inspector: "TableInspector", table: pd.DataFrame) -> list[str]:
    """Name the machines, each with every prompt that it had; the column of prompts is read if these vary."""
    is_first = table["witness_a"].isin(inspector.machines)
    machine = table["witness_a"].where(is_first, table["witness_b"])
    column = inspector.find_named_column("prompt")
    if column is not None:
        prompted = add_prompts(machine, inspector.table[column])
        several = inspector.table[column].groupby(machine).nunique().max() > 1
        if several and prompted.nunique() <= MAX_AGENTS and prompted.str.len().mean() <= 2 * LONG:
            inspector.columns["prompt"], machine = column, prompted
    return [name for name in machine.value_counts().index if name]


def tell_people_from_machines(inspector: "TableInspector", pair: list[str]) -> dict[str, str]:
    """Tell which witnesses are people and which are machines, as far as it follows from one of these.

    What the user says; words such as human; names of columns, such as human_witness; ids of judges are those
    of people; and whoever is beside a person is a machine, and the other way round.
    """
    judges = set()
    if "judge" in inspector.columns:
        judges = {*inspector.table[inspector.columns["judge"]].str.casefold()}
    side_of: dict[str, str] = {}
    for column in pair:
        by_column = [side for side, words in SIDES.items() if strip_signs(column).startswith(words)]
        for value in inspector.list_levels(column):
            meaning = inspector.find_meaning(column, value)
            if meaning in ("human", "machine"):
                side_of[value] = meaning
            elif value.casefold() in judges:
                side_of.setdefault(value, "human")
            elif by_column:
                side_of.setdefault(value, by_column[0])
    beside = {"human": "machine", "machine": "human"}
    rows = inspector.table[pair].drop_duplicates().itertuples(index=False, name=None)
    rows = [(one, other) for row in rows for one, other in (row, row[::-1])]
    number = -1
    while len(side_of) > number:
        number = len(side_of)
        for one, other in rows:
            if one in side_of and other:
                side_of.setdefault(other, beside[side_of[one]])
    return side_of


def refuse_unknown_witnesses(
    inspector: "TableInspector", pair: list[str], side_of: dict[str, str]
) -> None:
    """Refuse witnesses of whom it is not known which are machines, with the command that says it."""
    counts = inspector.table[pair].stack().value_counts()
    unknown = [value for value in counts.index if value and value not in side_of]
    shown = unknown or list(counts.index)
    raise InputError(
        inspector.path,
        "each row has two witnesses, but it is not known which of them are machines",
        column=", ".join(pair),
        value=", ".join(shown[:SHOWN]),
        fix="say of one whether it is a machine or human, and who was beside it follows: "
        f'{inspector.command} values="{{{format_word(shown[0])}: machine}}"',
    )


def find_choice_of_witness(inspector: "TableInspector") -> None:
    """Find the column that says who was taken for the person, or whether that was right."""
    named = [inspector.columns.get(name) for name in ("chosen", "verdict")]
    named += [inspector.find_named_column(name) for name in ("chosen", "verdict")]
    for column in dict.fromkeys([*filter(None, named), *inspector.list_free_columns()]):
        located = locate_choices_of(inspector, column)
        filled = located[inspector.table[column] != ""]
        if filled.notna().mean() < MOSTLY or filled.nunique() < 1 + (column not in named):
            continue
        inspector.columns.pop("verdict", None)
        inspector.columns["chosen"] = column
        given = inspector.get_given(column)
        values = {
            value: given.get(normalize_spelling(value)) for value in inspector.list_levels(column)
        }
        unsure = [v for v in values if inspector.find_meaning(column, v) == "unsure"]
        said = {
            value: meant for value, meant in values.items() if normalize_spelling(value) in given
        }
        if said or unsure:
            inspector.values["chosen"] = dict.fromkeys(sorted(unsure), "unsure") | said
        return
    right = inspector.find_named_column("right")
    if right is None:
        raise InputError(
            inspector.path,
            "no column is known that says which of the two witnesses was taken for the person",
            allowed=inspector.header,
            fix=f'say it: {inspector.command} columns="{{chosen: its column}}"; its words are A '
            "and B, the names of the two columns, or those of the witnesses; others are explained by "
            'values="{chosen: {left: witness_a}}"',
        )
    inspector.columns["right"] = right


def locate_choices_of(inspector: "TableInspector", column: str) -> pd.Series:
    """Locate the witness that a column names in each row, as a run will."""
    given = inspector.get_given(column)
    cells = inspector.table[column].map(
        lambda cell: (
            given.get(normalize_spelling(cell))
            or ("unsure" if inspector.find_meaning(column, cell) == "unsure" else cell)
        )
    )
    labels = [inspector.columns[place] for place in WITNESSES]
    witnesses = inspector.table[labels].set_axis(WITNESSES, axis=1)
    return locate_choices(cells, witnesses, labels)


def find_person_in_rows(inspector: "TableInspector") -> pd.Series:
    """Find which of the two witnesses of each row is the person."""
    is_first = inspector.table[inspector.columns["witness_a"]].isin(inspector.machines)
    return is_first.map({True: "witness_b", False: "witness_a"})
