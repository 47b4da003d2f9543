"""Accepted pictures, and what looks different."""

import pytest
from PIL import Image
from project import GOLDEN, read_study

from tools import baseline, pictures
from turingstats.figures import cells, grid, pages
from turingstats.figures.kinds import KIND_OF
from turingstats.workflow.results import DESIGNS, list_results


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A function: draw a figure of accepted numbers into a file, as a check does."""
    figures = read_study("zhang2025").figures

    def draw(path, change=lambda data: data, name="fig6"):
        data = change(pages.read_source_data(GOLDEN / f"observed/figures/{name}.csv"))
        data = data[data["panel"].isin(["A", "C"])]
        picture = grid.draw_panels(data, figures[name].layout, figures[name].widths)
        path.parent.mkdir(parents=True, exist_ok=True)
        pages.save_figure(picture, [path], 100)
        data.to_csv(path.with_suffix(".csv"), index=False)

    return draw


@pytest.fixture
def made(tmp_path, drawn):
    """The picture of a run that is as accepted."""
    path = tmp_path / "results/figures/fig6.png"
    drawn(path)
    assert pictures.accept_pictures(tmp_path / "observed", tmp_path / "results") == 1
    return path


def compare(made):
    top = made.parents[2]
    return list(pictures.compare_pictures(top / "observed", top / "results", top / "changed"))


def change_number(data):
    at = data["value"].first_valid_index()
    return data.assign(value=data["value"].where(data.index != at, data["value"][at] + 0.01))


def recolor_frame(monkeypatch):
    """Draw the frames of the best models in red: they are rectangles without a filling."""
    draw_box = pages.draw_box

    def draw_red(*box, **style):
        red = {"edgecolor": "red"} if style.get("fill") is False else {}
        return draw_box(*box, **style | red)

    monkeypatch.setattr(cells.pages, "draw_box", draw_red)


def test_another_number_is_seen(made, drawn):
    drawn(made, change_number)
    (difference,) = compare(made)
    assert difference.startswith("figures/fig6.png: ") and "pixels differ" in difference


def test_another_look_is_seen_and_marked(made, drawn, monkeypatch):
    recolor_frame(monkeypatch)
    drawn(made)
    (difference,) = compare(made)
    assert "pixels differ, see" in difference
    changed = made.parents[2] / "changed/figures"
    with Image.open(changed / "fig6-diff.png") as marked:
        assert (0xE6, 0x00, 0x7E) in {
            color for _, color in marked.convert("RGB").getcolors(1 << 24)
        }
    assert (changed / "fig6.png").read_bytes() == made.read_bytes()
    pictures.accept_pictures(made.parents[2] / "observed", made.parents[1])
    assert compare(made) == []


def test_the_last_bit_of_an_edge_is_not_seen(made):
    """Another processor may shade the edge of a letter by a level or two."""
    with Image.open(made) as picture:
        near = picture.convert("RGB").point(lambda level: min(255, level + 3))
    near.save(made)
    assert compare(made) == []
    near.putpixel((5, 5), (255, 255, 230))
    near.save(made)
    assert compare(made)[0].startswith("figures/fig6.png: 1 pixels differ")


def test_pictures_of_another_size_and_those_that_come_and_go_are_named(made, drawn):
    drawn(made.with_stem("fig7"))
    assert compare(made) == ["figures/fig7.png: made by this run, but not accepted"]
    with Image.open(made) as picture:
        wide, tall = picture.size
        picture.crop((0, 0, wide, tall + 5)).save(made)
    assert f": {wide}x{tall + 5} instead of {wide}x{tall}, " in compare(made)[0]
    made.unlink()
    assert "figures/fig6.png: accepted, but not made by this run" in compare(made)


def test_other_studies_keep_a_picture_of_each_kind(tmp_path, drawn):
    """The observed study keeps every picture; two of one kind of another study would say the same."""
    for name, source in (("fig4", "fig4"), ("fig6", "fig6"), ("figS3", "figS3")):
        drawn(tmp_path / f"results/figures/{name}.png", name=source)
    results = tmp_path / "results"
    names = [f"figures/{name}.png" for name in ("fig4", "fig6", "figS3")]
    assert pictures.choose_pictures(tmp_path / "observed", results) == names
    assert pictures.choose_pictures(tmp_path / "jones2024", results) == [names[0], names[2]]


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
    # Needs a server of language models.
    rules = [rule for design in DESIGNS for rule in list_results(design).values()]
    listed = {result.name for rule in rules for result in rule if result.draw}
    assert listed - names == {"llm", "claims_overview", "power", "<figure>"}
