"""Errors that say what is wrong, where, and what to do about it."""

import contextlib
import errno
import io
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from turingstats.core.plain_text import escape_controls, show_on_one_line


class TuringError(Exception):
    """A problem the user can fix; control characters in its message are shown, not obeyed."""

    def __init__(self, message: str = "", **parts: Any) -> None:
        """Make an error; `parts` say where the problem is, what is allowed, and the fix."""
        lines = [f"  {f'{name}:':<9}{text}" for name, text in parts.items() if text]
        super().__init__(escape_controls("\n".join([str(message), *lines])))


class ConfigError(TuringError):
    """The configuration asks for something that does not exist or contradicts itself."""


class SourceError(TuringError):
    """A raw data source is not available as configured."""


class EndpointError(TuringError):
    """An endpoint cannot be reached, refuses a call, or keeps failing; `code` is its own word for why."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


class InputError(TuringError):
    """A raw file holds what its format does not allow; says where, what is allowed, and the fix."""

    def __init__(
        self,
        file: Path | str,
        problem: str,
        *,
        row: int | str | None = None,
        column: str | None = None,
        value: Any = None,
        allowed: Iterable[object] | None = None,
        fix: str | None = None,
    ) -> None:
        self.file, self.row, self.column, self.value = file, row, column, value
        self.problem, self.allowed, self.fix = problem, allowed, fix
        place = {"file": file, "row": row, "column": column}
        super().__init__(
            problem,
            **{name: show_on_one_line(at) for name, at in place.items() if at is not None},
            found=value if value is None else repr(value),
            allowed=allowed and ", ".join(map(show_on_one_line, allowed)),
            fix=fix,
        )


def word_error(said: Iterable[str], file: Path | str, /, **facts: Any) -> InputError:
    """Make an error in given words, a problem and its fix; what they leave open is filled in.

    Row, column, value and allowed are parts of the error.
    """
    problem, fix = (part.format(**facts) for part in said)
    parts = {part: facts[part] for part in ("row", "column", "value", "allowed") if part in facts}
    return InputError(file, problem, fix=fix, **parts)


FREE_MEMORY = (
    "free memory or run fewer steps at a time (--cores 1), then run the same command again; "
    "whatever was finished is kept"
)
KILLED = (
    "This step did not end: its process was killed, by someone or because memory ran out.\n"
    f"  fix:     {FREE_MEMORY}\n"
)
"""Content of a step's log until the step ends; it remains if the process is killed."""
FREE_SPACE = "free space, then run the same command again; whatever was finished is kept"
GET_PERMISSION = 'get permission, or write elsewhere: --config \'pathvars={"results": "<folder>"}\''
FAULTS = {
    errno.ENOSPC: ("the disk is full", FREE_SPACE),
    errno.EDQUOT: ("the quota of the disk is used up", FREE_SPACE),
    errno.EACCES: ("no permission", GET_PERMISSION),
    errno.EPERM: ("no permission", GET_PERMISSION),
    errno.EROFS: ("the disk is read-only", GET_PERMISSION),
    errno.EIO: ("the disk does not answer", "check the disk, then run the same command again"),
    errno.EMFILE: ("too many open files", "raise the limit with ulimit -n"),
}
"""Faults of a machine, by the number of the error: what happened, and its fix."""


class MachineError(TuringError):
    """The machine could not do what it was asked: no space, permission or memory."""


def describe_fault(error: OSError, path: Path | None = None) -> MachineError | None:
    """Describe a fault of the machine, with its file; None if it is none of `FAULTS`."""
    if error.errno not in FAULTS:
        return None
    problem, fix = FAULTS[error.errno]
    file = path or error.filename
    # What the system refuses may be no file, such as shared memory.
    return MachineError(problem, file=file, refused=None if file else error, fix=fix)


class Log(io.TextIOWrapper):
    """A log file in which control characters are shown, not obeyed by the terminal that prints it."""

    def write(self, text: str) -> int:
        """Write text."""
        return super().write(escape_controls(text))


@contextlib.contextmanager
def report_errors(log: Path | str) -> Iterator[None]:
    """Run a step; write what it prints, or why it failed, to its log, which is overwritten.

    A `TuringError` and a fault of the machine are written without a traceback. The exit code is 1 after any
    error, and 130 after an interruption.
    """
    path, code = Path(log), 0
    if pandas := sys.modules.get("pandas"):
        # Most tables are so small that texts in Arrow cost more time for each call than they save: a fifth of
        # the time of a step. No result changes.
        pandas.set_option("mode.string_storage", "python")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = Log(path.open("wb"), encoding="utf-8", errors="backslashreplace")
        with stream, contextlib.redirect_stdout(stream):
            stream.write(KILLED)
            stream.flush()
            try:
                yield
            except (Exception, KeyboardInterrupt) as error:
                code = write_error(error, stream)
        ended = path.read_text(encoding="utf-8").removeprefix(KILLED)
        path.write_text(ended, encoding="utf-8")
    except OSError as error:  # of the log itself
        sys.exit(f"{describe_fault(error, path) or error}")
    if code:
        sys.exit(code)


def write_error(error: BaseException, stream: Log) -> int:
    """Write why a step failed, and return the code to exit with."""
    if isinstance(error, KeyboardInterrupt):
        stream.write("Interrupted. Run the same command again; whatever was finished is kept.\n")
        return 130
    if isinstance(error, MemoryError):
        error = MachineError(f"memory ran out ({error})", fix=FREE_MEMORY)
    elif isinstance(error, OSError):
        error = describe_fault(error) or error
    if isinstance(error, TuringError):
        stream.write(f"{type(error).__name__}: {error}\n")
    else:
        traceback.print_exception(error, file=stream)
    return 1
