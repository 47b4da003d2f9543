"""Scan paths: lists of fixations [x, y] in pixels, as responses hold them."""

from typing import Any

from turingstats.core.errors import InputError
from turingstats.core.strict_json import parse_json

SCREEN = 1280, 1024
"""Width and height of the pictures that scan paths are on, in pixels."""
FARTHEST = 10_000
"""Pixels from the corner of the picture; people also look beside it."""


def is_fixation(value: list[int]) -> bool:
    """Tell whether a value is a pair [x, y] of numbers of pixels."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(part) in (int, float) and -FARTHEST <= part <= FARTHEST for part in value)
    )


def check_scan_path(path: Any) -> list[list[int]]:
    """Return a scan path, at least one fixation; a ValueError says what is wrong, and maybe the fix."""
    if not isinstance(path, list) or not path:
        raise ValueError("scan path is not a list of [x, y] pairs")
    for number, point in enumerate(path, start=1):
        if not is_fixation(point):
            problem = f"fixation {number} is not a pair [x, y] of numbers"
            raise ValueError(problem, f"at most {FARTHEST:,} pixels from the top left corner")
    return path


def parse_scan_path(text: str) -> list[list[int]]:
    """Parse the text of a scan path in JSON, such as [[640, 512], [300, 200]]."""
    try:
        return check_scan_path(parse_json(text, "the responses"))
    except (InputError, ValueError):
        problem = "scan path is not a list of [x, y] pairs"
        place = {"column": "response", "value": text[:60]}
        raise InputError("the responses", problem, **place) from None
