"""The claims ledger: each published number beside the recomputed one, with a verdict.

`data/published/<paper>/claims.csv` holds the published number, its place and precision, and where the
recomputed one stands: `table` (estimates, tests, sizes or texts), `ids` (rows of it, "; " between), `column`,
and `combine` (how several rows become one number).

Statuses: `reproduced` (equal at the printed precision, or the printed relation holds), `close` (within
the tolerance declared for a number from unseeded code; on generated data, inside the interval of the
generated rate), `differs`, `impossible` (the paper contradicts itself here), `no data` (with the file
that would be needed), `not computed` (with the reason).
"""

from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np

from turingstats.config import READINGS
from turingstats.errors import InputError

KEYS = {"estimates": "estimate_id", "tests": "test_id", "sizes": "size_id", "texts": "text_id"}
COMBINATIONS = ("value", "sum", "min", "max", "difference", "ratio", "abs", "minus_abs")
RELATIONS = {
    "=": lambda found, value: found == value,
    "<": lambda found, value: found < value,
    ">": lambda found, value: found > value,
    "<=": lambda found, value: found <= value,
    ">=": lambda found, value: found >= value,
}
COLUMNS = (
    "paper claim_id location task quantity published relation recomputed recomputed_exact recommended "
    "recommended_exact status reading why data"
).split()
GENERATED = "generated data"
STATUSES = ("reproduced", "close", "differs", "impossible", "no data", "not computed")


def check(claims, paper, results, missing, comparisons, data):
    """Compare every claim with what was computed.

    Parameters
    ----------
    claims : pandas.DataFrame
        A paper's claims.csv.
    paper : str
    results : dict of str to pandas.DataFrame
        estimates, tests, sizes and texts.
    missing : pandas.DataFrame
        Raw files that the source lacks: task, cohort, path, why.
    comparisons : sequence of Comparison
        The declared tests, which say what cohorts a test rests on.
    data : str
        What the results were computed from.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`. `recomputed` is the published reading's number at the printed precision,
        `recomputed_exact` the same unrounded (as a fraction where it is one), `recommended` and
        `recommended_exact` the other reading's, empty where it computes another statistic;
        `reading` names the readings in which the claim holds.

    Raises
    ------
    InputError
        A claim asks for a table, column or combination that does not exist.
    """
    import pandas as pd

    indexed = {
        (name, reading): table[table["reading"] == reading].set_index(KEYS[name])
        for name, table in results.items()
        for reading in READINGS
    }
    printed = {row["claim_id"]: row for row in claims.to_dict("records")}
    rows = []
    for claim in printed.values():
        found = {reading: find(claim, indexed, reading) for reading in READINGS}
        if claim["table"] == "tests" and claim["column"] == "statistic":
            names = [
                indexed["tests", reading]["statistic_name"].get(claim["ids"])
                for reading in READINGS
            ]
            if names[0] != names[1]:
                found["recommended"] = (np.nan, "")
        lacking = absent_files(claim, missing, comparisons)
        row = judge(claim, found, printed, lacking) | {"paper": paper, "data": data}
        if data.startswith(GENERATED) and row["status"] == "differs":
            row |= recovery(claim, indexed["estimates", "recommended"])
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def recovery(claim, estimates):
    """The verdict on a number that generated data do not meet exactly.

    The generator aims at the published rates, so a published rate inside the interval of the
    generated one is a parameter recovered. Nothing follows for the paper.
    """
    drawn = "generated data: a draw of the same design, not the published trials"
    if claim["table"] == "estimates" and claim["combine"] == "value":
        row = estimates.loc[claim["ids"]]
        half = 0.5 * 10.0 ** -int(claim["decimals"])
        if row["ci_low"] - half <= claim["value"] <= row["ci_high"] + half:
            return {
                "status": "close",
                "why": "generated data: parameter recovered, the published number is inside the interval",
            }
    return {"why": drawn}


def absent_files(claim, missing, comparisons):
    """Paths of the raw files that a claim rests on and the source lacks."""
    import pandas as pd

    if pd.isna(claim["ids"]):
        return []
    needed = set()
    for name in claim["ids"].replace(" / ", "; ").split("; "):
        if claim["table"] == "tests":
            own = [c for c in comparisons if f"{name}.".startswith(f"{c.id}.")]
            needed |= {(c.task, cohort) for c in own for cohort in c.cohorts}
        else:
            task, cohort = name.split(".")[:2]
            of_responses = claim["table"] == "texts" or cohort == "responses"
            needed.add((task, None if of_responses else cohort))
    absent = missing[missing["why"] == "not in this source"]
    return [row["path"] for row in records(absent) if (row["task"], row["cohort"]) in needed]


def records(table):
    """Rows as dictionaries, with None for what is missing."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


def find(claim, indexed, reading):
    """The recomputed number of a claim in one reading.

    Returns
    -------
    value : float
        nan where something it needs was not computed.
    exact : str
        As a fraction where the number is one count of another.
    """
    import pandas as pd

    if pd.isna(claim["table"]):
        return np.nan, ""
    if claim["table"] not in KEYS or claim["combine"] not in COMBINATIONS:
        raise InputError(
            "claims.csv",
            "unknown table or combination",
            row=claim["claim_id"],
            column="table, combine",
            value=(claim["table"], claim["combine"]),
            allowed=[*KEYS, *COMBINATIONS],
        )
    table = indexed[claim["table"], reading]
    if claim["column"] not in table.columns:
        raise InputError(
            "claims.csv",
            f"no such column in {claim['table']}",
            row=claim["claim_id"],
            column="column",
            value=claim["column"],
            allowed=table.columns,
        )
    # A ratio has two lists of rows with a slash between; everything else has one.
    sides = [side.split("; ") for side in claim["ids"].split(" / ")]
    if any(name not in table.index for side in sides for name in side):
        return np.nan, ""
    cells = [table.loc[side, claim["column"]].astype(float).to_numpy() for side in sides]
    (values, *below) = cells
    if claim["combine"] == "ratio":
        return values.sum() / below[0].sum(), f"{values.sum():g}/{below[0].sum():g}"
    if claim["combine"] == "difference":
        return values[0] - values[1], f"{values[0]:.4f} - {values[1]:.4f}"
    if claim["combine"] in ("sum", "min", "max"):
        return float(getattr(values, claim["combine"])()), ""
    if claim["combine"] == "abs":
        return abs(values[0]), ""
    if claim["combine"] == "minus_abs":
        return -abs(values[0]), ""
    row = table.loc[sides[0][0]]
    if claim["column"] == "value" and claim["table"] == "estimates" and pd.notna(row["k"]):
        return values[0], f"{row['k']:.0f}/{row['n']:.0f}"
    return values[0], ""


def judge(claim, found, printed, lacking):
    """The verdict on one claim, as a row of the ledger."""
    import pandas as pd

    text = {
        key: "" if pd.isna(claim[key]) else str(claim[key])
        for key in ("remark", "missing", "z_with")
    }
    value, exact = found["published"]
    holds = [reading for reading in READINGS if agrees(found[reading][0], claim)]
    computed = [reading for reading in READINGS if np.isfinite(found[reading][0])]
    why = text["remark"]
    conflict = contradiction(claim, printed.get(text["z_with"]))
    if not computed:
        needed = [text["missing"]] if text["missing"] else lacking
        status = "no data" if needed else "not computed"
        if needed:
            why = "; ".join(filter(None, [f"needs {', '.join(needed)}", why]))
        elif pd.notna(claim["table"]):
            why = "; ".join(filter(None, ["not in this run", why]))
    elif holds:
        status = "reproduced"
        why = "; ".join(filter(None, [conflict, why]))
    elif conflict:
        status = "impossible"
        why = "; ".join(filter(None, [conflict, why]))
    elif close(value, claim):
        status = "close"
    else:
        status = "differs"
    decimals = int(claim["decimals"])
    return {
        "claim_id": claim["claim_id"],
        "location": claim["location"],
        "task": claim["task"],
        "quantity": claim["quantity"],
        "published": Decimal(str(claim["value"])).quantize(Decimal(1).scaleb(-decimals)),
        "relation": claim["relation"],
        "recomputed": shown(value, claim),
        "recomputed_exact": exact or unrounded(value),
        "recommended": shown(found["recommended"][0], claim),
        "recommended_exact": found["recommended"][1] or unrounded(found["recommended"][0]),
        "status": status,
        "reading": " and ".join(holds),
        "why": why,
    }


def roundings(value, decimals):
    """`value` at the printed precision, by every common rule for ties."""
    exact = Decimal(repr(round(float(value), 10)))
    unit = Decimal(1).scaleb(-decimals)
    rules = (ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN)
    return {exact.quantize(unit, rounding=rule) for rule in rules}


def agrees(value, claim):
    """Whether a recomputed number stands in the printed relation to the printed one."""
    if not np.isfinite(value):
        return False
    printed = Decimal(str(claim["value"]))
    if claim["relation"] == "=":
        return printed in roundings(value, int(claim["decimals"]))
    return RELATIONS[claim["relation"]](Decimal(repr(float(value))), printed)


def close(value, claim):
    """Whether a number from unseeded code is met within its declared tolerance."""
    import pandas as pd

    tolerance = claim["tolerance"]
    return pd.notna(tolerance) and np.isfinite(value) and abs(value - claim["value"]) <= tolerance


def shown(value, claim):
    """A recomputed number at the printed precision, or to three significant digits beside < and >."""
    if not np.isfinite(value):
        return ""
    if claim["relation"] == "=":
        return str(
            min(roundings(value, int(claim["decimals"])), key=lambda d: abs(float(d) - value))
        )
    return f"{value:.3g}"


def unrounded(value):
    """All digits of a number that was computed."""
    return repr(float(value)) if np.isfinite(value) else ""


def contradiction(claim, other):
    """Say how a printed z and the p printed with it exclude each other; empty if they do not.

    A two-sided p follows from z: p = 2 (1 - Phi(|z|)), here for every z that rounds to the printed
    one.
    """
    from scipy.stats import norm

    if other is None:
        return ""
    z, p = (claim, other) if claim["quantity"] == "z" else (other, claim)
    half = 0.5 * 10.0 ** -int(z["decimals"])
    low, high = (2 * norm.sf(abs(z["value"]) + shift) for shift in (half, -half))
    unit = 0.5 * 10.0 ** -int(p["decimals"])
    possible = {
        "=": low <= p["value"] + unit and high >= p["value"] - unit,
        "<": low < p["value"],
        ">": high > p["value"],
    }[p["relation"]]
    if possible:
        return ""
    return (
        f"the paper contradicts itself: z = {z['value']:g} means p = {2 * norm.sf(abs(z['value'])):.3f}, "
        f"printed is p {p['relation']} {p['value']:g}"
    )


def summarise(ledger):
    """Number of claims by status.

    Returns
    -------
    pandas.DataFrame
        paper, task, status, n, data; every status in its order, also those without a claim.
    """
    import pandas as pd

    status = pd.Categorical(ledger["status"], categories=STATUSES)
    keys = [ledger["paper"], ledger["task"], pd.Series(status, name="status", index=ledger.index)]
    counted = ledger.groupby(keys, observed=False).size().rename("n").reset_index()
    return counted.assign(data=ledger["data"].iloc[0])
