"""Generate the examples of ratings and of detectors' scores in docs/your_own_data.md.

    PYTHONPATH=src python -m demo.own_grades docs/example/ratings.csv docs/example/scores.csv

No one was asked anything, and no detector was run. Judges and texts differ, so that errors over judges alone
would be too small.
"""

import sys

import numpy as np
import pandas as pd

from turingstats.core import files
from turingstats.stats import resampling

JUDGES, TEXTS, SHOWN = 40, 60, 24
# Mean position of the texts on the scale from human to machine, by who wrote them.
SEEMS = {"Human": -0.7, "GPT-4o": -0.1, "Llama 3": 0.5, "Markov chain": 1.7}
CUTS = (-2.2, -1.2, -0.4, 0.3, 1.1, 2.1)
# How far a detector's scores of machines' and people's texts are apart, and how much they differ.
DETECTORS = {"Watermark probe": (2.4, 1.0), "Perplexity": (1.0, 1.2), "Word counts": (0.4, 0.8)}
SCORED = 400


def generate_ratings(seed: int = 2025) -> pd.DataFrame:
    """Generate answers on a 7-point scale, from 1 (surely human) to 7 (surely machine); -1 is missing."""
    rng = resampling.make_generator(seed, "example of ratings")
    writers = np.array(list(SEEMS))
    author = rng.choice(writers, TEXTS, p=[0.4, 0.2, 0.2, 0.2])
    text = np.array([SEEMS[name] for name in author]) + rng.normal(0, 0.7, TEXTS)
    rows = []
    for number in range(JUDGES):
        bias = rng.normal(0, 0.5)
        for item in rng.choice(TEXTS, SHOWN, replace=False):
            point = 1 + int(np.searchsorted(CUTS, text[item] + bias + rng.logistic(0, 0.7)))
            rows.append(
                {
                    "participant": f"P{number + 1:02d}",
                    "text_id": f"t{item + 1:03d}",
                    "written_by": author[item],
                    "answer": -1 if rng.random() < 0.01 else point,
                }
            )
    return pd.DataFrame(rows)


def generate_scores(seed: int = 2025) -> pd.DataFrame:
    """Generate the scores of three detectors, each between 0 (human) and 1 (machine)."""
    rng = resampling.make_generator(seed, "example of scores")
    writers = np.array(list(SEEMS))
    author = rng.choice(writers, SCORED, p=[0.5, 0.2, 0.2, 0.1])
    ease = np.array(
        [{"Human": -0.5, "GPT-4o": 0.2, "Llama 3": 0.6, "Markov chain": 1.0}[a] for a in author]
    )
    tables = []
    for detector, (apart, spread) in DETECTORS.items():
        logit = apart * ease + rng.normal(0, spread, SCORED)
        columns = {
            "detector": detector,
            "text_id": [f"t{item + 1:03d}" for item in range(SCORED)],
            "written_by": author,
            "p_fake": (1 / (1 + np.exp(-1.5 * logit))).round(4),
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


if __name__ == "__main__":
    files.write_frame(generate_ratings(), sys.argv[1])
    files.write_frame(generate_scores(), sys.argv[2])
