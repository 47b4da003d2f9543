"""Time many studies of one's own on a real Slurm of one node, by their number.

Run with `make bench-cluster`; `ARGS="--studies 1 5 20 --judgments 100000"` are the defaults. The data are
generated. One node shows nothing of the speed of a cluster, but what each study costs besides its own work:
in the process on the login node, which must grow no faster than the number of studies, and on the nodes.
With `--dry-run`, nothing is submitted.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from pathlib import Path

import pandas as pd
from pyarrow import csv

from tools.bench_large import NAME, copy_project, generate_table, write_study
from tools.slurm import install_plugin, list_missing, run_slurm
from turingstats.config.settings import Config
from turingstats.workflow.load import load_plans


def write_studies(folder, number, n_judgments):
    """Write studies of different judges, all of which answer in the same way, in place of those there are."""
    table = generate_table(number * n_judgments)
    path = folder / f"data/{NAME}.csv"
    write_study(folder, path, table.slice(0, n_judgments))
    path.unlink()
    texts = {}
    for described in [*folder.glob("config/studies/*.yaml"), *folder.glob("data/sources/*.yaml")]:
        if described.stem == NAME:
            texts[described] = described.read_text(encoding="utf-8")
        described.unlink()
    for study in range(number):
        name = f"{NAME}{study + 1}"
        csv.write_csv(table.slice(study * n_judgments, n_judgments), folder / f"data/{name}.csv")
        for described, text in texts.items():
            described.with_stem(name).write_text(
                text.replace(f"{NAME}.csv", f"{name}.csv"), "utf-8"
            )


def list_targets(folder, tables):
    """List the tables of statistics of all studies."""
    plans, _ = load_plans(Config(study=f"{NAME}1"), folder)
    wanted = [path for plan in plans.values() for path in plan.statistics_targets]
    wanted = [path for path in wanted if not tables or Path(path).stem in tables]
    return [path.replace("<results>", "results") for path in wanted]


def run_login(folder, environment, *arguments):
    """Run Snakemake as on a login node; return its output, start, wall and CPU seconds, and MB."""
    log = folder / "run.log"
    start = datetime.now()
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *arguments],
            cwd=folder,
            env=os.environ | environment,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{log.read_text()[-3000:]}\nsee {log}")
    return {
        "start": start,
        "wall s": (datetime.now() - start).total_seconds(),
        "CPU s": used.ru_utime + used.ru_stime,
        "MB": used.ru_maxrss / 1024,
    }


def time_studies(number, asked, plugin, folder):
    """Time a run of so many studies; return what a row of the printed table says."""
    copy_project(folder)
    # In a process of its own, whose memory would otherwise be counted as that of the runs.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        other.submit(write_studies, folder, number, asked.judgments).result()
    call = ("--config", f"study={NAME}1", "--", *list_targets(folder, asked.tables))
    python = {"PYTHONPATH": str(plugin)}
    planned = run_login(folder, python, "--dry-run", "--quiet", "all", *call)
    row = {"studies": number, "dry run, CPU s": planned["CPU s"], "MB": planned["MB"]}
    if asked.dry_run:
        return row
    with run_slurm(folder / "slurm") as cluster:
        run = run_login(folder, cluster.environment | python, *call)
        jobs = cluster.list_jobs()
    first = min(datetime.fromisoformat(job.submitted) for job in jobs)
    steps = pd.concat(
        [pd.read_csv(path, sep="\t") for path in folder.glob("results/*/benchmarks/*")]
    )
    return row | {
        "submissions": len(jobs),
        "until the first, s": (first - run["start"]).total_seconds(),
        "login CPU s": run["CPU s"],
        "login MB": run["MB"],
        "wall s": run["wall s"],
        "node s": sum(job.measure_seconds() for job in jobs),
        "scripts CPU s": steps["cpu_time"].sum(),
    }


def main():
    """Print one row for each number of studies."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, nargs="+", default=[1, 5, 20])
    parser.add_argument("--judgments", type=int, default=100_000, help="of each study")
    parser.add_argument("--tables", nargs="+", help="of statistics, such as tests; by default all")
    parser.add_argument("--dry-run", action="store_true")
    asked = parser.parse_args()
    if list_missing() and not asked.dry_run:
        raise SystemExit("Slurm is not installed (Debian: slurm-wlm, munge)")
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        plugin = install_plugin(top / "plugin")
        rows = []
        for number in asked.studies:
            rows.append(time_studies(number, asked, plugin, top / f"{number}"))
            shown = pd.DataFrame(rows).set_index("studies").T
            print(
                f"{time.strftime('%H:%M:%S')}, generated data, {asked.judgments:,} judgments a study"
            )
            print(shown.to_string(float_format="{:.1f}".format), flush=True)


if __name__ == "__main__":
    main()
