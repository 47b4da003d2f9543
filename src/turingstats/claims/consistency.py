"""Check by arithmetic alone whether the printed numbers of a paper agree with each other.

`data/published/<paper>/consistency.csv` declares which claims are involved and what must hold between them
(`relation`: a formula, or one of `turingstats.claims.relations.RELATIONS`).

Results, in the column `result`: `consistent`; `contradiction` (the numbers exclude each other);
`doubtful` (possible, but they do not support the statement); `not checkable` (with the reason).
"""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import TemplateError

from turingstats.claims.relations import FORMULA, RELATIONS, bound_printed, check_formula
from turingstats.core.checked_csv import (
    Check,
    check_allowed,
    check_each,
    check_unique,
    name_row,
    read_checked,
)
from turingstats.core.errors import InputError
from turingstats.core.files import list_rows

CHECK_COLUMNS = [
    "check_id", "finding", "location", "statement", "relation", "claims", "given", "concerns",
    "if_broken", "not_checkable",
]  # fmt: skip
RESULT_COLUMNS = [
    "paper", "check_id", "finding", "location", "statement", "relation", "claims", "published",
    "given", "result", "arithmetic", "concerns", "data",
]  # fmt: skip
CONTRADICTION = "contradiction"
BROKEN = (CONTRADICTION, "doubtful")
DOCS = "docs/claims.md"


def read_checks(path: Path) -> pd.DataFrame:
    """Read a paper's consistency.csv as text, by line in the file; a paper without one declares no checks."""
    if not Path(path).exists():
        return pd.DataFrame(columns=CHECK_COLUMNS)
    see = f"see {DOCS}"
    checks = {
        "check_id": check_unique("this check is listed twice", "give each check its own id"),
        "relation": check_each(
            lambda text: text in ("", *RELATIONS) or FORMULA.fullmatch(text) is not None,
            "neither a relation nor a formula",
            f'write a formula such as "a = b + c", or one of {", ".join(RELATIONS)}',
        ),
        "if_broken": check_allowed(BROKEN, see, or_empty=True),
    }
    unexplained = "a check needs this, or the reason in not_checkable"
    rules = {
        column: Check(
            lambda rows, column=column: (rows[["not_checkable", column]] != "").any(axis=1),
            unexplained,
            see,
            allowed,
        )
        for column, allowed in (("relation", RELATIONS), ("if_broken", BROKEN))
    }
    what = "file of consistency checks"
    table = read_checked(path, CHECK_COLUMNS, checks, rules, what=what, docs=DOCS, key="check_id")
    return table.replace("", np.nan)


def check_consistency(
    checks: pd.DataFrame,
    paper: str,
    claims: pd.DataFrame,
    data: str,
    path: Path | str = "consistency.csv",
) -> pd.DataFrame:
    """Compute every declared check, one row per check."""
    claims_by_id = {claim["claim_id"]: claim for claim in list_rows(claims)}
    rows = []
    for line, declared in zip(checks.index, list_rows(checks), strict=True):
        row = declared | {"paper": paper, "data": data}
        if declared["not_checkable"]:
            rows.append(row | {"result": "not checkable", "arithmetic": declared["not_checkable"]})
            continue
        where: dict[str, Any] = {"file": path, "row": name_row(line, declared["check_id"])}
        for column in ("claims", "concerns"):
            for name in split_names(declared[column]):
                if name not in claims_by_id:
                    where |= {"column": column, "value": name}
                    fix = "name claims of the study's papers"
                    raise InputError(**where, problem="no such claim", fix=fix)
        numbers = [bound_printed(claims_by_id[name]) for name in split_names(declared["claims"])]
        formula = declared["relation"]
        relation = RELATIONS.get(formula) or partial(check_formula, formula)
        try:
            holds, arithmetic = relation(*numbers, **parse_given(declared["given"]))
        except (TypeError, ValueError, TemplateError) as error:
            where |= {"problem": f"the relation cannot be computed: {error}"}
            where |= {"value": f"{declared['claims']} / {declared['given']}"}
            raise InputError(**where, column="claims, given", fix=f"see {DOCS}") from None
        row["published"] = "; ".join(number.text for number in numbers)
        result = "consistent" if holds else declared["if_broken"]
        rows.append(row | {"result": result, "arithmetic": arithmetic})
    return pd.DataFrame(rows, columns=RESULT_COLUMNS)


def split_names(text: str | None) -> list[str]:
    """Split the list in a cell into names."""
    return [name for name in (text or "").split("; ") if name]


def parse_given(text: str | None) -> dict[str, Any]:
    """Parse numbers of a cell such as ``n1=293; n2=11; choices=1,5,10`` into floats, or tuples of them."""
    values = {}
    for pair in split_names(text):
        name, _, value = pair.partition("=")
        first, *others = map(float, value.split(","))
        values[name.strip()] = (first, *others) if others else first
    return values


def list_contradictions(checked: pd.DataFrame) -> dict[str, str]:
    """Describe by arithmetic how each claim is contradicted by other printed numbers."""
    broken = {}
    for row in list_rows(checked[checked["result"] == CONTRADICTION]):
        for name in split_names(row["concerns"]):
            broken.setdefault(name, []).append(row["arithmetic"])
    return {
        name: "the paper contradicts itself: " + "; ".join(dict.fromkeys(arithmetic))
        for name, arithmetic in broken.items()
    }
