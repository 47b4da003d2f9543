"""Leave out the columns of a table that could identify a person."""

import re
from collections.abc import Mapping

from turingstats.data.adapters import shapes
from turingstats.new_study.roles import Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.vocabulary import KNOWN, NAMES, strip_signs

PRIVATE_NAMES = re.compile(KNOWN["private"]["names"])
PRIVATE_VALUES = {what: re.compile(form) for what, form in KNOWN["private"]["values"].items()}
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
            roles = roles.add(write_note("identifier", column=column, kept=kept[column]))
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
