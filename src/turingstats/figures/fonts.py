"""The font of pictures and pages: Fira Sans from its package, and the part that an SVG or a page carries.

Pictures and pages carry the characters that they have. Kerning and ligatures are left out everywhere: they
would change the length of a line by a hundredth, and to subset their tables takes long.
"""

import base64
import functools
import io
import string
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import fontpkg_fira_sans
from fontTools import subset
from fontTools.ttLib import TTFont

from turingstats.core import files

FAMILY = "Fira Sans"
STYLES = {
    ("normal", 400): "Regular",
    ("italic", 400): "Italic",
    ("normal", 600): "SemiBold",
    ("normal", 700): "Bold",
}
"""Font of the family by style and weight of CSS."""
LAYOUT = ("GDEF", "GPOS", "GSUB")
"""Tables of a font with kerning and ligatures."""
COMMON = frozenset(f"{string.printable}–−▲▼")
"""Characters of most pages: every page carries them, so that most share one cut of the font."""
WEIGHTS = (400, 600)
"""Weights of the text of pages; browsers set bold text in the heavier one."""


def locate_font(name: str) -> Path:
    """Locate a font of the family in its package."""
    return Path(fontpkg_fira_sans.ROOT) / f"files/FiraSans-{name}.ttf"


def open_font(path: Path) -> TTFont:
    """Open a font without its kerning and ligatures."""
    font = TTFont(path, lazy=True, recalcTimestamp=False)
    for table in LAYOUT:
        if table in font:
            del font[table]
    return font


def write_page(page: str, path: Path | str) -> None:
    """Write a page, HTML with a style sheet, to a file, with its font in it."""
    files.write_text(embed_page_fonts(page), path)


def embed_page_fonts(page: str) -> str:
    """Embed the font in a page with a style sheet, with the characters that the page has."""
    # Attributes and scripts have characters that are shown, too.
    letters = COMMON.union(unescape(page))
    faces = "\n".join(
        write_font_face("normal", weight, letters, tabular=True) for weight in WEIGHTS
    )
    return page.replace("<style>", f"<style>\n{faces}", 1)


def write_font_face(style: str, weight: int, letters: Iterable[str], tabular: bool = False) -> str:
    """Write the CSS rule that embeds some characters: the same bytes for the same characters."""
    path = locate_font(STYLES[style, weight])
    woff = base64.b64encode(cut_font(path, frozenset(letters), tabular)).decode()
    return (
        f"@font-face{{font-family:'{FAMILY}';font-style:{style};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{woff}) format('woff')}}"
    )


@functools.cache
def cut_font(path: Path, letters: frozenset[str], tabular: bool = False) -> bytes:
    """Cut a TrueType font down to some characters, as WOFF; `tabular`: with digits of equal width."""
    font = open_font(path)
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
    cutter.populate(text="".join(sorted(letters)))
    cutter.subset(font)
    font.flavor = "woff"
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()
