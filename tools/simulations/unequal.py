"""Intervals when some judges give many more verdicts than others.

Probabilities are as in `joint`: judges and stimuli have spreads on the logit scale. Stimuli with odd numbers
have the other truth; the groups that are contrasted are of judges, by turns.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, roots_hermitenorm

from tools.simulations import LEVEL, Row
from tools.simulations.joint import CONSTANT, draw_design
from turingstats.stats import crossed

REPEATS = 20
"""Studies of each design that is drawn."""


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate studies of one design; yield intervals of a rate, detectability, and a contrast of groups."""
    judge, stimulus = draw_design(
        rng, case["judges"], case["stimuli"], case["per_judge"], case["numbers"]
    )
    logits = CONSTANT + rng.normal(0, case["spread_judges"], (case["judges"], REPEATS))[judge]
    logits += rng.normal(0, case["spread_stimuli"], (case["stimuli"], REPEATS))[stimulus]
    right = rng.random(logits.shape) < expit(logits)
    nodes, weights = roots_hermitenorm(60)
    spread = np.hypot(case["spread_judges"], case["spread_stimuli"])
    truth = float(weights @ expit(CONSTANT + spread * nodes) / weights.sum())
    alike = np.zeros(len(judge), int)
    for quantity, side, weight, value in (
        ("rate", alike, np.array([1.0]), truth),
        ("detectability", stimulus % 2, np.array([0.5, 0.5]), truth),
        ("difference of groups", judge % 2, np.array([1.0, -1.0]), 0.0),
    ):
        sides = np.eye(len(weight))[side]
        n = sides.sum(axis=0)
        rates = sides.T @ right / n[:, None]
        influence = (weight * sides / n)[:, :, None] * (right[:, None] - rates)
        error = crossed.estimate_crossed_error(influence, judge, stimulus, sides[:, :, None])
        share = weight.min() > 0
        ends = crossed.compute_crossed_interval(weight @ rates, error, LEVEL, share)
        for *limits, df in zip(*ends, error.df, strict=True):
            yield {"quantity": quantity, "truth": value, "df": df, "ends": limits}
