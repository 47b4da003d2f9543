"""Strengths and differences without a finite estimate: of agents that won, or lost, all their comparisons."""

import numpy as np
import pandas as pd
from scipy.special import ndtri

from turingstats.stats.bradley_terry import (
    BradleyTerry,
    Differences,
    compute_information,
    invert_information,
    list_scores,
    maximize,
)
from turingstats.stats.comparisons import Comparisons, Order
from turingstats.stats.crossed import MIN_UNITS, SMALLEST


def compare_agents(fit: BradleyTerry, comparisons: Comparisons, order: Order) -> Differences:
    """Estimate the differences between all pairs; where they have no finite estimate, by score tests.

    There `se` is the value over z, so that p is that of the score test, and `df` infinite.
    """
    found = fit.estimate_differences()
    n = len(order.group)
    for a, b in zip(*np.nonzero(np.triu(order.group[:, None] != order.group)), strict=True):
        contrast = np.eye(n + 2)[a] - np.eye(n + 2)[b]
        z = assess_contrast(comparisons, n, fit.estimated[0], contrast)
        found.se[[a, b], [b, a]] = imply_error(found.value[a, b], z)
        found.df[[a, b], [b, a]] = np.inf
    return found


def estimate_strength_errors(
    fit: BradleyTerry, comparisons: Comparisons, order: Order
) -> tuple[np.ndarray, np.ndarray]:
    """Estimate standard errors and degrees of freedom of all strengths, shape (agents,).

    Where a strength has a limit on one side only, that of the score test; nan where it has none.
    """
    n, base = len(order.group), order.find_base()
    se, df = np.full((2, n), np.nan)
    for at, (low, high) in enumerate(zip(*order.find_open_ends(), strict=True)):
        contrast = np.eye(n + 2)[at]
        if low != high:
            contrast[:n] -= base / base.sum()
            z = assess_contrast(comparisons, n, fit.estimated[0], contrast)
            se[at], df[at] = imply_error(fit.strength[at], z), np.inf
        elif not low:
            se[at], df[at] = fit.estimate_error(at)
    return se, df


def assess_contrast(
    comparisons: Comparisons, number: int, places: bool, contrast: np.ndarray
) -> float:
    """Test that a contrast of strengths is 0 that has no finite estimate; return z.

    Notes
    -----
    Choices about agents who won everything do not vary, so that Wald's test says nothing. The score test
    asks how far a step from the best fit with the contrast 0 goes, relative to its error there: the larger
    of those over judges and over stimuli, which both hold the step itself. If all of J judges agree, z is
    at most the square root of J; and p is at least that of a sign test of judges, or of stimuli, 2^(1 - J).
    """
    maximum = maximize(comparisons, number, places, ties=False, null=contrast)
    assert maximum is not None  # With the penalty there always is one.
    information = compute_information(maximum.choices.covariance, comparisons.sum_pairs(number))
    free = np.array([True] * number + [places, False])
    moved = invert_information(information, free, None) @ contrast
    columns, values = list_scores(comparisons, maximum.choices, places, ties=False)
    influence = (moved[columns] * values).sum(axis=0)
    concerned = np.abs(contrast[:number]) > 0
    rows = concerned[comparisons.first] | concerned[comparisons.second]
    largest, fewest = 0.0, np.inf
    for unit in (comparisons.judge, comparisons.stimulus):
        units = 0 if unit is None else len(np.unique(unit[rows]))
        if units >= MIN_UNITS:
            sums = np.bincount(pd.factorize(unit)[0], influence)
            largest, fewest = max(largest, (sums**2).sum()), min(fewest, units)
    if not largest > SMALLEST**2:
        return np.nan
    z = influence.sum() / np.sqrt(largest)
    return float(np.copysign(min(abs(z), -ndtri(0.5**fewest)), z))


def imply_error(value: float, z: float) -> float:
    """Compute the error by which a value has this z; infinite if the test points the other way."""
    return value / z if value * z > 0 else np.nan if np.isnan(z) else np.inf


def is_determined(comparisons: Comparisons, order: Order) -> bool:
    """Tell whether the agents, or the place of an option, alone determine choices.

    Then an advantage of the first place has no finite estimate.
    """
    inside = order.group == 0
    rows = inside[comparisons.first] & inside[comparisons.second]
    if not rows.any():
        return True
    number = np.cumsum(inside) - 1
    part = comparisons.select(rows)
    part = part._replace(first=number[part.first], second=number[part.second])
    return maximize(part, int(inside.sum()), True, False, penalized=False) is None
