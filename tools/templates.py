"""Templates of pages in docs/."""

from typing import Any

from tools import ROOT
from turingstats.core.templating import make_environment


def render_page(name: str, **values: Any) -> str:
    """Fill in the template of a page in docs/."""
    templates = make_environment(ROOT / "docs", escape=False)
    return templates.get_template(f"{name}.md.j2").render(**values)
