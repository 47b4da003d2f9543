"""Maintenance tools: checks of accepted numbers, benchmarks, calibration, and generated documents.

Run from the top of the project, as `PYTHONPATH=src python -m tools.check`; the Makefile does this.
"""

from pathlib import Path
from typing import Any

from turingstats.core.templating import make_environment

ROOT = Path(__file__).parents[1]
"""The top of the project."""


def render_page(name: str, **values: Any) -> str:
    """Fill in the template of a page in docs/."""
    templates = make_environment(ROOT / "docs", escape=False)
    return templates.get_template(f"{name}.md.j2").render(**values)
