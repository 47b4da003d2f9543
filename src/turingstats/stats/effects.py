"""Effect sizes with confidence intervals.

All intervals are analytic, so they are the same in every run and can be reproduced elsewhere; those of
resampled quantities are in `turingstats.stats.resampling`. Each function returns (effect, low, high).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtri, stdtrit
from scipy.stats import chi2 as central_chi2
from scipy.stats import f as central_f
from scipy.stats import ncf, ncx2

NAN = float("nan")
Interval = tuple[float, float, float]


def _find_quantile(level: float) -> float:
    return float(ndtri((1 + level) / 2))


def _compute_correlation_interval(r: float, se: float, level: float) -> Interval:
    """Compute the interval of a correlation on Fisher's scale, where it stays within -1 to 1."""
    if not abs(r) < 1 or not np.isfinite(se):
        return r, NAN, NAN
    half = _find_quantile(level) * se / (1 - r**2)
    return r, float(np.tanh(np.arctanh(r) - half)), float(np.tanh(np.arctanh(r) + half))


def rank_biserial_paired(differences: ArrayLike, level: float = 0.95) -> Interval:
    """Compute the matched-pairs rank-biserial correlation, the effect of a signed-rank test.

    ``(W+ - W-) / (W+ + W-)`` (Kerby 2014); differences of 0 are left out, and limits are NaN if all have the
    same sign. W+ counts the sums ``d_i + d_j`` above 0 (Walsh averages; sums of 0 count one half). Its
    standard error is that of a U-statistic: twice the standard deviation over judges of the share of a
    judge's sums with the other judges that is above 0, divided by root n (Sen 1960).
    """
    d = np.asarray(differences, dtype=float)
    d = d[d != 0]
    n = len(d)
    if n == 0:
        return NAN, NAN, NAN
    # Sums of equal and opposite differences are exactly 0 in floating point.
    above = (np.sign(d[:, None] + d[None, :]) + 1) / 2
    effect = 2 * float(above[np.triu_indices(n)].sum()) / (n * (n + 1) / 2) - 1
    if n < 3:
        return effect, NAN, NAN
    share = (above.sum(axis=1) - np.diag(above)) / (n - 1)
    se = 2 * 2 * share.std(ddof=1) / np.sqrt(n)
    return _compute_correlation_interval(effect, float(se), level)


def rank_biserial(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Interval:
    """Compute the rank-biserial correlation of two groups, the effect of a Mann-Whitney test.

    ``2 U1 / (n1 n2) - 1`` (Wendt 1972), positive if the first group is larger; limits are NaN if the groups
    do not overlap. ``U1 / (n1 n2)`` is the area under the ROC curve; its standard error is that of DeLong et
    al. (1988), from the variances of the placements, valid with ties and unequal spread.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    above = (np.sign(a[:, None] - b[None, :]) + 1) / 2
    effect = 2 * float(above.mean()) - 1
    if min(len(a), len(b)) < 2:
        return effect, NAN, NAN
    placements = above.mean(axis=1), above.mean(axis=0)
    variance = sum(p.var(ddof=1) / len(p) for p in placements)
    return _compute_correlation_interval(effect, 2 * float(np.sqrt(variance)), level)


def hedges_g(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Interval:
    """Compute the standardized difference of two means, corrected for small samples.

    ``J (mean(a) - mean(b)) / s`` with the pooled standard deviation s and ``J = 1 - 3 / (4 (n1 + n2) - 9)``;
    interval from the normal approximation with ``se^2 = (n1 + n2) / (n1 n2) + g^2 / (2 (n1 + n2))`` (Hedges &
    Olkin 1985).
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    n1, n2 = len(a), len(b)
    pooled = ((n1 - 1) * a.var(ddof=1) + (n2 - 1) * b.var(ddof=1)) / (n1 + n2 - 2)
    correction = 1 - 3 / (4 * (n1 + n2) - 9)
    g = float(correction * (a.mean() - b.mean()) / np.sqrt(pooled))
    half = _find_quantile(level) * np.sqrt((n1 + n2) / (n1 * n2) + g**2 / (2 * (n1 + n2)))
    return g, float(g - half), float(g + half)


def _find_noncentral_limits(
    cdf: Callable[[float], float], level: float, scale: float
) -> tuple[float, float]:
    """Find the noncentralities at which the observed statistic is an upper or lower quantile."""

    limits = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        if cdf(0.0) <= tail:
            limits.append(0.0)
            continue
        top = max(scale, 1.0)
        while cdf(top) > tail:
            top *= 2
        limits.append(float(brentq(lambda nc, tail=tail: cdf(nc) - tail, 0.0, top, xtol=1e-10)))
    return limits[0], limits[1]


def eta_squared(f: float, df: float, df_error: float, level: float = 0.95) -> Interval:
    """Compute the (partial) share of variance explained by a factor from its F.

    ``F df / (F df + df_error)``; limits ``nc / (nc + df + df_error + 1)`` from the noncentralities nc of F
    (Steiger 2004). Both would be 0 for an F smaller than expected by chance; the upper limit is then the
    effect itself.
    """

    def cdf(nc: float) -> float:
        return float(ncf.cdf(f, df, df_error, nc) if nc > 0 else central_f.cdf(f, df, df_error))

    low, high = _find_noncentral_limits(cdf, level, 2 * f * df)
    n = df + df_error + 1
    effect = f * df / (f * df + df_error)
    return effect, low / (low + n), max(high / (high + n), effect)


def scale_chi2(chi2: float, df: float, largest: float, level: float = 0.95) -> Interval:
    """Compute an effect as share of the largest chi-square: Kendall's W, epsilon squared, V squared.

    Parameters
    ----------
    chi2, df : float
        Statistic and its degrees of freedom.
    largest : float
        ``n (k - 1)`` for Kendall's W, ``n - 1`` for the epsilon squared of Kruskal-Wallis,
        ``n min(rows - 1, columns - 1)`` for the square of Cramer's V.

    Returns
    -------
    effect, low, high : float
        ``chi2 / largest``; limits from the noncentralities of chi-square (Smithson 2003), an approximation
        for rank statistics; limits are at most 1, and the upper one is at least the effect.
    """

    def cdf(nc: float) -> float:
        return float(ncx2.cdf(chi2, df, nc) if nc > 0 else central_chi2.cdf(chi2, df))

    low, high = _find_noncentral_limits(cdf, level, 2 * chi2)
    effect = chi2 / largest
    return effect, min(low / largest, 1.0), max(min(high / largest, 1.0), effect)


def mean(values: ArrayLike, level: float = 0.95) -> Interval:
    """Compute a mean and its interval from Student's t distribution."""

    values = np.asarray(values, dtype=float)
    n, center = len(values), float(np.mean(values)) if len(values) else NAN
    if n < 2:
        return center, NAN, NAN
    half = float(stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1) / np.sqrt(n))
    return center, center - half, center + half


def kendall(tau: float, n: int, level: float = 0.95) -> Interval:
    """Compute the interval of Kendall's tau on Fisher's scale, with se ``sqrt(0.437 / (n - 4))``.

    The standard error is that of Fieller, Hartley & Pearson (1957), as in Bonett & Wright (2000).
    """
    if n <= 4 or abs(tau) >= 1:
        return tau, NAN, NAN
    half = _find_quantile(level) * np.sqrt(0.437 / (n - 4))
    return tau, float(np.tanh(np.arctanh(tau) - half)), float(np.tanh(np.arctanh(tau) + half))


def spearman(rho: float, n: int, level: float = 0.95) -> Interval:
    """Compute the interval of Spearman's rho, with se ``sqrt((1 + rho^2 / 2) / (n - 3))`` on Fisher's scale.

    The standard error is that of Bonett & Wright (2000).
    """
    if n <= 3 or abs(rho) >= 1:
        return rho, NAN, NAN
    half = _find_quantile(level) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return rho, float(np.tanh(np.arctanh(rho) - half)), float(np.tanh(np.arctanh(rho) + half))
