"""Cumulative-link mixed models: ratings, or verdicts, with random effects of judges and stimuli.

P(rating <= k) = F((threshold_k - eta) / scale), where F is the logistic or the normal distribution, eta holds
the fixed and random effects, and the scale is exp(zeta x): 1 unless a column x that changes it is given. Two
points and the normal distribution make a probit model, which is signal detection.

Maximum likelihood by the Laplace approximation, like R's ordinal::clmm (Christensen 2019) and lme4's glmer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, log_expit, log_ndtr

from turingstats.stats.mixed.cells import (
    MAX_SHARED,
    Cells,
    ExtraSlopes,
    Likelihood,
    RandomTerm,
    arrange_cells,
    choose_sides,
)
from turingstats.stats.mixed.fit import MAX_SPREAD, Component, list_components
from turingstats.stats.mixed.formula import NOT_FITTED
from turingstats.stats.mixed.laplace import evaluate_deviance
from turingstats.stats.mixed.maximum import (
    Deviance,
    drop_empty_effects,
    guess_theta,
    guess_theta_errors,
    invert_curvature,
    minimize_deviance,
)

Link = Literal["logit", "probit"]
LOG_CDF = {"logit": log_expit, "probit": log_ndtr}
LARGEST = 15.0
"""Coefficients beyond this are infinite: some group has ratings at one end of the scale only."""


class Effect(NamedTuple):
    """Random effects of one factor, such as judges: an intercept, and perhaps slopes."""

    group: str
    level: np.ndarray  # by trial, from 0
    names: tuple[str, ...] = ("(Intercept)",)
    slopes: np.ndarray | None = None  # by trial and slope


@dataclass(frozen=True)
class CumulativeFit:
    """A fitted cumulative-link mixed model."""

    coefficients: np.ndarray
    thresholds: np.ndarray  # between neighboring points that occur, where all predictors are 0
    log_scale: np.ndarray  # zeta, if a column changes the scale
    covariance: np.ndarray  # of coefficients, thresholds, and log scale; nan if not converged
    components: tuple[Component, ...]  # standard deviations and correlations
    loglik: float
    trials: int
    converged: bool
    notes: tuple[str, ...]

    @property
    def estimate(self) -> np.ndarray:
        """Coefficients, thresholds, and log scale."""
        return np.concatenate([self.coefficients, self.thresholds, self.log_scale])

    @property
    def se(self) -> np.ndarray:
        """Standard errors of `estimate`."""
        return np.sqrt(np.diag(self.covariance))


class Side(NamedTuple):
    """One limit of the interval that a rating stands for: ratios to the probability of the rating."""

    at: np.ndarray  # 0 where there is no limit
    density: np.ndarray
    slope: np.ndarray  # of the density
    curvature: np.ndarray  # of the density


def measure_sides(
    low: np.ndarray, high: np.ndarray, link: Link
) -> tuple[np.ndarray, tuple[Side, Side]]:
    """Compute the log probability between two limits, and what its derivatives by the limits need."""
    log_cdf = LOG_CDF[link]
    # The same interval mirrored keeps its digits where both probabilities are near 1.
    mirrored = low + high > 0
    outer, inner = np.where(mirrored, -low, high), np.where(mirrored, -high, low)
    log_outer, log_inner = log_cdf(outer), log_cdf(inner)
    # At steps too long, of data without a maximum, probabilities are 0.
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        log_chance = log_outer + np.log(-np.expm1(np.minimum(log_inner - log_outer, 0)))
        sides = [differentiate_density(at, log_chance, link) for at in (low, high)]
    return log_chance, (sides[0], sides[1])


def differentiate_density(at: np.ndarray, log_chance: np.ndarray, link: Link) -> Side:
    """Compute the density at one limit and its first two derivatives, divided by a probability."""
    finite = np.isfinite(at)
    x = np.where(finite, at, 0.0)
    if link == "logit":
        log_density = log_expit(x) + log_expit(-x)
        slope = 1 - 2 * expit(x)
        curvature = slope**2 - 2 * np.exp(log_density)
    else:
        log_density = -(x**2 + np.log(2 * np.pi)) / 2
        slope, curvature = -x, x**2 - 1
    density = np.where(finite, np.exp(log_density - log_chance), 0.0)
    return Side(x, density, density * slope, density * curvature)


@dataclass(frozen=True)
class RatedCells(Cells):
    """Trials with equal ratings and predictors, counted.

    Extra parameters are the first threshold, the logarithms of the distances of the next, and zeta.
    """

    codes: np.ndarray  # rating by cell, from 0
    scaled: np.ndarray  # columns that change the scale, shape (cells, columns)
    link: Link

    def place_limits(
        self, eta: np.ndarray, extra: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Place the limits of each cell's rating on the scale of F, and the inverse scale."""
        thresholds, zeta = unpack_extra(extra, self.scaled.shape[1])
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        inverse = np.exp(-self.scaled @ zeta)
        low, high = ((ends[self.codes + up] - eta) * inverse for up in (0, 1))
        return low, high, inverse

    def differentiate(self, eta: np.ndarray, extra: np.ndarray) -> Likelihood:
        """Compute the log-likelihood and its derivatives by the linear predictor."""
        low, high, inverse = self.place_limits(eta, extra)
        log_chance, (below, above) = measure_sides(low, high, self.link)
        # Derivatives of the probability, divided by it, as both limits move up.
        first, second, third = np.subtract(above[1:], below[1:])
        square = first**2
        score = -self.trials * inverse
        weight = self.trials * inverse**2
        return Likelihood(
            float(self.trials @ log_chance),
            np.exp(log_chance),
            score * first,
            weight * (square - second),
            weight * inverse * (third - 3 * first * second + 2 * square * first),
        )

    def differentiate_extra(self, eta: np.ndarray, extra: np.ndarray) -> ExtraSlopes:
        """Compute the derivatives by thresholds and scale."""
        low, high, inverse = self.place_limits(eta, extra)
        _, (below, above) = measure_sides(low, high, self.link)
        first, second = above.density - below.density, above.slope - below.slope
        number = len(extra) - self.scaled.shape[1]
        moves = []
        # How fast a parameter moves the lower limit, the upper one, and the inverse scale.
        still = np.zeros(len(eta))
        for k in range(number):
            moves.append((inverse * (self.codes == k + 1), inverse * (self.codes == k), still))
        for x in self.scaled.T:
            moves.append((-x * below.at, -x * above.at, -x * inverse))
        slopes = []
        for down, up, stretch in moves:
            total, by_first, by_second = (
                up * upper - down * lower for upper, lower in zip(above[1:], below[1:], strict=True)
            )
            by_first, by_second = by_first - first * total, by_second - second * total
            score = -inverse * by_first - stretch * first
            weight = inverse**2 * (2 * first * by_first - by_second)
            weight = weight + 2 * inverse * stretch * (first**2 - second)
            slopes.append(self.trials * np.array([total, score, weight]))
        jacobian = differentiate_extra(extra, self.scaled.shape[1])
        by_extra = np.einsum("kj,kdi->dji", jacobian, np.array(slopes))
        return ExtraSlopes(*by_extra)


def unpack_extra(extra: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute thresholds and zeta from the extra parameters."""
    number = len(extra) - columns
    steps = np.concatenate([extra[:1], np.exp(extra[1:number])])
    return np.cumsum(steps), extra[number:]


def differentiate_extra(extra: np.ndarray, columns: int) -> np.ndarray:
    """Compute the derivatives of thresholds and zeta, in rows, by the extra parameters."""
    number = len(extra) - columns
    jacobian = np.eye(len(extra))
    steps = np.concatenate([[1.0], np.exp(extra[1:number])])
    jacobian[:number, :number] = np.tril(np.ones((number, number))) * steps
    return jacobian


def fit_cumulative_model(
    ratings: np.ndarray,
    predictors: np.ndarray,
    effects: Sequence[Effect],
    link: Link = "logit",
    scaled: np.ndarray | None = None,
) -> CumulativeFit:
    """Fit a cumulative-link mixed model to trials.

    Parameters
    ----------
    ratings : array, shape (trials,)
        At least two different ones.
    predictors : array of float, shape (trials, coefficients)
        Without a constant: the thresholds have it.
    effects : sequence of Effect
        Factors with a single level, or with a level for each trial, are left out, and a note says so.
    link : {"logit", "probit"}
    scaled : array of float, shape (trials, columns), optional
        Columns that change the scale.

    Returns
    -------
    CumulativeFit
        Not converged, with the reason in `notes`, if a coefficient or standard deviation has no finite value.
    """
    n = len(ratings)
    codes = np.unique(ratings, return_inverse=True)[1]
    scaled = np.empty((n, 0)) if scaled is None else scaled
    has_levels = [1 < effect.level.max() + 1 < n for effect in effects]
    kept = [effect for effect, has in zip(effects, has_levels, strict=True) if has]
    notes = [explain_left_out(e) for e, has in zip(effects, has_levels, strict=True) if not has]
    cells = arrange_rated_cells(codes, predictors, scaled, kept, link)
    if cells is None:
        notes.append(
            f"{NOT_FITTED}: more than about {MAX_SHARED:,} judges and stimuli need too much memory"
        )
        return make_unfitted(predictors.shape[1], codes, scaled.shape[1], tuple(notes))
    return describe_maximum(cells, kept, notes)


def describe_maximum(
    cells: RatedCells, effects: Sequence[Effect], notes: Sequence[str]
) -> CumulativeFit:
    """Search for the maximum of the likelihood, and describe the fit there."""
    parameters, covariance, deviance, problems = search_maximum(cells)
    factors, places = cells.unpack_theta(parameters), cells.locate_theta()
    components = [
        part
        for effect, factor, at in zip(effects, factors, places, strict=True)
        for part in list_components(
            effect.group, effect.names, factor, np.eye(len(factor)), covariance[at, at]
        )
    ]
    start, stop = cells.locate_extra()
    thresholds, zeta = unpack_extra(parameters[stop:], cells.scaled.shape[1])
    shown = [*range(start), *range(stop, len(parameters))]
    jacobian = np.eye(len(shown))
    jacobian[start:, start:] = differentiate_extra(parameters[stop:], cells.scaled.shape[1])
    return CumulativeFit(
        parameters[:start],
        thresholds,
        zeta,
        jacobian @ covariance[np.ix_(shown, shown)] @ jacobian.T,
        tuple(components),
        -deviance / 2,
        int(cells.trials.sum()),
        not problems,
        (*notes, *problems),
    )


def explain_left_out(effect: Effect) -> str:
    """Explain why random effects are not in a model."""
    why = "a level for each trial" if effect.level.max() else "a single level"
    return f"random effect of {effect.group} left out: it has {why}"


def search_maximum(cells: RatedCells) -> tuple[np.ndarray, np.ndarray, float, list[str]]:
    """Search for the maximum of the likelihood: parameters, covariance, deviance, and what is wrong with it.

    The covariance is nan if anything is.
    """
    differentiate = Deviance(cells)
    parameters, scale = start_search(cells)
    parameters, converged = minimize_deviance(differentiate, parameters, scale)
    parameters = drop_empty_effects(cells, parameters, differentiate)
    deviance, _ = differentiate(parameters)
    problems = [] if converged else ["the search for the maximum did not converge"]
    if np.abs(parameters[: cells.design.shape[1]]).max(initial=0) > LARGEST:
        problems.append("a coefficient has no finite value: ratings of a group are all at one end")
    if any(np.abs(factor).max() > MAX_SPREAD for factor in cells.unpack_theta(parameters)):
        problems.append("random effects have no finite spread")
    covariance = np.full((len(parameters),) * 2, np.nan)
    if not problems:
        covariance = invert_curvature(differentiate, parameters, scale, 0)
        if not np.isfinite(covariance).all():
            problems.append("no standard errors: the data do not determine all parameters")
    return parameters, covariance, deviance, problems


def arrange_rated_cells(
    codes: np.ndarray,
    predictors: np.ndarray,
    scaled: np.ndarray,
    effects: Sequence[Effect],
    link: Link,
) -> RatedCells | None:
    """Count trials with equal ratings and predictors; None if the random effects need too much memory."""
    ones = np.ones(len(codes))
    terms = [
        RandomTerm(e.level, np.column_stack([ones, *([] if e.slopes is None else [e.slopes])]))
        for e in effects
    ]
    columns = np.column_stack([codes, predictors, scaled, *(term.design for term in terms)])
    keys = list(range(columns.shape[1]))
    pattern = pd.DataFrame(columns).groupby(keys).ngroup().to_numpy()
    first = np.unique(pattern, return_index=True)[1]
    if terms:
        sides = choose_sides(terms)
        if sides is None:
            return None
        cells, _ = arrange_cells(predictors[first], pattern, terms, ones, ones, sides)
    else:
        none = np.zeros(len(first))
        cells = Cells(
            predictors[first], np.arange(len(first)), none, np.bincount(pattern).astype(float),
            [], [], [], [], none, (0, 0, 0),
        )  # fmt: skip
    of_cell = first[cells.pattern]
    return RatedCells(**vars(cells), codes=codes[of_cell], scaled=scaled[of_cell], link=link)


def start_search(cells: RatedCells) -> tuple[np.ndarray, np.ndarray]:
    """Choose parameters to start from, with the thresholds of all ratings, and the scale of their steps."""
    shares = np.bincount(cells.codes, cells.trials) / cells.trials.sum()
    below = np.cumsum(shares)[:-1]
    thresholds = np.log(below / (1 - below)) * (1 if cells.link == "logit" else 0.6)
    start, stop = cells.locate_extra()
    zeta = np.zeros(cells.scaled.shape[1])
    extra = np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), zeta])
    parameters = np.concatenate([np.zeros(start), guess_theta(cells), extra])
    eta = np.zeros(len(cells.pattern))
    likelihood = cells.differentiate(eta, extra)
    by_extra = cells.differentiate_extra(eta, extra).loglik
    scores = np.column_stack([likelihood.score[:, None] * cells.design[cells.pattern], by_extra.T])
    information = scores.T @ (scores / cells.trials[:, None]) + 1e-6 * np.eye(scores.shape[1])
    scale = np.zeros((len(parameters),) * 2)
    free = [*range(start), *range(stop, len(parameters))]
    scale[np.ix_(free, free)] = np.linalg.cholesky(np.linalg.inv(information))
    if cells.effects:
        errors = guess_theta_errors(cells, evaluate_deviance(cells, parameters))
        scale[start:stop, start:stop] = np.diag(errors)
    return parameters, scale


def make_unfitted(
    coefficients: int, codes: np.ndarray, columns: int, notes: tuple[str, ...]
) -> CumulativeFit:
    """Make the fit of a model that could not be fitted, without numbers."""
    first, second, third = (np.full(k, np.nan) for k in (coefficients, codes.max(), columns))
    covariance = np.full((coefficients + codes.max() + columns,) * 2, np.nan)
    return CumulativeFit(first, second, third, covariance, (), np.nan, len(codes), False, notes)
