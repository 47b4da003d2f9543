"""What catalogs and archives read of the project: one version, and what the workflow catalog looks for."""

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


def test_the_workflow_catalog_finds_what_it_looks_for():
    usage = yaml.safe_load(read(".snakemake-workflow-catalog.yml"))["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["mandatory-flags"]) == {"desc", "flags"}
    deployment = usage["software-stack-deployment"]
    assert set(deployment) == {"conda", "apptainer", "apptainer+conda"}
    assert all(isinstance(value, bool) for value in (usage["report"], *deployment.values()))
    rules = [path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")]
    assert deployment["conda"] == any("conda:" in text for text in rules)
    assert deployment["apptainer"] == any("container:" in text for text in rules)
    assert usage["report"] == any("report(" in text for text in rules)
    words = read("README.md").lower()
    assert "snakemake" in words and "workflow" in words
    assert 'include: "../Snakefile"' in read("workflow/Snakefile")
