"""The list of results: its functions, what they are given, and the page that follows from it."""

import pytest

from turingstats.workflow import results
from turingstats.workflow.results import DESIGNS, STEPS, VERDICTS, list_results

LISTED = {
    f"{design} {result.path or name}": result
    for design in DESIGNS
    for name, result in [
        *STEPS.items(),
        *((r.path, r) for rule in list_results(design).values() for r in rule),
    ]
}


@pytest.mark.parametrize("design", DESIGNS)
def test_needs_are_results_of_the_same_design_or_are_printed(design):
    every = [result for rule in list_results(design).values() for result in rule]
    # The report of any design may have what one of them has.
    paths = {result.path.rpartition(".")[0] for result in (*every, *VERDICTS["report"])}
    names = paths | {path.partition("/")[2] for path in paths} | STEPS.keys()
    for result in every:
        unknown = {need for need in result.needs if not need.startswith("published/")} - names
        assert not unknown, result.path


def test_claims_select_from_statistics_alone():
    claimable = {result.path for result in LISTED.values() if result.is_claimable}
    assert "statistics/estimates.csv" in claimable and "statistics/sizes.csv" in claimable
    assert all(path.startswith("statistics/") and path.endswith(".csv") for path in claimable)
    assert "statistics/model_contrasts.csv" not in claimable


def test_a_figure_that_is_not_listed_is_made_of_panels():
    assert results.find_drawer("forest", "verdicts") == "figures.forests:draw_models"
    assert results.find_drawer("fig6", "verdicts") == "figures.grid:draw_panels"
    # The table of this name is drawn by none.
    assert results.find_drawer("equivalence", "verdicts").endswith("draw_equivalence")
