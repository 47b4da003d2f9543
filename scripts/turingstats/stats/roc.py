"""How well confidence distinguishes right from wrong verdicts: the area under its ROC curve.

The area is the probability that a right verdict was given with more confidence than a wrong one, with ties
counted half: 0.5 if confidence is uninformative. It does not depend on the scale of confidence, so "5 of 7"
and "80 %" can be compared.
"""

import numpy as np
from scipy.stats import norm, rankdata

METHOD = (
    "area under the ROC curve of confidence, right against wrong verdicts of all judges; Obuchowski's "
    "variance for clusters, interval on the logit scale"
)


def compute_roc_area(right, confidence, judges, level):
    """Compute the area under the ROC curve of confidence, with an interval clustered by judge.

    Parameters
    ----------
    right : array-like of bool, shape (n,)
    confidence : array-like of float, shape (n,)
    judges : array-like, shape (n,)
    level : float

    Returns
    -------
    dict
        value, k (right verdicts), n, n_judges, ci_low, ci_high. All except the counts are nan without
        both right and wrong verdicts; the interval also with fewer than two judges on either side.

    Notes
    -----
    Obuchowski (1997), Biometrics 53, 567-578: the placement of a verdict is the share of those on the other
    side that it exceeds. Sums of placements by judge, minus their expected values, give the variances of
    both sides and their covariance. With one verdict per judge this is DeLong's variance.
    """

    right = np.asarray(right, bool)
    sure = np.asarray(confidence, float)
    codes = np.unique(np.asarray(judges, str), return_inverse=True)[1]
    number = int(codes.max()) + 1 if len(codes) else 0
    k, n = int(right.sum()), len(right)
    area = {"k": k, "n": n, "n_judges": number}
    area |= dict.fromkeys(("value", "ci_low", "ci_high"), np.nan)
    if not 0 < k < n:
        return area
    ranks, placements = rankdata(sure), np.empty(n)
    placements[right] = (ranks[right] - rankdata(sure[right])) / (n - k)
    placements[~right] = 1 - (ranks[~right] - rankdata(sure[~right])) / k
    value = float(placements[right].mean())
    area["value"] = value
    centered = placements - value
    deviations, sizes, sides = [], [], []
    for side in (right, ~right):
        deviations.append(np.bincount(codes[side], centered[side], number))
        sizes.append(int(side.sum()))
        sides.append(len(np.unique(codes[side])))
    if min(sides) < 2 or not 0 < value < 1:
        return area
    variance = sum(
        clusters / (clusters - 1) * float(deviation @ deviation) / size**2
        for deviation, size, clusters in zip(deviations, sizes, sides, strict=True)
    )
    both = number / (number - 1) * float(deviations[0] @ deviations[1])
    variance += 2 * both / (sizes[0] * sizes[1])
    if variance <= 0:
        return area
    half = norm.isf((1 - level) / 2) * np.sqrt(variance) / (value * (1 - value))
    middle = np.log(value / (1 - value))
    low, high = 1 / (1 + np.exp(-np.array([middle - half, middle + half])))
    return area | {"ci_low": float(low), "ci_high": float(high)}
