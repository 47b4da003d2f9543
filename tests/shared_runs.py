"""Runs of the workflow that several tests share.

These runs go on one after the other beside the tests that do not need them.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from project import STUDIES, TRANSCRIBED, Project, git


def run_observed(folder):
    """The default run, on the observed trials, with few draws."""
    project = Project(folder).resample_less()
    project.make()
    return project


def run_generated(folder):
    """A run on generated data, of what the observed trials lack."""
    project = Project(folder)
    project.make("--configfile", "config/subsets/generated.yaml")
    return project


def run_generated_ledger(folder):
    """The ledger of a run on generated data of all tasks, with few draws."""
    project = Project(folder).resample_less()
    project.make("ledger", config={"data": {"source": "demo"}})
    return project


def run_observed_elsewhere(folder):
    """The default run on one core, in another folder, with other settings of the computer."""
    project = Project(folder / "a longer name").resample_less()
    other = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "MPLBACKEND": "svg"}
    project.make("--cores", "1", environment=other)
    return project


def run_studies(folder):
    """A run of each other study, with few draws and small pictures."""
    project = Project(folder)
    for study in STUDIES:
        project.make("--configfile", "config/subsets/studies.yaml", config={"study": study})
    return project


def run_public(folder):
    """Two runs on transcribed public files, of a checkout and of a repository, as far as the judgments."""
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
    from_checkout.make("data", config={"data": data | {"source": str(checkout)}})
    public = {"source": "public", "repository": bare.as_uri()}
    from_repository.make("data", config={"data": data | public})
    return SimpleNamespace(
        checkout=checkout, from_checkout=from_checkout, from_repository=from_repository
    )


# By the name of their fixture, in the order in which they are run.
SHARED = {
    "observed": run_observed,
    "generated": run_generated,
    "studies": run_studies,
    "public": run_public,
    "generated_ledger": run_generated_ledger,
    "observed_elsewhere": run_observed_elsewhere,
}


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
def observed(started):
    """A project after its default run; tests leave it as they found it."""
    return started["observed"].result()


@pytest.fixture(scope="session")
def generated(started):
    """A project after a run on generated data."""
    return started["generated"].result()


@pytest.fixture(scope="session")
def studies(started):
    """A project after a run of each of `STUDIES`, into results/studies/<study>/."""
    return started["studies"].result()


@pytest.fixture(scope="session")
def generated_ledger(started):
    """A project after a run on generated data of all tasks, as far as the ledger."""
    return started["generated_ledger"].result()


@pytest.fixture(scope="session")
def public(started):
    """The rebuilt public files, and projects that read them: checkout, from_checkout, from_repository."""
    return started["public"].result()


@pytest.fixture(scope="session")
def observed_elsewhere(started):
    """A project after the default run under other conditions."""
    return started["observed_elsewhere"].result()
