"""Correction of p values for the number of tests in their family."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

CORRECTIONS = ("bonferroni", "holm", "fdr_bh", "none")


def adjust_p_values(p: ArrayLike, method: str, family_size: int | None = None) -> np.ndarray:
    """Adjust p-values for the number of tests in their family.

    Parameters
    ----------
    p : array, shape (tests,)
        P-values; NaN (a test that could not be computed) is not part of the family and stays NaN.
    method : {"bonferroni", "holm", "fdr_bh", "none"}
        Bonferroni multiplies by the family size ``m``; Holm (1979) multiplies the i-th smallest p
        by ``m - i + 1`` and keeps the order; Benjamini and Hochberg (1995) multiply it by ``m / i`` and keep
        the order, for the rate of false discoveries; none leaves it as it is.
    family_size : int, optional
        Declared number of tests, at least the number of p-values that are not NaN (the default).

    Returns
    -------
    array, shape (tests,)
        Adjusted p-values, at most 1, in the order given.

    Notes
    -----
    The same as `statsmodels.stats.multitest.multipletests`, which collects all garbage at every call.
    """
    if method not in CORRECTIONS:
        raise ValueError(f"method must be one of {', '.join(CORRECTIONS)}, got {method!r}")
    raw = np.asarray(p, dtype=float)
    present = int(np.isfinite(raw).sum())
    size = present if family_size is None else family_size
    if size < present:
        raise ValueError(f"family_size {size} is smaller than the {present} available tests")
    # Tests of the family that are not available count as p = 1.
    order = np.argsort(raw)[:present]
    rank = 1 + np.arange(present)
    times = {"bonferroni": size, "holm": size - rank + 1, "fdr_bh": size / rank, "none": 1}[method]
    corrected = np.minimum(raw[order] * times, 1)
    adjusted = np.full(raw.shape, np.nan)
    if method == "fdr_bh":
        adjusted[order] = np.minimum.accumulate(corrected[::-1])[::-1]
    else:
        adjusted[order] = np.maximum.accumulate(corrected)
    return adjusted


def correct_family(rows: Iterable[dict[str, Any]], correction: str | None) -> None:
    """Add p_adjusted, correction and family_size to rows with p, which are one family.

    For families that no study file declares: `correction` is the configured one, by default Holm's.
    """
    rows, correction = list(rows), correction or "holm"
    adjusted = adjust_p_values([row["p"] for row in rows], correction)
    size = int(np.isfinite(adjusted).sum())
    for row, p in zip(rows, adjusted, strict=True):
        row |= {"p_adjusted": p, "correction": correction, "family_size": size}
