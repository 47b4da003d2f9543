"""Time errors of all estimates, and resampling of judges against scipy, a loop in pandas, and R if installed.

Run with `make bench-statistics`. The first part needs counts of a run (`make results`); the second generates
its own, and shows the result of each program next to its time.
"""

import os

# Always one core; numpy reads this when it is imported.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.config.load import load_study
from turingstats.core import files
from turingstats.data import counts as counting
from turingstats.stats import resampling

ROOT = Path(__file__).parents[1]
STUDY = "zhang2025"
DRAWS = 10_000
FEWER = 200  # of the slow loops, scaled up to DRAWS
BUDGET = 3.0
JUDGES = (200, 300)
R = """
draws <- as.integer(commandArgs(TRUE)[2])
table <- as.matrix(read.csv(commandArgs(TRUE)[1]))
first <- table[, "group"] == 0
difference <- function(first) {
  a <- colSums(table[first, 2:3]); b <- colSums(table[!first, 2:3])
  unname(a[2] / a[1] - b[2] / b[1])
}
set.seed(1)
spent <- system.time(drawn <- replicate(draws, difference(sample(first))))[["user.self"]]
far <- sum(abs(drawn) >= abs(difference(first)) - 1e-12)
cat(spent, (far + 1) / (draws + 1), "\n")
set.seed(1)
spent <- system.time(drawn <- replicate(draws, {
  rows <- sample(nrow(table), replace = TRUE)
  all <- colSums(table[rows, 2:3]); unname(all[2] / all[1])
}))[["user.self"]]
cat(spent, sd(drawn), "\n")
"""


def time_call(function, *arguments):
    """Return the CPU seconds that a call takes, and its result."""
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def time_every_matrix():
    """Estimate every cell of every matrix of the study with its error; the recommended reading."""
    path = ROOT / f"results/{STUDY}/data/counts.parquet"
    if not path.is_file():
        print(f"{path.relative_to(ROOT)} is not there; run `make results` for the first part\n")
        return
    counts, groups = files.read_frame(path), files.read_frame(path.with_name("groups.csv"))
    study = load_study(ROOT / f"config/studies/{STUDY}.yaml")
    members = groups[groups["reading"] == "recommended"]
    cohorts = []
    own = counts[counts["reading"] == "recommended"]
    for (task, cohort), part in own.groupby(["task", "cohort"]):
        agents = [a for a in study.tasks[task].cohorts[cohort].agents if a in set(part["agent"])]
        choice = study.tasks[task].choice
        if agents and (choice or "human" in set(part["agent"])):
            cohorts.append(counting.arrange_counts(part, members, agents, choice))
    spent = cells = matrices = 0
    for table in cohorts:
        alone = np.zeros(len(table.tables), dtype=bool)
        seconds, found = time_call(estimate_recommended, table, alone, {"confidence": 0.95})
        spent += seconds
        matrices += len(table.tables) * (len(table.agents) - 1)
        cells += int(sum(np.isfinite(found[q]["se"]).sum() for q in found))
    print(
        f"{matrices} confusion matrices, {cells} estimates with their error over judges and stimuli:"
    )
    verdict = "" if spent <= BUDGET else "  OVER BUDGET"
    print(f"  this project          {spent:8.2f} s  of {BUDGET:g} s on one core{verdict}\n")


def permute_with_pandas(table, draws, rng):
    """Permute judges in a straightforward loop."""

    def compute_difference(labels):
        totals = table.groupby(labels)[["n", "right"]].sum()
        shares = totals["right"] / totals["n"]
        return shares.iloc[0] - shares.iloc[1]

    labels = table["group"].to_numpy()
    observed = compute_difference(labels)
    drawn = np.array([compute_difference(rng.permutation(labels)) for _ in range(draws)])
    return (np.sum(np.abs(drawn) >= np.abs(observed) - 1e-12) + 1) / (draws + 1)


def bootstrap_with_pandas(trials, draws, rng):
    """Resample judges' trials in a straightforward loop."""
    by_judge = [part for _, part in trials.groupby("judge")]
    values = []
    for _ in range(draws):
        chosen = rng.integers(0, len(by_judge), len(by_judge))
        values.append(pd.concat([by_judge[i] for i in chosen])["right"].mean())
    return np.std(values, ddof=1)


def compare_programs():
    """Time one permutation test and one bootstrap with several programs on the same judges."""

    rng = np.random.default_rng(1)
    judges = sum(JUDGES)
    group = np.repeat([0, 1], JUDGES)
    n = rng.integers(20, 41, judges)
    right = rng.binomial(n, rng.beta(12, 10 + group))
    table = pd.DataFrame({"group": group, "n": n, "right": right})
    columns = np.column_stack([n, right])

    def compute_share(totals):
        return totals[..., 1] / totals[..., 0]

    def compare_shares(x, y, axis=-1):
        # scipy permutes the indices of judges.
        a, b = (columns[index.astype(int)].sum(axis=-2) for index in (x, y))
        return compute_share(a) - compute_share(b)

    def permute_with_scipy():
        samples = np.flatnonzero(group == 0), np.flatnonzero(group == 1)
        return stats.permutation_test(
            samples, compare_shares, permutation_type="independent", vectorized=True,
            n_resamples=DRAWS, batch=1000, rng=np.random.default_rng(1),
        ).pvalue  # fmt: skip

    def permute_here():
        return resampling.permutation_test(
            columns, group, compute_share, DRAWS, np.random.default_rng(1)
        )[1]

    trials = pd.DataFrame({"judge": np.repeat(np.arange(judges), n)})
    trials["right"] = np.concatenate([np.arange(m) < k for m, k in zip(n, right, strict=True)])

    def bootstrap_here():
        totals = resampling.bootstrap_totals(columns, DRAWS, np.random.default_rng(1))
        return compute_share(totals).std(ddof=1)

    rows = [("permutation", "this project", *time_call(permute_here), DRAWS)]
    rows += [("permutation", "scipy, vectorized", *time_call(permute_with_scipy), DRAWS)]
    loop = time_call(permute_with_pandas, table, FEWER, np.random.default_rng(1))
    rows += [("permutation", "pandas loop", *loop, FEWER)]
    rows += [("bootstrap", "this project", *time_call(bootstrap_here), DRAWS)]
    loop = time_call(bootstrap_with_pandas, trials, FEWER, np.random.default_rng(1))
    rows += [("bootstrap", "pandas loop", *loop, FEWER)]
    rows += time_in_r(table)
    print(
        f"{JUDGES[0]} and {JUDGES[1]} judges, {n.sum()} trials; CPU seconds for {DRAWS} resamples"
    )
    print("(permutation: p of a difference of two rates; bootstrap: standard error of a rate)")
    for what in ("permutation", "bootstrap"):
        for _, program, seconds, result, draws in (row for row in rows if row[0] == what):
            scaled = "" if draws == DRAWS else f"  (measured with {draws})"
            print(
                f"  {what:<12}{program:<20}{seconds * DRAWS / draws:9.2f} s  {result:.4f}{scaled}"
            )


def time_in_r(table):
    """Time the same in R, if it is installed."""
    if shutil.which("Rscript") is None:
        print("R is not installed: left out\n")
        return []
    path = ROOT / "results/bench_statistics.csv"
    files.write_frame(table, path)
    output = subprocess.run(
        ["Rscript", "-e", R, str(path), str(DRAWS)], check=True, capture_output=True, text=True
    ).stdout
    path.unlink()
    found = [[float(number) for number in line.split()] for line in output.splitlines()]
    return [
        (what, "R, replicate", *numbers, DRAWS)
        for what, numbers in zip(("permutation", "bootstrap"), found, strict=True)
    ]


if __name__ == "__main__":
    time_every_matrix()
    compare_programs()
