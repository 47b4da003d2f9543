"""Intervals of ratings, and of signal detection as a mixed model.

Ratings of five points have logistic noise, verdicts normal noise.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import expit

from tools.simulations import LEVEL, Row
from turingstats.analysis.graded_verdicts import measure_difference
from turingstats.analysis.ordinal_models import correct_errors, list_effects
from turingstats.stats.mixed.cumulative import fit_cumulative_model

APART, CRITERION, CUTS = 0.8, 0.1, np.array([-1.2, -0.3, 0.5, 1.4])


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield its intervals."""
    number: int = case["judges"]
    stimuli: int = case["stimuli"]
    seen = case["per_judge"]
    spreads = case["spread_judges"], case["spread_stimuli"]
    judges = np.repeat(np.arange(number), seen)
    shown = np.concatenate([rng.permutation(stimuli)[:seen] for _ in range(number)])
    shown = np.unique(shown, return_inverse=True)[1]
    machine = (shown % 2).astype(float)
    own = rng.normal([APART, CRITERION], spreads[0], (number, 2))[judges]
    eta = own[:, 0] * (machine - 0.5) - own[:, 1] + rng.normal(0, spreads[1], stimuli)[shown]
    ratings = 1.0 + np.searchsorted(CUTS, eta + rng.logistic(size=len(eta)))
    verdicts = (eta + rng.normal(size=len(eta)) > 0).astype(float)
    names = {"judge": judges, "stimulus": shown, "agent": np.where(machine == 1, "bot", "human")}
    difference = measure_difference(pd.DataFrame(names | {"rating": ratings}), "rating", LEVEL)
    row = {"quantity": "ratings", "interval": "difference of mean ratings"}
    ends = difference["ci_low"], difference["ci_high"]
    yield row | {"ends": ends, "truth": compute_difference(spreads)}
    effects = list_effects((judges, shown), machine)
    x = (machine - 0.5)[:, None]
    ordinal = fit_cumulative_model(ratings, x, effects, "logit")
    signal = fit_cumulative_model(verdicts, x, effects, "probit")
    for fit, wanted in (
        (ordinal, {"ordinal coefficient": APART}),
        (signal, {"d'": APART, "criterion": CRITERION}),
    ):
        errors, df = correct_errors(fit, effects, 2)
        reach = stats.t.ppf(0.5 + LEVEL / 2, df) * errors
        for i, (kind, truth) in enumerate(wanted.items()):
            ends = fit.estimate[i] + np.array([-1, 1]) * reach[i]
            yield {"quantity": "model", "interval": kind, "ends": ends, "truth": truth}


def compute_difference(spreads: tuple[float, float]) -> float:
    """Compute the difference of mean ratings over all judges and stimuli."""
    z, weights = np.polynomial.hermite_e.hermegauss(40)
    # A slope of 1/2 or -1/2 adds a quarter of its variance.
    spread = np.sqrt(1.25 * spreads[0] ** 2 + spreads[1] ** 2)
    eta = np.array([-0.5, 0.5])[:, None] * APART - CRITERION + spread * z
    means = expit(eta[..., None] - CUTS).sum(axis=-1) @ (weights / weights.sum())
    return float(means[1] - means[0])
