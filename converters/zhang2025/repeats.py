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
    """What a file has held so far.

    Parameters
    ----------
    path : path-like
    """

    def __init__(self, path):
        self.path = path
        self.rows = {}

    def refuse(self, problem, *identity, row, column=None):
        """Refuse what has the same identity as an earlier row.

        Parameters
        ----------
        problem : str
            What is repeated, such as "two trials of one judge at the same position".
        *identity : hashable
        row : str
        column : str, optional

        Raises
        ------
        InputError
            Names both rows.
        """
        first = self.rows.setdefault((problem, *identity), row)
        if first != row:
            fix = "remove the copy, or restore the file from its source"
            raise self.make_error(problem, first, row, column, fix)

    def refuse_different(self, problem, identity, value, row, column=None):
        """Refuse another value for what an earlier row has given a value; names both rows."""
        first, given = self.rows.setdefault((problem, identity), (row, value))
        if given != value:
            raise self.make_error(problem, first, row, column, "restore the file from its source")

    def make_error(self, problem, first, row, column, fix):
        """Make the error of two rows that do not go together."""
        where = {"row": row, "column": column, "fix": fix}
        return InputError(self.path, f"{problem}: {first} and {row}", **where)


class TrialRepeats(Repeats):
    """The trials of a file of people's judgments.

    Parameters
    ----------
    file : RawFile
    path : path-like
    """

    def __init__(self, file, path):
        super().__init__(path)
        self.once = file.cohort in SHOWN_ONCE.get(file.task, ())

    def refuse_trial(self, judge, page, position, rt, verdict, *, row, phase="test"):
        """Refuse a trial that repeats an earlier one.

        Parameters
        ----------
        judge : str
        page : hashable
            What was shown: stimulus and response.
        position, rt : int
        verdict : str
        row : str
        phase : str
        """
        said = page, rt, verdict
        self.refuse("two trials of one judge at the same position", judge, position, row=row)
        self.refuse("a copied trial", *said, position, row=row)
        self.refuse("a copied trial of one judge", judge, *said, row=row)
        if self.once:
            self.refuse("one page shown twice to one judge", judge, page, phase, row=row)
