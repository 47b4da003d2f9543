"""Pictures as SVG: their text, fonts and metadata."""

import base64
import io
import multiprocessing
import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from fontTools.ttLib import TTFont
from matplotlib import font_manager
from PIL import Image

from turingstats.figures import cells as table
from turingstats.figures import fonts, marks, pages, svg

ABOUT = {"title": "Title", "description": "What is shown. Observed data."}


def draw(*texts, weight="normal"):
    canvas = pages.make_page(60, 30)
    pages.write_lines(canvas, 2, 5, list(texts), weight=weight)
    return canvas


def read(canvas):
    metadata = pages.write_metadata(".svg", **ABOUT)
    text = svg.write_svg(canvas.figure, 100, metadata, ABOUT["description"])
    return text, ElementTree.fromstring(text)


def test_text_stays_text_in_a_font_of_its_characters_and_those_of_ascii():
    canvas = draw("Av Ta 0.5 \N{MINUS SIGN}1")
    pages.write_lines(canvas, 2, 20, "bold", weight="bold")
    text, root = read(canvas)
    texts = [element.text for element in root.iter(f"{svg.SVG}text")]
    assert texts == ["Av Ta 0.5 \N{MINUS SIGN}1", "bold"]
    held = re.findall(r"font-weight:(\d+);src:url\(data:font/woff;base64,([^)]+)\)", text)
    found = {int(w): TTFont(io.BytesIO(base64.b64decode(woff))) for w, woff in held}
    assert sorted(found) == [400, 700]
    assert set(map(chr, found[400].getBestCmap())) == set(texts[0]) | svg.ASCII
    assert set(map(chr, found[700].getBestCmap())) == svg.ASCII
    known = r"http://(www\.w3\.org|purl\.org|creativecommons\.org/ns#)"
    assert "http" not in re.sub(known, "", text)


@pytest.mark.parametrize("weight", [400, 700])
def test_the_embedded_font_sets_text_as_wide_as_it_was_measured(weight):
    line = "AVATAR To Yes, (Wave) 7.4\N{EN DASH}1 classified fluently"
    path = font_manager.findfont(font_manager.FontProperties(family=fonts.FAMILY, weight=weight))
    font = TTFont(io.BytesIO(fonts.cut_font(path, frozenset(line))))
    width = sum(font["hmtx"][font.getBestCmap()[ord(letter)]][0] for letter in line)
    measured = pages.measure_text(line, 10, weight) / 25.4 * 72 * 100
    assert width == pytest.approx(measured, rel=0.005)


def test_files_say_what_they_show_but_not_when_they_were_made(tmp_path):
    paths = [tmp_path / f"a.{suffix}" for suffix in ("pdf", "svg", "png")]
    pages.save_figure(draw("text").figure, paths, 100, **ABOUT)
    pdf, drawn, png = (path.read_bytes() for path in paths)
    about = {"Title": "Title", "Subject": ABOUT["description"], "Creator": "turingstats"}
    assert all(f"/{name} ({text})".encode() in pdf for name, text in about.items())
    assert b"Date" not in pdf and b"matplotlib" not in pdf.lower()
    assert b"<dc:title>turingstats</dc:title>" in drawn
    assert b"dc:date" not in drawn and b"matplotlib" not in drawn.lower()
    with Image.open(io.BytesIO(png)) as picture:
        texts = {name: text for name, text in picture.info.items() if name != "dpi"}
    assert texts == {"Description": about.pop("Subject"), **about}


def test_a_pdf_breaks_between_rows_where_a_page_of_a_journal_is_too_low(tmp_path):
    path, ends = tmp_path / "a.pdf", [120, 246.9 - 2.5 - 2, 600]
    for end, heights in zip(ends, ([124.5], [246.9], [200, 200, 204.5]), strict=True):
        rows = [row for row in (0, 100, 200, 400) if row < end]
        page = pages.close_page(pages.make_page(183), end, "foot", rows)
        pages.save_figure(page, [path], 100)
        drawn = re.findall(rb"/MediaBox \[ 0 0 [\d.]+ ([\d.]+) \]", path.read_bytes())
        assert [float(high) * 25.4 / 72 for high in drawn] == pytest.approx(heights)
        assert page.get_size_inches()[1] * 25.4 == pytest.approx(sum(heights))


def test_a_png_has_the_size_and_the_colors_of_the_page(tmp_path):
    canvas = draw()
    pages.draw_box(canvas, 10, 10, 20, 10, facecolor="#c8102e", edgecolor="none")
    for dpi in (100, 200):
        pages.save_figure(canvas.figure, [tmp_path / "a.png"], dpi)
        with Image.open(tmp_path / "a.png") as picture:
            assert picture.mode == "RGB" and picture.info["dpi"][0] == pytest.approx(dpi, abs=0.01)
            assert picture.size == (int(60 / 25.4 * dpi), int(30 / 25.4 * dpi))
            at = int(15 / 25.4 * dpi)
            assert picture.getpixel((at, at)) == (0xC8, 0x10, 0x2E)
            assert picture.getpixel((1, 1)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"A": "observed data", "B": "observed data"}, ""),
        ({"A": "generated data", "B": "generated data"}, "Generated data: these"),
        ({"A": "observed data", "B": "generated data"}, "Generated data in panel B: these"),
        (
            {"C": "generated data", "B": "generated data", "A": "public data"},
            "in panels B and C: these",
        ),
    ],
)
def test_a_banner_names_the_panels_of_generated_data(labels, words):
    rows = pd.DataFrame(labels.items(), columns=["panel", "data"])
    texts = [text.get_text() for text in pages.open_page(rows)[0].texts]
    assert len(texts) == bool(words) and words in "".join(texts)


def test_rows_of_cells_are_as_high_as_their_fullest_cell():
    def draw_row(*numbers):
        row = [table.Cell(0.5, ["0.50"] * number) for number in numbers]
        place = pages.Place(0, 0, 80)
        rows = [table.CellRow("Row", [*row, None])]
        return table.draw_cells(pages.make_page(80), place, rows, ["a", "b", "c"], "", 30)

    assert draw_row(1, 3) == draw_row(3, 1) == draw_row(3, 3) > draw_row(2, 2)


def test_processes_may_prepare_the_same_font_at_once(tmp_path, monkeypatch):
    """On a fresh computer, several jobs look for a font that none has prepared yet."""
    forked = multiprocessing.get_context("fork")
    together = forked.Barrier(2)

    class Font:
        def save(self, draft):
            draft.write_bytes(b"font")
            together.wait(10)

    monkeypatch.setattr(svg.matplotlib, "get_cachedir", lambda: tmp_path)
    monkeypatch.setattr(svg, "open_font", lambda path: Font())
    jobs = [forked.Process(target=svg.copy_without_layout, args=("Bold",)) for _ in range(2)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(20)
    assert [job.exitcode for job in jobs] == [0, 0]
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"font"]


def test_a_mark_says_what_it_is_where_it_is_pointed_at():
    canvas = pages.make_page(60, 30)
    (point,) = canvas.plot(1, 1, "o")
    marks.add_tip(point, marks.format_tip("A & B", -0.5, (-0.6, -0.4)), "", "n = 3")
    text = svg.write_svg(canvas.figure, 72, {})
    assert (
        "<title>A &amp; B: \N{MINUS SIGN}0.50 (\N{MINUS SIGN}0.60 to \N{MINUS SIGN}0.40), n = 3</title>"
        in text
    )
    assert svg.TIP not in text
