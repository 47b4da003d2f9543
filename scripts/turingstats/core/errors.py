"""Errors that say what is wrong, where, and what to do about it."""

import contextlib
import sys
import traceback
from pathlib import Path


class TuringError(Exception):
    """A problem the user can fix; its message is complete without a traceback."""


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
        self.problem, self.allowed, self.fix = problem, allowed, fix
        lines = [problem, f"  file:    {file}"]
        if row is not None:
            lines.append(f"  row:     {row}")
        if column is not None:
            lines.append(f"  column:  {column}")
        if value is not None:
            lines.append(f"  found:   {value!r}")
        if allowed is not None:
            lines.append(f"  allowed: {', '.join(map(str, allowed))}")
        if fix is not None:
            lines.append(f"  fix:     {fix}")
        super().__init__("\n".join(lines))


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
    with path.open("w") as stream, contextlib.redirect_stdout(stream):
        try:
            yield
        except TuringError as error:
            stream.write(f"{type(error).__name__}: {error}\n")
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=stream)
            sys.exit(1)
