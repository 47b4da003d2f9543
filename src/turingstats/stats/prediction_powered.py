"""Rates of people's verdicts, from few of them and many of a machine."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import ttest_ind

from turingstats.stats import crossed
from turingstats.stats.crossed import CrossedError, estimate_mean_error


class PoweredRate(NamedTuple):
    """A rate of people's verdicts, by people alone and with the help of a machine."""

    value: float
    error: CrossedError
    people_value: float
    people_error: CrossedError
    tuning: float  # weight of the machine's verdicts: 0, none
    n_others: int  # that only the machine judged


def estimate_powered_rate(
    verdicts: ArrayLike,
    predicted: ArrayLike,
    judges: ArrayLike,
    stimuli: ArrayLike,
    other_predicted: ArrayLike,
    other_stimuli: ArrayLike,
) -> PoweredRate:
    """Estimate the mean of people's verdicts from some stimuli that they judged, and a machine's on more.

    Parameters
    ----------
    verdicts, predicted : array of float, shape (verdicts,)
        People's verdicts, and the machine's on the same responses.
    judges, stimuli : array, shape (verdicts,)
    other_predicted, other_stimuli : array, shape (responses,)
        The machine's verdicts on responses to stimuli that no one of the people judged, drawn as the others.

    Returns
    -------
    PoweredRate
        Errors are over judges and stimuli; for intervals see `turingstats.stats.crossed`.

    Notes
    -----
    mean(y - w f) + w mean(f of others), where w minimizes the variance (Angelopoulos et al. 2023, Science
    382, 669-674; power tuning: Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453), from means by stimulus
    and within 0 and 1. The variance is the sum of that of the first mean, two-way clustered by judge and
    stimulus as in `estimate_crossed_error`, and that of the second, clustered by stimulus; degrees of freedom
    by Satterthwaite.
    """
    y, f, others = (np.asarray(part, float) for part in (verdicts, predicted, other_predicted))
    tuning = tune_power(y, f, stimuli, others, other_stimuli)
    both = estimate_mean_error(np.column_stack([y, y - tuning * f]), judges, stimuli)
    alone, rectified = both.pick(0), both.pick(1)
    helped = estimate_mean_error(tuning * others, None, other_stimuli)
    variance = rectified.se**2 + helped.se**2
    noise = rectified.se**4 / rectified.df + helped.se**4 / helped.df
    error = rectified._replace(
        se=np.sqrt(variance), df=np.maximum(variance**2 / noise, 1) if noise > 0 else rectified.df
    )
    return PoweredRate(
        value=float((y - tuning * f).mean() + tuning * others.mean()),
        error=error if tuning > 0 else alone,
        people_value=float(y.mean()),
        people_error=alone,
        tuning=tuning,
        n_others=len(np.unique(other_stimuli)),
    )


class Difference(NamedTuple):
    """How much higher the machine's verdicts are on responses that people judged than on the others."""

    value: float
    ci_low: float
    ci_high: float
    p: float


def compare_judged(
    predicted: ArrayLike,
    stimuli: ArrayLike,
    other_predicted: ArrayLike,
    other_stimuli: ArrayLike,
    level: float,
) -> Difference:
    """Test whether the machine's verdicts differ between stimuli that people judged and others.

    If people judged a random part of the stimuli, as prediction-powered estimates assume, they do not.
    Welch's t test of means by stimulus; not significant does not mean that the part is random.
    """
    judged, others = (
        average_by_unit(np.asarray(values, float), unit)
        for values, unit in ((predicted, stimuli), (other_predicted, other_stimuli))
    )
    value = float(judged.mean() - others.mean())
    if not max(judged.var(), others.var()) > crossed.SMALLEST**2:
        return Difference(value, np.nan, np.nan, np.nan)
    with warnings.catch_warnings():
        # One of the two may be constant, of which scipy warns.
        warnings.simplefilter("ignore", RuntimeWarning)
        test = ttest_ind(judged, others, equal_var=False)
        low, high = test.confidence_interval(level)
    return Difference(value, float(low), float(high), float(test.pvalue))


def tune_power(
    y: np.ndarray, f: np.ndarray, stimuli: ArrayLike, others: np.ndarray, other_stimuli: ArrayLike
) -> float:
    """Compute the weight of the machine, cov(y, f) / ((1 + n / N) var(f)), from means by stimulus."""
    people, machine = (average_by_unit(part, stimuli) for part in (y, f))
    rest = average_by_unit(others, other_stimuli)
    variance = np.concatenate([machine, rest]).var(ddof=1)
    if not variance > 0:
        return 0.0
    covariance = ((people - people.mean()) * (machine - machine.mean())).mean()
    return float(np.clip(covariance / ((1 + len(people) / len(rest)) * variance), 0, 1))


def average_by_unit(values: np.ndarray, unit: ArrayLike) -> np.ndarray:
    """Average the values of each unit."""
    codes = crossed.number_units(unit)
    return np.bincount(codes, values) / np.bincount(codes)
