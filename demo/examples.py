"""Generate the tables in docs/example/, which are like those that survey platforms export.

    PYTHONPATH=src python -m demo.examples

No one was asked anything, and no detector was run. The rates are made up, chosen so that every figure has
something to show: machines on both sides of one half, two equal models, one that is never chosen. Judges and
texts differ, so that errors over judges alone would be too small.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from turingstats.core import files
from turingstats.stats import resampling

FOLDER = Path(__file__).parents[1] / "docs/example"

# Verdicts: probability of the answers "AI" and "Not sure", by who wrote the text.
SAYS_AI = {"Human": 0.36, "GPT-4o": 0.55, "Llama 3": 0.68, "Markov chain": 0.9}
NOT_SURE = {"Human": 0.1, "GPT-4o": 0.16, "Llama 3": 0.1, "Markov chain": 0.03}
BROWSER = "Mozilla/5.0 (generated; nobody used it)"

# Ratings: mean position of the texts on the scale from human to machine, and where its 7 points meet.
SEEMS = {"Human": -0.7, "GPT-4o": -0.1, "Llama 3": 0.5, "Markov chain": 1.7}
CUTS = (-2.2, -1.2, -0.4, 0.3, 1.1, 2.1)
# Scores: how machine-like texts are to detectors, how much that counts, and how much scores differ.
EASE = {"Human": -0.5, "GPT-4o": 0.2, "Llama 3": 0.6, "Markov chain": 1.0}
DETECTORS = {"Watermark probe": (2.4, 1.0), "Perplexity": (1.0, 1.2), "Word counts": (0.4, 0.8)}

# Games: share in which a machine is taken for the person, by machine and prompt.
WINS = {("Model A", "persona"): 0.72, ("Model A", "plain"): 0.4, ("Model B", "persona"): 0.55}
WINS |= {("Model B", "plain"): 0.35, ("Markov chain", ""): 0.2}
REASONS = {"style": 0.0, "typing errors": -0.5, "asked about the day": 0.4, "too helpful": 0.8}
"""Codes of reasons, and how much more often a judge who gives one is right (log odds)."""

# Comparisons: log odds against an average agent, and of the response shown first if two are equally good.
STRENGTHS = {"human": 0.5, "Alder": 0.9, "Birch": 0.1, "Cedar": 0.1, "Dogwood": -0.9}
NEVER_CHOSEN, FIRST = "Markov chain", 0.25


def generate_trials(seed: int = 2025) -> pd.DataFrame:
    """Generate verdicts on texts; addresses are from the block that is reserved for documentation."""
    rng = resampling.make_generator(seed, "example of own data")
    writers = np.array(list(SAYS_AI))
    rows = []
    for number in range(48):
        judge = {
            "participant": f"P{rng.integers(10**7, 10**8)}",
            "age": int(np.clip(rng.normal(38, 12), 18, 75)),
            "gender": str(rng.choice(["woman", "man", "non-binary"], p=[0.5, 0.46, 0.04])),
            "uses_chatbots": str(rng.choice(["daily", "weekly", "never"])),
            "ip_address": f"192.0.2.{number + 1}",
            "browser": BROWSER,
        }
        skill = rng.normal(0, 0.5) + (0.35 if judge["uses_chatbots"] == "daily" else 0)
        for trial in range(1, 25):
            writer = str(writers[0] if rng.random() < 0.5 else rng.choice(writers[1:]))
            words = int(rng.choice([50, 100, 200]))
            effect = skill + 0.3 * np.log2(words / 100)
            odds = logit(SAYS_AI[writer]) + (-effect if writer == "Human" else effect)
            answer = "AI" if rng.random() < expit(odds) else "Human"
            if rng.random() < NOT_SURE[writer]:
                answer = "Not sure"
            text = {
                "trial": trial,
                "text_id": f"t{rng.integers(1, 121):03d}",
                "written_by": writer,
                "words": words,
                "answer": answer,
            }
            sure = rng.normal(45 if answer == "Not sure" else 65, 18)
            text["confidence"] = int(np.clip(sure, 0, 100))
            rows.append(judge | text | {"response_time_ms": int(rng.lognormal(9, 0.5))})
    return pd.DataFrame(rows)


def generate_ratings(seed: int = 2025) -> pd.DataFrame:
    """Generate answers on a 7-point scale, from 1 (surely human) to 7 (surely machine); -1 is missing."""
    rng = resampling.make_generator(seed, "example of ratings")
    author = rng.choice(list(SEEMS), 60, p=[0.4, 0.2, 0.2, 0.2])
    text = pd.Series(author).map(SEEMS) + rng.normal(0, 0.7, 60)
    rows = []
    for number in range(40):
        bias = rng.normal(0, 0.5)
        for item in rng.choice(60, 24, replace=False):
            point = 1 + int(np.searchsorted(CUTS, text[item] + bias + rng.logistic(0, 0.7)))
            answer = -1 if rng.random() < 0.01 else point
            rows.append((f"P{number + 1:02d}", f"t{item + 1:03d}", author[item], answer))
    return pd.DataFrame(rows, columns=["participant", "text_id", "written_by", "answer"])


def generate_scores(seed: int = 2025) -> pd.DataFrame:
    """Generate the scores of three detectors, each between 0 (human) and 1 (machine)."""
    rng = resampling.make_generator(seed, "example of scores")
    author = pd.Series(rng.choice(list(SEEMS), 400, p=[0.5, 0.2, 0.2, 0.1]))
    tables = []
    for detector, (apart, spread) in DETECTORS.items():
        odds = 1.5 * (apart * author.map(EASE) + rng.normal(0, spread, 400))
        columns = {
            "detector": detector,
            "text_id": [f"t{item + 1:03d}" for item in range(400)],
            "written_by": author,
            "p_fake": expit(odds).round(4),
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def generate_games(seed: int = 2025) -> pd.DataFrame:
    """Generate three-party games: in each round half of the people judge, and each other is judged once."""
    rng = resampling.make_generator(seed, "example of own games")
    people = 64
    skill, humanlike = rng.normal(0, 0.4, (2, people))
    rows = []
    for turn in range(8):
        order = rng.permutation(people)
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
                    "population": "students" if judge < people // 2 else "online",
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


def generate_pairs(seed: int = 2025) -> pd.DataFrame:
    """Generate comparisons of two responses, in columns like those of public arenas."""
    rng = resampling.make_generator(seed, "example of own pairs")
    judges, prompts = 30, 24
    taste = dict(zip(STRENGTHS, rng.normal(0, 0.4, (len(STRENGTHS), judges)), strict=True))
    quality = dict(zip(STRENGTHS, rng.normal(0, 0.5, (len(STRENGTHS), prompts)), strict=True))
    rows = []
    for judge in range(judges):
        for prompt in rng.permutation(prompts)[:16]:
            first, second = rng.permutation([*STRENGTHS, NEVER_CHOSEN])[:2]
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


TABLES = {
    "trials": generate_trials,
    "ratings": generate_ratings,
    "scores": generate_scores,
    "games": generate_games,
    "pairs": generate_pairs,
}

if __name__ == "__main__":
    for name, generate in TABLES.items():
        files.write_frame(generate(), FOLDER / f"{name}.csv")
