"""The overview page of all studies, which puts their machines on one scale."""

from pathlib import Path
from typing import Any

from turingstats.claims.ledger_page import MEANINGS, SYMBOLS
from turingstats.core.claim_statuses import STATUSES
from turingstats.core.files import read_frame
from turingstats.core.labels import join_with_and
from turingstats.core.templating import CAPTIONS
from turingstats.figures.notes import Facts
from turingstats.report import at_a_glance
from turingstats.report.at_a_glance import read_rows
from turingstats.report.cells import make_link, write_sentence
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
        "header": [*cards[0]["row"]],
        "statuses": STATUSES,
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "study": None,
    }


def describe_synthesis(folder: Path, here: Path, title: str) -> dict[str, Any]:
    """Describe the synthesis of all studies for the overview page, which is in the folder `here`."""
    folder = Path(folder)
    tables = {name: folder / f"statistics/{name}.csv" for name in ("effects", "left_out")}
    effects, table = read_rows(tables["effects"]), read_frame(tables["effects"])
    drawn = {end: folder / f"figures/forest.{end}" for end in ("svg", "png", "pdf", "csv")}
    made = {end: make_link(path, here) for end, path in drawn.items() if path.exists()}
    alone = [row["reference"] for row in effects if row["error_over"].startswith("verdicts")]
    return {
        "title": title,
        "caption": CAPTIONS["synthesis"],
        "sentence": write_sentence("synthesis", Facts(table)),
        "left_out": read_rows(tables["left_out"]),
        "picture": made.get("svg") or made.get("png") if effects else None,
        "figure_files": made if effects else {},
        "tables": {path.name: make_link(path, here) for path in tables.values() if path.exists()},
        "designs": sorted({row["design"] for row in effects}),
        # Studies whose errors take verdicts as independent.
        "independent": join_with_and(dict.fromkeys(alone)) if alone else "",
        "n_effects": len(effects),
    }
