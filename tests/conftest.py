"""What all tests share: settings of linear algebra, examples of Hypothesis, and the marks and order of tests.

Tests are marked by their folder. Files of tests are dealt to processes in turn (`make test`): those that take
longest come first, so that processes end together, and those that wait for a server come while others work.
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
FIRST = (
    "workflow/test_studies.py",
    "unit/test_hostile_server.py",
    "unit/test_language_judges.py",
    "unit/test_chat.py",
    "workflow/test_golden.py",
    "workflow/test_public_repository.py",
    "workflow",
    "browser",
    "oracle",
    "property",
    "unit/test_plots.py",
    "unit/test_judges.py",
    "unit/test_new_study.py",
    "unit/test_verdict_table.py",
)
"""Files and folders of the tests that take or wait longest."""

# Examples are the same in every run, so that a failure is one of the change at hand.
for profile, examples in {"dev": 15, "ci": 60}.items():
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=True, database=None
    )
settings.load_profile(PROFILE)


def rank_file(path):
    """Return the place of a file in `FIRST`; the last for all that are not there."""
    for place, name in enumerate(FIRST):
        if path.is_relative_to(name):
            return place
    return len(FIRST)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark each test by its folder, and put `FIRST` first."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKS:
            item.add_marker(MARKS[folder])
        if PROFILE == "dev" and item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="left to `make test-all`"))
    items.sort(key=lambda item: rank_file(item.path.relative_to(TESTS)))


def pytest_collection_finish():
    """Let garbage collection pass over what the modules of tests have made and imported, and be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
