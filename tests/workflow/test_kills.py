"""A run that is killed or interrupted again and again ends with the same bytes as one that is not."""

import os
import random
import shutil
import signal
import subprocess
import sys

import pytest
from project import SMOKE, Project

RESULTS = "results/smoke/zhang2025"
KILLS = 50


def stop_run(project, seconds, how):
    """Start a run and stop all its processes after a time; return its exit code."""
    command = [sys.executable, "-m", "snakemake", "--quiet", "all", "--nolock", *SMOKE]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run = subprocess.Popen(command, cwd=project.folder, start_new_session=True, **quiet)
    try:
        return run.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, how)
        return run.wait()


@pytest.mark.slow
def test_results_are_the_same_after_random_kills(tmp_path):
    project, draws = Project(tmp_path / "project"), random.Random(20)
    project.make(*SMOKE)
    expected = project.results(RESULTS)
    kills = 0
    shutil.rmtree(project.folder / RESULTS)
    while kills < KILLS:
        how = draws.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        if stop_run(project, draws.uniform(1, 12), how) == 0:
            assert project.results(RESULTS) == expected
            shutil.rmtree(project.folder / RESULTS)
        else:
            kills += 1
    # Nothing half written is taken for finished.
    project.make("--nolock", *SMOKE)
    assert project.results(RESULTS) == expected
