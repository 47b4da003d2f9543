"""Variances of contrasts over judges, or over stimuli, whose numbers of verdicts may be unequal.

Whoever gave a third of the verdicts moves the result, and hides from its error how much: sums of such units
are corrected for their shares, and there are fewer degrees of freedom than units.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SMALLEST = 1e-9
"""Smaller errors are rounding noise of an error of 0."""
ROUNDS = 3
"""How often the relation of a unit's verdicts is estimated, each time with errors corrected for the last."""


class UnitSums(NamedTuple):
    """Sums by unit (judge, or stimulus) and side; arrays of shape (..., units, sides).

    A side is a rate, or a mean, with trials of its own: people's responses and an agent's are the sides of
    detectability.
    """

    influence: np.ndarray  # how much the unit moves the side's part of the quantity
    trials: np.ndarray


class Spread(NamedTuple):
    """Variances of contrasts over judges, stimuli, and verdicts, in units of what is expected of them."""

    # Turns contrasts into uncorrelated ones of variance 1 if units are alike on all sides; (..., q, q).
    root: np.ndarray
    by_unit: tuple[np.ndarray, ...]  # variance over each kind of unit, shape (..., q, q)
    by_verdict: np.ndarray
    common: np.ndarray  # what of `by_verdict` is in the variances over both kinds of unit
    dfs: tuple[np.ndarray, ...]  # degrees of freedom of the traces of `by_unit`, shape (...)


def estimate_spread(units: Sequence[UnitSums], verdicts: np.ndarray, weights: np.ndarray) -> Spread:
    """Estimate how much contrasts vary over each kind of unit.

    Parameters
    ----------
    units : sequence of UnitSums
        By judge, by stimulus, or by both, in this order.
    verdicts : array, shape (..., sides, sides)
        Products of the influence of each pair of judge and stimulus on two sides, summed.
    weights : array, shape (contrasts, sides)

    Notes
    -----
    Sums of units are corrected (`correct_sums`) with the relation of verdicts that the variances show.
    Degrees of freedom (`count_freedom`) are the geometric mean of those if verdicts were unrelated, which are
    too many where units differ, and of those with the relation, which are too few since a unit that decides
    the error decides the estimate, too (docs/coverage.md). See `leave_to_verdicts` for what is `common`.
    """
    trials = units[0].trials.sum(axis=-2)
    alone = np.einsum("...ss->...s", verdicts)
    shares = [divide(part.trials, part.trials.sum(axis=-2, keepdims=True)) for part in units]
    # How many other verdicts of its unit a verdict has, on average.
    others = [trials * (share**2).sum(axis=-2) - 1 for share in shares]
    others = [np.where(more > SMALLEST, more, 0) for more in others]
    related = [np.zeros(trials.shape[:-1]) for _ in units]
    for _ in range(ROUNDS):
        added = sum(r[..., None] * more for r, more in zip(related, others, strict=True))
        expected = alone * (1 + added)
        root = invert_root((weights * expected[..., None, :]) @ weights.T)
        turned = root @ weights
        squared = np.einsum("...qs,...qs->...s", turned, turned)
        by_verdict = turned @ verdicts @ np.swapaxes(turned, -1, -2)
        by_unit, found = [], []
        for k, (part, share) in enumerate(zip(units, shares, strict=True)):
            factor, _ = correct_sums(share, trials, related[k])
            corrected = np.sqrt(factor) * part.influence
            found.append((corrected**2).sum(axis=-2))
            moved = corrected @ np.swapaxes(turned, -1, -2)
            by_unit.append(np.swapaxes(moved, -1, -2) @ moved)
            excess = trace(by_unit[k]) - trace(by_verdict)
            reached = (squared * alone * others[k]).sum(axis=-1)
            related[k] = np.clip(divide(excess, reached), 0, 1)
    outer = np.swapaxes(turned, -1, -2) @ turned
    dfs = [
        np.sqrt(count_freedom(share, trials, np.stack([0 * r, r]), of_side, outer).prod(axis=0))
        for share, r, of_side in zip(shares, related, found, strict=True)
    ]
    left = verdicts if len(units) < 2 else leave_to_verdicts(verdicts, shares, trials, related)
    common = turned @ left @ np.swapaxes(turned, -1, -2)
    return Spread(root, tuple(by_unit), by_verdict, common, tuple(dfs))


def leave_to_verdicts(
    verdicts: np.ndarray,
    shares: Sequence[np.ndarray],
    trials: np.ndarray,
    related: Sequence[np.ndarray],
) -> np.ndarray:
    """Reduce the products of verdicts to what is not due to judges and stimuli; see `estimate_spread`.

    Of a design in which all judges see all stimuli, sums by judge do not vary with the stimuli.
    """
    seen = np.prod([(share**2).sum(axis=-2) for share in shares], axis=0) * trials
    left = np.sqrt(np.clip(1 - np.sum(related, axis=0)[..., None] * seen, 0, 1))
    return verdicts * left[..., :, None] * left[..., None, :]


def correct_sums(
    share: np.ndarray, trials: np.ndarray, related: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute by what squared sums of units are multiplied.

    A unit's sums are too small by its own share of the mean that they depart from. With the factor, their
    squares have the right size on average if units of a kind are alike and their verdicts related: with
    unrelated verdicts, CR2 (Bell & McCaffrey 2002, Survey Methodology 28, 169-181; Pustejovsky & Tipton 2018,
    Journal of Business & Economic Statistics 36, 672-683); with equal numbers, G / (G - 1).

    Parameters
    ----------
    share : array, shape (..., units, sides)
        Of the trials of a side that are the unit's.
    trials : array, shape (..., sides)
    related : array, shape (...)
        Correlation of the verdicts of a unit: 0 for CR2.

    Returns
    -------
    factor, weight : arrays, shape (..., units, sides)
        The weight is that of the variance of the unit's sums: n (1 + r (n - 1)) of n verdicts with the
        correlation r.
    """
    number = share * trials[..., None, :]
    weight = share * np.maximum(1 + related[..., None, None] * (number - 1), 0)
    expected = weight * (1 - 2 * share) + share**2 * weight.sum(axis=-2, keepdims=True)
    return divide(weight, expected), weight


def count_freedom(
    share: np.ndarray,
    trials: np.ndarray,
    related: np.ndarray,
    variances: np.ndarray,
    outer: np.ndarray,
) -> np.ndarray:
    """Count the degrees of freedom of the trace of a variance over units; shape (...).

    Parameters
    ----------
    share, trials, related
        As for `correct_sums`.
    variances : array, shape (..., sides)
        Of each side over the units.
    outer : array, shape (..., sides, sides)
        Products of the weights of two sides in the contrasts, summed.

    Notes
    -----
    Satterthwaite: twice the square of the mean, by the variance. The covariance of the corrected sums of
    units i and j on one side is C_ij = a_i a_j (w_i [i = j] - h_i w_j - w_i h_j + h_i h_j sum w), with the
    factor a^2, the share h and the weight w; the variance is twice the sum of squares of C over sides.
    """
    factor, weight = correct_sums(share, trials, related)
    weight = weight * divide(variances, weight.sum(axis=-2))[..., None, :]
    total = weight.sum(axis=-2)
    own = factor * weight
    h, w = np.sqrt(factor) * share, np.sqrt(factor) * weight
    less = total[..., None, :] * h**2 - 2 * h * w
    hh, hw, ww, both, mixed = (
        np.swapaxes(one, -1, -2) @ other
        for one, other in ((h, h), (h, w), (w, w), (own, own), (own, less))
    )
    wh = np.swapaxes(hw, -1, -2)
    of_row, of_column = total[..., :, None], total[..., None, :]
    squares = both + mixed + np.swapaxes(mixed, -1, -2)
    squares += of_row * of_column * hh**2 - 2 * hh * (of_row * hw + of_column * wh)
    squares += 2 * (hh * ww + hw * wh)
    mean = (np.einsum("...ss->...s", outer) * total).sum(axis=-1)
    return divide(mean**2, (outer**2 * squares).sum(axis=(-1, -2)))


def divide(numerator: ArrayLike, denominator: ArrayLike) -> np.ndarray:
    """Divide, with 0 where the denominator is not positive."""
    positive = np.greater(denominator, 0)
    return np.where(positive, np.divide(numerator, np.where(positive, denominator, 1)), 0.0)


def trace(matrix: np.ndarray) -> np.ndarray:
    """Sum the diagonal of the last two axes."""
    return np.trace(matrix, axis1=-2, axis2=-1)


def invert_root(matrix: np.ndarray) -> np.ndarray:
    """Invert the square root of symmetric matrices; nan where they are not positive definite."""
    values, vectors = np.linalg.eigh(matrix)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = vectors / np.sqrt(np.where(values > SMALLEST**2, values, np.nan))[..., None, :]
    return scaled @ np.swapaxes(vectors, -1, -2)


def align_units(parts: Sequence[tuple[np.ndarray, UnitSums]]) -> UnitSums:
    """Put the sides of several groups next to each other, by the names of their units."""
    names, places = np.unique(
        np.concatenate([names for names, _ in parts]).astype(str), return_inverse=True
    )
    sides = [part.trials.shape[-1] for _, part in parts]
    aligned = UnitSums(*np.zeros((2, len(names), sum(sides))))
    ends = np.cumsum([len(of_part) for of_part, _ in parts])
    for at, end, number, (_, part) in zip(
        np.split(places, ends[:-1]), np.cumsum(sides), sides, parts, strict=True
    ):
        for table, own in zip(aligned, part, strict=True):
            # Names may be those of one person twice.
            np.add.at(table[:, end - number : end], at, own)
    return aligned
