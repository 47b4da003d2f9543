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
    script = project.folder / "scripts/compare.py"
    whole = script.read_text()
    script.write_text(whole.replace("    counts = ", f"    {BREAKS}\n    counts = ", 1))

    failed = submit(project)
    assert failed.code != 0
    told = f"compare failed\nValueError: no judge came\n  log:     {RESULTS}/logs/compare.log\n"
    assert failed.output.count(" failed\n") == 1 and told in failed.output
    assert "Error in group" not in failed.output
    states = [(job.comment.split("_")[1], job.state) for job in cluster.list_jobs()]
    assert states == [("data", "COMPLETED"), ("statistics", "FAILED")]

    script.write_text(whole)
    went_on = submit(project)
    assert went_on.code == 0, went_on.output[-5000:]
    assert went_on.output.count("whole run") == 1 and f"Open {RESULTS}/report" in went_on.output
    jobs = cluster.list_jobs()[2:]
    assert {job.state for job in jobs} == {"COMPLETED"}
    # What was read is not read again.
    assert [job.comment.split("_")[1] for job in jobs] == ["statistics", "fit", "report"]
    assert {job.cores for job in jobs} == {"2"}
    assert project.results(RESULTS) == alone.results(RESULTS)
