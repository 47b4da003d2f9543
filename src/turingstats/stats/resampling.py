"""Resampling of whole judges: bootstrap, label permutation and the published half-sample error.

All functions use integer counts, one row per judge. The verdicts of one judge are not independent, so
resampling single trials would underestimate the error.
"""

import itertools
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv

CACHED = 1 << 15
"""Numbers that are drawn at once: few enough to stay in the processor's cache, which is ten times faster."""

MIN_BATCH = 1000
"""Draws whose statistics are computed at once, at least."""

Measure = Callable[..., Any]


def make_generator(seed: int, analysis_id: str) -> np.random.Generator:
    """Make the random generator of one analysis, independent of all other analyses.

    Parameters
    ----------
    analysis_id : str
        Name of the analysis; the same seed and name always give the same stream.

    Returns
    -------
    numpy.random.Generator
        PCG64 generator seeded by ``SeedSequence([seed, crc32(analysis_id)])``.
    """
    # Python's own hash() of a string changes from process to process; crc32 does not.
    name = zlib.crc32(analysis_id.encode("utf-8"))
    return np.random.default_rng(np.random.SeedSequence([seed, name]))


def bootstrap_totals(counts: ArrayLike, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Compute column totals of judges drawn with replacement.

    Parameters
    ----------
    counts : array of int, shape (judges, columns)
        Counts of each judge, such as trials and correct verdicts per agent.

    Returns
    -------
    array of float, shape (n_resamples, columns)
        Row ``i`` is the sum of the rows of ``counts`` drawn in sample ``i``: whole numbers.

    Notes
    -----
    Cluster bootstrap with the judge as the cluster (Davison & Hinkley 1997, section 3.8). A sample
    is stored as the number of times each judge was drawn, which gives the same totals as copying
    rows at a fraction of the cost.
    """
    # Products of floats are fast, and exact below 2**53.
    table = np.asarray(counts, float)
    judges = len(table)
    # Stored column by column, because rates and intervals are taken along the resamples.
    totals = np.empty((table.shape[1], n_resamples))
    chunk = max(CACHED // judges, 1)
    for start in range(0, n_resamples, chunk):
        size = min(chunk, n_resamples - start)
        draws = rng.integers(0, judges, size=(size, judges))
        # One bincount for all samples: sample i uses the bins i * judges ... (i + 1) * judges - 1.
        draws += judges * np.arange(size)[:, None]
        weights = np.bincount(draws.ravel(), minlength=size * judges).reshape(size, judges)
        totals[:, start : start + size] = table.T @ weights.T.astype(float)
    return totals.T


def summarize_draws(values: ArrayLike, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the standard error and percentile interval of resampled values.

    Parameters
    ----------
    values : array, shape (..., n_resamples)
        A quantity in each bootstrap sample; NaN where it is undefined.

    Returns
    -------
    se, low, high : arrays, shape (...)
        Standard deviation (divisor n - 1) and percentiles of the defined values; NaN if fewer than half
        of the values are defined or all are identical: a rate of 0 or 1 is the same in every sample of the
        same verdicts, but that does not make it certain.
    """
    values = np.asarray(values, dtype=float)
    rows = values.reshape(-1, values.shape[-1])
    tail = 100 * (1 - level) / 2
    result = np.full((3, len(rows)), np.nan)
    # One NaN makes a sum NaN: a fast way to find the rows where every value is defined.
    whole = np.isfinite(rows.sum(axis=1))
    if whole.any():
        result[0, whole] = rows[whole].std(axis=1, ddof=1)
        result[1:, whole] = np.percentile(rows[whole], [tail, 100 - tail], axis=1)
    for row in np.flatnonzero(~whole):
        defined = rows[row][np.isfinite(rows[row])]
        if len(defined) >= rows.shape[1] / 2:
            result[:, row] = defined.std(ddof=1), *np.percentile(defined, [tail, 100 - tail])
    # Also if nearly all samples are identical: an interval of zero width is not reported.
    result[:, result[1] == result[2]] = np.nan
    se, low, high = result.reshape(3, *values.shape[:-1])
    return se, low, high


def permutation_test(
    counts: ArrayLike,
    labels: ArrayLike,
    rate: Measure,
    n_resamples: int,
    rng: np.random.Generator,
    derivatives: Measure | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Test whether a rate differs between groups of judges, by permuting the judges' labels.

    Parameters
    ----------
    counts : array of int, shape (judges, columns) or (judges, columns, k)
        Counts of each judge; for k rates that share the same permutations, the counts that each depends on.
    labels : array, shape (judges,)
        Group of each judge; groups are taken in sorted order.
    rate, derivatives : callable
        See `GroupSums`.

    Returns
    -------
    statistic : array of shape () or (k,)
        See `GroupSums.compare`. NaN if the rate of a group is undefined.
    p : array of shape () or (k,)
        ``(b + 1) / (n_resamples + 1)``, with ``b`` the number of permutations whose statistic is at least as
        far from 0 as the observed one, or undefined; never 0 (Phipson & Smyth 2010). NaN if the statistic is.
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    sums = GroupSums(counts, np.bincount(codes), rate, derivatives)
    observed = sums.compare(sums.add_up(codes[None]))[..., 0]
    # Equal up to rounding; for plain statistics, the tolerance is that of scipy's permutation_test.
    tolerance = 100 * np.finfo(float).eps if derivatives is None else 1e-9
    closest = np.abs(observed) - tolerance * np.maximum(1.0, np.abs(observed))
    below = np.zeros(np.shape(observed), dtype=int)
    chunk = max(CACHED // len(codes), 1)
    totals: list[np.ndarray] = []
    for start in range(0, n_resamples, chunk):
        shuffled = np.repeat(codes[None], min(chunk, n_resamples - start), axis=0)
        rng.permuted(shuffled, axis=-1, out=shuffled)
        totals.append(sums.add_up(shuffled))
        # Of few draws, the statistic would take as long as of many.
        if chunk * len(totals) >= MIN_BATCH or start + chunk >= n_resamples:
            statistic = np.abs(sums.compare(np.concatenate(totals, axis=-1)))
            below += np.sum(statistic < closest[..., None], axis=-1)
            totals = []
    p = np.where(np.isfinite(observed), (n_resamples - below + 1) / (n_resamples + 1), np.nan)
    return observed, p


class GroupSums:
    """Sums of judges' counts by group, and the difference of rates between groups.

    Parameters
    ----------
    counts : array, shape (judges, columns, ...)
        Counts of each judge.
    sizes : array, shape (groups,)
        Judges of each group.
    rate : callable
        Maps the totals of each column, arrays of shape ``(..., groups, permutations)``, to rates.
    derivatives : callable, optional
        Maps the same to the derivatives of the rates by each column.
    """

    def __init__(
        self, counts: ArrayLike, sizes: np.ndarray, rate: Measure, derivatives: Measure | None
    ) -> None:
        self.sizes, self.rate, self.derivatives = sizes, rate, derivatives
        # Permutations come last everywhere: long rows are fast.
        columns = np.moveaxis(np.asarray(counts, float), 0, -1)
        # The variances of rates follow from products of the counts.
        number = 0 if derivatives is None else len(columns)
        self.pairs = list(itertools.combinations_with_replacement(range(number), 2))
        self.summed = np.stack([*columns, *(columns[i] * columns[j] for i, j in self.pairs)])

    def add_up(self, assignments: np.ndarray) -> np.ndarray:
        """Add up judges by group in each permutation; shape (sums, ..., groups, permutations)."""
        table = self.summed.reshape(-1, self.summed.shape[-1])
        totals = np.empty((len(table), len(self.sizes), len(assignments)))
        for g in range(len(self.sizes) - 1):
            totals[:, g] = table @ (assignments == g).T.astype(float)
        totals[:, -1] = table.sum(axis=1)[:, None] - totals[:, :-1].sum(axis=1)
        return totals.reshape(*self.summed.shape[:-1], *totals.shape[1:])

    def compare(self, totals: np.ndarray) -> np.ndarray:
        """Compare the groups of each permutation: `measure_group_difference`, or, with derivatives,
        `studentize_difference`.
        """
        counts, products = np.split(totals, [len(totals) - len(self.pairs)])
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = np.asarray(self.rate(*counts), dtype=float)
            if self.derivatives is None:
                return measure_group_difference(rates, self.sizes)
            slopes = self.derivatives(*counts)
        # Those of two different columns occur twice.
        variances = sum(
            slopes[i] * slopes[j] * product * (1 if i == j else 2)
            for (i, j), product in zip(self.pairs, products, strict=True)
        )
        spare = np.where(self.sizes > 1, self.sizes / np.maximum(self.sizes - 1, 1), 1.0)
        return studentize_difference(rates, spare[:, None] * variances)


def is_undecided(far: ArrayLike, draws: int, bounds: ArrayLike, level: float = 0.999) -> bool:
    """Tell whether the Clopper-Pearson interval of some p holds one of the bounds.

    Parameters
    ----------
    far : array
        Draws, out of ``draws``, that are at least as far from 0 as the observed statistic; NaN without one.
    bounds : array, shape (k,)
        Values of p at which a decision changes.
    """
    far = np.atleast_1d(np.asarray(far, float))
    far, tail = far[np.isfinite(far)][:, None], (1 - level) / 2
    low = np.where(far > 0, betaincinv(np.maximum(far, 1), draws - far + 1, tail), 0)
    high = np.where(far < draws, betainccinv(far + 1, np.maximum(draws - far, 1), tail), 1)
    return bool(((low < bounds) & (np.asarray(bounds) < high)).any())


def measure_group_difference(rates: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute the difference between the rates of groups, shape (..., groups, draws).

    Two groups: first rate minus second; more groups: variance of the rates, weighted by size.
    """
    if len(sizes) == 2:
        return rates[..., 0, :] - rates[..., 1, :]
    mean = np.average(rates, weights=sizes, axis=-2)
    return np.average((rates - mean[..., None, :]) ** 2, weights=sizes, axis=-2)


def studentize_difference(rates: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """Compute the statistic of a permutation test for groups with different errors.

    `rates` and `variances` over judges have shape (..., groups, permutations). Two groups: their difference
    divided by its standard error; more groups: sum of squared distances from the mean, with rates weighted by
    their inverse variances, as in a Welch test.

    Labels are exchangeable only if groups agree in trials per judge and in variance between judges. Otherwise
    the plain difference rejects too often if the smaller group has the larger errors, and too rarely if it
    has the smaller ones; the studentized one keeps its level in large groups with any errors, and exactly if
    labels are exchangeable (Chung & Romano 2013, Annals of Statistics 41, 484-507; for more groups Pauly,
    Brunner & Konietschke 2015, J. R. Stat. Soc. B 77, 461-473).
    """
    # Avoid division by 0 if all judges are identical.
    variances = np.maximum(variances, 0) + 1e-12
    if rates.shape[-2] == 2:
        return (rates[..., 0, :] - rates[..., 1, :]) / np.sqrt(variances.sum(axis=-2))
    weights = 1 / variances
    mean = (weights * rates).sum(axis=-2) / weights.sum(axis=-2)
    return (weights * (rates - mean[..., None, :]) ** 2).sum(axis=-2)


def convert_to_effect(statistic: np.ndarray, observed: np.ndarray, groups: int) -> np.ndarray:
    """Convert resampled statistics of `measure_group_difference` to the scale of the reported effect.

    Differences of two groups stay. Of variances, the square root after subtracting their mean excess over the
    observed one (at least 0): resampled groups differ more than the groups themselves.
    """
    if groups == 2:
        return statistic
    excess = np.nanmean(statistic, axis=-1) - observed
    return np.sqrt(np.maximum(statistic - excess[..., None], 0))


def half_sample_sd(
    human_right: int, human_n: int, agent_right: int, agent_n: int, rng: np.random.Generator
) -> float:
    """Compute the published error of a detectability: spread of means of random half samples.

    With ``n = min(human_n, agent_n)``: ``n`` times, ``ceil(n / 2)`` verdicts on people's and on an agent's
    responses are drawn without replacement and all drawn values (1 if correct, else 0) averaged; the standard
    deviation (divisor ``n``) of these averages. NaN if there are no trials of one kind. This is not a
    bootstrap standard error: it draws half of the smaller vector, without replacement, ignores that trials
    belong to judges, and its number of repetitions depends on ``n``.
    """
    n = min(human_n, agent_n)
    if n == 0:
        return float("nan")
    half = -(-n // 2)
    # The number of ones among values drawn without replacement from a 0/1 vector is
    # hypergeometric, so one random number replaces a shuffle of the whole vector.
    ones = sum(
        rng.hypergeometric(right, total - right, half, size=n)
        for right, total in ((human_right, human_n), (agent_right, agent_n))
    )
    return float(np.std(ones / (2 * half)))


def permute_trials(
    right: ArrayLike, n: ArrayLike, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw right verdicts of groups, labels permuted over single trials; shape (groups, n_resamples).

    Each group keeps its number of trials; the number of right ones is hypergeometric, given those of the
    preceding groups.
    """
    right, n = np.asarray(right), np.asarray(n)
    drawn = np.empty((len(n), n_resamples), dtype=np.int64)
    remaining_right = np.full(n_resamples, right.sum())
    remaining = n.sum()
    for group, size in enumerate(n):
        drawn[group] = rng.hypergeometric(remaining_right, remaining - remaining_right, size)
        remaining_right = remaining_right - drawn[group]
        remaining = remaining - size
    return drawn
