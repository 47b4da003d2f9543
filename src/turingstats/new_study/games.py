"""Find the witnesses of games of three parties: which columns they are, and who of them is a person."""

import pandas as pd

from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.games import add_prompts
from turingstats.new_study.other_designs import find_pair
from turingstats.new_study.roles import Meanings, Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.vocabulary import LONG, MAX_AGENTS, MOSTLY, SHOWN, is_called, strip_signs

SIDES = {"human": ("human", "person"), "machine": ("machine", "ai", "bot", "model")}
"""How names of columns with people alone, and with machines alone, begin."""


def find_witnesses(roles: Roles) -> Roles:
    """Find the columns of a machine and a person in each row, and the names of the machines."""
    source = roles.source
    witnesses = [column for place in WITNESSES if (column := roles.find_named_column(place))]
    is_named = len(witnesses) == len(WITNESSES)
    pair = witnesses if is_named else find_pair(source, roles.list_free_columns())
    if pair is None or roles.find_named_column("human_at"):
        return roles
    table = pd.DataFrame(dict(zip(WITNESSES, map(source.read_texts, pair), strict=True)))
    side_of = tell_people_from_machines(roles, pair)
    sides = table.apply(lambda cells: cells.map(side_of))
    is_game = ((sides == "human").sum(axis=1) == 1) & ((sides == "machine").sum(axis=1) == 1)
    if is_game.mean() < MOSTLY:
        if is_named or all(is_called(column, "witnesses") for column in pair):
            refuse_unknown_witnesses(roles, pair, side_of)
        return roles
    names = table.stack().value_counts().index
    people, machines = (
        [name for name in names if side_of.get(name) == side] for side in ("human", "machine")
    )
    columns = dict(zip(WITNESSES, pair, strict=True))
    roles = roles.add(columns=columns, machines=machines, choice=True, design="three_party")
    roles = name_prompted_machines(roles, table)
    words = [value for value in people if roles.find_meaning(pair[0], value) == "human"]
    for place, column in columns.items():
        levels = {*source.list_levels(column)}
        meant = {value: "human" for value in words if value in levels and value != "human"}
        left_out = dict.fromkeys(roles.select_left_out(column) & levels)
        if meant | left_out:
            roles = roles.add(values={place: meant | left_out})
    # Those who are only called human are not known.
    number = len(people) if len(words) < len(people) else 0
    witness = roles.find_named_column("witness")
    if not number and witness is not None:
        roles = roles.add(columns={"witness": witness})
        number = len(source.list_levels(witness))
    known = f"one of {number}, whose ids are replaced by pseudonyms"
    named_as = known if number else "whose names are not known"
    notes = [write_note("machines", names=", ".join(roles.prompted))]
    notes += [write_note("games", pair=" and ".join(pair), people=named_as)]
    return roles.add(*notes, people_judged=number)


def name_prompted_machines(roles: Roles, table: pd.DataFrame) -> Roles:
    """Name the machines, each with every prompt that it had; the column of prompts is read if these vary."""
    is_first = table["witness_a"].isin(roles.machines)
    machine = table["witness_a"].where(is_first, table["witness_b"])
    column = roles.find_named_column("prompt")
    if column is not None:
        prompts = roles.source.read_texts(column)
        prompted = add_prompts(machine, prompts)
        several = prompts.groupby(machine).nunique().max() > 1
        if several and prompted.nunique() <= MAX_AGENTS and prompted.str.len().mean() <= 2 * LONG:
            roles, machine = roles.add(columns={"prompt": column}), prompted
    return roles.add(prompted=[name for name in machine.value_counts().index if name])


def tell_people_from_machines(roles: Roles, pair: list[str]) -> dict[str, str]:
    """Tell which witnesses are people and which are machines, as far as it follows from one of these.

    What the user says; words such as human; names of columns, such as human_witness; ids of judges are those
    of people; and whoever is beside a person is a machine, and the other way round.
    """
    source, judges = roles.source, set()
    if "judge" in roles.columns:
        judges = {value.casefold() for value in source.count_values(roles.columns["judge"])}
    side_of: dict[str, str] = {}
    for column in pair:
        by_column = [side for side, words in SIDES.items() if strip_signs(column).startswith(words)]
        for value in source.list_levels(column):
            meaning = roles.find_meaning(column, value)
            implied = ["human"] if value.casefold() in judges else by_column
            if meaning in SIDES:
                side_of[value] = meaning
            elif implied:
                side_of.setdefault(value, implied[0])
    beside = {"human": "machine", "machine": "human"}
    rows = {*zip(*map(source.read_texts, pair), strict=True)}
    both_ways = [pair for row in sorted(rows) for pair in (row, row[::-1])]
    number = -1
    while len(side_of) > number:
        number = len(side_of)
        for witness, opponent in both_ways:
            if witness in side_of and opponent:
                side_of.setdefault(opponent, beside[side_of[witness]])
    return side_of


def refuse_unknown_witnesses(roles: Roles, pair: list[str], side_of: dict[str, str]) -> None:
    """Refuse witnesses of whom it is not known which are machines, with the command that says it."""
    counts = pd.concat([*map(roles.source.read_texts, pair)], axis=1).stack().value_counts()
    unknown = [value for value in counts.index if value and value not in side_of]
    names = unknown or list(counts.index)
    place = {"column": ", ".join(pair), "value": ", ".join(names[:SHOWN])}
    raise roles.source.make_error("unknown_witnesses", values={names[0]: "machine"}, **place)


def find_choice_of_witness(roles: Roles) -> Roles:
    """Find the column that says who was taken for the person, or whether that was right."""
    expected = [roles.columns.get(name) for name in ("chosen", "verdict")]
    expected += [roles.find_named_column(name) for name in ("chosen", "verdict")]
    for column in dict.fromkeys([*filter(None, expected), *roles.list_free_columns()]):
        located = roles.locate_choices_of(column)
        filled = located[roles.source.read_texts(column) != ""]
        if filled.notna().mean() < MOSTLY or filled.nunique() < 1 + (column not in expected):
            continue
        meant: Meanings = dict.fromkeys(sorted(roles.select_levels(column, "unsure")), "unsure")
        meant |= {word: said for word, said in roles.list_given(column).items() if word}
        values = {"chosen": meant} if meant else {}
        return roles.add(columns={"verdict": None}).add(columns={"chosen": column}, values=values)
    right = roles.find_named_column("right")
    if right is None:
        said, allowed = {"chosen": "its column"}, roles.source.header
        raise roles.source.make_error("no_choice_of_witness", columns=said, allowed=allowed)
    return roles.add(columns={"right": right})
