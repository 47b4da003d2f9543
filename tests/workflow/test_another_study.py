"""A study beside the default one, end to end: all of its results are shown, with what they rest on."""

import csv
import io

import pytest

RESULTS = "results/studies/jones2024"
GENERATED, PRINTED = "generated data", "published counts"
FOLDERS = {"statistics", "figures", "tables", "claims"}


@pytest.fixture(scope="module")
def results(jones2024):
    return jones2024.results(RESULTS)


def read_rows(results, name):
    return list(csv.DictReader(io.StringIO(results[name].decode())))


def test_the_report_shows_every_picture_table_and_panel(results):
    report = results["report/index.html"].decode()
    for name, content in results.items():
        if name.startswith("figures/") and name.endswith(".png"):
            # A figure without any numbers is not shown; its source data are linked.
            assert f"../{name}" in report or f"../{name[:-3]}csv" in report, name
        has_rows = content.count(b"\n") > 1
        if name.startswith("tables/") and name.endswith(".csv") and has_rows:
            assert f"../{name}" in report, name
    rows = read_rows(results, "figures/inventory.csv")
    for row in rows:
        if row["drawn"] in ("yes", "judge trained here"):
            made = f"figures/{row['figure']}.png", f"tables/{row['figure']}.csv"
            assert set(made) & set(results), row
        else:
            assert row["why"], row
    assert {row["drawn"] for row in rows} >= {"yes"}


def test_every_row_says_what_it_rests_on(results):
    tables = {
        name: read_rows(results, name)
        for name in results
        if name.endswith(".csv") and name.split("/")[0] in FOLDERS
    }
    assert {name.split("/")[0] for name, rows in tables.items() if rows} == FOLDERS
    for name, rows in tables.items():
        labels = {row.get("data") for row in rows}
        assert labels <= {GENERATED, PRINTED}, name
        # What is computed from single verdicts is generated.
        if name in ("statistics/estimates.csv", "statistics/tests.csv", "statistics/models.csv"):
            assert labels == {GENERATED}, name
