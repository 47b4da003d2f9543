"""Leave out the columns of a table that could identify a person."""

import re
from collections.abc import Mapping

from turingstats.data.adapters import shapes
from turingstats.new_study.roles import Roles
from turingstats.new_study.vocabulary import NAMES, strip_signs

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
EMAIL = re.compile(r"[^@\s]@[^@\s]+\.[a-z]")


def leave_out_private_columns(roles: Roles) -> Roles:
    """Leave out columns that could identify a person, and those that any of several tables might have."""
    source = roles.source
    origins = shapes.list_columns(source.file, source.path.parent)
    ambiguous = [column for column, number in origins.items() if number == shapes.AMBIGUOUS]
    why = "several of the joined tables have it"
    roles = roles.add(not_read=dict.fromkeys(ambiguous, why))
    kept = {roles.find_named_column("stimulus"): "what was judged"}
    who, visit = map(roles.find_named_column, ("judge", "session"))
    # The id of a chat or submission that differs in every verdict of a judge is no visit.
    if who and visit and source.cells.duplicated([who, visit]).any():
        kept[visit] = "which visit of the judge it was"
    for column in roles.list_free_columns():
        reason = explain_privacy(column, source.count_values(column))
        if column in kept and reason == "looks like an identifier":
            roles = roles.add(
                f"{column} looks like an identifier, and is read as {kept[column]}; "
                f'if it identifies people, leave it out: columns="{{{column}: null}}"'
            )
        elif reason and column not in roles.added:
            roles = roles.add(not_read={column: reason})
    return roles


def explain_privacy(name: str, counts: Mapping[str, int]) -> str | None:
    """Say why a column of texts, counted with empty ones, is private; None if nothing is."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    words = re.sub(r"[^a-z0-9]+", "_", words)
    lowered = [(value.lower(), number) for value, number in counts.items() if value]
    if any(EMAIL.search(value) for value, _ in lowered if "@" in value):
        return "holds e-mail addresses"
    known = f"{NAMES['agent']} {NAMES['session']}".split()
    if PRIVATE_NAMES.search(words) and strip_signs(name) not in known:
        return "its name is that of something personal"
    filled = sum(number for _, number in lowered)
    for what, pattern in PRIVATE_VALUES.items():
        if sum(number for value, number in lowered if pattern.fullmatch(value)) > 0.5 * filled:
            return f"looks like {what}"
    return None
