"""What all tests share: settings of linear algebra, examples of Hypothesis, marks by folder."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from turingstats.core.processor import SETTINGS

assert "numpy" not in sys.modules, "something imports numpy before its settings are made"
# Those that the rules set for jobs.
os.environ.update(SETTINGS)

pytest_plugins = ["shared_runs"]

TESTS = Path(__file__).parent
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev")
MARKS = {"workflow": "workflow", "browser": "browser", "calibration": "slow"}
"""Mark by folder; tests in other folders are quick."""
SHARED = {"observed", "exported", "jones2024", "planned", "transcribed", "public"}
"""Runs that several files of tests share (shared_runs.py)."""

# Examples are the same in every run, so that a failure is one of the change at hand.
for profile, examples in {"dev": 8, "ci": 20}.items():
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=True, database=None
    )
settings.load_profile(PROFILE)


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_collection_modifyitems(items):
    """Mark each test by its folder; of those that are left, put runs of the workflow first."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKS:
            item.add_marker(MARKS[folder])
        if PROFILE == "dev" and item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="left to `make test-all`"))
    yield
    ranks = rank_files(items)
    items.sort(key=lambda item: ranks[item.path])


def rank_files(items):
    """Rank files of tests: first those that only make a shared run, then other runs, last what uses these.

    So no process waits for a run that another one makes while there is something else to do.
    """
    needed = {}
    for item in items:
        needed.setdefault(item.path, set()).update(SHARED.intersection(item.fixturenames))
    ranks, made = {}, set()
    for path, runs in needed.items():
        own = path.parent.name == "workflow"
        ranks[path] = 3 if not own else 1 if not runs else 2 if runs & made else 0
        made |= runs if own else set()
    return ranks


def pytest_collection_finish():
    """Let garbage collection pass over what the modules of tests have made and imported, and be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
