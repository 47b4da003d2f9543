"""Tests of binary outcomes that are paired: several judges of the same responses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest, norm
from statsmodels.stats.contingency_tables import cochrans_q

from turingstats.stats.hypothesis.outcome import NAN


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
    one, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    n = len(one)
    b, c = int((one & ~other).sum()), int((~one & other).sum())
    if n == 0:
        return Discordance(0, 0, 0, NAN, NAN, NAN, NAN)
    p = float(binomtest(b, b + c).pvalue) if b + c else 1.0
    shares = (b + 1) / (n + 2), (c + 1) / (n + 2)
    center = shares[0] - shares[1]
    half = norm.isf((1 - level) / 2) * np.sqrt((sum(shares) - center**2) / (n + 2))
    low, high = max(center - half, -1.0), min(center + half, 1.0)
    return Discordance(n, b, c, (b - c) / n, float(low), float(high), p)
