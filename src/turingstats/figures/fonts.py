"""The fonts of pictures and pages: Fira Sans from its package, and the parts of it that a file carries along.

A browser sets the text of an SVG itself, so that the widths are those measured here only if the SVG brings
the same glyphs, kerning and ligatures. Pages carry the font so that they and their figures look alike
everywhere.
"""

import base64
import functools
import io
import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import fontpkg_fira_sans
from fontTools import subset
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0
from matplotlib import font_manager
from matplotlib.textpath import text_to_path

from turingstats.core import files

FAMILY = "Fira Sans"
STYLES = ("Regular", "Italic", "SemiBold", "Bold")
LAYOUT = ("GDEF", "GPOS", "GSUB")
"""Tables of a font with kerning and ligatures; subsetting them takes longer than drawing a figure."""
LIGATURES = {"fi": "\N{LATIN SMALL LIGATURE FI}", "fl": "\N{LATIN SMALL LIGATURE FL}"}
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
    shown = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    texts = {unescape(text) for text in re.split(r"<[^>]*>|\n", shown)}
    # Attributes and scripts have characters that are shown, too.
    texts |= set(unescape(page))
    faces = "\n".join(write_font_face("normal", weight, texts, tabular=True) for weight in WEIGHTS)
    return page.replace("<style>", f"<style>\n{faces}", 1)


def write_font_face(style: str, weight: int, texts: set[str], tabular: bool = False) -> str:
    """Write the CSS rule that embeds the characters of some texts: the same bytes for the same texts.

    `tabular`: digits of equal width can be chosen.
    """
    path = font_manager.findfont(
        font_manager.FontProperties(family=FAMILY, style=style, weight=weight)
    )
    woff = base64.b64encode(cut_font(path, texts, tabular)).decode()
    return (
        f"@font-face{{font-family:'{FAMILY}';font-style:{style};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{woff}) format('woff')}}"
    )


def cut_font(path: Path | str, texts: set[str], tabular: bool = False) -> bytes:
    """Cut a TrueType font down to the characters of some texts, with the kerning and ligatures between them.

    `tabular` keeps digits of equal width beside the usual ones. Returns WOFF.
    """
    texts = set(texts)
    font = TTFont(path, lazy=True, recalcTimestamp=False)
    cmap = font.getBestCmap()
    joined = {pair: one for pair, one in LIGATURES.items() if any(pair in text for text in texts)}
    kerning = measure_kerning(path, font, texts)
    glyphs = set(font.getGlyphOrder())
    names = sorted({cmap[ord(letter)] for letter in set("".join(texts)) if ord(letter) in cmap})
    equal = {name: f"{name}.tf" for name in names if tabular and f"{name}.tf" in glyphs}
    options = subset.Options()
    options.drop_tables += ("FFTM",)
    options.hinting = False
    options.name_IDs = []
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(texts) + "".join(joined.values()), glyphs=equal.values())
    cutter.subset(remove_layout(font))
    if kerning:
        table = KernTable_format_0()
        table.coverage, table.apple = 1, False
        table.kernTable = {(cmap[ord(a)], cmap[ord(b)]): n for (a, b), n in kerning.items()}
        font["kern"] = newTable("kern")
        font["kern"].version, font["kern"].kernTables = 0, [table]
    rules = {
        "liga": {
            " ".join(cmap[ord(c)] for c in pair): cmap[ord(one)] for pair, one in joined.items()
        },
        "tnum": equal,
    }
    features = "\n".join(
        f"feature {name} {{ {' '.join(f'sub {old} by {new};' for old, new in lines.items())} }} {name};"
        for name, lines in rules.items()
        if lines
    )
    if features:
        addOpenTypeFeaturesFromString(font, features)
    font.flavor = "woff"
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()


def measure_kerning(path: Path | str, font: TTFont, texts: set[str]) -> dict[tuple[str, str], int]:
    """Measure the kerning, in units of the font, between characters that stand side by side in some texts.

    Pairs without kerning are left out.
    """
    cmap, widths = font.getBestCmap(), font["hmtx"].metrics
    pairs = {
        pair
        for text in texts
        for pair in pairwise(text)
        if ord(pair[0]) in cmap and ord(pair[1]) in cmap
    }
    size = text_to_path.FONT_SCALE
    measured = font_manager.get_font(path)
    measured.set_size(size, text_to_path.DPI)
    unit = font["head"].unitsPerEm / size
    kerning = {}
    for chain in chain_pairs(pairs):
        glyphs, _, _ = text_to_path.get_glyphs_with_font(measured, chain, features=["-liga"])
        starts = [x for _, x, _, _ in glyphs]
        for pair, (start, end) in zip(pairwise(chain), pairwise(starts), strict=True):
            if added := round((end - start) * unit - widths[cmap[ord(pair[0])]][0]):
                kerning[pair] = added
    return kerning


def chain_pairs(pairs: set[tuple[str, str]]) -> list[str]:
    """Chain pairs of characters into texts with every pair once, since layout takes time by the character."""
    following = {}
    for first, second in sorted(pairs):
        following.setdefault(first, []).append(second)
    chains = []
    for start in following:
        while following[start]:
            chain = start
            while following.get(chain[-1]):
                chain += following[chain[-1]].pop()
            chains.append(chain)
    return chains
