"""Generate the example of docs/three_party.md: games in which a judge talks to a person and a machine.

    PYTHONPATH=src python -m demo.own_games docs/example/games.csv

No one played. The rates are made up, chosen so that machines lie on both sides of one half.
"""

import sys

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from turingstats.core import files
from turingstats.stats import resampling

PEOPLE, ROUNDS = 64, 8
# Share of games in which a machine is taken for the person, by machine and prompt.
WINS = {("Model A", "persona"): 0.72, ("Model A", "plain"): 0.4, ("Model B", "persona"): 0.55}
WINS |= {("Model B", "plain"): 0.35, ("Markov chain", ""): 0.2}
REASONS = {"style": 0.0, "typing errors": -0.5, "asked about the day": 0.4, "too helpful": 0.8}
"""Codes of reasons, and how much more often a judge who gives one is right (log odds)."""


def generate_games(seed: int = 2025) -> pd.DataFrame:
    """Generate one row per game; in each round half of the people judge, and each other person is judged."""
    rng = resampling.make_generator(seed, "example of own games")
    skill, humanlike = rng.normal(0, 0.4, (2, PEOPLE))
    rows = []
    for turn in range(ROUNDS):
        order = rng.permutation(PEOPLE)
        for judge, person in zip(*np.split(order, 2), strict=True):
            machine, prompt = list(WINS)[rng.integers(len(WINS))]
            reasons = rng.choice(list(REASONS), rng.integers(1, 3), replace=False)
            odds = skill[judge] + humanlike[person] + np.mean([REASONS[code] for code in reasons])
            wins = rng.random() < expit(logit(WINS[machine, prompt]) - odds)
            witnesses = [machine, f"P{person + 1:02d}"]
            first = int(rng.random() < 0.5)
            rows.append(
                {
                    "round": turn + 1,
                    "interrogator": f"P{judge + 1:02d}",
                    "population": "students" if judge < PEOPLE // 2 else "online",
                    "witness_a": witnesses[first],
                    "witness_b": witnesses[1 - first],
                    "prompt": prompt,
                    "verdict": "B" if wins == first else "A",
                    "confidence": int(np.clip(rng.normal(60, 20), 0, 100)),
                    "reasons": "; ".join(reasons),
                    "turns": int(rng.integers(4, 20)),
                    "seconds": int(np.clip(rng.normal(240, 50), 60, 300)),
                }
            )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    files.write_frame(generate_games(), sys.argv[1])
