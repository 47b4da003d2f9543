"""Accepted pictures, and what looks different."""

import pytest
from PIL import Image, ImageDraw
from project import GOLDEN

from tools import baseline, pictures
from turingstats.figures.kinds import KIND_OF
from turingstats.stages.drawers import DRAWERS


def draw(path, color="black", size=(80, 40), mark=20):
    """Write a made-up picture."""
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((10, 10, mark, 30), fill=color)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)


@pytest.fixture
def made(tmp_path):
    """Results with two figures, of which the first has an accepted picture."""
    for name in (
        "results/figures/fig1.png",
        "results/figures/fig2.png",
        "accepted/figures/fig1.png",
    ):
        draw(tmp_path / name)
    assert pictures.accept_pictures(tmp_path / "accepted", tmp_path / "results") == 1
    return tmp_path / "results/figures/fig1.png"


def compare(made):
    top = made.parents[2]
    return pictures.compare_pictures(top / "accepted", top / "results", top / "changed")


@pytest.mark.parametrize("look", [{}, {"color": "#010101"}])
def test_pictures_that_look_alike_are_as_accepted(made, look):
    draw(made, **look)
    assert compare(made) == []


@pytest.mark.parametrize(
    ("look", "reason"), [({"mark": 60}, "differs by"), ({"size": (90, 40)}, "another size")]
)
def test_a_picture_that_looks_different_is_kept_to_look_at(made, look, reason):
    draw(made, **look)
    (difference,) = compare(made)
    assert difference.startswith(f"figures/fig1.png: {reason}")
    assert (made.parents[2] / "changed/figures/fig1.png").exists()
    pictures.accept_pictures(made.parents[2] / "accepted", made.parents[1])
    assert compare(made) == []


def test_a_picture_that_is_no_longer_made_is_named(made):
    made.unlink()
    assert compare(made) == ["figures/fig1.png: accepted, but not made by this run"]


def test_every_kind_of_panel_of_the_studies_has_an_accepted_picture():
    drawn, pictured = set(), set()
    for path in GOLDEN.glob("*/figures/*.csv"):
        table = baseline.read_table(path)
        kinds = set(table["kind"]) & KIND_OF.keys() if "kind" in table else set()
        if path.stem != "inventory":
            drawn |= kinds
            pictured |= kinds if path.with_suffix(".png").exists() else set()
    assert drawn == pictured
    names = {path.stem for path in GOLDEN.glob("*/figures/*.png")}
    # Need a server of language models, and a study of pairs.
    assert DRAWERS.keys() - names == {"llm", "ranking"}
