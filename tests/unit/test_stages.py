"""Figures are drawn only if they change, and one that fails keeps no other from being drawn."""

import pytest
from matplotlib.figure import Figure

from turingstats.core import files
from turingstats.core.errors import TuringError
from turingstats.stages import draw

STYLE = draw.Style(dpi=72, formats=["png"])
NUMBERS = "panel,value,data\nA,1,observed data\n"


def draw_nothing(data, **places):
    return Figure(figsize=(1, 1))


def fail(data, **places):
    raise ValueError("no color is left")


@pytest.fixture
def make_drawing(tmp_path):
    """A function that describes a figure to draw."""
    folder = tmp_path / "figures"
    folder.mkdir()

    def describe(name, function=draw_nothing, numbers=NUMBERS, **about):
        files.write_text(numbers, folder / f"{name}.csv")
        return draw.Drawing(function, folder / f"{name}.csv", {"title": name, **about})

    return describe


def run(drawings, tmp_path, capsys):
    try:
        draw.draw_figures(drawings, STYLE, tmp_path / "cache", workers=2)
    finally:
        lines = capsys.readouterr().out.splitlines()
        told = dict(line.split(": ", 1) for line in lines if line.startswith("fig"))
    return told


def test_figures_are_drawn_if_numbers_titles_or_code_change(make_drawing, tmp_path, capsys):
    drawn, kept = "drawn", "as before"
    figures = [make_drawing("fig1"), make_drawing("fig2")]
    assert run(figures, tmp_path, capsys) == {"fig1": drawn, "fig2": drawn}
    picture = tmp_path / "figures/fig1.png"
    content = picture.read_bytes()
    picture.unlink()
    assert run(figures, tmp_path, capsys) == {"fig1": kept, "fig2": kept}
    assert picture.read_bytes() == content
    other = make_drawing("fig2", numbers=NUMBERS.replace("1", "2"))
    assert run([figures[0], other], tmp_path, capsys) == {"fig1": kept, "fig2": drawn}
    titled = make_drawing("fig1", caption="Another.")
    assert run([titled, other], tmp_path, capsys) == {"fig1": drawn, "fig2": kept}
    # Only the last picture of a figure is kept.
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_figure_that_fails_is_named_and_keeps_no_other(make_drawing, tmp_path, capsys):
    figures = [make_drawing("fig1", fail), make_drawing("fig2")]
    with pytest.raises(TuringError, match="1 of 2 figures could not be drawn: fig1"):
        run(figures, tmp_path, capsys)
    assert (tmp_path / "figures/fig2.png").exists()
    assert not (tmp_path / "figures/fig1.png").exists()
