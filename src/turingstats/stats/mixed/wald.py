"""Wald tests and intervals of coefficients and contrasts of a fit."""

from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import fdtrc, stdtr, stdtrit

NAN = float("nan")


class Fitted(Protocol):
    """A fit, or what was stored of one."""

    @property
    def estimate(self) -> np.ndarray: ...

    @property
    def covariance(self) -> np.ndarray: ...

    @property
    def df(self) -> float: ...


class Wald(NamedTuple):
    """A linear function of the coefficients, and its test against 0."""

    estimate: float
    se: float
    z: float
    p: float
    low: float
    high: float


def wald(estimate: float, se: float, level: float, df: float = np.inf) -> Wald:
    """Compute z, two-sided p and interval of an estimate from its standard error.

    p and interval are of Student's t with `df` degrees of freedom, infinite for the normal distribution.
    """
    if not np.isfinite(se) or se <= 0:
        return Wald(float(estimate), NAN, NAN, NAN, NAN, NAN)
    z, half = estimate / se, -stdtrit(df, (1 - level) / 2) * se
    p = float(2 * stdtr(df, -abs(z)))
    return Wald(
        float(estimate), float(se), float(z), p, float(estimate - half), float(estimate + half)
    )


def list_wald_columns(result: Wald) -> dict[str, float]:
    """List the columns of a test of log odds, with the odds ratio, in tables of results."""
    with np.errstate(over="ignore"):  # with separation, bounds may overflow
        odds = np.exp([result.estimate, result.low, result.high])
    names = ("estimate", "se", "z", "p", "ci_low", "ci_high")
    return dict(zip(names, result, strict=True)) | dict(
        zip(("odds_ratio", "or_low", "or_high"), odds.tolist(), strict=True)
    )


def assess_contrast(fitted: Fitted, weights: np.ndarray, level: float = 0.95) -> Wald:
    """Test a linear function of the coefficients, shape (coefficients,), against 0."""
    weights = np.asarray(weights, float)
    variance = weights @ fitted.covariance @ weights
    return wald(weights @ fitted.estimate, np.sqrt(variance), level, fitted.df)


def assess_joint_contrast(fitted: Fitted, weights: np.ndarray) -> tuple[float, int, float]:
    """Test several linear functions of the coefficients jointly against 0: Wald's chi-square, its df, and p.

    p is that of F, the chi-square over its df, with the degrees of freedom of the fit.
    """
    weights = np.atleast_2d(np.asarray(weights, float))
    value = weights @ fitted.estimate
    inner = weights @ fitted.covariance @ weights.T
    df = int(np.linalg.matrix_rank(weights))
    statistic = float(value @ np.linalg.pinv(inner) @ value)
    # Infinitely many degrees of freedom are those of chi-square.
    return statistic, df, float(fdtrc(df, min(fitted.df, 1e9), statistic / df))
