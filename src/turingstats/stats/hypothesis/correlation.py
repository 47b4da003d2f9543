"""Correlations of two variables, with their tests of no correlation."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from turingstats.stats import effects
from turingstats.stats.hypothesis.outcome import (
    NAN,
    TIE_DECIMALS,
    Outcome,
    cite_library,
    describe_missing,
    find_reason,
    is_constant,
    join_notes,
    make_undefined_outcome,
)


def select_pairs(x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray, str, str]:
    """Select the pairs without NaN; also say what was dropped, and why there may be no correlation."""
    values = np.array([x, y], dtype=float)
    complete = ~np.isnan(values).any(axis=0)
    a, b = values[:, complete]
    dropped = describe_missing(int((~complete).sum()))
    undefined = len(a) < 3 or is_constant(a) or is_constant(b)
    reason = find_reason((undefined, "fewer than 3 pairs, or a variable is constant"))
    return a, b, dropped, reason and join_notes(dropped, reason)


def spearman(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute Spearman's rank correlation of pairs; those with a NaN are left out.

    For up to nine pairs without ties, p is exact, from all orders of one variable; otherwise it is from
    Student's t with n - 2 df.
    """
    a, b, dropped, reason = select_pairs(x, y)
    a, b, n = np.round(a, TIE_DECIMALS), np.round(b, TIE_DECIMALS), len(a)
    exact = n <= 9 and len(set(a)) == len(set(b)) == n
    how = "exact p from all orders (stats.permutation_test, pairings)" if exact else "t with n-2 df"
    method = cite_library("scipy", f"stats.spearmanr; {how}; interval of Bonett & Wright 2000")
    if reason:
        return make_undefined_outcome(reason, "rho", "rho", n, NAN, method)
    rho, p = map(float, stats.spearmanr(a, b))
    if exact:
        ranks = stats.rankdata(b)

        def products(order: np.ndarray, axis: int) -> np.ndarray:
            return np.sum(stats.rankdata(a) * ranks[order.astype(int)], axis=axis)

        # All n! orders of the pairs, without random draws.
        kwargs = {"permutation_type": "pairings", "n_resamples": np.inf, "batch": 10_000}
        p = stats.permutation_test((np.arange(n),), products, vectorized=True, **kwargs).pvalue
    effect = effects.rank_correlation(rho, n, 1 + rho**2 / 2, 3, level)
    df = "" if exact else str(n - 2)
    return Outcome("rho", rho, df, float(p), "rho", *effect, n, NAN, dropped, method)


def pearson(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute the Pearson correlation of pairs, its t test with n - 2 df, and Fisher's interval."""
    a, b, dropped, reason = select_pairs(x, y)
    n = len(a)
    method = cite_library(
        "scipy", "stats.pearsonr(alternative='two-sided'); t with n-2 df; Fisher interval"
    )
    if reason:
        return make_undefined_outcome(reason, "r", "r", n, NAN, method)
    result = stats.pearsonr(a, b)
    r, p = map(float, result)
    low, high = map(float, result.confidence_interval(level) if n > 3 else (NAN, NAN))
    return Outcome("r", r, str(n - 2), p, "r", r, low, high, n, NAN, dropped, method)


def linearize_correlation(
    x: np.ndarray, y: np.ndarray, unit: np.ndarray | None = None
) -> tuple[float, np.ndarray]:
    """Compute Pearson's correlation, and how much each row moves it.

    Parameters
    ----------
    x, y : array of float, shape (rows,)
    unit : array of int, shape (rows,), optional
        Judge, or stimulus, of each row: the correlation is within these, of deviations from their means.

    Returns
    -------
    r : float
        nan if x or y does not vary.
    influence : array of float, shape (rows,)

    Notes
    -----
    Within units it is the repeated-measures correlation (Bland & Altman 1995, BMJ 310, 446); the influence is
    (ab - r (a^2 + b^2) / 2) / n with a, b the deviations in units of their root mean square.
    """
    codes = np.zeros(len(x), int) if unit is None else np.unique(unit, return_inverse=True)[1]
    counts = np.bincount(codes)
    deviations = [v - (np.bincount(codes, v) / counts)[codes] for v in (x, y)]
    roots = [np.sqrt(np.mean(v**2)) for v in deviations]
    if not min(roots, default=0.0) > 1e-12:
        return np.nan, np.full(len(x), np.nan)
    a, b = (v / root for v, root in zip(deviations, roots, strict=True))
    r = float(np.mean(a * b))
    return r, (a * b - r * (a**2 + b**2) / 2) / len(x)
