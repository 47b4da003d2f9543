"""Titles and captions of the figures and tables that are made for every study (templates/headings.yaml)."""

import yaml

from turingstats.core.templating import PAGES

HEADINGS: dict[str, dict[str, str]] = yaml.safe_load(
    (PAGES / "headings.yaml").read_text(encoding="utf-8")
)
TITLES = {name: heading["title"] for name, heading in HEADINGS.items()}
CAPTIONS = {name: heading["caption"] for name, heading in HEADINGS.items() if "caption" in heading}
