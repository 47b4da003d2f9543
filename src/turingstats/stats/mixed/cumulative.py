"""Cumulative-link mixed models: ratings, or verdicts, with random effects of judges and stimuli.

`turingstats.stats.mixed.answers` has the likelihood. Two points and the normal distribution make a probit
model, which is signal detection.

Maximum likelihood by the Laplace approximation, like R's ordinal::clmm (Christensen 2019) and lme4's glmer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from turingstats.stats.mixed.answers import Link, differentiate_extra, unpack_extra
from turingstats.stats.mixed.cells import MAX_SHARED, Cells, RandomTerm, arrange_cells
from turingstats.stats.mixed.fit import NO_ERRORS, Component, FittedTerm, describe_effects
from turingstats.stats.mixed.formula import NOT_FITTED
from turingstats.stats.mixed.maximum import Maximum, find_maximum

LARGEST = 15.0
"""Coefficients beyond this are infinite: some group has ratings at one end of the scale only."""


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
    effects: Sequence[FittedTerm],
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
    effects : sequence of FittedTerm
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
    left_out = {1: "a single level", n: "a level for each trial"}
    notes, terms = [], []
    for effect in effects:
        number = int(effect.original.level.max()) + 1
        if number in left_out:
            notes.append(f"random effect of {effect.group} left out: it has {left_out[number]}")
        else:
            terms.append(effect)
    cells = arrange_rated_cells(codes, predictors, scaled, [term.original for term in terms], link)
    maximum = find_maximum(cells) if cells else None
    coefficients = predictors.shape[1]
    if cells is None:
        why = (
            f"{NOT_FITTED}: more than about {MAX_SHARED:,} judges and stimuli need too much memory"
        )
    elif (
        maximum is None or np.abs(maximum.parameters[1 : coefficients + 1]).max(initial=0) > LARGEST
    ):
        why = "a coefficient has no finite value: ratings of a group are all at one end"
    else:
        return describe_maximum(cells, maximum, terms, notes)
    return make_unfitted(coefficients, codes, scaled.shape[1], (*notes, why))


def arrange_effect(
    group: str,
    level: np.ndarray,
    names: tuple[str, ...] = ("(Intercept)",),
    slopes: np.ndarray | None = None,
) -> FittedTerm:
    """Arrange random effects of one factor, such as judges: an intercept and, by trial, perhaps slopes."""
    columns = [np.ones(len(level)), *([] if slopes is None else [slopes])]
    return FittedTerm(group, names, RandomTerm(level, np.column_stack(columns)), np.eye(len(names)))


def describe_maximum(
    cells: Cells, maximum: Maximum, terms: Sequence[FittedTerm], notes: list[str]
) -> CumulativeFit:
    """Describe the fit at the maximum of the likelihood."""
    parameters, covariance = maximum.parameters, maximum.covariance
    start, stop = cells.locate_extra()
    components, _, problems = describe_effects(terms, maximum, start)
    if not problems and not np.isfinite(covariance).all():
        problems.append(NO_ERRORS)
    if problems:
        covariance = np.full_like(covariance, np.nan)
    columns = cells.answers.scaled.shape[1]
    thresholds, zeta = unpack_extra(parameters[stop:], columns)
    # The constant is minus the first threshold of the fit.
    shown = [*range(1, start), 0, *range(stop, len(parameters))]
    jacobian = np.eye(len(shown))
    jacobian[start:, start:] = differentiate_extra(parameters[stop:], columns)
    jacobian[start - 1 : start - 1 + len(thresholds), start - 1] = -1
    return CumulativeFit(
        parameters[1:start],
        thresholds - parameters[0],
        zeta,
        jacobian @ covariance[np.ix_(shown, shown)] @ jacobian.T,
        tuple(components),
        -maximum.deviance / 2,
        int(cells.answers.trials.sum()),
        not problems,
        (*notes, *problems),
    )


def arrange_rated_cells(
    codes: np.ndarray,
    predictors: np.ndarray,
    scaled: np.ndarray,
    terms: Sequence[RandomTerm],
    link: Link,
) -> Cells | None:
    """Count trials with equal ratings and predictors; None if the random effects need too much memory."""
    design = np.column_stack([np.ones(len(codes)), predictors])
    columns = pd.DataFrame(np.column_stack([design, scaled, *(term.design for term in terms)]))
    pattern = columns.groupby(list(columns)).ngroup().to_numpy()
    first = np.unique(pattern, return_index=True)[1]
    arranged = arrange_cells(design[first], pattern, terms, codes, design[:, 0], scaled, link)
    return arranged and arranged[0]


def make_unfitted(
    coefficients: int, codes: np.ndarray, columns: int, notes: tuple[str, ...]
) -> CumulativeFit:
    """Make the fit of a model that could not be fitted, without numbers."""
    first, second, third = (np.full(k, np.nan) for k in (coefficients, codes.max(), columns))
    covariance = np.full((coefficients + codes.max() + columns,) * 2, np.nan)
    return CumulativeFit(first, second, third, covariance, (), np.nan, len(codes), False, notes)
