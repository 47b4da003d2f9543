"""Cumulative-link mixed models: ratings, or verdicts, with random effects of judges and stimuli.

`turingstats.stats.mixed.answers` has the likelihood. Two points and the normal distribution make a probit
model, which is signal detection.

Maximum likelihood by the Laplace approximation, like R's ordinal::clmm (Christensen 2019) and lme4's glmer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.stats.mixed.answers import Link, differentiate_extra, unpack_extra
from turingstats.stats.mixed.cells import MAX_SHARED, Cells, RandomTerm, arrange_cells
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
    levels = [int(effect.level.max()) + 1 for effect in effects]
    kept = [effect for effect, number in zip(effects, levels, strict=True) if 1 < number < n]
    left_out = {1: "a single level", n: "a level for each trial"}
    notes = [
        f"random effect of {effect.group} left out: it has {left_out[number]}"
        for effect, number in zip(effects, levels, strict=True)
        if number in left_out
    ]
    cells = arrange_rated_cells(codes, predictors, scaled, kept, link)
    if cells is None:
        notes.append(
            f"{NOT_FITTED}: more than about {MAX_SHARED:,} judges and stimuli need too much memory"
        )
        return make_unfitted(predictors.shape[1], codes, scaled.shape[1], tuple(notes))
    return describe_maximum(cells, kept, notes)


def describe_maximum(
    cells: Cells, effects: Sequence[Effect], notes: Sequence[str]
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
    thresholds, zeta = unpack_extra(parameters[stop:], cells.answers.scaled.shape[1])
    shown = [*range(start), *range(stop, len(parameters))]
    jacobian = np.eye(len(shown))
    jacobian[start:, start:] = differentiate_extra(parameters[stop:], cells.answers.scaled.shape[1])
    return CumulativeFit(
        parameters[:start],
        thresholds,
        zeta,
        jacobian @ covariance[np.ix_(shown, shown)] @ jacobian.T,
        tuple(components),
        -deviance / 2,
        int(cells.answers.trials.sum()),
        not problems,
        (*notes, *problems),
    )


def search_maximum(cells: Cells) -> tuple[np.ndarray, np.ndarray, float, list[str]]:
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
) -> Cells | None:
    """Count trials with equal ratings and predictors; None if the random effects need too much memory."""
    ones = np.ones(len(codes))
    terms = [
        RandomTerm(e.level, np.column_stack([ones, *([] if e.slopes is None else [e.slopes])]))
        for e in effects
    ]
    columns = np.column_stack([predictors, scaled, *(term.design for term in terms)])
    keys = list(range(columns.shape[1]))
    pattern = pd.DataFrame(columns).groupby(keys).ngroup().to_numpy()
    first = np.unique(pattern, return_index=True)[1]
    arranged = arrange_cells(predictors[first], pattern, terms, codes, ones, scaled, link)
    return arranged and arranged[0]


def start_search(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """Choose parameters to start from, with the thresholds of all ratings, and the scale of their steps."""
    answers = cells.answers
    shares = np.bincount(answers.codes, answers.trials) / answers.trials.sum()
    below = np.cumsum(shares)[:-1]
    thresholds = np.log(below / (1 - below)) * (1 if answers.link == "logit" else 0.6)
    start, stop = cells.locate_extra()
    zeta = np.zeros(answers.scaled.shape[1])
    extra = np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), zeta])
    parameters = np.concatenate([np.zeros(start), guess_theta(cells), extra])
    likelihood = answers.differentiate(np.zeros(len(cells.pattern)), extra)
    by_extra = answers.differentiate_extra(likelihood, extra).loglik
    scores = np.column_stack([likelihood.score[:, None] * cells.design[cells.pattern], by_extra.T])
    information = scores.T @ (scores / answers.trials[:, None]) + 1e-6 * np.eye(scores.shape[1])
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
