"""Time a large study of one's own, from its table to its report, against budgets of time and memory.

Run with `PYTHONPATH=src python -m tools.bench_large --judgments 1000000`. The table is generated, and its
study written by `snakemake init` from the table's first rows; both are in a copy of the project, in a
temporary folder or in the one of `--folder`, where a table that is there already is used again.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

from tools.bench import ROOT, YARDSTICK, read_benchmarks, time_run, time_yardstick

NAME = "large"
TRIALS, STIMULI, AGENTS = 500, 400, 10
"""Trials of a judge, stimuli, and AI agents, which made half of the stimuli."""
SEED = 7
LOOKED_AT = 20_000
"""Rows from which the study is written."""
BUDGETS = {100_000: (45, 1024), 1_000_000: (90, 2048), 10_000_000: (120, 4096)}
"""Seconds on two idle cores of the machine of `YARDSTICK`, and MB of any process, by judgments."""


def generate_table(n_judgments: int) -> pa.Table:
    """Generate judgments whose log odds depend on the judge, the stimulus and its agent."""
    draws = np.random.default_rng(SEED)
    n_judges = -(-n_judgments // TRIALS)
    judge = np.repeat(np.arange(n_judges, dtype=np.int32), TRIALS)[:n_judgments]
    trial = np.tile(np.arange(1, TRIALS + 1, dtype=np.int32), n_judges)[:n_judgments]
    stimulus = draws.integers(0, STIMULI, n_judgments, dtype=np.int32)
    # Agent 0 is a person.
    agent_of = np.where(np.arange(STIMULI) % 2, 0, 1 + np.arange(STIMULI) // 2 % AGENTS)
    made_by = agent_of.astype(np.int32)[stimulus]
    log_odds = (
        draws.normal(0, 0.5, n_judges)[judge]
        + draws.normal(0, 0.5, STIMULI)[stimulus]
        - np.where(made_by == 0, 0.6, 0.6 - 0.1 * made_by)
    )
    says_machine = draws.random(n_judgments) < 1 / (1 + np.exp(-log_odds))
    unsure = draws.random(n_judgments) < 0.05

    def choose(codes: np.ndarray, names: list[str]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(codes.astype(np.int32), names).cast(pa.string())

    age, gender = draws.integers(18, 70, n_judges), draws.integers(0, 2, n_judges)
    columns = {
        "participant": choose(judge, [f"P{n:06d}" for n in range(n_judges)]),
        "age": age[judge],
        "gender": choose(gender[judge], ["female", "male"]),
        "trial": trial,
        "text_id": choose(stimulus, [f"t{n:03d}" for n in range(STIMULI)]),
        "written_by": choose(made_by, ["human", *(f"model_{n}" for n in range(1, AGENTS + 1))]),
        "words": choose(stimulus % 3, ["50", "100", "200"]),
        "answer": choose(np.where(unsure, 2, says_machine), ["human", "machine", "unsure"]),
        "response_time_ms": draws.lognormal(9, 0.5, n_judgments).astype(np.int32),
    }
    return pa.table(columns)


def copy_project(folder: Path) -> None:
    """Copy what a run needs."""
    unused = shutil.ignore_patterns(".*", "results", "raw", "__pycache__", "tests", "docs")
    shutil.copytree(ROOT, folder, ignore=unused, dirs_exist_ok=True)


def write_study(folder: Path, path: Path, table: pa.Table) -> None:
    """Write the table to a file, and the study of its first rows."""
    plain = csv.WriteOptions(quoting_style="none")
    csv.write_csv(table.slice(0, LOOKED_AT), path, plain)
    command = [sys.executable, "-m", "snakemake", "init", "--quiet", "all", "--config"]
    asked = [f"csv={path.relative_to(folder)}", f"name={NAME}"]
    subprocess.run([*command, *asked], cwd=folder, check=True, capture_output=True)
    csv.write_csv(table, path, plain)


def main() -> int:
    """Print seconds and memory against the budgets, and those of the slowest jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judgments", type=int, choices=BUDGETS, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="folder to keep; by default a temporary one")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.folder or Path(temporary)).resolve()
        copy_project(folder)
        path = folder / f"data/{NAME}.csv"
        if not (folder / f"config/studies/{NAME}.yaml").exists():
            write_study(folder, path, generate_table(asked.judgments))
        results = folder / "results"
        shutil.rmtree(results, ignore_errors=True)
        before = time_yardstick()
        seconds, used = time_run("--config", f"study={NAME}", folder=folder)
        slower = (before + time_yardstick()) / 2 / YARDSTICK
        jobs = read_benchmarks(results)
    budget, memory = BUDGETS[asked.judgments]
    # Jobs are looked at now and then, processes always.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"this machine takes {slower:.2f} times as long as the one of the budgets")
    print(
        f"{asked.judgments:,} judgments: {seconds:.1f} s of {budget * slower:.1f} s, CPU {used:.1f} s"
    )
    print(f"peak memory of any process {peak:.0f} of {memory} MB")
    print(jobs.head(25).to_string(float_format="{:.1f}".format))
    return int(peak > memory)


if __name__ == "__main__":
    sys.exit(main())
