"""Pictures as SVG: text that can be searched and edited, with its font, and marks that say what they show.

Browsers show the `title` of an element while it is pointed at, without scripts.
"""

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from matplotlib.figure import Figure

from turingstats.core.plain_text import escape_controls
from turingstats.figures.fonts import write_font_face

NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
}
SVG, LINK = f"{{{NAMESPACES['']}}}", f"{{{NAMESPACES['xlink']}}}href"
TARGET = 8.5
"""Size of the smallest target of the pointer, in points: 3 mm."""
SEVERAL = 8
"""A mark of more shapes, such as a cloud of points, gets no targets, which would only cover each other."""
STYLE = "text{white-space:pre}"
POINTED = (
    ".marked>g{pointer-events:none}.marked>.mark,.marked>.targets{pointer-events:auto}"
    f".targets path{{fill:none;stroke-width:{TARGET};pointer-events:stroke}}"
    ".targets rect{fill:none;pointer-events:fill}"
)
"""Only marks and their targets are pointed at, not texts and lines in front of them."""
FONT = re.compile(r"font-(style|weight): (\w+)")
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")

for prefix, uri in NAMESPACES.items():
    ElementTree.register_namespace(prefix, uri)


def write_svg(figure: Figure, dpi: int, metadata: dict[str, Any], description: str = "") -> str:
    """Write a figure as SVG, with a description for readers who do not see the picture.

    Artists may have a `mark_title` (`turingstats.figures.hover`).
    """
    titles = name_marks(figure)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", dpi=dpi, metadata=metadata)
    root = ElementTree.fromstring(drawn.getvalue())
    describe_picture(root, metadata.get("Title"), description)
    rules = [STYLE, *([POINTED] if titles else []), *embed_fonts(root)]
    root.find(f"{SVG}defs/{SVG}style").text += "".join(rules)
    title_marks(root, titles)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def name_marks(figure: Figure) -> dict[str, Any]:
    """Give every titled artist an id, by which it is found in the SVG, and return the titles by id."""
    titles = {}
    for artist in figure.findobj(lambda artist: getattr(artist, "mark_title", "")):
        artist.set_gid(f"mark{len(titles) + 1}")
        titles[artist.get_gid()] = escape_controls(artist.mark_title)
    return titles


def describe_picture(root: ElementTree.Element, title: str | None, description: str) -> None:
    """Name and describe a picture to programs that read it aloud."""
    root.set("role", "img")
    title_node = root.find(f"{SVG}title")
    index = 0 if title_node is None else 1
    if title_node is not None:
        title_node.set("id", "title")
    if description:
        element = ElementTree.Element(f"{SVG}desc", id="description")
        element.text, element.tail = escape_controls(description), "\n"
        root.insert(index, element)
    labels = [*(["title"] if title else []), *(["description"] if description else [])]
    if labels:
        root.set("aria-labelledby", " ".join(labels))


def embed_fonts(root: ElementTree.Element) -> list[str]:
    """List the CSS rules that embed the fonts of all texts, each with only the characters used."""
    texts = {}
    for element in root.iter(f"{SVG}text"):
        font = {"style": "normal", "weight": "400"} | dict(FONT.findall(element.get("style", "")))
        texts.setdefault((font["style"], int(font["weight"])), set()).add(element.text or "")
    return [write_font_face(style, weight, texts[style, weight]) for style, weight in sorted(texts)]


def title_marks(root: ElementTree.Element, titles: dict[str, str]) -> None:
    """Put the titles of marks into their groups, and behind the marks targets of enough size.

    A target of its own, and not a wider mark, because the targets of close marks overlap: whoever points
    at a mark itself always gets that one.
    """
    if not titles:
        return
    shapes = {path.get("id"): path.get("d") for path in root.iter(f"{SVG}path") if path.get("id")}
    for parent in list(root.iter(f"{SVG}g")):
        marks = [(index, mark) for index, mark in enumerate(parent) if mark.get("id") in titles]
        if not marks:
            continue
        parent.set("class", "marked")
        targets = ElementTree.Element(f"{SVG}g", {"class": "targets"})
        for _, mark in marks:
            title = titles[mark.get("id")]
            mark.set("class", "mark")
            target = ElementTree.Element(f"{SVG}g")
            target.extend(make_targets(mark, shapes))
            if 0 < len(target) <= SEVERAL:
                add_title(target, title)
                targets.append(target)
            add_title(mark, title)
        if len(targets):
            parent.insert(marks[0][0], targets)


def add_title(group: ElementTree.Element, text: str) -> None:
    """Put a title first into a group."""
    title = ElementTree.Element(f"{SVG}title")
    title.text = text
    group.insert(0, title)


def make_targets(
    mark: ElementTree.Element, shapes: dict[str, str]
) -> Iterator[ElementTree.Element]:
    """Make targets for the lines and small shapes of a mark, which refers to outlines by id."""
    defined = {path for defs in mark.iter(f"{SVG}defs") for path in defs}
    for element in mark.iter():
        if element in defined or element.tag not in (f"{SVG}path", f"{SVG}use"):
            continue
        outline = element.get("d") or shapes.get(element.get(LINK, "")[1:])
        if not outline:
            continue
        numbers = [float(number) for number in NUMBER.findall(outline)]
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        left, right = x + min(numbers[::2]), x + max(numbers[::2])
        top, bottom = y + min(numbers[1::2]), y + max(numbers[1::2])
        small = min(right - left, bottom - top)
        if "fill: none" in element.get("style", "") and small > 1:
            # A line that is not straight along an axis.
            shift = {"transform": f"translate({x} {y})"} if x or y else {}
            yield ElementTree.Element(f"{SVG}path", {"d": outline} | shift)
        elif small < TARGET:
            across, down = max(right - left, TARGET), max(bottom - top, TARGET)
            box = {
                "x": (left + right - across) / 2,
                "y": (top + bottom - down) / 2,
                "width": across,
                "height": down,
            }
            shown = {name: f"{value:.2f}" for name, value in box.items()}
            yield ElementTree.Element(f"{SVG}rect", shown)
