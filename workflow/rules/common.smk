# Shared by all rules: the checked configuration, the plans of the studies, and the code each job depends on.

import functools
import gc
import os
import re
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

STARTED = time.time()
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
SOURCE = HOME / "src"
IS_MODULE = not workflow.modifier.is_main_snakefile()
sys.path.insert(0, str(SOURCE))
# Scripts run in a Python of their own.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
)

from turingstats.workflow.run_display import show_stages

# Before all else, so that errors in what follows are shown in the same way.
DISPLAY = None if IS_MODULE else show_stages(logger, workflow, lambda: print_glance())

from turingstats.report import at_a_glance, synthesis_section
from turingstats.core import checked_yaml, processor, yaml_models
from turingstats.config.settings import Config
from turingstats.core.yaml_models import HEADING, LABEL
from turingstats.core.errors import TuringError
from turingstats.workflow.code_dependencies import find_code, list_modules
from turingstats.workflow.load import (
    find_asked_studies,
    list_studies,
    load_plan,
    load_plans,
)
from turingstats.workflow.runs import enter_folder
from turingstats.workflow.script_processes import (
    compare_params_without_pandas,
    fork_scripts,
    lift_rate_limit,
)
from turingstats.workflow.ratings_plan import RatingsPlan
from turingstats.workflow.verdicts_plan import VerdictsPlan

os.environ.update(processor.SETTINGS)
# Snakemake would set the threads of linear algebra to those of the job, and sums would depend on the cores.
shell.prefix("".join(f"export {name}='{value}'; " for name, value in processor.SETTINGS.items()))


if not IS_MODULE:
    fork_scripts(workflow)
    compare_params_without_pandas()

if workflow.is_main_process and not IS_MODULE and (told := enter_folder(os.getcwd())):
    logger.warning(told)


def load_or_stop(load, *arguments):
    """Call `load`; show its errors as one message without a traceback."""
    try:
        return load(*arguments)
    except TuringError as error:
        raise WorkflowError(str(error))


# Snakemake takes the last of two equal keys; this refuses them.
for path in [] if IS_MODULE else workflow.configfiles:
    load_or_stop(checked_yaml.read_mapping, path)
CONFIG = load_or_stop(yaml_models.build_model, Config, config, "the configuration")

# Every study can be requested by the path of one of its results; the configured one is the default.
STUDIES = list_studies(Path.cwd())
if Path(sys.argv[0]).stem in ("snakemake", "__main__") and not IS_MODULE:
    STUDIES = find_asked_studies(sys.argv[1:], STUDIES, CONFIG.study)
PLANS, BROKEN = load_plans(CONFIG, Path.cwd(), STUDIES)
# Says what is wrong with the configured study, or which studies there are.
PLAN = PLANS.get(CONFIG.study) or load_or_stop(load_plan, CONFIG.study, CONFIG, Path.cwd())
for name, problem in BROKEN.items():
    logger.warning(f"Study {name} is left out of this run.\n{problem}\n")

BOOTSTRAP = {
    "seed": CONFIG.seed,
    "n_bootstrap": CONFIG.resamples.bootstrap,
    "confidence": CONFIG.confidence,
}
VERDICTS = {name: plan for name, plan in PLANS.items() if isinstance(plan, VerdictsPlan)}
RATINGS = {name: plan for name, plan in PLANS.items() if isinstance(plan, RatingsPlan)}


wildcard_constraints:
    study="|".join(PLANS),


def plan(wildcards):
    """Return the plan of a job's study."""
    return PLANS[wildcards.study]


def match_studies(plans):
    """Constrain the wildcard `study` to these studies."""
    return "|".join(plans) or "(?!)"


def data(wildcards):
    """Parameter function: what results are made from, as every result says."""
    return plan(wildcards).data_label


def reading(wildcards):
    """Parameter function: the reading that figures and tables show."""
    return plan(wildcards).reading


def sections(*names, keep=()):
    """Parameter function: the named sections of a study file, in addition to agents and tasks."""
    return lambda wildcards: plan(wildcards).select_sections(*names, keep=keep)


def of_study(name, function):
    """Parameter function of a rule that one study has for itself.

    The paths of such a rule name the study. With a wildcard in their place, Snakemake would compare every file
    of any study with the outputs of the rules of all.
    """
    return lambda wildcards: function(SimpleNamespace(study=name))


def submitted_with(group):
    """Group function: on a cluster, the rules of a group are one submission a study, as each takes seconds.

    A dry run lists single jobs. No group may depend on itself: what is between two of its rules is in it, too.
    """
    return lambda wildcards: None if workflow.dryrun else group


def raw_files(wildcards):
    """Input function: the raw files of a study."""
    return load_or_stop(lambda: plan(wildcards).raw.inputs)


@functools.cache
def code(*names):
    """List the Python files that scripts or modules of the project depend on, including themselves."""
    return [os.path.relpath(file) for file in find_code(names, HOME)]


def templates(*pages):
    """List the templates of pages."""
    return [os.path.relpath(SOURCE / f"turingstats/templates/{page}.html") for page in pages]


def find_prompts():
    """Find the folder with the templates of prompts: that of the project, or else that of the rules."""
    own = CONFIG.llm.prompts
    return own if Path(own).is_dir() else os.path.relpath(HOME / own)


def list_package_modules(package):
    """List the modules of a package (also of demo) that are chosen by name at run time, for `code`."""
    return list_modules(package, HOME)


def count_cores(things):
    """Return the cores for a job that runs several tasks or models, each in its own process."""
    return max(1, min(6, len(things)))


def end_display():
    """Show how the run ended, where it is shown by stage."""
    if DISPLAY:
        DISPLAY.end()


def print_failures():
    """Print the logs of the jobs that failed, where `--quiet all` hides them."""
    if "all" not in {str(level) for level in workflow.output_settings.quiet or ()}:
        return
    logs = [path for path in Path(CONFIG.pathvars.results).rglob("*.log") if path.is_file()]
    for path in sorted(log for log in logs if log.stat().st_mtime >= STARTED):
        text = path.read_text(encoding="utf-8", errors="replace")
        if re.search(r"^(\w+Error: |Traceback)", text, re.MULTILINE):
            print(f"{path}:", text, sep="\n", file=sys.stderr)


def print_glance():
    """Say at the end of a run what it was made from, one row per study or a line, or what a plan found."""
    asked, results = workflow.dag_settings.targets, CONFIG.pathvars.results
    if "all_studies" in asked:
        rows = [
            at_a_glance.make_row(plan.reported, f"{results}/{name}", ".")
            for name, plan in PLANS.items()
        ]
        print("", *at_a_glance.lay_out_rows(rows), f"Open {results}/index.html", sep="\n")
    elif "plan" in asked:
        told = Path(results, PLAN.name, "logs/plan_page.log").read_text(encoding="utf-8")
        print("", told.strip(), f"Open {results}/{PLAN.name}/plan/index.html", sep="\n")
    elif not asked or "all" in asked:
        print(
            "", at_a_glance.summarize_study(PLAN.reported, f"{results}/{PLAN.name}", "."), sep="\n"
        )
