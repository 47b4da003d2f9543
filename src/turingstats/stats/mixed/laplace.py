"""Laplace approximation of large binomial models with crossed random intercepts.

With many judges and stimuli, general programs spend their time on the factors of a large sparse matrix. Here
the terms of judges, `(1 | judge) + (1 | judge:made_by)`, are eliminated in closed form, which leaves a dense
matrix as large as the number of stimuli. The gradient of the deviance is exact, so that the maximum takes
some ten evaluations, each with a single factorization, and the Hessian one or two for each parameter.

Notation, as in Bates et al. 2015: eta = X beta + Z b, b ~ N(0, T) with T diagonal, W the weights of the
trials, V = (Z'WZ + 1/T)^-1 the conditional covariance of the modes b. The Laplace deviance is

    -2 loglik(b) + b' b / T + log |1 + T Z'WZ|    at the mode b.

References
----------
Bates D, Maechler M, Bolker B, Walker S 2015, Fitting linear mixed-effects models using lme4, J Stat Softw 67
    (penalized least squares; crossed effects by blocks).
Kristensen K, Nielsen A, Berg CW, Skaug H, Bell BM 2016, TMB: automatic differentiation and Laplace
    approximation, J Stat Softw 70 (exact gradient of the Laplace approximation).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotri

from turingstats.stats.mixed.cells import Cells, view_part
from turingstats.stats.mixed.modes import (
    Factor,
    State,
    find_modes,
    measure_state,
    multiply,
    solve_modes,
)

NEAR = 1e-10
"""The maximum is found when another step would lower the deviance by less: 0.00001 standard errors."""

MOST_STEPS = 100
"""Steps to the maximum at most."""

EMPTY = 1e-3
"""Smaller standard deviations are 0 if the deviance agrees."""

SEPARATED = 1e-8
"""Probabilities nearer to 0 or 1 mean that fixed effects are separated."""

STEP = 0.001
"""Step of the differences that give the Hessian, in standard errors."""


class Laplace(NamedTuple):
    """A fit.

    Attributes
    ----------
    estimate : array, shape (coefficients,)
    covariance : array, shape (coefficients, coefficients)
    sd, sd_se : array, shape (terms,)
    modes : list of array
        Of each term, by level.
    probability : array, shape (rows,)
        Conditional on the modes.
    deviance : float
        Without the binomial coefficients.
    converged : bool
    """

    estimate: np.ndarray
    covariance: np.ndarray
    sd: np.ndarray
    sd_se: np.ndarray
    modes: list[np.ndarray]
    probability: np.ndarray
    deviance: float
    converged: bool


# --- deviance and its gradient -----------------------------------------------------------------


class Point(NamedTuple):
    """Deviance at some parameters, and its gradient."""

    parameters: np.ndarray  # coefficients, then standard deviations of the terms
    deviance: float
    gradient: np.ndarray
    state: State
    factor: Factor
    shrinkage: np.ndarray  # 1 - V / T of every mode


def evaluate_deviance(cells: Cells, parameters: np.ndarray, near: Point | None = None) -> Point:
    """Evaluate the Laplace deviance; `near` is a point whose modes are similar.

    Notes
    -----
    A parameter changes the modes, and these the weights in log |1 + T Z'WZ|. With h = diag(Z V Z'), the
    variance of the linear predictor of each cell, dW/deta = W (1 - 2 mu), and n = h dW/deta, the change of
    this term by a shift x of the predictors is n'x - n'Z V Z'W x. The derivative by the standard deviation s
    of a term, with g = Z'(y - mu) = b / s^2 at the mode, is the sum over its modes of
    2 (1 - V / s^2 + g V Z'n - s^2 g^2) / s.
    """
    coefficients = cells.design.shape[1]
    beta, sd = np.split(parameters, [coefficients])
    start = near.state.modes if near else np.zeros(len(cells.term))
    state, factor = find_modes(cells, cells.design @ beta, sd, start, near.factor if near else None)
    leverage, diagonal = measure_leverage(cells, factor)
    slope = leverage * state.weight * (1 - 2 * state.probability)
    moved = solve_modes(cells, factor, cells.add_up(slope))
    residual = cells.successes - cells.trials * state.probability
    shift = slope - state.weight * cells.predict(moved) - 2 * residual
    alive = factor.variance > 0
    shrinkage = 1 - np.divide(diagonal, factor.variance, out=np.ones_like(diagonal), where=alive)
    by_mode = 2 * (shrinkage + moved * state.score) - 2 * factor.variance * state.score**2
    by_term = np.bincount(cells.term[alive], by_mode[alive], len(sd))
    by_sd = np.divide(by_term, sd, out=np.zeros(len(sd)), where=sd != 0)
    return Point(
        parameters=parameters,
        deviance=state.penalized + factor.logdet,
        gradient=np.concatenate([cells.project(shift), by_sd]),
        state=state,
        factor=factor,
        shrinkage=shrinkage,
    )


def measure_leverage(cells: Cells, factor: Factor) -> tuple[np.ndarray, np.ndarray]:
    """Measure the conditional variance of the linear predictor by cell, and that of every mode."""
    d, q, v = factor.d, factor.q, factor.v
    dense = invert_dense(cells, factor)
    coarse = multiply(factor.coarse, dense) if v.any() else np.zeros_like(factor.coarse)
    of_coarse = np.einsum("ij,ij->i", factor.coarse, coarse)
    above = v[cells.coarse_of_fine]
    squares, products = np.empty_like(d), np.empty_like(d)
    crossed = np.empty_like(factor.pairs)
    for part in cells.parts:
        own, to = view_part(factor.pairs, part), view_part(crossed, part)
        to[:] = multiply(own, dense[part.dense, part.dense])
        squares[part.fine] = np.einsum("ij,ij->i", own, to)
        via = coarse[cells.coarse_of_fine[part.fine], part.dense]
        products[part.fine] = np.einsum("ij,ij->i", own, via)
        to *= d[part.fine][:, None]
        via *= (q * above)[part.fine][:, None]
        to += via
    through = of_coarse[cells.coarse_of_fine]

    def add_up(weight):
        """Conditional variance of d pairs + weight v coarse."""
        alone = d**2 * squares + 2 * d * weight * above * products
        return alone + (weight * above) ** 2 * through

    total = (d + above * q**2 + add_up(q))[cells.fine]
    for k, (place, level) in enumerate(zip(cells.place, cells.dense, strict=True)):
        total += dense[level, level] - 2 * crossed[place]
        for other in cells.dense[:k]:
            total += 2 * dense[level, other]
    fine = d + (1 - q) ** 2 * above + add_up(q - 1)
    return total, np.concatenate([fine, v + v**2 * of_coarse, np.diag(dense)])


def invert_dense(cells: Cells, factor: Factor) -> np.ndarray:
    """Compute the dense block of V from its factor."""
    if not len(factor.lower):
        return factor.lower
    inverse, _ = dpotri(factor.lower, lower=True)
    inverse = np.tril(inverse)
    inverse += np.tril(inverse, -1).T
    root = np.sqrt(cells.split(factor.variance)[2])
    return inverse * root[:, None] * root


def measure_information(cells: Cells, point: Point) -> np.ndarray:
    """Measure the information on the coefficients at given standard deviations: X'WX - X'WZ V Z'WX."""
    weight, design = point.state.weight, cells.design
    crossed = [cells.add_up(weight * column[cells.pattern]) for column in design.T]
    solved = [solve_modes(cells, point.factor, column) for column in crossed]
    by_pattern = np.bincount(cells.pattern, weight, len(design))
    return design.T @ (by_pattern[:, None] * design) - np.array(crossed) @ np.array(solved).T


# --- the maximum -------------------------------------------------------------------------------


def fit_laplace(cells: Cells, errors: bool = True) -> Laplace | None:
    """Fit a binomial model with random intercepts by maximum likelihood.

    Parameters
    ----------
    cells : Cells
        From `arrange_cells`.
    errors : bool
        False: errors of the coefficients at given standard deviations of the random effects.

    Returns
    -------
    Laplace or None
        None if the fixed effects are separated.
    """
    beta = fit_fixed_effects(cells)
    if beta is None:
        return None
    point = evaluate_deviance(cells, np.concatenate([beta, guess_deviations(cells, beta)]))
    point, converged = minimize_deviance(cells, point)
    point = drop_empty_terms(cells, point)
    coefficients = cells.design.shape[1]
    sd = point.parameters[coefficients:]
    sd_se = np.full(len(sd), np.nan)
    if errors:
        inverse = np.linalg.inv(differentiate_gradient(cells, point) / 2)
        covariance = inverse[:coefficients, :coefficients]
        sd_se = np.sqrt(np.diag(inverse)[coefficients:])
    else:
        covariance = np.linalg.inv(measure_information(cells, point))
    modes = np.empty(int(cells.order.max()) + 1)
    modes[cells.order] = point.state.modes
    sizes = np.bincount(cells.term[cells.term >= 0], minlength=len(sd))
    return Laplace(
        estimate=point.parameters[:coefficients],
        covariance=covariance,
        sd=np.abs(sd),
        sd_se=sd_se,
        modes=np.split(modes, np.cumsum(sizes))[: len(sd)],
        probability=point.state.probability,
        deviance=point.deviance,
        converged=converged,
    )


def fit_fixed_effects(cells: Cells) -> np.ndarray | None:
    """Fit the model without random effects by Newton's method; None if it is separated."""
    patterns = len(cells.design)
    successes = np.bincount(cells.pattern, cells.successes, patterns)
    trials = np.bincount(cells.pattern, cells.trials, patterns)
    beta = np.zeros(cells.design.shape[1])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-np.clip(cells.design @ beta, -30, 30)))
        if (probability < SEPARATED).any() or (probability > 1 - SEPARATED).any():
            return None
        weight = trials * probability * (1 - probability)
        score = cells.design.T @ (successes - trials * probability)
        step = np.linalg.solve(cells.design.T @ (weight[:, None] * cells.design), score)
        beta = beta + step
        if score @ step < 1e-12:
            return beta
    return None


def guess_deviations(cells: Cells, beta: np.ndarray) -> np.ndarray:
    """Guess standard deviations from the sums of residuals by level, of one term at a time."""
    state = measure_state(
        cells, cells.design @ beta, np.zeros(int(cells.term.max()) + 1), np.zeros(len(cells.term))
    )
    own = cells.term >= 0
    weight = cells.add_up(state.weight)[own]
    excess = np.bincount(cells.term[own], state.score[own] ** 2 - weight)
    return np.sqrt(np.clip(excess / np.bincount(cells.term[own], weight**2), 0.01, 4))


def minimize_deviance(cells: Cells, point: Point) -> tuple[Point, bool]:
    """Minimize the deviance with BFGS, starting with the information of a linear mixed model.

    The deviance is an even function of each standard deviation, which therefore needs no bound.

    Returns
    -------
    point : Point
    converged : bool
    """
    size, coefficients = len(point.parameters), cells.design.shape[1]
    inverse = np.zeros((size, size))
    inverse[:coefficients, :coefficients] = np.linalg.inv(measure_information(cells, point)) / 2
    errors = guess_sd_errors(cells, point)
    inverse[range(coefficients, size), range(coefficients, size)] = errors**2 / 2
    for _ in range(MOST_STEPS):
        step = -inverse @ point.gradient
        gain = -step @ point.gradient
        if gain < NEAR:
            return point, True
        moved = evaluate_deviance(cells, point.parameters + step, point)
        while not moved.deviance <= point.deviance - 1e-4 * gain + 1e-13 * abs(point.deviance):
            step, gain = step / 2, gain / 2
            if gain < NEAR:
                return point, False
            moved = evaluate_deviance(cells, point.parameters + step, point)
        change = moved.gradient - point.gradient
        curvature = step @ change
        if curvature > 0:
            turn = np.eye(size) - np.outer(step, change) / curvature
            inverse = turn @ inverse @ turn.T + np.outer(step, step) / curvature
        point = moved
    return point, False


def drop_empty_terms(cells: Cells, point: Point) -> Point:
    """Set standard deviations that are almost 0 to 0, where this does not raise the deviance."""
    coefficients = cells.design.shape[1]
    for k in range(coefficients, len(point.parameters)):
        if 0 < abs(point.parameters[k]) < EMPTY:
            without = point.parameters.copy()
            without[k] = 0
            other = evaluate_deviance(cells, without, point)
            if other.deviance <= point.deviance + 1e-6:
                point = other
    return point


def guess_sd_errors(cells: Cells, point: Point) -> np.ndarray:
    """Guess errors of standard deviations, as if each term were the only one of a linear mixed model."""
    own = cells.term >= 0
    sd = np.abs(point.parameters[cells.design.shape[1] :])
    squares = np.bincount(cells.term[own], point.shrinkage[own] ** 2)
    weight = np.bincount(cells.term[own], cells.add_up(point.state.weight)[own] ** 2)
    return np.where(sd > 0, sd / np.sqrt(2 * np.where(sd > 0, squares, 1)), weight**-0.25)


def differentiate_gradient(cells: Cells, point: Point) -> np.ndarray:
    """Compute the Hessian of the deviance by differences of its gradient."""
    information = np.diag(measure_information(cells, point))
    steps = STEP * np.append(information**-0.5, guess_sd_errors(cells, point))
    rows = []
    for k, step in enumerate(steps):
        shift = np.zeros(len(steps))
        shift[k] = step
        above = evaluate_deviance(cells, point.parameters + shift, point).gradient
        # The deviance is close to a parabola in the coefficients, but not in the standard deviations.
        if k < len(information):
            rows.append((above - point.gradient) / step)
        else:
            below = evaluate_deviance(cells, point.parameters - shift, point).gradient
            rows.append((above - below) / (2 * step))
    hessian = np.array(rows)
    return (hessian + hessian.T) / 2
