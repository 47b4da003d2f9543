"""What a raw file may repeat, and what is an error: the policy for all readers of raw records.

Errors, naming both places:

- a session of a psiTurk table (`uniqueid`) that is listed twice;
- two trials of a judge at the same position of the session;
- two trials with the same page, position, time in milliseconds and verdict, whoever the judge is: a copied
  trial, or one of a copied session;
- the same page with the same time and verdict twice in a session;
- a page shown twice to a judge in one phase, in the cohorts of `SHOWN_ONCE`;
- two answers of a machine to one stimulus;
- a conversation with two different labels or topics in one file, or that is listed twice in a register;
- a turn of a conversation that follows another one of the same speaker, or stands apart from the others;
- two different questionnaires of one judge.

Kept, since the public files do repeat them: pages in other cohorts (the first half of the sessions of experts
in Word association names the cue of another trial), predictions of machine judges, which name no stimulus
(178 of the ablated judges' verdicts occur five times), people's answers to a
stimulus (one person wrote both captions of more than a hundred images, and several wrote the same), and
sessions that were restarted, of which the last run counts.
"""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from converters.zhang2025.raw_files import RawFile
from turingstats.core.errors import InputError

SHOWN_ONCE = {
    "attention": ("amt", "expert", "feedback"),
    "caption": ("expert",),
    "color": ("amt", "expert", "feedback"),
    "conversation": ("amt", "expert", "feedback", "inlab", "prolific", "prolific2025"),
    "object": ("amt", "expert", "feedback"),
    "word": ("amt", "feedback", "inlab"),
}
"""By task, the cohorts whose public files show no page twice to a judge; the others are not public, or not
checked."""


class Repeats:
    """What a file has held so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[tuple[Hashable, ...], Any] = {}

    def refuse(
        self, problem: str, *identity: Hashable, row: str, column: str | None = None
    ) -> None:
        """Refuse what has the same identity as an earlier row; the error names both rows."""
        first = self.rows.setdefault((problem, *identity), row)
        if first != row:
            fix = "remove the copy, or restore the file from its source"
            raise self.make_error(problem, first, row, column, fix)

    def refuse_different(
        self, problem: str, identity: Hashable, value: Any, row: str, column: str | None = None
    ) -> None:
        """Refuse another value for what an earlier row has given a value; names both rows."""
        first, given = self.rows.setdefault((problem, identity), (row, value))
        if given != value:
            raise self.make_error(problem, first, row, column, "restore the file from its source")

    def make_error(
        self, problem: str, first: str, row: str, column: str | None, fix: str
    ) -> InputError:
        """Make the error of two rows that do not go together."""
        message = f"{problem}: {first} and {row}"
        return InputError(self.path, message, row=row, column=column, fix=fix)


class TrialRepeats(Repeats):
    """The trials of a file of people's judgments."""

    def __init__(self, file: RawFile, path: Path) -> None:
        super().__init__(path)
        self.once = file.cohort in SHOWN_ONCE.get(file.task, ())

    def refuse_trial(
        self,
        judge: str,
        page: Hashable,
        position: int,
        rt: int,
        verdict: str,
        *,
        row: str,
        phase: str = "test",
    ) -> None:
        """Refuse a trial that repeats an earlier one; `page` is what was shown, stimulus and response."""
        said = page, rt, verdict
        self.refuse("two trials of one judge at the same position", judge, position, row=row)
        self.refuse("a copied trial", *said, position, row=row)
        self.refuse("a copied trial of one judge", judge, *said, row=row)
        if self.once:
            self.refuse("one page shown twice to one judge", judge, page, phase, row=row)
