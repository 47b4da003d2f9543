"""The workflow on a cluster, in a container and with conda: the same rules, the same locked packages."""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest
import yaml
from project import ROOT, Project


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("fresh") / "project")


def test_what_takes_seconds_is_submitted_together(fresh):
    groups = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text())["groups"]
    output = fresh.make("--dry-run", "--quiet", "host", "--groups", *groups, "--", "all")
    # Rules of a group are indented, and Snakemake plans no group that depends on itself.
    alone = set(re.findall(r"^rule (\w+):", output, re.MULTILINE))
    assert alone == {"all", "read", "judges", "models"}
    assert Counter(re.findall(r"Group job (\w+)", output)) == {"data": 1, "shown": 1}


def test_container_holds_what_the_workflow_reads(tmp_path):
    project = Project(tmp_path / "project")
    dockerfile = (ROOT / "envs/Dockerfile").read_text()
    held = tuple(re.findall(r"^COPY (\S+)", dockerfile, re.MULTILINE))
    for path in project.folder.rglob("*"):
        if path.is_file() and not str(path.relative_to(project.folder)).startswith(held):
            path.unlink()
    assert not (project.folder / "README.md").exists()
    project.make("--dry-run", config={"study": "all"})
    project.make("--dry-run", config={"data": {"source": "public"}})
    # Dry runs do not open what jobs import.
    command = [sys.executable, "-c", "import converters.zhang2025.conversion"]
    environment = os.environ | {"PYTHONPATH": f"src{os.pathsep}."}
    subprocess.run(command, cwd=project.folder, env=environment, check=True)
