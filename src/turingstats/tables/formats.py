"""Tables as pages of their own, with numbers aligned to the right."""

import re

import pandas as pd

from turingstats.core.templating import render_page

NUMBER = re.compile(
    r"[-+\N{MINUS SIGN}<>~]?\s*\d[\d,.]*(e[-+]?\d+)?%?(\s*[(\[\N{PLUS-MINUS SIGN}].*)?"
)
"""A number in a cell, with a range or an error behind it."""
EMPTY = ("", None, "\N{EN DASH}")
"""Cells without a number, also in columns of numbers."""


def is_numeric(cells: pd.Series) -> bool:
    """Tell whether every filled cell of a column begins with a number, so that it is aligned to the right."""
    filled = [str(cell) for cell in cells if cell == cell and cell not in EMPTY]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def format_page(frame: pd.DataFrame, caption: str, numeric: list[bool], name: str) -> str:
    """Format a table as a page of its own, beside its files `name`; `numeric` columns hold numbers."""
    texts = frame.astype(object).where(frame.notna(), "").astype(str)
    # A line never ends behind the sign of a small p.
    texts = texts.replace("^< ", "<\N{NO-BREAK SPACE}", regex=True)
    columns = list(zip(frame.columns, numeric, strict=True))
    title, _, about = caption.partition(". ")
    context = {"title": title, "about": about, "name": name, "columns": columns}
    return render_page("table.html", context | {"rows": texts.to_numpy()})
