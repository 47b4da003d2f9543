"""The way of one number, P(H|H) of Color estimation: jobs and modules from its CSV to the cell of Fig 6."""

import itertools
import sys

import numpy as np
import pandas as pd
import pytest
from project import ROOT, Project, read_study

from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.data import cleaning, counts, package_reader
from turingstats.figures import source_data

OPTIONS = {"seed": 1, "n_bootstrap": 10, "n_permutation": 10, "confidence": 0.95}
FILES = (
    *("data/observed/zhang2025/color_trials.csv", "data/raw_judgments.parquet"),
    *("data/counts.parquet", "statistics/estimates.csv", "figures/fig6.csv"),
)
# Functions of these compute errors and intervals, and other quantities of the same verdicts.
BESIDE = ("clustered", "crossed", "intervals", "resampling", "signal_detection")
MOST_MODULES = 12


def test_four_jobs_lead_from_the_trials_to_the_figure(tmp_path):
    project = Project(tmp_path / "project")
    subset = ("--configfile", "config/subsets/color.yaml")
    plan = project.plan(f"results/color/zhang2025/{FILES[-1]}", *subset)
    rules = []
    for read, written in itertools.pairwise(FILES):
        (job,) = (job for job in plan if any(path.endswith(written) for path in job.outputs))
        assert any(path.endswith(read) for path in job.inputs)
        rules.append(job.rule)
    assert rules == ["read", "clean", "statistics", "tables"]


def holds_numbers(value, depth=2):
    """Tell whether a value is a table or an array, or has some in it."""
    if isinstance(value, pd.DataFrame | pd.Series | np.ndarray):
        return True
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, list | tuple | dict) and depth:
        return any(holds_numbers(part, depth - 1) for part in list(parts)[:5])
    return False


@pytest.fixture(scope="module")
def way():
    """Modules whose functions return tables on the way, in their order, and the number at its end."""
    study = read_study("zhang2025")
    figure = study.figures["fig6"]
    of_color = {at: p for at, p in figure.panels.items() if p.task == "color" and not p.printed}
    figures = {"fig6": figure.model_copy(update={"panels": of_color})}
    tasks = {"color": study.tasks["color"]}
    study = study.model_copy(update={"tasks": tasks, "figures": figures})
    columns = ["task", "cohort", "path", "why", "reading", "quantity", "test_id"]
    empty = pd.DataFrame(columns=columns)
    results = dict.fromkeys(("tests", "sizes", "missing"), empty)
    modules = {}

    def note(frame, event, returned):
        name = frame.f_globals.get("__name__", "")
        if event == "return" and name.startswith("turingstats") and holds_numbers(returned):
            modules.setdefault(name.removeprefix("turingstats."), None)

    sys.setprofile(note)
    try:
        package = package_reader.read_package(ROOT / "data/observed/zhang2025", study)
        judgments, judges, responses = package[:3]
        groups = counts.assign_groups(judges, study.demographics)
        marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
        counted = counts.count_verdicts(marked, study, groups)
        estimates = estimate_rates(counted, groups, study, OPTIONS)
        results |= {"estimates": estimates, "responses": responses}
        tables = source_data.select_reading(results, "published")
        shown = source_data.select_figure_data("fig6", study, tables, "published", 0.95, "x")
    finally:
        sys.setprofile(None)
    cell = shown.query("cohort == 'amt' and agent == 'human' and quantity == 'p_HH'")
    return [name for name in modules if name.split(".")[-1] not in BESIDE], cell["value"]


def test_the_number_is_that_of_the_paper_and_few_modules_lead_to_it(way):
    assert way[1].round(2).tolist() == [0.55]
    modules = way[0]
    assert "data.counts" in modules and len(modules) <= MOST_MODULES, modules
