"""Runs that share a folder are told of each other, and a killed run leaves no lock behind."""

import json
import subprocess
import sys

import pytest

from turingstats.workflow import runs

ENTER = """
import sys, time
sys.path.insert(0, "src")
from turingstats.workflow.runs import enter_folder
print(enter_folder(sys.argv[1]), flush=True)
time.sleep(60 if "stay" in sys.argv else 0)
"""


def enter(folder, *options):
    """Start a run in a folder; return its process and what it was told."""
    command = [sys.executable, "-c", ENTER, str(folder), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if options:
        return process, process.stdout.readline()
    return process, process.communicate()[0]


@pytest.fixture
def working(tmp_path):
    """A run that works in a folder and holds Snakemake's lock; with the path of that lock."""
    process, told = enter(tmp_path, "stay")
    assert told == "\n"
    lock = tmp_path / runs.LOCKS / "0.output.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text("results/a.csv\n")
    yield process, lock
    process.kill()
    process.communicate()


def test_a_second_run_is_told_who_works_in_the_folder(working, tmp_path):
    process, lock = working
    _, told = enter(tmp_path)
    assert f"snakemake {tmp_path} stay" in told and f"process {process.pid}" in told
    assert lock.exists()


def test_the_lock_of_a_killed_run_is_removed(working, tmp_path):
    process, lock = working
    process.kill()
    process.wait()
    _, told = enter(tmp_path)
    assert f"process {process.pid}" in told and "was killed" in told
    assert not lock.exists() and not list((tmp_path / runs.RUNS).iterdir())


def test_the_lock_of_another_computer_is_kept(working, tmp_path):
    process, lock = working
    path = tmp_path / runs.RUNS / f"{process.pid}.json"
    run = json.loads(path.read_text())
    process.kill()
    process.wait()
    path.write_text(json.dumps(run | {"host": "elsewhere"}))
    _, told = enter(tmp_path)
    assert told == "\n" and lock.exists()
