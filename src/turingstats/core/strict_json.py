"""JSON that others wrote: parsed without losing or changing anything, or refused with the place of the fault.

The parser of the standard library keeps the last of two equal keys, accepts NaN, and reads 1e400 as infinity;
here all of these are errors, and so are half characters (lone surrogates), NUL, deep nesting and numbers of
thousands of digits.
"""

import json
import math
import re
from pathlib import Path

import pydantic_core

from turingstats.core.errors import InputError

RESTORE = "restore the file from its source"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
NUL = re.compile(r"\\u0000")
PLACE = re.compile(r" at line (\d+) column (\d+)$")
LEVELS = 3
"""Levels of a place that are named: enough for a record and its part."""


class RefusedError(ValueError):
    """A value that JSON can hold, and no file should."""


def read_json(path, fix=RESTORE):
    """Read a JSON file strictly; parameters and errors as in `parse_json`."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(path, "the raw file is missing", fix=fix) from None
    except OSError as error:
        raise InputError(path, f"the file cannot be read ({error.strerror})", fix=fix) from None
    return parse_json(content, path, fix=fix)


def parse_json(content, path, *, row=None, column=None, fix=RESTORE):
    """Parse JSON strictly; bytes are UTF-8 without a byte order mark.

    Errors: it is not JSON, not UTF-8, empty or cut short; an object has a key twice; a number is not
    finite or too long; text holds NUL or a lone surrogate; or it is nested too deep. `row` and `column`
    are its place, if the JSON is the cell of a table.
    """

    def refuse(problem, offset=None, place=None):
        where = list_path(content, offset) if offset is not None else []
        named = [part for part in (row, place or ".".join(where[:LEVELS])) if part]
        raise InputError(path, problem, row=", ".join(named) or None, column=column, fix=fix)

    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError as error:
            at = error.start
            content = content[:at].decode("utf-8")
            refuse(f"not valid JSON: not UTF-8 text (byte {at})", len(content))
    if content.startswith(BOM):
        refuse("not valid JSON: it begins with a byte order mark")
    if not content.strip():
        refuse("not valid JSON: it is empty; the file may be cut short")
    try:
        parsed = json.loads(
            content,
            object_pairs_hook=make_object,
            parse_constant=refuse_constant,
            parse_float=parse_finite,
        )
        # Half characters and deep nesting, which the standard library lets pass.
        pydantic_core.from_json(content, cache_strings="none")
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        refuse(f"not valid JSON ({error.msg}, {place}); the file may be cut short", error.pos)
    except RefusedError as error:
        where, offsets = find_repeated_key(content)
        if not where:
            refuse(f"not valid JSON: {error}", find_number(content))
        places = " and ".join(describe_offset(content, offset) for offset in offsets)
        refuse(f"the key {where[-1]!r} occurs twice, at {places}", place=".".join(where[:LEVELS]))
    except RecursionError:
        refuse("not valid JSON: nested too deep")
    except ValueError as error:
        if "digits" in str(error):
            refuse("not valid JSON: a number of thousands of digits", find_number(content))
        found = PLACE.search(str(error))
        offset = find_offset(content, *map(int, found.groups())) if found else None
        refuse(f"not valid JSON ({error})", offset)
    if NUL.search(content) and holds_nul(parsed):
        refuse("not valid JSON: text with a NUL character", NUL.search(content).start())
    return parsed


def make_object(pairs):
    """Make a dict of the keys and values of an object; refuse a key that occurs twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise RefusedError("a key occurs twice")
    return made


def refuse_constant(name):
    """Refuse NaN, Infinity and -Infinity, which are not JSON."""
    raise RefusedError(f"{name} is not a number")


def parse_finite(text):
    """Parse a number with a fraction or exponent; refuse one that is not finite."""
    number = float(text)
    if not math.isfinite(number):
        raise RefusedError(f"{text[:20]} is not a finite number")
    return number


def holds_nul(value):
    """Tell whether a text or key anywhere in a parsed value holds NUL."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and "\0" in value:
            return True
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
    return False


# --- the place of a fault --------------------------------------------------------------------------


class Level:
    """An object or list that a place is in: the keys of the object so far, and the current key or index."""

    def __init__(self, is_object):
        self.keys = {} if is_object else None
        self.at = "" if is_object else 0
        self.wants_key = is_object


def walk_keys(text, end=None):
    """Iterate over the tokens of JSON, valid or not: the open levels, and offsets of a repeated key.

    The offsets are those where the key was found first and again.
    """
    levels = []
    for token in TOKEN.finditer(text, 0, len(text) if end is None else end):
        mark, offsets = token[0], None
        if mark in "{[":
            levels.append(Level(mark == "{"))
        elif mark in "}]":
            del levels[-1:]
        elif levels and mark == ":":
            levels[-1].wants_key = False
        elif levels and mark == ",":
            if levels[-1].keys is None:
                levels[-1].at += 1
            else:
                levels[-1].wants_key = True
        elif levels and levels[-1].wants_key:
            level = levels[-1]
            # Two spellings of a key, such as "a" and "\u0061", are the same key.
            level.at = read_key(mark)
            first = level.keys.setdefault(level.at, token.start())
            offsets = None if first == token.start() else (first, token.start())
        yield levels, offsets


def read_key(mark):
    """Read a key as it is meant; a part of one as it stands."""
    try:
        return str(json.loads(mark))
    except ValueError:
        return mark.strip('"')


def name_levels(levels):
    """Name a place by the keys and indices that lead to it, such as Trial_7, trialData, rt."""
    return [str(level.at) if level.keys is not None else f"[{level.at}]" for level in levels]


def list_path(text, offset):
    """List the keys and indices that lead to an offset."""
    levels = []
    for levels, _ in walk_keys(text, offset):  # noqa: B007
        pass
    return [name for name in name_levels(levels) if name]


def find_repeated_key(text):
    """Find the first key that an object repeats: what leads to it, and both offsets; empty without one."""
    for levels, offsets in walk_keys(text):
        if offsets:
            return name_levels(levels), offsets
    return [], ()


def find_number(text):
    """Find the offset of the first NaN or number that is not finite; None if there is none."""
    for token in TOKEN.finditer(text):
        if token[0].lstrip("-")[:1] in "NI0123456789":
            try:
                finite = math.isfinite(float(token[0]))
            except ValueError:
                finite = True
            if not finite:
                return token.start()
    return None


def find_offset(text, line, column):
    """Find the offset of a line and column, both from 1."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    return min(starts[min(line, len(starts)) - 1] + column, len(text))


def describe_offset(text, offset):
    """Describe an offset by line and column, both from 1."""
    return f"line {text.count(chr(10), 0, offset) + 1}, column {offset - text.rfind(chr(10), 0, offset)}"
