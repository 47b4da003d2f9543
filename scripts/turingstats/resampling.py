"""Resampling whole judges: bootstrap, label permutation and the published half-sample error.

Everything works on integer counts, one row a judge, because the verdicts of one judge are not
independent of each other: resampling single trials would understate the error.
"""

import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

# Permutations held in memory at once: 1,000 x 5,000 judges stays below 100 MB.
_CHUNK = 1000


def generator(seed: int, analysis_id: str) -> np.random.Generator:
    """Random generator of one analysis, independent of every other analysis.

    Parameters
    ----------
    seed : int
        Seed of the whole run, not negative.
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


def _count_table(counts: ArrayLike) -> np.ndarray:
    """Counts as floats, so that matrix products are fast (and exact below 2**53)."""
    table = np.asarray(counts)
    if table.ndim != 2 or len(table) == 0:
        raise ValueError(f"counts must be a (judges, columns) table, got shape {table.shape}")
    if not np.issubdtype(table.dtype, np.integer):
        raise ValueError(f"counts must be integers, got {table.dtype}")
    return table.astype(float)


def bootstrap_totals(
    counts: ArrayLike, n_resamples: int, rng: np.random.Generator, chunk: int = 1000
) -> np.ndarray:
    """Column totals of judges drawn with replacement.

    Parameters
    ----------
    counts : array of int, shape (judges, columns)
        Counts of each judge, for instance trials and correct verdicts per agent.
    n_resamples : int
        Number of bootstrap samples.
    rng : numpy.random.Generator
        Source of the draws.
    chunk : int
        Samples formed at once; it changes the memory used, never the result.

    Returns
    -------
    array of int, shape (n_resamples, columns)
        Row ``i`` is the sum of the rows of ``counts`` drawn in sample ``i``.

    Notes
    -----
    Cluster bootstrap with the judge as the cluster (Davison & Hinkley 1997, section 3.8). A sample
    is stored as the number of times each judge was drawn, which gives the same totals as copying
    rows at a fraction of the cost.
    """
    table = _count_table(counts)
    judges = len(table)
    totals = np.empty((n_resamples, table.shape[1]), dtype=np.int64)
    for start in range(0, n_resamples, chunk):
        size = min(chunk, n_resamples - start)
        draws = rng.integers(0, judges, size=(size, judges))
        # One bincount for all samples: sample i uses the bins i * judges ... (i + 1) * judges - 1.
        bins = draws + judges * np.arange(size)[:, None]
        weights = np.bincount(bins.ravel(), minlength=size * judges).reshape(size, judges)
        totals[start : start + size] = weights @ table
    return totals


def permutation_test(
    counts: ArrayLike,
    labels: ArrayLike,
    rate: Callable[[np.ndarray], np.ndarray],
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Test whether a rate differs between groups of judges, by permuting the judges' labels.

    Parameters
    ----------
    counts : array of int, shape (judges, columns)
        Counts of each judge.
    labels : array, shape (judges,)
        Group of each judge; groups are taken in sorted order.
    rate : callable
        Maps totals of shape ``(..., columns)`` to rates of shape ``(...)``.
    n_resamples : int
        Number of random permutations.
    rng : numpy.random.Generator
        Source of the permutations.

    Returns
    -------
    statistic : float
        Two groups: rate of the first group minus rate of the second. More groups: variance of the
        group rates, each weighted by its number of judges. NaN if the rate of a group is undefined.
    p : float
        ``(b + 1) / (n_resamples + 1)``, with ``b`` the number of permutations whose statistic is
        at least as far from 0 as the observed one; never 0 (Phipson & Smyth 2010). NaN if the
        statistic is.

    Notes
    -----
    A permutation that leaves the rate of a group undefined (no trial of the kind) counts as
    extreme, so p errs on the safe side.
    """
    table = _count_table(counts)
    groups, codes = np.unique(np.asarray(labels), return_inverse=True)
    if len(codes) != len(table):
        raise ValueError(f"{len(codes)} labels for {len(table)} judges")
    if len(groups) < 2:
        raise ValueError(f"a permutation test needs two groups of judges, got {list(groups)}")
    sizes = np.bincount(codes)

    def statistic(assignments: np.ndarray) -> np.ndarray:
        totals = np.stack(
            [(assignments == g).astype(float) @ table for g in range(len(groups))], axis=1
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = np.asarray(rate(totals), dtype=float)
        if len(groups) == 2:
            return rates[:, 0] - rates[:, 1]
        mean = np.average(rates, weights=sizes, axis=1)
        return np.average((rates - mean[:, None]) ** 2, weights=sizes, axis=1)

    observed = float(statistic(codes[None, :])[0])
    if not np.isfinite(observed):
        return float("nan"), float("nan")

    # Equal statistics may differ by rounding; the tolerance is that of scipy's permutation_test.
    tolerance = 100 * np.finfo(float).eps * max(1.0, abs(observed))
    below = 0
    for start in range(0, n_resamples, _CHUNK):
        size = min(_CHUNK, n_resamples - start)
        shuffled = np.tile(codes, (size, 1))
        rng.permuted(shuffled, axis=1, out=shuffled)
        below += int(np.sum(np.abs(statistic(shuffled)) < abs(observed) - tolerance))
    return observed, (n_resamples - below + 1) / (n_resamples + 1)


def half_sample_sd(human: ArrayLike, machine: ArrayLike, rng: np.random.Generator) -> float:
    """Published error of a detectability: spread of means over random half samples.

    Parameters
    ----------
    human, machine : arrays of 0 and 1
        Correctness of every verdict on human-made and on machine-made items.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    float
        With ``n = min(len(human), len(machine))``: ``n`` times, ``ceil(n / 2)`` values of each
        vector are drawn without replacement and all drawn values averaged; the standard deviation
        (divisor ``n``) of these averages. NaN if a vector is empty.

    Notes
    -----
    This is not a bootstrap standard error: it draws half of the smaller vector, without
    replacement, ignores that trials belong to judges, and its number of repetitions depends on
    ``n``.
    """
    vectors = [np.asarray(human), np.asarray(machine)]
    for vector in vectors:
        if not np.isin(vector, (0, 1)).all():
            raise ValueError("half_sample_sd needs vectors of 0 and 1")
    n = min(len(vector) for vector in vectors)
    if n == 0:
        return float("nan")
    half = -(-n // 2)
    # The number of ones among values drawn without replacement from a 0/1 vector is
    # hypergeometric, so one random number replaces a shuffle of the whole vector.
    ones = sum(
        rng.hypergeometric(int(vector.sum()), int(len(vector) - vector.sum()), half, size=n)
        for vector in vectors
    )
    return float(np.std(ones / (2 * half)))
