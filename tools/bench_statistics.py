"""Time mixed models, and the statistics of similarity ratings, against their budgets of one core.

Run with `make bench-statistics`.
"""

import os

from turingstats.core.processor import SETTINGS

# As in the pipeline; numpy reads this when it is imported.
os.environ.update(SETTINGS)

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from demo.turingrsa import ratings as simulate
from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files, yaml_models
from turingstats.ratings import raw_ratings
from turingstats.ratings.analysis import analyze_ratings
from turingstats.stats.mixed.fit import fit_model

PUBLISHED = Path(__file__).parents[1] / "data/published/turingrsa"
PLAIN = "correct ~ agent + (1 | judge) + (1 | stimulus)"
DEFAULT = "correct ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)"
MODELS = ((PLAIN, 72_000, 4), (DEFAULT, 72_000, 12), (DEFAULT, 1_000_000, 45))
"""Formula, verdicts, and CPU seconds."""
RATINGS = 20
"""CPU seconds for people, and 30 systems of 24 participants with 4,489 ratings each."""
SYSTEMS, PARTICIPANTS = 30, 24


def simulate_verdicts(trials: int) -> pd.DataFrame:
    """Draw verdicts of 2,000 judges on 400 stimuli, half of them by nine machines."""
    draws = np.random.default_rng(1)
    judge, stimulus = draws.integers(0, 2000, trials), draws.integers(0, 400, trials)
    machine = draws.integers(0, 2, trials)
    agent = machine * draws.integers(1, 10, trials)
    logit = 0.3 + np.append(0, draws.normal(0, 0.3, 9))[agent]
    logit += draws.normal(0, 0.6, 2000)[judge] + draws.normal(0, 0.4, (2000, 2))[judge, machine]
    logit += draws.normal(0, 0.5, (400, 2))[stimulus, machine]
    levels = ["human", *(f"m{number}" for number in range(1, 10))]
    return pd.DataFrame(
        {
            "correct": (draws.random(trials) < 1 / (1 + np.exp(-logit))).astype(float),
            "agent": pd.Categorical.from_codes(agent, levels),
            "made_by": np.where(machine, "machine", "human"),
            "judge": [f"w{j}" for j in judge],
            "stimulus": [f"s{s}" for s in stimulus],
        }
    )


def simulate_ratings(names: list[str], folder: Path) -> pd.DataFrame:
    """Generate the ratings of people and systems; return the table of printed distances, which is empty."""
    items = pd.read_csv(PUBLISHED / "items.csv")
    printed = pd.read_csv(PUBLISHED / "design.csv")
    model = printed[printed["system"] == "gpt4omini"]
    machines = [model.assign(system=name, participants=PARTICIPANTS) for name in names]
    design = pd.concat([printed[printed["system"].isin(["human", "spose"])], *machines])
    alignments = pd.read_csv(PUBLISHED / "alignments.csv")
    known = alignments[["system_a", "system_b"]].isin(["human", "spose"]).all(axis=1)
    table, distances = simulate.generate_tables(design, alignments[known], items, seed=1)
    files.write_frame(table, folder / "ratings.parquet")
    files.write_frame(items[["item", "category"]], folder / "items.csv")
    return distances.iloc[:0]


def analyze_simulated_ratings(study: RatingsStudy, folder: Path, distances: pd.DataFrame) -> None:
    """Read, check and analyze generated ratings."""
    table = raw_ratings.read_ratings(folder / "ratings.parquet", study)
    items = raw_ratings.read_items(folder / "items.csv", table, list(study.tasks))
    arrays = raw_ratings.build_rating_arrays(table, study, items)
    raw_ratings.log_rating_exclusions(table, arrays, study, items)
    options = {"seed": 1, "n_permutation": 10_000, "confidence": 0.95}
    analyze_ratings(study, items, arrays, distances, options)


def time_call(what: str, budget: float, function: Callable[..., Any], *arguments: Any) -> None:
    """Print the CPU seconds that a call takes."""
    start = time.process_time()
    function(*arguments)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    over = "" if seconds <= budget else "  OVER BUDGET"
    print(f"{seconds:6.1f} s of {budget} s, at most {peak:.0f} MB: {what}{over}")


def main() -> None:
    """Time the ratings, then the models."""
    names = [f"m{number:02}" for number in range(SYSTEMS)]
    systems = {"human": {"label": "Human", "kind": "human", "orders": "one"}}
    described = {
        "study": "bench",
        "title": "Bench",
        "design": "ratings",
        "systems": systems | {name: {"label": name} for name in names},
        "tasks": {"words": {"label": "Words", "references": ["human"]}},
    }
    study = yaml_models.build_model(RatingsStudy, described, "bench")
    with tempfile.TemporaryDirectory() as name:
        distances = simulate_ratings(names, Path(name))
        arguments = study, Path(name), distances
        time_call(f"ratings of {SYSTEMS} systems", RATINGS, analyze_simulated_ratings, *arguments)
    for formula, trials, budget in MODELS:
        table = simulate_verdicts(trials)
        time_call(f"{trials:,} verdicts, {formula}", budget, fit_model, table, formula)


if __name__ == "__main__":
    main()
