"""Find the maximum of the likelihood of a mixed model, and the curvature there."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag
from scipy.optimize import minimize, root
from scipy.special import logsumexp

from turingstats.stats.mixed.answers import Answers
from turingstats.stats.mixed.cells import Cells
from turingstats.stats.mixed.laplace import Model, Point, evaluate_deviance, measure_information

EMPTY = 0.01
"""Standard deviations below this are 0 if the deviance agrees."""

STEP = 0.001
"""Step of the differences that give the Hessian, in standard errors."""

FLAT = 1e-4
"""Largest derivative of the deviance by a parameter, in its standard errors, at the maximum."""

Gradient = Callable[[np.ndarray], tuple[float, np.ndarray]]


class Maximum(NamedTuple):
    """The maximum of a likelihood."""

    parameters: np.ndarray  # coefficients, theta and extra parameters, as in `laplace.Model`
    covariance: np.ndarray  # shape (parameters, parameters); nan if they do not determine all
    deviance: float  # without the binomial coefficients
    converged: bool


class Deviance:
    """The deviance of a model and its gradient, by Laplace's approximation or quadrature.

    Modes are found from those of the point before.
    """

    def __init__(self, cells: Cells, nodes: int = 1, near: Point | None = None) -> None:
        self.cells, self.nodes, self.near = cells, nodes, near

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute both at some parameters."""
        self.near = evaluate_deviance(self.cells, parameters, self.near)
        if self.nodes > 1:
            return integrate_deviance(self.cells, self.near, self.nodes)
        return self.near.deviance, self.near.gradient


def find_maximum(cells: Cells, nodes: int = 1) -> Maximum | None:
    """Fit a mixed model by maximum likelihood; None if the fixed effects are separated.

    With more than one of `nodes` per random effect, which needs a model without shared effects, by
    quadrature.
    """
    thresholds = guess_thresholds(cells.answers)
    extra = np.append(np.log(np.diff(thresholds)), np.zeros(cells.answers.scaled.shape[1]))
    beta = fit_fixed_effects(cells, thresholds[0], extra)
    if beta is None:
        return None
    parameters = np.concatenate([beta, guess_theta(cells), extra])
    start = evaluate_deviance(cells, parameters)
    differentiate = Deviance(cells, near=start)
    by_extra = cells.answers.differentiate_extra(start.state.likelihood, extra).loglik
    information = by_extra @ (by_extra / cells.answers.trials).T
    scale = block_diag(
        np.linalg.cholesky(np.linalg.inv(measure_information(cells, start))),
        np.diag(guess_theta_errors(cells, start)),
        np.linalg.cholesky(np.linalg.inv(information)),
    )
    # The deviance is close to a parabola in the coefficients, but not in theta or thresholds.
    parabolic = 0 if len(extra) else len(beta)
    parameters, converged = minimize_deviance(differentiate, parameters, scale)
    if nodes > 1:
        curvature = invert_curvature(differentiate, parameters, scale, parabolic)
        if np.isfinite(curvature).all():
            scale = np.linalg.cholesky(curvature)
        differentiate = Deviance(cells, nodes, differentiate.near)
        parameters, converged = find_root(differentiate, parameters, scale)
        if not np.isfinite(invert_curvature(differentiate, parameters, scale, parabolic)).all():
            # By symmetry, the gradient may vanish at a saddle, where columns of triangles are 0.
            beside = parameters + scale[:, len(beta) :].sum(axis=1)
            beside, _ = minimize_deviance(differentiate, beside, scale)
            parameters, converged = find_root(differentiate, beside, scale)
    parameters = drop_empty_effects(cells, parameters, differentiate)
    deviance, _ = differentiate(parameters)
    covariance = invert_curvature(differentiate, parameters, scale, parabolic)
    return Maximum(parameters, covariance, deviance, converged)


def guess_thresholds(answers: Answers) -> np.ndarray:
    """Guess the thresholds to start from: those of all answers."""
    below = np.cumsum(np.bincount(answers.codes, answers.trials))[:-1] / answers.trials.sum()
    return np.log(below / (1 - below)) * (1 if answers.link == "logit" else 0.6)


def fit_fixed_effects(cells: Cells, threshold: float, extra: np.ndarray) -> np.ndarray | None:
    """Fit the model without random effects by Newton's method; None if it is separated.

    The search starts where no predictor has an effect, with the first threshold of all answers.
    """
    beta = np.linalg.lstsq(cells.design, np.full(len(cells.design), -threshold))[0]
    for _ in range(30):
        at = cells.answers.differentiate((cells.design @ beta)[cells.pattern], extra)
        score, weight = (
            np.bincount(cells.pattern, values, len(cells.design))
            for values in (at.score, at.weight)
        )
        information = cells.design.T @ (weight[:, None] * cells.design)
        try:
            step = np.linalg.solve(information, cells.design.T @ score)
        except np.linalg.LinAlgError:
            return None
        beta = beta + step
        # With separation, steps of the linear predictor stay near 1.
        if np.abs(cells.design @ step).max() < 1e-6:
            return beta
    return None


def guess_theta(cells: Cells) -> np.ndarray:
    """Guess theta to start from: independent effects with a standard deviation of 0.5."""
    # A model of ratings may have no random effects.
    guesses = [
        0.5 * (np.ones(2) if paired else np.eye(size)[np.tril_indices(size)])
        for size, paired in zip((d.shape[1] for d in cells.effects), cells.paired, strict=True)
    ]
    return np.concatenate([[], *guesses])


def guess_theta_errors(cells: Cells, point: Point) -> np.ndarray:
    """Guess errors of theta at the start, as if each effect were the only one of a linear mixed model."""
    errors = []
    weight = point.state.likelihood.weight
    for design, paired, modes, places in zip(
        cells.effects, cells.paired, cells.modes, cells.places, strict=True
    ):
        size = design.shape[1]
        total = np.zeros(cells.n_modes)
        for e in range(size):
            total += np.bincount(places[:, e], weight * design[:, e] ** 2, cells.n_modes)
        information = total[modes]
        parts = [information.sum(axis=1), information.ravel()] if paired else [*information.T]
        by_effect = np.array(
            [0.5 / np.sqrt(2 * ((part / (part + 4)) ** 2).sum() + 1) for part in parts]
        )
        errors.append(by_effect if paired else by_effect[np.tril_indices(size)[0]])
    return np.concatenate([[], *errors])


def minimize_deviance(
    differentiate: Gradient, start: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Minimize a deviance with BFGS, over parameters that are almost independent with errors of 1.

    The columns of `scale` are their steps in units of the parameters. The deviance does not change with the
    sign of a column of the triangles, which therefore need no bounds.
    """

    def differentiate_scaled(at: np.ndarray) -> tuple[float, np.ndarray]:
        deviance, gradient = differentiate(start + scale @ at)
        return deviance, scale.T @ gradient

    result = minimize(
        differentiate_scaled,
        np.zeros(len(start)),
        jac=True,
        method="BFGS",
        options={"gtol": FLAT / 10, "hess_inv0": np.eye(len(scale)) / 2, "maxiter": 200},
    )
    return start + scale @ result.x, bool(np.abs(result.jac).max() < FLAT)


def find_root(
    differentiate: Gradient, parameters: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Find where the gradient is 0, near the maximum of another approximation; see `minimize_deviance`."""
    result = root(
        lambda at: scale.T @ differentiate(scale @ at)[1],
        np.linalg.solve(scale, parameters),
        options={"xtol": 1e-7, "eps": STEP**2},
    )
    return scale @ result.x, bool(np.abs(result.fun).max() < FLAT)


def drop_empty_effects(cells: Cells, parameters: np.ndarray, differentiate: Gradient) -> np.ndarray:
    """Set almost empty columns of the triangles to 0, where this does not raise the deviance."""
    for design, paired, place in zip(
        cells.effects, cells.paired, cells.locate_theta(), strict=True
    ):
        size = design.shape[1]
        columns = np.arange(size) if paired else np.tril_indices(size)[1]
        for f in range(size):
            spots = place.start + np.flatnonzero(columns == f)
            if 0 < np.abs(parameters[spots]).max() < EMPTY:
                without = parameters.copy()
                without[spots] = 0
                if differentiate(without)[0] <= differentiate(parameters)[0] + 1e-6:
                    parameters = without
    return parameters


def invert_curvature(
    differentiate: Gradient, parameters: np.ndarray, scale: np.ndarray, parabolic: int
) -> np.ndarray:
    """Compute the covariance of the estimates from differences of the gradient; NaN at no maximum.

    The deviance is close to a parabola in the first so many parameters, for which one difference is enough.
    """
    _, middle = differentiate(parameters)
    rows = []
    for k, step in enumerate(STEP * scale.T):
        _, above = differentiate(parameters + step)
        below = 2 * middle - above if k < parabolic else differentiate(parameters - step)[1]
        rows.append((above - below) / (2 * STEP))
    hessian = np.array(rows) @ scale
    information = (hessian + hessian.T) / 4
    if np.linalg.eigvalsh(information).min() < FLAT:
        return np.full_like(hessian, np.nan)
    return scale @ np.linalg.inv(information) @ scale.T


def integrate_deviance(cells: Cells, point: Point, nodes: int) -> tuple[float, np.ndarray]:
    """Compute the deviance and its gradient by adaptive Gauss-Hermite quadrature over the effects of blocks.

    The gradient is the mean of that of the complete data over the random effects, given the outcomes, by the
    same nodes (Fisher's identity).
    """
    model, state, factor = Model(cells, point.parameters), point.state, point.factor
    blocks, slots, _ = cells.shape
    roots, weights = np.polynomial.hermite_e.hermegauss(nodes)
    upper = factor.inverse.transpose(0, 2, 1)
    values, scores, places = [], [], []
    for chosen in product(range(nodes), repeat=slots):
        x = roots[list(chosen)]
        modes = state.modes + (upper @ x).ravel()
        likelihood = model.measure_state(modes).likelihood
        by_block = np.bincount(cells.block, likelihood.loglik, blocks)
        by_block -= (modes.reshape(blocks, slots) ** 2).sum(axis=1) / 2
        weight = np.log(weights[list(chosen)] / np.sqrt(2 * np.pi)).sum()
        values.append(by_block + x @ x / 2 + weight)
        scores.append(likelihood.score)
        places.append(modes)
    integral = logsumexp(values, axis=0)
    share = np.exp(np.array(values) - integral)[:, cells.block] * scores
    by_pattern = np.bincount(cells.pattern, share.sum(axis=0), len(cells.design))
    (effects,), (where,) = cells.effects, cells.places
    by_entry = np.empty((slots, slots))
    for f in range(slots):
        moved = np.einsum("ki,ki->i", share, np.array(places)[:, where[:, f]])
        by_entry[:, f] = effects.T @ moved
    gradient = np.append(cells.design.T @ by_pattern, by_entry[np.tril_indices(slots)])
    return float(factor.logdet - 2 * integral.sum()), -2 * gradient
