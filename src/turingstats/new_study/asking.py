"""Ask about what a table does not say by itself, one line per answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from turingstats.data.adapters.columns import normalize_spelling
from turingstats.new_study.inspector import TableInspector
from turingstats.new_study.unclear import UnclearError
from turingstats.new_study.vocabulary import NAMES, strip_signs

ANSWERS = {
    "h": "human",
    "human": "human",
    "m": "machine",
    "machine": "machine",
    "u": "unsure",
    "unsure": "unsure",
    "-": None,
}
NAME = ("n", "name")
ROLES = {
    "judge": "who gave each verdict",
    "truth": "who made each response",
    "verdict": "what the judge said",
    "agent": "which machine made each response",
}


class Dialogue:
    """Ask the user about a table until it is understood.

    `read_line` returns the next line that the user typed, empty at the end; `show` shows a text.
    """

    def __init__(self, read_line: Callable[..., Any], show: Callable[..., Any]) -> None:
        self.read_line, self.show = read_line, show

    def ask(self, question: str) -> str:
        """Ask one question; return the answer without surrounding blanks."""
        self.show(f"{question} ")
        return self.read_line().strip()

    def inspect_table(
        self,
        path: Path,
        named: dict[str, str] | None = None,
        words: dict[str, Any] | None = None,
        shape: dict[str, Any] | None = None,
    ) -> TableInspector:
        """Inspect a table, and ask where it is unclear; a question left open may be an error."""
        named, words, skipped = dict(named or {}), dict(words or {}), set()
        while True:
            inspector = TableInspector(path, named, words, shape)
            try:
                inspector.inspect()
            except UnclearError as error:
                if not self.clarify(error, inspector, named, words):
                    raise
                continue
            if self.confirm_guesses(inspector, named):
                continue
            if not self.ask_about_slips(inspector, words, skipped):
                return inspector

    def clarify(
        self,
        error: UnclearError,
        inspector: TableInspector,
        named: dict[str, str],
        words: dict[str, dict[str, str]],
    ) -> bool:
        """Ask about the role or the words that stopped an inspection; tell whether there was an answer."""
        if error.in_column is None:
            column = self.ask_for_column(
                f"Which column says {ROLES.get(error.what, error.what)} ({error.what})?", inspector
            )
            if column:
                named[error.what] = column
            return bool(column)
        column = error.in_column
        self.show(
            f"Column {column} ({ROLES.get(error.what, error.what)}) has words that are not understood.\n"
        )
        return self.ask_about_words(column, error.words, words)

    def ask_for_column(self, question: str, inspector: TableInspector) -> str:
        """Ask for a column until there is one of this name; an empty answer is none."""
        while True:
            answer = self.ask(f"{question} One of {', '.join(inspector.header)}:")
            if not answer or answer in inspector.header:
                return answer
            self.show(f"There is no column {answer}.\n")

    def ask_about_words(
        self, column: str, counts: dict[str, int], words: dict[str, dict[str, str]]
    ) -> bool:
        """Ask what words of a column mean; tell whether there was an answer."""
        named = strip_signs(column) in NAMES["agent"].split()
        meanings, answered = words.setdefault(column, {}), False
        spelled = {normalize_spelling(word) for word in meanings}
        for word, number in counts.items():
            if normalize_spelling(word) in spelled:
                continue
            meaning = self.ask_for_meaning(word or "(empty)", number, named)
            if meaning == "":
                continue
            answered = True
            if meaning not in NAME:
                meanings[word] = meaning
        if not meanings:
            del words[column]
        return answered and bool(meanings)

    def ask_for_meaning(self, word: str, number: int, named: bool) -> str | None:
        """Ask for the meaning of a word until it is one of those known; empty if there was no answer."""
        options = "human, machine, unsure, - to leave these rows out"
        options += ", name if it is the name of a machine" if named else ""
        while True:
            answer = self.ask(f"  {word!r} ({number} rows): {options}:").lower()
            if answer in ("", *(NAME if named else ())):
                return answer
            if answer in ANSWERS:
                return ANSWERS[answer]
            self.show(f"  {answer!r} is none of these.\n")

    def confirm_guesses(self, inspector: TableInspector, named: dict[str, str]) -> bool:
        """Ask whether columns that were guessed by their values are right; tell whether one was changed."""
        for what, column in inspector.guesses.items():
            names = {*NAMES[what].split(), *NAMES["agent"].split()}
            if named.get(what) == column or strip_signs(column) in names:
                continue
            answer = self.ask(
                f"Is {column} the column that says {ROLES[what]} ({what})? yes, or the right column:"
            )
            if answer.lower() in ("", "y", "yes"):
                named[what] = column
            elif answer in inspector.header:
                named[what] = answer
                return True
            else:
                named[what] = (
                    self.ask_for_column(f"There is no column {answer}.", inspector) or column
                )
                return named[what] != column
        return False

    def ask_about_slips(
        self, inspector: TableInspector, words: dict[str, dict[str, str | None]], skipped: set[str]
    ) -> bool:
        """Ask about rare words that a run would stop at; tell whether one was explained."""
        for column, counts in inspector.slips.items():
            if column in skipped:
                continue
            skipped.add(column)
            self.show(f"Column {column} has words in a few rows that are not understood.\n")
            if self.ask_about_words(column, counts, words):
                return True
        return False
