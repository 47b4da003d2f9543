"""Errors that say what is wrong, where, and what to do about it."""

import contextlib
import io
import sys
import traceback
from pathlib import Path

from turingstats.core.plain_text import escape_controls, show_on_one_line


class TuringError(Exception):
    """A problem the user can fix; its message is complete without a traceback.

    Control characters in the message are shown, not obeyed.
    """

    def __init__(self, message=""):
        super().__init__(escape_controls(str(message)))


class ConfigError(TuringError):
    """The configuration asks for something that does not exist or contradicts itself."""


class SourceError(TuringError):
    """A raw data source is not available as configured."""


class InputError(TuringError):
    """A raw file contains something that its format does not allow.

    Parameters
    ----------
    file : path-like
        The file at fault.
    problem : str
        What is wrong, in one sentence.
    row, column, value : optional
        Location of the problem: the key of the record, the field, and the value found there.
    allowed : iterable of str, optional
        The values that would have been accepted.
    fix : str, optional
        What the user can do.
    """

    def __init__(self, file, problem, *, row=None, column=None, value=None, allowed=None, fix=None):
        self.file, self.row, self.column, self.value = file, row, column, value
        lines = [problem, f"  file:    {show_on_one_line(file)}"]
        if row is not None:
            lines.append(f"  row:     {show_on_one_line(row)}")
        if column is not None:
            lines.append(f"  column:  {show_on_one_line(column)}")
        if value is not None:
            lines.append(f"  found:   {value!r}")
        if allowed is not None:
            lines.append(f"  allowed: {', '.join(map(show_on_one_line, allowed))}")
        if fix is not None:
            lines.append(f"  fix:     {fix}")
        super().__init__("\n".join(lines))


class Log(io.TextIOWrapper):
    """A log file in which control characters are shown, not obeyed by the terminal that prints it."""

    def write(self, text):
        """Write text."""
        return super().write(escape_controls(text))


@contextlib.contextmanager
def report_errors(log):
    """Run a step; write what it prints, or why it failed, to its log.

    A `TuringError` is written without a traceback: its message is all the user needs.

    Parameters
    ----------
    log : path-like
        Log file of the step; overwritten.

    Raises
    ------
    SystemExit
        With code 1 after any error.
    """
    path = Path(log)
    path.parent.mkdir(parents=True, exist_ok=True)
    stream = Log(path.open("wb"), encoding="utf-8", errors="backslashreplace")
    with stream, contextlib.redirect_stdout(stream):
        try:
            yield
        except TuringError as error:
            stream.write(f"{type(error).__name__}: {error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=stream)
            sys.exit(1)
