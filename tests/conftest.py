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

# Examples are the same in every run, so that a failure is one of the change at hand.
for profile, examples in {"dev": 8, "ci": 20}.items():
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=True, database=None
    )
settings.load_profile(PROFILE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark each test by its folder, and put runs of the workflow first: they take longest."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKS:
            item.add_marker(MARKS[folder])
        if PROFILE == "dev" and item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="left to `make test-all`"))
    items.sort(key=lambda item: item.get_closest_marker("workflow") is None)


def pytest_collection_finish():
    """Let garbage collection pass over what the modules of tests have made and imported, and be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
