"""Likelihood of answers on an ordered scale, such as verdicts or ratings, and its derivatives.

P(answer <= k) = F((threshold_k - eta) / scale), where F is the logistic or the normal distribution, eta is
the linear predictor, which has a constant, the first threshold is 0, and the scale is exp(zeta x): 1 unless a
column x that changes it is given. Two answers are a logit or probit model of the second one.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from scipy.linalg import block_diag
from scipy.special import log_expit, log_ndtr

Link = Literal["logit", "probit"]
LOG_CDF = {"logit": log_expit, "probit": log_ndtr}


class Limit(NamedTuple):
    """One limit of the intervals that answers stand for, of those that have it."""

    cells: np.ndarray | slice
    threshold: np.ndarray  # by cell
    at: np.ndarray  # on the scale of F, by cell
    # First three derivatives of the probability of the answer by this limit, divided by it, (3, cells).
    ratios: np.ndarray


class Likelihood(NamedTuple):
    """Log-likelihood of cells, and its derivatives by their linear predictors."""

    loglik: np.ndarray
    score: np.ndarray  # first derivative
    weight: np.ndarray  # minus the second
    change: np.ndarray  # derivative of the weight
    limits: tuple[Limit, ...]


class ExtraSlopes(NamedTuple):
    """Derivatives by the parameters that are neither coefficients nor theta, each (parameters, cells)."""

    loglik: np.ndarray
    score: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True)
class Answers:
    """The answers of cells: trials with equal answers and predictors, counted.

    Extra parameters are the logarithms of the distances of neighboring thresholds, and zeta.
    """

    codes: np.ndarray  # by cell, from 0
    trials: np.ndarray  # by cell
    scaled: np.ndarray  # columns that change the scale, shape (cells, columns)
    link: Link = "logit"

    @cached_property
    def middle(self) -> np.ndarray:
        """Cells with a lower and an upper limit."""
        return np.flatnonzero((self.codes > 0) & (self.codes < self.codes.max()))

    def differentiate(self, eta: np.ndarray, extra: np.ndarray) -> Likelihood:
        """Compute the log-likelihood and its derivatives by the linear predictor."""
        thresholds, zeta = unpack_extra(extra, self.scaled.shape[1])
        inverse = np.exp(-self.scaled @ zeta)
        # The probability is F(outer) - F(inner); where it is that of the mirrored interval, or there is no
        # upper limit, the sign is -1. So the digits are kept where both are near 1.
        sign = np.where(self.codes < len(thresholds), 1.0, -1.0)
        threshold = np.minimum(self.codes, len(thresholds) - 1)
        middle, between = self.middle, None
        if len(middle):
            low, high = (
                (thresholds[self.codes[middle] + up] - eta[middle]) * inverse[middle]
                for up in (-1, 0)
            )
            sign[middle] = np.where(low + high > 0, -1, 1)
            threshold[middle] -= sign[middle] < 0
            inner = np.where(sign[middle] < 0, -high, low)
            between = LOG_CDF[self.link](inner)
        outer = sign * (thresholds[threshold] - eta) * inverse
        log_cdf = log_chance = LOG_CDF[self.link](outer)
        # At steps too long, of data without a maximum, probabilities are 0.
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            if between is not None:
                log_chance = log_cdf.copy()
                log_chance[middle] += np.log(-np.expm1(np.minimum(between - log_cdf[middle], 0)))
            ratios = differentiate_cdf(outer, log_cdf, log_chance, self.link)
            ratios[::2] *= sign
            limits = [Limit(slice(None), threshold, sign * outer, ratios)]
            if between is not None:
                at, of_inner = sign[middle] * inner, self.codes[middle] - (sign[middle] > 0)
                second = -differentiate_cdf(inner, between, log_chance[middle], self.link)
                second[::2] *= sign[middle]
                limits.append(Limit(middle, of_inner, at, second))
                ratios = ratios.copy()
                ratios[:, middle] += second
            first, second, third = ratios
            square, weight = first**2, self.trials * inverse**2
            return Likelihood(
                self.trials * log_chance,
                -self.trials * inverse * first,
                weight * (square - second),
                weight * inverse * (third - 3 * first * second + 2 * square * first),
                tuple(limits),
            )

    def differentiate_extra(self, likelihood: Likelihood, extra: np.ndarray) -> ExtraSlopes:
        """Compute the derivatives by thresholds and scale, where the likelihood is known."""
        _, zeta = unpack_extra(extra, self.scaled.shape[1])
        inverse = np.exp(-self.scaled @ zeta)
        first, second, _ = self.add_limits(likelihood, [1.0, 1.0])
        slopes = []
        for k in range(len(extra)):
            column = k - len(extra) + len(zeta)
            # How fast the parameter moves each limit, and the inverse scale.
            if column < 0:
                moves = [
                    (limit.threshold == k + 1) * inverse[limit.cells] for limit in likelihood.limits
                ]
                stretch = np.zeros(len(inverse))
            else:
                x = self.scaled[:, column]
                moves = [-x[limit.cells] * limit.at for limit in likelihood.limits]
                stretch = -x * inverse
            total, by_first, by_second = self.add_limits(likelihood, moves)
            by_first, by_second = by_first - first * total, by_second - second * total
            score = -inverse * by_first - stretch * first
            weight = inverse**2 * (2 * first * by_first - by_second)
            weight = weight + 2 * inverse * stretch * (first**2 - second)
            slopes.append(self.trials * np.array([total, score, weight]))
        jacobian = differentiate_extra(extra, len(zeta))
        by_extra = np.einsum("kj,kdi->dji", jacobian, np.reshape(slopes, (-1, 3, len(inverse))))
        return ExtraSlopes(*by_extra)

    def add_limits(self, likelihood: Likelihood, moves: list) -> np.ndarray:
        """Add up the derivatives by both limits, which move at given speeds, shape (3, cells)."""
        total = np.zeros((3, len(self.codes)))
        for limit, move in zip(likelihood.limits, moves, strict=False):
            total[:, limit.cells] += move * limit.ratios
        return total


def differentiate_cdf(
    at: np.ndarray, log_cdf: np.ndarray, log_chance: np.ndarray, link: Link
) -> np.ndarray:
    """Compute the first three derivatives of F, divided by a probability, shape (3, points)."""
    if link == "logit":
        # The log of the density is log F(x) + log F(-x), and log F(-x) is log F(x) - x.
        density = np.exp(2 * log_cdf - at - log_chance)
        slope = 1 - 2 * np.exp(log_cdf)
        return np.array([density, density * slope, density * (3 * slope**2 - 1) / 2])
    density = np.exp(-(at**2) / 2 - log_chance) / np.sqrt(2 * np.pi)
    return np.array([density, -at * density, (at**2 - 1) * density])


def unpack_extra(extra: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute thresholds and zeta from the extra parameters."""
    distances, zeta = np.split(extra, [len(extra) - columns])
    return np.append(0, np.cumsum(np.exp(distances))), zeta


def differentiate_extra(extra: np.ndarray, columns: int) -> np.ndarray:
    """Compute the derivatives of thresholds after the first and zeta, in rows, by the extra parameters."""
    distances = extra[: len(extra) - columns]
    return block_diag(np.tri(len(distances)) * np.exp(distances), np.eye(columns))
