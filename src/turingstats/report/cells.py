"""Numbers and names as the report shows them, from cells of result files."""

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from turingstats.core.labels import format_p, write_powers
from turingstats.figures.notes import fill_in, load_sentences


def make_label(name: str) -> str:
    """Name a numbered figure or table as in running text: Fig S10 for figS10; empty for others."""
    match = re.fullmatch(r"(fig|table)(S?\d+\w*)", name)
    return f"{match[1].capitalize()} {match[2]}" if match else ""


def label_judge(cohort: str, judge: str, labels: dict[str, str]) -> str:
    """Label a machine judge by its cohort, and its own name if it has one there."""
    return f"{labels[cohort]}, {judge}" if judge else labels[cohort]


def parse_number(text: str | None) -> float | None:
    """Return the number in a cell of a CSV file, or None."""
    return float(text) if text not in ("", None) else None


def format_percentage(text: str) -> str:
    """Format a share as a percentage; empty if there is none."""
    value = parse_number(text)
    return "" if value is None else f"{value:.0%}"


def shorten_number(text: str, digits: int = 4) -> str:
    """Shorten the number in a cell to some significant digits; other text stays as it is."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return text or ""
    is_whole = abs(value) < 1e15 and (value == int(value) or abs(value) >= 10 ** (digits - 1))
    return write_powers(f"{value:,.0f}" if is_whole else f"{value:.{digits}g}")


def shorten_p(text: str) -> str:
    """Shorten the p value in a cell, such as 0.012 or < 0.001."""
    return format_p(float(text)) if text else ""


def make_link(path: Path | str, here: Path) -> str:
    """Make a relative link from the folder of a page to a file, with special characters escaped."""
    return quote(Path(os.path.relpath(path, here)).as_posix())


def write_sentence(name: str, *facts: Any) -> str:
    """Write a sentence of the template of reports."""
    return fill_in(getattr(load_sentences("first_screen.txt"), name), *facts)
