"""Correlations of two variables, with their tests of no correlation."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from turingstats.stats import effects
from turingstats.stats.hypothesis import outcome
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome

UNDEFINED = "not computed: fewer than 3 pairs, or a variable is constant"


def select_pairs(x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray, str, bool]:
    """Select the pairs without NaN; also say what was dropped, and whether there is no correlation."""
    values = np.array([x, y], dtype=float)
    complete = ~np.isnan(values).any(axis=0)
    a, b = values[:, complete]
    dropped = outcome.describe_missing(int((~complete).sum()))
    undefined = len(a) < 3 or outcome.is_constant(a) or outcome.is_constant(b)
    return a, b, dropped, undefined


def spearman(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute Spearman's rank correlation of pairs; those with a NaN are left out.

    For up to nine pairs without ties, p is exact, from all orders of one variable; otherwise it is from
    Student's t with n - 2 df.
    """
    a, b, dropped, undefined = select_pairs(x, y)
    a, b, n = np.round(a, outcome.TIE_DECIMALS), np.round(b, outcome.TIE_DECIMALS), len(a)
    exact = n <= 9 and len(set(a)) == len(set(b)) == n
    how = "exact p from all orders (stats.permutation_test, pairings)" if exact else "t with n-2 df"
    method = outcome.cite_library(
        "scipy", f"stats.spearmanr; {how}; interval of Bonett & Wright 2000"
    )
    blank = make_undefined_outcome(dropped, "rho", "rho", n, NAN, method)
    if undefined:
        return blank.refuse(UNDEFINED)
    rho, p = map(float, stats.spearmanr(a, b))
    if exact:
        ranks = stats.rankdata(b)

        def products(order: np.ndarray, axis: int) -> np.ndarray:
            return np.sum(stats.rankdata(a) * ranks[order.astype(int)], axis=axis)

        # All n! orders of the pairs, without random draws.
        kwargs = {"permutation_type": "pairings", "n_resamples": np.inf, "batch": 10_000}
        p = stats.permutation_test((np.arange(n),), products, vectorized=True, **kwargs).pvalue
    effect = effects.rank_correlation(rho, n, 1 + rho**2 / 2, 3, level)
    return blank.report(rho, p, effect, "" if exact else str(n - 2))


def pearson(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute the Pearson correlation of pairs, its t test with n - 2 df, and Fisher's interval."""
    a, b, dropped, undefined = select_pairs(x, y)
    n = len(a)
    method = outcome.cite_library(
        "scipy", "stats.pearsonr(alternative='two-sided'); t with n-2 df; Fisher interval"
    )
    blank = make_undefined_outcome(dropped, "r", "r", n, NAN, method)
    if undefined:
        return blank.refuse(UNDEFINED)
    test = stats.pearsonr(a, b)
    low, high = test.confidence_interval(level) if n > 3 else (NAN, NAN)
    return blank.report(test.statistic, test.pvalue, (test.statistic, low, high), str(n - 2))


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
