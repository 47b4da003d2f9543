"""Time the pipeline against its budgets: a full run, an unchanged one, one figure, the smoke subset.

Run with `make bench`; the results of the full run are left in results/bench/.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results/bench"
BUDGETS = {"full run": 90, "unchanged": 3, "one figure": 8, "smoke subset": 20}
MEMORY = 2048  # MB, any job


def timed(*arguments):
    """Run Snakemake and return the seconds it took."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "snakemake", "--quiet", "all", *arguments]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def main():
    """Print seconds against budgets, then seconds and peak memory of the slowest jobs."""
    config = ["--config", "pathvars={results: results/bench}"]
    shutil.rmtree(RESULTS, ignore_errors=True)
    spent = {"full run": timed(*config), "unchanged": timed(*config)}
    figure = next(RESULTS.glob("*/figures/fig6.png"))
    figure.unlink()
    spent["one figure"] = timed(*config)
    shutil.rmtree(ROOT / "results/smoke", ignore_errors=True)
    spent["smoke subset"] = timed("--configfile", "config/subsets/smoke.yaml")
    for what, seconds in spent.items():
        verdict = "" if seconds <= BUDGETS[what] else "  OVER BUDGET"
        print(f"{what:<14}{seconds:7.1f} s  of {BUDGETS[what]} s{verdict}")
    jobs = {path.stem: pd.read_csv(path, sep="\t") for path in RESULTS.glob("*/benchmarks/*.tsv")}
    table = pd.concat(jobs, names=["job"]).droplevel(1)[["s", "max_rss"]]
    # Jobs of a second or less are over before their memory is sampled.
    table["max_rss"] = pd.to_numeric(table["max_rss"], errors="coerce")
    table = table.sort_values("s", ascending=False).rename(columns={"max_rss": "peak MB"})
    print(f"\nslowest jobs, peak memory of any job {table['peak MB'].max():.0f} of {MEMORY} MB")
    print(table.head(15).to_string())


if __name__ == "__main__":
    main()
