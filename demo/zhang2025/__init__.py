"""Generate raw files like the public ones, so that the whole pipeline runs without any download.

The files have the paths, nesting, keys, value types, spellings and oddities of the public
repository, so the same adapters read generated and real data. How many judges, trials and agents
there are, and how often each agent is judged machine, comes from ``design.csv``; who the judges are
comes from ``demographics.csv``. Everything else is made up.

Model of one verdict::

    logit P(judged machine)
        = intercept of the agent
        + bias of the judge
        + sensitivity of the judge * (+1/2 if the agent is a machine, -1/2 if human)
        + effect of the stimulus (one picture with the answer of one agent)

The three random terms are normal with mean 0. The intercept is chosen so that the
expected share judged machine, averaged over judges and stimuli, is the published share. Counts of trials are
exactly those of the design; counts of verdicts vary with the seed, as they would in a replication of
the experiment. Machine judges have no judge terms.

The standard deviations of the random terms (`JUDGE_BIAS_SD`, `JUDGE_SENSITIVITY_SD`, `STIMULUS_SD`,
in logits) were chosen near the first wave of Color estimation (65 judges, 1416 trials). A logistic
model with normal judge terms gives SDs 0.61 (bias) and 0.13 (sensitivity) with stimuli ignored,
about 0.7 and 0.15 with them. Two judges of the same picture with the same answer agree more often
than by chance (covariance of their verdicts 0.051 in 360 pairs, an SD of about 1.1); two judges of
the same picture with different answers do not, so the effect belongs to picture and answer
together. Sensitivity is set above its uncertain estimate, to give the models something to
find.

A task is one module with a function ``files`` that returns ``{path: content}``.
"""

import importlib
from itertools import chain
from pathlib import Path

import pandas as pd

from demo import store_file
from turingstats.core import parallel

TASKS = ("caption", "word", "conversation", "color", "object", "attention")


def write_demo(design_csv, demographics_csv, out_dir, seed, tasks=TASKS, workers=1):
    """Write the generated raw files of some tasks.

    The same arguments give the same bytes.

    Parameters
    ----------
    design_csv : path
        Columns task, cohort, agent, n_judges, trials_per_judge, n_trials (trials in the public
        file), judged_machine (how many of these were judged machine), source.
    demographics_csv : path
        Columns task, cohort, variable, value, n_judges, source.
    out_dir : path
        Folder that represents the public repository; created if missing.
    seed : int
        Seed, 0 or more.
    tasks : sequence of str
        Names of tasks, see `TASKS`.
    workers : int
        Processes at a time; they change the time taken, never the files.

    Returns
    -------
    list of pathlib.Path
        The files written, sorted.

    Raises
    ------
    ValueError
        If a task is unknown, or if the two tables disagree on the number of judges.
    """

    for task in tasks:
        if task not in TASKS:
            raise ValueError(f"unknown task {task!r}; allowed are {', '.join(sorted(TASKS))}")
    design = pd.read_csv(design_csv, dtype=str, keep_default_na=False)
    demographics = pd.read_csv(demographics_csv, dtype=str, keep_default_na=False)
    arguments = [
        (task, *(table[table["task"] == task] for table in (design, demographics)), out_dir, seed)
        for task in tasks
    ]
    return sorted(chain.from_iterable(parallel.call_in_parallel(write_task, arguments, workers)))


def write_task(task, design, demographics, out_dir, seed):
    """Write the generated raw files of one task; see `write_demo`."""
    module = importlib.import_module(f"demo.zhang2025.{task}")
    made = module.generate_files(design, demographics, seed)
    return [store_file(Path(out_dir) / path, content) for path, content in made.items()]
