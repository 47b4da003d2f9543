"""`make check` fails when a number changed, names it, and passes once that is accepted."""

import os
import subprocess
import sys

import pytest
from project import FOREIGN, Project


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A copy of the project with an accepted smoke run."""
    project = Project(tmp_path_factory.mktemp("check") / "project")
    run = check(project, "--accept")
    assert run.returncode == 0, run.stdout
    return project


def check(project, *arguments):
    """Call the script behind make check in a copy of the project."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    command = [sys.executable, "-m", "tools.check", "--baseline", "accepted"]
    command += ["--configfile", "config/subsets/smoke.yaml", *arguments]
    return subprocess.run(
        command,
        cwd=project.folder,
        env=kept | {"PYTHONPATH": "scripts"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_an_unchanged_run_is_as_accepted(checked):
    run = check(checked)
    assert run.returncode == 0, run.stdout
    assert "are as accepted" in run.stdout


def test_a_changed_number_fails_until_it_is_accepted(checked):
    path = checked.folder / "accepted/statistics/estimates.csv"
    before = path.read_text()
    row = next(line for line in before.splitlines() if line.startswith("color.amt.all.human.p_HH"))
    value = row.split(",")[10]
    path.write_text(before.replace(row, row.replace(value, "0.123")))
    run = check(checked)
    assert run.returncode == 1
    assert f"color.amt.all.human.p_HH, published: value 0.123 -> {value}" in run.stdout
    assert "make accept" in run.stdout
    assert check(checked, "--accept").returncode == 0
    assert path.read_text() == before
    assert check(checked).returncode == 0


def test_other_settings_are_refused(checked):
    run = check(checked, "--", "--config", "confidence=0.9")
    assert run.returncode == 2
    assert "confidence: 0.95 -> 0.9" in run.stdout
