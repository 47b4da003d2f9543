"""The default configuration, and the references of all keys."""

import re

import pytest
from project import ROOT

from tools import references
from turingstats.config import settings
from turingstats.core import yaml_models


@pytest.mark.parametrize("name", references.PAGES)
def test_pages_follow_from_the_models(name):
    assert (ROOT / name).read_text() == references.PAGES[name](), "make docs"


def test_default_configuration_holds_the_defaults_and_nothing_else():
    values = yaml_models.read_mapping(ROOT / "config/config.yaml")
    assert values == settings.Config().model_dump(mode="json")


def test_every_key_has_a_sentence_and_an_example():
    page = (ROOT / "docs/study_file.md").read_text()
    keys = page.partition("### Names under")[0]
    rows = re.findall(r"^- `(\w+)`(?: \\\*)?(?: \((.*?)\))?: (.*)$", keys, re.MULTILINE)
    assert len(rows) > 200
    assert [key for key, _, meaning in rows if not meaning.strip().endswith(".")] == []
    lacking = [key for key, value, meaning in rows if not value and "such as" not in meaning]
    assert lacking == []
