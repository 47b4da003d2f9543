"""Pictures as SVG: text that can be searched and edited, with its font."""

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
STYLE = "text{white-space:pre}"
FONT = re.compile(r"font-(style|weight): (\w+)")

for prefix, uri in NAMESPACES.items():
    ElementTree.register_namespace(prefix, uri)


def write_svg(figure: Figure, dpi: int, metadata: dict[str, Any], description: str = "") -> str:
    """Write a figure as SVG, with a description for readers who do not see the picture."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", dpi=dpi, metadata=metadata)
    root = ElementTree.fromstring(drawn.getvalue())
    describe_picture(root, description)
    root.find(f"{SVG}defs/{SVG}style").text += "".join([STYLE, *embed_fonts(root)])
    return ElementTree.tostring(root, encoding="unicode") + "\n"


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
