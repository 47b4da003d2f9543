"""Sort the other columns of a table of verdicts: conditions, groups of judges, numbers, checks, codes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from turingstats.data.answer_checks import find_contradictions, follows_from_answers, is_reversed
from turingstats.data.cells import find_no_answers, write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.design import MAX_LEVELS
from turingstats.new_study.roles import Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.source_table import are_mostly_numbers
from turingstats.new_study.vocabulary import (
    ASKED,
    LONG,
    RESERVED,
    choose_unused_name,
    is_called,
    make_identifier,
)

ABOUT_TRIALS = (
    *("stimulus", "session", "confidence", "rt_ms", "position", "exchanges"),
    *("topic", "domain"),
)
SPARSE = 0.1
"""Share of rows below which a column that is filled is not one of the trials."""
OF_UNITS = re.compile(r"(?:^|[^a-z])(ms|msec|msecs|milliseconds?|s|sec|secs|seconds?)[^a-z]*$")
"""Units of times at the end of the name of a column."""
EPOCH = 1e9
"""Numbers above this are seconds or milliseconds since 1970."""
MAX_CODES, FEWEST_CODED = 40, 5
"""Maximum number of codes of reasons, and the number of rows that half of them have at least."""
MAX_OTHER = 150
"""Maximum number of columns that are looked at beside those with known names."""


class Answers(NamedTuple):
    """What is known of the rows, with which columns are compared."""

    truth: pd.Series
    verdict: pd.Series
    right: str | None
    """The column that says whether judges were right."""


def check_numbers(roles: Roles) -> Roles:
    """Find the columns about trials by their names; leave out those that should be numbers but are not."""
    about_trials = [name for name in ABOUT_TRIALS if not (roles.design and name == "stimulus")]
    roles = roles.take_named_columns(*about_trials)
    for name in ("confidence", "rt_ms", "position", "exchanges"):
        column = roles.columns.get(name)
        if column is None:
            continue
        if name == "confidence":
            roles = empty_codes(roles, name, column)
        numbers = roles.parse_numbers(column, whole=name == "rt_ms")
        is_whole = name in ("position", "exchanges")
        if not ((numbers % 1 == 0).all() if is_whole else are_mostly_numbers(numbers)):
            roles = roles.leave_out(name, "not all of its values are numbers")
        elif name == "confidence" and follows_choice(roles, numbers):
            why = "its sign is that of the answer; save how sure judges were alone"
            roles = roles.leave_out(name, why)
        elif name == "rt_ms" and is_in_seconds(column, numbers):
            note = write_note("seconds", column=column, median=numbers.median())
            roles = roles.add(note, columns={"rt_ms": None, "rt_s": column})
    return roles


def empty_codes(roles: Roles, what: str, column: str) -> Roles:
    """Empty the numbers of a column that are codes for no answer, unless the user explained them."""
    given, numbers = roles.given_by.get(column, {}), roles.parse_numbers(column)
    codes = [code for code in find_no_answers(numbers) if f"{code:g}" not in given]
    return roles.add(no_answers={column: codes}).explain_codes(what, codes, numbers, "")


def follows_choice(roles: Roles, numbers: pd.Series) -> bool:
    """Tell whether the sign of a number says no more than the answer, as from sure of A to sure of B."""
    answer = roles.columns.get("chosen") or roles.columns.get("verdict")
    signed = numbers[numbers != 0].dropna()
    if answer is None or (signed > 0).nunique() < 2:
        return False
    by_answer = (signed > 0).groupby(roles.source.read_texts(answer))
    return bool((by_answer.nunique() == 1).all())


def is_in_seconds(column: str, numbers: pd.Series) -> bool:
    """Tell whether times are in seconds, as the name of their column says or, without a unit, their size."""
    unit = OF_UNITS.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", column).lower())
    return unit[1].startswith("s") if unit else bool(numbers.median() < 100)


def sort_other_columns(roles: Roles) -> Roles:
    """Sort the other columns into checks, groups of judges, conditions, numbers, and those not read."""
    source = roles.source
    judges = roles.columns.get("judge") or roles.columns["cohort"]
    for name in ASKED:
        column = roles.find_named_column(name)
        if column is not None and not source.differs_within(column, judges):
            roles = take_column(roles, name, column).add(declared={name: "group"})
    right = roles.find_named_column("right")
    answers = Answers(roles.find_truth_of_rows(), roles.find_verdict_of_rows(), right)
    for column in roles.scales:
        roles = take_scale(roles, column)
    others = roles.list_free_columns()
    if len(others) > MAX_OTHER:
        why = f"one of {len(others)} others: name those that matter, columns: {{name: column}}"
        left_out = [column for column in others if column not in roles.added and column != right]
        roles = roles.add(not_read=dict.fromkeys(left_out, why))
    for column in roles.list_free_columns():
        roles = sort_column(roles, column, judges, answers)
    for name in ("exchanges", "domain", "topic"):
        column = roles.columns.get(name)
        if column and 1 < len(source.list_levels(column)) <= MAX_LEVELS:
            roles = roles.add(declared={name: "condition"})
    return roles


def sort_column(roles: Roles, column: str, judges: str, answers: Answers) -> Roles:
    """Find what a column is, or why it is not read."""
    name, is_given = name_column(roles, column), column in roles.added
    cells = roles.source.read_texts(column)
    if not is_given and (
        column == answers.right or follows_from_answers(cells, answers.truth, answers.verdict)
    ):
        remark = describe_check(column, cells, answers)
        return take_column(roles, name, column).add(remark, declared={name: "check"})
    if not is_given and is_coded(roles, column):
        return roles.add(columns={name: column}, declared={name: "code"})
    is_constant = not roles.source.differs_within(column, judges)
    reason = next(list_reasons(roles, column, is_constant), None)
    if reason:
        return roles.add(not_read={column: reason})
    roles = take_column(roles, name, column)
    kind, *notes = find_kind(roles, name, is_constant)
    return roles.add(*notes, declared={name: kind})


def find_kind(roles: Roles, name: str, is_constant: bool) -> list[str]:
    """Find whether a column is a number, word or scale of trials, a group or condition; and notes on it."""
    column, levels = roles.columns[name], roles.list_meanings(name)
    is_given, are_points = column in roles.added, len(levels) > 3 and all(map(str.isdigit, levels))
    if len(levels) > MAX_LEVELS:
        return ["number" if are_mostly_numbers(roles.parse_numbers(column)) else "word"]
    if not is_given and any(is_called(column, what) for what in ("reasons", "confidence", "ranks")):
        return ["word", write_note("after_verdict", column=column)]
    if is_constant:
        return ["group"]
    if not is_given and are_points and differs_between_judges(roles, column):
        return ["scale", write_note("rated_beside", name=name, column=column)]
    notes = [write_note("maybe_scale", column=column)] if are_points else []
    return ["condition", *notes]


def take_column(roles: Roles, name: str, column: str) -> Roles:
    """Take a column under a name, with what the user said that its levels mean."""
    given = roles.given_by.get(column, {})
    spelled = {
        level: normalize_spelling(level) for level in (*roles.source.list_levels(column), "")
    }
    meant = {level: given[word] for level, word in spelled.items() if word in given}
    return roles.add(columns={name: column}, values={name: meant} if meant else {})


def differs_between_judges(roles: Roles, column: str) -> bool:
    """Tell whether a column differs between judges of the same response, as their ratings of it do."""
    if "stimulus" not in roles.columns or is_called(column, "places"):
        return False
    made_by = [roles.columns[n] for n in ("stimulus", "agent") if n in roles.columns]
    by_response = [*map(roles.source.read_texts, made_by)]
    several = roles.source.read_texts(column).groupby(by_response).agg(["size", "nunique"])
    several = several[several["size"] > 1]
    return bool(len(several) and (several["nunique"] > 1).mean() > 0.5)


def take_scale(roles: Roles, column: str) -> Roles:
    """Take a column for a rating given beside the verdict, and refuse one that does not hold numbers."""
    name = name_column(roles, column)
    roles = empty_codes(roles.add(columns={name: column}), name, column)
    roles = take_column(roles, name, column)
    levels = pd.Series(roles.list_meanings(name), dtype="category")
    plain = write_plainly(levels, roles.source.path, column).astype(str)
    numbers = pd.to_numeric(plain, "coerce")
    if not are_mostly_numbers(numbers):
        word = levels[numbers.isna()].iloc[0]
        raise roles.source.make_error("scale_of_words", column=column, value=word)
    return roles.add(declared={name: "scale"})


def name_column(roles: Roles, column: str) -> str:
    """Name a column that the data contract has no name for."""
    name = roles.added.get(column) or make_identifier(column, "column")
    name = f"{name}_in_table" if name in RESERVED else name
    return choose_unused_name(name, {*roles.columns, *RESERVED})


def is_coded(roles: Roles, column: str) -> bool:
    """Tell whether a column has codes of reasons, of which a cell may have several, after semicolons."""
    if not is_called(column, "reasons"):
        return False
    codes = roles.source.read_texts(column).str.split(";").explode().str.strip()
    counts = codes[codes != ""].value_counts()
    return bool(1 < len(counts) <= MAX_CODES and counts.median() >= FEWEST_CODED)


def describe_check(column: str, cells: pd.Series, answers: Answers) -> str:
    """Describe that a column follows from truth and verdict, and which rows contradict it."""
    remark = f"{column} follows from truth and verdict: it checks them, and is no condition"
    wrong, meanings = find_contradictions(cells, answers.truth, answers.verdict)
    if len(wrong):
        remark += f"; in {len(wrong)} rows it contradicts them, the first in row {wrong[0]}"
    if column == answers.right and is_reversed(meanings):
        remark += "; it says no where the verdict is right: truth or verdict may be reversed"
    return remark


def list_reasons(roles: Roles, column: str, is_constant: bool) -> Iterator[str]:
    """List why a column is neither a group, a condition nor a number; none if it is."""
    source, is_given = roles.source, column in roles.added
    levels, rows = source.list_levels(column), len(source.cells)
    filled = rows - source.count_values(column).get("", 0)
    reasons = {
        f"filled in {filled} of {rows} rows": filled < SPARSE * rows,
        "it has no name": column.startswith("Unnamed: "),
        "one value in all rows": len(levels) < 2,
        "kept by the software of the experiment, not a condition": is_called(column, "software"),
        "about a witness, not a condition; say so if it is: columns": is_called(
            column, "witnesses"
        ),
        "free text": source.measure_length(column) > LONG,
    }
    yield from (reason for reason, holds in reasons.items() if holds and not is_given)
    if len(levels) > MAX_LEVELS and not is_given:
        numbers = roles.parse_numbers(column)
        if not are_mostly_numbers(numbers):
            yield "too many different values for a condition, and not all are numbers"
        if numbers.median() > EPOCH:
            yield "looks like a date"
        if (numbers % 1 == 0).all() and numbers.is_unique and len(numbers) == rows:
            yield "a number of its own in each row"
    if is_constant and roles.judge_kind != "human":
        yield "the same in all rows of each machine that judges"
    elif is_constant and not is_given:
        judges = source.read_texts(roles.columns["judge"])
        alone = judges.groupby(source.read_texts(column)).nunique() == 1
        if alone.drop("", errors="ignore").mean() > 0.5:
            yield "most of its values belong to a single judge"
