"""Figures: they show the numbers they are given, legibly."""

import functools

import pandas as pd
import pytest
from drawings import assert_legible, list_words
from project import GOLDEN, read_study

from turingstats.config.study import Figure, check_layout
from turingstats.core.errors import ConfigError, InputError
from turingstats.figures import grid, pages

DRAWN = [
    *(("generated", f"fig{number}") for number in "3 5 8 S8".split()),
    *(("observed", f"fig{number}") for number in "2 4 S2 S5".split()),
    *(("xturing", name) for name in ("pass_rates", "printed_rates")),
]
"""Figures of accepted results, with every kind of panel."""


def source_data(name, letters=None, study="generated"):
    """Source data of an accepted figure, of all its panels or of some."""
    data = pages.read_source_data(GOLDEN / study / f"figures/{name}.csv")
    return data if letters is None else data[data["panel"].isin(list(letters))]


def draw(name, data, study="generated"):
    """Draw a figure in the layout of its study."""
    file = {"generated": "zhang2025", "observed": "zhang2025"}.get(study, study)
    figure = read_study(file).figures[name]
    return grid.draw_panels(data, figure.layout, figure.widths)


@functools.cache
def draw_accepted(study, name):
    """Draw an accepted figure, once for several tests."""
    return draw(name, source_data(name, study=study), study)


@pytest.mark.parametrize(("study", "name"), DRAWN)
def test_figures_are_legible(study, name):
    data, figure = source_data(name, study=study), draw_accepted(study, name)
    assert_legible(figure)
    assert round(figure.get_figwidth() * 25.4) in (pages.COLUMN, pages.PAGE)
    generated = data["data"].str.startswith("generated").any()
    assert any(text.startswith("Generated data") for text in list_words(figure)) == generated


@pytest.mark.parametrize("reading", ["published", "recommended"])
def test_matrix_shows_every_number_of_its_source_data(reading):
    data = source_data("fig6", "E")
    limits = {"ci_low": data["value"] - 0.05, "ci_high": data["value"] + 0.07}
    data = data.assign(reading=reading, **limits)
    found = list_words(draw("fig6", data))
    for row in data.to_dict("records"):
        spread = f"{row['se']:.2f}"
        if reading == "recommended":
            spread = f"{row['ci_low']:.2f}–{row['ci_high']:.2f}"
        assert f"({spread})" in found
        assert f"n = {row['n']:,.0f}" in found
        assert row["agent_label"] in " ".join(found)
        if row["quantity"].startswith("p_H"):
            assert f"{row['value']:.2f}" in found
    assert "192 judges" in found


def test_tiny_share_is_never_zero_percent():
    data = source_data("figS2", "A")
    found = " ".join(list_words(draw("figS2", data.assign(value=[0.004, 0.996], n=[4, 996]))))
    assert "<1% (4)" in found
    assert ">99% (996)" in found


def count_asterisks(figure):
    lines = [line for axes in figure.axes for line in axes.lines]
    return sum(line.get_marker() == (6, 2, 0) for line in lines)


def test_asterisks_follow_the_corrected_p():
    data = source_data("figS2", "BV")
    tested = data["p_adjusted"].notna().sum()
    assert tested
    assert count_asterisks(draw("figS2", data.assign(p_adjusted=0.04))) == len(data)
    figure = draw("figS2", data.assign(p_adjusted=0.05))
    assert count_asterisks(figure) == 0
    assert "none here" in " ".join(list_words(figure))


def test_asterisks_follow_the_level_of_the_run():
    """A study at another level marks fewer differences, and its foot says at which level."""
    data = source_data("figS2", "BV").assign(p_adjusted=0.04, correction="fdr_bh")
    strict = draw("figS2", data.assign(level=0.99))
    assert count_asterisks(strict) == 0
    assert "Hochberg-corrected p < 0.01, family" in " ".join(list_words(strict))
    assert count_asterisks(draw("figS2", data.assign(level=0.95))) == len(data)


def test_panels_without_data_are_a_line_that_says_why():
    data = source_data("fig7", "ABCD")
    empty = data["panel"].isin(["B", "C", "D"])
    rows = data[empty].drop_duplicates("panel").assign(kind="no data", note="no public data")
    rows["text"] = "Verdicts.json"
    figure = draw("fig7", pd.concat([data[~empty], rows]))
    words = " ".join(list_words(figure))
    task = rows["task_label"].iloc[0]
    assert {"B, C, D", f"{task}: no public data"} <= set(list_words(figure))
    # The report lists the files; the figure need not.
    assert "Verdicts.json" not in words
    assert "The report names the files that empty panels need" in words
    assert_legible(figure)
    assert draw("fig7", rows).get_figheight() * 25.4 < 25


def test_the_pdf_of_a_tall_figure_has_pages_that_end_between_rows(tmp_path):
    figure = draw_accepted("observed", "figS2")
    pages.save_figure(figure, [tmp_path / "a.pdf"], 100)
    boxes = figure.split_pages()
    assert (tmp_path / "a.pdf").read_bytes().count(b"/Type /Page ") == len(boxes) > 1
    heights = [box.height * 25.4 for box in boxes]
    assert max(heights) <= pages.TALLEST
    assert sum(heights) == pytest.approx(figure.get_figheight() * 25.4)


def test_unplaced_panel_is_an_error():
    with pytest.raises(ConfigError, match="no place for panel Z"):
        draw("fig4", source_data("fig4", "A").assign(panel="Z"))


@pytest.mark.parametrize(
    ("layout", "widths", "message"),
    [
        (["A"], [], "layout: B without a place"),
        (["AB", "A"], [], "layout: A placed twice"),
        (["AB"], [80], "widths: 1 widths, but the layout has 2 columns"),
        ([], [80, 80], "widths: 2 widths, but the layout has 0 columns"),
    ],
)
def test_a_layout_that_does_not_fit_its_panels_is_an_error(layout, widths, message):
    panel = {"kind": "matrix", "title": "Judges", "task": "color", "cohort": "amt"}
    figure = Figure(title="", panels={"A": panel, "B": panel}, layout=layout, widths=widths)
    with pytest.raises(ConfigError, match=f"study.yaml: figures.fig1.{message}"):
        check_layout(figure, "study.yaml: figures.fig1")


def test_scan_path_that_is_none_is_an_error():
    data = source_data("fig3", "F").assign(text="upper left")
    with pytest.raises(InputError, match="scan path"):
        draw("fig3", data)
