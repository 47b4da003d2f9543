"""Titles and captions of the figures that are made for every study."""

from turingstats.report.headings import CAPTIONS, TITLES
from turingstats.stages.drawers import DRAWERS


def test_figures_of_every_study():
    assert set(DRAWERS) | {"claims_overview", "power", "looks"} == set(CAPTIONS) <= set(TITLES)
