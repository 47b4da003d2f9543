"""Cells of tables as text, and tables as pages of their own, with numbers aligned to the right."""

import re
from typing import NamedTuple

import pandas as pd

from turingstats.config.graded import ALL_DETECTORS
from turingstats.config.study import Study
from turingstats.core.labels import NOT_DEFINED, format_with_interval, use_minus_signs
from turingstats.core.templating import render_page

NUMBER = re.compile(
    r"[-+\N{MINUS SIGN}<>~]?\s*\d[\d,.]*(e[-+]?\d+)?%?(\s*[(\[\N{PLUS-MINUS SIGN}].*)?"
)
"""A number in a cell, with a range or an error behind it."""
EXPONENT = re.compile(r"(?<=\de)-(?=\d\d\b)")
"""The minus sign of a number such as 1.2e-05."""
DASH = "\N{EN DASH}"
"""Stands for a number that is not defined, which the CSV file says in words."""
EMPTY = ("", None, DASH, NOT_DEFINED)
"""Cells without a number, also in columns of numbers."""
LENGTHY = 80
"""Characters of a cell whose column is wide, so that no row is as high as a screen."""


class Filled(NamedTuple):
    """A table that is shown, with a title and a label of its data if these are its own."""

    frame: pd.DataFrame
    title: str = ""
    data: str = ""


def pivot_cells(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Arrange numbers with their intervals: a row for each of `keys`, a column for each `heading`."""
    rows = rows.dropna(subset="heading").drop_duplicates([*keys, "heading"])
    numbers = rows[["value", "ci_low", "ci_high"]].to_numpy(float)
    cells = rows.assign(cell=[format_with_interval(*each) for each in numbers])
    table = cells.pivot(index=keys, columns="heading", values="cell").fillna("")
    # Pivoting sorts rows and columns.
    order = pd.MultiIndex.from_frame(rows[keys].drop_duplicates())
    return table.loc[order, rows["heading"].unique()]


def label_judges(task: str, cohort: str, judge: str, study: Study) -> dict[str, str]:
    """Label who judged: the task, if there are several, and the cohort, with the name of a machine judge."""
    pooled = cohort == ALL_DETECTORS
    label = "Mean of all detectors" if pooled else study.tasks[task].cohorts[cohort].label
    labels = {"Task": study.tasks[task].label} if len(study.tasks) > 1 else {}
    return labels | {"Judges": f"{label}: {judge}" if judge else label}


def drop_empty_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Drop the columns that are empty in all rows, if there are any rows."""
    return table.loc[:, (table.fillna("") != "").any() | table.empty]


def is_numeric(cells: pd.Series) -> bool:
    """Tell whether every filled cell of a column begins with a number, so that it is aligned to the right."""
    filled = [str(cell) for cell in cells if cell == cell and cell not in EMPTY]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def format_cell(cell: object) -> str:
    """Format a cell for a page, whose lines never end behind the sign of a small p."""
    if cell == NOT_DEFINED:
        return DASH
    text = EXPONENT.sub("\N{MINUS SIGN}", use_minus_signs(str(cell)))
    return f"<\N{NO-BREAK SPACE}{text[2:]}" if text.startswith("< ") else text


def format_page(
    frame: pd.DataFrame, caption: str, numeric: list[bool], links: dict[str, str]
) -> str:
    """Format a table as a page of its own; `numeric` columns hold numbers, and `links` are the `name` of its
    files, the `picture` beside it, and the report (`home`), both of which may be empty.
    """
    texts = frame.astype(object).where(frame.notna(), "").map(format_cell)
    lengthy = [texts[name].str.len().max() >= LENGTHY for name in texts]
    columns = list(zip(frame.columns, numeric, lengthy, strict=True))
    title, _, about = caption.partition(". ")
    context = {"title": title, "about": about, "columns": columns, "rows": texts.to_numpy()}
    return render_page("table.html", context | links)
