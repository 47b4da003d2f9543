"""Refuse a table in which truth, verdict or judge is not known, with the command that says it."""

import math
from typing import Any

import pandas as pd

from turingstats.data.cells import find_no_answers, find_scale
from turingstats.new_study.roles import Roles
from turingstats.new_study.sentences import SENTENCES, write_note
from turingstats.new_study.source_table import are_mostly_numbers
from turingstats.new_study.vocabulary import KNOWN, SHOWN, format_flow, is_called, strip_signs


def require_roles(roles: Roles) -> Roles:
    """Refuse a table in which something is not known, with the command that says it."""
    if not roles.lacking:
        return roles
    column_of = {what: find_unexplained_column(roles, what) for what in roles.lacking}
    unknown = {what: "its column" for what, column in column_of.items() if column is None}
    unexplained = {column: what for what, column in column_of.items() if column is not None}
    words = dict(roles.not_understood)
    few = [c for c in roles.list_free_columns() if 1 < len(roles.source.list_levels(c)) <= SHOWN]
    if "truth" in unknown and len(few) == 1:
        unknown["truth"] = few[0]
        words.setdefault(few[0], roles.source.count_values(few[0]))
    # A column whose words are not understood may be the one.
    maybe = words if unknown.keys() - {"judge"} else ()
    problems = [SENTENCES["roles"][what] for what in unknown]
    meant: dict[str, dict[str, str]] = {}
    for column in dict.fromkeys([*unexplained, *maybe]):
        listed = [f"{word!r} ({number})" for word, number in words[column].items()]
        text = ", ".join(listed[:SHOWN])
        text += f" and {len(listed) - SHOWN} others" if len(listed) > SHOWN else ""
        role = unexplained.get(column)
        name = f"column {column} was found for {role}, but it" if role else column
        problems.append(write_note("unclear_words", column=name, words=text))
        meant[column] = dict.fromkeys(list(words[column])[:SHOWN], "human or machine")
    facts: dict[str, Any] = {"columns": unknown, "values": meant}
    facts |= {"problems": "; ".join(problems), "header": ", ".join(roles.source.header)}
    raise roles.source.make_error("unknown_words" if meant else "unknown_roles", **facts)


def find_unexplained_column(roles: Roles, what: str) -> str | None:
    """Find the column of a role by its name, if its words are not understood."""
    for role in ("truth", "agent") if what == "truth" else (what,):
        column = roles.source.named.get(role) or roles.find_named_column(role)
        if column in roles.not_understood:
            return column
    return None


def refuse_unexplained_numbers(roles: Roles) -> None:
    """Refuse ratings on a scale, or scores of detectors, until the user says which mean a machine."""
    by_name = {strip_signs(name): name for name in reversed(roles.list_free_columns())}
    known = [by_name[name] for name in KNOWN["graded"].split() if name in by_name]
    known += [name for name in by_name.values() if is_called(name, "graded")]
    for column in dict.fromkeys(known):
        numbers = roles.parse_numbers(column)
        # Two numbers are codes, of which `values` says what they mean.
        if numbers.nunique() < 3 or not are_mostly_numbers(numbers):
            continue
        facts = {"column": column, "low": numbers.min(), "high": numbers.max()}
        facts["example"] = write_example(roles, column, numbers)
        raise roles.source.make_error("unexplained_numbers", **facts)


def write_example(roles: Roles, column: str, numbers: pd.Series) -> str:
    """Write how a column of ratings or scores might be declared, for the user to correct."""
    codes = find_no_answers(numbers)
    answers = numbers[~numbers.isin(codes)].dropna()
    low, high = find_scale(answers)
    if answers.max() <= high / 2:
        # Such as a scale of 20 points, which fits 0 to 100, too.
        low, high = answers.min(), answers.max()
    middle = (low + high) / 2
    example: dict[str, Any] = {"column": column}
    if "judge" not in roles.columns:
        table = {"score": example | {"machine": f">= {middle:g}"}}
    else:
        below, between, above = f"{low:g}-{middle:.1f}", {}, f"{middle:.1f}-{high:g}"
        if high > 2 and low % 1 == high % 1 == 0:
            below, above = f"{low:g}-{math.ceil(middle) - 1}", f"{math.floor(middle) + 1}-{high:g}"
            between = {"unsure": int(middle)} if middle % 1 == 0 else {}
        human, machine = (
            (above, below) if is_called(column, "larger_for_people") else (below, above)
        )
        table = {"rating": example | {"human": human} | between | {"machine": machine}}
    command = roles.source.write_command(table=table)
    left_out = {column: dict.fromkeys((int(code) for code in codes or [99]), None)}
    return f'{command}; codes for no answer are left out with values="{format_flow(left_out)}"'
