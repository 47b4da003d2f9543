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


def refuse_lookalikes(cells: pd.Series, column: str, path: str | Path) -> None:
    """Refuse different values of a column that look the same, and those that show nothing."""
    seen = {"": ""}
    for value in cells.dropna().unique():
        plain = value if is_plain(value) else show_plainly(value)
        other = seen.setdefault(plain, value)
        if other != value:
            earlier = cells.index[cells == other]
            raise InputError(
                path,
                f"it looks the same as the value in row {earlier[0]}, but its characters differ"
                if len(earlier)
                else "a value of invisible characters only",
                row=cells.index[cells == value][0],
                column=column,
                value=ascii(value),
                fix="write both in the same way (blanks, invisible characters, composed accents)",
            )
