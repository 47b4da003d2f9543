"""Laplace approximation of mixed models with nested and crossed random effects, with its exact gradient.

Written here because no library for Python does what models of judgments need: the estimates and errors of
lme4, and half a minute for a million verdicts of crossed judges and stimuli (glmm 0.6.2 takes two minutes for
a tenth of them, and statsmodels' errors are less than half as large).

The random effects of one grouping factor, such as judges, and of the factors nested in it, such as
`judge:made_by`, make one block for each judge, independent of the blocks of other judges. The effects of all
other factors, such as stimuli, are shared. Blocks are eliminated one by one, which leaves one dense matrix as
large as the number of shared effects.

Notation, as in Bates et al. 2015: eta = X beta + Z L u, u ~ N(0, 1), where L holds a triangular matrix for
each term, whose entries are the parameters theta (for one random intercept, its standard deviation). With the
weights W = -d2 loglik / d eta2 and M = L'Z'WZL + 1, the Laplace deviance is

    -2 loglik(u) + u'u + log |M|    at the mode u.

References
----------
Bates D, Maechler M, Bolker B, Walker S 2015, Fitting linear mixed-effects models using lme4, J Stat Softw 67
    (penalized least squares; crossed effects by blocks).
Kristensen K, Nielsen A, Berg CW, Skaug H, Bell BM 2016, TMB: automatic differentiation and Laplace
    approximation, J Stat Softw 70 (exact gradient of the Laplace approximation).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky
from scipy.linalg.lapack import dpotri

from turingstats.stats.mixed.answers import Likelihood
from turingstats.stats.mixed.cells import Cells

EXACT = 1e-18
"""Modes are exact when another step would lower the deviance by less."""


class State(NamedTuple):
    """The trials at given parameters and modes."""

    modes: np.ndarray
    penalized: float  # penalized deviance
    gradient: np.ndarray  # of minus half of it, by mode
    likelihood: Likelihood


class Factor(NamedTuple):
    """M, factorized by blocks."""

    inverse: np.ndarray  # inverse Cholesky factors of the blocks, (blocks, slots, slots)
    # These times the part of M between blocks and shared effects, (pairs, slots).
    crossed: np.ndarray
    shared: np.ndarray  # shared part of the inverse of M
    logdet: float


class Point(NamedTuple):
    """The deviance at some parameters, and its gradient."""

    parameters: np.ndarray
    deviance: float
    gradient: np.ndarray  # by coefficients, theta, and extra parameters
    state: State
    factor: Factor


class Model:
    """A mixed model at given parameters: the products with Z L that all steps need.

    Parameters
    ----------
    parameters : array
        Coefficients; theta, the entries of the lower triangles of L, term by term and row by row; and the
        extra parameters.
    """

    def __init__(self, cells: Cells, parameters: np.ndarray) -> None:
        self.cells = cells
        factors = cells.differentiate_factors(parameters)
        self.slopes = [slopes for _, slopes in factors]
        coefficients, extra = cells.locate_extra()
        self.fixed = (cells.design @ parameters[:coefficients])[cells.pattern]
        self.extra = parameters[extra:]
        # For each column of Z L: the mode that it belongs to, and its values.
        self.columns = [
            (places[:, f], design @ factor[:, f])
            for design, (factor, _), places in zip(
                cells.effects, factors, cells.places, strict=True
            )
            for f in range(len(factor))
        ]

    def predict(self, modes: np.ndarray) -> np.ndarray:
        """Compute Z L u by cell."""
        total = np.zeros(len(self.cells.pattern))
        for mode, value in self.columns:
            total += value * modes[mode]
        return total

    def add_up(self, values: np.ndarray) -> np.ndarray:
        """Compute L'Z' of values by cell."""
        total = np.zeros(self.cells.n_modes)
        for mode, value in self.columns:
            total += np.bincount(mode, value * values, len(total))
        return total

    def measure_state(self, modes: np.ndarray) -> State:
        """Compute likelihood and gradient at given modes."""
        eta = self.fixed + self.predict(modes)
        likelihood = self.cells.answers.differentiate(eta, self.extra)
        penalized = float(modes @ modes - 2 * likelihood.loglik.sum())
        return State(modes, penalized, self.add_up(likelihood.score) - modes, likelihood)

    def factorize(self, weight: np.ndarray) -> Factor:
        """Factorize M at given weights: Cholesky factors of the blocks, then the Schur complement."""
        blocks, slots, shared = self.cells.shape
        pairs = self.cells.crossing.block
        parts = {
            "within": np.zeros(blocks * slots * slots),
            "between": np.zeros(len(pairs) * slots),
            "among": np.eye(shared).ravel(),
        }
        for k, m, part, place in self.cells.products:
            product = weight * self.columns[k][1] * self.columns[m][1]
            np.add.at(parts[part], place, product)
        # Of symmetric matrices only the lower triangle is read.
        lower = np.linalg.cholesky(parts["within"].reshape(blocks, slots, slots) + np.eye(slots))
        inverse = np.linalg.inv(lower)
        crossed = np.einsum(
            "pij,pj->pi", inverse[pairs], parts["between"].reshape(len(pairs), slots)
        )
        if self.cells.crossing.meetings:
            one, other, place = self.cells.crossing.meetings.lower
            products = np.einsum("pi,pi->p", crossed[one], crossed[other])
            known = np.bincount(place, products, shared**2).reshape(shared, shared)
        else:
            matrix = self.arrange_crossed(crossed)
            known = matrix.T @ matrix
        rest = parts["among"].reshape(shared, shared) - known
        # The transpose is in the order of LAPACK, which needs no copy.
        triangle = cholesky(rest.T, overwrite_a=True, check_finite=False)
        logdet = 2 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum()
        logdet += 2 * np.log(np.diag(triangle)).sum()
        return Factor(inverse, crossed, invert_cholesky(triangle), float(logdet))

    def arrange_crossed(self, crossed: np.ndarray) -> np.ndarray:
        """Arrange values of pairs as a dense matrix, (blocks times slots, shared)."""
        blocks, slots, shared = self.cells.shape
        matrix = np.zeros((blocks, slots, shared))
        matrix[self.cells.crossing.block, :, self.cells.crossing.column] = crossed
        return matrix.reshape(blocks * slots, shared)

    def solve(self, factor: Factor, right: np.ndarray) -> np.ndarray:
        """Solve M x = right."""
        blocks, slots, shared = self.cells.shape
        crossing = self.cells.crossing
        inner, outer = np.split(right, [blocks * slots])
        inner = np.einsum("bij,bj->bi", factor.inverse, inner.reshape(blocks, slots))
        if shared:
            known = np.einsum("pi,pi->p", factor.crossed, inner[crossing.block])
            outer = factor.shared @ (outer - np.bincount(crossing.column, known, shared))
            products = factor.crossed * outer[crossing.column, None]
            inner = inner - np.add.reduceat(products, crossing.first)
        return np.append(np.einsum("bji,bj->bi", factor.inverse, inner), outer)

    def find_modes(self, near: Point | None) -> tuple[State, Factor]:
        """Find the modes by Newton's method, from those of a point nearby, and factorize M there.

        An earlier factor is used as long as each step makes the next at least ten times smaller, because a
        step costs far less than a factor.
        """
        state = self.measure_state(near.state.modes if near else np.zeros(self.cells.n_modes))
        factor, fresh, last = near and near.factor, False, np.inf
        if factor is None:
            factor, fresh = self.factorize(state.likelihood.weight), True
        for _ in range(100):
            step = self.solve(factor, state.gradient)
            gain = float(step @ state.gradient)
            if gain < EXACT:
                break
            if not fresh and gain > 0.01 * last:
                factor, fresh, last = self.factorize(state.likelihood.weight), True, np.inf
                continue
            moved = self.measure_state(state.modes + step)
            for _ in range(20):
                if moved.penalized <= state.penalized + 1e-12 * abs(state.penalized):
                    break
                step = step / 2
                moved = self.measure_state(state.modes + step)
            state, last, fresh = moved, gain, False
        return state, factor if fresh else self.factorize(state.likelihood.weight)

    def measure_leverage(self, factor: Factor) -> list[np.ndarray]:
        """Compute the elements of M^-1 L'Z' of each cell that belong to its own columns of Z L."""
        blocks, slots, shared = self.cells.shape
        crossing = self.cells.crossing
        upper = factor.inverse.transpose(0, 2, 1)
        inner = np.eye(slots) + np.zeros((blocks, slots, slots))
        if crossing.meetings:
            matrix = crossing.meetings.matrix
            matrix.data = factor.shared.take(crossing.meetings.place)
            by_pair = matrix @ factor.crossed
            products = by_pair[:, :, None] * factor.crossed[:, None, :]
            inner += np.add.reduceat(products, crossing.first)
        else:
            crossed = self.arrange_crossed(factor.crossed)
            half = (crossed @ factor.shared).reshape(blocks, slots, shared)
            by_pair = half[crossing.block, :, crossing.column]
            inner += half @ crossed.reshape(half.shape).transpose(0, 2, 1)
        parts = {
            "within": (upper @ inner @ factor.inverse).ravel(),
            "between": -np.einsum("pij,pj->pi", upper[crossing.block], by_pair).ravel(),
            "among": factor.shared.ravel(),
        }
        elements = [np.zeros(len(self.cells.pattern)) for _ in self.columns]
        for k, m, part, place in self.cells.products:
            covariance = parts[part][place]
            elements[k] += covariance * self.columns[m][1]
            if m < k:
                elements[m] += covariance * self.columns[k][1]
        return elements


def evaluate_deviance(cells: Cells, parameters: np.ndarray, near: Point | None = None) -> Point:
    """Evaluate the Laplace deviance and its gradient; `near` is a point whose modes are similar.

    Notes
    -----
    A parameter changes the modes, and these the weights in log |M|. With h = diag(Z L M^-1 L'Z'),
    n = h dW/deta and a = M^-1 L'Z'n, a shift x of the linear predictors changes the deviance by r'x with
    r = n - W Z L a - 2 score. The entry of L that multiplies column e of Z in column f of Z L changes it by
    the sum over trials of z_e (r u_f + score a_f + 2 W (M^-1 L'Z')_f). An extra parameter t changes it by the
    sum of h dW/dt + Z L a dscore/dt - 2 dloglik/dt.
    """
    if near and np.array_equal(near.parameters, parameters):
        return near
    model = Model(cells, parameters)
    state, factor = model.find_modes(near)
    likelihood = state.likelihood
    elements = model.measure_leverage(factor)
    leverage = np.zeros(len(cells.pattern))
    for (_, value), element in zip(model.columns, elements, strict=True):
        leverage += value * element
    slope = leverage * likelihood.change
    moved = model.solve(factor, model.add_up(slope))
    predicted = model.predict(moved)
    shift = slope - likelihood.weight * predicted - 2 * likelihood.score
    by_pattern = np.bincount(cells.pattern, shift, len(cells.design))
    gradient: list[np.ndarray] = [cells.design.T @ by_pattern]
    first = 0
    for design, slopes in zip(cells.effects, model.slopes, strict=True):
        size = slopes.shape[1]
        by_entry = np.empty((size, size))
        for f in range(size):
            mode, element = model.columns[first + f][0], elements[first + f]
            total = shift * state.modes[mode] + likelihood.score * moved[mode]
            by_entry[:, f] = design.T @ (total + 2 * likelihood.weight * element)
        gradient.append(np.einsum("tef,ef->t", slopes, by_entry))
        first += size
    extra = cells.answers.differentiate_extra(likelihood, model.extra)
    gradient.append(
        extra.weight @ leverage + extra.score @ predicted - 2 * extra.loglik.sum(axis=1)
    )
    deviance = state.penalized + factor.logdet
    return Point(parameters, deviance, np.concatenate(gradient), state, factor)


def measure_information(cells: Cells, point: Point) -> np.ndarray:
    """Compute the information on the coefficients at given theta: X'WX - X'WZL M^-1 L'Z'WX."""
    model = Model(cells, point.parameters)
    weight, design = point.state.likelihood.weight, cells.design
    crossed = [model.add_up(weight * column[cells.pattern]) for column in design.T]
    solved = [model.solve(point.factor, column) for column in crossed]
    by_pattern = np.bincount(cells.pattern, weight, len(design))
    return design.T @ (by_pattern[:, None] * design) - np.array(crossed) @ np.array(solved).T


def invert_cholesky(triangle: np.ndarray) -> np.ndarray:
    """Invert a matrix from its upper Cholesky factor."""
    if not len(triangle):
        return triangle
    half, _ = dpotri(triangle, lower=False)
    inverse = half + half.T
    np.fill_diagonal(inverse, np.diag(half))
    return inverse
