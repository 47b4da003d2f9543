# Shared by all rules: the checked configuration, and the code that each job depends on.

import functools
import gc
import logging
import os
import re
import sys
import time
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import Quietness

STARTED = time.time()
# With --quiet all, Snakemake says nothing of its own errors either, such as that a folder is locked.
if Quietness.ALL in (workflow.output_settings.quiet or ()) and not workflow.output_settings.dryrun:
    errors = logging.StreamHandler()
    errors.setLevel(logging.ERROR)
    logger.addHandler(errors)
# Garbage collection need not look at the libraries again and again: a seventh of the time of a start.
gc.freeze()
# Where the rules and their code are. Studies, data and results are in the working directory, which is another
# folder if these rules are a module of somebody's workflow.
try:
    HOME = Path(workflow.current_basedir).parents[1]
except TypeError:
    raise WorkflowError(
        "These rules were loaded from a web address, but their jobs depend on the files next to them. Clone the "
        "repository, and name the path of its Snakefile (docs/module.md)."
    )
# In a wheel, the rules are a folder of the package.
SOURCE = HOME / "src" if (HOME / "src").is_dir() else HOME.parents[1]
IS_MODULE = not workflow.modifier.is_main_snakefile()
# The converters and generators are next to the rules.
sys.path = [str(SOURCE), *sys.path, str(HOME)]
# Scripts run in a Python of their own.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH"), str(HOME)]))
)

from turingstats.core import processor, yaml_models
from turingstats.core.yaml_models import HEADING, LABEL
from turingstats.core.code_dependencies import describe_code, list_modules
from turingstats.core.errors import TuringError
from turingstats.config.settings import Config
from turingstats.workflow import record
from turingstats.workflow.load import load_plan, load_plans
from turingstats.workflow.parameters import (
    choose_reading,
    describe_declared,
    describe_for_synthesis,
    list_pools,
    place_panels,
    select_sections,
)
from turingstats.workflow.plan import check_submission, list_planning_models, require_judgments
from turingstats.workflow.results import ALL_STUDIES

os.environ.update(processor.SETTINGS)
# Snakemake would set the threads of linear algebra to those of the job, and sums would depend on the cores.
shell.prefix("".join(f"export {name}='{value}'; " for name, value in processor.SETTINGS.items()))


def load_or_stop(load, *arguments):
    """Call `load`; show its errors as one message without a traceback."""
    try:
        return load(*arguments)
    except TuringError as error:
        raise WorkflowError(str(error))


def refuse_table_without_target(wildcards):
    """Refuse to run everything for a table that has no study yet."""
    raise WorkflowError("say what to do with the table: snakemake init --config csv=trials.csv")


# Snakemake takes the last of two equal keys; this refuses them.
for path in [] if IS_MODULE else workflow.configfiles:
    load_or_stop(yaml_models.read_mapping, path)
# Makes the tables of most rules, as the list of results says (src/turingstats/workflow/results.py).
JOB = "scripts/make_results.py"
CONFIG = load_or_stop(yaml_models.build_model, Config, config, "the configuration")
STYLE = CONFIG.figures.model_dump(include={"dpi", "formats"}, mode="json")


@functools.cache
def code(*names):
    """Describe the code of scripts or modules and the versions of packages: another one reruns the job."""
    return describe_code(names, HOME)


def templates(*pages):
    """List the templates of pages, and files of the same folder with other endings."""
    names = (page if "." in page else f"{page}.html" for page in pages)
    return [os.path.relpath(SOURCE / "turingstats/templates" / name) for name in names]


def find_lists(*folder):
    """List the YAML files of a folder and those in it."""
    return sorted(map(str, Path(*folder).rglob("*.yaml")))


def count_cores(things):
    """Return the cores for a job that runs several tasks or models, each in its own process."""
    return max(1, min(6, len(things)))


def show_logs(paths, only_errors=False):
    """Print logs that this run has written: at its end, those that are for the user, or say why it failed."""
    for path in sorted(path for path in map(Path, paths) if path.is_file()):
        if path.stat().st_mtime >= STARTED:
            text = path.read_text(encoding="utf-8", errors="replace")
            if not only_errors:
                print("", text.strip(), sep="\n")
            elif re.search(r"^(\w+Error: |Traceback|This step did not end)", text, re.MULTILINE):
                print(f"{path}:", text, sep="\n", file=sys.stderr)


def list_published(name, papers):
    """List a table of each paper that has it in data/published/."""
    paths = (Path("data/published", paper, f"{name}.csv") for paper in papers)
    return [str(path) for path in paths if path.exists()]
