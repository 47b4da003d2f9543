"""Find who made each response, among the columns of a table of verdicts."""

from difflib import get_close_matches

import pandas as pd

from turingstats.data.schema import normalize_spelling
from turingstats.new_study.roles import Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.vocabulary import MAX_AGENTS, OF_MODELS, SHOWN, format_flow

SHOWN_ROWS = 5
MOSTLY_ONE = 0.1
"""Share of rows of the other side up to which a name is that of one side, and the others are slips."""


def find_agents(roles: Roles) -> Roles:
    """Find which agent made each response; without a truth, one of them is a person."""
    roles = find_agent(roles)
    if {"truth", "agent"} & set(roles.columns):
        return roles
    mixed = [
        column
        for column in roles.list_free_columns()
        if roles.names_people(column) and len(roles.source.list_levels(column)) <= MAX_AGENTS
    ]
    if len(mixed) != 1:
        return roles
    roles = take_agents(roles, mixed[0])
    people = ", ".join(roles.values["agent"])
    return roles.add(write_note("makers_by_values", column=mixed[0], people=people))


def find_agent(roles: Roles) -> Roles:
    """Find which machine made each response; people may have any name or none there."""
    given, source = roles.columns.get("agent"), roles.source
    roles = roles.add(columns={"agent": None})
    maker = given or roles.find_named_column("agent")
    if "truth" not in roles.columns:
        if maker is not None and roles.names_people(maker):
            return take_agents(roles, maker)
        if given is None:
            return roles
        levels = source.list_levels(given)
        if roles.select_levels(given, "human") == levels:
            return roles.add(
                columns={"truth": given}, values={"truth": dict.fromkeys(levels, "human")}
            )
        return roles.add(columns={"agent": given})
    truth = roles.find_truth_of_rows()
    unnamed = [
        column
        for column in roles.list_free_columns()
        if column != maker and len(source.list_levels(column)) <= MAX_AGENTS
    ]
    for column in [*filter(None, [maker]), *unnamed]:
        if column in roles.columns.values():
            continue
        if column == maker:
            refuse_contradicting_agents(roles, column, truth)
        cells = source.read_texts(column).map(normalize_spelling)
        by_machines, by_people = {*cells[truth == "machine"]}, {*cells[truth == "human"]}
        # Without responses by people, nothing tells the names of machines from other words.
        nameless = by_people and all(
            not v or roles.find_meaning(column, v) == "human" for v in by_people
        )
        is_apart = by_machines - {""} and not by_people & (by_machines - {""})
        if is_apart and (column == maker or (nameless and "" not in by_machines)):
            return roles.add(columns={"agent": column})
    return roles.add(columns={"agent": given})


def take_agents(roles: Roles, column: str) -> Roles:
    """Take a column for that of the agents, and note names that may be slips of a word for people."""
    people = sorted(roles.select_levels(column, "human"))
    remarks = []
    for name in roles.source.list_levels(column):
        near = name not in people and get_close_matches(
            name.lower(), map(str.lower, people), 1, 0.75
        )
        if near:
            said = format_flow({name: "human"})
            remarks.append(write_note("slip", column=column, name=name, near=near[0], said=said))
    meant = dict.fromkeys(people, "human")
    return roles.add(*remarks, columns={"agent": column}, values={"agent": meant})


def refuse_contradicting_agents(roles: Roles, column: str, truth: pd.Series) -> None:
    """Refuse rows whose truth contradicts the agent that is named in them.

    A name that is about as frequent in both is that of something else, such as a topic.
    """
    cells = roles.source.read_texts(column)
    sides = {}
    for name, share in (truth == "machine").groupby(cells).mean().items():
        if name and (roles.find_meaning(column, name) == "human" or share <= MOSTLY_ONE):
            sides[name] = "human"
        elif name and share >= 1 - MOSTLY_ONE:
            sides[name] = "machine"
    side = cells.map(sides)
    wrong = cells.index[side.notna() & truth.isin(["human", "machine"]) & (side != truth)]
    if len(wrong):
        of_truth = roles.columns["truth"]
        rows = ", ".join(map(str, wrong[:SHOWN_ROWS])) + ", ..." * (len(wrong) > SHOWN_ROWS)
        place = {"row": rows, "column": f"{of_truth}, {column}"}
        place["value"] = f"{truth[wrong[0]]}, {cells[wrong[0]]}"
        facts = {"truth": of_truth, "agent": column, "number": len(wrong)}
        raise roles.source.make_error("contradicting_agents", **place, **facts)


def find_one_side(roles: Roles) -> Roles:
    """Find a column named as a truth or agent that says that all is by people, or all by machines."""
    source = roles.source
    for what in ("truth", "agent"):
        column = roles.find_named_column(what)
        levels = source.list_levels(column) if column else []
        meant = {roles.find_meaning(column, value) for value in levels if column}
        if column and meant in ({"human"}, {"machine"}):
            (side,) = meant
            return roles.add(
                write_note("one_side", column=column, side=side),
                columns={"truth": column},
                values={"truth": dict.fromkeys(levels, side)},
            )
    column = roles.find_named_column("agent")
    levels = source.list_levels(column) if column else []
    if not levels or not all(map(OF_MODELS.search, map(str.lower, levels))):
        return roles.add(lacking=["truth"])
    note = write_note(
        "no_people", names=", ".join(levels[:SHOWN]), said=format_flow({levels[0]: "human"})
    )
    return roles.add(note, columns={"agent": column})


def check_agents(roles: Roles) -> Roles:
    """Leave out the rows that the user's words leave out, and refuse machines' responses without a name."""
    column = roles.columns.get("agent")
    if column is None:
        return roles
    cells, given = roles.select_machines(column), roles.get_given(column)
    left_out = {*roles.select_left_out(column)}
    agents = roles.values.get("agent", {}) | {v: None for v in cells.unique() if v in left_out}
    empty = cells.index[cells == ""]
    if len(empty) and "" not in given:
        place = {"row": empty[0], "column": column, "value": "", "number": len(empty)}
        raise roles.source.make_error("no_agent", values={"": "human"}, **place)
    agents |= {"": given[""]} if len(empty) else {}
    return roles.add(values={"agent": agents}) if agents else roles
