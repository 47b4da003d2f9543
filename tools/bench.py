"""Time the pipeline against its budgets: full runs, an unchanged one, one figure, the smoke subset, one task.

Run with `make bench`; the results of the full run are left in results/bench/. Budgets are multiples of a
yardstick, a fixed piece of work in Python and pandas and the import of large libraries, which is timed before
and after each run, so that they mean the same on every machine. Times are printed; the command fails for what
another program on the machine cannot change: the number of jobs of the observed run, and their peak memory.
With `--short`, as in continuous integration, only the observed run is timed; with
`--large 1000000` only a study of so many generated judgments, and with `--votes 1000000` one of so many
choices between two agents, which `snakemake init` writes in a copy of the project.
"""

import argparse
import functools
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from tools import ROOT

RESULTS = ROOT / "results/bench"
YARDSTICK = 1.7
"""Seconds that the yardstick takes on the machine for which the budgets were set: two idle cores, on which a
call of Snakemake with an empty Snakefile takes 1.2 seconds."""
BUDGETS = {
    "observed run": 30,
    "unchanged": 1.1,
    "one figure": 4,
    "smoke subset": 10,
    "one task": 15,
    "generated run": 50,
    "judgments": 45,
    "votes": 20,
}
"""Seconds on that machine; of judgments and votes, for a million."""
JOBS = 9
"""Jobs of the observed run, at most."""
MEMORY = 2048
"""MB of any of them, at most."""


def time_yardstick() -> float:
    """Time a fixed piece of work, the best of three: imports, a loop, sorting, grouping and joining."""
    libraries = "import pandas, scipy.stats, matplotlib.pyplot"

    def work() -> None:
        subprocess.run([sys.executable, "-c", libraries], check=True)
        total = 0
        for number in range(2_000_000):
            total += number * number % 7
        draws = np.random.default_rng(1)
        table = pd.DataFrame(
            {"key": draws.integers(0, 20_000, 1_000_000), "value": draws.random(1_000_000)}
        )
        means = table.groupby("key")["value"].mean().rename("mean").reset_index()
        table.merge(means).sort_values("value")["mean"].sum()

    return min(timeit.repeat(work, number=1, repeat=3))


def time_run(*arguments: str, folder: Path = ROOT) -> tuple[float, float]:
    """Run Snakemake in a folder; return the elapsed seconds, and the CPU seconds of it and its jobs."""
    start, used = time.perf_counter(), measure_cpu()
    command = [sys.executable, "-m", "snakemake", *arguments, "--quiet", "all"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    return seconds, measure_cpu() - used


def time_figure(results: Path, *arguments: str) -> tuple[float, float]:
    """Time a run that draws one figure anew, as `time_run`."""
    for path in results.glob(".cache/*/fig6-*"):
        path.unlink()
    next(results.glob("*/figures/fig6.png")).unlink()
    return time_run("figures", *arguments)


def read_benchmarks(results: Path) -> pd.DataFrame:
    """Read seconds, CPU seconds and peak memory of the jobs of a run, the slowest first."""
    jobs = {path.stem: pd.read_csv(path, sep="\t") for path in results.glob("*/benchmarks/*.tsv")}
    table = pd.concat(jobs, names=["job"]).droplevel(1)[["s", "cpu_time", "max_rss"]]
    # Jobs of a second or less end before their memory is sampled.
    table["max_rss"] = pd.to_numeric(table["max_rss"], errors="coerce")
    table = table.rename(columns={"cpu_time": "cpu", "max_rss": "peak MB"})
    return table.sort_values("s", ascending=False)


def measure_cpu() -> float:
    """Return the CPU seconds of all finished children, user and system."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def list_runs() -> dict[str, Callable[[], tuple[float, float]]]:
    """List the runs that have budgets, by name: in this order."""
    config = ["--config", "pathvars={results: results/bench}"]
    demo = ["pathvars={results: results/bench_generated}", "data={source: demo}"]
    # Runs of seconds are timed twice, since anything else on the machine would tell.
    return {
        "observed run": lambda: time_run(*config),
        "unchanged": lambda: min(time_run(*config) for _ in range(2)),
        "one figure": lambda: min(time_figure(RESULTS, *config) for _ in range(2)),
        "smoke subset": lambda: time_run("--configfile", "config/subsets/smoke.yaml"),
        "one task": lambda: time_run("--configfile", "config/subsets/color.yaml"),
        "generated run": lambda: time_run("--config", *demo),
    }


def repeat_example(number: int) -> pd.DataFrame:
    """Repeat the example of own data up to so many judgments, 480 of each judge."""
    table = pd.read_csv(ROOT / "docs/example/trials.csv")
    copies = [
        table.assign(participant=table["participant"] + f"-{copy // 20}")
        for copy in range(-(-number // len(table)))
    ]
    large = pd.concat(copies, ignore_index=True).head(number)
    return large.assign(trial=large.groupby("participant").cumcount() + 1)


def generate_votes(number: int, agents: int = 100) -> pd.DataFrame:
    """Generate choices between two agents by people of 20 choices each, a seventh of them ties."""
    draws = np.random.default_rng(1)
    first = draws.integers(0, agents, number)
    second = (first + draws.integers(1, agents, number)) % agents
    strength = draws.normal(size=agents)
    odds = np.exp(strength[first] - strength[second])
    winner = np.where(draws.random(number) < odds / (1 + odds), "model_a", "model_b")
    winner[draws.random(number) < 1 / 7] = "tie"
    names = np.array([f"agent-{k:03d}" for k in range(agents)])
    voters = np.char.add("p", draws.integers(0, max(number // 20, 1), number).astype(str))
    columns = {"user": voters, "model_a": names[first], "model_b": names[second]}
    return pd.DataFrame(columns | {"winner": winner})


def time_large_study(table: pd.DataFrame, folder: Path) -> tuple[float, float]:
    """Time a study of a generated table in a copy of the project, after its first draft."""
    unused = shutil.ignore_patterns(".*", "results", "raw", "__pycache__", "tests", "docs")
    shutil.copytree(ROOT, folder, ignore=unused)
    # The draft needs only some rows.
    table.head(20_000).to_csv(folder / "data/large.csv", index=False)
    time_run("init", "--config", "csv=data/large.csv", "name=large", folder=folder)
    table.to_csv(folder / "data/large.csv", index=False)
    return time_run("--config", "study=large", folder=folder)


def print_seconds(what: str, budget: float, run: Callable[[], tuple[float, float]]) -> None:
    """Run, and print the seconds against a budget, which is larger on a slower machine."""
    before = time_yardstick()
    seconds, used = run()
    slower = (before + time_yardstick()) / 2 / YARDSTICK
    print(
        f"{what:<14}{seconds:7.1f} s  of {budget * slower:.1f} s, "
        f"{seconds / budget / slower:.2f} x, CPU {used:.1f} s  (this machine: {slower:.2f})",
        flush=True,
    )


def print_large_study(what: str, table: pd.DataFrame) -> int:
    """Print the seconds and the memory of a study of a generated table."""
    budget = BUDGETS[what] * max(1, len(table) / 1e6)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        run = functools.partial(time_large_study, table, folder)
        print_seconds(f"{len(table):,} {what} ", budget, run)
        print(read_benchmarks(folder / "results").to_string())
    # Jobs are looked at now and then, processes always.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of any process {peak:.0f} MB, {MEMORY} for a million")
    return 0


def main() -> int:
    """Print seconds against budgets, and the jobs with their memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="the observed run only")
    parser.add_argument("--large", type=int, help="only a study of so many judgments")
    parser.add_argument("--votes", type=int, help="only a study of so many choices")
    options = parser.parse_args()
    if options.large:
        return print_large_study("judgments", repeat_example(options.large))
    if options.votes:
        return print_large_study("votes", generate_votes(options.votes))
    for name in ("bench", "smoke", "bench_generated"):
        shutil.rmtree(ROOT / "results" / name, ignore_errors=True)
    for what, run in list(list_runs().items())[: 1 if options.short else None]:
        print_seconds(what, BUDGETS[what], run)
    table = read_benchmarks(RESULTS)
    peak = table["peak MB"].max()
    print(f"\n{table.to_string()}")
    print(f"\n{len(table)} jobs of at most {JOBS}, peak memory {peak:.0f} of {MEMORY} MB")
    return int(len(table) > JOBS or peak > MEMORY)


if __name__ == "__main__":
    sys.exit(main())
