"""Runs of the workflow that several tests share.

These runs go on one after the other beside the tests that do not need them.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from project import TRANSCRIBED, Project, git


def run_demo(folder):
    """The default run, with few draws."""
    project = Project(folder).resample_less()
    project.make()
    return project


def run_demo_elsewhere(folder):
    """The default run on one core, in another folder, with other settings of the computer."""
    project = Project(folder / "a longer name").resample_less()
    other = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "MPLBACKEND": "svg"}
    project.make("--cores", "1", environment=other)
    return project


def run_public(folder):
    """Two runs on transcribed public data: whole on a checkout, to the ledger on a repository."""
    checkout, bare = folder / "checkout", folder / "TuringTest.git"
    builder = TRANSCRIBED / "tools/build_checkout.py"
    subprocess.run([sys.executable, builder, checkout], check=True, capture_output=True)
    git(checkout, "clone", "-q", "--bare", ".", bare)
    # As the public server does, serve parts of any commit.
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(bare, "config", key, "true")
    data = {"commit": git(checkout, "rev-parse", "HEAD"), "allow_missing": True}
    from_checkout, from_repository = (
        Project(folder / name).resample_less() for name in ("first", "second")
    )
    from_checkout.make(config={"data": data | {"source": str(checkout)}, "figures": {"dpi": 72}})
    public = {"source": "public", "repository": bare.as_uri()}
    from_repository.make("ledger", config={"data": data | public})
    return SimpleNamespace(
        checkout=checkout, from_checkout=from_checkout, from_repository=from_repository
    )


# By the name of their fixture, in the order in which they are run.
SHARED = {"demo": run_demo, "public": run_public, "demo_elsewhere": run_demo_elsewhere}


def shared_by(item):
    """Places in `SHARED` of the runs that a test needs."""
    names = getattr(item, "fixturenames", ())
    return [place for place, name in enumerate(SHARED) if name in names]


def pytest_collection_modifyitems(items):
    """Put tests that need shared runs last, in the order in which these are ready.

    Without the transcribed trials those that need them are skipped.
    """
    absent = pytest.mark.skip(reason=f"the transcribed trials ({TRANSCRIBED}) are not at hand")
    for item in items:
        if "public" in getattr(item, "fixturenames", ()) and not TRANSCRIBED.exists():
            item.add_marker(absent)
    items.sort(key=lambda item: max(shared_by(item), default=-1))


@pytest.fixture(scope="session", autouse=True)
def started(request, tmp_path_factory):
    """Start the shared runs that any of the chosen tests needs."""
    running = [item for item in request.session.items if not item.get_closest_marker("skip")]
    wanted = {place for item in running for place in shared_by(item)}
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield {
            name: pool.submit(make, tmp_path_factory.mktemp(name) / "project")
            for place, (name, make) in enumerate(SHARED.items())
            if place in wanted
        }
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="session")
def demo(started):
    """A project after its default run; tests leave it as they found it."""
    return started["demo"].result()


@pytest.fixture(scope="session")
def public(started):
    """Projects after runs on public data: checkout, from_checkout, from_repository."""
    return started["public"].result()


@pytest.fixture(scope="session")
def demo_elsewhere(started):
    """A project after the default run under other conditions."""
    return started["demo_elsewhere"].result()
