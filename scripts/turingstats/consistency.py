"""Whether the printed numbers of a paper agree with each other, by arithmetic alone.

`data/published/<paper>/consistency.csv` declares which claims take part and what must hold between them
(`relation`); a function here computes it and shows the sum. A printed number stands for every number
that rounds to it, so that rounding alone never makes a contradiction. docs/claims.md lists the relations.

Verdicts: `consistent`; `contradiction` (the numbers exclude each other); `doubtful` (possible, but they
do not support what is said with them); `not checkable` (with the reason).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from turingstats.claims import records
from turingstats.errors import InputError

COLUMNS = (
    "check_id finding location statement relation claims given concerns if_broken not_checkable"
).split()
OUTPUT = (
    "paper check_id finding location statement relation claims published given verdict arithmetic "
    "concerns data"
).split()
BROKEN = ("contradiction", "doubtful")
VERDICTS = ("contradiction", "doubtful", "consistent", "not checkable")


@dataclass(frozen=True)
class Printed:
    """A printed number: every x with low <= x <= high may stand behind it."""

    value: float
    low: float
    high: float
    text: str


def printed(claim):
    """What the number of a claim may have been before it was rounded."""
    value, decimals = float(claim["value"]), int(claim["decimals"])
    half = 0.5 * 10.0**-decimals
    text = f"{value:.{decimals}f}"
    low, high = {
        "=": (value - half, value + half),
        "~": (value - half, value + half),
        "<": (-np.inf, value),
        "<=": (-np.inf, value),
        ">": (value, np.inf),
        ">=": (value, np.inf),
    }[claim["relation"]]
    return Printed(
        value, low, high, text if claim["relation"] == "=" else f"{claim['relation']} {text}"
    )


# --- relations: each takes printed numbers and given ones, and returns (holds, arithmetic) --------


def z_p(z, p):
    """A two-sided p follows from z: p = 2 (1 - Phi(abs z))."""
    from scipy.stats import norm

    largest = max(abs(z.low), abs(z.high))
    smallest = min(abs(z.low), abs(z.high)) if z.low * z.high > 0 else 0.0
    low, high = 2 * norm.sf(largest), 2 * norm.sf(smallest)
    means = 2 * norm.sf(abs(z.value))
    return meets(low, high, p), f"z = {z.text} means p = {means:.3g}, printed is p {sign(p)}"


def meets(low, high, number):
    """Whether some number from low to high can stand behind a printed one."""
    return bool(low <= number.high and high >= number.low)


def sign(number):
    """A printed number with its relation, as `= 0.03` or `< 0.001`."""
    return number.text if number.text[0] in "<>~" else f"= {number.text}"


RELATIONS = {"z_p": z_p}


# --- declared checks ---------------------------------------------------------------------------


def read(path):
    """Read a paper's consistency.csv; a paper without one declares no checks."""
    import pandas as pd

    if not Path(path).exists():
        return pd.DataFrame(columns=COLUMNS)
    checks = pd.read_csv(path, dtype=str, encoding="utf-8-sig")
    if list(checks.columns) != COLUMNS:
        raise InputError(
            path,
            "the columns are not those of a file of consistency checks",
            value=", ".join(checks.columns),
            allowed=COLUMNS,
            remedy="see docs/claims.md",
        )
    return checks


def check(checks, paper, claims, data, path="consistency.csv"):
    """Compute every declared check.

    Parameters
    ----------
    checks : pandas.DataFrame
        From `read`.
    paper : str
    claims : pandas.DataFrame
        Claims of all papers at hand (`turingstats.claims.read`).
    data : str
        What the results of this run were computed from; the checks do not depend on it.

    Returns
    -------
    pandas.DataFrame
        Columns `OUTPUT`, a row a check.

    Raises
    ------
    InputError
        A check names a claim or relation that does not exist, or lacks a number it needs.
    """
    import pandas as pd

    known = {claim["claim_id"]: claim for claim in records(claims)}
    rows = []
    for line, declared in enumerate(records(checks), start=2):
        where = {"file": path, "row": f"line {line} ({declared['check_id']})"}
        row = declared | {"paper": paper, "data": data}
        if declared["not_checkable"]:
            rows.append(row | {"verdict": "not checkable", "arithmetic": declared["not_checkable"]})
            continue
        names = split(declared["claims"])
        for column in ("claims", "concerns"):
            for name in split(declared[column]):
                if name not in known:
                    remedy = "name claims of the study's papers"
                    raise InputError(
                        **where, problem="no such claim", column=column, value=name, remedy=remedy
                    )
        for column, allowed in (("relation", RELATIONS), ("if_broken", BROKEN)):
            if declared[column] not in allowed:
                raise InputError(
                    **where, problem="not one of the allowed values", column=column,
                    value=declared[column], allowed=allowed, remedy="see docs/claims.md",
                )  # fmt: skip
        numbers = [printed(known[name]) for name in names]
        try:
            holds, arithmetic = RELATIONS[declared["relation"]](
                *numbers, **given(declared["given"])
            )
        except (TypeError, ValueError) as error:
            raise InputError(
                **where, problem=f"the relation cannot be computed: {error}", column="claims, given",
                value=f"{declared['claims']} / {declared['given']}", remedy="see docs/claims.md",
            ) from None  # fmt: skip
        rows.append(
            row
            | {
                "published": "; ".join(number.text for number in numbers),
                "verdict": "consistent" if holds else declared["if_broken"],
                "arithmetic": arithmetic,
            }
        )
    return pd.DataFrame(rows, columns=OUTPUT)


def split(text):
    """Names of a list in a cell."""
    return [name for name in (text or "").split("; ") if name]


def given(text):
    """Numbers of a cell such as ``n1=293; n2=11; choices=1,5,10``: plain ones, or tuples."""
    values = {}
    for pair in split(text):
        name, _, value = pair.partition("=")
        parts = tuple(float(part) for part in value.split(","))
        values[name.strip()] = parts if len(parts) > 1 else parts[0]
    return values


def doubts(checked):
    """How each claim is contradicted by the numbers printed beside it.

    Returns
    -------
    dict of str to str
        Arithmetic by claim, of the checks that a claim breaks and that concern it.
    """
    found = {}
    for row in records(checked[checked["verdict"] == "contradiction"]):
        for name in split(row["concerns"]):
            found.setdefault(name, []).append(row["arithmetic"])
    return {
        name: "the paper contradicts itself: " + "; ".join(dict.fromkeys(arithmetic))
        for name, arithmetic in found.items()
    }
