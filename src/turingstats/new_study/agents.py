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
    given, source = roles.columns.get("agent"), roles.source
    roles = roles.add(columns={"agent": None})
    maker = given or roles.find_named_column("agent")
    free = roles.list_free_columns()
    of_words = [column for column in free if len(source.list_levels(column)) <= MAX_AGENTS]
    if "truth" in roles.columns:
        truth = roles.find_truth_of_rows()
        possible = dict.fromkeys([maker, *of_words] if maker else of_words)
        apart = (name for name in possible if names_machines(roles, name, truth, name == maker))
        return roles.add(columns={"agent": next(apart, given)})
    if maker is not None and roles.names_people(maker):
        return take_agents(roles, maker)
    if given is not None:
        levels = source.list_levels(given)
        if roles.select_levels(given, "human") != levels:
            return roles.add(columns={"agent": given})
        people = dict.fromkeys(levels, "human")
        return roles.add(columns={"truth": given}, values={"truth": people})
    mixed = [column for column in of_words if roles.names_people(column)]
    if len(mixed) != 1:
        return roles
    roles = take_agents(roles, mixed[0])
    people = ", ".join(roles.values["agent"])
    return roles.add(write_note("makers_by_values", column=mixed[0], people=people))


def names_machines(roles: Roles, column: str, truth: pd.Series, is_called: bool) -> bool:
    """Tell whether a column names the machine of each response by one; people may have any name or none.

    A column that is not called that of the agent must have no empty cells there, and no names of people.
    """
    if column in roles.columns.values():
        return False
    if is_called:
        refuse_contradicting_agents(roles, column, truth)
    cells = roles.source.read_texts(column).map(normalize_spelling)
    by_machines, by_people = {*cells[truth == "machine"]}, {*cells[truth == "human"]}
    machines = by_machines - {""}
    is_apart = bool(machines) and not by_people & machines
    if is_called or not is_apart:
        return is_apart
    # Without responses by people, nothing tells the names of machines from other words.
    names = by_people - {""}
    nameless = all(roles.find_meaning(column, name) == "human" for name in names)
    return bool(by_people) and nameless and "" not in by_machines


def take_agents(roles: Roles, column: str) -> Roles:
    """Take a column for that of the agents, and note names that may be slips of a word for people."""
    people = sorted(roles.select_levels(column, "human"))
    meant = dict.fromkeys(people, "human")
    roles = roles.add(columns={"agent": column}, values={"agent": meant})
    spelled = [name.lower() for name in people]
    for name in roles.source.list_levels(column):
        near = name not in meant and get_close_matches(name.lower(), spelled, 1, 0.75)
        if near:
            said = format_flow({name: "human"})
            roles = roles.add(write_note("slip", column=column, name=name, near=near[0], said=said))
    return roles


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
    for column in filter(None, map(roles.find_named_column, ("truth", "agent"))):
        levels = roles.source.list_levels(column)
        for side in ("human", "machine"):
            if levels and roles.select_levels(column, side) == levels:
                values = {"truth": dict.fromkeys(levels, side)}
                note = write_note("one_side", column=column, side=side)
                return roles.add(note, columns={"truth": column}, values=values)
    column = roles.find_named_column("agent")
    levels = roles.source.list_levels(column) if column else []
    if not levels or not all(OF_MODELS.search(name.lower()) for name in levels):
        return roles.add(lacking=["truth"])
    said = format_flow({levels[0]: "human"})
    note = write_note("no_people", names=", ".join(levels[:SHOWN]), said=said)
    return roles.add(note, columns={"agent": column})


def check_agents(roles: Roles) -> Roles:
    """Leave out the rows that the user's words leave out, and refuse machines' responses without a name."""
    column = roles.columns.get("agent")
    if column is None:
        return roles
    cells, given = roles.select_machines(column), roles.get_given(column)
    left_out = roles.select_left_out(column)
    agents = roles.values.get("agent", {}) | {v: None for v in cells.unique() if v in left_out}
    empty = cells.index[cells == ""]
    if len(empty) and "" not in given:
        place = {"row": empty[0], "column": column, "value": "", "number": len(empty)}
        raise roles.source.make_error("no_agent", values={"": "human"}, **place)
    agents |= {"": given[""]} if len(empty) else {}
    return roles.add(values={"agent": agents}) if agents else roles
