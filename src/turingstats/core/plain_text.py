"""Texts of unknown origin, made harmless for terminals, logs and pages, and for spreadsheets."""

import re
import unicodedata
from typing import Any

CONTROLS = re.compile(
    # Control characters but tab and line end, among them those that color or clear a terminal.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    # Signs that reverse the direction of the text after them, and other line ends.
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    # Byte-order marks, halves of characters, and letters that cannot be seen.
    "\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
FORMULA = re.compile(r"'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20](?=.)", re.DOTALL)
"""How a text begins that a spreadsheet takes for a formula, also after apostrophes; a single sign is none."""
NUMBERS = re.compile(
    r"(?:[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?|to|[\s()\[\],;\N{EN DASH}])+", re.IGNORECASE
)
"""Numbers, as in "-0.08 to +0.04" or "-0.13 (-0.20 to -0.06)"."""


def escape_controls(text: str) -> str:
    r"""Show the control characters of a text, such as \x1b; line ends and tabs stay."""
    return CONTROLS.sub(lambda match: _show_code(ord(match.group())), text)


def show_on_one_line(value: Any) -> str:
    r"""Show a value on one line: line ends as \n, tabs as \t, other control characters as \x1b."""
    return escape_controls(str(value)).replace("\n", "\\n").replace("\t", "\\t")


def _show_code(number: int) -> str:
    """Show the code of a character as Python would."""
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def show_plainly(text: str) -> str:
    """Reduce a text to what is seen of it: composed letters, single blanks, no invisible characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    blanks = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(sign for sign in blanks if not is_invisible(sign)).strip()


def is_invisible(sign: str) -> bool:
    """Tell whether a character is not seen, such as a zero-width space or a variation selector."""
    return unicodedata.category(sign) in ("Cf", "Cc") or 0xFE00 <= ord(sign) < 0xFE10


def guard_cell(text: str) -> str:
    """Put an apostrophe before a text, except a number, that a spreadsheet would take for a formula."""
    return f"'{text}" if FORMULA.match(text) and not NUMBERS.fullmatch(text) else text


def unguard_cell(text: str) -> str:
    """Remove the apostrophe that `guard_cell` put before a text."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text
