"""Refuse a table that does not say who judged, who made the responses, or what was said of them."""

import re
from typing import TYPE_CHECKING

from turingstats.core.errors import InputError

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

SHOWN = 8
"""Maximum number of words that a message lists."""
MEANING = {
    "judge": "who gave each verdict; verdicts of one person belong together (or detector, which machine "
    "gave it)",
    "truth": "who made each response, in words such as human and machine (or agent, the names of those "
    "who did; or human_at, where the person's response was in a choice between two)",
    "verdict": "what each judge said, such as human and machine",
}


def format_word(word: str) -> str:
    """Format a word for YAML on a command line, in single quotes where it needs them."""
    return word if re.fullmatch(r"[A-Za-z]\w*", word) else "'" + word.replace("'", "''") + "'"


def refuse_unknown_roles(inspector: "TableInspector") -> None:
    """Refuse a table in which something is not known, with the command that says it."""
    problems, unknown, meant = [], [], []
    named = {what: find_unexplained_column(inspector, what) for what in inspector.lacking}
    unexplained = {column: what for what, column in named.items() if column is not None}
    for what, column in named.items():
        if column is None:
            unknown.append(f"{what}: its column")
            problems.append(f"no column is known for {what}: {MEANING[what]}")
    if any(column is None for what, column in named.items() if what != "judge"):
        # A column whose words are not understood may be the one.
        unexplained |= dict.fromkeys(
            column for column in inspector.not_understood if column not in unexplained
        )
    for column, what in unexplained.items():
        counts = inspector.not_understood[column]
        is_named = f"column {column} was found for {what}, but it" if what else column
        problems.append(f"{is_named} is not understood where it is {format_counts(counts)}")
        words = ", ".join(f"{format_word(word)}: human or machine" for word in list(counts)[:SHOWN])
        meant.append(f"{format_word(column)}: {{{words}}}")
    fix = f"say it: snakemake init --config csv={inspector.path}"
    if unknown:
        fix += f' columns="{{{", ".join(unknown)}}}"'
    if meant:
        fix += (
            f' values="{{{", ".join(meant)}}}" (or unsure; null leaves rows out); if those that are not '
            "human are names of machines to keep apart, say only which are human"
        )
    raise InputError(
        inspector.path,
        "; ".join(problems),
        fix=f"{fix}; columns of the table: {', '.join(inspector.header)}",
    )


def find_unexplained_column(inspector: "TableInspector", what: str) -> str | None:
    """Find the column of a role by its name, if its words are not understood."""
    for role in ("truth", "agent") if what == "truth" else (what,):
        column = inspector.named.get(role) or inspector.find_named_column(role)
        if column in inspector.not_understood:
            return column
    return None


def format_counts(words: dict[str, int]) -> str:
    """Format words with the number of their rows, for a message."""
    shown = ", ".join(f"{word!r} ({number})" for word, number in list(words.items())[:SHOWN])
    return shown + (f" and {len(words) - SHOWN} others" if len(words) > SHOWN else "")
