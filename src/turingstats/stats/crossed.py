"""Errors of a quantity when judges and stimuli are both samples.

Judges of one study often see the same stimuli. Conclusions are meant for other judges and for other stimuli,
so that both vary from study to study: errors that take judges alone for a sample are too small where
stimuli differ, and more judges do not help. The errors here hold for both, in closed form.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csc_array
from scipy.special import fdtrc, stdtr, stdtrit

from turingstats.stats.intervals import compute_logit_interval

SMALLEST = 1e-9
"""Smaller errors are rounding noise of an error of 0."""
MIN_UNITS = 5
"""Judges, or stimuli, that are too few to estimate how they differ."""


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


def estimate_crossed_error(
    influence: ArrayLike,
    judges: ArrayLike,
    stimuli: ArrayLike | None,
    shown: ArrayLike | None = None,
    enough: Sequence[ArrayLike] = (True, True),
    both_roles: tuple[np.ndarray, np.ndarray] | None = None,
) -> CrossedError:
    """Estimate the standard error of a quantity over judges and stimuli.

    Parameters
    ----------
    influence : array of float, shape (rows, ...)
        How much each pair of judge and stimulus moves the quantity: its counts times the derivatives of the
        quantity by its counts (`turingstats.stats.quantities.differentiate_quantity`).
    judges, stimuli : array, shape (rows,)
        Judge and stimulus of each row; `stimuli` is None if they are not known or no sample.
    shown : array of bool, shape (rows, ...), optional
        Which rows hold trials of the quantity; only their judges and stimuli count. By default all.
    enough : two arrays of bool, shape (...)
        Whether judges, and whether stimuli, are enough to be taken for a sample. Fewer than two never are.
    both_roles : two arrays of int, optional
        People who judge and are judged, as in games of three parties: their numbers among `judges` and among
        `stimuli`, in the same order.

    Returns
    -------
    CrossedError
        Where no stimulus is shown to two judges, the variance is that over judges.

    Notes
    -----
    Two-way clustered variance of the linearized quantity: V = V_judges + V_stimuli - V_verdicts, each of
    the first two times G / (G - 1) for its G units (Cameron, Gelbach & Miller 2011, Journal of Business &
    Economic Statistics 29, 238-249). The difference is noisy with few units, and V is at least the larger
    of the two. Where only judges or only stimuli are a sample, V is their variance alone. The degrees of
    freedom are those of Satterthwaite (1946, Biometrics Bulletin 2, 110-114), from G - 1 of each unit, and
    at least 1. The verdicts by a person and those on the same person may be related: twice the product of how
    much both move the quantity is added, summed over people in both roles (dyadic clusters; Aronow, Samii &
    Assenova 2015, Political Analysis 23, 564-577).
    """
    influence = np.asarray(influence, float)
    shown = np.ones(influence.shape, bool) if shown is None else np.asarray(shown, bool)
    by_verdict = (influence**2).sum(axis=0)
    variances, noise = [], []
    for unit, is_sample in zip((judges, stimuli), enough, strict=True):
        variance = number = np.full(by_verdict.shape, np.nan)
        if unit is not None:
            codes = pd.factorize(np.asarray(unit))[0]
            sums, rows = sum_by_code(np.stack([influence, shown], axis=1), codes).swapaxes(0, 1)
            number = (rows > 0).sum(axis=0)
            number = np.where((number > 1) & np.asarray(is_sample, bool), number, np.nan)
            variance = (sums**2).sum(axis=0) * number / (number - 1)
        variances.append(variance)
        noise.append(variance**2 / (number - 1))
    by_judge, by_stimulus = variances
    shared = 0.0
    if both_roles is not None and stimuli is not None and len(both_roles[0]):
        shared = 2 * (
            sum_rows_of(influence, judges, both_roles[0])
            * sum_rows_of(influence, stimuli, both_roles[1])
        ).sum(axis=0)
    both = combine_variances(by_judge, by_stimulus, by_verdict - shared)
    variance = np.where(np.isfinite(both), both, np.fmax(by_judge, by_stimulus))
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.maximum(variance**2 / np.nansum(noise, axis=0), 1)
    return CrossedError(np.sqrt(variance), df, by_judge, by_stimulus, by_verdict)


def sum_rows_of(values: np.ndarray, codes: ArrayLike, of: np.ndarray) -> np.ndarray:
    """Sum the rows of some units, whose numbers `of` increase; shape (units, ...)."""
    codes = np.asarray(codes)
    rows = np.isin(codes, of)
    sums = np.zeros((len(of), *values.shape[1:]))
    np.add.at(sums, np.searchsorted(of, codes[rows]), values[rows])
    return sums


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


def sum_by_code(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Sum the rows of each unit, numbered from 0; shape (units, ...)."""
    n, number = len(codes), codes.max(initial=-1) + 1
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


class GroupSums(NamedTuple):
    """How much each unit moves each contrast by its rows in one group."""

    influence: np.ndarray  # shape (pairs of group and unit, contrasts)
    # Whole numbers, shape (pairs,); numbered from 0
    group: np.ndarray
    unit: np.ndarray


def sum_by_group(influence: np.ndarray, group: ArrayLike, unit: ArrayLike) -> GroupSums:
    """Sum the rows of each judge, or of each stimulus, in each group; rows as in `estimate_crossed_error`."""
    # Numbers instead of names, which take longer to sort.
    groups, units = number_units(group), number_units(unit)
    number = units.max(initial=-1) + 1
    pairs, codes = np.unique(groups * number + units, return_inverse=True)
    return GroupSums(sum_by_code(influence, codes), pairs // number, pairs % number)


def assess_contrasts(
    values: np.ndarray, sums: Sequence[GroupSums], verdicts: np.ndarray
) -> Contrast:
    """Test whether contrasts of groups are 0, with errors over judges, stimuli, or both.

    Parameters
    ----------
    values : array, shape (contrasts,)
    sums : sequence of GroupSums
        By judge, by stimulus, or by both, in this order. A group is one of judges, an agent, or a level of a
        condition; its judges and stimuli may be in other groups as well.
    verdicts : array, shape (contrasts, contrasts)
        Products of the influence of each pair of judge and stimulus, summed.

    Returns
    -------
    Contrast
        nan if a group has fewer than `MIN_UNITS` units, or if the error is 0.

    Notes
    -----
    V = V_judges + V_stimuli - V_verdicts as in `estimate_crossed_error`, with the factor G / (G - 1) of each
    group. For one contrast, t with Satterthwaite's degrees of freedom; those of V_judges are Welch's for
    different judges in each group, at least G - 1 of the smallest group and at most one less than there are
    judges. For several, the last term of V
    is left out if V is then not larger than both of the first; with W = c' V^-1 c,
    F = W (d - q + 1) / (q d) has q and d - q + 1 degrees of freedom (Hotelling), where d is the number of
    judges, or of stimuli if that is smaller, less the number of groups if these share none, or less one.
    """
    numbers = [np.bincount(part.group) for part in sums]
    usable = np.isfinite(values).all() and all(np.isfinite(part.influence).all() for part in sums)
    if not usable or min(number.min() for number in numbers) < MIN_UNITS:
        return NOT_TESTED
    parts, freedoms, distinct = [], [], []
    for part, number in zip(sums, numbers, strict=True):
        corrected = part.influence * np.sqrt(number / (number - 1))[part.group][:, None]
        by_unit = sum_by_code(corrected, part.unit)
        parts.append(by_unit.T @ by_unit)
        of_groups = np.bincount(part.group, corrected[:, 0] ** 2)
        noise = (np.square(of_groups) / (number - 1)).sum()
        welch = parts[-1][0, 0] ** 2 / noise if noise > 0 else 0.0
        freedoms.append(min(max(welch, number.min() - 1), len(by_unit) - 1))
        distinct.append(len(by_unit))
    if len(values) == 1:
        return assess_one_contrast(float(values[0]), parts, verdicts, freedoms)
    freedom = min(
        n - (len(number) if n == number.sum() else 1)
        for n, number in zip(distinct, numbers, strict=True)
    )
    return assess_several_contrasts(values, parts, verdicts, freedom)


def number_units(names: ArrayLike) -> np.ndarray:
    """Number judges, stimuli or groups from 0 in the order of their names; shape (rows,)."""
    return np.unique(np.asarray(names), return_inverse=True)[1]


def assess_one_contrast(
    value: float, parts: list[np.ndarray], verdicts: np.ndarray, freedoms: list[float]
) -> Contrast:
    """Test one contrast from its variances over each unit and over verdicts; see `assess_contrasts`."""
    by_unit = [float(part[0, 0]) for part in parts]
    variance = by_unit[0]
    if len(parts) == 2:
        variance = float(combine_variances(by_unit[0], by_unit[1], verdicts[0, 0]))
    se = variance**0.5
    if not se > SMALLEST:
        return NOT_TESTED
    noise = sum(v**2 / freedom for v, freedom in zip(by_unit, freedoms, strict=True))
    df = max(variance**2 / noise, 1.0)
    return Contrast(value / se, (df,), float(2 * stdtr(df, -abs(value / se))), se)


def assess_several_contrasts(
    values: np.ndarray, parts: list[np.ndarray], verdicts: np.ndarray, freedom: int
) -> Contrast:
    """Test several contrasts at once; see `assess_contrasts`."""
    variance = sum(parts)
    if len(parts) == 2:
        less = variance - verdicts
        if all(np.linalg.eigvalsh(less - part).min() >= 0 for part in parts):
            variance = less
    number = len(values)
    rest = freedom - number + 1
    if rest < 1 or np.linalg.eigvalsh(variance).min() <= SMALLEST**2:
        return NOT_TESTED
    wald = float(values @ np.linalg.solve(variance, values))
    f = wald * rest / (number * freedom)
    return Contrast(f, (float(number), float(rest)), float(fdtrc(number, rest, f)), np.nan)


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


def compute_p(value: float, error: CrossedError) -> float:
    """Compute the two-sided p of Student's t test that a quantity is 0; nan where the error is nan or 0."""
    if not error.se > SMALLEST:
        return np.nan
    return float(2 * stdtr(error.df, -abs(value / error.se)))


def combine_variances(judges: ArrayLike, stimuli: ArrayLike, verdicts: ArrayLike) -> np.ndarray:
    """Combine variances over judges, stimuli and verdicts; at least the larger of the first two.

    What varies from verdict to verdict is in both of the first two and is taken out once.
    """
    judges, stimuli = np.asarray(judges), np.asarray(stimuli)
    return np.maximum(judges + stimuli - np.asarray(verdicts), np.maximum(judges, stimuli))
