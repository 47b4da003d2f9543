"""Wilcoxon tests like R's wilcox.test: exact for few values without ties."""

import numpy as np
from scipy.stats import mannwhitneyu, rankdata, wilcoxon

from turingstats.stats.hypothesis.outcome import (
    NAN,
    TIE_DECIMALS,
    Outcome,
    cite_library,
    make_undefined_outcome,
)

EXACT_BELOW = 50
"""Samples smaller than this have an exact p, unless values tie."""


def rank_sum(first: np.ndarray, second: np.ndarray) -> Outcome:
    """Compute the Wilcoxon rank-sum test: W of R's wilcox.test, which is U of the first sample.

    Parameters
    ----------
    first, second : arrays
        Values without NaN.

    Returns
    -------
    Outcome
        Exact without ties and with fewer than 50 values, otherwise the normal approximation with continuity
        correction, as in R. The effect is the share of pairs in which the first sample's value is larger.
    """
    names = ("W", "P(first > second)")
    n1, n2 = len(first), len(second)
    if min(n1, n2) == 0:
        return make_undefined_outcome("not computed: a group is empty", *names, n1, n2)
    ties = len(np.unique([*first, *second])) < n1 + n2
    method = "asymptotic" if ties or max(n1, n2) >= EXACT_BELOW else "exact"
    result = mannwhitneyu(first, second, method=method, use_continuity=True)
    w, effect = float(result.statistic), float(result.statistic / (n1 * n2))
    how = cite_library("scipy", f"mannwhitneyu(method={method!r}, two-sided)")
    return Outcome(
        names[0], w, "", float(result.pvalue), names[1], effect, NAN, NAN, n1, n2, "", how
    )


def signed_rank(differences: np.ndarray) -> Outcome:
    """Compute the Wilcoxon signed-rank test: V of R's wilcox.test(paired = TRUE).

    Parameters
    ----------
    differences : array
        Values without NaN.

    Returns
    -------
    Outcome
        The statistic is the sum of positive ranks; p is exact without ties and zeros, otherwise from the
        normal approximation with continuity correction. The effect is the rank-biserial correlation.
    """
    names = ("V", "rank-biserial correlation")
    differences = np.round(differences, TIE_DECIMALS)
    kept = differences[differences != 0]
    n = len(differences)
    if len(kept) == 0:
        return make_undefined_outcome("not computed: no difference", *names, n)
    exact = len(kept) == n == len(np.unique(np.abs(kept))) and len(kept) < EXACT_BELOW
    method = "exact" if exact else "asymptotic"
    ranks = rankdata(np.abs(kept))
    positive = float(ranks[kept > 0].sum())
    p = float(wilcoxon(kept, method=method, correction=True).pvalue)
    effect = 2 * positive / float(ranks.sum()) - 1
    how = cite_library("scipy", f"wilcoxon(method={method!r}, two-sided)")
    return Outcome(names[0], positive, "", p, names[1], effect, NAN, NAN, n, NAN, "", how)
