"""Queries of claims: the recomputed number that answers a claim, looked up in the results tables."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Comparison
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data.absence import describe_absent_file

COMBINATIONS = {
    "value": 1,
    "abs": 1,
    "minus_abs": 1,
    "complement": 1,
    "difference": 2,
    "ratio": None,
    "sum": None,
    "mean": None,
    "min": None,
    "max": None,
    "rank": None,
}
"""Ways to combine cells into one number, and how many cells each takes (None: one or more)."""
ROW = re.compile(r"(?P<name>[^\[\]]+?)(?:\[(?P<where>[^\[\]]+)\])?")


def parse_ids(ids: str) -> tuple[list[tuple[str, dict[str, str]]], ...]:
    """Parse the cell `ids` of a query: one list of rows per side of the slash, each (key, {column: value}).

    The cell is such as ``a; b``, for a ratio ``a; b / c; d``; ``a[term=age, scale=logit]`` selects one of
    several lines that share the key ``a``. A text that does not specify rows raises ValueError.
    """
    sides = []
    for side in ids.split(" / "):
        rows = []
        for item in side.split("; "):
            match = ROW.fullmatch(item.strip())
            pairs = (
                [pair.partition("=") for pair in (match["where"] or "").split(", ") if pair]
                if match
                else []
            )
            if match is None or not all(sign and column for column, sign, _ in pairs):
                raise ValueError(f"{item!r} names no row")
            rows.append((match["name"].strip(), {column: value for column, _, value in pairs}))
        sides.append(rows)
    if len(sides) > 2:
        raise ValueError("more than one slash")
    return tuple(sides)


class ResultTables:
    """The results tables of a study, each indexed by its key, the first column whose name ends in ``_id``.

    A table without a column ``reading`` holds the same numbers for both readings.
    """

    def __init__(self, tables: dict[str, pd.DataFrame]) -> None:
        self.columns = {name: list(table.columns) for name, table in tables.items()}
        self.keys = {name: find_key_column(name, table) for name, table in tables.items()}
        # Rows as lists, by table, reading and key, because thousands of them are looked up.
        self.rows = {}
        for name, table in tables.items():
            at, reading_at = self.columns[name].index(self.keys[name]), None
            if "reading" in table:
                reading_at = self.columns[name].index("reading")
            for row in table.astype(object).to_numpy():
                for reading in READINGS if reading_at is None else [row[reading_at]]:
                    self.rows.setdefault((name, reading, row[at]), []).append(row)

    def find_lines(self, table: str, reading: str, key: str) -> list[dict[str, Any]]:
        """Return all lines of a table with a key, as dictionaries."""
        rows = self.rows.get((table, reading, key), [])
        return [dict(zip(self.columns[table], row, strict=True)) for row in rows]

    def find_line(
        self, table: str, reading: str, key: str, where: dict[str, str]
    ) -> dict[str, Any] | None:
        """Return the one line of a table with a key that meets the conditions, or None."""
        for column in where:
            if column not in self.columns[table]:
                raise InputError(
                    f"statistics/{table}.csv",
                    "a claim selects lines by a column that does not exist",
                    row=key,
                    column=column,
                    allowed=self.columns[table],
                    fix="correct the ids of the claim",
                )
        lines = [
            line
            for line in self.find_lines(table, reading, key)
            if all(str(line[column]) == value for column, value in where.items())
        ]
        if len(lines) > 1:
            telling = [c for c in self.columns[table] if len({str(line[c]) for line in lines}) > 1]
            raise InputError(
                f"statistics/{table}.csv",
                f"several lines answer one claim in the {reading} reading",
                row=key,
                fix="select one in the ids of the claim, such as "
                f"{key}[{telling[0] if telling else 'column'}=...]",
            )
        return lines[0] if lines else None


def find_key_column(name: str, table: pd.DataFrame) -> str:
    """Find the key column of a results table: the first whose name ends in ``_id``."""
    for column in table.columns:
        if column.endswith("_id"):
            return column
    raise InputError(
        f"statistics/{name}.csv",
        "the table has no key that a claim could name",
        column="the first one whose name ends in _id",
        value=list(table.columns),
        fix="give the table such a column, with one value per line",
    )


@dataclass(frozen=True)
class LookupResult:
    """A recomputed number: nan with the reason in `why`, or a number with its exact form in `exact`."""

    value: float = np.nan
    exact: str = ""
    why: str = ""
    statistic: str = ""
    """Name of the statistic, where the table has it."""


def look_up_claim(claim: dict[str, Any], results: ResultTables, reading: str) -> LookupResult:
    """Look up the recomputed number of a claim in one reading."""
    if not claim["table"]:
        return LookupResult()
    sides = []
    for side in parse_ids(claim["ids"]):
        lines = []
        for key, where in side:
            line = results.find_line(claim["table"], reading, key, where)
            if line is None:
                return LookupResult(why=f"not in this run ({claim['table']}: {key})")
            if pd.isna(line[claim["column"]]):
                reason = line.get("dropped")
                why = reason if isinstance(reason, str) else f"no value in {key}"
                return LookupResult(why=why)
            lines.append(line)
        sides.append(lines)
    lines = sides[0]
    first = lines[0]
    cells = [np.array([float(line[claim["column"]]) for line in side]) for side in sides]
    value, exact = combine_cells(claim["combine"], *cells)
    if claim["combine"] == "value" and claim["column"] == "value" and pd.notna(first.get("k")):
        exact = f"{first['k']:.0f}/{first['n']:.0f}"
    name = first.get("statistic_name")
    return LookupResult(
        value, exact or show_all_digits(value), statistic=name if isinstance(name, str) else ""
    )


def combine_cells(
    combine: str, values: np.ndarray, below: np.ndarray | None = None
) -> tuple[float, str]:
    """Combine several cells into one number, and say how it was computed, if that is not obvious."""
    if combine == "ratio":
        return values.sum() / below.sum(), f"{values.sum():g}/{below.sum():g}"
    if combine == "difference":
        return values[0] - values[1], f"{values[0]:.4f} - {values[1]:.4f}"
    if combine == "rank":
        # Rank of the first among all, 1 for the largest; ties share the better rank.
        return float(1 + (values[1:] > values[0]).sum()), ", ".join(f"{v:.4g}" for v in values)
    simple: dict[str, Callable[[np.ndarray], float]] = {
        "value": lambda v: v[0],
        "abs": lambda v: abs(v[0]),
        "minus_abs": lambda v: -abs(v[0]),
        "complement": lambda v: 1 - v[0],
        "sum": np.sum,
        "mean": np.mean,
        "min": np.min,
        "max": np.max,
    }
    return float(simple[combine](values)), ""


def list_absent_files(
    claim: dict[str, Any],
    absent: list[dict[str, str | None]],
    comparisons: list[Comparison],
    pools: dict[str, dict[str, Sequence[str]]],
) -> list[str]:
    """List the public raw files that a claim needs and the source lacks, each with the reason.

    The tests say which cohorts they compare; the key of every other table begins with task and
    cohort. A pooled cohort needs the files of its parts.
    """
    if not claim["table"]:
        return []
    needed = set()
    for side in parse_ids(claim["ids"]):
        for name, _ in side:
            if claim["table"] == "tests":
                asked = [c for c in comparisons if f"{name}.".startswith(f"{c.id}.")]
                # A test of answers, such as how much people agree, does not compare cohorts of judges.
                needed |= {(c.task, cohort) for c in asked for cohort in c.cohorts or (None,)}
            else:
                task, _, rest = name.partition(".")
                cohort = rest.partition(".")[0]
                of_responses = claim["table"] == "texts" or cohort == "responses"
                needed.add((task, None if of_responses else cohort))
    needed |= {
        (task, part) for task, cohort in needed for part in pools.get(task, {}).get(cohort, ())
    }
    lacking = (row for row in absent if (row["task"], row["cohort"]) in needed)
    return list(dict.fromkeys(map(describe_absent_file, lacking)))


def show_all_digits(value: float) -> str:
    """Write out all digits of a computed number."""
    return repr(float(value)) if np.isfinite(value) else ""
