"""Time the crossed mixed model on 72,000 trials of 2,000 judges and 400 stimuli, next to R's glmer.

Run with `PYTHONPATH=scripts python -m tools.bench_models`; glmer takes minutes, and is left out if R is
missing or with the argument `--without-r`.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from turingstats.stats.mixed.crosscheck import fit_with_gpboost
from turingstats.stats.mixed.fit import fit_model

BUDGET = 10  # seconds
FORMULA = "correct ~ agent + (1 | judge) + (1 | stimulus)"
GLMER = """
suppressPackageStartupMessages(library(lme4))
data <- read.csv("data.csv", stringsAsFactors = TRUE)
seconds <- system.time(model <- glmer(FORMULA, data, binomial))[["elapsed"]]
cat(seconds, fixef(model), sqrt(diag(as.matrix(vcov(model)))))
"""


def simulate_verdicts(trials=72_000, judges=2000, stimuli=400, seed=1):
    """Draw verdicts with random judges and stimuli."""
    draws = np.random.default_rng(seed)
    judge, stimulus = draws.integers(0, judges, trials), draws.integers(0, stimuli, trials)
    agent = draws.integers(0, 4, trials)
    logit = 0.3 + np.array([0, 0.2, -0.2, 0.5])[agent]
    logit = logit + draws.normal(0, 0.6, judges)[judge] + draws.normal(0, 0.4, stimuli)[stimulus]
    return pd.DataFrame(
        {
            "correct": (draws.random(trials) < 1 / (1 + np.exp(-logit))).astype(float),
            "agent": pd.Categorical.from_codes(agent, ["human", "a", "b", "c"]),
            "judge": [f"w{j}" for j in judge],
            "stimulus": [f"s{s}" for s in stimulus],
        }
    )


def main():
    """Print seconds and the largest differences from glmer."""
    table = simulate_verdicts()
    start = time.perf_counter()
    fitted = fit_model(table, FORMULA)
    seconds = time.perf_counter() - start
    verdict = "" if seconds <= BUDGET else "  OVER BUDGET"
    print(f"{fitted.method.split(',')[0]:<24}{seconds:7.1f} s  of {BUDGET} s{verdict}")
    start = time.perf_counter()
    second = fit_with_gpboost(fitted)
    name, apart = second.method.split(",")[0], abs(second.loglik - fitted.loglik)
    print(f"{name:<24}{time.perf_counter() - start:7.1f} s  log-likelihood within {apart:.0e}")
    if "--without-r" in sys.argv or shutil.which("Rscript") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        levels = table["agent"].map({"human": "0human"}.get).fillna(table["agent"].astype(str))
        table.assign(agent=levels).to_csv(Path(folder) / "data.csv", index=False)
        script = GLMER.replace("FORMULA", FORMULA)
        run = subprocess.run(
            ["Rscript", "-e", script], cwd=folder, capture_output=True, text=True, check=True
        )
    numbers = np.array(run.stdout.split(), float)
    half = len(fitted.names)
    apart = np.abs(numbers[1 : half + 1] - fitted.estimate).max()
    errors = np.abs(numbers[half + 1 :] / fitted.se - 1).max()
    print(
        f"{'glmer (defaults)':<24}{numbers[0]:7.1f} s  coefficients within {apart:.0e}, "
        f"errors within {errors:.1%}"
    )


if __name__ == "__main__":
    main()
