"""Signal detection: how well judges discriminate machines from people (d'), and their response bias (c).

A hit is a machine's response judged machine, a false alarm a person's response judged machine.
Detectability mixes both: a judge who always says "machine" and one who guesses both have 0.5.
d' = z(hit rate) - z(false alarm rate) is 0 for both; the criterion c = -(z(hit rate) + z(false alarm
rate)) / 2 distinguishes them: it is positive if a judge is reluctant to say machine.

Someone who gives the same answer to everything has neither: both z are infinite, and their difference is not
defined. The correction for small counts would make one up from the numbers of trials, such as d' > 0 if
machines were shown more often than people.

All functions take four counts, numbers or arrays that broadcast: people's responses judged human and all that
were judged, machines' responses judged machine and all that were judged.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import norm

CORRECTION = (0.5, 1.0)
"""Added to successes and to trials (log-linear; Hautus 1995), so that rates of 0 and 1 have a z."""

SAME_ANSWERS = "no d' or criterion: all verdicts are the same answer"


def z_scores(*four: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Compute z of the corrected hit rate and false alarm rate; nan without trials of the kind."""
    human_right, human_n, machine_right, machine_n = (np.asarray(part, float) for part in four)
    with np.errstate(invalid="ignore", divide="ignore"):
        hit, false_alarm = (
            ndtri(np.where(n > 0, (k + CORRECTION[0]) / (n + CORRECTION[1]), np.nan))
            for k, n in ((machine_right, machine_n), (human_n - human_right, human_n))
        )
    return hit, false_alarm


def find_same_answers(*four: ArrayLike) -> np.ndarray:
    """Find where all verdicts are the same answer."""
    human_right, human_n, machine_right, machine_n = map(np.asarray, four)
    said_human = human_right + machine_n - machine_right
    return (said_human == 0) | (said_human == human_n + machine_n)


def d_prime(*four: ArrayLike) -> np.ndarray:
    """Compute sensitivity d' = z(hit rate) - z(false alarm rate).

    nan without verdicts on either kind of response, and where all verdicts are the same answer.
    """
    hit, false_alarm = z_scores(*four)
    return np.where(find_same_answers(*four), np.nan, hit - false_alarm)


def criterion(*four: ArrayLike) -> np.ndarray:
    """Compute criterion c = -(z(hit rate) + z(false alarm rate)) / 2; nan as for `d_prime`."""
    hit, false_alarm = z_scores(*four)
    return np.where(find_same_answers(*four), np.nan, -(hit + false_alarm) / 2)


def differentiate_z_scores(
    *four: ArrayLike,
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Compute the derivatives of z of the hit rate and of z of the false alarm rate.

    Each with respect to the right verdicts and the trials of its side. The correction is taken as fixed: a
    verdict moves z as far as it departs from the uncorrected rate.
    """
    slopes = []
    counts = (four[2], four[3], 1), (four[0], four[1], -1)
    for score, (right, n, sign) in zip(z_scores(*four), counts, strict=True):
        right, n = np.asarray(right, float), np.asarray(n, float)
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = sign / ((n + CORRECTION[1]) * norm.pdf(score))
            slopes.append((slope, -slope * np.where(n > 0, right / n, np.nan)))
    return slopes[0], slopes[1]


def differentiate_d_prime(*four: ArrayLike) -> tuple[np.ndarray, ...]:
    """Compute the derivatives of d' with respect to the four counts; see `differentiate_z_scores`."""
    hit, false_alarm = differentiate_z_scores(*four)
    return (*(-slope for slope in false_alarm), *hit)


def differentiate_criterion(*four: ArrayLike) -> tuple[np.ndarray, ...]:
    """Compute the derivatives of c with respect to the four counts; see `differentiate_z_scores`."""
    hit, false_alarm = differentiate_z_scores(*four)
    return tuple(-slope / 2 for slope in (*false_alarm, *hit))


def compute_standard_errors(*four: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Compute standard errors of d' and c, assuming independent trials.

    Notes
    -----
    Delta method (Gourevitch & Galanter 1967): var z(p) = p (1 - p) / (n phi(z)**2), with the corrected
    rate p; var d' is the sum of both, var c a quarter of it.
    """
    total = 0.0
    for score, n in zip(z_scores(*four), (four[3], four[1]), strict=True):
        p = ndtr(score)
        with np.errstate(invalid="ignore", divide="ignore"):
            total = total + p * (1 - p) / (np.asarray(n, float) * norm.pdf(score) ** 2)
    return np.sqrt(total), np.sqrt(total) / 2


def compute_intervals(
    *four: ArrayLike, level: float = 0.95
) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Compute normal intervals of d' and of c, assuming independent trials."""
    values, errors = (d_prime(*four), criterion(*four)), compute_standard_errors(*four)
    half = ndtri((1 + level) / 2)
    return tuple(
        (value - half * se, value + half * se) for value, se in zip(values, errors, strict=True)
    )
