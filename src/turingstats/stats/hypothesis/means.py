"""Tests of means: Welch's t and analyses of variance."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import fdtrc, stdtr

from turingstats.stats import effects
from turingstats.stats.hypothesis.outcome import (
    NAN,
    Outcome,
    cite_library,
    count_noun,
    find_reason,
    format_sizes,
    is_constant,
    join_notes,
    make_undefined_outcome,
    remove_nan_from_groups,
)


def welch_t(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Outcome:
    """Compute Welch's t test of two independent means.

    Parameters
    ----------
    a, b : arrays
        Values of the two groups; NaN is removed.

    Returns
    -------
    Outcome
        t, Satterthwaite's degrees of freedom and two-sided p (Welch 1947); the effect is Hedges' g.
    """
    method = cite_library(
        "scipy",
        'stats.ttest_ind(equal_var=False, alternative="two-sided"); g with pooled sd, normal interval',
    )
    (first, second), dropped = remove_nan_from_groups([a, b])
    n1, n2 = len(first), len(second)
    names = ("t", "Hedges' g")
    reason = find_reason(
        (n1 < 2 or n2 < 2, "a group has fewer than 2 values"),
        (is_constant(first) and is_constant(second), "no variation within the groups"),
    )
    if reason:
        return make_undefined_outcome(join_notes(dropped, reason), *names, n1, n2, method)

    result = stats.ttest_ind(first, second, equal_var=False, alternative="two-sided")
    return Outcome(
        names[0], float(result.statistic), f"{result.df:.10g}", float(result.pvalue),
        names[1], *effects.hedges_g(first, second, level), n1, n2, dropped, method,
    )  # fmt: skip


def anova_one_way(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Compute a classical one-way analysis of variance.

    Parameters
    ----------
    groups : sequence of arrays
        Values of each group; NaN is removed.

    Returns
    -------
    Outcome
        F on ``k - 1, n - k`` degrees of freedom; the effect is eta squared, the share of the total
        sum of squares that lies between groups. With one factor, this F equals that of least squares
        with type II sums of squares, and eta squared equals partial eta squared.
    """
    method = cite_library("scipy", "stats.f_oneway(equal_var=True); interval from noncentral F")
    used, dropped = remove_nan_from_groups(groups)
    k, n = len(used), sum(len(group) for group in used)
    names = ("F", "eta squared")
    reason = find_reason(
        (k < 2 or any(len(g) == 0 for g in used), "fewer than 2 groups, or an empty group"),
        (n <= k, "no more values than groups"),
        (all(map(is_constant, used)), "no variation within the groups"),
    )
    if reason:
        return make_undefined_outcome(join_notes(dropped, reason), *names, n, NAN, method)

    f, p = stats.f_oneway(*used)
    between, within = k - 1, n - k
    effect = effects.eta_squared(float(f), between, within, level)
    return Outcome(
        names[0], float(f), f"{between}, {within}", float(p), names[1], *effect, n, NAN,
        dropped, method, format_sizes(len(group) for group in used),
    )  # fmt: skip


def compare_shares_by_welch(right: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute t and p of `welch_t` for many pairs of groups of 0 and 1.

    Parameters
    ----------
    right : array of int, shape (draws, 2)
        Number of ones in each group.
    n : array of int, shape (2,)
        Sizes of the groups.
    """
    share = right / n
    variance = share * (1 - share) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (share[:, 0] - share[:, 1]) / np.sqrt(variance.sum(axis=1))
        df = variance.sum(axis=1) ** 2 / (variance**2 / (n - 1)).sum(axis=1)
    return t, 2 * stdtr(df, -np.abs(t))


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
    values : array, shape (n,)
        Values; rows with a missing value or a missing level are removed.
    factor_a, factor_b : arrays, shape (n,)
        Level of each factor.

    Returns
    -------
    dict of str to Outcome
        ``"a"``, ``"b"`` and ``"a:b"``: F and its degrees of freedom; the effect is partial eta
        squared, ``SS / (SS + SS_residual)``. Type II: each main effect is adjusted for the other,
        the interaction for both (Langsrud 2003).
    """
    method = cite_library(
        "pingouin", "anova(between=[a, b], ss_type=2) with interaction; interval from noncentral F"
    )
    names = ("F", "partial eta squared")
    data = pd.DataFrame(
        {
            "value": np.asarray(values, dtype=float),
            "a": np.asarray(factor_a, dtype=object),
            "b": np.asarray(factor_b, dtype=object),
        }
    )
    complete = data.dropna()
    dropped = ""
    if len(complete) < len(data):
        rows = count_noun(len(data) - len(complete), "row", "rows")
        dropped = f"{rows} with a missing value or level"
    n = len(complete)
    cells = complete.groupby(["a", "b"])["value"]
    sizes = cells.size()
    full = complete["a"].nunique() * complete["b"].nunique()
    alike = all(is_constant(cell.to_numpy()) for _, cell in cells)
    reason = find_reason(
        (complete[["a", "b"]].nunique().min() < 2, "a factor has fewer than 2 levels"),
        (len(sizes) < full, "a combination of levels has no value"),
        (n <= full, "no more values than combinations of levels"),
        (alike, "no variation within the combinations of levels"),
    )
    if reason:
        outcome = make_undefined_outcome(join_notes(dropped, reason), *names, n, NAN, method)
        return {"a": outcome, "b": outcome, "a:b": outcome}

    # Imported here: it takes half a second, and few studies declare such a test.
    import pingouin

    table = pingouin.anova(complete, dv="value", between=["a", "b"], ss_type=2)
    outcomes = {}
    for term, row in zip(("a", "b", "a:b"), table.itertuples(), strict=False):
        f, df = float(row.F), int(row.DF)
        outcomes[term] = Outcome(
            names[0], f, f"{df}, {n - full}", float(row.p_unc), names[1],
            *effects.eta_squared(f, df, n - full, level), n, NAN, dropped, method,
            format_sizes(sizes),
        )  # fmt: skip
    return outcomes
