"""JSON that others wrote: read as it is, or refused.

The parser of the standard library keeps the last of two equal keys, and accepts NaN and 1e400.
"""

import json
import math
from pathlib import Path
from typing import Any

from turingstats.core.errors import InputError

RESTORE = "restore the file from its source"


def read_json(path: Path | str) -> Any:
    """Read a JSON file strictly."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(path, "the raw file is missing", fix=RESTORE) from None
    except OSError as error:
        raise InputError(path, f"the file cannot be read ({error.strerror})", fix=RESTORE) from None
    return parse_json(content, path)


def parse_json(
    content: bytes | str,
    path: Path | str,
    *,
    row: str | None = None,
    column: str | None = None,
    fix: str = RESTORE,
) -> Any:
    """Parse JSON strictly; `path`, `row` and `column` say in errors where it is from."""
    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        return json.loads(
            text,
            object_pairs_hook=make_object,
            parse_constant=parse_number,
            parse_float=parse_number,
        )
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text (byte {error.start})"
    except RecursionError:
        problem = "not valid JSON: nested too deep"
    except json.JSONDecodeError as error:
        problem = f"not valid JSON ({error}); the file may be cut short"
    except ValueError as error:
        problem = str(error)
    raise InputError(path, problem, row=row, column=column, fix=fix)


def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, unless a key is repeated."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {repeated} occurs twice")
    return dict(pairs)


def parse_number(text: str) -> float:
    """Parse a number, unless it is not finite."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a finite number")
    return number
