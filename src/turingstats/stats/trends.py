"""Change of verdicts along a scale, such as the length of a conversation.

There are two methods: lines through each judge's rates, whose slopes are compared with 0 over judges, and
binomial regression of the counts.
"""

from dataclasses import replace

import numpy as np
from scipy import stats

from turingstats.stats import effects
from turingstats.stats.hypothesis import ranks
from turingstats.stats.hypothesis.outcome import NAN, Outcome, cite_library, make_undefined_outcome
from turingstats.stats.quantities import rate


def fit_lines(
    x: np.ndarray, values: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Fit a least-squares line through each judge's values: slopes and intercepts, shape (judges,).

    `x` are positions of the levels; `values` and `weights` have shape (judges, levels). A judge with values
    at fewer than two levels has nan.
    """
    x, values = np.asarray(x, dtype=float), np.asarray(values, dtype=float)
    defined = ~np.isnan(values)
    w = np.where(defined, weights, 0.0)
    y = np.where(defined, values, 0.0)
    center = rate(w @ x, w.sum(axis=1))
    height = rate((w * y).sum(axis=1), w.sum(axis=1))
    apart = x - center[:, None]
    slope = rate(np.nansum(w * apart * y, axis=1), np.nansum(w * apart**2, axis=1))
    slope[defined.sum(axis=1) < 2] = np.nan
    return slope, height - slope * center


def fit_lines_by_linregress(x: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit the lines of `fit_lines` with scipy.stats.linregress, with equally weighted levels.

    They are equal except for rounding noise in the last digits.
    """
    lines = np.full((2, len(values)), NAN)
    for judge, defined in enumerate(~np.isnan(values)):
        if defined.sum() > 1:
            lines[:, judge] = stats.linregress(x[defined], values[judge, defined])[:2]
    return lines[0], lines[1]


def assess_slopes(
    x: np.ndarray,
    right: np.ndarray,
    n: np.ndarray,
    weighted: bool,
    level: float = 0.95,
    routine: str = "exact",
) -> Outcome:
    """Test whether judges' rates change along a scale: Wilcoxon signed-rank test of their slopes.

    Parameters
    ----------
    x : array, shape (levels,)
        Positions on the scale, such as numbers of exchanges.
    right, n : array of int, shape (judges, levels)
        Right verdicts and trials.
    weighted : bool
        Whether a judge's levels are weighted by their number of verdicts (the line through single verdicts)
        or equally.
    routine : {"exact", "linregress"}
        linregress, only for equally weighted levels: the lines are those of `fit_lines_by_linregress`, and
        unrounded slopes are ranked, with ties broken by rounding noise.

    Returns
    -------
    Outcome
        z as in `turingstats.stats.hypothesis.ranks.wilcoxon`, with exact ties unless another routine is
        chosen; the effect is the mean slope over judges, with the interval of Student's t.
    """
    slope, _, how = fit_judges(np.asarray(x, dtype=float), right, n, weighted, routine)
    return assess_mean(
        slope, "mean slope", f"least-squares line of each judge, {how}; slopes", routine, level
    )


def assess_residuals(
    x: np.ndarray,
    right: np.ndarray,
    n: np.ndarray,
    held_out: int,
    weighted: bool,
    level: float = 0.95,
    routine: str = "exact",
    decimals: int | None = None,
    continuity: bool = False,
) -> Outcome:
    """Test whether judges' rates at one level depart from the line through their rates at the others.

    Parameters
    ----------
    x, right, n, weighted, level, routine
        As in `assess_slopes`.
    held_out : int
        Index of the level that is left out of the lines and then compared with them.
    decimals : int, optional
        Decimals to which the differences are rounded before they are ranked.
    continuity : bool
        Whether z is moved towards 0 by a correction for continuity.

    Returns
    -------
    Outcome
        z of the differences, rate minus line; the effect is their mean.
    """
    x, right, n = np.asarray(x, dtype=float), np.asarray(right), np.asarray(n)
    x_kept, right_kept, n_kept = (np.delete(part, held_out, axis=-1) for part in (x, right, n))
    slope, intercept, how = fit_judges(x_kept, right_kept, n_kept, weighted, routine)
    difference = rate(right, n)[:, held_out] - (intercept + slope * x[held_out])
    method = (
        f"rate at {x[held_out]:g} minus each judge's least-squares line through the other levels, {how}; "
        "differences"
    )
    if decimals is not None:
        difference, method = (
            np.round(difference, decimals),
            f"{method} rounded to {decimals} decimals",
        )
    return assess_mean(difference, "mean residual", method, routine, level, continuity)


def fit_judges(
    x: np.ndarray, right: np.ndarray, n: np.ndarray, weighted: bool, routine: str
) -> tuple[np.ndarray, np.ndarray, str]:
    """Fit the lines for `assess_slopes`; return slope, intercept, and a description of the fit."""
    if weighted and routine != "exact":
        raise ValueError("this routine fits lines only through equally weighted levels")
    if weighted:
        return *fit_lines(
            x, rate(right, n), np.asarray(n, float)
        ), "levels weighted by their verdicts"
    how = "rate of each level first, levels weighted alike"
    if routine == "exact":
        return *fit_lines(x, rate(right, n), np.ones(np.shape(n))), how
    return *fit_lines_by_linregress(x, rate(right, n)), f"{how}, fitted by scipy.stats.{routine}"


def assess_mean(
    values: np.ndarray, name: str, method: str, routine: str, level: float, continuity: bool = False
) -> Outcome:
    """Test values of judges by signed ranks; the effect is their mean, which has an interval of its own."""
    nouns = ("judge without a value", "judges without a value")
    outcome = ranks.wilcoxon(
        values, 0.0, routine == "exact", level, missing_nouns=nouns, continuity=continuity
    )
    effect, ci_low, ci_high = effects.mean(values[~np.isnan(values)], level)
    signed_ranks = outcome.method.replace(
        "effect with Sen's standard error, Fisher's z", "mean with t interval"
    )
    return replace(
        outcome,
        effect_name=name,
        effect=effect,
        ci_low=ci_low,
        ci_high=ci_high,
        method=f"{method}: {signed_ranks}",
        # The mean has an interval even if the signed ranks have none.
        dropped=outcome.dropped.removesuffix(ranks.ONE_SIGN).removesuffix("; "),
    )


def binomial_regression(
    x: np.ndarray, right: np.ndarray, n: np.ndarray, clustered: bool, level: float = 0.95
) -> Outcome:
    """Fit a logistic regression of right verdicts on a scale.

    Parameters
    ----------
    x, right, n
        As in `assess_slopes`.
    clustered : bool
        False: counts are summed over judges, and all trials are treated as independent. True: standard
        errors are clustered by judge (or conversation).

    Returns
    -------
    Outcome
        Wald z of the slope on the logit scale; the effect is the slope with its Wald interval.
    """
    x, right, n = np.asarray(x, float), np.asarray(right), np.asarray(n)
    if clustered:
        options = 'cov_type="cluster" by judge, use_correction=True (g / (g - 1) * (rows - 1) / (rows - 2))'
    else:
        options = "model-based standard errors, all trials independent"
        right, n = right.sum(axis=0, keepdims=True), n.sum(axis=0, keepdims=True)
    method = cite_library(
        "statsmodels",
        f"GLM(Binomial(), [right, wrong] ~ 1 + x), logit; {options}; Wald z, p = 2 * norm.sf(|z|)",
    )
    used = n > 0
    positions = np.broadcast_to(x, n.shape)[used]
    k, m = right[used], n[used]
    trials = float(m.sum())
    blank = make_undefined_outcome("", "z", "slope (log odds per step)", trials, NAN, method)
    if len(np.unique(positions)) < 2 or k.sum() in (0, m.sum()):
        return blank.refuse("not computed: fewer than 2 levels, or all verdicts alike")
    # Imported here: it takes a quarter of a second, and few studies declare such a test.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM
    from statsmodels.tools import add_constant

    model = GLM(np.column_stack([k, m - k]), add_constant(positions), family=Binomial())
    clusters = {"cov_type": "cluster", "cov_kwds": {"groups": np.nonzero(used)[0]}}
    fitted = model.fit(**clusters if clustered else {})
    effect = fitted.params[1], *fitted.conf_int(1 - level)[1]
    return blank.report(fitted.tvalues[1], fitted.pvalues[1], effect, sizes=n.sum(axis=0))
