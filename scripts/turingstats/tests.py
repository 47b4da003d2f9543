"""Statistical tests: numbers in, one `Outcome` out.

The tests themselves are those of scipy and statsmodels. What is added here is done once for the
whole project: missing values are removed and counted, equal fractions are made to tie, every test
reports an effect, and every result names the library, version and options it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

NAN = float("nan")

# Rates such as 4/6 - 0.5 and 0.5 - 2/6 are equal, but differ by 1e-16 in floating point. Ranks of
# unrounded values therefore follow the rounding noise instead of the data.
TIE_DECIMALS = 12


@dataclass(frozen=True)
class Outcome:
    """Result of one test.

    Attributes
    ----------
    statistic_name, statistic
        For instance ``"z"`` and its value; NaN if the test is not defined for the data.
    df : str
        Degrees of freedom, such as ``"2"`` or ``"1, 63"``; empty if the test has none.
    p : float
        Two-sided p-value, not adjusted for other tests.
    effect_name, effect, ci_low, ci_high
        Effect size and its 95 % interval; NaN limits where no interval is computed.
    n1, n2 : float
        Values used in each group. ``n2`` is NaN for one group; for three or more groups ``n1`` is
        their sum and ``n2`` NaN.
    dropped : str
        Which values were left out or the test not computed, and why; empty if all were used.
    method : str
        Library, version, function and every option that matters.
    """

    statistic_name: str
    statistic: float
    df: str
    p: float
    effect_name: str
    effect: float
    ci_low: float
    ci_high: float
    n1: float
    n2: float
    dropped: str
    method: str


def _scipy(call: str) -> str:
    import scipy

    return f"scipy {scipy.__version__} {call}"


def _statsmodels(call: str) -> str:
    import statsmodels

    return f"statsmodels {statsmodels.__version__} {call}"


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"


def _without_nan(values: ArrayLike) -> tuple[np.ndarray, int]:
    """Values that are not NaN, and the number of those that are."""
    array = np.asarray(values, dtype=float).ravel()
    missing = np.isnan(array)
    return array[~missing], int(missing.sum())


def _without_nan_groups(groups: Sequence[ArrayLike]) -> tuple[list[np.ndarray], str]:
    """Groups without NaN, and what to say about the values removed."""
    cleaned = [_without_nan(group) for group in groups]
    return [values for values, _ in cleaned], _missing_text(sum(number for _, number in cleaned))


def _missing_text(number: int) -> str:
    return _count(number, "missing value", "missing values") if number else ""


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _undefined(
    reason: str, statistic_name: str, effect_name: str, n1: float, n2: float, method: str
) -> Outcome:
    """Outcome of a test that cannot be computed, with the reason in `dropped`."""
    return Outcome(statistic_name, NAN, "", NAN, effect_name, NAN, NAN, NAN, n1, n2, reason, method)


def undefined(reason: str, statistic_name: str, effect_name: str, n: float) -> Outcome:
    """Outcome of a test that is not one of this module and cannot be computed."""
    return _undefined(reason, statistic_name, effect_name, n, NAN, "not computed")


def _constant(values: np.ndarray) -> bool:
    """Whether all values are equal up to rounding."""
    return len(values) == 0 or float(np.ptp(values)) < 10.0**-TIE_DECIMALS


def wilcoxon(values: ArrayLike, null: float, exact_ties: bool) -> Outcome:
    """One-sample Wilcoxon signed-rank test of ``values`` against ``null``.

    Parameters
    ----------
    values : array, shape (n,)
        One value a judge; NaN where a judge has none.
    null : float
        Value under the null hypothesis.
    exact_ties : bool
        True: differences are rounded to 12 decimals, so that equal fractions tie, and z is signed
        (positive above ``null``). False, the published reading: differences are ranked as they
        are, and z is that of the smaller rank sum, never positive.

    Returns
    -------
    Outcome
        z with ``p = 2 * P(Z > |z|)``; the effect is the matched-pairs rank-biserial correlation
        ``(W+ - W-) / (W+ + W-)`` (Kerby 2014), positive above ``null``.

    Notes
    -----
    Zero differences are dropped (Wilcoxon's own rule). Normal approximation with tie correction,
    without continuity correction: ``z = (W+ - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24
    - sum(t**3 - t) / 48)`` (Hollander & Wolfe 1999, section 3.1).
    """
    from scipy import stats

    options = 'zero_method="wilcox", correction=False, method="asymptotic"'
    if exact_ties:
        alternative, rounding = "greater", f"differences rounded to {TIE_DECIMALS} decimals"
    else:
        alternative, rounding = "two-sided", "differences not rounded"
    method = _scipy(
        f'stats.wilcoxon(values - {null:g}, {options}, alternative="{alternative}").zstatistic; '
        f"p = 2 * norm.sf(|z|); {rounding}"
    )

    used, missing = _without_nan(values)
    difference = used - null
    if exact_ties:
        difference = np.round(difference, TIE_DECIMALS)
    zeros = int(np.sum(difference == 0))
    dropped = _join(
        _missing_text(missing),
        _count(zeros, "zero difference", "zero differences") if zeros else "",
    )
    n = len(difference) - zeros
    names = ("z", "rank-biserial correlation")
    if n == 0:
        reason = _join(dropped, "not computed: no difference from the null value")
        return _undefined(reason, *names, len(used), NAN, method)

    kwargs = {"zero_method": "wilcox", "correction": False, "method": "asymptotic"}
    z = float(stats.wilcoxon(difference, alternative=alternative, **kwargs).zstatistic)
    # With alternative="greater" scipy's statistic is the sum of the positive ranks.
    positive = float(stats.wilcoxon(difference, alternative="greater", **kwargs).statistic)
    effect = 2 * positive / (n * (n + 1) / 2) - 1
    p = float(2 * stats.norm.sf(abs(z)))
    return Outcome(names[0], z, "", p, names[1], effect, NAN, NAN, len(used), NAN, dropped, method)


def friedman(table: ArrayLike, missing: str) -> Outcome:
    """Friedman test of equal treatments, with judges as blocks.

    Parameters
    ----------
    table : array, shape (judges, treatments)
        One value for each judge and treatment; NaN where a judge saw no trial of the treatment.
    missing : {"complete", "zero"}
        ``"complete"``: judges with a NaN are dropped. ``"zero"``, the published reading: NaN
        counts as 0.

    Returns
    -------
    Outcome
        Chi-square with tie correction and its asymptotic p; the effect is Kendall's
        ``W = chi2 / (n (k - 1))`` (Kendall & Babington Smith 1939).

    Notes
    -----
    Values are rounded to 12 decimals so that equal fractions tie.
    """
    from scipy import stats

    if missing not in ("complete", "zero"):
        raise ValueError(f'missing must be "complete" or "zero", got {missing!r}')
    data = np.asarray(table, dtype=float)
    if data.ndim != 2:
        raise ValueError(f"table must be (judges, treatments), got shape {data.shape}")
    data = np.round(data, TIE_DECIMALS)
    rule = "judges with a missing cell dropped" if missing == "complete" else "missing cells as 0"
    method = _scipy(
        f"stats.friedmanchisquare, asymptotic; {rule}; rounded to {TIE_DECIMALS} decimals"
    )

    empty = np.isnan(data)
    dropped = ""
    if missing == "complete":
        incomplete = empty.any(axis=1)
        data = data[~incomplete]
        if incomplete.any():
            judges = _count(int(incomplete.sum()), "judge", "judges")
            dropped = f"{judges} without a trial of some agent"
    else:
        data = np.where(empty, 0.0, data)
        if empty.any():
            cells = _count(int(empty.sum()), "missing cell", "missing cells")
            dropped = f"nothing; {cells} counted as 0"

    n, k = data.shape
    names = ("chi2", "Kendall's W")
    reason = ""
    if k < 3:
        reason = f"not computed: {_count(k, 'treatment', 'treatments')}, at least 3 needed"
    elif n < 2:
        reason = f"not computed: {_count(n, 'judge', 'judges')}, at least 2 needed"
    elif (np.ptp(data, axis=1) == 0).all():
        reason = "not computed: no judge distinguishes the treatments"
    if reason:
        return _undefined(_join(dropped, reason), *names, n, NAN, method)

    chi2, p = stats.friedmanchisquare(*data.T)
    effect = float(chi2) / (n * (k - 1))
    return Outcome(
        names[0], float(chi2), str(k - 1), float(p), names[1], effect, NAN, NAN, n, NAN, dropped,
        method,
    )  # fmt: skip


def mann_whitney(a: ArrayLike, b: ArrayLike, exact_ties: bool) -> Outcome:
    """Mann-Whitney U test of two independent groups.

    Parameters
    ----------
    a, b : arrays
        One value a judge; NaN where a judge has none.
    exact_ties : bool
        True: values are rounded to 12 decimals, so that equal fractions tie, and U is that of the
        first group. False, the published reading: values are ranked as they are, and U is the
        smaller of the two.

    Returns
    -------
    Outcome
        U with its asymptotic p (tie-corrected, with continuity correction); the effect is the
        rank-biserial correlation ``2 U1 / (n1 n2) - 1`` (Wendt 1972), positive if the first group
        is larger.
    """
    from scipy import stats

    if exact_ties:
        reading = f"U of the first group; values rounded to {TIE_DECIMALS} decimals"
    else:
        reading = "smaller U; values not rounded"
    method = _scipy(
        'stats.mannwhitneyu(alternative="two-sided", method="asymptotic", use_continuity=True); '
        + reading
    )
    (first, second), dropped = _without_nan_groups([a, b])
    if exact_ties:
        first, second = np.round(first, TIE_DECIMALS), np.round(second, TIE_DECIMALS)
    n1, n2 = len(first), len(second)
    names = ("U", "rank-biserial correlation")
    if n1 == 0 or n2 == 0:
        reason = _join(dropped, "not computed: a group is empty")
        return _undefined(reason, *names, n1, n2, method)

    result = stats.mannwhitneyu(
        first, second, alternative="two-sided", method="asymptotic", use_continuity=True
    )
    u1 = float(result.statistic)
    u = u1 if exact_ties else min(u1, n1 * n2 - u1)
    effect = 2 * u1 / (n1 * n2) - 1
    p = float(result.pvalue)
    return Outcome(names[0], u, "", p, names[1], effect, NAN, NAN, n1, n2, dropped, method)


def welch_t(a: ArrayLike, b: ArrayLike) -> Outcome:
    """Welch's t test of two independent means.

    Parameters
    ----------
    a, b : arrays
        Values of the two groups; NaN is removed.

    Returns
    -------
    Outcome
        t, Satterthwaite's degrees of freedom and two-sided p (Welch 1947); the effect is
        ``mean(a) - mean(b)`` with its 95 % interval.
    """
    from scipy import stats

    method = _scipy('stats.ttest_ind(equal_var=False, alternative="two-sided")')
    (first, second), dropped = _without_nan_groups([a, b])
    n1, n2 = len(first), len(second)
    names = ("t", "mean difference")
    reason = ""
    if n1 < 2 or n2 < 2:
        reason = "not computed: a group has fewer than 2 values"
    elif _constant(first) and _constant(second):
        reason = "not computed: no variation within the groups"
    if reason:
        return _undefined(_join(dropped, reason), *names, n1, n2, method)

    result = stats.ttest_ind(first, second, equal_var=False, alternative="two-sided")
    interval = result.confidence_interval(0.95)
    return Outcome(
        names[0], float(result.statistic), f"{result.df:.10g}", float(result.pvalue),
        names[1], float(first.mean() - second.mean()), float(interval.low), float(interval.high),
        n1, n2, dropped, method,
    )  # fmt: skip


def anova_one_way(groups: Sequence[ArrayLike]) -> Outcome:
    """Classical one-way analysis of variance.

    Parameters
    ----------
    groups : sequence of arrays
        Values of each group; NaN is removed.

    Returns
    -------
    Outcome
        F on ``k - 1, n - k`` degrees of freedom; the effect is eta squared, the share of the total
        sum of squares that lies between groups. With one factor this F is the one of least squares
        with sums of squares of type II, and eta squared equals partial eta squared.
    """
    from scipy import stats

    method = _scipy("stats.f_oneway(equal_var=True)")
    used, dropped = _without_nan_groups(groups)
    k, n = len(used), sum(len(group) for group in used)
    names = ("F", "eta squared")
    reason = ""
    if k < 2 or any(len(group) == 0 for group in used):
        reason = "not computed: fewer than 2 groups, or an empty group"
    elif n <= k:
        reason = "not computed: no more values than groups"
    elif all(_constant(group) for group in used):
        reason = "not computed: no variation within the groups"
    if reason:
        return _undefined(_join(dropped, reason), *names, n, NAN, method)

    f, p = stats.f_oneway(*used)
    between, within = k - 1, n - k
    effect = float(f * between / (f * between + within))
    return Outcome(
        names[0], float(f), f"{between}, {within}", float(p), names[1], effect, NAN, NAN, n, NAN,
        dropped, method,
    )  # fmt: skip


def anova_two_way(
    values: ArrayLike, factor_a: ArrayLike, factor_b: ArrayLike
) -> dict[str, Outcome]:
    """Two-way analysis of variance with interaction, sums of squares of type II.

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
    import pandas as pd
    import pingouin

    method = f"pingouin {pingouin.__version__}: anova(ss_type=2)"
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
        rows = _count(len(data) - len(complete), "row", "rows")
        dropped = f"{rows} with a missing value or level"
    # Levels as text: a level of another type must not turn a factor into a number.
    complete = complete.assign(a=complete["a"].map(str), b=complete["b"].map(str))
    n = len(complete)

    cells = pd.crosstab(complete["a"], complete["b"])
    reason = ""
    if min(cells.shape) < 2:
        reason = "not computed: a factor has fewer than 2 levels"
    elif (cells == 0).any(axis=None):
        reason = "not computed: a combination of levels has no value"
    elif n <= cells.size:
        reason = "not computed: no more values than combinations of levels"
    elif all(_constant(cell.to_numpy()) for _, cell in complete.groupby(["a", "b"])["value"]):
        reason = "not computed: no variation within the combinations of levels"
    if reason:
        outcome = _undefined(_join(dropped, reason), *names, n, NAN, method)
        return {"a": outcome, "b": outcome, "a:b": outcome}

    analysis = pingouin.anova(complete, dv="value", between=["a", "b"], ss_type=2, effsize="np2")
    lines = analysis.set_index("Source")
    within = lines.loc["Residual", "DF"]
    outcomes = {}
    for term, source in (("a", "a"), ("b", "b"), ("a:b", "a * b")):
        line = lines.loc[source]
        outcomes[term] = Outcome(
            names[0], float(line["F"]), f"{line['DF']:.0f}, {within:.0f}", float(line["p_unc"]),
            names[1], float(line["np2"]), NAN, NAN, n, NAN, dropped, method,
        )  # fmt: skip
    return outcomes


def kruskal(groups: Sequence[ArrayLike]) -> Outcome:
    """Kruskal-Wallis test of independent groups.

    Parameters
    ----------
    groups : sequence of arrays
        Values of each group; NaN is removed.

    Returns
    -------
    Outcome
        H with tie correction and its asymptotic p; the effect is epsilon squared,
        ``H / (n - 1)`` (Tomczak & Tomczak 2014).

    Notes
    -----
    Values are rounded to 12 decimals so that equal fractions tie.
    """
    from scipy import stats

    method = _scipy(f"stats.kruskal, asymptotic; rounded to {TIE_DECIMALS} decimals")
    used, dropped = _without_nan_groups(groups)
    used = [np.round(group, TIE_DECIMALS) for group in used]
    k, n = len(used), sum(len(group) for group in used)
    names = ("H", "epsilon squared")
    reason = ""
    if k < 2 or any(len(group) == 0 for group in used):
        reason = "not computed: fewer than 2 groups, or an empty group"
    elif _constant(np.concatenate(used)):
        reason = "not computed: all values are equal"
    if reason:
        return _undefined(_join(dropped, reason), *names, n, NAN, method)

    h, p = stats.kruskal(*used)
    return Outcome(
        names[0], float(h), str(k - 1), float(p), names[1], float(h) / (n - 1), NAN, NAN, n, NAN,
        dropped, method,
    )  # fmt: skip


def two_proportions(k1: int, n1: int, k2: int, n2: int) -> Outcome:
    """Two-sided z test of two independent proportions.

    Parameters
    ----------
    k1, n1, k2, n2 : int
        Successes and trials of each group.

    Returns
    -------
    Outcome
        z with the pooled variance; the effect is the risk difference ``k1 / n1 - k2 / n2`` with
        Newcombe's 95 % interval (Newcombe 1998, method 10).
    """
    from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

    method = _statsmodels(
        'proportions_ztest(alternative="two-sided", prop_var=False), pooled variance; '
        'confint_proportions_2indep(method="newcomb", compare="diff")'
    )
    _check_counts(np.array([k1, k2]), np.array([n1, n2]))
    names = ("z", "risk difference")
    if n1 == 0 or n2 == 0:
        return _undefined("not computed: a group has no trial", *names, n1, n2, method)

    low, high = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff")
    difference = k1 / n1 - k2 / n2
    dropped = ""
    if k1 + k2 in (0, n1 + n2):
        # Without variation z is 0/0, but the difference and its interval remain meaningful.
        z, p = NAN, NAN
        dropped = "z not computed: all trials have the same outcome"
    else:
        z, p = proportions_ztest([k1, k2], [n1, n2], alternative="two-sided", prop_var=False)
    return Outcome(
        names[0], float(z), "", float(p), names[1], difference, float(low), float(high), n1, n2,
        dropped, method,
    )  # fmt: skip


def binomial(k: int, n: int, null: float, alternative: str, level: float = 0.95) -> Outcome:
    """Exact binomial test of a share against a fixed one.

    Parameters
    ----------
    k, n : int
        Successes and trials.
    null : float
        The share under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
    level : float
        Confidence of the interval.

    Returns
    -------
    Outcome
        The statistic is ``k``; the effect is ``k / n`` with its two-sided Wilson interval. Trials are
        taken as independent, which those of one judge are not: p is then too small.
    """
    import scipy.stats

    method = _scipy(f"binomtest(p={null:g}, alternative={alternative!r}), exact; Wilson interval")
    _check_counts(np.array(k), np.array(n))
    if n == 0:
        return _undefined("not computed: no trial", "successes", "share", n, NAN, method)
    p = scipy.stats.binomtest(k, n, null, alternative=alternative).pvalue
    low, high = wilson(k, n, level)
    return Outcome(
        "successes", float(k), "", float(p), "share", k / n, float(low), float(high), n, NAN, "",
        method,
    )  # fmt: skip


def pearson(x: ArrayLike, y: ArrayLike) -> Outcome:
    """Pearson correlation of two variables, with the t-test of no correlation.

    Parameters
    ----------
    x, y : array, shape (n,)
        Paired values; pairs with a NaN are left out.

    Returns
    -------
    Outcome
        The statistic and effect are r; df is n - 2; the interval is Fisher's, with tanh(atanh(r) +-
        1.96 / sqrt(n - 3)).
    """
    import scipy.stats

    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    paired = ~(np.isnan(a) | np.isnan(b))
    a, b, n = a[paired], b[paired], int(paired.sum())
    method = _scipy("pearsonr(alternative='two-sided'); t with n-2 df; Fisher interval")
    dropped = _missing_text(int((~paired).sum()))
    if n < 3 or _constant(a) or _constant(b):
        reason = _join(dropped, "not computed: fewer than 3 pairs, or a variable is constant")
        return _undefined(reason, "r", "r", n, NAN, method)
    result = scipy.stats.pearsonr(a, b)
    low = high = NAN
    if n > 3:
        low, high = result.confidence_interval(0.95)
    r = float(result.statistic)
    df = str(n - 2)
    return Outcome(
        "r", r, df, float(result.pvalue), "r", r, float(low), float(high), n, NAN, dropped, method
    )


def _check_counts(k: np.ndarray, n: np.ndarray) -> None:
    if (k < 0).any() or (k > n).any():
        raise ValueError(f"successes must lie between 0 and the trials, got {k} of {n}")


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Wilson score interval of a proportion.

    Parameters
    ----------
    k, n : int or array of int
        Successes and trials; shapes are broadcast.
    level : float
        Confidence level.

    Returns
    -------
    low, high : arrays
        Limits (Wilson 1927), NaN where ``n`` is 0; numbers if ``k`` and ``n`` are numbers.
    """
    from statsmodels.stats.proportion import proportion_confint

    successes, trials = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(n, dtype=float))
    _check_counts(successes, trials)
    trials = np.where(trials == 0, NAN, trials)
    low, high = proportion_confint(successes, trials, alpha=1 - level, method="wilson")
    # At k = 0 and k = n rounding can put a limit a hair on the wrong side of the estimate.
    share = successes / trials
    return np.minimum(low, share), np.maximum(high, share)


def mean_of_two_proportions_interval(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Interval of the mean of two independent proportions, such as a detectability.

    Parameters
    ----------
    k1, n1, k2, n2 : int or array of int
        Successes and trials of the two proportions; shapes are broadcast.
    level : float
        Confidence level.

    Returns
    -------
    low, high : arrays
        Limits of ``m = (p1 + p2) / 2``, NaN where ``n1`` or ``n2`` is 0.

    Notes
    -----
    MOVER, the method of variance estimates recovery (Zou & Donner 2008; Newcombe 1998 for the
    difference), from the Wilson limits ``l`` and ``u`` of each proportion:
    ``low = m - sqrt((p1 - l1)**2 + (p2 - l2)**2) / 2`` and
    ``high = m + sqrt((u1 - p1)**2 + (u2 - p2)**2) / 2``.
    """
    low1, high1 = wilson(k1, n1, level)
    low2, high2 = wilson(k2, n2, level)
    trials1, trials2 = (np.where(np.asarray(n) == 0, NAN, n) for n in (n1, n2))
    p1, p2 = np.asarray(k1) / trials1, np.asarray(k2) / trials2
    mean = (p1 + p2) / 2
    return mean - np.hypot(p1 - low1, p2 - low2) / 2, mean + np.hypot(high1 - p1, high2 - p2) / 2


def adjust(p: ArrayLike, method: str, family_size: int | None = None) -> np.ndarray:
    """Adjust p-values for the number of tests in their family.

    Parameters
    ----------
    p : array, shape (tests,)
        P-values; NaN (a test that could not be computed) is no member of the family and stays NaN.
    method : {"bonferroni", "holm"}
        Bonferroni multiplies by the family size ``m``; Holm (1979) multiplies the i-th smallest p
        by ``m - i + 1`` and keeps the order.
    family_size : int, optional
        Declared number of tests, at least the number of p-values that are not NaN (the default).

    Returns
    -------
    array, shape (tests,)
        Adjusted p-values, at most 1, in the order given.
    """
    from statsmodels.stats.multitest import multipletests

    if method not in ("bonferroni", "holm"):
        raise ValueError(f'method must be "bonferroni" or "holm", got {method!r}')
    adjusted = np.array(p, dtype=float)
    # multipletests would count NaN as a test.
    present = ~np.isnan(adjusted)
    raw = adjusted[present]
    size = len(raw) if family_size is None else family_size
    if size < len(raw):
        raise ValueError(f"family_size {size} is smaller than the {len(raw)} tests at hand")
    if len(raw) == 0:
        return adjusted
    if size == len(raw):
        adjusted[present] = multipletests(raw, method=method)[1]
    elif method == "bonferroni":
        adjusted[present] = np.minimum(raw * size, 1)
    else:
        order = np.argsort(raw, kind="stable")
        stepped = np.maximum.accumulate(raw[order] * (size - np.arange(len(raw))))
        result = np.empty_like(raw)
        result[order] = np.minimum(stepped, 1)
        adjusted[present] = result
    return adjusted
