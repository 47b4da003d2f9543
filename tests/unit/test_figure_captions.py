"""Every figure of a report has a caption and a title."""

from project import ROOT

from turingstats.report.headings import CAPTIONS, TITLES

STANDALONE = ROOT / "src/turingstats/figures/standalone"
LAYOUTS = {"__init__", "panels_in_rows", "similarity"}
"""Modules that draw figures of panels, which study files name."""


def test_figures_of_every_study():
    drawn = {path.stem for path in STANDALONE.glob("*.py")} - LAYOUTS
    assert drawn | {"claims_overview", "power", "looks"} == set(CAPTIONS) <= set(TITLES)
