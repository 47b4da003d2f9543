"""Values of a table that look the same: two spellings of one name are never two judges or two stimuli."""

import unicodedata
from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError

INVISIBLE = ("Cf", "Cc")
"""Classes of characters that are not seen, such as a zero-width space."""
SELECTORS = range(0xFE00, 0xFE10)


def show_plainly(text: str) -> str:
    """Reduce a text to what is seen of it: composed letters, single blanks, no invisible characters."""
    blanks = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(
        sign
        for sign in blanks
        if unicodedata.category(sign) not in INVISIBLE and ord(sign) not in SELECTORS
    ).strip()


def is_plain(text: str) -> bool:
    """Tell whether a text is its plain form for certain."""
    return text.isascii() and text.isprintable() and "  " not in text


def refuse_lookalikes(
    cells: pd.Series, column: str, path: str | Path, hidden: bool = False
) -> None:
    """Refuse different values of a column that look the same."""
    values = cells.dropna().unique()
    if all(map(is_plain, values)):
        return
    seen = {}
    for value in values:
        plain = show_plainly(value)
        other = seen.setdefault(plain, value)
        if other == value and (plain or not value):
            continue
        row = cells.index[cells == value][0]
        earlier = cells.index[cells == other][0]
        raise InputError(
            path,
            f"it looks the same as the value in row {earlier}, but its characters differ"
            if other != value
            else "a value of invisible characters only",
            row=row,
            column=column,
            value=None if hidden else ascii(value),
            fix="write both in the same way (blanks, invisible characters, composed accents)"
            if other != value
            else "empty the cell, or fill it in",
        )
