"""The page that says how the results of a study were made: steps, times, versions, machine."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from turingstats.core.git import ask_git
from turingstats.core.labels import format_duration
from turingstats.report.run_records import Step, list_steps
from turingstats.report.step_graph import HIGH, WIDE, lay_out_steps

PACKAGES = (
    "snakemake", "numpy", "pandas", "scipy", "statsmodels", "pingouin", "scikit-learn", "matplotlib",
    "seaborn",
)  # fmt: skip
"""Packages whose versions are shown; the lock file holds all."""


def build_context(study: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Collect what the page shows, for the template run.html."""
    steps = list_steps(folder, study["study"], without=("write_report",))
    times = [moment for step in steps for job in step.jobs.values() for moment in job]
    measured = [step for step in steps if step.cpu_seconds == step.cpu_seconds]
    return {
        "study": study,
        "steps": {step.name: describe_step(step) for step in steps},
        "graph": lay_out_steps(steps) | {"wide": WIDE, "high": HIGH} if steps else None,
        "about": {
            "Code": describe_commit(),
            "Ran": f"{format_time(min(times))} to {format_time(max(times))}" if times else "",
            "Work": f"{sum(len(step.jobs) for step in steps)} jobs, "
            f"{format_duration(sum(step.seconds for step in steps), in_words=True)} in all; processor time "
            f"{format_duration(sum(step.cpu_seconds for step in measured), in_words=True)}"
            if measured
            else "",
            "Machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
            "Versions": ", ".join(
                [f"Python {platform.python_version()}", *(f"{p} {version(p)}" for p in PACKAGES)]
            ),
        },
    }


def describe_step(step: Step) -> dict[str, Any]:
    """Describe a step in words and formatted numbers."""
    ends = [end for _, end in step.jobs.values()]
    return {
        "label": step.name.replace("_", " "),
        "script": step.script,
        "jobs": len(step.jobs),
        "outputs": step.outputs,
        "reads": sorted(step.reads),
        "sources": sorted(step.sources.items()),
        "last": format_time(max(ends)),
        "seconds": format_duration(step.seconds, in_words=True),
        "cpu": format_duration(step.cpu_seconds, in_words=True),
        "memory": f"{step.megabytes:,.0f} MB" if step.megabytes == step.megabytes else "",
    }


def describe_commit() -> str:
    """Describe the commit of the code, and whether files have changed since."""
    commit = ask_git(".", "rev-parse", "HEAD")
    if commit is None:
        return "not in a git repository"
    changed = ask_git(".", "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit}{', with changes that are not committed' if changed else ''}"


def format_time(seconds: float) -> str:
    """Format a moment, given in seconds since 1970, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
