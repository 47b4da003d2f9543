"""Figures: they show the numbers they are given, legibly."""

import pandas as pd
import pytest
from drawings import assert_legible, list_texts, list_words
from project import GOLDEN, read_study

from turingstats.config.study import Figure
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.yaml_models import build_model
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
    file = {"generated": "zhang2025", "observed": "zhang2025"}.get(study, study)
    figure = read_study(file).figures[name]
    return grid.draw_panels(data, figure.layout, figure.widths)


@pytest.mark.parametrize(("study", "name"), DRAWN)
def test_figures_are_legible(study, name):
    data = source_data(name, study=study)
    figure = draw(name, data, study)
    assert_legible(figure)
    assert round(figure.get_figwidth() * 25.4) in (pages.COLUMN, pages.PAGE)
    generated = data["data"].str.startswith("generated").any()
    assert any(text.startswith("Generated data") for text in list_words(figure)) == generated


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
    texts = figure.axes[0].texts
    # Where headings and letters of panels stand, in mm from the top left.
    heads = {text.get_text(): text.get_position() for text in texts}
    places = {
        text.get_text(): heads[text.get_text()] for text in texts if text.get_weight() == "bold"
    }
    for row in ("ABC", "DEF", "GHI", "JKL"):
        assert len({places[letter][1] for letter in row}) == 1
    for column in ("ADGJ", "BEHK", "CFIL"):
        assert len({places[letter][0] for letter in column}) == 1
    for letter, task in zip(data["panel"], data["task_label"], strict=True):
        assert heads[task][0] == places[letter][0]
        assert heads[task][1] < places[letter][1]
    assert_legible(figure)


def test_unplaced_panels_and_scan_paths_that_are_none_are_errors():
    with pytest.raises(ConfigError, match="no place for panel Z"):
        draw("fig4", source_data("fig4", "A").assign(panel="Z"))
    data = source_data("fig3", "F").assign(text="upper left")
    with pytest.raises(InputError, match="scan path"):
        draw("fig3", data)


def test_a_conversation_is_read_from_top_to_bottom_in_the_columns_of_its_speakers():
    data = source_data("fig3", "F").head(3).assign(
        kind="conversation", quantity="turn", group="talk 1", agent=["human", "gpt", "human"],
        agent_label=["Human", "GPT", "Human"], x=[1.0, 2.0, 3.0], text=["Hi.", "Hello!", "Bye."],
    )  # fmt: skip
    figure = draw("fig3", data)
    places = {text.get_text(): text.get_position() for text in list_texts(figure)}
    said = [places[words] for words in ("Hi.", "Hello!", "Bye.")]
    assert [down for _, down in said] == sorted({down for _, down in said})
    assert [across for across, _ in said] == [places[who][0] for who in ("Human", "GPT", "Human")]
    assert_legible(figure)


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
    described = {"title": "", "panels": {"A": panel, "B": panel}}
    described |= {"layout": layout, "widths": widths}
    with pytest.raises(ConfigError, match=f"Value error, {message}"):
        build_model(Figure, described, "fig1")
