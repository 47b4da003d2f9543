"""Chromium, and the pages of the shared runs for it to open, or of given results (visits.py)."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import visits

FOLDER = Path(__file__).parent
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


def name_what_is_absent():
    """Say what the tests of pages lack, if anything."""
    packages = [name for name in ("playwright", "axe_playwright_python") if not find_spec(name)]
    absent = [*packages, *([] if CHROMIUM else ["Chromium"])]
    return f"{', '.join(absent)} not installed (make browser)" if absent else None


def pytest_collection_modifyitems(items):
    """Skip the tests of this folder where there is no browser."""
    if absent := name_what_is_absent():
        for item in items:
            if FOLDER in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=absent))


@pytest.fixture(scope="session")
def site(request, tmp_path_factory):
    """Folder of the results of studies, of the page about all, and of a plan."""
    if visits.GIVEN:
        results = visits.GIVEN
        observed = planned = results / "zhang2025"
    else:
        results = request.getfixturevalue("jones2024").folder / "results/studies"
        observed = request.getfixturevalue("observed").folder / "results/zhang2025"
        planned = request.getfixturevalue("planned").project.folder / "results/zhang2025"
    top = tmp_path_factory.mktemp("site")
    folders = {path.name: path for path in results.iterdir()}
    for name, folder in (folders | {"zhang2025": observed, "planned": planned}).items():
        (top / name).symlink_to(folder)
    return top


# Not for the session: its event loop would be in the way of tests that need one of their own.
@pytest.fixture(scope="package")
def windows():
    """Two contexts of a running Chromium, with scripts (True) and without; pages leave nothing in them."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield {
            scripts: browser.new_context(color_scheme="light", java_script_enabled=scripts)
            for scripts in (True, False)
        }
        browser.close()


@pytest.fixture
def visit(windows, site):
    """Function that opens a page of the site; it must have no problem until the test ends."""
    opened = []

    def open_page(path, scripts=True, **options):
        opened.append(visits.Visit(windows[scripts], site, path, **options))
        return opened[-1].page

    yield open_page
    problems = [problem for one in opened for problem in one.problems]
    for one in opened:
        one.page.close()
    assert not problems
