"""Accepted pictures, and what differs from them."""

import pytest
from PIL import Image, ImageDraw

from tools import check, pictures
from turingstats.core.errors import ConfigError


def draw(results, figure, color="black", size=(80, 40), mark=20):
    """Write made-up files of a figure."""
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((10, 10, mark, 30), fill=color)
    path = results / "figures" / f"{figure}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)
    path.with_suffix(".svg").write_text(f"<svg>{color}{mark}</svg>")


@pytest.fixture
def accepted(tmp_path):
    """Results with two figures, and the folder in which they are accepted."""
    for figure in ("fig1", "fig2"):
        draw(tmp_path / "results", figure)
    assert pictures.accept_pictures(tmp_path / "accepted", tmp_path / "results") == 2
    return tmp_path / "accepted", tmp_path / "results"


def test_the_same_pictures_are_as_accepted(accepted):
    assert pictures.compare_pictures(*accepted) == ([], [])
    assert (accepted[0] / "figures/fig1.png").exists()


def test_a_changed_picture_says_whether_its_numbers_changed(accepted):
    draw(accepted[1], "fig2", mark=40)
    ((change,), near) = pictures.compare_pictures(*accepted)
    assert str(change) == "figures/fig2: png, svg differs; its numbers are as accepted"
    assert near == [] and all(change.pictures.values())
    ((change,), _) = pictures.compare_pictures(*accepted, changed=["figures/fig2"])
    assert str(change).endswith("its numbers differ too")


def test_one_format_that_differs_is_named(accepted):
    (accepted[1] / "figures/fig1.svg").write_text("<svg/>")
    ((change,), _) = pictures.compare_pictures(*accepted)
    assert change.what == "svg differs"


def test_new_and_missing_pictures_and_formats_are_changes(accepted):
    folder, results = accepted
    draw(results, "fig3")
    (results / "figures/fig1.svg").unlink()
    for suffix in ("png", "svg"):
        (results / f"figures/fig2.{suffix}").unlink()
    changes, _ = pictures.compare_pictures(folder, results)
    assert list(map(str, changes)) == [
        "figures/fig1: svg not made; its numbers are as accepted",
        "figures/fig2: accepted, but not made",
        "figures/fig3: made by this run, but not accepted",
    ]
    pictures.accept_pictures(folder, results)
    assert pictures.compare_pictures(folder, results) == ([], [])
    assert not (folder / "figures/fig2.png").exists()


def test_a_tolerance_lets_pictures_pass_that_nearly_look_the_same(accepted):
    folder, results = accepted
    draw(results, "fig1", color="#020202")
    assert len(pictures.compare_pictures(folder, results)[0]) == 1
    changes, (note,) = pictures.compare_pictures(folder, results, tolerance=2)
    assert changes == [] and note.startswith("figures/fig1: png, svg differs, pictures alike")
    draw(results, "fig1", mark=60)
    assert len(pictures.compare_pictures(folder, results, tolerance=2)[0]) == 1
    draw(results, "fig1", size=(90, 40))
    assert len(pictures.compare_pictures(folder, results, tolerance=255)[0]) == 1


def test_without_accepted_pictures_the_remedy_is_told(tmp_path, accepted):
    with pytest.raises(ConfigError, match=r"nothing accepted yet.*make accept"):
        pictures.compare_pictures(tmp_path / "none", accepted[1])


def test_accepted_pictures_are_small(tmp_path):
    draw(tmp_path, "wide", size=(2000, 1000))
    pictures.accept_pictures(tmp_path / "accepted", tmp_path)
    with Image.open(tmp_path / "accepted/figures/wide.png") as picture:
        assert picture.size == (600, 300) and picture.mode == "P"


def test_the_page_shows_changes_side_by_side(accepted, tmp_path):
    draw(accepted[1], "fig2", mark=40)
    changes, _ = pictures.compare_pictures(*accepted)
    pictures.write_page({"a <part>": changes, "other": []}, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("data:image/png;base64,") == 3
    assert "a &lt;part&gt;: 1" in page and "other: none" in page


def test_a_baseline_of_ones_own_holds_its_pictures(tmp_path):
    assert check.find_pictures(check.GOLDEN / "observed") == check.PICTURES / "observed"
    assert check.find_pictures(tmp_path) == tmp_path / "pictures"


def test_accepted_pictures_of_the_project_take_little_room():
    paths = check.PICTURES.rglob("*") if check.PICTURES.exists() else ()
    assert sum(path.stat().st_size for path in paths if path.is_file()) < 5_000_000
