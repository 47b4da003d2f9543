"""The claims ledger: each published number next to the recomputed one, with a status.

docs/claims.md and `turingstats.claims.ledger_page.MEANINGS` say what each status means.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from turingstats.claims.claims_file import CLAIM_COLUMNS
from turingstats.claims.query import LookupResult, ResultTables, list_absent_files, look_up_claim
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
from turingstats.core.yaml_models import READINGS

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
    further = [column for column in claims if column not in CLAIM_COLUMNS]
    rows, missing = [], list_rows(made.missing)
    for claim in list_rows(claims):
        contradiction = (contradictions or {}).get(claim["claim_id"], "")
        row = check_claim(claim, made, missing, contradiction)
        rows.append(row | {column: claim[column] for column in further} | {"paper": paper})
    return pd.DataFrame(rows, columns=[*LEDGER, *further])


def check_claim(
    claim: dict[str, Any], made: Recomputed, missing: list[dict[str, Any]], contradiction: str
) -> dict[str, Any]:
    """Compare a claim with its recomputed numbers, as a row of the ledger without its paper."""
    published, recommended = look_up_readings(claim, made)
    answers, terms = recommended.rows, published.exact.split(" - ")
    is_printed = {row.get("data") for row in published.rows} == {PRINTED_COUNTS}
    is_made_up = made.data.startswith(GENERATED)
    numbers = dict(zip(READINGS, (published.value, recommended.value), strict=True))
    holds = [reading for reading, value in numbers.items() if holds_for(value, claim)]
    computed = [value for value in numbers.values() if np.isfinite(value)]
    part = needed = ""
    # Of some files this source has a part, which tells nothing about the printed number, unless it holds.
    is_part = not is_made_up and any(row["path"] in (claim["missing"] or "") for row in missing)
    if computed and is_part and not holds:
        part = f"the part that is public gives {format_like_claim(computed[0], claim)}"
        published, recommended, computed = LookupResult(), LookupResult(), []
    if not computed and published.why != OUTSIDE_RUN:
        lacking = list_absent_files(claim, published.absent, missing, made.comparisons, made.pools)
        needed = claim["missing"] or ", ".join(lacking)
    why = [f"needs {needed}" if needed else "", part, contradiction]
    if not computed and (not needed or "add up to" in published.why):
        why.append(published.why)
    if holds and len(terms) == 2 and len({f"{float(term):.2f}" for term in terms}) == 1:
        why.append(f"both numbers print as {float(terms[0]):.2f}")
    status = "not computed"
    if holds or contradiction or needed:
        status = "reproduced" if holds else IMPOSSIBLE if contradiction else NO_DATA
    elif computed:
        tolerance = -1 if claim["tolerance"] is None else claim["tolerance"]
        status = "close" if abs(published.value - claim["value"]) <= tolerance else "differs"
    # A setting, or a rate whose count follows from the printed one, could not have been different, so it
    # does not support the paper.
    is_rate = claim["table"] == "success_rates" and is_printed
    if holds and (claim["table"] == "settings" or is_rate):
        status = "taken over"
    if is_made_up and status in CHECKED and not is_printed:
        status, *why = check_recovery(claim, status, why, answers)
    unit = Decimal(1).scaleb(-int(claim["decimals"]))
    return {key: claim[key] for key in LEDGER if key in claim} | {
        "published": Decimal(str(claim["value"])).quantize(unit),
        "recomputed": format_like_claim(published.value, claim),
        "recomputed_exact": published.exact,
        "recommended": format_like_claim(recommended.value, claim),
        "recommended_exact": recommended.exact,
        "status": status,
        "reading": " and ".join(holds),
        "why": "; ".join(filter(None, [*why, claim["remark"]])),
        "data": PRINTED_COUNTS if is_printed else made.data,
    }


def look_up_readings(claim: dict[str, Any], made: Recomputed) -> list[LookupResult]:
    """Look up the recomputed number of a claim in each reading."""
    if made.tasks is not None and claim["task"] not in (*made.tasks, "all"):
        return [LookupResult(why=OUTSIDE_RUN)] * len(READINGS)
    numbers = [look_up_claim(claim, made.results, reading) for reading in READINGS]
    if claim["column"] == "statistic" and len({number.statistic for number in numbers}) > 1:
        numbers[1] = LookupResult()
    return numbers


def check_recovery(
    claim: dict[str, Any], status: str, why: list[str], answers: list[dict[str, Any]]
) -> tuple[str, ...]:
    """Decide whether generated data recover a number; return the status, and why.

    The generator aims at the published rates, so a published rate inside the interval of the generated
    one is a recovered parameter. This says nothing about the paper.
    """
    if status in HOLD:
        return RECOVERED, *why
    if claim["combine"] == "value" and claim["column"] == "value":
        half = 0.5 * 10.0 ** -int(claim["decimals"])
        if answers and {"ci_low", "ci_high"} <= set(answers[0]):
            low, high = answers[0]["ci_low"] - half, answers[0]["ci_high"] + half
            if low <= claim["value"] <= high:
                return RECOVERED, "the printed number is inside the interval"
    return NOT_RECOVERED, "generated trials have the same design, but are not the published ones"


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
