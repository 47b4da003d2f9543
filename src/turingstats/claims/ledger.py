"""The claims ledger: each published number next to the recomputed one, with a status.

docs/claims.md and `turingstats.claims.ledger_page.MEANINGS` say what each status means.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from turingstats.claims.claims_file import CLAIM_COLUMNS
from turingstats.claims.query import (
    LookupResult,
    ResultTables,
    list_absent_files,
    look_up_claim,
)
from turingstats.config.study import Comparison
from turingstats.core.claim_statuses import (
    CHECKED,
    HOLD,
    IMPOSSIBLE,
    NO_DATA,
    NOT_RECOVERED,
    RECOVERED,
    STATUSES,
)
from turingstats.core.data_labels import GENERATED, PRINTED_COUNTS
from turingstats.core.files import list_rows
from turingstats.core.yaml_models import READINGS, Reading

LEDGER = [
    "paper", "claim_id", "location", "task", "judge", "cohort", "group", "kind", "quantity",
    "published", "relation", "recomputed", "recomputed_exact", "recommended", "recommended_exact",
    "status", "reading", "table", "rows", "column", "why", "data",
]  # fmt: skip
OUTSIDE_RUN = "the task is not in this run"
INEQUALITIES = {
    "<": lambda found, value: found < value,
    ">": lambda found, value: found > value,
    "<=": lambda found, value: found <= value,
    ">=": lambda found, value: found >= value,
}


@dataclass(frozen=True)
class Recomputed:
    """The numbers that claims are compared with."""

    # Tables of statistics/, and `settings`.
    tables: dict[str, pd.DataFrame]
    # Raw files that the source lacks.
    missing: pd.DataFrame
    # Which cohorts a test compares.
    comparisons: list[Comparison]
    data: str
    # Tasks of this run, whose claims are looked up; None: all.
    tasks: list[str] | None = None
    # By task and pooled cohort, the cohorts that it combines.
    pools: dict[str, dict[str, Sequence[str]]] = field(default_factory=dict)

    @cached_property
    def results(self) -> ResultTables:
        """The tables, indexed once for the claims of all papers."""
        return ResultTables(self.tables)


def check_claims(
    claims: pd.DataFrame,
    paper: str,
    made: Recomputed,
    contradictions: dict[str, str] | None = None,
) -> pd.DataFrame:
    """Compare every claim with what was computed, one row per claim."""
    results, data = made.results, made.data
    missing = list_rows(made.missing)
    further = [column for column in claims if column not in CLAIM_COLUMNS]
    rows = []
    for claim in list_rows(claims):
        if made.tasks is not None and claim["task"] not in (*made.tasks, "all"):
            recomputed = dict.fromkeys(READINGS, LookupResult(why=OUTSIDE_RUN))
            lacking = []
        else:
            recomputed = {reading: look_up_claim(claim, results, reading) for reading in READINGS}
            absent = recomputed[READINGS[0]].absent
            several = "; " in (claim["rows"] or "")
            lacking = list_absent_files(absent, several, missing, made.comparisons, made.pools)
            names = {recomputed[reading].statistic for reading in READINGS}
            if claim["column"] == "statistic" and len(names) > 1:
                recomputed["recommended"] = LookupResult()
        rows_found = recomputed[READINGS[0]].rows
        printed = bool(rows_found) and all(row.get("data") == PRINTED_COUNTS for row in rows_found)
        contradiction = (contradictions or {}).get(claim["claim_id"], "")
        # Files of which this source has a part.
        partly = not data.startswith(GENERATED) and any(
            row["path"] in (claim["missing"] or "") for row in missing
        )
        row = compare_claim(claim, recomputed, contradiction, lacking, partly)
        # A setting, or a rate whose count follows from the printed one, could not have been different,
        # so it does not support the paper.
        taken = claim["table"] == "settings" or (claim["table"] == "success_rates" and printed)
        if taken and row["status"] == "reproduced":
            row["status"] = "taken over"
        if data.startswith(GENERATED) and row["status"] in CHECKED and not printed:
            row |= check_recovery(claim, row, recomputed["recommended"].rows)
        row |= {column: claim[column] for column in further}
        rows.append(row | {"paper": paper, "data": PRINTED_COUNTS if printed else data})
    return pd.DataFrame(rows, columns=[*LEDGER, *further])


def check_recovery(
    claim: dict[str, Any], row: dict[str, Any], answers: list[dict[str, Any]]
) -> dict[str, str]:
    """Decide whether generated data recover a number, and why.

    The generator aims at the published rates, so a published rate inside the interval of the generated
    one is a recovered parameter. This says nothing about the paper.
    """
    if row["status"] in HOLD:
        return {"status": RECOVERED}
    status, why = (
        NOT_RECOVERED,
        "generated trials have the same design, but are not the published ones",
    )
    if claim["combine"] == "value" and claim["column"] == "value":
        half = 0.5 * 10.0 ** -int(claim["decimals"])
        if answers and {"ci_low", "ci_high"} <= set(answers[0]):
            low, high = answers[0]["ci_low"] - half, answers[0]["ci_high"] + half
            if low <= claim["value"] <= high:
                status, why = RECOVERED, "the printed number is inside the interval"
    return {"status": status, "why": "; ".join(filter(None, [why, claim["remark"]]))}


def compare_claim(
    claim: dict[str, Any],
    recomputed: Mapping[Reading, LookupResult],
    contradiction: str,
    lacking: list[str],
    partly: bool = False,
) -> dict[str, Any]:
    """Compare one claim with its recomputed numbers, as a row of the ledger without paper and data.

    A number of which only a part is at hand (`partly`) tells nothing about the printed one, unless it holds.
    """
    value = recomputed["published"].value
    holds = [reading for reading in READINGS if holds_for(recomputed[reading].value, claim)]
    computed = [reading for reading in READINGS if np.isfinite(recomputed[reading].value)]
    outside = recomputed["published"].why == OUTSIDE_RUN
    part = ""
    if computed and partly and not holds:
        part = f"the part that is public gives {format_like_claim(recomputed[computed[0]].value, claim)}"
        recomputed = dict.fromkeys(READINGS, LookupResult())
        value, computed = np.nan, []
    needed = "" if computed or outside else claim["missing"] or ", ".join(lacking)
    if holds:
        status = "reproduced"
    elif contradiction:
        status = IMPOSSIBLE
    elif needed:
        status = NO_DATA
    elif not computed:
        status = "not computed"
    else:
        status = "close" if is_close(value, claim) else "differs"
    why = [f"needs {needed}" if needed else "", part, contradiction]
    unfinished = recomputed["published"].why
    if not computed and (not needed or "add up to" in unfinished):
        why.append(unfinished)
    terms = recomputed["published"].exact.split(" - ")
    if holds and len(terms) == 2 and len({f"{float(term):.2f}" for term in terms}) == 1:
        why.append(f"both numbers print as {float(terms[0]):.2f}")
    why.append(claim["remark"])
    decimals = int(claim["decimals"])
    return {key: claim[key] for key in LEDGER if key in claim} | {
        "published": Decimal(str(claim["value"])).quantize(Decimal(1).scaleb(-decimals)),
        "recomputed": format_like_claim(value, claim),
        "recomputed_exact": recomputed["published"].exact,
        "recommended": format_like_claim(recomputed["recommended"].value, claim),
        "recommended_exact": recomputed["recommended"].exact,
        "status": status,
        "reading": " and ".join(holds),
        "why": "; ".join(filter(None, why)),
    }


def round_every_way(value: float, decimals: int) -> set[Decimal]:
    """Round a number to the printed precision by every common rule for ties; return a set of Decimal."""
    exact = Decimal(repr(round(float(value), 10)))
    unit = Decimal(1).scaleb(-decimals)
    rules = (ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN)
    return {exact.quantize(unit, rounding=rule) for rule in rules}


def holds_for(value: float, claim: dict[str, Any]) -> bool:
    """Tell whether the printed relation holds between a recomputed number and the printed one."""
    if not np.isfinite(value):
        return False
    printed = Decimal(str(claim["value"]))
    if claim["relation"] in ("=", "~"):
        return printed in round_every_way(value, int(claim["decimals"]))
    return INEQUALITIES[claim["relation"]](Decimal(repr(float(value))), printed)


def is_close(value: float, claim: dict[str, Any]) -> bool:
    """Tell whether a number is within the tolerance that the claim declares."""
    tolerance = claim["tolerance"]
    if tolerance is None or not np.isfinite(tolerance) or not np.isfinite(value):
        return False
    return abs(value - claim["value"]) <= tolerance


def format_like_claim(value: float, claim: dict[str, Any]) -> str:
    """Format a recomputed number at the printed precision; to three significant digits next to < and >."""
    if not np.isfinite(value):
        return ""
    if claim["relation"] in ("=", "~"):
        rounded = round_every_way(value, int(claim["decimals"]))
        printed = Decimal(str(claim["value"]))
        # What is halfway between two decimals is rounded as printed; no zero is negative.
        return str(min(rounded, key=lambda n: (n != printed, abs(float(n) - value))) + 0)
    return f"{value:.3g}"


def count_statuses(
    ledger: pd.DataFrame, by: Sequence[str] = ("paper", "task", "kind")
) -> pd.DataFrame:
    """Count claims by kind of data, status and other columns, such as paper, task and kind."""
    # Claims on real data and on generated data are never summed.
    by = [*by, "data"]
    status = pd.Categorical(ledger["status"], categories=STATUSES)
    keys = [
        *(ledger[column] for column in by),
        pd.Series(status, name="status", index=ledger.index),
    ]
    counted = ledger.groupby(keys, observed=False, sort=False).size().rename("n").reset_index()
    present = counted.groupby(by)["n"].transform("sum") > 0
    counted = counted[present].sort_values([*by, "status"], kind="stable")
    columns = [*(column for column in by if column != "data"), "status", "n", "data"]
    return counted.reset_index(drop=True)[columns]
