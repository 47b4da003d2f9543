"""The fonts of pictures and pages: Fira Sans from its package, and the part that an SVG or a page carries.

Text in an SVG stays text: as outlines (`svg.fonttype: path`) the figures of a report would weigh twice as
much, take twice as long to draw, and could not be searched. So pictures and pages carry the characters that
they have. Kerning and ligatures are left out everywhere: they would change the length of a line by a
hundredth, and to subset their tables for a PDF takes longer than drawing the figure.
"""

import base64
import functools
import importlib.metadata
import io
import re
import string
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fontpkg_fira_sans
import matplotlib
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib import font_manager
from matplotlib.figure import Figure

from turingstats.core import files

FAMILY = "Fira Sans"
STYLES = ("Regular", "Italic", "SemiBold", "Bold")
LAYOUT = ("GDEF", "GPOS", "GSUB")
"""Tables of a font with kerning and ligatures."""
WEIGHTS = (400, 600)
"""Weights of the text of pages; browsers set bold text in the heavier one."""
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


@functools.cache
def register_fonts() -> None:
    """Register Fira Sans from the installed package with matplotlib, on any computer."""
    for style in STYLES:
        font_manager.fontManager.addfont(copy_without_layout(f"FiraSans-{style}.ttf"))
        # The first of equally good fonts is used: put ours before any system Fira Sans.
        registered = font_manager.fontManager.ttflist
        registered.insert(0, registered.pop())


def copy_without_layout(name: str) -> Path:
    """Copy a font of the package, without kerning and ligatures, into matplotlib's cache, once."""
    version = importlib.metadata.version("fontpkg-fira-sans")
    path = Path(matplotlib.get_cachedir()) / f"turingstats-{version}-{name}"
    if not path.exists():
        source = Path(fontpkg_fira_sans.ROOT) / "files" / name
        font = TTFont(source, lazy=True, recalcTimestamp=False)
        for table in LAYOUT:
            if table in font:
                del font[table]
        with files.replace_file(path) as draft:
            font.save(draft)
    return path


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


def write_page(page: str, path: Path | str) -> None:
    """Write a page, HTML with a style sheet, to a file, with its font in it."""
    files.write_text(embed_page_fonts(page), path)


def embed_page_fonts(page: str) -> str:
    """Embed the font in a page with a style sheet, with only the characters that the page has."""
    register_fonts()
    # Attributes and scripts have characters that are shown, too.
    letters = set(unescape(page))
    faces = "\n".join(
        write_font_face("normal", weight, letters, tabular=True) for weight in WEIGHTS
    )
    return page.replace("<style>", f"<style>\n{faces}", 1)


def write_font_face(style: str, weight: int, letters: set[str], tabular: bool = False) -> str:
    """Write the CSS rule that embeds some characters: the same bytes for the same characters."""
    path = font_manager.findfont(
        font_manager.FontProperties(family=FAMILY, style=style, weight=weight)
    )
    woff = base64.b64encode(cut_font(path, letters, tabular)).decode()
    return (
        f"@font-face{{font-family:'{FAMILY}';font-style:{style};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{woff}) format('woff')}}"
    )


def cut_font(path: Path | str, letters: set[str], tabular: bool = False) -> bytes:
    """Cut a TrueType font down to some characters, as WOFF; `tabular`: with digits of equal width."""
    font = TTFont(path, lazy=True, recalcTimestamp=False)
    if tabular:
        cmap = font.getBestCmap()
        digits = {code: f"{cmap[code]}.tf" for code in map(ord, string.digits)}
        for table in font["cmap"].tables:
            table.cmap.update(digits)
    options = subset.Options()
    options.drop_tables += ("FFTM",)
    options.hinting = False
    options.name_IDs = []
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(letters))
    cutter.subset(font)
    font.flavor = "woff"
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()
