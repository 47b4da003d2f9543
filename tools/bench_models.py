"""Time crossed mixed models of 72,000 and a million verdicts, next to glmm, gpboost and R's glmer.

Run with `PYTHONPATH=src python -m tools.bench_models`; glmer takes minutes, and is left out if R is
missing or with the argument `--without-r`.
"""

import os

from turingstats.core.processor import SETTINGS

# As in the pipeline; numpy reads this when it is imported.
os.environ.update(SETTINGS)

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

from turingstats.stats.mixed import large
from turingstats.stats.mixed.crosscheck import explain_no_check, fit_with_gpboost
from turingstats.stats.mixed.fit import fit_model

FORMULA = "correct ~ agent + (1 | judge) + (1 | stimulus)"
DEFAULT = "correct ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)"
BUDGETS = ((FORMULA, 72_000, 4), (DEFAULT, 72_000, 10), (DEFAULT, 1_000_000, 45))
"""Formula, verdicts, and CPU seconds on one core."""
MEMORY = 1500  # MB
GLMER = """
suppressPackageStartupMessages(library(lme4))
data <- read.csv("data.csv", stringsAsFactors = TRUE)
seconds <- system.time(model <- glmer(FORMULA, data, binomial))[["user.self"]]
cat(seconds, fixef(model), sqrt(diag(as.matrix(vcov(model)))))
"""


def simulate_verdicts(trials=72_000, judges=2000, stimuli=400, agents=10, seed=1):
    """Draw verdicts with random judges and stimuli; half of the responses are people's."""
    draws = np.random.default_rng(seed)
    judge, stimulus = draws.integers(0, judges, trials), draws.integers(0, stimuli, trials)
    machine = draws.integers(0, 2, trials)
    agent = machine * draws.integers(1, agents, trials)
    logit = 0.3 + np.append(0, draws.normal(0, 0.3, agents - 1))[agent]
    logit += draws.normal(0, 0.6, judges)[judge] + draws.normal(0, 0.4, (judges, 2))[judge, machine]
    logit += draws.normal(0, 0.5, (stimuli, 2))[stimulus, machine]
    levels = ["human", *(f"m{number}" for number in range(1, agents))]
    return pd.DataFrame(
        {
            "correct": (draws.random(trials) < 1 / (1 + np.exp(-logit))).astype(float),
            "agent": pd.Categorical.from_codes(agent, levels),
            "made_by": np.where(machine, "machine", "human"),
            "judge": [f"w{j}" for j in judge],
            "stimulus": [f"s{s}" for s in stimulus],
        }
    )


def time_fit(fit, *arguments):
    """Return the CPU seconds of a fit, and the fit."""
    start = time.process_time()
    fitted = fit(*arguments)
    return time.process_time() - start, fitted


def main():
    """Print CPU seconds, memory, and the largest differences from the other programs."""
    for formula, trials, budget in BUDGETS:
        table = simulate_verdicts(trials)
        seconds, fitted = time_fit(fit_model, table, formula)
        verdict = "" if seconds <= budget else "  OVER BUDGET"
        print(f"{trials:,} verdicts, {formula}")
        name = fitted.method.split(",")[0]
        print(f"  {name:<24}{seconds:7.1f} s  of {budget} s{verdict}")
        if not explain_no_check(fitted):
            seconds, second = time_fit(fit_with_gpboost, fitted)
            apart = abs(second.loglik - fitted.loglik)
            name = second.method.split(",")[0]
            print(f"  {name:<24}{seconds:7.1f} s  log-likelihood within {apart:.0e}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"peak memory {peak:.0f} MB of {MEMORY} MB{'' if peak <= MEMORY else '  OVER BUDGET'}")
    table = simulate_verdicts()
    with mock.patch.object(large, "LEAST_TRIALS", np.inf):
        seconds, fitted = time_fit(fit_model, table, FORMULA)
    print(f"72,000 verdicts, {FORMULA}\n  {fitted.method.split(',')[0]:<24}{seconds:7.1f} s")
    if "--without-r" in sys.argv or shutil.which("Rscript") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        levels = table["agent"].astype(str).replace("human", "0human")
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
        f"  {'glmer (defaults)':<24}{numbers[0]:7.1f} s  coefficients within {apart:.0e}, "
        f"errors within {errors:.1%}"
    )


if __name__ == "__main__":
    main()
