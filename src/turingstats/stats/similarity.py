"""Representational similarity: alignments and reliabilities of rating vectors.

A system (a group of people, a model, an embedding) is a vector over pairs of items: its ratings in the
order of the upper triangle of the item matrix. The *alignment* of two systems is the rank correlation of
their vectors. A missing entry is NaN. Similarities and dissimilarities have reversed ranks, so alignments
do not depend on which of them is given.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform
from scipy.special import fdtri, stdtr

# Random relabelings held in memory at once.
BATCH = 100


def index_pairs(n_items: int) -> tuple[np.ndarray, np.ndarray]:
    """Return row and column of every entry of the upper triangle, in the order of all vectors here."""
    return np.triu_indices(n_items, 1)


def spearman(one: ArrayLike, other: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Compute Spearman's rank correlations between the rows of two tables, over common pairs.

    Parameters
    ----------
    one : array, shape (a, pairs)
    other : array, shape (b, pairs), optional
        By default `one`.

    Returns
    -------
    rho : array, shape (a, b)
        NaN if fewer than three pairs are common, or if one of the rows is constant on them.
    n : array of int, shape (a, b)
        Number of common pairs.

    Notes
    -----
    Ties share their mean rank, as in R's ``cor(method = "spearman", use = "pairwise.complete.obs")``.
    """
    rows = vectors = np.atleast_2d(np.asarray(one, dtype=float))
    if other is not None:
        vectors = np.vstack([rows, other])
    # As floats, which are multiplied far faster than integers.
    has = (~np.isnan(vectors)).astype(float)
    if has.all() and vectors.shape[1] >= 3:
        # The same, in a tenth of the time, where ranks do not depend on the pair of rows.
        with np.errstate(invalid="ignore"):
            rho = np.atleast_2d(np.corrcoef(center_ranks(vectors)))
    else:
        rho = pd.DataFrame(vectors.T).corr("spearman", min_periods=3).to_numpy()
    at = np.s_[: len(rows), 0 if other is None else len(rows) :]
    return rho[at], (has @ has.T)[at].astype(int)


def center_ranks(vectors: np.ndarray) -> np.ndarray:
    """Compute the ranks within each row (ties share their mean), minus their mean; NaN stays NaN."""
    ranks = pd.DataFrame(vectors).rank(axis=1)
    return ranks.sub(ranks.mean(axis=1), axis=0).to_numpy()


def compute_rho_p(rho: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Compute the two-sided p of a rank correlation from Student's t with n - 2 degrees of freedom.

    This is R's ``cor.test(method = "spearman", exact = FALSE)``. It assumes that pairs are independent,
    which the entries of one matrix are not, because each item occurs in many of them.
    """
    rho, n = np.asarray(rho, dtype=float), np.asarray(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.abs(rho) * np.sqrt((n - 2) / ((1 - rho) * (1 + rho)))
    return np.where(np.isnan(rho), np.nan, 2 * stdtr(np.maximum(n - 2, 1), -statistic))


def flatten_ranks(vectors: np.ndarray, where: np.ndarray | None = None) -> np.ndarray:
    """Return ranks, scaled to length 1, as flat symmetric matrices by system, with 0 for missing ratings.

    `where` limits the ranking to some pairs; the others are 0 and add nothing to a product.
    """
    ranks = np.nan_to_num(center_ranks(np.where(True if where is None else where, vectors, np.nan)))
    # A row without variation has no correlations.
    length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    scaled = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    return np.array([squareform(vector).ravel() for vector in scaled], dtype=np.float32)


def mantel(
    vectors: np.ndarray,
    n_items: int,
    n_resamples: int,
    rng: np.random.Generator,
    categories: np.ndarray | None = None,
    where: np.ndarray | None = None,
    reference: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Test the alignment of systems by permuting items (Mantel 1967, Cancer Research 27: 209-220).

    Parameters
    ----------
    vectors : array, shape (systems, pairs)
    categories : array of int, shape (n_items,), optional
        Relabel items only within these. Needed with `where`, so that pairs within a category remain so.
    where : array of bool, shape (pairs,), optional
        Pairs to test, such as those within categories.
    reference : int, optional
        Test every system against only this one; by default all against all.

    Returns
    -------
    p, p_adjusted : array, shape (systems, systems) or (systems,)
        (b + 1) / (n_resamples + 1), with b the number of relabelings whose correlation is at least as
        far from 0: that of the pair itself for `p`, the largest of all pairs for `p_adjusted` (Westfall &
        Young 1993, section 2.3). NaN on the diagonal.

    Notes
    -----
    Rows and columns of a matrix are relabeled together, because its entries are not independent. Missing
    pairs of a system get its mean rank.
    """
    flat = flatten_ranks(vectors, where)
    at = np.ravel_multi_index(index_pairs(n_items), (n_items, n_items))
    itself = np.diag_indices(len(flat)) if reference is None else (reference,)
    observed = (flat[:, at] @ flat[:, at].T)[slice(None) if reference is None else reference]
    # Equal correlations may differ by rounding; these are sums of single-precision products.
    size = np.abs(observed) - 1e-6
    exceeded, largest = np.zeros((2, *size.shape), dtype=int)
    for start in range(0, n_resamples, BATCH):
        draws = min(BATCH, n_resamples - start)
        drawn = correlate_relabeled(flat, n_items, draws, rng, categories, reference)
        exceeded += (drawn >= size).sum(axis=0)
        drawn[:, *itself] = 0
        most = drawn.reshape(draws, -1).max(axis=1)
        largest += (most.reshape(-1, *[1] * size.ndim) >= size).sum(axis=0)
    p, adjusted = ((count + 1) / (n_resamples + 1) for count in (exceeded, largest))
    p[itself] = adjusted[itself] = np.nan
    return p, adjusted


def correlate_relabeled(
    flat: np.ndarray,
    n_items: int,
    draws: int,
    rng: np.random.Generator,
    categories: np.ndarray | None,
    reference: int | None,
) -> np.ndarray:
    """Correlate systems whose items are relabeled, without signs; shape (draws, systems) with a reference,
    which alone is then relabeled, or (draws, systems, systems).

    In a draw, system k takes the k-th of a run of orders: all systems have different orders, and each order
    is looked up once.
    """
    rows, columns = index_pairs(n_items)
    needed = draws + (len(flat) - 1 if reference is None else 0)
    orders = permute_items(needed, n_items, categories, rng)
    places = orders[:, rows] * n_items + orders[:, columns]
    if reference is not None:
        return np.abs(flat[reference][places] @ flat[:, rows * n_items + columns].T)
    moved = np.empty((draws, len(flat), len(rows)), dtype=np.float32)
    for k, system in enumerate(flat):
        moved[:, k] = system[places[k : k + draws]]
    return np.abs(moved @ moved.transpose(0, 2, 1))


def permute_items(
    draws: int, n_items: int, categories: np.ndarray | None, rng: np.random.Generator
) -> np.ndarray:
    """Draw random orders of the items, within categories if given."""
    orders = np.tile(np.arange(n_items), (draws, 1))
    for category in np.unique(categories) if categories is not None else [None]:
        items = slice(None) if category is None else np.flatnonzero(categories == category)
        orders[:, items] = rng.permuted(orders[:, items], axis=1)
    return orders


def jackknife(estimates: ArrayLike) -> np.ndarray:
    """Compute jackknife standard errors from leave-one-out estimates, shape (units, ...).

    sqrt((n - 1) / n * sum of squared deviations from their mean); Efron & Tibshirani (1993, 11.5).
    """
    estimates = np.asarray(estimates, dtype=float)
    return np.sqrt((len(estimates) - 1) * estimates.var(axis=0))


def icc_agreement(ratings: np.ndarray, level: float = 0.95) -> tuple[float, float, float, int]:
    """Compute the intraclass correlation: two-way, absolute agreement, single rater.

    Parameters
    ----------
    ratings : array, shape (pairs, raters)
        Pairs that any rater lacks are left out.

    Returns
    -------
    icc, ci_low, ci_high : float
        NaN with fewer than two raters or pairs, or without variation.
    n : int
        Pairs that all raters rated.

    Notes
    -----
    ICC(A,1) of McGraw & Wong (1996), Psychological Methods 1: 30-46 (tables 4 and 7), with Satterthwaite's
    approximation given there; ICC2 of psych and pingouin (which rounds the interval to two decimals).
    """
    ratings = np.asarray(ratings, dtype=float)
    ratings = ratings[~np.isnan(ratings).any(axis=1)]
    n, k = ratings.shape
    if n < 2 or k < 2:
        return np.nan, np.nan, np.nan, n
    of_pairs, of_raters = ratings.mean(axis=1), ratings.mean(axis=0)
    ms_pairs, ms_raters = k * of_pairs.var(ddof=1), n * of_raters.var(ddof=1)
    residual = ratings - of_pairs[:, None] - of_raters + ratings.mean()
    ms_error = (residual**2).sum() / ((n - 1) * (k - 1))
    below = ms_pairs + (k - 1) * ms_error + k * (ms_raters - ms_error) / n
    if below <= 0:
        return np.nan, np.nan, np.nan, n
    icc = (ms_pairs - ms_error) / below
    if ms_error <= 0 or icc >= 1:
        return icc, np.nan, np.nan, n
    a = k * icc / (n * (1 - icc))
    b = 1 + a * (n - 1)
    df = (a * ms_raters + b * ms_error) ** 2 / (
        (a * ms_raters) ** 2 / (k - 1) + (b * ms_error) ** 2 / ((n - 1) * (k - 1))
    )
    tail = (1 + level) / 2
    lower, upper = fdtri(n - 1, df, tail), fdtri(df, n - 1, tail)
    common = k * ms_raters + (k * n - k - n) * ms_error
    low = n * (ms_pairs - lower * ms_error) / (lower * common + n * ms_pairs)
    high = n * (upper * ms_pairs - ms_error) / (common + n * upper * ms_pairs)
    return icc, low, high, n


def noise_ceiling(raters: np.ndarray) -> tuple[float, float]:
    """Compute bounds of the mean alignment that any system can have with single raters.

    Parameters
    ----------
    raters : array, shape (raters, pairs)

    Returns
    -------
    lower, upper : float
        Mean rank correlation of each rater with the mean ranks of the others (lower) and of all
        (upper). NaN with fewer than two raters.

    Notes
    -----
    Nili et al. (2014), PLoS Computational Biology 10: e1003553, as in rsatoolbox. Ranks, not ratings,
    are averaged: the mean of the ranks correlates best with all raters.
    """
    raters = np.asarray(raters, dtype=float)
    if len(raters) < 2:
        return np.nan, np.nan
    ranks = center_ranks(raters)
    upper = spearman(raters, average_raters(ranks))[0].mean()
    lower = np.mean(
        [
            spearman(rater, others)[0]
            for rater, others in zip(raters, average_other_raters(ranks), strict=True)
        ]
    )
    return float(lower), float(upper)


def average_raters(raters: np.ndarray) -> np.ndarray:
    """Average the raters of each pair; NaN if no one rated it."""
    return pd.DataFrame(raters).mean().to_numpy()


def average_other_raters(raters: np.ndarray) -> np.ndarray:
    """Average the raters of each pair without one of them, who has the row; NaN if no other one rated it."""
    rated = ~np.isnan(raters)
    others = rated.sum(axis=0) - rated
    sums = np.nansum(raters, axis=0) - np.nan_to_num(raters)
    return np.divide(sums, others, out=np.full(raters.shape, np.nan), where=others > 0)
