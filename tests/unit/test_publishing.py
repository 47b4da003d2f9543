"""What archives read of the project: one version everywhere."""

import re

import yaml
from project import ROOT

import turingstats


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere():
    assert yaml.safe_load(read("CITATION.cff"))["version"] == turingstats.__version__
    newest = re.search(r"^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", read("CHANGELOG.md"), re.M)
    assert newest[1] == turingstats.__version__
