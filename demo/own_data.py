"""Generate the example of docs/your_own_data.md: a table like those that survey platforms export.

    PYTHONPATH=src python -m demo.own_data docs/example/trials.csv

No one was asked anything. The rates are made up, chosen so that every figure has something to show.
"""

import sys

import numpy as np
import pandas as pd

from turingstats.core import files
from turingstats.stats import resampling

JUDGES, TEXTS = 48, 24
# Probability of the answers "AI" and "Not sure", by who wrote the text.
SAYS_AI = {"Human": 0.36, "GPT-4o": 0.55, "Llama 3": 0.68, "Markov chain": 0.9}
NOT_SURE = {"Human": 0.1, "GPT-4o": 0.16, "Llama 3": 0.1, "Markov chain": 0.03}
LENGTHS = (50, 100, 200)
BROWSER = "Mozilla/5.0 (generated; nobody used it)"


def generate_trials(seed: int = 2025) -> pd.DataFrame:
    """Generate one row per verdict; addresses are from the block that is reserved for documentation."""
    rng = resampling.make_generator(seed, "example of own data")
    writers = np.array(list(SAYS_AI))
    rows = []
    for number in range(JUDGES):
        judge = {
            "participant": f"P{rng.integers(10**7, 10**8)}",
            "age": int(np.clip(rng.normal(38, 12), 18, 75)),
            "gender": str(rng.choice(["woman", "man", "non-binary"], p=[0.5, 0.46, 0.04])),
            "uses_chatbots": str(rng.choice(["daily", "weekly", "never"])),
            "ip_address": f"192.0.2.{number + 1}",
            "browser": BROWSER,
        }
        skill = rng.normal(0, 0.5) + (0.35 if judge["uses_chatbots"] == "daily" else 0)
        for trial in range(1, TEXTS + 1):
            writer = str(writers[0] if rng.random() < 0.5 else rng.choice(writers[1:]))
            words = int(rng.choice(LENGTHS))
            side = -1 if writer == "Human" else 1
            odds = SAYS_AI[writer] / (1 - SAYS_AI[writer])
            odds *= np.exp(side * (skill + 0.3 * np.log2(words / 100)))
            answer = "AI" if rng.random() < odds / (1 + odds) else "Human"
            if rng.random() < NOT_SURE[writer]:
                answer = "Not sure"
            rows.append(
                judge
                | {
                    "trial": trial,
                    "text_id": f"t{rng.integers(1, 121):03d}",
                    "written_by": writer,
                    "words": words,
                    "answer": answer,
                    "confidence": int(
                        np.clip(rng.normal(45 if answer == "Not sure" else 65, 18), 0, 100)
                    ),
                    "response_time_ms": int(rng.lognormal(9, 0.5)),
                }
            )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    files.write_frame(generate_trials(), sys.argv[1])
