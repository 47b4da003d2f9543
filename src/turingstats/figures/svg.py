"""Pictures as SVG, whose text stays text.

As outlines (`svg.fonttype: path`) the figures of a report would weigh twice as much, take twice as long to
draw, and could not be searched. So an SVG carries the characters that it has.
"""

import functools
import importlib.metadata
import io
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
from matplotlib import font_manager
from matplotlib.figure import Figure

from turingstats.core import files
from turingstats.figures.fonts import STYLES, locate_font, open_font, write_font_face
from turingstats.figures.palette import write_dark_rules

NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
}
SVG = f"{{{NAMESPACES['']}}}"
STYLE = "text{white-space:pre}"
ASCII = frozenset(map(chr, range(32, 127)))
TIP = "tip: "
"""Start of the id of a mark that says something when it is pointed at."""
FONT = re.compile(r"font-(style|weight): (\w+)")

for prefix, uri in NAMESPACES.items():
    ElementTree.register_namespace(prefix, uri)


@functools.cache
def register_fonts() -> None:
    """Register Fira Sans from the installed package with matplotlib, on any computer."""
    for name in STYLES.values():
        font_manager.fontManager.addfont(copy_without_layout(name))
        # The first of equally good fonts is used: put ours before any system Fira Sans.
        registered = font_manager.fontManager.ttflist
        registered.insert(0, registered.pop())


def copy_without_layout(name: str) -> Path:
    """Copy a font of the package, without kerning and ligatures, into matplotlib's cache, once."""
    version = importlib.metadata.version("fontpkg-fira-sans")
    path = Path(matplotlib.get_cachedir()) / f"turingstats-{version}-FiraSans-{name}.ttf"
    if not path.exists():
        # Several jobs of a first run may get here at once.
        with files.replace_file(path, str(os.getpid())) as draft:
            open_font(locate_font(name)).save(draft)
    return path


def write_svg(figure: Figure, dpi: int, metadata: dict[str, Any], description: str = "") -> str:
    """Write a figure as SVG, with a description for readers who do not see the picture."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", dpi=dpi, metadata=metadata)
    root = ElementTree.fromstring(drawn.getvalue())
    describe_picture(root, description)
    for mark in root.iterfind(f".//{SVG}g[@id]"):
        if mark.get("id").startswith(TIP):
            tip = ElementTree.Element(f"{SVG}title")
            tip.text = mark.attrib.pop("id").removeprefix(TIP)
            mark.insert(0, tip)
    root.find(f"{SVG}defs/{SVG}style").text += "".join(
        [STYLE, write_dark_rules(), *embed_fonts(root)]
    )
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def describe_picture(root: ElementTree.Element, description: str) -> None:
    """Describe a picture to programs that read it aloud; matplotlib writes its title."""
    root.set("role", "img")
    element = ElementTree.Element(f"{SVG}desc")
    element.text = description
    root.insert(0 if root.find(f"{SVG}title") is None else 1, element)


def embed_fonts(root: ElementTree.Element) -> list[str]:
    """List the CSS rules that embed the fonts of all texts, each with the characters used and those of ASCII,
    which is the same part of a font for most pictures, and cut once.
    """
    letters: dict[tuple[str, int], set[str]] = {}
    for element in root.iter(f"{SVG}text"):
        font = {"style": "normal", "weight": "400"} | dict(FONT.findall(element.get("style", "")))
        letters.setdefault((font["style"], int(font["weight"])), set(ASCII)).update(
            element.text or ""
        )
    return [write_font_face(*font, letters[font]) for font in sorted(letters)]
