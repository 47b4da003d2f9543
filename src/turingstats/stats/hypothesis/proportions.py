"""Tests of proportions: of independent trials, and of paired ones (several judges of the same responses)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

from turingstats.stats import effects
from turingstats.stats.hypothesis import outcome
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome


class Omnibus(NamedTuple):
    """A chi-square test."""

    statistic: float
    df: int
    p: float


class Discordance(NamedTuple):
    """Two paired binary outcomes compared."""

    n: int  # pairs
    # Pairs in which only the first, or only the second, outcome is 1.
    only_first: int
    only_second: int
    # Share of the first minus share of the second, and its interval.
    difference: float
    ci_low: float
    ci_high: float
    p: float


def two_proportions(k1: int, n1: int, k2: int, n2: int, level: float = 0.95) -> Outcome:
    """Compute the two-sided z test of two independent proportions, from successes and trials.

    z has the pooled variance; the effect is the risk difference ``k1 / n1 - k2 / n2`` with Newcombe's
    interval (Newcombe 1998, method 10).
    """
    method = outcome.cite_library(
        "statsmodels",
        'proportions_ztest(value=0, alternative="two-sided"), pooled variance (R\'s prop.test with '
        'correct=FALSE has its square); confint_proportions_2indep(method="newcomb")',
    )
    blank = make_undefined_outcome("", "z", "risk difference", n1, n2, method)
    if n1 == 0 or n2 == 0:
        return blank.refuse("not computed: a group has no trial")
    low, high = confint_proportions_2indep(
        k1, n1, k2, n2, compare="diff", method="newcomb", alpha=1 - level
    )
    effect = k1 / n1 - k2 / n2, low, high
    if k1 + k2 in (0, n1 + n2):
        # Without variation z is 0/0, but the difference and its interval remain meaningful.
        dropped = "z not computed: all trials have the same outcome"
        return blank.report(NAN, NAN, effect, dropped=dropped)
    z, p = proportions_ztest([k1, k2], [n1, n2])
    return blank.report(z, p, effect)


def chi_square(right: ArrayLike, n: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute the chi-square test of equal proportions, from successes and trials of each group.

    Groups without a trial are left out. Pearson's chi-square without continuity correction; the effect is the
    square of Cramer's V.
    """
    method = outcome.cite_library(
        "scipy", "stats.chi2_contingency(correction=False); interval from noncentral chi-square"
    )
    right, n = np.asarray(right), np.asarray(n)
    used = n > 0
    nouns = ("group without a trial", "groups without a trial")
    dropped = outcome.describe_missing(int((~used).sum()), *nouns)
    right, n = right[used], n[used]
    total = int(n.sum())
    blank = make_undefined_outcome(dropped, "chi2", "Cramer's V squared", total, NAN, method)
    refused = blank.refuse_if(
        (len(n) < 2, "fewer than 2 groups"),
        (right.sum() in (0, total), "all trials have the same outcome"),
    )
    if refused:
        return refused
    test = stats.chi2_contingency([right, n - right], correction=False)
    effect = effects.scale_chi2(float(test.statistic), test.dof, total, level)
    return blank.report(test.statistic, test.pvalue, effect, str(test.dof), n)


def binomial(
    right: int, n: int, null: float, alternative: str = "two-sided", level: float = 0.95
) -> Outcome:
    """Compute the exact binomial test of a proportion against a fixed value, `null`.

    The statistic is the number of successes; its two-sided p is the total probability of all outcomes that
    are not more likely. The effect is the risk difference ``right / n - null`` with the two-sided
    Clopper-Pearson interval. Trials are assumed to be independent; those of one judge are not, which makes p
    too small.
    """
    method = outcome.cite_library(
        "scipy",
        f'stats.binomtest(p={null:g}, alternative="{alternative}"), exact; proportion_ci("exact")',
    )
    blank = make_undefined_outcome("", "successes", "risk difference", n, NAN, method)
    if n == 0:
        return blank.refuse("not computed: no trial")
    test = stats.binomtest(int(right), int(n), null, alternative=alternative)
    low, high = stats.binomtest(int(right), int(n)).proportion_ci(level, method="exact")
    return blank.report(right, test.pvalue, (right / n - null, low - null, high - null))


def assess_cochran_q(outcomes: ArrayLike) -> Omnibus:
    """Test whether paired binary outcomes, shape (pairs, outcomes), are 1 equally often (Cochran 1950).

    nan if every row has the same outcome throughout.
    """
    table = np.asarray(outcomes, dtype=int)
    df = table.shape[1] - 1
    if len(table) == 0 or df < 1 or (table == table[:, :1]).all():
        return Omnibus(NAN, df, NAN)
    test = cochrans_q(table)
    return Omnibus(float(test.statistic), df, float(test.pvalue))


def compare_paired_outcomes(
    first: ArrayLike, second: ArrayLike, level: float = 0.95
) -> Discordance:
    """Compare two paired binary outcomes by McNemar's exact test, the sign test of discordant pairs.

    p is exact and two-sided, 1 without discordant pairs; the interval is that of Bonett and Price (2012),
    which adds a pair to each kind of discordance; all nan without pairs.
    """
    is_first, is_second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    n = len(is_first)
    b, c = int((is_first & ~is_second).sum()), int((~is_first & is_second).sum())
    if n == 0:
        return Discordance(0, 0, 0, NAN, NAN, NAN, NAN)
    p = float(stats.binomtest(b, b + c).pvalue) if b + c else 1.0
    shares = (b + 1) / (n + 2), (c + 1) / (n + 2)
    center = shares[0] - shares[1]
    half = stats.norm.isf((1 - level) / 2) * np.sqrt((sum(shares) - center**2) / (n + 2))
    low, high = max(center - half, -1.0), min(center + half, 1.0)
    return Discordance(n, b, c, (b - c) / n, float(low), float(high), p)
