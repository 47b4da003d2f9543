"""Records of a run: which step made which file from what, when, and at what cost.

Snakemake keeps one record for each file that it has made, from its last run.
"""

import csv
import json
import re
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDS = Path(".snakemake/metadata")
"""Where Snakemake keeps its records, one file for each file made."""


@dataclass
class Step:
    """A rule of the workflow, with all jobs that made the files at hand."""

    # Rule, without the name of the study.
    name: str
    # Path of the script, empty if the rule has none.
    script: str = ""
    # Files made, relative to the study's folder.
    outputs: list = field(default_factory=list)
    # Names of the steps whose files it read.
    reads: set = field(default_factory=set)
    # Number of files read that no step made, by folder.
    sources: Counter = field(default_factory=Counter)
    # Start and end of each job, seconds since 1970, by its log file.
    jobs: dict = field(default_factory=dict)
    # Sum of processor time of the jobs with a benchmark; nan without one.
    cpu_seconds: float = float("nan")
    # Largest memory of these jobs.
    megabytes: float = float("nan")

    @property
    def seconds(self) -> float:
        """Sum of the times of all jobs."""
        return sum(end - start for start, end in self.jobs.values())


def read_records(folder: Path) -> dict[str, dict[str, Any]]:
    """Read Snakemake's records of the files below a folder, by path; empty if the run kept none.

    The folder is as in the targets of the run, such as "results/zhang2025".
    """
    start, found = f"{Path(folder).as_posix()}/", {}
    for file in RECORDS.rglob("*"):
        if file.is_file():
            # Names longer than a file system allows are split into folders that begin with "@".
            name = "".join(part.removeprefix("@") for part in file.relative_to(RECORDS).parts)
            path = urlsafe_b64decode(name).decode()
            if path.startswith(start):
                found[path] = json.loads(file.read_text(encoding="utf-8"))
    return found


def list_steps(folder: Path, study: str, without: Sequence[str] = ()) -> list[Step]:
    """List the steps that made the files of a study, those that read nothing from others first.

    The study's name ends the names of some rules. Steps to leave out (`without`) are such as the one that
    runs: its record is from its last run.
    """
    records = {
        path: record
        for path, record in read_records(folder).items()
        if Path(path).exists() and record["rule"] not in without
    }
    maker = {path: record["rule"].removesuffix(f"_{study}") for path, record in records.items()}
    steps = {}
    for path, record in sorted(records.items()):
        step = steps.setdefault(maker[path], Step(maker[path], find_script(record)))
        step.outputs.append(Path(path).relative_to(folder).as_posix())
        job = record["log"][0] if record["log"] else path
        if job not in step.jobs:
            for read in record["input"]:
                if read in maker:
                    step.reads.add(maker[read])
                elif not read.startswith(("scripts/", "src/", "workflow/", "tools/")):
                    step.sources[Path(read).parent.as_posix()] += 1
        step.jobs[job] = (record["starttime"], record["endtime"])
    for step in steps.values():
        step.reads.discard(step.name)
        add_costs(step)
    depth = measure_depth(steps)
    return sorted(steps.values(), key=lambda step: (depth[step.name], step.name))


def find_script(record: dict[str, Any]) -> str:
    """Find the script of a rule in a record; empty if it has none."""
    found = re.search(r"scripts/\w+\.py", record["code"] or "")
    return found[0] if found else ""


def add_costs(step: Step) -> None:
    """Add processor time and memory from the benchmarks, which have the names of the logs."""
    costs = []
    for log in step.jobs:
        path = Path(log).parents[1] / "benchmarks" / f"{Path(log).stem}.tsv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                costs += csv.DictReader(file, delimiter="\t")
    if costs:
        step.cpu_seconds = sum((parse_cost(row["cpu_time"]) for row in costs), start=0.0)
        step.megabytes = max(parse_cost(row["max_rss"]) for row in costs)


def parse_cost(text: str) -> float:
    """Parse a cell of a benchmark; a job too short to be measured counts as 0."""
    return 0.0 if text in ("", "NA", "-") else float(text)


def measure_depth(steps: dict[str, Step]) -> dict[str, int]:
    """Measure the longest way from each step to one that reads from no other."""
    depth = {}

    def visit(name: str) -> int:
        if name not in depth:
            depth[name] = max((visit(before) + 1 for before in steps[name].reads), default=0)
        return depth[name]

    for name in steps:
        visit(name)
    return depth
