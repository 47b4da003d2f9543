"""Results of generated data say so, so that nobody takes them for those of the study."""

import csv
import io

LABEL = "generated data"


def chosen(results, *endings):
    """Results with one of the endings, as text; at least one of each."""
    found = {name: content for name, content in results.items() if name.endswith(endings)}
    assert {ending for ending in endings for name in found if name.endswith(ending)} == set(endings)
    return {name: content.decode() for name, content in found.items()}


def test_every_row_of_every_csv_says_generated(generated):
    folders = ("statistics/", "figures/", "tables/", "claims/")
    tables = chosen(generated.results("results/generated/zhang2025"), ".csv")
    tables = {name: text for name, text in tables.items() if name.startswith(folders)}
    assert {name.split("/")[0] + "/" for name in tables} == set(folders)
    for name, text in tables.items():
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows, name
        assert {row.get("data") for row in rows} == {LABEL}, name


def test_every_table_for_people_says_generated(generated):
    for name, text in chosen(
        generated.results("results/generated/zhang2025"), ".html", ".tex"
    ).items():
        assert LABEL in text, name


def test_every_picture_says_generated(generated):
    # Letters are outlines in an SVG; the text they show stands beside them as a comment.
    for name, text in chosen(generated.results("results/generated/zhang2025"), ".svg").items():
        assert LABEL in text.lower(), name
