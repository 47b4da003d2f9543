"""JSON that others wrote: read as it is, or refused with the place of the fault.

The parser of the standard library keeps the last of two equal keys, and accepts NaN, 1e400 and text that no
file can hold.
"""

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from turingstats.core.errors import InputError

RESTORE = "restore the file from its source"
UNUSABLE = re.compile("[\0\ud800-\udfff]")
"""NUL and lone surrogates, which a file of text cannot hold."""
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class Flaw(str):
    """What is wrong with a value, in its place."""


def read_json(path: Path | str, fix: str = RESTORE) -> Any:
    """Read a JSON file strictly."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(path, "the raw file is missing", fix=fix) from None
    except OSError as error:
        raise InputError(path, f"the file cannot be read ({error.strerror})", fix=fix) from None
    return parse_json(content, path, fix=fix)


def parse_json(
    content: bytes | str,
    path: Path | str,
    *,
    row: str | None = None,
    column: str | None = None,
    fix: str = RESTORE,
) -> Any:
    """Parse JSON strictly; `path`, `row` and `column` say in errors where it is from."""
    flaws: list[Flaw] = []

    def refuse(problem: str, place: str = "") -> NoReturn:
        where = ", ".join(filter(None, [row, place])) or None
        raise InputError(path, problem, row=where, column=column, fix=fix)

    def note_flaw(problem: str) -> Flaw:
        flaws.append(Flaw(problem))
        return flaws[-1]

    def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for key in made if keys.count(key) > 1)
            made[repeated] = note_flaw("this key occurs twice")
        return made

    def parse_float(text: str) -> float | Flaw:
        number = float(text)
        return number if math.isfinite(number) else note_flaw(f"{text[:20]} is not a finite number")

    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        parsed = json.loads(
            text, object_pairs_hook=make_object, parse_constant=parse_float, parse_float=parse_float
        )
    except UnicodeDecodeError as error:
        refuse(f"not UTF-8 text (byte {error.start})")
    except RecursionError:
        refuse("not valid JSON: nested too deep")
    except ValueError as error:
        refuse(f"not valid JSON ({error}); the file may be cut short")
    if flaws or ESCAPED.search(text):
        place, problem = find_flaw(parsed)
        if problem:
            refuse(problem, place)
    return parsed


def find_flaw(value: Any, place: str = "") -> tuple[str, str]:
    """Find the first flaw in a parsed value, and the keys that lead to it; both empty without one."""
    if isinstance(value, Flaw):
        return place, value
    if isinstance(value, str) and UNUSABLE.search(value):
        return place, "text with NUL or a lone surrogate"
    parts: Any = enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        parts = value.items()
    for key, part in parts:
        if UNUSABLE.search(str(key)):
            return place, "a key with NUL or a lone surrogate"
        flaw = find_flaw(part, f"{place}.{key}" if place else str(key))
        if flaw[1]:
            return flaw
    return "", ""
