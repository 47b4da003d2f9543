"""The README and docs show the accepted numbers, not older ones."""

import hashlib
import json
import re

import pytest
import yaml
from project import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


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
def test_links_lead_to_files(page):
    for path in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / path).exists(), path


def test_sample_for_ci_calls_what_is_there():
    text = (ROOT / "docs/checking.md").read_text()
    sample = re.search(r"```yaml\n(on: .*?)```", text, re.DOTALL)[1]
    # YAML reads the key `on` as true.
    (job,) = yaml.safe_load(sample)["jobs"].values()
    steps = [step["run"] for step in job["steps"] if "run" in step]
    targets = re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in [name for run in steps if run.startswith("make ") for name in run.split()[1:]]:
        assert target in targets or target == ".venv/ready", target
    (check,) = [run for run in steps if "tools.check" in run]
    options = set(re.findall(r"--[\w-]+", check))
    known = (ROOT / "tools/check.py").read_text()
    assert {"--configfile", "--baseline"} == options
    assert all(f'"{option}"' in known for option in options)


def test_files_that_the_readme_names_are_there():
    table = (ROOT / "README.md").read_text().partition("## From the paper to the code")[2]
    for path in re.findall(
        r"`((?:data|analysis|stats|figures|claims|ratings|judges|tables)/[\w/.]+)`", table
    ):
        assert (ROOT / path).exists() or (ROOT / "src/turingstats" / path).exists(), path
