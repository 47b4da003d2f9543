"""How well a grade distinguishes two kinds of trials: the area under its ROC curve.

A grade is the confidence in right and wrong verdicts, or the rating of machines' and people's responses. The
area is the probability that it is higher in a trial of the first kind than in one of the second, with ties
counted half: 0.5 if it is uninformative. It does not depend on the scale, so "5 of 7" and "80 %" can be
compared.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from turingstats.stats.intervals import compute_logit_interval

METHOD = (
    "area under the ROC curve of confidence, right against wrong verdicts of all judges; Obuchowski's "
    "variance for clusters, interval on the logit scale"
)


def find_roc_points(
    machine: ArrayLike, grades: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find false alarms, hits and criteria of all points of an ROC curve."""
    # Imported here: it takes a second, and few studies have grades.
    from sklearn.metrics import roc_curve

    return roc_curve(machine, grades, drop_intermediate=False)


def compute_roc_area(
    right: ArrayLike, confidence: ArrayLike, judges: ArrayLike, level: float
) -> dict[str, Any]:
    """Compute the area under the ROC curve of confidence, with an interval clustered by judge.

    Parameters
    ----------
    right : array-like of bool, shape (n,)
    confidence : array-like of float, shape (n,)
    judges : array-like, shape (n,)
        Units that vary together: judges, or the stimuli of a single judge.

    Returns
    -------
    dict
        value, k (right verdicts), n, n_judges, se, ci_low, ci_high. All except the counts are nan without
        both right and wrong verdicts; se and the interval also with fewer than two judges on either side.

    Notes
    -----
    Obuchowski (1997), Biometrics 53, 567-578: the placement of a verdict is the share of those on the other
    side that it exceeds. Sums of placements by judge, minus their expected values, give the variances of
    both sides and their covariance. With one verdict per judge this is DeLong's variance.
    """
    right = np.asarray(right, bool)
    names, codes = np.unique(np.asarray(judges), return_inverse=True)
    number = len(names)
    area: dict[str, Any] = {"k": int(right.sum()), "n": len(right), "n_judges": number}
    area |= dict.fromkeys(("value", "se", "ci_low", "ci_high"), np.nan)
    if not 0 < area["k"] < area["n"]:
        return area
    area["value"], influence = linearize_area(right, confidence)
    sides = [np.bincount(codes[side], influence[side], number) for side in (right, ~right)]
    units = [len(np.unique(codes[side])) for side in (right, ~right)]
    if min(units) < 2:
        return area
    variance = sum(n / (n - 1) * part @ part for part, n in zip(sides, units, strict=True))
    variance += 2 * number / (number - 1) * sides[0] @ sides[1]
    if not 0 < area["value"] < 1 or variance <= 0:
        return area
    area["se"] = float(np.sqrt(variance))
    low, high = map(float, compute_logit_interval(area["value"], area["se"], level))
    return area | {"ci_low": low, "ci_high": high}


def compute_placements(positive: ArrayLike, grade: ArrayLike) -> np.ndarray:
    """Compute placements: the share of trials of the other kind from which each trial is told correctly.

    `positive` are trials of the kind that should have higher grades. Ties count half; the mean of either kind
    is the area under the ROC curve.
    """
    positive, grade = np.asarray(positive, bool), np.asarray(grade, float)
    k, n = int(positive.sum()), len(positive)
    codes, values = pd.factorize(grade, sort=True)
    placements = np.empty(n)
    for side, number in ((positive, n - k), (~positive, k)):
        others = np.bincount(codes[~side], minlength=len(values))
        below = (np.cumsum(others) - others / 2) / number
        placements[side] = (below if side is positive else 1 - below)[codes[side]]
    return placements


def linearize_area(positive: ArrayLike, grade: ArrayLike) -> tuple[float, np.ndarray]:
    """Compute the area under the ROC curve, and how much each trial moves it.

    Parameters
    ----------
    positive : array-like of bool, shape (n,)
    grade : array-like of float, shape (n,)

    Returns
    -------
    area : float
    influence : array of float, shape (n,)
        The trial's placement minus the area, divided by the number of trials of its kind (DeLong, DeLong &
        Clarke-Pearson 1988, Biometrics 44, 837-845); their sum is 0.
    """
    positive = np.asarray(positive, bool)
    placements = compute_placements(positive, grade)
    area = float(placements[positive].mean())
    sizes = np.where(positive, positive.sum(), (~positive).sum())
    return area, (placements - area) / sizes
