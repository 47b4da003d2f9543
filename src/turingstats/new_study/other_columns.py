"""Sort the other columns of a table of verdicts: conditions, groups of judges, numbers, checks, codes."""

import re
from typing import NamedTuple

import pandas as pd

from turingstats.data.answer_checks import find_contradictions, follows_from_answers, is_reversed
from turingstats.data.cells import find_no_answers, write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.design import MAX_LEVELS, group_answers
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


def find_trial_columns(roles: Roles) -> Roles:
    """Find the columns about trials that have known names."""
    for name in ABOUT_TRIALS:
        if not (roles.design and name == "stimulus"):
            roles = roles.add(columns={name: roles.find_named_column(name)})
    return roles


def check_numbers(roles: Roles) -> Roles:
    """Leave out columns that should be numbers but are not, and find their unit."""
    for name in ("confidence", "rt_ms", "position", "exchanges"):
        column = roles.columns.get(name)
        if column is None:
            continue
        if name == "confidence":
            roles = empty_codes(roles, name, column)
        numbers = roles.parse_numbers(column, whole=name == "rt_ms")
        if name in ("confidence", "rt_ms"):
            is_number = are_mostly_numbers(numbers)
        else:
            is_number = (numbers % 1 == 0).all()
        if not is_number:
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
            roles, levels = map_levels(roles, name, column)
            groups = group_answers(name, levels)
            roles = roles.add(columns={name: column}, demographics={name: groups})
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
            roles = roles.add(conditions=[name])
    return roles


def sort_column(roles: Roles, column: str, judges: str, answers: Answers) -> Roles:
    """Find what a column is, or why it is not read."""
    is_given = column in roles.added
    cells = roles.source.read_texts(column)
    is_check = not is_given and (
        column == answers.right or follows_from_answers(cells, answers.truth, answers.verdict)
    )
    is_constant = not roles.source.differs_within(column, judges)
    if is_check:
        name = name_column(roles, column)
        roles, _ = map_levels(roles, name, column)
        remark = describe_check(column, cells, answers)
        return roles.add(remark, columns={name: column}, task_columns={name: "check"})
    if not is_given and is_coded(roles, column):
        name = name_column(roles, column)
        return roles.add(columns={name: column}, codes=[name])
    reason = None if is_given else explain_unread(roles, column)
    if reason is None and is_constant:
        reason = explain_unread_of_judges(roles, column)
    return (
        roles.add(not_read={column: reason}) if reason else take_column(roles, column, is_constant)
    )


def take_column(roles: Roles, column: str, is_constant: bool) -> Roles:
    """Take a column for a number, an answer beside the verdict, a group of judges or a condition."""
    name = name_column(roles, column)
    roles, levels = map_levels(roles.add(columns={name: column}), name, column)
    is_given = column in roles.added
    if len(levels) > MAX_LEVELS:
        are_numbers = are_mostly_numbers(roles.parse_numbers(column))
        return roles.add(task_columns={name: "number" if are_numbers else "word"})
    if not is_given and any(is_called(column, what) for what in ("reasons", "confidence", "ranks")):
        return roles.add(write_note("after_verdict", column=column), task_columns={name: "word"})
    if is_constant:
        return roles.add(demographics={name: {level: level for level in sorted(levels)}})
    if not is_given and is_rated_by_judges(roles, column, levels):
        note = write_note("rated_beside", name=name, column=column)
        return roles.add(note, task_columns={name: "scale"})
    roles = roles.add(conditions=[name])
    if len(levels) > 3 and all(level.isdigit() for level in levels):
        return roles.add(write_note("maybe_scale", column=column))
    return roles


def is_rated_by_judges(roles: Roles, column: str, levels: list[str]) -> bool:
    """Tell whether several whole numbers differ between judges of the same response, as their ratings do."""
    if len(levels) <= 3 or not all(level.isdigit() for level in levels):
        return False
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
    roles, words = map_levels(roles, name, column)
    levels = pd.Series(words, dtype="category")
    plain = write_plainly(levels, roles.source.path, column).astype(str)
    numbers = pd.to_numeric(plain, "coerce")
    if not are_mostly_numbers(numbers):
        word = levels[numbers.isna()].iloc[0]
        raise roles.source.make_error("scale_of_words", column=column, value=word)
    return roles.add(task_columns={name: "scale"})


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


def explain_unread_of_judges(roles: Roles, column: str) -> str | None:
    """Say why a column that is the same in all rows of a judge is not a group; None if it is."""
    if roles.judge_kind != "human":
        return "the same in all rows of each machine that judges"
    judges = roles.source.read_texts(roles.columns["judge"])
    alone = judges.groupby(roles.source.read_texts(column)).nunique() == 1
    if column not in roles.added and alone.drop("", errors="ignore").mean() > 0.5:
        return "most of its values belong to a single judge"
    return None


def explain_unread(roles: Roles, column: str) -> str | None:
    """Say why a column is neither a group, a condition nor a number; None if it is."""
    levels, rows = roles.source.list_levels(column), len(roles.source.cells)
    filled = rows - roles.source.count_values(column).get("", 0)
    if filled < SPARSE * rows:
        return f"filled in {filled} of {rows} rows"
    if column.startswith("Unnamed: "):
        return "it has no name"
    if len(levels) < 2:
        return "one value in all rows"
    if is_called(column, "software"):
        return "kept by the software of the experiment, not a condition"
    if is_called(column, "witnesses"):
        return "about a witness, not a condition; say so if it is: columns"
    if roles.source.measure_length(column) > LONG:
        return "free text"
    if len(levels) <= MAX_LEVELS:
        return None
    numbers = roles.parse_numbers(column)
    if not are_mostly_numbers(numbers):
        return "too many different values for a condition, and not all are numbers"
    if numbers.median() > EPOCH:
        return "looks like a date"
    if (numbers % 1 == 0).all() and numbers.is_unique and len(numbers) == rows:
        return "a number of its own in each row"
    return None


def map_levels(roles: Roles, name: str, column: str) -> tuple[Roles, list[str]]:
    """List what the levels of a column mean, and add it where the user said so."""
    given, levels = roles.given_by.get(column, {}), roles.source.list_levels(column)
    spelled = {
        level: given[normalize_spelling(level)]
        for level in [*levels, ""]
        if normalize_spelling(level) in given
    }
    if spelled:
        roles = roles.add(values={name: spelled})
    meant = [spelled.get(level, level) for level in levels]
    return roles, [level for level in dict.fromkeys(meant) if level]
