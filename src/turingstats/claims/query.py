"""Queries of claims: the recomputed number that answers a claim, looked up in the results tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Comparison
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data.absence import describe_absent_file

COMBINATIONS: dict[str, tuple[int | None, Callable[[np.ndarray], float]]] = {
    "value": (1, lambda x: x[0]),
    "abs": (1, lambda x: abs(x[0])),
    "minus_abs": (1, lambda x: -abs(x[0])),
    "complement": (1, lambda x: 1 - x[0]),
    "difference": (2, lambda x: x[0] - x[1]),
    "sum": (None, np.sum),
    "mean": (None, np.mean),
    "min": (None, np.min),
    "max": (None, np.max),
    # Of the first among all, 1 for the largest; ties share the better rank.
    "rank": (None, lambda x: 1 + (x[1:] > x[0]).sum()),
    "ratio": (None, lambda x: x[0] / x[1]),
}
"""Ways to combine cells into one number: how many cells each takes (None: one or more), and how. A ratio is
that of the sums of two lists."""
ESTIMATED = ("task", "cohort", "group", "agent", "quantity")
"""Columns by which claims select an estimate, and by which figures find what they show."""

Selection = dict[str, str]
"""The value of each column that a row of a results table is selected by."""


def parse_selections(text: str) -> list[list[Selection]]:
    """Parse the rows that a claim refers to, in one list per side of a slash; ValueError if it names none.

    A row after the first names only the columns in which it differs from the first.
    """
    first: Selection = {}
    sides = []
    for side in text.split(" / "):
        rows = []
        for item in side.split("; "):
            row = {}
            for condition in item.split(", "):
                column, sign, value = condition.partition("=")
                if not (sign and column.strip()):
                    raise ValueError(f"{condition!r} is not a column and its value")
                row[column.strip()] = value.strip()
            first = first or row
            rows.append(first | row)
        sides.append(rows)
    if len(sides) > 2:
        raise ValueError("more than one slash")
    return sides


def format_selection(selection: Selection) -> str:
    """Format a selection as claims write it."""
    return ", ".join(f"{column}={value}" for column, value in selection.items())


class ResultTables:
    """The results tables of a study, in which claims select rows by the values of columns.

    A table without a column `reading` holds the same numbers for both readings.
    """

    def __init__(self, tables: dict[str, pd.DataFrame]) -> None:
        self.tables = tables
        # Of tables that are asked for: cells by column, and numbers of rows by what claims select them by.
        self._cells: dict[str, dict[str, list[Any]]] = {}
        self._indexes: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def find_row(self, table: str, reading: str, selection: Selection) -> dict[str, Any] | None:
        """Find the one row of a table and reading that a claim selects; None if it is not in this run."""
        if table not in self._cells:
            columns = self.tables[table].items()
            self._cells[table] = {str(name): column.to_list() for name, column in columns}
        cells = self._cells[table]
        index = self._indexes.get((table, *selection))
        if index is None:
            index = self._indexes[table, *selection] = index_rows(cells, list(selection))
        numbers = index.get((reading, *selection.values()), [])
        rows = [{name: column[at] for name, column in cells.items()} for at in numbers]
        if len(rows) > 1:
            differing = [c for c in rows[0] if len({str(row[c]) for row in rows}) > 1]
            raise InputError(
                f"statistics/{table}.csv",
                f"several rows answer one claim in the {reading} reading",
                row=format_selection(selection),
                column=", ".join(differing),
                fix="let the claim name one of these columns, too",
            )
        return rows[0] if rows else None


def index_rows(cells: dict[str, list[Any]], columns: list[str]) -> dict[tuple[str, ...], list[int]]:
    """Index the rows of a table by reading and the text of some columns."""
    index: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(next(iter(cells.values()), []))):
        texts = [format_cell(cells[column][at]) for column in columns]
        for reading in [cells["reading"][at]] if "reading" in cells else READINGS:
            index.setdefault((reading, *texts), []).append(at)
    return index


def format_cell(value: Any) -> str:
    """Format a cell of a results table as text; of a number, six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class LookupResult:
    """A recomputed number: nan with the reason in `why`, or a number with its exact form in `exact`."""

    value: float = np.nan
    exact: str = ""
    why: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)
    """The rows that answer the claim, where they are in the table."""
    absent: list[Selection] = field(default_factory=list)
    """The rows that are not in the table, or have no number."""

    @property
    def statistic(self) -> str:
        """Name of the statistic, where the table has it."""
        name = self.rows[0].get("statistic_name") if self.rows else None
        return name if isinstance(name, str) else ""


def look_up_claim(claim: dict[str, Any], results: ResultTables, reading: str) -> LookupResult:
    """Look up the recomputed number of a claim in one reading."""
    if not claim["table"]:
        return LookupResult()
    cells: list[list[float]] = []
    rows, absent, reasons = [], [], []
    for side in parse_selections(claim["rows"]):
        cells.append([])
        for selection in side:
            row = results.find_row(claim["table"], reading, selection)
            if row is not None:
                rows.append(row)
            if row is not None and pd.notna(row[claim["column"]]):
                cells[-1].append(float(row[claim["column"]]))
                continue
            absent.append(selection)
            words = format_selection(selection)
            if row is None:
                reason = f"not in this run ({claim['table']}: {words})"
            elif not isinstance(reason := row.get("dropped"), str):
                reason = f"no value in {words}"
            reasons.append(reason)
    if absent:
        why = reasons[0]
        if claim["combine"] == "sum" and cells[0]:
            why += f"; the other terms add up to {sum(cells[0]):,.6g}"
        return LookupResult(why=why, rows=rows, absent=absent)
    value, exact = combine_cells(claim["combine"], *map(np.array, cells))
    first = rows[0]
    if claim["combine"] == "value" and claim["column"] == "value" and pd.notna(first.get("k")):
        exact = f"{first['k']:.0f}/{first['n']:.0f}"
    all_digits = repr(float(value)) if np.isfinite(value) else ""
    return LookupResult(value, exact or all_digits, rows=rows)


def combine_cells(
    combine: str, values: np.ndarray, below: np.ndarray | None = None
) -> tuple[float, str]:
    """Combine several cells into one number, and say how it was computed, if that is not obvious."""
    exact = ""
    if combine == "ratio":
        values = np.array([values.sum(), below.sum()])
        exact = f"{values[0]:g}/{values[1]:g}"
    elif combine == "difference":
        exact = f"{values[0]:.4f} - {values[1]:.4f}"
    elif combine == "rank":
        exact = ", ".join(f"{value:.4g}" for value in values)
    return float(COMBINATIONS[combine][1](values)), exact


def list_absent_files(
    claim: dict[str, Any],
    absent: list[Selection],
    missing: list[dict[str, str | None]],
    comparisons: list[Comparison],
    pools: dict[str, dict[str, Sequence[str]]],
) -> list[str]:
    """List the raw files that rows of a claim without a number need and the source lacks, with the reasons.

    Rows of a cohort need its files, those of a pooled cohort the files of its parts, and rows of no cohort
    the responses of their task. Which cohorts a test compares, its declaration says. Of several terms,
    the one that needs a file is named.
    """
    needed: set[tuple[str | None, str | None]] = set()
    for row in absent:
        if "test_id" in row:
            asked = [c for c in comparisons if f"{row['test_id']}.".startswith(f"{c.id}.")]
            # The comparison of a test is the one with the longest id that the test's id starts with.
            longest = max((len(c.id) for c in asked), default=0)
            asked = [c for c in asked if len(c.id) == longest]
            # A test of answers, such as how much people agree, does not compare cohorts of judges.
            needed |= {(c.task, cohort) for c in asked for cohort in c.cohorts or (None,)}
        else:
            cohort = row.get("cohort")
            needed.add((row.get("task"), None if cohort == "responses" else cohort))
    needed |= {
        (task, part) for task, cohort in needed for part in pools.get(task, {}).get(cohort, ())
    }
    lacking = {}
    for row in missing:
        if (row["task"], row["cohort"]) in needed:
            term = (
                f"{row['task']}, {row['cohort'] or 'responses'}: " if "; " in claim["rows"] else ""
            )
            lacking[term + describe_absent_file(row)] = None
    return list(lacking)
