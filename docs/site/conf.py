"""The documentation as a site: make site."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))
import turingstats

project = "turingstats"
author = "The turingstats developers"
release = turingstats.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc"]
root_doc = "index"
exclude_patterns = ["site", "example", "papers/*.pdf", "*.j2"]
# Blocks without a language are commands and what they print.
highlight_language = "text"
# The pydata theme with the navigation in a sidebar: three lists of many pages do not fit its bar.
html_theme = "sphinx_book_theme"
html_title = "turingstats"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_theme_options = {"show_toc_level": 2, "navbar_persistent": []}
html_show_sourcelink = False
nb_execution_mode = "off"
myst_heading_anchors = 4
numpydoc_show_class_members = False
autodoc_typehints = "none"


def link_project_files(app: Sphinx, page: str, text: list[str]) -> None:
    """Offer Markdown files that are no pages for download, as MyST does other files."""
    text[0] = re.sub(r"\[([^\]]+)\]\(((?:\.\.|example)/[^)#]+\.md)\)", r"{download}`\1 <\2>`", text[0])


def add_navigation(app: Sphinx, page: str, text: list[str]) -> None:
    """Make the lists of docs/index.md the navigation of the site."""
    if page == "methods":
        text[0] += "\n```{toctree}\n:hidden:\n:glob:\n\npapers/*\n```\n"
    if page != "index":
        return
    lists = re.split(r"(?m)^## (.+)$", text[0])[1:]
    for title, links in zip(lists[::2], lists[1::2], strict=True):
        pages = re.findall(r"\]\((?!\.\.)([\w-]+)\.(?:md|ipynb|rst)\)", links)
        text[0] += "\n".join(
            ["", "```{toctree}", ":hidden:", f":caption: {title}", "", *dict.fromkeys(pages), "```", ""]
        )


def setup(app: Sphinx) -> None:
    """Connect what this file does to Sphinx."""
    app.connect("source-read", link_project_files)
    app.connect("source-read", add_navigation)
