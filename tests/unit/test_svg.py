"""Pictures as SVG: their text, fonts, titles and metadata."""

import base64
import io
import re
from itertools import pairwise
from xml.etree import ElementTree

import pandas as pd
import pytest
from fontTools.ttLib import TTFont
from matplotlib import font_manager
from matplotlib.textpath import text_to_path
from PIL import Image

from turingstats.figures import fonts, hover, pages, svg

ABOUT = pages.About("Title", "What is shown.", "Observed data", ("one", "two"))


def draw(*texts, weight="normal"):
    """A page with some lines of text."""
    canvas = pages.make_page(60, 30)
    pages.write_lines(canvas, 2, 5, list(texts), weight=weight)
    return canvas


def read(canvas):
    """The SVG of a page, and its root."""
    text = pages.draw_svg(canvas.figure, 100, ABOUT)
    return text, ElementTree.fromstring(text)


def find_fonts(text):
    """The embedded fonts, by weight."""
    found = re.findall(r"font-weight:(\d+);src:url\(data:font/woff;base64,([^)]+)\)", text)
    return {int(w): TTFont(io.BytesIO(base64.b64decode(woff))) for w, woff in found}


def test_text_stays_text_in_a_font_of_just_its_characters():
    canvas = draw("Av Ta 0.5 \N{MINUS SIGN}1")
    pages.write_lines(canvas, 2, 20, "bold", weight="bold")
    text, root = read(canvas)
    texts = [element.text for element in root.iter(f"{svg.SVG}text")]
    assert texts == ["Av Ta 0.5 \N{MINUS SIGN}1", "bold"]
    found = find_fonts(text)
    assert sorted(found) == [400, 700]
    assert set(map(chr, found[400].getBestCmap())) == set(texts[0])
    assert set(map(chr, found[700].getBestCmap())) == set("bold")
    assert "http" not in text.replace("http://www.w3.org", "").replace(
        "http://purl.org", ""
    ).replace("http://creativecommons.org/ns#", "")


@pytest.mark.parametrize("weight", [400, 700])
def test_the_embedded_font_sets_text_as_wide_as_it_was_measured(weight):
    line = "AVATAR To Yes, (Wave) 7.4\N{EN DASH}1 classified fluently"
    path = font_manager.findfont(font_manager.FontProperties(family=fonts.FAMILY, weight=weight))
    font = TTFont(io.BytesIO(fonts.cut_font(path, [line])))
    (table,) = font["kern"].kernTables
    glyphs = [font.getBestCmap()[ord(letter)] for letter in line]
    joined = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for first, ligatures in lookup.SubTable[0].ligatures.items():
            joined |= {(first, one.Component[0]): one.LigGlyph for one in ligatures}
    assert len(joined) == 2
    width, number = 0, 0
    while number < len(glyphs) - 1:
        pair = tuple(glyphs[number : number + 2])
        width += font["hmtx"][joined.get(pair, pair[0])][0]
        number += 1 + (pair in joined)
        if pair not in joined:
            width += table.kernTable.get(pair, 0)
    measured = font_manager.get_font(path)
    measured.set_size(text_to_path.FONT_SCALE, text_to_path.DPI)
    places = text_to_path.get_glyphs_with_font(measured, line)[0]
    # Layout rounds to a 64th of a pixel.
    assert width == pytest.approx(places[-1][1] * 10, abs=3)


def test_pairs_are_chained_into_few_texts():
    pairs = {*zip("abca", "bcab", strict=True), ("x", "y"), ("a", "a")}
    chains = fonts.chain_pairs(pairs)
    found = [pair for chain in chains for pair in pairwise(chain)]
    assert sorted(found) == sorted(pairs)
    assert len(chains) <= 3


def test_characters_that_the_font_lacks_are_left_to_the_browser():
    text, root = read(draw("a\N{CJK UNIFIED IDEOGRAPH-4E00}b"))
    assert [element.text for element in root.iter(f"{svg.SVG}text")] == ["a一b"]
    assert set(map(chr, find_fonts(text)[400].getBestCmap())) == {"a", "b"}


def test_a_picture_is_named_and_described():
    _, root = read(draw("a"))
    assert root.get("role") == "img"
    told = [root.find(f".//*[@id='{name}']").text for name in root.get("aria-labelledby").split()]
    assert told == ["Title", "What is shown. Observed data."]


def test_files_say_what_they_show_but_not_when_they_were_made(tmp_path):
    paths = [tmp_path / f"a.{suffix}" for suffix in ("pdf", "svg", "png")]
    pages.save_figure(draw("text").figure, paths, 100, ABOUT)
    pdf, drawn, png = (path.read_bytes() for path in paths)
    for part in (b"/Title (Title)", b"/Subject (Observed data)", b"/Keywords (one, two)"):
        assert part in pdf
    assert b"/Creator (turingstats)" in pdf
    assert b"Date" not in pdf and b"matplotlib" not in pdf.lower()
    assert b"<dc:title>turingstats</dc:title>" in drawn and b"<rdf:li>two</rdf:li>" in drawn
    assert b"dc:date" not in drawn and b"matplotlib" not in drawn.lower()
    with Image.open(io.BytesIO(png)) as picture:
        texts = {name: text for name, text in picture.info.items() if name != "dpi"}
    assert texts == {
        "Title": "Title",
        "Description": "What is shown.",
        "Subject": "Observed data",
        "Keywords": "one, two",
        "Creator": "turingstats",
    }


def test_the_first_sentence_of_a_caption_describes_a_file():
    data = pd.DataFrame(
        {"data": ["observed data"], "reading": ["published"], "task_label": ["Color"]}
    )
    about = pages.describe_file(data, "T", "Who is it? It is I.", ["k"])
    assert about == pages.About(
        "T", "Who is it?", "Observed data, published reading", ("k", "Color")
    )


def test_a_mark_says_what_it_shows_in_its_group():
    canvas = draw("label")
    axes = pages.add_inset(canvas, 10, 10, 40, 15)
    bars = axes.bar([1, 2], [3, 4])
    hover.title_mark(bars[0], "a < b & \x1b")
    text, root = read(canvas)
    (mark,) = (group for group in root.iter(f"{svg.SVG}g") if group.get("class") == "mark")
    assert mark[0].tag == f"{svg.SVG}title" and mark[0].text == "a < b & \\x1b"
    assert mark[1].tag == f"{svg.SVG}path"
    assert "<title>a &lt; b &amp; \\x1b</title>" in text
    # A bar is large enough to be pointed at.
    assert 'class="targets"' not in text


def test_thin_marks_get_targets_that_can_be_pointed_at():
    canvas = pages.make_page(60, 30)
    axes = pages.add_inset(canvas, 10, 10, 40, 15)
    (points,) = axes.plot([1], [1], "o", markersize=2)
    (line,) = axes.plot([1, 3], [2, 2], linewidth=0.3)
    (curve,) = axes.plot([1, 2, 3], [1, 3, 1])
    for artist, title in ((points, "point"), (line, "line"), (curve, "curve")):
        hover.title_mark(artist, title)
    _, root = read(canvas)
    (targets,) = (group for group in root.iter(f"{svg.SVG}g") if group.get("class") == "targets")
    assert [target[0].text for target in targets] == ["point", "line", "curve"]
    point, line, curve = (target[1] for target in targets)
    for box in (point, line):
        assert float(box.get("height")) == svg.TARGET
    assert float(point.get("width")) == svg.TARGET < float(line.get("width"))
    assert curve.tag == f"{svg.SVG}path"
    (parent,) = (group for group in root.iter(f"{svg.SVG}g") if group.get("class") == "marked")
    classes = [group.get("class") for group in parent]
    assert classes.index("targets") < classes.index("mark")


def test_titles_of_marks_change_no_other_picture(tmp_path):
    contents = []
    for title in ("", "title"):
        canvas = pages.make_page(20, 20)
        (line,) = canvas.plot([1, 10], [5, 5])
        hover.title_mark(line, title)
        paths = [tmp_path / f"a{title}.{suffix}" for suffix in ("svg", "pdf", "png")]
        pages.save_figure(canvas.figure, paths, 50)
        contents.append([path.read_bytes() for path in paths])
    assert contents[0][1:] == contents[1][1:]
    assert contents[0][0] != contents[1][0]


def test_a_cloud_of_points_gets_no_targets():
    canvas = pages.make_page(60, 30)
    axes = pages.add_inset(canvas, 10, 10, 40, 15)
    (points,) = axes.plot(range(svg.SEVERAL + 1), range(svg.SEVERAL + 1), "o", markersize=2)
    hover.title_mark(points, "cloud")
    text, _ = read(canvas)
    assert "<title>cloud</title>" in text and 'class="targets"' not in text


def test_pages_carry_the_characters_that_they_have_in_two_weights():
    page = "<style>p {}</style><p title='Z'>1.5 &amp; <b>To</b></p><script>const x = 'Q';</script>"
    embedded = fonts.embed_page_fonts(page)
    assert embedded.startswith("<style>\n@font-face") and embedded.endswith(page[7:])
    found = find_fonts(embedded)
    assert sorted(found) == list(fonts.WEIGHTS)
    for font in found.values():
        assert {"T", "o", "1", "&", "Z", "Q"} <= set(map(chr, font.getBestCmap()))
        assert "w" not in map(chr, font.getBestCmap())
        table, known = font["GSUB"].table, font.getBestCmap()
        assert [feature.FeatureTag for feature in table.FeatureList.FeatureRecord] == ["tnum"]
        equal = table.LookupList.Lookup[0].SubTable[0].mapping
        # Digits of equal width, for the columns of tables.
        assert len({font["hmtx"][equal[known[ord(digit)]]][0] for digit in "15"}) == 1
    assert fonts.embed_page_fonts(page) == embedded
