"""Intervals of proportions and of the mean of two, assuming independent trials."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri, stdtrit

NAN = float("nan")


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Compute the Wilson score interval (1927) of a proportion of `n` trials; NaN if ``n`` is 0."""
    successes, trials = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(n, dtype=float))
    trials = np.where(trials == 0, NAN, trials)
    share, z = successes / trials, -ndtri((1 - level) / 2)
    shrinkage = 1 + z**2 / trials
    middle = (share + z**2 / (2 * trials)) / shrinkage
    half = z * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)) / shrinkage
    # At k = 0 and k = n, rounding can put a limit slightly on the wrong side of the estimate.
    return np.clip(middle - half, 0, share), np.clip(middle + half, share, 1)


def compute_mean_proportion_interval(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the interval of the mean of two independent proportions, such as detectability.

    Parameters
    ----------
    k1, n1, k2, n2 : int or array of int
        Successes and trials of the two proportions; shapes are broadcast.

    Returns
    -------
    low, high : arrays
        Limits of ``m = (p1 + p2) / 2``, NaN if ``n1`` or ``n2`` is 0.

    Notes
    -----
    MOVER, the method of variance estimates recovery (Zou & Donner 2008; Newcombe 1998 for the
    difference), from the Wilson limits ``l`` and ``u`` of each proportion:
    ``low = m - sqrt((p1 - l1)**2 + (p2 - l2)**2) / 2`` and
    ``high = m + sqrt((u1 - p1)**2 + (u2 - p2)**2) / 2``.
    """
    low1, high1 = wilson(k1, n1, level)
    low2, high2 = wilson(k2, n2, level)
    trials1, trials2 = (np.where(np.asarray(n) == 0, NAN, n) for n in (n1, n2))
    p1, p2 = np.asarray(k1) / trials1, np.asarray(k2) / trials2
    mean = (p1 + p2) / 2
    return mean - np.hypot(p1 - low1, p2 - low2) / 2, mean + np.hypot(high1 - p1, high2 - p2) / 2


def compute_logit_interval(
    value: ArrayLike, se: ArrayLike, level: float, df: ArrayLike = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the interval of a probability, symmetric on the logit scale; nan where it is 0 or 1."""
    value = np.asarray(value, float)
    value = np.where((value > 0) & (value < 1), value, NAN)
    half = stdtrit(df, 0.5 + level / 2) * se / (value * (1 - value))
    return expit(logit(value) - half), expit(logit(value) + half)
