"""The report of a study as one file, to mail: pictures in it, and no link to what a mail leaves behind."""

import base64
import posixpath
import re
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

PICTURE = re.compile(r'(<img src=")([^"]*)" loading="lazy"')
LINK = re.compile(r'<a href="(?!#|https?:)([^"]*)"(?: download)?')
NOTE = """<p class="about" role="note">This file is the report alone. What links to other pages and files
there is plain text here; point at it to see its place in the folder of results, <b>{folder}</b>.</p>"""
STYLE = "a:not([href]) { color: inherit; }"


def inline_files(page: str, here: Path) -> str:
    """Put the pictures that a page in the folder `here` shows into it; links to other files become text."""
    page = PICTURE.sub(lambda found: f'{found[1]}{inline_picture(here / locate(found[2]))}"', page)
    page = LINK.sub(lambda found: f'<a title="{escape(name_file(found[1], here))}"', page)
    page = page.replace("</style>", f"{STYLE}\n</style>", 1)
    note = NOTE.format(folder=escape(here.parent.name))
    return page.replace('<main id="content">', f'<main id="content">\n{note}', 1)


def locate(link: str) -> str:
    """Return the path that a link leads to, without its query."""
    return unquote(urlsplit(unescape(link)).path)


def name_file(link: str, here: Path) -> str:
    """Name the file that a page in the folder `here` links to, by its path in the folder of results."""
    return posixpath.normpath(posixpath.join(here.name, locate(link)))


def inline_picture(path: Path) -> str:
    """Return a picture (PNG) as a URL that holds it."""
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
