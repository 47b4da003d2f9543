"""Chromium, and the pages of the shared runs for it to open.

`PAGES=results` in the environment names a folder with results of studies to look at instead of making some.
"""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import visits
from project import ROOT, STUDIES

from turingstats.analysis.synthesis import gather
from turingstats.config.settings import Config
from turingstats.core import files
from turingstats.core.templating import render_page
from turingstats.figures import pages
from turingstats.figures import synthesis as synthesis_figure
from turingstats.report import overview_page
from turingstats.workflow.load import load_plans

FOLDER = Path(__file__).parent
GIVEN = os.environ.get("PAGES")
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


def gather_pages(folders, planned, top):
    """Gather results by study, and of a planned one, in the folder `top`, with the overview page of all."""
    plans, _ = load_plans(Config(), ROOT)
    for study, folder in folders.items():
        (top / study).symlink_to(Path(folder).resolve())
    (top / "planned").symlink_to(Path(planned).resolve())
    synthesize(plans, top / "all-studies")
    synthesis = overview_page.describe_synthesis(top / "all-studies", top)
    cards = [
        overview_page.describe_study(plans[study].reported, top / study, top) for study in folders
    ]
    page = render_page("studies.html", overview_page.build_overview(cards, synthesis))
    (top / "index.html").write_text(page, encoding="utf-8")
    return top


def synthesize(plans, folder):
    """Put the agents of all studies on one scale, as the workflow does."""
    told = [plan.synthesized for plan in plans.values()]
    effects, left_out = gather.gather_effects(told, folder.parent, 0.95)
    for name, table in (("effects", effects), ("left_out", left_out)):
        files.write_frame(table, folder / f"statistics/{name}.csv")
    files.write_frame(gather.list_forest(effects), folder / "figures/forest.csv")
    source = pages.read_source_data(folder / "figures/forest.csv")
    pages.save_figure(synthesis_figure.draw(source), [folder / "figures/forest.svg"], 100)


if GIVEN:

    @pytest.fixture(scope="session")
    def site(tmp_path_factory):
        """Folder of the given results."""
        folders = {study: ROOT / GIVEN / study for study in ("zhang2025", *STUDIES)}
        return gather_pages(folders, folders["zhang2025"], tmp_path_factory.mktemp("site"))

else:

    @pytest.fixture(scope="session")
    def site(observed, studies, planned, tmp_path_factory):
        """Folder of the results of all studies, of the page about all, and of a plan."""
        folders = {study: studies.folder / "results/studies" / study for study in STUDIES}
        folders["zhang2025"] = observed.folder / "results/zhang2025"
        made = planned.project.folder / "results/zhang2025"
        return gather_pages(folders, made, tmp_path_factory.mktemp("site"))


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
