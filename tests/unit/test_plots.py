"""Figures: they show the numbers they are given, legibly."""

import functools
import re

import pandas as pd
import pytest
from drawings import assert_legible, list_words
from project import GOLDEN, read_study

from turingstats.config.study import Figure, check_layout
from turingstats.core.errors import ConfigError, InputError
from turingstats.figures import grid, pages, svg

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
    file = {"generated": "zhang2025", "observed": "zhang2025"}.get(study, study)
    figure = read_study(file).figures[name]
    return grid.draw_panels(data, figure.layout, figure.widths)


@functools.cache
def draw_accepted(study, name):
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


def test_every_cell_and_mark_says_its_number():
    matrix, rows = source_data("fig4", "B", "observed"), source_data("figS2", "N", "observed")
    for name, data in (("fig4", matrix), ("figS2", rows[rows["kind"] == "bars"])):
        text = svg.write_svg(draw(name, data, "observed"), 72, {})
        tips = re.findall("<title>(.*?)</title>", text)
        assert len(tips) == len(data)
        for row, tip in zip(data.to_dict("records"), tips, strict=True):
            assert row["agent_label"] in tip and f"{row['value']:.2f}" in tip
            assert f"{row['n']:,.0f}" in tip


def test_tiny_share_is_never_zero_percent():
    data = source_data("figS2", "A")
    found = " ".join(list_words(draw("figS2", data.assign(value=[0.004, 0.996], n=[4, 996]))))
    assert "<1% (4)" in found
    assert ">99% (996)" in found


def count_asterisks(figure):
    lines = [line for axes in figure.axes for line in axes.lines]
    return sum(line.get_marker() == (6, 2, 0) for line in lines)


def test_asterisks_follow_the_corrected_p_and_the_level():
    data = source_data("figS2", "BV").assign(p_adjusted=0.04, correction="fdr_bh", level=0.95)
    assert count_asterisks(draw("figS2", data)) == len(data) > 0
    figure = draw("figS2", data.assign(p_adjusted=0.05))
    assert count_asterisks(figure) == 0
    assert "none here" in " ".join(list_words(figure))
    # At another level fewer differences are marked, and the foot says at which.
    strict = draw("figS2", data.assign(level=0.99))
    assert count_asterisks(strict) == 0
    assert "Hochberg-corrected p < 0.01, family" in " ".join(list_words(strict))


def drop_data(data, *letters):
    """Source data of a figure some of whose panels have no numbers."""
    empty = data["panel"].isin(letters)
    rows = data[empty].drop_duplicates("panel")
    rows = rows.assign(kind="no data", note="no public data", text="Verdicts.json")
    return pd.concat([data[~empty], rows])


def find_letters(figure):
    """Where the letters of panels stand, in mm from the top left."""
    bold = [text for text in figure.axes[0].texts if text.get_weight() == "bold"]
    return {text.get_text(): text.get_position() for text in bold}


def test_panels_without_data_are_a_line_that_says_why():
    data = source_data("fig7", "ABCD")
    figure = draw("fig7", drop_data(data, "B", "C", "D"))
    words = list_words(figure)
    assert words.count("no public data") == 3
    # The report lists the files; the figure need not.
    assert "Verdicts.json" not in " ".join(words)
    assert "The report names the files that empty panels need" in " ".join(words)
    assert_legible(figure)
    # What has no data at all is no figure.
    empty = draw("fig7", drop_data(data, *"ABCD"))
    assert list_words(empty) == ["No data. A, B, C, D: no public data."]


@pytest.mark.parametrize("lacking", ["", "A", "AFJK", "ADG"])
def test_panels_have_the_same_row_and_column_whatever_data_there_are(lacking):
    """Columns of the paper's figure 4 are tasks: a panel never moves below the name of another."""
    data = source_data("fig4", study="observed")
    figure = draw("fig4", drop_data(data, *lacking), "observed")
    places = find_letters(figure)
    for row in ("ABC", "DEF", "GHI", "JKL"):
        assert len({places[letter][1] for letter in row}) == 1
    for column in ("ADGJ", "BEHK", "CFIL"):
        assert len({places[letter][0] for letter in column}) == 1
    tasks = dict(zip(data["panel"], data["task_label"], strict=True))
    heads = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    for letter, task in tasks.items():
        assert heads[task][0] == places[letter][0]
        assert heads[task][1] < places[letter][1]
    assert_legible(figure)


def test_rows_and_columns_of_other_tasks_are_left_out():
    """A run of some tasks has no gaps for those that it leaves out."""
    places = find_letters(draw("fig4", source_data("fig4", "EGJ", "observed"), "observed"))
    assert places["G"][0] == places["J"][0] < places["E"][0]
    assert places["E"][1] < places["G"][1] < places["J"][1]
    alone = draw("fig4", source_data("fig4", "HI", "observed"), "observed")
    assert find_letters(alone)["H"][0] == pages.MARGIN


@pytest.mark.parametrize("name", ["fig4", "figS2"])
def test_the_pdf_of_a_figure_has_one_page(tmp_path, name):
    pages.save_figure(draw_accepted("observed", name), [tmp_path / "a.pdf"], 100)
    assert (tmp_path / "a.pdf").read_bytes().count(b"/Type /Page ") == 1


def test_the_best_model_has_a_frame_and_those_alike_a_dotted_one():
    """One frame marks the highest share, as in the paper; what may be as good is marked otherwise."""
    data = source_data("fig6", "A", "observed")
    models = [name for name in data["agent"].unique() if name not in ("human", "all")]
    marks = dict(zip(models, ("best imitator", "alike", None), strict=True))
    figure = draw("fig6", data.assign(mark=data["agent"].map(marks)), "observed")
    frames = [p for p in figure.axes[0].patches if not p.get_fill() and p.get_linewidth() > 1]
    assert [frame.get_linestyle() == "-" for frame in frames] == [True, False]


def test_unplaced_panels_and_scan_paths_that_are_none_are_errors():
    with pytest.raises(ConfigError, match="no place for panel Z"):
        draw("fig4", source_data("fig4", "A").assign(panel="Z"))
    data = source_data("fig3", "F").assign(text="upper left")
    with pytest.raises(InputError, match="scan path"):
        draw("fig3", data)


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
