"""The fonts of pictures and pages: Fira Sans from its package, and the part that a file carries along.

Text in an SVG stays text: as outlines (`svg.fonttype: path`) the figures of a report would weigh twice as
much, take twice as long to draw, and could not be searched. So pictures and pages carry the characters that
they have. Kerning and ligatures are left to PDF and PNG: in an SVG they would shift the end of a line by a
hundredth of its width.
"""

import base64
import functools
import io
import string
from html import unescape
from pathlib import Path
from typing import Any

import fontpkg_fira_sans
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib import font_manager

from turingstats.core import files

FAMILY = "Fira Sans"
STYLES = ("Regular", "Italic", "SemiBold", "Bold")
LAYOUT = ("GDEF", "GPOS", "GSUB")
"""Tables of a font with kerning and ligatures; subsetting them takes longer than drawing a figure."""
WEIGHTS = (400, 600)
"""Weights of the text of pages; browsers set bold text in the heavier one."""


@functools.cache
def register_fonts() -> None:
    """Register Fira Sans from the installed package with matplotlib, on any computer."""
    for style in STYLES:
        font_manager.fontManager.addfont(
            Path(fontpkg_fira_sans.ROOT) / "files" / f"FiraSans-{style}.ttf"
        )
        # The first of equally good fonts is used: put ours before any system Fira Sans.
        registered = font_manager.fontManager.ttflist
        registered.insert(0, registered.pop())


@functools.cache
def drop_font_layout() -> None:
    """Omit tables of ligatures and kerning from fonts in PDF files, which do not need them.

    Reading and subsetting these tables would take most of the time to save a figure.
    """
    load_font = subset.load_font

    def load_without_layout(*arguments: Any, **options: Any) -> TTFont:
        return remove_layout(load_font(*arguments, **options))

    subset.load_font = load_without_layout


def remove_layout(font: TTFont) -> TTFont:
    """Remove the tables of ligatures and kerning from a font, and return it."""
    for table in LAYOUT:
        if table in font:
            del font[table]
    return font


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
    font = remove_layout(TTFont(path, lazy=True, recalcTimestamp=False))
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
