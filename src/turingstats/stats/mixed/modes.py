"""Conditional modes of crossed random intercepts, and their covariance, by blocks.

See `turingstats.stats.mixed.laplace` for the notation.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, cholesky
from scipy.sparse import csr_array

from turingstats.stats.mixed.cells import Cells, view_part

SPARSE = 0.15
"""Share of pairs of levels below which a sparse product is faster than a dense one."""

EXACT = 1e-18
"""Modes are found when another step would lower the deviance by less: gradients are exact to its root."""


class State(NamedTuple):
    """What the trials say at given coefficients and modes."""

    modes: np.ndarray
    probability: np.ndarray
    weight: np.ndarray
    loglik: float
    penalized: float  # penalized deviance
    gradient: np.ndarray  # of minus half the penalized deviance, by mode; 0 where the variance is 0
    score: np.ndarray  # Z'(y - mu)


class Factor(NamedTuple):
    """Conditional covariance V of the modes, factorized by blocks.

    Without the dense side, V is known in closed form: for a judge with levels f and weights w_f,
    d_f = t_f / (1 + t_f w_f), q_f = 1 / (1 + t_f w_f), v = t / (1 + t sum(w_f q_f)).
    """

    variance: np.ndarray  # of every mode, a priori
    weight: np.ndarray  # by fine level
    d: np.ndarray
    q: np.ndarray
    v: np.ndarray
    pairs: np.ndarray  # Z_fine' W Z_dense, by part
    coarse: np.ndarray  # sum of q times pairs, (coarse, dense)
    lower: np.ndarray  # Cholesky factor of what is left on the dense side, see `factorize`
    logdet: float


def measure_state(cells: Cells, fixed: np.ndarray, sd: np.ndarray, modes: np.ndarray) -> State:
    """Measure likelihood and its derivatives by the modes; `fixed` is X beta by pattern."""
    eta = cells.predict(modes)
    eta += fixed[cells.pattern]
    small = np.exp(-np.abs(eta))
    over = 1 / (1 + small)
    probability = np.where(eta >= 0, over, small * over)
    # log(1 + exp(eta)), which cannot overflow.
    loglik = cells.successes @ eta - cells.trials @ (np.maximum(eta, 0) + np.log(1 + small))
    score = cells.add_up(cells.successes - cells.trials * probability)
    variance = cells.spread(sd**2)
    alive = variance > 0
    scaled = np.divide(modes, variance, out=np.zeros_like(modes), where=alive)
    return State(
        modes=modes,
        probability=probability,
        weight=cells.trials * small * over**2,
        loglik=float(loglik),
        penalized=float(scaled @ modes - 2 * loglik),
        gradient=np.where(alive, score - scaled, 0),
        score=score,
    )


def factorize(cells: Cells, weight: np.ndarray, sd: np.ndarray) -> Factor:
    """Factorize the conditional covariance of the modes at given weights of the cells.

    Notes
    -----
    With C = Z_fine'WZ_dense and K the covariance of the effects of judges without the dense side, which is
    diag(d) + v q q' for each judge, what is left is the Schur complement 1 + S (Z_dense'WZ_dense - C'KC) S,
    S the standard deviations of the dense side.
    """
    n_fine, n_coarse, n_dense = cells.sizes
    variance = cells.spread(sd**2)
    of_fine, of_coarse, of_dense = cells.split(variance)
    by_fine = np.bincount(cells.fine, weight, n_fine)
    q = 1 / (1 + of_fine * by_fine)
    d = of_fine * q
    by_coarse = np.bincount(cells.coarse_of_fine, by_fine * q, n_coarse)
    v = of_coarse / (1 + of_coarse * by_coarse)
    size = sum(len(part.fine) * part.width for part in cells.parts)
    pairs = np.zeros(size)
    inner = np.zeros((n_dense, n_dense))
    for k, (place, level) in enumerate(zip(cells.place, cells.dense, strict=True)):
        pairs += np.bincount(place, weight, size)
        inner[np.diag_indices(n_dense)] += np.bincount(level, weight, n_dense)
        for other in cells.dense[:k]:
            both = np.bincount(level * n_dense + other, weight, n_dense**2)
            both = both.reshape(n_dense, n_dense)
            inner += both + both.T
    coarse = np.zeros((n_coarse, n_dense))
    for part in cells.parts:
        own = view_part(pairs, part)
        half = own * np.sqrt(d[part.fine])[:, None]
        inner[part.dense, part.dense] -= multiply(half.T, half)
        coarse[:, part.dense] = part.coarse @ (own * q[part.fine][:, None])
    if of_coarse.any():
        half = coarse * np.sqrt(v)[:, None]
        inner -= multiply(half.T, half)
    root = np.sqrt(of_dense)
    inner *= root[:, None] * root
    inner[np.diag_indices(n_dense)] += 1
    lower = cholesky(inner, lower=True, overwrite_a=True, check_finite=False)
    logdet = (
        np.log1p(of_fine * by_fine).sum()
        + np.log1p(of_coarse * by_coarse).sum()
        + 2 * np.log(np.diag(lower)).sum()
    )
    return Factor(variance, by_fine, d, q, v, pairs, coarse, lower, float(logdet))


def multiply(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply two matrices, the left one as a sparse one if most of it is 0."""
    if np.count_nonzero(left) < SPARSE * left.size:
        return csr_array(left) @ right
    return left @ right


def solve_modes(cells: Cells, factor: Factor, right: np.ndarray) -> np.ndarray:
    """Compute V right."""
    n_fine, n_coarse, _ = cells.sizes
    root = np.sqrt(cells.split(factor.variance)[2])

    def solve_eliminated(of_fine, of_coarse):
        shrunk = factor.weight * factor.d * of_fine
        coarse = factor.v * (of_coarse - np.bincount(cells.coarse_of_fine, shrunk, n_coarse))
        return factor.d * (of_fine - factor.weight * coarse[cells.coarse_of_fine]), coarse

    of_fine, of_coarse, of_dense = cells.split(right)
    fine, coarse = solve_eliminated(of_fine, of_coarse)
    both = fine + coarse[cells.coarse_of_fine]
    rest = of_dense.copy()
    for part in cells.parts:
        rest[part.dense] -= both[part.fine] @ view_part(factor.pairs, part)
    dense = root * cho_solve((factor.lower, True), root * rest, check_finite=False)
    explained = np.empty(n_fine)
    for part in cells.parts:
        explained[part.fine] = view_part(factor.pairs, part) @ dense[part.dense]
    by_coarse = np.bincount(cells.coarse_of_fine, explained, n_coarse)
    fine, coarse = solve_eliminated(of_fine - explained, of_coarse - by_coarse)
    return np.concatenate([fine, coarse, dense])


def find_modes(
    cells: Cells, fixed: np.ndarray, sd: np.ndarray, modes: np.ndarray, factor: Factor | None
) -> tuple[State, Factor]:
    """Find the conditional modes, from those of similar parameters.

    An earlier factor is used as long as each step makes the next at least ten times smaller, because a
    step costs far less than a factor.

    Returns
    -------
    state : State
    factor : Factor
        At the modes.
    """
    variance = cells.spread(sd**2)
    state = measure_state(cells, fixed, sd, np.where(variance > 0, modes, 0))
    fresh, last = False, np.inf
    if factor is None or ((factor.variance > 0) != (variance > 0)).any():
        factor, fresh = factorize(cells, state.weight, sd), True
    for _ in range(100):
        step = solve_modes(cells, factor, state.gradient)
        gain = step @ state.gradient
        if gain < EXACT or (fresh and gain < EXACT**0.5):
            break
        if not fresh and gain > 0.01 * last:
            factor, fresh, last = factorize(cells, state.weight, sd), True, np.inf
            continue
        moved = measure_state(cells, fixed, sd, state.modes + step)
        for _ in range(20):
            if moved.penalized <= state.penalized + 1e-12 * abs(state.penalized):
                break
            step, fresh = step / 2, False
            moved = measure_state(cells, fixed, sd, state.modes + step)
        state, last, fresh = moved, gain, False
    if fresh and gain >= EXACT:
        state = measure_state(cells, fixed, sd, state.modes + step)
    return state, factorize(cells, state.weight, sd)
