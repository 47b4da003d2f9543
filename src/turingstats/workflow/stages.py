"""How far a run has got: its steps by stage, and the time that they took and will take."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from turingstats.core.labels import format_duration

STAGES = ("data", "statistics", "models", "judges", "figures", "tables", "claims", "report")
"""Stages of a run, in the order in which they are shown."""
USUAL_SECONDS = {
    "align": 30,
    "compare": 15,
    "fit_models": 30,
    "map_raters": 25,
    "similarity_figures": 10,
    "train_judges": 10,
}
"""Seconds of slow rules, where no earlier run tells; of any other rule `OTHER_SECONDS`."""
OTHER_SECONDS = 3
TRUST = 10
"""Seconds of expected work after which a run's own pace counts as much as the expectation."""


@dataclass
class Step:
    """A job of a run: what it is, how many seconds it should take, and when it began and ended."""

    stage: str
    seconds: float
    threads: int = 1
    began: float | None = None
    ended: float | None = None


def find_stage(rules, outputs):
    """Find the stage of a job.

    Parameters
    ----------
    rules : path-like
        File of its rule, such as workflow/rules/models.smk.
    outputs : list of path-like
        Files that it makes, such as results/zhang2025/figures/fig2.pdf.

    Returns
    -------
    str
        The file's name where that is a stage, else the folder of the results that the job fills. A file with
        a purpose of its own, such as that of language models, is its own stage.
    """
    name = Path(rules).stem
    folders = [part for output in outputs[:1] for part in Path(output).parent.parts]
    return next((stage for stage in (name, *reversed(folders)) if stage in STAGES), name)


def expect_seconds(rule, benchmark):
    """Say how long a job should take: as long as in the last run, else as is usual for its rule."""
    try:
        with open(benchmark, encoding="utf-8", newline="") as stream:
            return float(next(csv.DictReader(stream, delimiter="\t"))["s"])
    except (OSError, TypeError, ValueError, KeyError, StopIteration):
        return USUAL_SECONDS.get(rule, OTHER_SECONDS)


def list_stages(steps):
    """List the stages of steps in the order of `STAGES`, others last."""
    found = dict.fromkeys(step.stage for step in steps)
    return [*(stage for stage in STAGES if stage in found), *(s for s in found if s not in STAGES)]


def count_ended(steps):
    """Count the steps that have ended."""
    return sum(step.ended is not None for step in steps)


def measure_elapsed(steps, now):
    """Measure the seconds from the beginning of the first step to the end of the last, or to now."""
    begun = [step.began for step in steps if step.began is not None]
    if not begun:
        return 0.0
    open_still = any(step.ended is None for step in steps)
    return (now if open_still else max(step.ended for step in steps)) - min(begun)


def measure_pace(steps, now):
    """Measure how many times longer than expected the steps take; 1 before any has begun."""
    taken = expected = TRUST
    for step in steps:
        if step.began is None:
            continue
        seconds = (now if step.ended is None else step.ended) - step.began
        # A step under way tells something only when it takes longer than expected.
        if step.ended is not None or seconds > step.seconds:
            taken += seconds
            expected += step.seconds
    return taken / expected


def estimate_remaining(steps, pace, cores, now):
    """Estimate the seconds until all steps have ended.

    Parameters
    ----------
    steps : list of Step
    pace : float
        As `measure_pace` measures it.
    cores : int
        Cores of the run.
    now : float

    Returns
    -------
    float
        Work that is left by the number of cores, and at least what is left of the longest step.
    """
    left = [
        (max(pace * step.seconds - (now - step.began if step.began is not None else 0), 0), step)
        for step in steps
        if step.ended is None
    ]
    work = sum(seconds * min(step.threads, cores) for seconds, step in left)
    return max(work / cores, max((seconds for seconds, _ in left), default=0.0))


def format_remaining(seconds):
    """Write an estimate as coarsely as it is known: by 5 seconds, after a minute by 15, after five by 60."""
    step = next((step for step, limit in ((5, 60), (15, 300)) if seconds <= limit), 60)
    return f"about {format_duration(max(step, math.ceil(seconds / step) * step))} left"
