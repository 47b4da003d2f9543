"""Scan paths: lists of fixations [x, y] in pixels, as responses hold them."""

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


def parse_scan_path(text: str) -> list[list[int]]:
    """Parse the text of a scan path, at least one fixation in JSON, such as [[640, 512], [300, 200]]."""
    try:
        fixations = parse_json(text, "the responses")
    except InputError:
        fixations = None
    if not isinstance(fixations, list) or not fixations or not all(map(is_fixation, fixations)):
        problem = "scan path is not a list of [x, y] pairs"
        raise InputError("the responses", problem, column="response", value=text[:60])
    return fixations
