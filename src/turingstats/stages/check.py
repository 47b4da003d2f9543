"""Check what papers print against the recomputed numbers, and write the pages of the ledger."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from turingstats.claims import (
    claims_file,
    consistency,
    derivations,
    ledger,
    ledger_page,
    overview,
)
from turingstats.core import files
from turingstats.core.templating import render_page
from turingstats.figures import source_data
from turingstats.figures.fonts import write_page

PAGES = ("ledger", "summary", "notebooks")


def check_claims(
    recomputed: ledger.Recomputed,
    paths: Sequence[str],
    all_paths: Sequence[str],
    notebooks: Sequence[str],
    tasks: list[str],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compare published numbers with the recomputed ones, and with each other; `all_paths` are of all papers,
    since a paper may be checked against another.
    """
    papers = {Path(path).parent.name: Path(path) for path in paths}
    columns = list_columns(recomputed)
    published = {
        paper: claims_file.read_claims(path, tasks, columns) for paper, path in papers.items()
    }
    everything = pd.concat(map(files.read_frame, all_paths), ignore_index=True)
    checked = []
    for paper, path in papers.items():
        declared = path.with_name("consistency.csv")
        checks = consistency.read_checks(declared)
        checked.append(
            consistency.check_consistency(checks, paper, everything, recomputed.data, declared)
        )
    checks = pd.concat(checked, ignore_index=True)
    contradictions = consistency.list_contradictions(checks)
    printed = pd.concat([everything, *map(files.read_frame, notebooks)], ignore_index=True)
    compared = []
    for paper, claims in published.items():
        made = ledger.check_claims(claims, paper, recomputed, contradictions)
        path = papers[paper].with_name("derivations.csv")
        declared = derivations.read_derivations(path, claims["claim_id"])
        compared.append(derivations.apply_derivations(made, declared, recomputed.results, printed))
    return pd.concat(compared, ignore_index=True), checks


def list_columns(recomputed: ledger.Recomputed) -> dict[str, list[str]]:
    """List the columns of each table."""
    return {name: list(table.columns) for name, table in recomputed.tables.items()}


def check_notebooks(
    recomputed: ledger.Recomputed, paths: Sequence[str], tasks: list[str]
) -> pd.DataFrame:
    """Compare the numbers that the authors' notebooks print with the recomputed ones."""
    compared = []
    for path in paths:
        columns = list_columns(recomputed)
        printed = claims_file.read_claims(path, tasks, columns, claims_file.NOTEBOOK_COLUMNS)
        compared.append(ledger.check_claims(printed, Path(path).parent.name, recomputed))
    return pd.concat(compared, ignore_index=True)


def write_ledger_pages(
    folder: Path,
    tables: dict[str, pd.DataFrame],
    figures: dict[str, pd.DataFrame],
    tasks: dict[str, str],
    with_notebooks: bool,
) -> None:
    """Write the ledger in `folder` as HTML pages, and the source data of its figure."""

    def read_as_printed(name: str) -> pd.DataFrame:
        # Numbers of the ledger stay as printed: 0.50, and 190 judges.
        return files.read_frame(folder / f"{name}.csv", as_text=True)

    claims, checks = read_as_printed("claims"), files.read_frame(folder / "consistency.csv")
    notebooks = read_as_printed("notebooks") if with_notebooks else None
    context = ledger_page.build_context(claims, checks, tables, figures, tasks, notebooks)
    for page in PAGES:
        name = "index" if page == "ledger" else page
        write_page(render_page(f"{page}.html", context), folder / f"{name}.html")
    files.write_frame(ledger_page.list_panels(context), folder / "panels.csv")
    points = overview.select_points(claims)
    source_data.write_source_data(points, folder / "claims_overview.csv")
    print(f"{len(context['claims'])} claims, {len(context['notebooks'])} numbers of notebooks")
