"""The recommended test and interval of the pipeline, on the counts of many studies at once.

A contrast is a sum of elements, and an element a weighted sum of shares judged human, as in
`turingstats.stats.crossed.assess_contrasts`: detectability is one element, the difference of two agents is
two. The numbers are those of that module; only the loop over studies is gone.
"""

from typing import NamedTuple

import numpy as np

from turingstats.stats import crossed, signal_detection
from turingstats.stats.clustered import UnitSums
from turingstats.stats.crossed import MIN_UNITS, CrossedError
from turingstats.stats.power.draws import Counts, Verdicts, count_units

PEOPLE, AGENT, OTHER = range(3)
CONTRASTS: dict[str, tuple[dict[int, float], ...]] = {
    "people": ({PEOPLE: 0.5, AGENT: -0.5},),
    "chance": ({AGENT: 1.0},),
    "agents": ({AGENT: 1.0}, {OTHER: -1.0}),
    "d_prime": ({PEOPLE: np.nan, AGENT: np.nan},),
}
"""Elements of each contrast: weights of the shares judged human. The first is detectability less 0.5; those
of d' depend on the shares."""
AGAINST = {"people": 0.0, "chance": 0.5, "agents": 0.0, "d_prime": 0.0}


class Estimates(NamedTuple):
    """A contrast in each study, with its error over judges and stimuli; arrays of shape (studies,)."""

    value: np.ndarray  # distance from the null hypothesis
    error: CrossedError  # nan with fewer than five judges, or stimuli, on a side


def tabulate_units(verdicts: Verdicts) -> tuple[Counts, Counts]:
    """Count verdicts by judge and by stimulus."""
    return count_units(verdicts, verdicts.judge), count_units(verdicts, verdicts.stimulus)


def estimate_contrast(judges: Counts, stimuli: Counts, contrast: str) -> Estimates:
    """Estimate a contrast, one of `CONTRASTS`, in each study with its error over judges and stimuli.

    See `turingstats.stats.crossed.assess_contrasts`.
    """
    elements = CONTRASTS[contrast]
    human, n = judges.human.sum(axis=0), judges.n.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = human / n
        if contrast == "d_prime":
            value, elements = measure_d_prime(human, n)
        else:
            value = sum(w * rates[s] for element in elements for s, w in element.items())
        variances = judges.squares.sum(axis=0) / n - rates**2
        weights = [pair for element in elements for pair in element.items()]
        units = [sum_units(unit, weights, rates, n) for unit in (judges, stimuli)]
        by_side = np.stack([w**2 * variances[s] / n[s] for s, w in weights], axis=-1)
    verdicts = by_side[..., None] * np.eye(len(weights))
    fewest = np.min([(unit.trials > 0).sum(axis=1).min(axis=1) for unit in units], axis=0)
    error = crossed.combine_unit_sums(units, verdicts, [fewest >= MIN_UNITS] * 2)
    return Estimates(value - AGAINST[contrast], error)


def measure_d_prime(human: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, tuple]:
    """Measure d' of the agent in each study, and the weights of the shares judged human in its error."""
    four = human[PEOPLE], n[PEOPLE], n[AGENT] - human[AGENT], n[AGENT]
    by_human, _, by_machine, _ = signal_detection.differentiate_d_prime(*four)
    weights = {PEOPLE: by_human * n[PEOPLE], AGENT: -by_machine * n[AGENT]}
    return signal_detection.d_prime(*four), (weights,)


def sum_units(
    counts: Counts, weights: list[tuple[int, np.ndarray | float]], rates: np.ndarray, n: np.ndarray
) -> UnitSums:
    """Sum how much each unit moves the sides of a contrast in each study; `weights` are sides and theirs."""
    number = np.broadcast_to(counts.n, counts.human.shape)
    influence = [w * (counts.human[:, s] - rates[s] * counts.n[:, s]) / n[s] for s, w in weights]
    trials = [number[:, s] for s, _ in weights]
    return UnitSums(*(np.stack(part).transpose(2, 1, 0) for part in (influence, trials)))


def compute_widths(estimates: Estimates, level: float, share: bool = True) -> np.ndarray:
    """Compute the width of the interval in each study, of detectability from the contrast with people, or
    of what is not a share.
    """
    value, error = estimates.value + 0.5 * share, estimates.error
    low, high = crossed.compute_crossed_interval(value, error, level, share)
    return high - low
