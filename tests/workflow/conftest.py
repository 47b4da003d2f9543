"""Runs of the workflow that several tests share.

Long runs are started at once, one after the other, beside the tests that do not need them.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from project import Project


def run_demo(folder):
    """The default run."""
    project = Project(folder)
    project.make()
    return project


def run_demo_elsewhere(folder):
    """The default run on one core, in another folder, with other settings of the computer."""
    project = Project(folder / "a longer name")
    other = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "MPLBACKEND": "svg"}
    project.make("--cores", "1", environment=other)
    return project


SHARED = {"demo": run_demo, "demo_elsewhere": run_demo_elsewhere}


@pytest.fixture(scope="session", autouse=True)
def started(request, tmp_path_factory):
    """Start the shared runs that any of the chosen tests asks for."""
    asked = {name for item in request.session.items for name in getattr(item, "fixturenames", ())}
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield {
            name: pool.submit(make, tmp_path_factory.mktemp(name) / "project")
            for name, make in SHARED.items()
            if name in asked
        }
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="session")
def demo(started):
    """A project after its default run; tests leave it as they found it."""
    return started["demo"].result()


@pytest.fixture(scope="session")
def demo_elsewhere(started):
    """The same, run under other conditions."""
    return started["demo_elsewhere"].result()
