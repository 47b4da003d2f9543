"""The overview page of all studies."""

from pathlib import Path
from typing import Any

from turingstats.claims.ledger_page import MEANINGS, SYMBOLS
from turingstats.core.claim_statuses import STATUSES
from turingstats.report import at_a_glance
from turingstats.report.at_a_glance import read_rows
from turingstats.report.cells import make_link
from turingstats.report.sections import count_panels, sum_up_claims


def describe_study(study: dict[str, Any], folder: Path, here: Path) -> dict[str, Any]:
    """Describe a study for the overview page, which is in the folder `here`."""
    folder = Path(folder)
    ledger = folder / "claims/index.html"
    return {
        "study": study,
        "basis": (basis := at_a_glance.describe_basis(study, folder)),
        "kind": basis["kind"],
        "row": at_a_glance.make_row(study, folder, here),
        "claims": sum_up_claims(read_rows(folder / "claims/summary.csv"), study["tasks"]),
        "inventory": count_panels(read_rows(folder / "figures/inventory.csv")),
        "report": make_link(folder / "report/index.html", here),
        "ledger": make_link(ledger, here) if ledger.exists() else None,
    }


def build_overview(
    cards: list[dict[str, Any]], synthesis: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Collect what the overview page shows, for the template studies.html."""
    kinds = {card["kind"] for card in cards}
    return {
        "cards": cards,
        "synthesis": synthesis,
        "generated": kinds == {"generated"},
        "kind": kinds.pop() if len(kinds) == 1 else "several",
        "header": at_a_glance.HEADER,
        "statuses": STATUSES,
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "study": None,
    }
