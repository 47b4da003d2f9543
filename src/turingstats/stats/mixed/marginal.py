"""Probabilities predicted by a fit, averaged over rows and over the random effects."""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from turingstats.stats.intervals import compute_logit_interval
from turingstats.stats.mixed.fit import Fit
from turingstats.stats.mixed.formula import build_design
from turingstats.stats.mixed.syntax import find_formula_columns


def compute_random_sd(fitted: Fit) -> np.ndarray:
    """Compute the standard deviation of the sum of all random effects for each row.

    Correlated slopes enter with their row's values.
    """
    variance = np.zeros(len(fitted.data.table))
    for term, covariance in zip(fitted.data.random, fitted.random, strict=True):
        z, _ = build_design(fitted.data.table, " + ".join(term.effects))
        variance += np.einsum("ij,jk,ik->i", z, covariance, z)
    return np.sqrt(variance)


def average_probability(
    fitted: Fit,
    design: np.ndarray,
    sd: np.ndarray,
    weights: np.ndarray | None = None,
    level: float = 0.95,
) -> tuple[float, float, float, float, np.ndarray]:
    """Average the probability of the outcome over rows and over the random effects.

    Parameters
    ----------
    design : array, shape (rows, coefficients)
        Fixed effects of the rows to average over.
    sd : array, shape (rows,)
        Standard deviation of the sum of their random effects.
    weights : array, shape (rows,), optional
        Weight of each row.

    Returns
    -------
    value, se, low, high : float
    gradient : array, shape (coefficients,)
        Gradient of the probability with respect to the coefficients, to compute errors of differences.

    Notes
    -----
    The integral over the normal random effects uses 15 Gauss-Hermite nodes; errors follow from those of the
    coefficients by the delta method, with the variances of the random effects fixed at their estimates; the
    interval is symmetric on the logit scale.
    """
    x, w = np.polynomial.hermite_e.hermegauss(15)
    w = w / w.sum()
    weights = np.ones(len(design)) if weights is None else np.asarray(weights, float)
    share = weights / weights.sum()
    p = 1 / (1 + np.exp(-(design @ fitted.estimate)[:, None] - sd[:, None] * x))
    value = float(share @ (p @ w))
    gradient = (share * ((p * (1 - p)) @ w)) @ design
    se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
    low, high = map(float, compute_logit_interval(value, se, level, fitted.df))
    return value, se, low, high, gradient


def build_cell_designs(
    fitted: Fit, factors: Sequence[str]
) -> dict[tuple[str, ...], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Build the arguments of `average_probability` with factors set to each combination of levels.

    All other columns of the model stay as observed; rows with equal predictors occur once.
    """
    table = fitted.data.table
    sd = compute_random_sd(fitted) if fitted.data.random else np.zeros(len(table))
    names = [name for name in find_formula_columns("y ~ " + fitted.data.fixed) if name in table]
    distinct = table[names].assign(_sd=sd).groupby(names, sort=False)["_sd"]
    rows = distinct.agg(["mean", "size"]).reset_index()
    combinations = list(itertools.product(*(table[name].cat.categories for name in factors)))
    # One table of all combinations: to read a formula takes longer than to build a design.
    changed = rows.loc[np.tile(np.arange(len(rows)), len(combinations))]
    for name, levels in zip(factors, zip(*combinations, strict=True), strict=True):
        changed[name] = pd.Categorical(np.repeat(levels, len(rows)), table[name].cat.categories)
    design, every = build_design(changed, fitted.data.fixed)
    kept = design[:, [every.index(name) for name in fitted.names]]
    sd, sizes = rows["mean"].to_numpy(), rows["size"].to_numpy()
    parts = np.split(kept, len(combinations))
    return {levels: (part, sd, sizes) for levels, part in zip(combinations, parts, strict=True)}
