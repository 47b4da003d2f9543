"""What all tests share: settings of linear algebra, examples of Hypothesis, and the marks and order of tests.

Tests are marked by their folder. Files of tests are dealt to processes in turn (`make test`): those that take
longest come first, so that processes end together.
"""

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
LONGEST = (
    "workflow/test_studies.py",
    "workflow/test_golden.py",
    "workflow",
    "browser",
    "oracle/test_expected_numbers.py",
    "property",
    "unit/test_plots.py",
    "unit/test_judges.py",
    "unit/test_new_study.py",
    "unit/test_verdict_table.py",
)
"""Files and folders of the tests that take longest."""

# Examples are the same in every run, so that a failure is one of the change at hand.
for profile, examples in {"dev": 15, "ci": 60}.items():
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=True, database=None
    )
settings.load_profile(PROFILE)


def rank_by_duration(path):
    """Return the place of a file in `LONGEST`; the last for all that are not there."""
    for place, name in enumerate(LONGEST):
        if path.is_relative_to(name):
            return place
    return len(LONGEST)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark each test by its folder, and put those that take longest first."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKS:
            item.add_marker(MARKS[folder])
        if PROFILE == "dev" and item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="left to `make test-all`"))
    items.sort(key=lambda item: rank_by_duration(item.path.relative_to(TESTS)))


def pytest_collection_finish():
    """Let garbage collection pass over what the modules of tests have made and imported, and be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
