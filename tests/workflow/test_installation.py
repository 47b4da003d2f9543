"""A machine with Python alone gets the locked versions, by old and new versions of pip."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.utils import canonicalize_name
from project import ROOT, Project

pytestmark = pytest.mark.install

# That of Debian 12 among them, and the first ones for 3.12 and 3.13.
PIPS = [("3.11", "22.0.4"), ("3.11", "23.0.1"), ("3.12", "23.2.1"), ("3.13", "24.2")]
PIPS += [(version, "newest") for version in ("3.11", "3.12", "3.13")]
LOCKED = re.compile(r"^([\w.-]+)==([^\s;]+)(?: ; (.+?))? \\$", re.MULTILINE)
LIST = """
import json, importlib.metadata, packaging.markers
versions = {found.name: found.version for found in importlib.metadata.distributions()}
print(json.dumps([versions, packaging.markers.default_environment()]))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Variables of a machine without uv, on which each package is downloaded once for all tests."""
    folder = tmp_path_factory.mktemp("machine")
    (folder / "uv").write_text("#!/bin/sh\nexit 1\n")
    (folder / "uv").chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    # `make` tells a `make` that it calls to say which folder it enters.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return kept | {"PATH": path, "UV_CACHE_DIR": str(folder / "cache")}


def find_python(version):
    """Find a Python of this minor version, on the path or among those of pyenv; else skip the test."""
    found = [
        shutil.which(f"python{version}"),
        *Path.home().glob(f".pyenv/versions/{version}.*/bin/python"),
    ]
    for python in filter(None, found):
        if subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    pytest.skip(f"there is no Python {version} here")


def read_lock(name, machine):
    """Read the versions that a lock file has for a machine, by package."""
    found = LOCKED.findall((ROOT / "envs" / name).read_text())
    return {
        name: version
        for name, version, marker in found
        if not marker or Marker(marker).evaluate(machine)
    }


@pytest.mark.parametrize(("version", "pip"), PIPS)
def test_fresh_machine_gets_the_locked_versions(version, pip, environment, tmp_path):
    folder, python = Project(tmp_path / "project").folder, find_python(version)

    def run(*command):
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(python, "-m", "venv", ".venv")
    asked = "pip" if pip == "newest" else f"pip=={pip}"
    run(".venv/bin/python", "-m", "pip", "install", "--upgrade", asked)
    run("make", ".venv/ready", f"PYTHON={python}")
    installed, machine = json.loads(run(".venv/bin/python", "-c", LIST))
    assert machine["python_version"] == version
    versions = {canonicalize_name(name): found for name, found in installed.items()}
    assert pip in ("newest", versions["pip"])
    for installer in ("pip", "setuptools", "uv"):
        versions.pop(installer, None)
    assert versions == read_lock("requirements.lock", machine)
    assert run("make", ".venv/ready").endswith("is up to date.\n")
    run("make", "results", "ARGS=--dry-run --quiet all")
    module = "turingstats.analysis.models.fits"
    run("env", "PYTHONPATH=src", ".venv/bin/python", "-c", f"import {module}")


def test_wheel_runs_a_study_without_a_clone(environment, tmp_path):
    python = find_python("3.11")

    def run(*command, folder=ROOT):
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, ".")
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 4_000_000
    run(python, "-m", "venv", tmp_path / "bare")
    pip = (tmp_path / "bare/bin/python", "-m", "pip", "install", "--no-deps")
    run(*pip, "-r", "envs/requirements.lock")
    run(*pip, wheel)
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(ROOT / "tests/real_tables/vk-bots/trials.csv", folder)
    run(tmp_path / "bare/bin/turingstats", "init", "trials.csv", folder=folder)
    run(tmp_path / "bare/bin/turingstats", "run", "trials", "--cores", "2", folder=folder)
    assert "trials" in (folder / "results/trials/report/index.html").read_text()
