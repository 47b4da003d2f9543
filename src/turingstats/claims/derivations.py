"""Numbers that follow from others, and reasons that the run tests: `data/published/<paper>/derivations.csv`.

A derivation is an expression over computed numbers (``sizes("color.amt.all.n_judges")``: a table of
statistics/, its id and, after a comma, a column) and printed ones (``printed("z25.tS3.word.pMM")``).

- A `route` gives a number whose own data are absent. If it gives the printed one, the claim `adds up`.
- A `reason` says why a number differs. It is a condition, tested in every run; one that is no longer true,
  or cannot be tested, is not given as a reason.

In the sentence `says`, expressions stand in double braces.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment
from scipy.special import chdtrc, ndtr

from turingstats.claims.ledger import format_like_claim, holds_for
from turingstats.claims.query import ResultTables
from turingstats.core.checked_csv import (
    Check,
    check_allowed,
    check_filled,
    check_unique,
    read_checked,
)
from turingstats.core.claim_statuses import ADDS_UP, NO_DATA
from turingstats.core.files import list_rows

DERIVATION_COLUMNS = ["claim_id", "kind", "expression", "says"]
ROUTE, REASON = KINDS = ("route", "reason")
APPLIES_TO = {ROUTE: NO_DATA, REASON: "differs"}
"""Status of the claims that each kind of derivation is for."""
FAULTS = (LookupError, TypeError, ValueError, ZeroDivisionError, TemplateError)
"""What goes wrong in an expression whose numbers are not in a run."""


def read_derivations(path: Path, claims: pd.Series) -> pd.DataFrame:
    """Read and check the derivations of a paper's claims; a paper may have none."""
    if not path.exists():
        return pd.DataFrame(columns=DERIVATION_COLUMNS)
    checks: dict[str, Check | Sequence[Check]] = {
        "claim_id": [
            check_unique("this claim has two derivations", "keep one"),
            check_allowed(list(claims), "name a claim of this paper", "no such claim"),
        ],
        "kind": check_allowed(KINDS, "see docs/claims.md"),
        "expression": check_filled("a derivation needs an expression"),
        "says": check_filled("a derivation needs a sentence"),
    }
    what, docs = "file of derivations", "docs/claims.md"
    return read_checked(path, DERIVATION_COLUMNS, checks, what=what, docs=docs, key="claim_id")


def apply_derivations(
    ledger: pd.DataFrame,
    derivations: pd.DataFrame,
    results: ResultTables,
    printed: pd.DataFrame,
) -> pd.DataFrame:
    """Replace the status of claims that add up, and give the reasons that hold.

    `printed` has the columns claim_id and value of all claims and of what notebooks print.
    """
    numbers = make_numbers(results, printed)
    declared = {row["claim_id"]: row for row in list_rows(derivations)}
    rows = [derive(row, declared.get(row["claim_id"]), numbers) for row in list_rows(ledger)]
    return pd.DataFrame(rows, columns=ledger.columns)


def derive(
    row: dict[str, Any],
    derivation: dict[str, str] | None,
    numbers: dict[str, Callable[..., float]],
) -> dict[str, Any]:
    """Apply a derivation to a row of the ledger, if it has one for its status."""
    if derivation is None or row["status"] != APPLIES_TO[derivation["kind"]]:
        return row
    decimals = max(0, -row["published"].as_tuple().exponent)
    claim = {"value": row["published"], "relation": row["relation"], "decimals": decimals}
    language = SandboxedEnvironment(
        undefined=StrictUndefined,
        # Sentences show up to three decimals.
        finalize=lambda value: f"{value:,.3f}".rstrip("0").rstrip("."),
    )
    language.globals = {**numbers, "prints": partial(holds_for, claim=claim)}
    expression = derivation["expression"]
    try:
        result = language.compile_expression(expression, undefined_to_none=False)()
        says = language.from_string(derivation["says"]).render()
    except FAULTS as error:
        return row | {"why": join(row["why"], f"{expression} has no number here: {error}")}
    if derivation["kind"] == REASON:
        known = says if result else f"the reason given before no longer holds: {expression}"
        return row | {"why": join(known, row["why"])}
    if holds_for(result, claim):
        return row | {"status": ADDS_UP, "why": join(says, row["why"])}
    given = f"other numbers give {format_like_claim(result, claim)}: {says}"
    return row | {"why": join(row["why"], given)}


def make_numbers(results: ResultTables, printed: pd.DataFrame) -> dict[str, Callable[..., float]]:
    """Make the functions by which derivations name numbers."""
    values = dict(zip(printed["claim_id"], printed["value"].astype(float), strict=True))

    def find(table: str, id_: str, column: str = "value", reading: str = "published") -> float:
        key = next(name for name in results.tables[table] if name.endswith("_id"))
        row = results.find_row(table, reading, {key: id_})
        if row is None or not np.isfinite(row[column]):
            raise LookupError(f"no {table} {id_}")
        return float(row[column])

    return {table: partial(find, table) for table in results.tables} | {
        **{"abs": abs, "min": min, "max": max, "round": round},
        "printed": values.__getitem__,
        # p of a chi-square and, two-sided, of a z.
        "p_of_chi2": lambda chi2, df: float(chdtrc(df, chi2)),
        "p_of_z": lambda z: float(2 * ndtr(-abs(z))),
    }


def join(*parts: str | None) -> str:
    """Join the parts of a reason that are not empty."""
    return "; ".join(filter(None, parts))
