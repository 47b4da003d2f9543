"""Generate the example of docs/designs.md: comparisons of two responses by people.

    PYTHONPATH=src python -m demo.own_pairs docs/example/pairs.csv

No one judged. Strengths are made up; two models are equal, and one is never chosen.
"""

import sys

import pandas as pd
from scipy.special import expit

from turingstats.core import files
from turingstats.stats import resampling

JUDGES, PROMPTS, SEEN = 30, 24, 16
# Log odds against an average agent.
STRENGTHS = {"human": 0.5, "Alder": 0.9, "Birch": 0.1, "Cedar": 0.1, "Dogwood": -0.9}
NEVER_CHOSEN = "Markov chain"
FIRST = 0.25
"""Log odds of the response shown first, if two are equally good."""


def generate_pairs(seed: int = 2025) -> pd.DataFrame:
    """Generate one row per comparison, in columns like those of public arenas."""
    rng = resampling.make_generator(seed, "example of own pairs")
    agents = [*STRENGTHS, NEVER_CHOSEN]
    taste = dict(zip(STRENGTHS, rng.normal(0, 0.4, (len(STRENGTHS), JUDGES)), strict=True))
    quality = dict(zip(STRENGTHS, rng.normal(0, 0.5, (len(STRENGTHS), PROMPTS)), strict=True))
    rows = []
    for judge in range(JUDGES):
        for prompt in rng.permutation(PROMPTS)[:SEEN]:
            first, second = rng.permutation(agents)[:2]
            if NEVER_CHOSEN in (first, second):
                winner = "model_b" if first == NEVER_CHOSEN else "model_a"
            else:
                odds = FIRST + sum(
                    sign * (STRENGTHS[agent] + taste[agent][judge] + quality[agent][prompt])
                    for sign, agent in ((1, first), (-1, second))
                )
                winner = "model_a" if rng.random() < expit(odds) else "model_b"
                if rng.random() < 0.15:
                    winner = str(rng.choice(["tie", "tie (bothbad)"], p=[0.7, 0.3]))
            row = {"question_id": f"q{prompt + 1:02d}", "model_a": first, "model_b": second}
            rows.append(row | {"winner": winner, "judge": f"P{judge + 1:02d}", "turn": 1})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    files.write_frame(generate_pairs(), sys.argv[1])
