"""Studies beside zhang2025, end to end: all of their results are shown. `make check` has their numbers."""

import pandas as pd
import pytest
from project import ROOT, STUDIES, read_study

each_study = pytest.mark.parametrize("study", STUDIES)


def read(project, study, name):
    """A table of results as text."""
    path = project.folder / f"results/studies/{study}/{name}"
    return pd.read_csv(path, dtype=str, keep_default_na=False)


@each_study
def test_every_panel_that_the_inventory_calls_drawn_is_there(studies, study):
    made = studies.results(f"results/studies/{study}")
    inventory = read(studies, study, "figures/inventory.csv")
    there = [
        f"figures/{name}.png" in made or f"tables/{name}.csv" in made
        for name in inventory["figure"]
    ]
    drawn = inventory["drawn"].isin(["yes", "judge trained here"])
    assert inventory.loc[drawn & ~pd.Series(there), "figure"].empty
    assert (inventory.loc[~drawn, "why"] != "").all()


@each_study
def test_the_report_shows_every_picture_and_table(studies, study):
    made = studies.results(f"results/studies/{study}")
    report = made["report/index.html"].decode()
    for name, content in made.items():
        if name.startswith("figures/") and name.endswith(".png"):
            # A figure without any numbers is not shown; its source data are linked.
            assert f"../{name}" in report or f"../{name[:-3]}csv" in report, name
        has_rows = content.count(b"\n") > 1
        if name.startswith("tables/") and name.endswith(".csv") and has_rows:
            assert f"../{name}" in report, name


@pytest.mark.parametrize(("subset", "games"), [("all", "all games"), ("first", "first games")])
def test_a_rate_table_has_the_printed_counts(studies, subset, games):
    printed = pd.read_csv(ROOT / "data/published/jones2024/counts.csv")
    agents = read_study("jones2024").agents
    printed = printed[(printed["subset"] == subset) & printed["agent"].isin(list(agents))]
    assert len(printed) == 14
    table = read(studies, "jones2024", "tables/table1.csv").set_index("Agent")
    for row in printed.itertuples():
        cell = table.loc[agents[row.agent].label, f"Published counts, {games}"]
        assert cell.startswith(f"{row.rate:.2f} [") and cell.endswith(f" ({row.n:,})")
    assert set(table["data"]) == {"published counts"}
