"""A table of one's own, taken to its report in this process: `init`, then every job of the list of results.

Only Snakemake itself does not run, which says in which order jobs run.
"""

import contextlib
import gc
import io
import os
import re
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from PIL import Image

from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.core.errors import report_errors
from turingstats.core.yaml_models import build_model
from turingstats.figures import fonts
from turingstats.new_study import starting_study
from turingstats.new_study.starting_study import write_study
from turingstats.stages.draw import Drawing, Style, draw_figures
from turingstats.stages.job import Job, find_function, make_results
from turingstats.tables import writer
from turingstats.workflow.load import load_plan
from turingstats.workflow.parameters import place_panels

FEW = {
    "resamples": {"bootstrap": 100, "permutation": 100},
    "figures": {"formats": ["png"], "dpi": 72},
}
"""Settings of a fast run."""
LEFT_OUT = [
    (starting_study, "read_draft", None),
    (fonts, "cut_font", b""),
    (writer, "format_latex", ""),
    (writer, "format_page", "<p></p>"),
]
"""What does again what the run does, or depends on letters alone, and what it returns instead."""


class Stopped(Exception):
    """A rule did not end."""


def run_job(rule, plan, folder):
    """Make the results of a rule, as its script does."""
    described = plan.describe_job(rule)
    settings = described["settings"]
    settings |= {
        "study": Study(**settings["study"]),
        "published_folder": Path("data/published", plan.name),
    }
    make_results(Job(**described, folder=folder))


def log_job(rule, plan, folder):
    """Run a job as its rule does: its error ends it, and is in its log."""
    log = folder / f"logs/{rule}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        with contextlib.redirect_stderr(io.StringIO()), report_errors(str(log)):
            run_job(rule, plan, folder)
    except SystemExit:
        raise Stopped(f"{rule}: {log.read_text()}") from None


def draw(plan, folder):
    """Draw the figures."""
    drawings = [
        Drawing(
            find_function(figure.draw),
            folder / figure.path,
            plan.describe_figure(figure.name),
            place_panels(plan.study, figure.name),
        )
        for figure in plan.made
        if figure.draw
    ]
    style = Style(**plan.config.figures.model_dump(include={"dpi", "formats"}, mode="json"))
    draw_figures(drawings, style, folder / ".cache", 1)


def stand_in_for_pictures(plan, folder):
    """Write a dot in place of every picture that the report shows."""
    for path in plan.list_pictures(plan.made):
        Image.new("L", (1, 1)).save(folder / path.removeprefix(f"{plan.folder}/"))


def take_to_report(folder, table, *, draw_all=False, config=None, **said):
    """Write a study for a table and run all its jobs; return the plan and what `init` said.

    Unless `draw_all`, figures are dots, tables have no LaTeX and HTML, and `init` does not try to read the
    table.
    """
    before = os.getcwd()
    os.chdir(folder)
    # Many small tables are made, whose search for cycles takes a tenth of the time.
    gc.disable()
    try:
        with contextlib.ExitStack() as stack:
            for module, function, made in [] if draw_all else LEFT_OUT:
                stack.enter_context(mock.patch.object(module, function, return_value=made))
            told = write_study(Path(table), said.pop("name", None), **said)
            study = re.search(r"--config study=(\w+)", told)[1]
            settings = build_model(Config, FEW | {"study": study} | (config or {}), "config")
            plan, results = (
                load_plan(study, settings, Path.cwd()),
                Path("results", study).absolute(),
            )
            for rule in (rule for rule, listed in plan.listed.items() if listed and rule != "plan"):
                if rule == "report":
                    (draw if draw_all else stand_in_for_pictures)(plan, results)
                log_job(rule, plan, results)
        return SimpleNamespace(plan=plan, told=told, folder=results)
    finally:
        gc.enable()
        os.chdir(before)
