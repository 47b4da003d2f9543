"""Claims files: the published numbers, and which recomputed number answers each.

`data/published/<paper>/claims.csv` holds the published number, its location and precision, and where the
recomputed one is: `table` (a CSV of the study's statistics/), `rows` (selected by the values of its columns),
`column`, and `combine` (how several cells become one number). docs/claims.md describes every column.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.claims.query import COMBINATIONS, parse_selections
from turingstats.core.checked_csv import (
    Check,
    Checks,
    check_allowed,
    check_each,
    check_filled,
    check_unique,
    name_row,
    read_checked,
)
from turingstats.core.errors import InputError
from turingstats.core.labels import parse_decimal

CLAIM_COLUMNS = [
    "claim_id", "location", "task", "judge", "cohort", "group", "kind", "quantity", "test", "value",
    "relation", "decimals", "table", "rows", "column", "combine", "tolerance", "missing", "remark",
]  # fmt: skip
SAYS = ("says",)
"""Further column of a paper's claims: the claim as a sentence that can be read without the paper."""
NOTEBOOK_COLUMNS = ("unit", "notebook")
"""Further columns of a list of the notebooks' numbers: n or unit, and the file that prints the number."""
KINDS = ("result", "count", "protocol")
RELATIONS = ("=", "~", "<", ">", "<=", ">=")
NUMBERS = {"value": float, "decimals": int, "tolerance": float}
DOCS = "docs/claims.md"
ROWS_FIX = 'a row is "task=color, cohort=amt", several "task=color, cohort=amt; cohort=expert"'


def read_claims(
    path: Path | str,
    tasks: Collection[str],
    tables: Mapping[str, Collection[str]] | None = None,
    further: tuple[str, ...] = SAYS,
) -> pd.DataFrame:
    """Read and check a paper's claims.csv, or the numbers that its authors' notebooks print."""
    columns, key = [*CLAIM_COLUMNS, *further], "claim_id"
    checks, rules = make_checks(tasks, tables, further), make_rules(tables)
    claims = read_checked(path, columns, checks, rules, what="claims file", docs=DOCS, key=key)
    for line, claim in zip(claims.index, claims.to_dict("records"), strict=True):
        if claim["table"] and (fault := find_query_fault(claim, tables)):
            place = {"row": name_row(line, claim[key]), "value": claim[fault["column"]]}
            raise InputError(path, **place, **fault)
    return claims.replace("", np.nan).astype(NUMBERS).reset_index(drop=True)


def make_checks(
    tasks: Iterable[str],
    tables: Mapping[str, Collection[str]] | None,
    further: tuple[str, ...],
) -> Checks:
    """Make the checks of single columns; for the parameters see `read_claims`."""
    see = f"see {DOCS}"
    checks: dict[str, Check | list[Check]] = {
        "claim_id": [
            check_filled("a claim needs an id"),
            check_unique("this claim is listed twice", "give each claim its own id"),
        ],
        "location": check_filled("a claim needs a place in the paper"),
        "quantity": check_filled("a claim needs a quantity"),
        "task": check_allowed([*tasks, "all"], see),
        "kind": check_allowed(KINDS, see),
        "relation": check_allowed(RELATIONS, see),
        "value": check_each(
            lambda text: parse_decimal(text) is not None,
            "not a number",
            "write the printed number, a share as 0.55",
        ),
        "decimals": check_each(
            lambda text: re.fullmatch(r"\d+", text) is not None,
            "not a whole number of 0 or more",
            "count the printed decimals of the value (2 for 0.55 and for 55 %)",
        ),
        "tolerance": check_each(
            lambda text: (number := parse_decimal(text or "0")) is not None and number >= 0,
            "not a number of 0 or more",
            "leave it empty, or correct it",
        ),
    }
    if tables is not None:
        checks["table"] = check_allowed(
            sorted(tables),
            "name a CSV file of statistics/ that the target `statistics` makes",
            problem="no such results table",
            or_empty=True,
        )
    if "says" in further:
        checks["says"] = check_filled("a claim needs a sentence", f"say what is claimed; {see}")
    return checks


def make_rules(tables: Iterable[str] | None) -> Checks:
    """Make the checks of whole claims."""
    return {
        "value": Check(
            lambda claims: pd.Series(
                map(has_printed_decimals, claims["value"], claims["decimals"]), claims.index, bool
            ),
            "has more decimals than the column decimals says",
            "correct either column",
        ),
        "table": Check(
            lambda claims: (
                (claims["table"] != "") | (claims[["rows", "column", "combine"]] == "").all(axis=1)
            ),
            "a query needs a table",
            "name one, or empty rows, column and combine",
            tables,
        ),
        "remark": Check(
            lambda claims: (claims[["table", "missing", "remark"]] != "").any(axis=1),
            "a claim without a query needs the reason why",
            "name the missing file in `missing`, or the reason in `remark`",
        ),
    }


def has_printed_decimals(number: str, decimals: str) -> bool:
    """Check that the value of a claim has at most the declared number of decimals."""
    value = parse_decimal(number)
    if value is None or not re.fullmatch(r"\d+", decimals):
        return True  # reported for these columns
    return int(value.normalize().as_tuple().exponent) >= -int(decimals)


def find_query_fault(
    claim: dict[str, Any], tables: Mapping[str, Collection[str]] | None
) -> dict[str, Any]:
    """Find the first fault of a claim's query: column, problem, allowed values and fix; empty for none."""
    columns = None if tables is None else tables[claim["table"]]
    absent = {"problem": f"no such column in {claim['table']}", "allowed": columns}
    if columns is not None and claim["column"] not in columns:
        return absent | {"column": "column", "fix": "name one of these"}
    if claim["combine"] not in COMBINATIONS:
        fault = {"column": "combine", "problem": "not one of the allowed values"}
        return fault | {"allowed": COMBINATIONS, "fix": f"see {DOCS}"}
    problem = ""
    try:
        sides = parse_selections(claim["rows"])
    except ValueError as error:
        return {"column": "rows", "problem": str(error), "fix": ROWS_FIX}
    wanted, _ = COMBINATIONS[claim["combine"]]
    if (len(sides) == 2) != (claim["combine"] == "ratio"):
        problem = "a ratio, and nothing else, has two lists with a slash between them"
    elif wanted and len(sides[0]) != wanted:
        problem = f"{claim['combine']} takes {wanted} row(s), not {len(sides[0])}"
    elif columns is not None and not {*chain(*chain(*sides))} <= {*columns}:
        return absent | {"column": "rows", "fix": "select rows by these"}
    return {"column": "rows", "problem": problem, "fix": ROWS_FIX} if problem else {}
