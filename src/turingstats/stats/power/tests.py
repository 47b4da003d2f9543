"""The recommended test and interval of the pipeline, on the counts of many studies at once.

A contrast is a sum of elements, and an element a weighted sum of shares judged human, as in
`turingstats.stats.crossed.assess_contrasts`: detectability is one element, the difference of two agents is
two. The numbers are those of that module; only the loop over studies is gone.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from turingstats.stats import crossed, signal_detection
from turingstats.stats.crossed import MIN_UNITS, SMALLEST
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
    # NaN with fewer than five judges, or stimuli, on a side.
    se: np.ndarray
    df: np.ndarray
    # The part of the variance that more judges do not reduce, because all see the same stimuli.
    # Without bias, and so negative in some studies.
    floor: np.ndarray


class Part(NamedTuple):
    """Variance over one kind of unit, its degrees of freedom, and the number of units of each element."""

    variance: np.ndarray
    df: np.ndarray
    numbers: list[np.ndarray]


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
        by_verdict = [
            sum(w**2 * variances[s] / n[s] for s, w in element.items()) for element in elements
        ]
        over_judges, over_stimuli = (
            measure_part(unit, elements, rates, n) for unit in (judges, stimuli)
        )
        variance = crossed.combine_variances(
            over_judges.variance, over_stimuli.variance, sum(by_verdict)
        )
        noise = sum(part.variance**2 / part.df for part in (over_judges, over_stimuli))
        # What varies from verdict to verdict is in the variance over stimuli, and falls with more judges.
        fleeting = sum(
            v * number / (number - 1)
            for v, number in zip(by_verdict, over_stimuli.numbers, strict=True)
        )
        df = np.maximum(variance**2 / noise, 1.0)
    floor = over_stimuli.variance - fleeting
    return Estimates(value - AGAINST[contrast], np.sqrt(variance), df, floor)


def measure_d_prime(human: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, tuple]:
    """Measure d' of the agent in each study, and the weights of the shares judged human in its error."""
    four = human[PEOPLE], n[PEOPLE], n[AGENT] - human[AGENT], n[AGENT]
    by_human, _, by_machine, _ = signal_detection.differentiate_d_prime(*four)
    weights = {PEOPLE: by_human * n[PEOPLE], AGENT: -by_machine * n[AGENT]}
    return signal_detection.d_prime(*four), (weights,)


def measure_part(counts: Counts, elements: tuple, rates: np.ndarray, n: np.ndarray) -> Part:
    """Measure the variance of a contrast over one kind of unit; nan where a side has too few."""
    total, variances, numbers = np.zeros(1), [], []
    shown = np.zeros(counts.n[:, 0].shape, bool)
    for element in elements:
        influence = sum(
            w * (counts.human[:, s] - rates[s] * counts.n[:, s]) / n[s] for s, w in element.items()
        )
        seen = {s: counts.n[:, s] > 0 for s in element}
        any_seen = np.any(list(seen.values()), axis=0)
        fewest = np.min([present.sum(axis=0) for present in seen.values()], axis=0)
        number = np.where(fewest >= MIN_UNITS, any_seen.sum(axis=0), np.nan)
        corrected = influence * np.sqrt(number / (number - 1))
        total = total + corrected
        variances.append((corrected**2).sum(axis=0))
        numbers.append(number)
        shown = shown | any_seen
    # Degrees of freedom from those of the elements (Welch).
    variance = (total**2).sum(axis=0)
    noise = sum(part**2 / (number - 1) for part, number in zip(variances, numbers, strict=True))
    welch = np.where(noise > 0, variance**2 / noise, 0.0)
    df = np.clip(welch, np.min(numbers, axis=0) - 1, shown.sum(axis=0) - 1)
    return Part(variance, df, numbers)


def compute_p(estimates: Estimates) -> np.ndarray:
    """Compute the two-sided p value of a contrast in each study; nan without an error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(estimates.df, -np.abs(estimates.value / estimates.se))
    return np.where(estimates.se > SMALLEST, p, np.nan)


def compute_widths(estimates: Estimates, level: float, share: bool = True) -> np.ndarray:
    """Compute the width of the interval in each study, of detectability from the contrast with people, or
    of what is not a share.
    """
    nothing = np.full(estimates.se.shape, np.nan)
    error = crossed.CrossedError(estimates.se, estimates.df, nothing, nothing, nothing)
    value = estimates.value + 0.5 * share
    low, high = crossed.compute_crossed_interval(value, error, level, share)
    return high - low
