"""Intervals of rates near 1, and on which side of the truth they lie if they miss it."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logit

from tools.simulations import Case, Row
from tools.simulations.judges import (
    ESTIMATED,
    compute_truth,
    draw_study,
    estimate_crossed_interval,
)

STUDIES = 300
SPREAD = (0.5, 0.5)
RATES = (0.9, 0.95)
"""Probability of a right verdict of an average judge on an average stimulus."""
DESIGNS = ((20, 20, 20), (50, 10, 10), (500, 20, 10), (100, 100, 20), (10, 500, 50))
CASES = [
    Case(
        dict(zip(("judges", "stimuli", "per_judge"), design, strict=True))
        | {"truth": compute_truth(SPREAD, logit(rate))},
        (3, place),
        (design, logit(rate)),
    )
    for place, design in enumerate(DESIGNS)
    for rate in RATES
]


def simulate_study(
    rng: np.random.Generator, design: tuple[int, int, int], constant: float
) -> Iterator[Row]:
    """Simulate a study, and yield its intervals."""
    study, truth = draw_study(rng, design, SPREAD, constant), compute_truth(SPREAD, constant)
    for quantity in ESTIMATED:
        low, high = estimate_crossed_interval(study, quantity)
        yield {"quantity": quantity, "low": low, "high": high, "truth": truth}
