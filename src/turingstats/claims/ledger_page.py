"""Pages of the ledger: every claim with the rows that answer it, and a one-page summary.

Both are single files without external scripts or fonts, so that they can be opened from disk.
"""

import re
from collections import Counter
from decimal import Context, Decimal
from itertools import chain
from typing import Any

import pandas as pd

from turingstats.claims import query
from turingstats.claims.query import ESTIMATED, ResultTables, Selection
from turingstats.core.claim_statuses import STATUSES, count_in_words
from turingstats.core.data_labels import is_generated
from turingstats.core.files import list_rows
from turingstats.core.labels import separate_thousands, use_minus_signs, write_powers
from turingstats.core.yaml_models import READINGS

SYMBOLS = dict(zip(STATUSES, "✓≈=∑✗↻≠⚠∅–", strict=True))
MEANINGS = {
    "reproduced": "equal at the printed precision, or the printed relation holds",
    "close": "within the declared tolerance",
    "taken over": "equal because it was copied from the paper: a setting, or a rate turned into counts",
    "adds up": "follows from other printed and computed numbers; its own data are not at hand",
    "differs": "recomputed value differs",
    "recovered": "found again in generated data, exactly or within the interval of the rate",
    "not recovered": "not found again in generated data, which says nothing about the paper",
    "impossible": "contradicts other numbers in the paper",
    "no data": "needs a raw file that is not public or not bundled",
    "not computed": "no number was computed, for the reason given",
}
DIFFERENCES = {
    "changes significance": "p value on the other side of 0.05",
    "different value": "off by more than one unit of the last digit",
    "last digit": "off by one unit of the last digit",
}
"""How far a number that differs is from the printed one."""
SEVERITY = (
    *(*DIFFERENCES, "differs", "not recovered", "impossible"),
    *("close", "reproduced", "recovered", "taken over", "adds up", "not computed", "no data"),
)
"""Differences and statuses in the order of rows: what a reader should know first."""
RESULTS = ("contradiction", "doubtful", "consistent", "not checkable")
"""Results of checks in the order of rows."""
ALPHA = Decimal("0.05")
SHARED, LONG_NOTE = 5, 60
"""A part of a reason that so many claims share, and of so many characters, stands once, below the table."""
APART = re.compile(r"; (?![^(]*\))")
"""What parts of a reason are separated by, except within parentheses."""


def build_context(
    ledger: pd.DataFrame,
    checks: pd.DataFrame,
    tables: dict[str, pd.DataFrame],
    figures: dict[str, pd.DataFrame],
    tasks: dict[str, str],
    notebooks: pd.DataFrame | None = None,
) -> dict[str, Any]:
    """Collect what the pages show: the ledger, the checks, and the results that answer claims."""
    notebooks = ledger.iloc[:0] if notebooks is None else notebooks
    panel_of_number, results = index_panels(figures), ResultTables(tables)
    arithmetic = checks["arithmetic"].fillna("").map(typeset).map(write_powers)
    checks = checks.assign(arithmetic=arithmetic)
    claims = link_rows(ledger, results, panel_of_number)
    return {
        "claims": claims,
        "notes": collect_notes(claims),
        "notebooks": link_rows(notebooks, results, panel_of_number),
        "notebooks_counted": list_in_words(Counter(notebooks["status"])),
        "notebooks_by": count_by_paper(notebooks),
        "checks": sorted(list_rows(checks), key=lambda row: RESULTS.index(row["result"])),
        "generated": bool(ledger["data"].map(is_generated).all()),
        # Real and generated data: each claim says which it is based on.
        "mixed": ledger["data"].nunique() > 1,
        "data": " and ".join(dict.fromkeys(ledger["data"])),
        "statuses": [s for s in STATUSES if s in {*ledger["status"], *notebooks["status"]}],
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "papers": list(dict.fromkeys(ledger["paper"])),
        "tasks": [task for task in (*tasks, "all") if (ledger["task"] == task).any()],
        "labels": {**tasks, "all": "Several tasks"},
        "kinds": list(dict.fromkeys(ledger["kind"])),
        "differences": DIFFERENCES,
        "counts": Counter(ledger["status"]),
        "counted": list_in_words(Counter(ledger["status"])),
        "claims_by": count_by_paper(ledger),
        "kinds_of_data": sorted(dict.fromkeys(ledger["data"]), key=is_generated),
        "results": {name: n for name in RESULTS if (n := (checks["result"] == name).sum())},
    }


def link_rows(
    ledger: pd.DataFrame,
    results: ResultTables,
    shown: dict[tuple[str | None, ...], tuple[str, str]],
) -> list[dict[str, str]]:
    """Add to the rows of a ledger words and links to what answers and shows them; the most severe first."""
    rows = []
    for row in list_rows(ledger):
        asked = list(chain(*query.parse_selections(row["rows"]))) if row["table"] else []
        links = dict.fromkeys(name_row(results, row["table"], selection) for selection in asked)
        links.pop("", None)
        panels = {}
        if links and row["table"] == "estimates":
            places = (tuple(each.get(name) for name in ESTIMATED) for each in asked)
            panels = dict.fromkeys(shown[place] for place in places if place in shown)
        # A number of a notebook has no sentence: quantity, whose, and of how many.
        parts = (row["quantity"], row["cohort"], row["group"], row.get("unit"))
        row |= {
            "answers": [*links],
            "pictures": [*panels],
            "words": typeset(row.get("says") or ", ".join(filter(None, parts))),
            "printed": typeset(f"{row['relation']} {row['published']}".removeprefix("= ")),
            "difference": describe_difference(row),
            "size": describe_size(row),
            "reasons": [write_powers(part) for part in APART.split(row["why"] or "") if part],
            "shown": typeset(show_number(row, "recomputed")),
            "shown_recommended": typeset(show_number(row, "recommended")),
        }
        rows.append(row)
    return sorted(rows, key=rank_row)


def collect_notes(claims: list[dict[str, Any]]) -> list[str]:
    """Collect the long parts of reasons that many claims share."""
    counts = Counter(part for claim in claims for part in claim["reasons"])
    return [
        part
        for part, number in counts.items()
        # The file that a claim needs is what its reader asks for.
        if number >= SHARED and len(part) >= LONG_NOTE and not part.startswith("needs ")
    ]


def describe_size(row: dict[str, Any]) -> str:
    """Describe in a sentence by how much a number differs from the printed one; empty if it does not."""
    kind = describe_difference(row)
    if kind == "last digit":
        return "Off by one unit in the last digit."
    if kind == "changes significance":
        side = "Significant" if Decimal(str(row["recomputed"])) < ALPHA else "Not significant"
        return f"{side} at 0.05 when recomputed, unlike in the paper."
    if not kind:
        return ""
    printed, recomputed = Decimal(str(row["published"])), Decimal(str(row["recomputed"]))
    distance = abs(recomputed - printed)
    size = f"{Context(prec=3).plus(distance) if distance < 1 else distance:,f}"
    more = "above" if recomputed > printed else "below"
    # A share of a p value, or of a limit, says nothing.
    relative = printed and row["relation"] == "=" and row["quantity"] != "p"
    share = f" ({abs(recomputed / printed - 1):.0%})" if relative else ""
    return f"{size}{share} {more} the printed number."


def rank_row(row: dict[str, Any]) -> tuple[int, float]:
    """Rank a row by severity and, of numbers that differ, by which share of the printed one they are off."""
    place = SEVERITY.index(row["difference"] or row["status"])
    if not row["difference"] or not float(row["published"]):
        return place, 0
    return place, -abs(float(row["recomputed"]) / float(row["published"]) - 1)


def show_number(row: dict[str, str], column: str) -> str:
    """Show a recomputed number; a p value that would print as zero as less than its last decimal."""
    text = row[column] or ""
    if row["quantity"] == "p" and text and float(text) == 0 and "." in text:
        return f"< {10 ** -len(text.partition('.')[2]):f}".rstrip("0")
    if row["quantity"] == "p" and "e-" in text:
        return "< 0.001"
    return text


def typeset(text: str) -> str:
    """Write thousands, minus signs, and signs of limits, as in print."""
    return use_minus_signs(separate_thousands(text)).replace("<=", "≤").replace(">=", "≥")


def describe_difference(row: dict[str, str]) -> str:
    """Describe by one of `DIFFERENCES` how far a number that differs is from the printed one; else empty."""
    if row["status"] != "differs" or not row["recomputed"]:
        return ""
    printed, recomputed = Decimal(str(row["published"])), Decimal(str(row["recomputed"]))
    significant = printed <= ALPHA if row["relation"].startswith("<") else printed < ALPHA
    if row["quantity"] == "p" and significant != (recomputed < ALPHA):
        return "changes significance"
    exponent, distance = int(printed.as_tuple().exponent), abs(printed - recomputed)
    # One judge more is much where there is one.
    near = distance <= Decimal(1).scaleb(exponent) and (exponent or 10 * distance <= printed)
    return "last digit" if near and row["relation"] in ("=", "~") else "different value"


def list_in_words(counts: dict[Any, int]) -> str:
    """List the number of claims of each status in words."""
    return ", ".join(count_in_words(counts[s], s) for s in STATUSES if s in counts)


def count_by_paper(ledger: pd.DataFrame) -> Counter[tuple[str, ...]]:
    """Count claims by paper, column, value of this column and status; of the column paper, all of a paper."""
    columns = ("paper", "data", "task", "kind")
    rows = list_rows(ledger)
    return Counter((r["paper"], name, r[name], r["status"]) for r in rows for name in columns)


def name_row(results: ResultTables, table: str, selection: Selection) -> str:
    """Name the row that answers a claim by its id, or by what selects it; empty if there is none."""
    rows = (results.find_row(table, reading, selection) for reading in READINGS)
    row = next((row for row in rows if row is not None), None)
    if row is None:
        return ""
    key = next((column for column in row if column.endswith("_id")), None)
    return str(row[key]) if key else query.format_selection(selection)


def index_panels(
    figures: dict[str, pd.DataFrame],
) -> dict[tuple[str | None, ...], tuple[str, str]]:
    """Index panels by what they show: task, cohort, level of a condition, agent and quantity."""
    panels = {}
    for name, data in figures.items():
        if not {"panel", "quantity", "agent"} <= set(data.columns):
            continue
        for row in list_rows(data):
            key = (row["task"], row["cohort"], row["group"] or "all", row["agent"], row["quantity"])
            panels.setdefault(key, (name, row["panel"]))
    return panels


def list_panels(context: dict[str, Any]) -> pd.DataFrame:
    """List the panels that show the numbers of claims, as a table: claim_id, figure, panel, data."""
    rows = [
        {"claim_id": claim["claim_id"], "figure": figure, "panel": panel, "data": claim["data"]}
        for claim in context["claims"]
        for figure, panel in claim["pictures"]
    ]
    return pd.DataFrame(rows, columns=["claim_id", "figure", "panel", "data"])
