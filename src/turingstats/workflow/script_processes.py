"""Steps of a run without waste: scripts in processes forked from one that has imported the libraries.

Snakemake starts a Python for each script. Most steps take less time than that Python takes to import pandas,
scipy and matplotlib. Here one process imports them, once in a run, and each script runs in a copy of it.
"""

import functools
import gc
import importlib.util
import multiprocessing
import os
import runpy
import subprocess
import sys
import threading
from contextlib import nullcontext
from multiprocessing.connection import wait

LIBRARIES = [
    "snakemake.iocontainers",
    "snakemake.logging",
    "pyarrow.parquet",
    "pandas",
    # Also imports pydantic.
    "turingstats.config.study",
]
"""What every script imports."""
MORE_LIBRARIES = [
    "fontTools.subset",
    "jinja2",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "pandera.pandas",
    "scipy.stats",
]
"""What many scripts import; a library that few use is theirs to import."""
FEW_JOBS = 5
"""A run of so few jobs takes less time if each imports what it needs."""
READING = threading.Lock()
"""Held to read exit codes: starting a process reads those of all others, and each can be read only once."""


def fork_scripts(workflow):
    """Let a run execute its scripts in forked processes, where that is possible.

    It is not where processes cannot be forked, and in other environments (conda, containers). On a cluster,
    each node does so for the jobs that were submitted together. Logs, benchmarks and exit codes are the same
    either way.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
    """
    if sys.platform != "linux" or workflow.subprocess_exec:
        return
    from snakemake.script import PythonScript

    start_python = PythonScript.execute_script

    @functools.cache
    def choose_libraries():
        few = sum(1 for _ in workflow.dag.needrun_jobs()) <= FEW_JOBS
        multiprocessing.set_forkserver_preload(LIBRARIES if few else LIBRARIES + MORE_LIBRARIES)

    def execute_script(script, fname, edit=False):
        if script.container_img or script.conda_env or script.env_modules:
            start_python(script, fname, edit)
        else:
            choose_libraries()
            fork_script(fname, script.bench_record)

    PythonScript.execute_script = execute_script
    # Processes would import the program of a parent that was not started by `python -m`.
    sys.modules["__main__"].__spec__ = importlib.util.find_spec("snakemake.__main__")


def lift_rate_limit(workflow):
    """Lift Snakemake's limit of jobs per second.

    With a limit, Snakemake looks through all jobs and their inputs again every second, once for every job
    that was ever started: a fifth of the time of a run, and for a hundred studies on a cluster a third of a
    core of the login node. The number of jobs at a time is limited anyway (`cores`, `jobs`).

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        About to be run.
    """
    workflow.scheduler.job_rate_limiter = None


def compare_params_without_pandas():
    """Let Snakemake compare parameters of jobs without importing pandas, which takes a quarter of a second.

    It would recognize tables among them; here parameters are plain values.
    """
    from snakemake.persistence import PersistenceBase

    PersistenceBase._serialize_param_pandas = PersistenceBase._serialize_param_builtin


def fork_script(path, record):
    """Run a script in a forked process, and wait for its end.

    Parameters
    ----------
    path : str
    record : snakemake.benchmark.BenchmarkRecord or None
        Gets the time and memory that the script takes.

    Raises
    ------
    subprocess.CalledProcessError
        The script failed or was killed.
    """
    from snakemake.benchmark import benchmarked

    process = multiprocessing.get_context("forkserver").Process(target=run_script, args=[path])
    with READING:
        process.start()
    with benchmarked(process.pid, record) if record is not None else nullcontext():
        wait([process.sentinel])
    with READING:
        process.join()
    if process.exitcode:
        raise subprocess.CalledProcessError(process.exitcode, path)


def run_script(path):
    """Run a script as `python path` does."""
    # Garbage collection need not look at the objects of the libraries, which stay.
    gc.freeze()
    # Forked processes have no input, but a script may ask the user.
    sys.stdin = os.fdopen(0, closefd=False)
    runpy.run_path(path, run_name="__main__")
