"""What cells mean, whatever the table, the column and the design: nothing, numbers, yes and no.

Everything that reads a table of others asks here. A cell is emptied only if no one said what it means.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.core.errors import InputError
from turingstats.core.yaml_models import read_mapping
from turingstats.data.distinct_values import change_values
from turingstats.data.notes import describe
from turingstats.data.schema import normalize_spelling

MEANINGS = read_mapping(Path(__file__).with_suffix(".yaml"))
NOTHING, NO_NAMES, CODES = (
    set(MEANINGS[name].split()) for name in ("nothing", "no_names", "codes")
)
NAMED = tuple(MEANINGS["named"].split())
LOW = -9
NO_ANSWER, SCALES = MEANINGS["no_answer"], [tuple(ends) for ends in MEANINGS["scales"]]
YES_NO = {word: meaning for meaning in ("yes", "no") for word in MEANINGS[meaning].split()}

DIGITS = r"\d+(?:[ '\u2019\u00a0\u202f]\d{3})*"
NUMBER = re.compile(rf"[+-]?(?:{DIGITS})?(?:[.,]\d+)*(?:e[+-]?\d+)?", re.IGNORECASE)
GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+") for mark in ",."}
"""Whole numbers whose thousands a comma or a point may separate."""


# --- nothing ----------------------------------------------------------------------------------------


def empty_nothing(
    cells: pd.Series,
    column: str,
    notes: list[dict[str, Any]],
    kept: Collection[str] = (),
    names: bool = False,
) -> pd.Series:
    """Empty the cells with a word or a code for nothing, with a note; words that are `kept` mean something.

    `kept` are spelled as by `normalize_spelling`; with `names`, "none" and "unknown" are nothing, too.
    """
    cells = cells.astype("category")
    words = {value: normalize_spelling(value) for value in cells.cat.categories}
    known = NOTHING | NO_NAMES if names else NOTHING
    nothing = {value for value, word in words.items() if word in known}
    codes = {value for value, word in words.items() if word.removesuffix(".0") in CODES}
    if codes:
        others = pd.to_numeric(pd.Series([*words.keys() - codes], dtype=object), "coerce")
        nothing |= codes if not (others <= LOW).any() else set()
    nothing = {value for value in nothing if words[value] not in kept}
    if not nothing:
        return cells
    emptied = cells[cells.isin(nothing)]
    if len(emptied):
        places = [f"row {row}: {cell}" for row, cell in emptied.items()]
        check = f"{column}: words or codes for nothing"
        notes.append(describe("note", check, places, len(cells), "read as empty"))
    return change_values(cells, lambda value: "" if value in nothing else value)


# --- numbers ----------------------------------------------------------------------------------------


def write_plainly(cells: pd.Series, path: Any, column: str, whole: bool = False) -> pd.Series:
    """Write the numbers of a column with a decimal point and without separators; other cells stay.

    A comma is decimal, or separates thousands (as may a point of `whole` numbers), whichever all cells of the
    column allow; if both fit, the one that is nearer to the other numbers. If commas and points are both
    decimals, an `InputError` says so.
    """
    texts = {text: clean_number(text) for text in cells.cat.categories}
    mark = find_decimal_mark([*texts.values()], whole, cells, path, column)
    plain = {}
    for text, cleaned in texts.items():
        number = read_number(cleaned, mark)
        if number == number and (mark == "," or "," in text or cleaned != text):
            plain[text] = f"{number:.15g}"
    return change_values(cells, lambda text: plain.get(text, text)) if plain else cells


def clean_number(text: str) -> str:
    """Remove quotes around a number, and blanks and apostrophes between its thousands."""
    text = text.strip().strip("\"'").strip()
    return re.sub(r"(?<=\d)[ '\u2019\u00a0\u202f](?=\d{3}(\D|$))", "", text)


def read_number(text: str, mark: str) -> float:
    """Read a number with this decimal mark; not a number if it is none. Infinite ones are none."""
    if not NUMBER.fullmatch(text) or not any(map(str.isdigit, text)):
        return np.nan
    plain = text.replace("," if mark == "." else ".", "").replace(",", ".")
    try:
        number = float(plain)
    except ValueError:
        return np.nan
    return number if np.isfinite(number) else np.nan


def find_decimal_mark(
    texts: list[str], whole: bool, cells: pd.Series, path: Any, column: str
) -> str:
    """Find the decimal mark of the numbers of a column, a point or a comma."""
    marked = {mark: [t for t in texts if NUMBER.fullmatch(t) and mark in t] for mark in ",."}
    for mark, decimal_mark in (",.", ".,"):
        if any(text.count(mark) > 1 for text in marked[mark]):
            return decimal_mark
    both = [text for text in marked[","] if "." in text]
    if both:
        return max(",.", key=both[0].rfind)
    decimal = {
        mark: [text for text in numbers if not GROUPED[mark].fullmatch(text)]
        for mark, numbers in marked.items()
    }
    if decimal[","] and decimal["."]:
        text = decimal["."][0]
        at = cells.index[cells.astype(str).map(clean_number) == text][0]
        raise InputError(
            path,
            "numbers with commas and numbers with points in one column: which are decimals is not clear",
            row=at,
            column=column,
            value=text,
            fix=f"write all of them like {decimal[','][0]!r}, without separators of thousands",
        )
    if decimal[","] or decimal["."]:
        return "," if decimal[","] else "."
    if marked[","]:
        return "." if whole else choose_nearer(texts, marked[","], ",")
    return choose_nearer(texts, marked["."], ".") if whole and marked["."] else "."


def choose_nearer(texts: list[str], grouped: list[str], mark: str) -> str:
    """Choose whether a mark is decimal or separates thousands: what is nearer to the numbers without it.

    Without any, it is decimal. Returns the decimal mark.
    """
    plain = [abs(read_number(text, ".")) for text in texts if text not in grouped]
    plain = [number for number in plain if number > 0]
    point_or_comma = "," if mark == "." else "."
    if not plain:
        return mark
    usual = np.log(np.median(plain))
    readings = {
        sign: np.median([abs(np.log(abs(read_number(text, sign))) - usual) for text in grouped])
        for sign in (mark, point_or_comma)
    }
    return min(readings, key=lambda sign: float(readings[sign]))


def find_scale(numbers: Iterable[float]) -> tuple[float, float]:
    """Find the scale of numbers: the first common one that contains all, or else from lowest to highest."""
    numbers = [*numbers]
    low, high = min(numbers), max(numbers)
    whole = all(number % 1 == 0 for number in numbers)
    fitting = [ends for ends in SCALES if ends[0] <= low and high <= ends[1]]
    return next((ends for ends in fitting if whole or ends[1] in (1, 100)), (low, high))


def find_no_answers(numbers: Iterable[float]) -> list[float]:
    """Find codes for no answer among the ratings of a scale: numbers that it cannot have."""
    distinct = {number for number in numbers if number == number}
    others = distinct - {*map(float, NO_ANSWER)}
    if len(others) < 2:
        others = distinct - {max(distinct, key=abs, default=0)}
    if len(others) < 2 or min(others) < 0:
        return []
    low, high = find_scale(others)
    # 9 after 7 may be a point that few chose.
    apart = [code for code in distinct - others if code > 2 * high or code < min(low, 0)]
    # -1 beside 0 and 1 may be the lower of three points.
    return [] if apart == [-1] and others == {0, 1} else sorted(apart)


def describe_codes(column: str, codes: list[float], numbers: pd.Series) -> str:
    """Describe which numbers of a column are taken for no answer, and how to say otherwise."""
    listed = ", ".join(f"{code:g} ({int((numbers == code).sum())})" for code in codes)
    return (
        f"{column}: {listed} taken for no answer, since the scale of the others does not hold it; if it is "
        f"an answer, say so: values=\"{{{column}: {{'{codes[0]:g}': '{codes[0]:g}'}}}}\""
    )
