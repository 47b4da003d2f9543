"""Pictures as SVG: text that can be searched and edited, with its font, and marks that say what they show.

Browsers show the `title` of an element while it is pointed at, without scripts.
"""

import io
import re
from typing import Any
from xml.etree import ElementTree

from matplotlib.figure import Figure

from turingstats.figures.fonts import write_font_face

NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
}
SVG = f"{{{NAMESPACES['']}}}"
STYLE = "text{white-space:pre;pointer-events:none}"
"""Marks are pointed at, not texts in front of them."""
FONT = re.compile(r"font-(style|weight): (\w+)")

for prefix, uri in NAMESPACES.items():
    ElementTree.register_namespace(prefix, uri)


def write_svg(figure: Figure, dpi: int, metadata: dict[str, Any], description: str = "") -> str:
    """Write a figure as SVG, with a description for readers who do not see the picture."""
    titles = name_marks(figure)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", dpi=dpi, metadata=metadata)
    root = ElementTree.fromstring(drawn.getvalue())
    describe_picture(root, description)
    root.find(f"{SVG}defs/{SVG}style").text += "".join([STYLE, *embed_fonts(root)])
    for group in root.iter(f"{SVG}g"):
        if group.get("id") in titles:
            title = ElementTree.Element(f"{SVG}title")
            title.text = titles[group.get("id")]
            group.insert(0, title)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def name_marks(figure: Figure) -> dict[str, Any]:
    """Give every titled artist an id, by which it is found in the SVG, and return the titles by id."""
    titles = {}
    for artist in figure.findobj(lambda artist: getattr(artist, "mark_title", "")):
        artist.set_gid(f"mark{len(titles) + 1}")
        titles[artist.get_gid()] = artist.mark_title
    return titles


def describe_picture(root: ElementTree.Element, description: str) -> None:
    """Describe a picture to programs that read it aloud; matplotlib writes its title."""
    root.set("role", "img")
    element = ElementTree.Element(f"{SVG}desc")
    element.text = description
    root.insert(0 if root.find(f"{SVG}title") is None else 1, element)


def embed_fonts(root: ElementTree.Element) -> list[str]:
    """List the CSS rules that embed the fonts of all texts, each with only the characters used."""
    letters: dict[tuple[str, int], set[str]] = {}
    for element in root.iter(f"{SVG}text"):
        font = {"style": "normal", "weight": "400"} | dict(FONT.findall(element.get("style", "")))
        letters.setdefault((font["style"], int(font["weight"])), set()).update(element.text or "")
    return [write_font_face(*font, letters[font]) for font in sorted(letters)]
