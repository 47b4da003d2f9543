"""Templates: pages in HTML and prompts in plain text, filled in by Jinja; captions beside them."""

import functools
import os
import sys
from pathlib import Path
from typing import Any

import jinja2
import yaml
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from turingstats.core.code_dependencies import describe_code
from turingstats.core.labels import join_with_and, join_with_or
from turingstats.core.plain_text import escape_controls

PAGES = Path(__file__).parents[1] / "templates"
"""Templates of the pages that come with the package."""
CAPTIONS: dict[str, str] = yaml.safe_load((PAGES / "captions.yaml").read_text(encoding="utf-8"))
"""Captions of the figures that are made for every study."""


class CompiledPages(jinja2.FileSystemBytecodeCache):
    """Templates of the package as they were compiled, which takes a third of the time of a report."""

    def get_source_checksum(self, source: str) -> str:
        """Compute the checksum of a template, and of the code and packages that compile it."""
        return super().get_source_checksum(
            f"{source}{describe_code((__file__,), PAGES.parents[2])}"
        )


@functools.cache
def make_environment(
    folder: Path | str, *, escape: bool = True, trim: bool = True
) -> jinja2.Environment:
    """Make the Jinja environment of a folder of templates, once; undefined names are errors.

    `escape` escapes values for HTML, and shows their control characters; `trim` removes lines that
    contain only a statement.
    """
    kept, compiled = PAGES / "__pycache__", None
    may_write = os.access(kept if kept.exists() else PAGES, os.W_OK)
    # As Python keeps modules; other folders are those of users.
    if folder == PAGES and may_write and not sys.dont_write_bytecode:
        kept.mkdir(exist_ok=True)
        compiled = CompiledPages(str(kept), f"%s-{escape:d}{trim:d}")
    # Prompts may come with somebody else's study: a template fills in text, and calls nothing.
    environment = SandboxedEnvironment(
        loader=jinja2.FileSystemLoader(folder, encoding="utf-8"),
        autoescape=escape,
        finalize=show_controls if escape else None,
        trim_blocks=trim,
        lstrip_blocks=trim,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=compiled,
    )
    environment.filters |= {
        "quote_css": quote_css,
        "join_with_and": join_with_and,
        "join_with_or": join_with_or,
        "start": lambda text: text[:1].upper() + text[1:],
        "call": lambda value, function: function(value),
    }
    return environment


def show_controls(value: Any) -> Any:
    """Show the control characters of a text; HTML and other values stay as they are."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return escape_controls(value)
    return value


def quote_css(text: str) -> str:
    """Quote a text as a string of a style sheet; what could end the string or the sheet is escaped."""
    plain = show_controls(str(Markup(text).unescape()))
    letters = (c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in plain)
    return Markup(f'"{"".join(letters)}"')


def render_page(name: str, context: dict[str, Any]) -> str:
    """Render a page template of the package."""
    return make_environment(PAGES).get_template(name).render(context) + "\n"
