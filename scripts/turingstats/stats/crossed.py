"""Errors of a quantity when judges and stimuli are both samples.

Judges of one study often see the same stimuli. Conclusions are meant for other judges and for other stimuli,
so that both vary from study to study: errors that take judges alone for a sample are too small where
stimuli differ, and more judges do not help. The errors here hold for both, in closed form.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import expit, logit


class CrossedError(NamedTuple):
    """Standard error over judges and stimuli, and what it is made of; arrays of shape (...).

    Attributes
    ----------
    se : array
        Standard error over judges and stimuli; nan where there are fewer than two of either.
    df : array
        Degrees of freedom of its variance.
    judges, stimuli, verdicts : array
        Variances over judges alone, over stimuli alone, and over pairs of judge and stimulus.
    """

    se: np.ndarray
    df: np.ndarray
    judges: np.ndarray
    stimuli: np.ndarray
    verdicts: np.ndarray


def estimate_crossed_error(
    influence: ArrayLike, judges: ArrayLike, stimuli: ArrayLike, shown: ArrayLike | None = None
) -> CrossedError:
    """Estimate the standard error of a quantity over judges and stimuli.

    Parameters
    ----------
    influence : array of float, shape (rows, ...)
        How much each pair of judge and stimulus moves the quantity: its counts times the derivatives of the
        quantity by its counts (`turingstats.stats.quantities.differentiate_quantity`).
    judges, stimuli : array, shape (rows,)
        Judge and stimulus of each row.
    shown : array of bool, shape (rows, ...), optional
        Which rows hold trials of the quantity; only their judges and stimuli count. By default all.

    Returns
    -------
    CrossedError
        Where no stimulus is shown to two judges, the variance is that over judges.

    Notes
    -----
    Two-way clustered variance of the linearized quantity: V = V_judges + V_stimuli - V_verdicts, each of
    the first two times G / (G - 1) for its G units (Cameron, Gelbach & Miller 2011, Journal of Business &
    Economic Statistics 29, 238-249). The difference is noisy with few units, and V is at least the larger
    of the two. The degrees of freedom are those of Satterthwaite (1946, Biometrics Bulletin 2, 110-114), from
    G - 1 of each unit, and at least 1.
    """
    influence = np.asarray(influence, float)
    shown = np.ones(influence.shape, bool) if shown is None else np.asarray(shown, bool)
    variances, freedoms = [], []
    for unit in (judges, stimuli):
        codes = np.unique(np.asarray(unit), return_inverse=True)[1]
        sums = np.zeros((codes.max(initial=-1) + 1, *influence.shape[1:]))
        seen = np.zeros(sums.shape, bool)
        np.add.at(sums, codes, influence)
        np.logical_or.at(seen, codes, shown)
        number = seen.sum(axis=0)
        number = np.where(number < 2, np.nan, number)
        variances.append((sums**2).sum(axis=0) * number / (number - 1))
        freedoms.append(number - 1)
    by_judge, by_stimulus = variances
    by_verdict = (influence**2).sum(axis=0)
    variance = combine_variances(by_judge, by_stimulus, by_verdict)
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = by_judge**2 / freedoms[0] + by_stimulus**2 / freedoms[1]
        df = np.maximum(variance**2 / noise, 1)
    return CrossedError(np.sqrt(variance), df, by_judge, by_stimulus, by_verdict)


def compute_crossed_interval(
    value: ArrayLike, error: CrossedError, level: float, share: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the interval of a quantity from its error over judges and stimuli.

    Parameters
    ----------
    value : array, shape (...)
    error : CrossedError
    level : float
        Confidence level.
    share : bool
        The quantity is a share, whose interval is symmetric on the logit scale and within 0 and 1; it has
        none where it is 0 or 1.

    Returns
    -------
    low, high : arrays, shape (...)
        With Student's t; nan where the error is nan or 0.
    """
    value = np.asarray(value, float)
    reach = stats.t.ppf(0.5 + level / 2, error.df) * np.where(error.se > 0, error.se, np.nan)
    if not share:
        return value - reach, value + reach
    inside = np.where((value > 0) & (value < 1), value, np.nan)
    reach = reach / (inside * (1 - inside))
    return expit(logit(inside) - reach), expit(logit(inside) + reach)


def combine_variances(judges: np.ndarray, stimuli: np.ndarray, verdicts: np.ndarray) -> np.ndarray:
    """Combine variances over judges, stimuli and verdicts; at least the larger of the first two.

    What varies from verdict to verdict is in both of the first two and is taken out once (`combine_draws`).
    """
    return np.maximum(judges + stimuli - verdicts, np.maximum(judges, stimuli))


def combine_draws(
    value: ArrayLike, by_judge: np.ndarray, by_stimulus: np.ndarray, by_verdict: np.ndarray
) -> np.ndarray:
    """Combine bootstrap draws of a quantity when judges and stimuli are both samples.

    Parameters
    ----------
    value : array, shape (...)
        The quantity in the data.
    by_judge, by_stimulus, by_verdict : arrays, shape (..., n_resamples)
        The quantity when judges, stimuli, or single pairs of judge and stimulus are drawn with
        replacement.

    Returns
    -------
    array, shape (..., n_resamples)
        Sums of a deviation due to judges and one due to stimuli, scaled to the variance V below.

    Notes
    -----
    The variance between single verdicts is part of both V_judges and V_stimuli, and is subtracted once:
    V = V_judges + V_stimuli - V_verdicts, as in two-way clustered standard errors (Cameron,
    Gelbach & Miller 2011, Journal of Business & Economic Statistics 29, 238-249); V is at least the
    larger of the two. Drawing judges and stimuli at once (the pigeonhole bootstrap, Owen 2007) would count
    that part three times, which matters if a judge sees few stimuli.
    """
    draws = (by_judge, by_stimulus, by_verdict)
    with np.errstate(invalid="ignore"):
        judges, stimuli, verdicts = (np.nanvar(draw, axis=-1, ddof=1) for draw in draws)
    wanted = combine_variances(judges, stimuli, verdicts)
    both = judges + stimuli
    scale = np.sqrt(np.divide(wanted, both, out=np.zeros_like(both), where=both > 0))
    value = np.asarray(value)[..., None]
    return value + scale[..., None] * (by_judge + by_stimulus - 2 * value)
