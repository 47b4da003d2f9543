"""Prediction-powered intervals if people judge the easier stimuli more often, and whether that is noticed.

Stimuli are judged with odds that rise with their ease; all else is as in `machines`.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from tools.simulations import LEVEL, Row
from tools.simulations.judges import CONSTANT, compute_truth, draw_seen
from turingstats.stats import crossed, prediction_powered

SPREADS = (0.5, 1.0)
SEEN = 20


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield its interval, with whether the machine's verdicts tell of the selection."""
    ease = rng.normal(0, SPREADS[1], (case["stimuli"],))
    is_judged = rng.random(len(ease)) < expit(case["selected"] * ease - 1.5)
    chosen = np.flatnonzero(is_judged)
    judges, place = draw_seen(rng, case["judges"], len(chosen), SEEN)
    stimuli = chosen[place]
    own = rng.normal(0, np.sqrt(2) * SPREADS[0], (case["judges"],))
    human = rng.random(len(judges)) < expit(CONSTANT + own[judges] + ease[stimuli])
    predicted = rng.random(len(ease)) < expit(CONSTANT + 2.0 * ease)
    of_machine = predicted[stimuli], stimuli, predicted[~is_judged], np.flatnonzero(~is_judged)
    rate = prediction_powered.estimate_powered_rate(
        human, predicted[stimuli], judges, stimuli, *of_machine[2:]
    )
    ends = crossed.compute_crossed_interval(rate.value, rate.error, LEVEL)
    noticed = prediction_powered.compare_judged(*of_machine, LEVEL).p < 1 - LEVEL
    row = {"interval": "all studies", "ends": ends, "truth": compute_truth(SPREADS)}
    yield row | {"noticed": float(noticed)}
    if not noticed:
        yield row | {"interval": "not noticed", "noticed": 0.0}
