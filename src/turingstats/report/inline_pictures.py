"""Pictures within a page: marks say what they are where they are pointed at, also from disk and by mail."""

import re
from pathlib import Path

from markupsafe import Markup, escape

from turingstats.core.plain_text import escape_controls
from turingstats.figures.palette import write_dark_rules

LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", re.DOTALL)
"""What a page has once, and what no reader sees."""
HEAD = re.compile(r"<svg([^>]*)>\s*(?:<title>[^<]*</title>)?\s*(?:<desc>[^<]*</desc>)?")
SIZE = re.compile(r' (?:width|height|role|version)="[^"]*"')
IDS = re.compile(r' id="([^"]*)"')
REFERRED = re.compile(r'(?:url\(|href=")#([^")]+)')
RULES = (
    "svg text { white-space: pre; } svg * { stroke-linejoin: round; stroke-linecap: butt; } "
    + write_dark_rules()
)
"""Style rules of all pictures in a page."""


def inline_picture(path: Path, words: str) -> Markup:
    """Return an SVG as an element of a page, described by words; its text is in the font of the page."""
    picture = path.read_text(encoding="utf-8")
    picture = LEFT_OUT.sub("", picture[picture.index("<svg") :])
    head = HEAD.match(picture)
    # Pictures have ids in common, which mean the same in each; those that nothing refers to have no use.
    referred = set(REFERRED.findall(picture))
    body = IDS.sub(lambda found: found[0] if found[1] in referred else "", picture[head.end() :])
    body = re.sub(r"\n\s*", "\n", body)
    # A thumbnail shows the top.
    told = f'role="img" aria-label="{escape(escape_controls(words))}" preserveAspectRatio="xMinYMin slice"'
    return Markup(f"<svg{SIZE.sub('', head[1])} {told}>{body}")
