"""Intervals of rates near 1, and on which side of the truth they lie if they miss it."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logit

from tools.simulations import Row
from tools.simulations.judges import (
    ESTIMATED,
    compute_truth,
    draw_study,
    estimate_crossed_interval,
)

SPREAD = (0.5, 0.5)


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield its intervals."""
    constant = logit(case["rate"])
    study, truth = draw_study(rng, case, SPREAD, constant), compute_truth(SPREAD, constant)
    for quantity in ESTIMATED:
        ends = estimate_crossed_interval(study, quantity)
        yield {"quantity": quantity, "ends": ends, "truth": truth}
