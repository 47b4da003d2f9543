"""A run on a real Slurm of one node: the same numbers, few submissions, and a failure that can be mended."""

import subprocess

import pytest
from project import SMOKE, Project

from tools.slurm import install_plugin, list_missing, run_slurm

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(list_missing()), reason="Slurm is not installed (Debian: slurm-wlm, munge)"
    ),
]
RESULTS = "results/smoke/zhang2025"
BREAKS = 'raise ValueError("no judge came")'


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with run_slurm(tmp_path_factory.mktemp("slurm")) as started:
        yield started


@pytest.fixture(scope="module")
def submit(cluster, tmp_path_factory):
    """Run a project through Slurm; call it with the project."""
    try:
        plugin = install_plugin(tmp_path_factory.mktemp("plugin") / "packages")
    except subprocess.CalledProcessError:
        pytest.skip("the plugin of Snakemake for Slurm cannot be downloaded")
    environment = cluster.environment | {"PYTHONPATH": str(plugin)}
    profile = ("--profile", "profiles/slurm", *SMOKE)
    return lambda project: project.snakemake(*profile, environment=environment)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A run without Slurm."""
    project = Project(tmp_path_factory.mktemp("alone") / "project")
    project.make(*SMOKE)
    return project


def test_run_fails_says_why_goes_on_and_gives_the_same_numbers(alone, cluster, submit, tmp_path):
    project = Project(tmp_path / "project")
    script = project.folder / "scripts/compute_statistics.py"
    whole = script.read_text()
    script.write_text(whole.replace("    params = ", f"    {BREAKS}\n    params = ", 1))

    failed = submit(project)
    assert failed.code != 0
    assert f"{RESULTS}/logs/statistics.log:" in failed.output
    assert "ValueError: no judge came" in failed.output
    states = [(job.comment.split("_")[1], job.state) for job in cluster.list_jobs()]
    assert ("read", "COMPLETED") in states and ("data", "FAILED") in states

    script.write_text(whole)
    went_on = submit(project)
    assert went_on.code == 0, went_on.output[-5000:]
    assert f"Open {RESULTS}/report" in went_on.output
    jobs = cluster.list_jobs()[len(states) :]
    assert {job.state for job in jobs} == {"COMPLETED"}
    # What was read is not read again.
    assert "read" not in [job.comment.split("_")[1] for job in jobs]
    assert project.results(RESULTS) == alone.results(RESULTS)
