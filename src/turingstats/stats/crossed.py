"""Errors of a quantity when judges and stimuli are both samples.

Judges of one study often see the same stimuli. Conclusions are meant for other judges and for other stimuli,
so that both vary from study to study: errors that take judges alone for a sample are too small where
stimuli differ, and more judges do not help. The errors here hold for both, in closed form.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csc_array
from scipy.special import fdtrc, stdtr, stdtrit

from turingstats.stats.clustered import SMALLEST, UnitSums, estimate_spread, trace
from turingstats.stats.intervals import compute_logit_interval

MIN_UNITS = 5
"""Judges, or stimuli, that are too few to estimate how they differ."""
MANY = 1e9
"""Degrees of freedom of a variance that is known."""


class CrossedError(NamedTuple):
    """Standard error over judges and stimuli, and what it is made of; arrays of shape (...)."""

    # Standard error over those of judges and stimuli that are a sample; nan if neither is.
    se: np.ndarray
    df: np.ndarray  # degrees of freedom of its variance
    # Variances over judges alone and over stimuli alone; nan where they are not a sample.
    judges: np.ndarray
    stimuli: np.ndarray
    verdicts: np.ndarray  # variance over pairs of judge and stimulus

    def pick(self, index: int) -> "CrossedError":
        """Pick the error of one quantity of several."""
        return CrossedError(*(part[index] for part in self))


class Combined(NamedTuple):
    """Mean variance of contrasts, and its degrees of freedom; shape (...)."""

    variance: np.ndarray
    df: np.ndarray


def combine_units(
    parts: Sequence[np.ndarray],
    dfs: Sequence[np.ndarray],
    verdicts: np.ndarray,
    common: ArrayLike,
) -> Combined:
    """Combine variances over judges, over stimuli, or over both, and over verdicts; shape (...).

    `common` is what counts once, though it is in both, less what people in both roles add.

    Notes
    -----
    V = V_judges + V_stimuli - V_common (Cameron, Gelbach & Miller 2011, Journal of Business & Economic
    Statistics 29, 238-249); of one kind of unit, its variance alone. The degrees of freedom are those of
    Satterthwaite (1946, Biometrics Bulletin 2, 110-114), at least 1. Judges and stimuli only add to
    V_verdicts: V is at least this variance, divided by one plus the relative standard error that V has if
    they add nothing. Without a floor tests reject too often, and at the larger of V_judges and V_stimuli too
    seldom where judges and stimuli are alike (docs/calibration.md).
    """
    if len(parts) == 1:
        return Combined(parts[0], np.maximum(dfs[0], 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Standard error of the variance, in its units, if judges and stimuli add nothing to verdicts.
        margin = np.sqrt(np.sum([2 / df for df in dfs], axis=0))
        variance = np.maximum(np.sum(parts, axis=0) - common, verdicts / (1 + margin))
        noise = sum(part**2 / df for part, df in zip(parts, dfs, strict=True))
        return Combined(variance, np.clip(variance**2 / noise, 1, MANY))


def estimate_crossed_error(
    influence: ArrayLike,
    judges: ArrayLike | None,
    stimuli: ArrayLike | None,
    trials: ArrayLike | None = None,
    enough: Sequence[ArrayLike] = (True, True),
    both_roles: tuple[np.ndarray, np.ndarray] | None = None,
) -> CrossedError:
    """Estimate the standard error of a quantity over judges and stimuli.

    Parameters
    ----------
    influence : array of float, shape (rows, ...), or (rows, sides, ...) if `trials` are given
        How much each row of verdicts moves the quantity: its counts times the derivatives of the
        quantity by its counts (`turingstats.stats.quantities.differentiate_quantity`).
    judges, stimuli : array, shape (rows,)
        None if they are not known or no sample. Rows of the same judge and stimulus are one verdict.
    trials : array, shape (rows, sides, ...), optional
        Trials of each row on each side (`UnitSums`), or their weights; only judges and stimuli with trials
        count. By default one on one side.
    enough : two arrays of bool, shape (...)
        Whether judges, and whether stimuli, are enough to be a sample. Fewer than two never are.
    both_roles : two arrays of int, optional
        Numbers among `judges`, and among `stimuli`, of people who judge and are judged, in the same order.

    Returns
    -------
    CrossedError
        Where no stimulus is shown to two judges, that over judges.

    Notes
    -----
    Two-way clustered variance of the linearized quantity (`combine_units`), corrected for shares of units
    (`estimate_spread`). The verdicts by a person and those on the same person may be related: twice the
    product of how much both move the quantity is added, summed over people in both roles (dyadic clusters;
    Aronow, Samii & Assenova 2015, Political Analysis 23, 564-577).
    """
    influence = np.asarray(influence, float)
    if trials is None:
        influence = influence[:, None]
        trials = np.ones_like(influence)
    trials = np.broadcast_to(np.asarray(trials, float), influence.shape)
    units = [
        None if unit is None else sum_sides(influence, trials, *number_people(unit, people))
        for unit, people in zip((judges, stimuli), both_roles or (None, None), strict=True)
    ]
    pairs = None if judges is None or stimuli is None else number_pairs(judges, stimuli)
    return combine_unit_sums(units, multiply_pairs(influence, pairs), enough, both_roles)


def estimate_mean_error(
    values: ArrayLike,
    judges: ArrayLike | None,
    stimuli: ArrayLike | None = None,
    both_roles: tuple[np.ndarray, np.ndarray] | None = None,
) -> CrossedError:
    """Estimate the errors of means of rows, shape (rows, ...), over the judges and stimuli that are given."""
    values = np.asarray(values, float)
    influence = (values - values.mean(axis=0)) / len(values)
    return estimate_crossed_error(influence, judges, stimuli, both_roles=both_roles)


def combine_unit_sums(
    units: Sequence[UnitSums | None],
    verdicts: np.ndarray,
    enough: Sequence[ArrayLike] = (True, True),
    both_roles: tuple[np.ndarray, np.ndarray] | None = None,
) -> CrossedError:
    """Estimate standard errors from sums by judge and by stimulus; see `estimate_crossed_error`.

    `verdicts` are as for `estimate_spread`; people in both roles are places in both sums.
    """
    used = [place for place, unit in enumerate(units) if unit is not None]
    parts = [unit for unit in units if unit is not None]
    spread = estimate_spread(parts, verdicts, np.ones((1, verdicts.shape[-1])))
    scale = np.nan_to_num(spread.root[..., 0, 0] ** -2.0)
    alone = verdicts.sum(axis=(-1, -2))
    variances, dfs = np.full((2, 2, *np.shape(alone)), np.nan)
    for place, unit, part, df in zip(used, parts, spread.by_unit, spread.dfs, strict=True):
        number = unit.trials.any(axis=-1).sum(axis=-1)
        sampled = (number > 1) & np.asarray(enough[place], bool)
        variances[place] = np.where(sampled, np.nan_to_num(part[..., 0, 0]) * scale, np.nan)
        dfs[place] = np.where(sampled, np.maximum(df, 1), np.nan)
    shared = 0.0
    if both_roles is not None and len(parts) == 2:
        moved = [
            part.influence.sum(axis=-1)[..., people]
            for part, people in zip(parts, both_roles, strict=True)
        ]
        shared = 2 * (moved[0] * moved[1]).sum(axis=-1)
    common = np.nan_to_num(spread.common[..., 0, 0]) * scale
    variance, df = combine_units(variances, dfs, alone, common - shared)
    crossed = np.isfinite(variance)
    variance = np.where(crossed, variance, np.fmax(*variances))
    df = np.where(crossed, df, np.fmax(*dfs))[()]
    return CrossedError(np.sqrt(variance), df, variances[0], variances[1], alone)


def number_people(unit: ArrayLike, people: np.ndarray | None) -> tuple[np.ndarray, int]:
    """Number judges, or stimuli, from 0; people in both roles keep their numbers, which are so many."""
    if people is None:
        return pd.factorize(np.asarray(unit))[0], 0
    return np.asarray(unit), people.max(initial=-1) + 1


def sum_sides(
    influence: np.ndarray, trials: np.ndarray, unit: np.ndarray, number: int = 0
) -> UnitSums:
    """Sum what rows move each side, and their trials, shape (rows, sides, ...), by numbers of their units.

    There are at least `number` units.
    """
    both = sum_by_code(np.stack([influence, trials], axis=1), unit, number)
    return UnitSums(*np.moveaxis(np.moveaxis(both, 1, 0), (1, 2), (-2, -1)))


def multiply_pairs(influence: np.ndarray, pairs: ArrayLike | None = None) -> np.ndarray:
    """Sum the products of what each pair of judge and stimulus moves two sides, shape (..., sides, sides).

    `influence` is that of rows, shape (rows, sides, ...), and `pairs` numbers the pair of each; by default
    each row is one.
    """
    by_pair = influence
    if pairs is not None:
        codes, distinct = pd.factorize(np.asarray(pairs))
        by_pair = influence if len(distinct) == len(codes) else sum_by_code(influence, codes)
    return np.einsum("ra...,rb...->...ab", by_pair, by_pair)


def relate_both_roles(
    judges: tuple[np.ndarray, np.ndarray], stimuli: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Compute what people in both roles add to the variance of contrasts; shape (contrasts, contrasts).

    `judges` and `stimuli` are names, of which one person has the same in both, and how much each row moves
    the contrasts, shape (rows, contrasts).
    """
    people, codes = np.unique(
        np.concatenate([judges[0], stimuli[0]]).astype(str), return_inverse=True
    )
    by_person = np.zeros((2, len(people), judges[1].shape[1]))
    for role, (part, (_, influence)) in enumerate(
        zip(np.split(codes, [len(judges[0])]), (judges, stimuli), strict=True)
    ):
        np.add.at(by_person[role], part, influence)
    shared = by_person[0].T @ by_person[1]
    return shared + shared.T


def sum_by_unit(values: np.ndarray, unit: ArrayLike) -> np.ndarray:
    """Sum the rows of each judge, or of each stimulus; shape (units, ...)."""
    return sum_by_code(values, number_units(unit))


def sum_by_code(values: np.ndarray, codes: np.ndarray, number: int = 0) -> np.ndarray:
    """Sum the rows of each of at least so many units, numbered from 0; shape (units, ...)."""
    n, number = len(codes), max(number, codes.max(initial=-1) + 1)
    belongs = csc_array((np.ones(n), codes, np.arange(n + 1)), shape=(number, n))
    others = values.shape[1:]
    return (belongs @ values.reshape(n, math.prod(others))).reshape(number, *others)


def describe_units(error: CrossedError) -> np.ndarray:
    """Name what an error holds for: "judges and stimuli", "judges", "stimuli", or ""."""
    judges, stimuli = np.isfinite(error.judges), np.isfinite(error.stimuli)
    names = ("judges and stimuli", "judges", "stimuli")
    return np.select([judges & stimuli, judges, stimuli], names, "")


class Contrast(NamedTuple):
    """Test that one contrast, or several at once, are 0."""

    statistic: float  # Student's t of one contrast, or F of several
    df: tuple[float, ...]  # degrees of freedom: one number of t, two of F
    p: float  # two-sided
    se: float  # standard error of one contrast; nan for several

    def compute_reach(self, level: float) -> float:
        """Compute half the width of the interval of one contrast at a confidence level."""
        return float(stdtrit(self.df[0], 0.5 + level / 2)) * self.se


NOT_TESTED = Contrast(np.nan, (), np.nan, np.nan)


def assess_contrasts(
    values: np.ndarray,
    units: Sequence[UnitSums],
    verdicts: np.ndarray,
    weights: np.ndarray,
    shared: ArrayLike = 0.0,
) -> Contrast:
    """Test whether contrasts are 0, with errors over judges, stimuli, or both.

    Parameters
    ----------
    values : array, shape (contrasts,)
    units, verdicts, weights
        As for `estimate_spread`; sides are those of all groups of judges, agents or conditions.
    shared : array, shape (contrasts, contrasts)
        What people in both roles add to the variance (`relate_both_roles`).

    Returns
    -------
    Contrast
        nan if a side has fewer than `MIN_UNITS` units, or an error of 0.

    Notes
    -----
    F = c' W^-1 c / tr(W^-1 V), where W is what V would be if units were alike on all sides, and V is as in
    `combine_units`, with traces for variances. No direction of V has to be positive, and none is inverted, so
    that many contrasts of few units can be tested. For several see `count_directions`.
    """
    fewest = min((part.trials > 0).sum(axis=-2).min() for part in units)
    usable = all(np.isfinite(part).all() for part in (values, *(unit.influence for unit in units)))
    if not usable or fewest < MIN_UNITS:
        return NOT_TESTED
    spread, number = estimate_spread(units, verdicts, weights), len(values)
    if not np.isfinite(spread.root).all():
        return NOT_TESTED
    added = spread.root @ np.broadcast_to(shared, (number, number)) @ spread.root
    parts = [trace(part) / number for part in spread.by_unit]
    alone = trace(spread.by_verdict) / number
    common = trace(spread.common - added) / number
    variance, df = combine_units(parts, spread.dfs, alone, common)
    if not variance > SMALLEST**2:
        return NOT_TESTED
    f = float(np.square(spread.root @ values).mean() / variance)
    if number == 1:
        t, se = np.copysign(f**0.5, values[0]), float(variance**0.5 / spread.root[0, 0])
        return Contrast(float(t), (float(df),), float(2 * stdtr(df, -abs(t))), se)
    twice = added - spread.common if len(parts) == 2 else 0.0
    directions = np.sum(spread.by_unit, axis=0) + twice
    first = count_directions(directions, max(float(df) / number, 3.0))
    return Contrast(f, (first, float(df)), float(fdtrc(first, df, f)), np.nan)


def count_directions(matrix: np.ndarray, freedom: float) -> float:
    """Estimate tr(A)^2 / tr(A^2) from an estimate of A with some degrees of freedom (Wishart).

    These are the first degrees of freedom of F, as many as contrasts if W is right (Box 1954, Annals of
    Mathematical Statistics 25, 290-302; Brunner, Dette & Munk 1997, Journal of the American Statistical
    Association 92, 1494-1502); A = W^-1 V as for `assess_contrasts`.
    """
    total, squares, number = trace(matrix) ** 2, (matrix**2).sum(), float(len(matrix))
    known = freedom * squares - total
    if known <= 0:
        return number
    estimate = ((freedom + 1) * total - 2 * squares) / known
    return float(np.clip(estimate, 1, number))


def number_pairs(judges: ArrayLike, stimuli: ArrayLike) -> np.ndarray:
    """Number the pair of judge and stimulus of each row."""
    judge, stimulus = (pd.factorize(np.asarray(unit))[0] for unit in (judges, stimuli))
    return judge * len(stimulus) + stimulus


def number_units(names: ArrayLike) -> np.ndarray:
    """Number judges, stimuli or groups from 0 in the order of their names; shape (rows,)."""
    return np.unique(np.asarray(names), return_inverse=True)[1]


def compute_crossed_interval(
    value: ArrayLike, error: CrossedError, level: float, share: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the interval of a quantity from its error over judges and stimuli.

    Parameters
    ----------
    value : array, shape (...)
    share : bool
        The quantity is a share, whose interval is symmetric on the logit scale and within 0 and 1; it has
        none where it is 0 or 1.

    Returns
    -------
    low, high : arrays, shape (...)
        With Student's t; nan where the error is nan or 0 (all judges and stimuli alike, which does not
        make a rate certain).
    """
    value = np.asarray(value, float)
    se = np.where(error.se > SMALLEST, error.se, np.nan)
    if share:
        return compute_logit_interval(value, se, level, error.df)
    reach = stdtrit(error.df, 0.5 + level / 2) * se
    return value - reach, value + reach


def compute_two_sided_p(value: ArrayLike, se: ArrayLike, df: ArrayLike = np.inf) -> np.ndarray:
    """Compute the two-sided p of Student's t test that quantities are 0; nan without an error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * stdtr(df, -np.abs(np.divide(value, se)))


def compute_p(value: ArrayLike, error: CrossedError) -> np.ndarray:
    """Compute p as `compute_two_sided_p` does; nan also where the error is 0."""
    return compute_two_sided_p(value, np.where(error.se > SMALLEST, error.se, np.nan), error.df)


def describe_estimate(
    value: float, error: CrossedError, level: float, share: bool = True
) -> dict[str, Any]:
    """Describe a quantity by its error, its interval and what these are over, as columns of a table."""
    low, high = compute_crossed_interval(value, error, level, share)
    return {
        "value": float(value),
        "se": float(error.se),
        "df": float(error.df),
        "ci_low": float(low),
        "ci_high": float(high),
        "error_over": str(describe_units(error)),
    }
