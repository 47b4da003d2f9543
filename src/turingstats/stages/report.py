"""The report of a study, and what its results were made from."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.core.templating import render_page
from turingstats.data import provenance
from turingstats.figures.fonts import embed_page_fonts
from turingstats.report import at_a_glance, mailed_page, study_page


def describe_provenance(sources: pd.DataFrame, configuration: dict[str, Any], source: str) -> str:
    """Describe what the results were made from, as JSON; `source` is observed, public, demo or a folder."""
    origin = {"kind": source, "commit": sources["commit"].iloc[0]}
    origin["sha256"] = dict(zip(sources["path"], sources["sha256"], strict=True))
    return json.dumps(provenance.describe_run(configuration, origin), indent=2) + "\n"


def build_page(
    origin: str,
    findings: pd.DataFrame | None,
    described: dict[str, Any],
    made: Sequence[str],
    results_folder: Path,
) -> str:
    """Build the page of all results in its folder, and print its answers.

    `made` are the paths of all results; that of the origin and that of the findings are written before.
    """
    here = results_folder / "report"
    files = [str(results_folder / path) for path in made]
    context = study_page.build_context(described, files, results_folder, here)
    print(at_a_glance.summarize_study(described, results_folder, "."))
    return embed_page_fonts(render_page("report.html", context))


def inline_page(page: str, results_folder: Path) -> str:
    """Put the pictures and tables of the page into one file."""
    return mailed_page.inline_files(page, results_folder / "report")
