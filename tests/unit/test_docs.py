"""The README and docs show the accepted numbers, not older ones, and one version everywhere."""

import hashlib
import json
import re

import pytest
import yaml
from project import ROOT

import turingstats

PAGES = sorted([ROOT / "README.md", ROOT / "config/README.md", *(ROOT / "docs").rglob("*.md")])


def test_docs_are_as_new_as_the_numbers_they_show():
    seen = json.loads((ROOT / "docs/made_from.json").read_text())
    for name, checksum in seen.items():
        accepted = ROOT / f"tests/golden/observed/{name}.csv"
        found = hashlib.sha256(accepted.read_bytes()).hexdigest()
        assert found == checksum, f"{accepted.name} has changed: make results docs"


def test_every_picture_of_the_readme_is_there_and_described():
    for alt, path in re.findall(
        r"!\[(.*?)\]\((.*?)\)", (ROOT / "README.md").read_text(), re.DOTALL
    ):
        assert len(alt) > 20
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files_and_commands_are_there(page):
    text = page.read_text()
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / path).exists(), path
    commands = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z][\w-]*)", text)) <= set(commands)


def test_the_version_is_the_same_everywhere():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == turingstats.__version__
    changes = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", changes, re.M)
    assert newest[1] == turingstats.__version__
