"""Tests and intervals from a fit: coefficients, contrasts, and nested models."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from scipy.stats import chi2, norm

from turingstats.stats.mixed.fitted import Fit

NAN = float("nan")


class Fitted(Protocol):
    """A fit, or what was stored of one."""

    @property
    def estimate(self) -> np.ndarray: ...

    @property
    def covariance(self) -> np.ndarray: ...


class Wald(NamedTuple):
    """A linear function of the coefficients, and its test against 0."""

    estimate: float
    se: float
    z: float
    p: float
    low: float
    high: float


def wald(estimate: float, se: float, level: float = 0.95) -> Wald:
    """Compute z, two-sided p and interval of an estimate from its standard error."""
    if not np.isfinite(se) or se <= 0:
        return Wald(float(estimate), NAN, NAN, NAN, NAN, NAN)
    z, half = estimate / se, norm.isf((1 - level) / 2) * se
    p = float(2 * norm.sf(abs(z)))
    return Wald(
        float(estimate), float(se), float(z), p, float(estimate - half), float(estimate + half)
    )


def describe_coefficients(fitted: Fit, level: float = 0.95) -> Sequence[Wald]:
    """Compute z, p and interval of every coefficient."""
    return [wald(b, s, level) for b, s in zip(fitted.estimate, fitted.se, strict=True)]


def assess_contrast(fitted: Fitted, weights: np.ndarray, level: float = 0.95) -> Wald:
    """Test a linear function of the coefficients against 0.

    Parameters
    ----------
    weights : array, shape (coefficients,)
    """
    weights = np.asarray(weights, float)
    variance = weights @ fitted.covariance @ weights
    return wald(weights @ fitted.estimate, np.sqrt(variance), level)


def assess_joint_contrast(fitted: Fitted, weights: np.ndarray) -> tuple[float, int, float]:
    """Test several linear functions of the coefficients jointly against 0.

    Returns
    -------
    chi2, df, p : float
        Wald's chi-square; df is the rank of `weights`.
    """
    weights = np.atleast_2d(np.asarray(weights, float))
    value = weights @ fitted.estimate
    inner = weights @ fitted.covariance @ weights.T
    df = int(np.linalg.matrix_rank(weights))
    statistic = float(value @ np.linalg.pinv(inner) @ value)
    return statistic, df, float(chi2.sf(statistic, df))


class LikelihoodRatio(NamedTuple):
    """Chi-square of a model against one nested in it."""

    chi2: float
    df: int
    p: float


def likelihood_ratio(full: Fit, reduced: Fit) -> LikelihoodRatio:
    """Compute the likelihood-ratio test of a model against one nested in it.

    Raises
    ------
    ValueError
        The models use different rows, or approximate the likelihood differently.
    """
    if (full.n, full.trials) != (reduced.n, reduced.trials):
        raise ValueError(f"{full.n} and {reduced.n} rows: the models use different data")
    if full.nodes != reduced.nodes:
        raise ValueError(f"{full.nodes} and {reduced.nodes} nodes: log-likelihoods do not compare")
    df = full.parameters - reduced.parameters
    if not (full.converged and reduced.converged) or df < 1:
        return LikelihoodRatio(NAN, df, NAN)
    # The optimum of the larger model is never lower, except within the optimizer's tolerance.
    statistic = max(2 * (full.loglik - reduced.loglik), 0.0)
    return LikelihoodRatio(statistic, df, float(chi2.sf(statistic, df)))


def compute_logit_interval(value: float, se: float, level: float) -> tuple[float, float]:
    """Compute the interval of a probability, symmetric on the logit scale."""
    if not 0 < value < 1 or not np.isfinite(se):
        return NAN, NAN
    half = norm.isf((1 - level) / 2) * se / (value * (1 - value))
    center = np.log(value / (1 - value))
    low, high = (float(1 / (1 + np.exp(-(center + side * half)))) for side in (-1, 1))
    return low, high
