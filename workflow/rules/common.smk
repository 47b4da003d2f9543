# What all rules share: the checked configuration, the study, and the code each job depends on.

import functools
import modulefinder
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

SCRIPTS = Path(workflow.basedir) / "scripts"
sys.path.insert(0, str(SCRIPTS))

from turingstats import config as settings
from turingstats.errors import TuringError

# Linear algebra on several threads gains nothing here and can change the last digit.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


def checked(load, *arguments):
    """Call `load`; show its errors as one message without a traceback."""
    try:
        return load(*arguments)
    except TuringError as error:
        raise WorkflowError(str(error))


CONFIG = checked(settings.check, settings.Config, config, "the configuration")


@functools.cache
def study_of(name):
    """The study file of a name, cut to the configured subset."""
    described = checked(settings.load_study, Path(workflow.basedir) / f"config/studies/{name}.yaml")
    return checked(settings.subset, described, CONFIG)


@functools.cache
def sources_of(name):
    """The raw files of a study."""
    return checked(settings.load_sources, Path(workflow.basedir) / f"data/sources/{name}.yaml")


STUDY = study_of(CONFIG.study)
SOURCE = CONFIG.data.source
GROUP = checked(settings.group_of, STUDY, CONFIG)
DATA = "generated data" if SOURCE == "demo" else "public data"
if GROUP:
    DATA += f", judges of {GROUP[0]} {GROUP[1]} only"


def sections(*names):
    """Input function: the named sections of a study file, beside its agents and tasks.

    A job gets just what it uses, so that a change elsewhere in the study file does not rerun it.
    """
    keep = {"study", "title", "reference", "agents", "tasks", *names}
    return lambda wildcards: study_of(wildcards.study).model_dump(mode="json", include=keep)


def raw_folder(wildcards):
    """Top of the raw files of a study."""
    if SOURCE in ("demo", "public"):
        return f"data/raw/{wildcards.study}/{SOURCE}"
    return SOURCE


def raw_files(wildcards):
    """Files of a checkout that the user has: when one changes, it is read again."""
    if SOURCE in ("demo", "public"):
        return []
    wanted = [Path(SOURCE) / file.path for file in sources_of(wildcards.study).files]
    return [str(path) for path in wanted if path.is_file()]


def wanted_files(wildcards):
    """The raw files of the cohorts in this run."""
    described = study_of(wildcards.study)
    return [
        file.model_dump()
        for file in sources_of(wildcards.study).files
        if file.task in described.tasks
        and file.cohort in {None, *described.tasks[file.task].cohorts}
    ]


@functools.cache
def code(*names):
    """The Python files that scripts or modules depend on, themselves included.

    They are inputs of the rules, so that an edited function reruns the jobs that use it, and no
    others. Names are relative to scripts/.
    """
    files = set()
    for name in names:
        finder = modulefinder.ModuleFinder(path=[str(SCRIPTS)])
        finder.run_script(str(SCRIPTS / name))
        files |= {module.__file__ for module in finder.modules.values() if module.__file__}
    return sorted(os.path.relpath(file) for file in files)


def outdate_restored(log):
    """Date back the earlier outputs that a failed job left in place, so that they are made again."""
    text = "".join(Path(file).read_text() for file in log)
    for path in re.findall(r"Restored previous version of (.+) \(", text):
        os.utime(path, (0, 0))
