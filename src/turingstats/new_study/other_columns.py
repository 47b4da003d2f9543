"""Sort the other columns of a table of verdicts: conditions, groups of judges, numbers, checks, codes."""

import re
from typing import TYPE_CHECKING

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data.adapters import shapes
from turingstats.data.answer_checks import find_contradictions, follows_from_answers, is_reversed
from turingstats.data.cells import write_plainly
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.design import MAX_LEVELS, group_answers
from turingstats.new_study.vocabulary import (
    ASKED,
    LONG,
    NAMES,
    OF_CONFIDENCE,
    OF_RANKS,
    OF_REASONS,
    OF_SOFTWARE,
    OF_WITNESSES,
    RESERVED,
    choose_unused_name,
    make_identifier,
    strip_signs,
)

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

OF_PLACES = re.compile(
    r"\w*(block|session|round|phase|set|list|version|group|batch|page|order|part|index)\w*"
)
"""Names of columns that say when or where a trial was, though numbers of judges differ."""
SPARSE = 0.1
"""Share of rows below which a column that is filled is not one of the trials."""
OF_UNITS = re.compile(r"(?:^|[^a-z])(ms|msec|msecs|milliseconds?|s|sec|secs|seconds?)[^a-z]*$")
"""Units of times at the end of the name of a column."""
EPOCH = 1e9
"""Numbers above this are seconds or milliseconds since 1970."""
MAX_CODES, FEWEST_CODED = 40, 5
"""Maximum number of codes of reasons, and the number of rows that half of them have at least."""

PRIVATE_NAMES = re.compile(
    r"(^|_)(ip|ips|email|e_mail|mail|phone|(?<!exp_)name|first_?name|last_?name|surname|username|nick|address|"
    r"browser|user_?agent|device|latitude|longitude|lat|lon|zip|postcode|birth\w*|dob|session\w*|cookie|"
    r"referr?er|url|\w*token|\w*password|\w*_?pid|worker\w*|assignment\w*|hit_?id|mturk\w*|prolific\w*|"
    r"comments?|feedback|country|city|uuid)(_|$)"
)
PATTERNS = {
    "an address of a computer": r"(\d{1,3}\.){3}\d{1,3}(:\d+)?",
    "a browser string": r"mozilla/.*|.*applewebkit.*|.*gecko/.*",
    "an identifier": r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|a[0-9a-z]{12,14}",
    "a web address": r"https?://.*",
    "a date": r"\d{4}-\d\d-\d\d.*|\d\d?[./]\d\d?[./]\d{2,4}.*",
}
PRIVATE_VALUES = {what: re.compile(pattern) for what, pattern in PATTERNS.items()}
# Anchored at the @: with any number of letters before it, the time is quadratic in the length of a cell.
EMAIL = r"[^@\s]@[^@\s]+\.[a-z]"


def leave_out_private_columns(inspector: "TableInspector") -> None:
    """Leave out columns that could identify a person, and those that any of several tables might have."""
    for column, number in shapes.list_columns(inspector.file, inspector.path.parent).items():
        if number == shapes.AMBIGUOUS:
            inspector.not_read[column] = "several of the joined tables have it"
    kept = {inspector.find_named_column("stimulus"): "what was judged"}
    who, visit = map(inspector.find_named_column, ("judge", "session"))
    # The id of a chat or submission that differs in every verdict of a judge is no visit.
    if who and visit and inspector.table.duplicated([who, visit]).any():
        kept[visit] = "which visit of the judge it was"
    for column in inspector.list_free_columns():
        cells = inspector.table[column]
        reason = explain_privacy(column, cells[cells != ""])
        if column in kept and reason == "looks like an identifier":
            inspector.remarks.append(
                f"{column} looks like an identifier, and is read as {kept[column]}; "
                f'if it identifies people, leave it out: columns="{{{column}: null}}"'
            )
        elif reason and column not in inspector.added:
            inspector.not_read[column] = reason


def explain_privacy(name: str, values: pd.Series) -> str | None:
    """Say why a column, whose cells are given as text without empty ones, is private; None if nothing is."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    words = re.sub(r"[^a-z0-9]+", "_", words)
    counts = values.str.lower().value_counts()
    if any(map(re.compile(EMAIL).search, counts.index)):
        return "holds e-mail addresses"
    known = f"{NAMES['agent']} {NAMES['session']}".split()
    if PRIVATE_NAMES.search(words) and strip_signs(name) not in known:
        return "its name is that of something personal"
    for what, pattern in PRIVATE_VALUES.items():
        found = [bool(pattern.fullmatch(value)) for value in counts.index]
        if counts[found].sum() > 0.5 * len(values):
            return f"looks like {what}"
    return None


def follows_choice(inspector: "TableInspector", numbers: pd.Series) -> bool:
    """Tell whether the sign of a number says no more than the answer, as from sure of A to sure of B."""
    answer = inspector.columns.get("chosen") or inspector.columns.get("verdict")
    signed = numbers[numbers != 0].dropna()
    if answer is None or (signed > 0).nunique() < 2:
        return False
    return bool(((signed > 0).groupby(inspector.table[answer]).nunique() == 1).all())


def check_numbers(inspector: "TableInspector") -> None:
    """Leave out columns that should be numbers but are not, and find their unit."""
    for name in ("confidence", "rt_ms", "position", "exchanges"):
        column = inspector.columns.get(name)
        if column is None:
            continue
        if name == "confidence":
            inspector.empty_codes(name, column)
        numbers = inspector.parse_numbers(column, whole=name == "rt_ms")
        if name in ("confidence", "rt_ms"):
            is_number = inspector.are_mostly_numbers(numbers)
        else:
            is_number = (numbers % 1 == 0).all()
        if not is_number:
            inspector.not_read[column] = "not all of its values are numbers"
            inspector.values.pop(name, None)
            del inspector.columns[name]
        elif name == "confidence" and follows_choice(inspector, numbers):
            inspector.not_read[column] = (
                "its sign is that of the answer; save how sure judges were alone"
            )
            del inspector.columns[name]
        elif name == "rt_ms" and is_in_seconds(column, numbers):
            inspector.columns["rt_s"] = inspector.columns.pop("rt_ms")
            inspector.remarks.append(
                f"{column} taken for seconds: its median is {numbers.median():g}"
            )


def is_in_seconds(column: str, numbers: pd.Series) -> bool:
    """Tell whether times are in seconds, as the name of their column says or, without a unit, their size."""
    unit = OF_UNITS.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", column).lower())
    return unit[1].startswith("s") if unit else bool(numbers.median() < 100)


def find_groups(inspector: "TableInspector") -> None:
    """Sort the other columns into checks, groups of judges, conditions, numbers, and those not read."""
    by_judge = inspector.table.groupby(
        inspector.columns.get("judge") or inspector.columns["cohort"]
    )
    for name in ASKED:
        column = inspector.find_named_column(name)
        if column is not None and (by_judge[column].nunique() <= 1).all():
            inspector.columns[name] = column
            inspector.demographics[name] = group_answers(name, map_levels(inspector, name, column))
    truth, verdict = inspector.find_truth_of_rows(), inspector.find_verdict_of_rows()
    right = inspector.find_named_column("right")
    for column in inspector.scales:
        take_scale(inspector, column)
    for column in inspector.list_free_columns():
        is_check = column == right or follows_from_answers(inspector.table[column], truth, verdict)
        is_check = is_check and column not in inspector.added
        constant = (by_judge[column].nunique() <= 1).all()
        if not is_check and column not in inspector.added and is_coded(inspector, column):
            inspector.codes.append(name_column(inspector, column))
            continue
        reason = (
            None if is_check or column in inspector.added else explain_unread(inspector, column)
        )
        if reason is None and constant and not is_check:
            reason = explain_unread_of_judges(inspector, column)
        if reason:
            inspector.not_read[column] = reason
            continue
        name = name_column(inspector, column)
        levels, stripped = map_levels(inspector, name, column), strip_signs(column)
        is_asked_after = any(
            pattern.fullmatch(stripped) for pattern in (OF_REASONS, OF_CONFIDENCE, OF_RANKS)
        )
        if is_check:
            inspector.task_columns[name] = "check"
            remark_check(inspector, column, truth, verdict, column == right)
        elif len(levels) > MAX_LEVELS:
            are_numbers = inspector.are_mostly_numbers(inspector.parse_numbers(column))
            inspector.task_columns[name] = "number" if are_numbers else "word"
        elif is_asked_after and column not in inspector.added:
            inspector.task_columns[name] = "word"
            inspector.remarks.append(
                f"{column} taken for an answer given after the verdict, which is no condition of it"
            )
        elif constant:
            inspector.demographics[name] = {level: level for level in sorted(levels)}
        elif column not in inspector.added and is_rated_by_judges(inspector, column, levels):
            inspector.task_columns[name] = "scale"
            inspector.remarks.append(
                f"{column} taken for a rating given beside the verdict, which is no condition of it; if it "
                f'is one, say so: columns="{{{name}: {column}}}"'
            )
        else:
            inspector.conditions.append(name)
            if len(levels) > 3 and all(level.isdigit() for level in levels):
                inspector.remarks.append(
                    f"{column} taken for a condition; if judges rated something with it, say so: "
                    f"columns={{scales: [{column}]}}"
                )
    for name in ("exchanges", "domain", "topic"):
        column = inspector.columns.get(name)
        if column and 1 < len(inspector.list_levels(column)) <= MAX_LEVELS:
            inspector.conditions.append(name)


def is_rated_by_judges(inspector: "TableInspector", column: str, levels: list[str]) -> bool:
    """Tell whether several whole numbers differ between judges of the same response, as their ratings do."""
    if len(levels) <= 3 or not all(level.isdigit() for level in levels):
        return False
    if "stimulus" not in inspector.columns or OF_PLACES.fullmatch(strip_signs(column)):
        return False
    made_by = [inspector.columns[n] for n in ("stimulus", "agent") if n in inspector.columns]
    several = inspector.table.groupby(made_by)[column].agg(["size", "nunique"])
    several = several[several["size"] > 1]
    return bool(len(several) and (several["nunique"] > 1).mean() > 0.5)


def take_scale(inspector: "TableInspector", column: str) -> None:
    """Take a column for a rating given beside the verdict, and refuse one that does not hold numbers."""
    name = name_column(inspector, column)
    inspector.empty_codes(name, column)
    levels = pd.Series(map_levels(inspector, name, column), dtype="category")
    numbers = pd.to_numeric(write_plainly(levels, inspector.path, column).astype(str), "coerce")
    if not inspector.are_mostly_numbers(numbers):
        word = levels[numbers.isna()].iloc[0]
        raise InputError(
            inspector.path,
            "a scale holds numbers",
            column=column,
            value=word,
            fix=f"say which number it is, as in values={{{column}: {{{word}: 1}}}}, or name no scale",
        )
    inspector.task_columns[name] = "scale"


def name_column(inspector: "TableInspector", column: str) -> str:
    """Name a column that the data contract has no name for, and read it."""
    name = inspector.added.get(column) or make_identifier(column, "column")
    name = f"{name}_in_table" if name in RESERVED else name
    name = choose_unused_name(name, {*inspector.columns, *RESERVED})
    inspector.columns[name] = column
    return name


def is_coded(inspector: "TableInspector", column: str) -> bool:
    """Tell whether a column has codes of reasons, of which a cell may have several, after semicolons."""
    if not OF_REASONS.fullmatch(strip_signs(column)):
        return False
    codes = inspector.table[column].str.split(";").explode().str.strip()
    counts = codes[codes != ""].value_counts()
    return 1 < len(counts) <= MAX_CODES and counts.median() >= FEWEST_CODED


def remark_check(
    inspector: "TableInspector", column: str, truth: pd.Series, verdict: pd.Series, is_right: bool
) -> None:
    """Note that a column follows from truth and verdict, and which rows contradict it."""
    remark = f"{column} follows from truth and verdict: it checks them, and is no condition"
    wrong, meanings = find_contradictions(inspector.table[column], truth, verdict)
    if len(wrong):
        remark += f"; in {len(wrong)} rows it contradicts them, the first in row {wrong[0]}"
    if is_right and is_reversed(meanings):
        remark += "; it says no where the verdict is right: truth or verdict may be reversed"
    inspector.remarks.append(remark)


def explain_unread_of_judges(inspector: "TableInspector", column: str) -> str | None:
    """Say why a column that is the same in all rows of a judge is not a group; None if it is."""
    if inspector.judge_kind != "human":
        return "the same in all rows of each machine that judges"
    alone = inspector.table.groupby(column)[inspector.columns["judge"]].nunique() == 1
    if column not in inspector.added and alone.drop("", errors="ignore").mean() > 0.5:
        return "most of its values belong to a single judge"
    return None


def explain_unread(inspector: "TableInspector", column: str) -> str | None:
    """Say why a column is neither a group, a condition nor a number; None if it is."""
    levels = inspector.list_levels(column)
    filled = int((inspector.table[column] != "").sum())
    if filled < SPARSE * len(inspector.table):
        return f"filled in {filled} of {len(inspector.table)} rows"
    if column.startswith("Unnamed: "):
        return "it has no name"
    if len(levels) < 2:
        return "one value in all rows"
    if OF_SOFTWARE.fullmatch(strip_signs(column)):
        return "kept by the software of the experiment, not a condition"
    if OF_WITNESSES.fullmatch(strip_signs(column)):
        return "about a witness, not a condition; say so if it is: columns"
    if inspector.table[column].str.len().mean() > LONG:
        return "free text"
    if len(levels) <= MAX_LEVELS:
        return None
    numbers = inspector.parse_numbers(column)
    if not inspector.are_mostly_numbers(numbers):
        return "too many different values for a condition, and not all are numbers"
    if numbers.median() > EPOCH:
        return "looks like a date"
    if (numbers % 1 == 0).all() and numbers.is_unique and len(numbers) == len(inspector.table):
        return "a number of its own in each row"
    return None


def map_levels(inspector: "TableInspector", name: str, column: str) -> list[str]:
    """List what the levels of a column mean, and note it where the user said so."""
    given = inspector.given_by.get(column, {})
    spelled = {
        level: given[normalize_spelling(level)]
        for level in [*inspector.list_levels(column), ""]
        if normalize_spelling(level) in given
    }
    if spelled:
        inspector.values[name] = spelled
    levels = [spelled.get(level, level) for level in inspector.list_levels(column)]
    return [level for level in dict.fromkeys(levels) if level]
