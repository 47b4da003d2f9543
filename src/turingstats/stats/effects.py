"""Effect sizes with confidence intervals.

All intervals are analytic, so they are the same in every run and can be reproduced elsewhere; those of
resampled quantities are in `turingstats.stats.resampling`. Each function returns (effect, low, high).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import chdtr, chndtrinc, fdtr, ndtri, stdtrit
from scipy.stats import ncf

NAN = float("nan")
Interval = tuple[float, float, float]


def compute_fisher_limits(
    r: ArrayLike, se: ArrayLike, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the limits of correlations on Fisher's scale, where they stay within -1 to 1.

    `se` are their standard errors; limits are nan where these are, and at -1 and 1.
    """
    r = np.where(np.abs(r) < 1, r, np.nan)
    middle, half = np.arctanh(r), ndtri((1 + level) / 2) * np.asarray(se, float) / (1 - r**2)
    return np.tanh(middle - half), np.tanh(middle + half)


def add_fisher_limits(r: float, se: float, level: float) -> Interval:
    """Add the limits of `compute_fisher_limits` to one correlation."""
    low, high = compute_fisher_limits(r, se, level)
    return r, float(low), float(high)


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
    return add_fisher_limits(effect, se, level)


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
    return add_fisher_limits(effect, 2 * np.sqrt(variance), level)


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
    half = ndtri((1 + level) / 2) * np.sqrt((n1 + n2) / (n1 * n2) + g**2 / (2 * (n1 + n2)))
    return g, float(g - half), float(g + half)


def eta_squared(f: float, df: float, df_error: float, level: float = 0.95) -> Interval:
    """Compute the (partial) share of variance explained by a factor from its F.

    ``F df / (F df + df_error)``; limits ``nc / (nc + df + df_error + 1)`` from the noncentralities nc of F
    (Steiger 2004). Both would be 0 for an F smaller than expected by chance; the upper limit is then the
    effect itself.
    """
    limits = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        if fdtr(df, df_error, f) <= tail:
            limits.append(0.0)
            continue
        # By search, since scipy.special.ncfdtrinc is wrong in the third digit.
        top = 2 * f * df
        while ncf.cdf(f, df, df_error, top) > tail:
            top *= 2
        limits.append(
            brentq(lambda nc, p=tail: ncf.cdf(f, df, df_error, nc) - p, 0, top, xtol=1e-10)
        )
    low, high = limits
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
    tails = np.array([1 + level, 1 - level]) / 2
    limits = np.where(chdtr(df, chi2) > tails, chndtrinc(chi2, df, tails), 0.0) / largest
    effect = chi2 / largest
    return effect, min(float(limits[0]), 1.0), max(min(float(limits[1]), 1.0), effect)


def mean(values: ArrayLike, level: float = 0.95) -> Interval:
    """Compute a mean and its interval from Student's t distribution."""
    values = np.asarray(values, dtype=float)
    n, center = len(values), float(np.mean(values)) if len(values) else NAN
    if n < 2:
        return center, NAN, NAN
    half = float(stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1) / np.sqrt(n))
    return center, center - half, center + half


def rank_correlation(r: float, n: int, variance: float, lost: int, level: float = 0.95) -> Interval:
    """Compute the interval of a rank correlation, with se ``sqrt(variance / (n - lost))`` on Fisher's scale.

    Bonett & Wright (2000): 0.437 and 4 for Kendall's tau (Fieller, Hartley & Pearson 1957), ``1 + rho^2 / 2``
    and 3 for Spearman's rho.
    """
    if n <= lost:
        return r, NAN, NAN
    se = np.sqrt(variance / (n - lost)) * (1 - r**2)
    return add_fisher_limits(r, se, level)


def compute_log_odds(
    k: ArrayLike, n: ArrayLike, added: float = NAN
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the log odds of k in n trials, and their error variance ``1 / k + 1 / (n - k)``.

    Where a count is 0, the log odds are infinite: both have `added` there (0.5: Haldane 1956), or nan.
    """
    k, n = np.asarray(k, float), np.asarray(n, float)
    empty = (k == 0) | (k == n)
    successes, failures = (np.where(empty, count + added, count) for count in (k, n - k))
    return np.log(successes / failures), 1 / successes + 1 / failures
