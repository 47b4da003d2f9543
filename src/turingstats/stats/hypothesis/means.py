"""Tests of means: Welch's t and analyses of variance."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import fdtrc

from turingstats.stats import effects
from turingstats.stats.hypothesis import outcome
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome


def welch_t(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute Welch's t test of two independent means, with Hedges' g as effect; NaN is removed."""
    method = outcome.cite_library(
        "scipy",
        'stats.ttest_ind(equal_var=False, alternative="two-sided"); g with pooled sd, normal interval',
    )
    used, dropped = outcome.remove_nan_from_groups([a, b])
    n1, n2 = map(len, used)
    blank = make_undefined_outcome(dropped, "t", "Hedges' g", n1, n2, method)
    refused = blank.refuse_if(
        (min(n1, n2) < 2, "a group has fewer than 2 values"),
        (all(map(outcome.is_constant, used)), "no variation within the groups"),
    )
    if refused:
        return refused
    test = stats.ttest_ind(*used, equal_var=False, alternative="two-sided")
    effect = effects.hedges_g(used[0], used[1], level)
    return blank.report(test.statistic, test.pvalue, effect, f"{test.df:.10g}")


def anova_one_way(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Compute a classical one-way analysis of variance; NaN is removed.

    The effect is eta squared, the share of the total sum of squares that lies between groups. With one
    factor, this F equals that of least squares with type II sums of squares, and eta squared equals partial
    eta squared.
    """
    method = outcome.cite_library(
        "scipy", "stats.f_oneway(equal_var=True); interval from noncentral F"
    )
    used, dropped = outcome.remove_nan_from_groups(groups)
    sizes = [len(group) for group in used]
    k, n = len(used), sum(sizes)
    blank = make_undefined_outcome(dropped, "F", "eta squared", n, NAN, method)
    refused = blank.refuse_if(
        (k < 2 or 0 in sizes, "fewer than 2 groups, or an empty group"),
        (n <= k, "no more values than groups"),
        (all(map(outcome.is_constant, used)), "no variation within the groups"),
    )
    if refused:
        return refused
    f, p = stats.f_oneway(*used)
    effect = effects.eta_squared(float(f), k - 1, n - k, level)
    return blank.report(f, p, effect, f"{k - 1}, {n - k}", sizes)


def compare_shares_by_welch(right: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute t and p of `welch_t` for many pairs of groups of 0 and 1.

    Parameters
    ----------
    right : array of int, shape (draws, 2)
        Number of ones in each group.
    n : array of int, shape (2,)
        Sizes of the groups.
    """
    shares = (right / n).T
    first, second = zip(shares, np.sqrt(shares.T * (1 - shares.T) * n / (n - 1)).T, n, strict=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return stats.ttest_ind_from_stats(*first, *second, equal_var=False)


def compare_shares_by_anova(right: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute F and p of `anova_one_way` for many sets of groups, as `compare_shares_by_welch` does."""
    share, whole = right / n, right.sum(axis=1) / n.sum()
    between, within = len(n) - 1, n.sum() - len(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (n * (share - whole[:, None]) ** 2).sum(axis=1) / between
        f /= (n * share * (1 - share)).sum(axis=1) / within
    return f, fdtrc(between, within, f)


def anova_two_way(
    values: ArrayLike, factor_a: ArrayLike, factor_b: ArrayLike, level: float = 0.95
) -> dict[str, Outcome]:
    """Compute a two-way analysis of variance with interaction and type II sums of squares.

    Parameters
    ----------
    values, factor_a, factor_b : arrays, shape (n,)
        Rows with a missing value or level are removed.

    Returns
    -------
    dict of str to Outcome
        ``"a"``, ``"b"`` and ``"a:b"``; the effect is partial eta squared, ``SS / (SS + SS_residual)``. Type
        II: each main effect is adjusted for the other, the interaction for both (Langsrud 2003).
    """
    method = outcome.cite_library(
        "pingouin", "anova(between=[a, b], ss_type=2) with interaction; interval from noncentral F"
    )
    a, b = (np.asarray(factor, object) for factor in (factor_a, factor_b))
    data = pd.DataFrame({"value": np.asarray(values, float), "a": a, "b": b})
    complete = data.dropna()
    lost, n = len(data) - len(complete), len(complete)
    rows = outcome.count_noun(lost, "row", "rows")
    dropped = f"{rows} with a missing value or level" if lost else ""
    blank = make_undefined_outcome(dropped, "F", "partial eta squared", n, NAN, method)
    levels = complete[["a", "b"]].nunique()
    full = int(levels.prod())
    cells = complete.groupby(["a", "b"])["value"]
    sizes = cells.size()
    alike = all(map(outcome.is_constant, cells.agg(list)))
    refused = blank.refuse_if(
        (levels.min() < 2, "a factor has fewer than 2 levels"),
        (len(sizes) < full, "a combination of levels has no value"),
        (n <= full, "no more values than combinations of levels"),
        (alike, "no variation within the combinations of levels"),
    )
    if refused:
        return dict.fromkeys(("a", "b", "a:b"), refused)

    # Imported here: it takes half a second, and few studies declare such a test.
    import pingouin

    table = pingouin.anova(complete, dv="value", between=["a", "b"], ss_type=2)
    outcomes = {}
    for term, row in zip(("a", "b", "a:b"), table.itertuples(), strict=False):
        f, df = float(row.F), int(row.DF)
        effect = effects.eta_squared(f, df, n - full, level)
        outcomes[term] = blank.report(f, row.p_unc, effect, f"{df}, {n - full}", sizes)
    return outcomes
