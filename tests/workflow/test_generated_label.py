"""Results of generated data say so, so that nobody takes them for those of the study.

Pictures of generated data: test_snakemake_plan.py.
"""

import csv
import io

import pytest

LABEL = "generated data"
FOLDERS = {"statistics", "figures", "tables", "claims"}


@pytest.fixture
def results(studies):
    """Results of a study without observed trials."""
    return studies.results("results/studies/turingrsa")


def choose(results, *endings):
    """Results with one of the endings, as text; at least one of each."""
    chosen = {name: text.decode() for name, text in results.items() if name.endswith(endings)}
    assert all(any(name.endswith(ending) for name in chosen) for ending in endings)
    return chosen


def test_every_row_of_every_csv_says_generated(results):
    tables = choose(results, ".csv")
    tables = {name: text for name, text in tables.items() if name.split("/")[0] in FOLDERS}
    assert {name.split("/")[0] for name in tables} == FOLDERS
    rows = {name: list(csv.DictReader(io.StringIO(text))) for name, text in tables.items()}
    assert sum(map(bool, rows.values())) > 10
    for name, listed in rows.items():
        assert {row.get("data") for row in listed} <= {LABEL}, name


def test_every_table_for_people_says_generated(results):
    for name, text in choose(results, ".html", ".tex").items():
        assert LABEL in text, name
