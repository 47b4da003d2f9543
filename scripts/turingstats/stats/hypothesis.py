"""Statistical tests: numbers in, one `Outcome` out.

The tests themselves are those of scipy, statsmodels and pingouin. What is added here is done once for the
whole project: missing values are removed and counted, equal fractions are made to tie, every test
reports an effect, and every result names the library, version and options it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy
import scipy.stats
from numpy.typing import ArrayLike
from scipy import stats

from turingstats.stats import effects

NAN = float("nan")

# Rates such as 4/6 - 0.5 and 0.5 - 2/6 are equal, but differ by 1e-16 in floating point. Ranks of
# unrounded values therefore follow the rounding noise instead of the data.
TIE_DECIMALS = 12

# Differences up to which a signed-rank p is counted out; the time grows with the third power.
EXACT_MOST = 500

# Why an effect has no interval.
ONE_SIGN = "no interval: all differences have one sign, or fewer than 3"
APART = "no interval: groups that do not overlap, or one of a single value"


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
        Effect size and its interval (`turingstats.stats.effects`); NaN limits where it has none.
    n1, n2 : float
        Values used in each group. ``n2`` is NaN for one group; for three or more groups ``n1`` is
        their sum and ``n2`` NaN.
    n_per_group : str
        Values used in every group, "; " between.
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
    n_per_group: str = ""

    def __post_init__(self):
        if not self.n_per_group:
            numbers = [n for n in (self.n1, self.n2) if not np.isnan(n)]
            object.__setattr__(self, "n_per_group", sizes_text(numbers))


def sizes_text(numbers) -> str:
    """Sizes of groups as text."""
    return "; ".join(f"{n:.0f}" for n in numbers)


def _scipy(call: str) -> str:
    return f"scipy {scipy.__version__} {call}"


def _statsmodels(call: str) -> str:
    import statsmodels

    return f"statsmodels {statsmodels.__version__} {call}"


def _pingouin(call: str) -> str:
    import pingouin

    return f"pingouin {pingouin.__version__} {call}"


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


def undefined(
    reason: str,
    statistic_name: str,
    effect_name: str,
    n1: float,
    n2: float = NAN,
    method: str = "not computed",
) -> Outcome:
    """Outcome of a test that cannot be computed, with the reason in `dropped`."""
    return Outcome(statistic_name, NAN, "", NAN, effect_name, NAN, NAN, NAN, n1, n2, reason, method)


def _constant(values: np.ndarray) -> bool:
    """Whether all values are equal up to rounding."""
    return len(values) == 0 or float(np.ptp(values)) < 10.0**-TIE_DECIMALS


def wilcoxon(
    values: ArrayLike, null: float, exact_ties: bool, level: float = 0.95, exact_p: bool = False
) -> Outcome:
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
    level : float
        Confidence level.
    exact_p : bool
        True: p from all signs that the differences could have (`sign_flip_p`), for any ties, of at most
        `EXACT_MOST` differences; of more, whose p is the same to three decimals, asymptotic.

    Returns
    -------
    Outcome
        z with ``p = 2 * P(Z > |z|)``; the effect is the matched-pairs rank-biserial correlation
        (`turingstats.stats.effects.rank_biserial_paired`), with exact ties in both readings, positive above
        ``null``.

    Notes
    -----
    Zero differences are dropped (Wilcoxon's own rule). Normal approximation with tie correction,
    without continuity correction: ``z = (W+ - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24
    - sum(t**3 - t) / 48)`` (Hollander & Wolfe 1999, section 3.1).
    """

    options = 'zero_method="wilcox", correction=False, method="asymptotic"'
    if exact_ties:
        alternative, rounding = "greater", f"differences rounded to {TIE_DECIMALS} decimals"
    else:
        alternative, rounding = "two-sided", "differences not rounded"
    method = _scipy(
        f'stats.wilcoxon(values - {null:g}, {options}, alternative="{alternative}").zstatistic; '
        f"p = 2 * norm.sf(|z|); {rounding}; zeros dropped; effect with Sen's standard error, Fisher's z"
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
        return undefined(reason, *names, len(used), NAN, method)

    kwargs = {"zero_method": "wilcox", "correction": False, "method": "asymptotic"}
    z = float(stats.wilcoxon(difference, alternative=alternative, **kwargs).zstatistic)
    effect = effects.rank_biserial_paired(np.round(difference, TIE_DECIMALS), level)
    dropped = _join(dropped, ONE_SIGN if np.isnan(effect[1]) else "")
    p = float(2 * stats.norm.sf(abs(z)))
    if exact_p and n <= EXACT_MOST:
        used_differences = difference[difference != 0]
        p = sign_flip_p(stats.rankdata(np.abs(used_differences)), used_differences > 0)
        method = method.replace("p = 2 * norm.sf(|z|)", "p exact, from all signs of the midranks")
    return Outcome(names[0], z, "", p, names[1], *effect, len(used), NAN, dropped, method)


def sign_flip_p(ranks: ArrayLike, positive: ArrayLike) -> float:
    """Exact two-sided p of a signed-rank sum, with ties.

    Parameters
    ----------
    ranks : array, shape (n,)
        Midranks of the differences' sizes.
    positive : array of bool, shape (n,)
        Signs of the differences.

    Returns
    -------
    float
        Share of the 2**n signs whose rank sum lies at least as far from its mean.

    Notes
    -----
    Midranks are halves at most, so doubled rank sums are whole numbers, whose distribution is the
    convolution of n steps (Streitberg & Roehmel 1986); coin's ``distribution = "exact"`` in R.
    """
    doubled = np.rint(2 * np.asarray(ranks, dtype=float)).astype(int)
    probability = np.zeros(doubled.sum() + 1)
    probability[0] = 1.0
    for step in doubled:
        probability[step:] = (probability[step:] + probability[: len(probability) - step]) / 2
        probability[:step] /= 2
    distance = np.abs(2 * np.arange(len(probability)) - doubled.sum())
    observed = abs(2 * int(doubled[np.asarray(positive)].sum()) - int(doubled.sum()))
    return min(1.0, float(probability[distance >= observed].sum()))


def paired_wilcoxon(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Outcome:
    """Paired Wilcoxon signed-rank test: `wilcoxon` of the differences ``a - b``, with exact ties.

    Parameters
    ----------
    a, b : arrays, shape (n,)
        Two values a judge; judges with a NaN in either are left out.
    level : float
        Confidence level.
    """
    outcome = wilcoxon(np.asarray(a, float) - np.asarray(b, float), 0, True, level)
    method = outcome.method.replace("values - 0", "first - second of each judge")
    dropped = outcome.dropped.replace("missing value", "judge without both values", 1)
    dropped = dropped.replace("judge without both valuess", "judges without both values")
    return replace(outcome, method=method, dropped=dropped)


def friedman(table: ArrayLike, missing: str, level: float = 0.95) -> Outcome:
    """Friedman test of equal treatments, with judges as blocks.

    Parameters
    ----------
    table : array, shape (judges, treatments)
        One value for each judge and treatment; NaN where a judge saw no trial of the treatment.
    missing : {"complete", "zero", "shortest"}
        ``"complete"``: judges with a NaN are dropped. ``"zero"``: NaN counts as 0. ``"shortest"``, the
        published reading: each treatment has the list of its judges' values, without NaN, and all lists
        are cut to the length of the shortest; below the first NaN a row mixes values of different judges.

    Returns
    -------
    Outcome
        Chi-square with tie correction and its asymptotic p; the effect is Kendall's
        ``W = chi2 / (n (k - 1))`` (Kendall & Babington Smith 1939), with an interval from noncentral
        chi-squares.

    Notes
    -----
    Values are rounded to 12 decimals so that equal fractions tie.
    """

    rules = {
        "complete": "judges with a missing cell dropped",
        "zero": "missing cells as 0",
        "shortest": "missing cells left out of each list, the lists cut to the shortest",
    }
    if missing not in rules:
        raise ValueError(f"missing must be one of {', '.join(rules)}, got {missing!r}")
    data = np.asarray(table, dtype=float)
    if data.ndim != 2:
        raise ValueError(f"table must be (judges, treatments), got shape {data.shape}")
    data = np.round(data, TIE_DECIMALS)
    method = _scipy(
        f"stats.friedmanchisquare, asymptotic; {rules[missing]}; rounded to {TIE_DECIMALS} decimals; "
        "interval of W from noncentral chi-square"
    )

    empty = np.isnan(data)
    dropped = ""
    if missing == "complete":
        incomplete = empty.any(axis=1)
        data = data[~incomplete]
        if incomplete.any():
            judges = _count(int(incomplete.sum()), "judge", "judges")
            dropped = f"{judges} without a trial of some agent"
    elif missing == "shortest":
        shortest = int((~empty).sum(axis=0).min())
        cut = int((~empty).sum()) - shortest * data.shape[1]
        data = np.column_stack([column[~np.isnan(column)][:shortest] for column in data.T])
        if empty.any():
            cells = _count(int(empty.sum()), "missing cell", "missing cells")
            values = _count(cut, "value", "values")
            ends = f", and {values} at the ends of the longer lists" if cut else ""
            dropped = f"{cells}{ends}"
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
        return undefined(_join(dropped, reason), *names, n, NAN, method)

    chi2, p = stats.friedmanchisquare(*data.T)
    effect = effects.from_chi2(float(chi2), k - 1, n * (k - 1), level)
    return Outcome(
        names[0], float(chi2), str(k - 1), float(p), names[1], *effect, n, NAN, dropped, method
    )


def mann_whitney(
    a: ArrayLike, b: ArrayLike, exact_ties: bool, level: float = 0.95, larger: bool = False
) -> Outcome:
    """Mann-Whitney U test of two independent groups.

    Parameters
    ----------
    a, b : arrays
        One value a judge; NaN where a judge has none.
    exact_ties : bool
        True: values are rounded to 12 decimals, so that equal fractions tie, and U is that of the
        first group. False, the published reading: values are ranked as they are, and U is the
        smaller of the two.
    larger : bool
        Without exact ties: U is the larger of the two.

    Returns
    -------
    Outcome
        U with its asymptotic p (tie-corrected, with continuity correction); the effect is the
        rank-biserial correlation (`turingstats.stats.effects.rank_biserial`), with exact ties in both
        readings, positive if the first group is larger.
    """

    if exact_ties:
        reading = f"U of the first group; values rounded to {TIE_DECIMALS} decimals"
    else:
        reading = f"{'larger' if larger else 'smaller'} U; values not rounded"
    method = _scipy(
        'stats.mannwhitneyu(alternative="two-sided", method="asymptotic", use_continuity=True); '
        + reading
        + "; effect with DeLong's standard error, Fisher's z"
    )
    (first, second), dropped = _without_nan_groups([a, b])
    if exact_ties:
        first, second = np.round(first, TIE_DECIMALS), np.round(second, TIE_DECIMALS)
    n1, n2 = len(first), len(second)
    names = ("U", "rank-biserial correlation")
    if n1 == 0 or n2 == 0:
        reason = _join(dropped, "not computed: a group is empty")
        return undefined(reason, *names, n1, n2, method)

    result = stats.mannwhitneyu(
        first, second, alternative="two-sided", method="asymptotic", use_continuity=True
    )
    u1 = float(result.statistic)
    both = (u1, n1 * n2 - u1)
    u = u1 if exact_ties else max(both) if larger else min(both)
    effect = effects.rank_biserial(
        np.round(first, TIE_DECIMALS), np.round(second, TIE_DECIMALS), level
    )
    dropped = _join(dropped, APART if np.isnan(effect[1]) else "")
    p = float(result.pvalue)
    return Outcome(names[0], u, "", p, names[1], *effect, n1, n2, dropped, method)


def welch_t(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Outcome:
    """Welch's t test of two independent means.

    Parameters
    ----------
    a, b : arrays
        Values of the two groups; NaN is removed.

    Returns
    -------
    Outcome
        t, Satterthwaite's degrees of freedom and two-sided p (Welch 1947); the effect is Hedges' g.
    """

    method = _scipy(
        'stats.ttest_ind(equal_var=False, alternative="two-sided"); g with pooled sd, normal interval'
    )
    (first, second), dropped = _without_nan_groups([a, b])
    n1, n2 = len(first), len(second)
    names = ("t", "Hedges' g")
    reason = ""
    if n1 < 2 or n2 < 2:
        reason = "not computed: a group has fewer than 2 values"
    elif _constant(first) and _constant(second):
        reason = "not computed: no variation within the groups"
    if reason:
        return undefined(_join(dropped, reason), *names, n1, n2, method)

    result = stats.ttest_ind(first, second, equal_var=False, alternative="two-sided")
    return Outcome(
        names[0], float(result.statistic), f"{result.df:.10g}", float(result.pvalue),
        names[1], *effects.hedges_g(first, second, level), n1, n2, dropped, method,
    )  # fmt: skip


def anova_one_way(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
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

    method = _scipy("stats.f_oneway(equal_var=True); interval from noncentral F")
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
        return undefined(_join(dropped, reason), *names, n, NAN, method)

    f, p = stats.f_oneway(*used)
    between, within = k - 1, n - k
    effect = effects.eta_squared(float(f), between, within, level)
    return Outcome(
        names[0], float(f), f"{between}, {within}", float(p), names[1], *effect, n, NAN,
        dropped, method, sizes_text(len(group) for group in used),
    )  # fmt: skip


def anova_two_way(
    values: ArrayLike, factor_a: ArrayLike, factor_b: ArrayLike, level: float = 0.95
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
    import pingouin

    method = _pingouin(
        "anova(between=[a, b], ss_type=2) with interaction; interval from noncentral F"
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
        rows = _count(len(data) - len(complete), "row", "rows")
        dropped = f"{rows} with a missing value or level"
    n = len(complete)
    cells = complete.groupby(["a", "b"])["value"]
    sizes = cells.size()
    full = complete["a"].nunique() * complete["b"].nunique()
    reason = ""
    if min(complete["a"].nunique(), complete["b"].nunique()) < 2:
        reason = "not computed: a factor has fewer than 2 levels"
    elif len(sizes) < full:
        reason = "not computed: a combination of levels has no value"
    elif n <= full:
        reason = "not computed: no more values than combinations of levels"
    elif all(_constant(own.to_numpy()) for _, own in cells):
        reason = "not computed: no variation within the combinations of levels"
    if reason:
        outcome = undefined(_join(dropped, reason), *names, n, NAN, method)
        return {"a": outcome, "b": outcome, "a:b": outcome}

    table = pingouin.anova(complete, dv="value", between=["a", "b"], ss_type=2)
    outcomes = {}
    for term, row in zip(("a", "b", "a:b"), table.itertuples(), strict=False):
        f, df = float(row.F), int(row.DF)
        outcomes[term] = Outcome(
            names[0], f, f"{df}, {n - full}", float(row.p_unc), names[1],
            *effects.eta_squared(f, df, n - full, level), n, NAN, dropped, method,
            sizes_text(sizes),
        )  # fmt: skip
    return outcomes


def kruskal(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
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

    method = _scipy(
        f"stats.kruskal, asymptotic; rounded to {TIE_DECIMALS} decimals; interval from noncentral "
        "chi-square"
    )
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
        return undefined(_join(dropped, reason), *names, n, NAN, method)

    h, p = stats.kruskal(*used)
    effect = effects.from_chi2(float(h), k - 1, n - 1, level)
    return Outcome(
        names[0], float(h), str(k - 1), float(p), names[1], *effect, n, NAN, dropped, method,
        sizes_text(len(group) for group in used),
    )  # fmt: skip


def jonckheere(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Jonckheere-Terpstra test of a trend over groups in rising order.

    Parameters
    ----------
    groups : sequence of arrays
        Values of each group, lowest group first; NaN is removed, and a group may be empty.

    Returns
    -------
    Outcome
        z of Kendall's score between values and the places of their groups, which is that of Jonckheere
        and Terpstra (pairs of values that rise with the group less those that fall), with the variance
        for ties and without continuity correction; p is two-sided and asymptotic. The effect is tau b,
        positive where values rise with the group.

    Notes
    -----
    Values are rounded to 12 decimals so that equal fractions tie.
    """

    method = _scipy(
        f"stats.kendalltau, asymptotic with ties; rounded to {TIE_DECIMALS} decimals; interval of "
        "Bonett & Wright 2000"
    )
    used, dropped = _without_nan_groups(groups)
    sizes = [len(group) for group in used]
    places = np.repeat(np.arange(len(used)), sizes)
    values = np.round(np.concatenate(used), TIE_DECIMALS) if used else np.empty(0)
    n = len(values)
    if n < 3 or _constant(values) or _constant(places):
        reason = _join(dropped, "not computed: fewer than 3 values or 2 groups, or all are equal")
        return undefined(reason, "z", "tau b", n, NAN, method)
    tau, p = stats.kendalltau(places, values, method="asymptotic", variant="b")
    z = float(np.sign(tau) * stats.norm.isf(p / 2))
    effect = effects.kendall(float(tau), n, level)
    return Outcome(
        "z", z, "", float(p), "tau b", *effect, n, NAN, dropped, method, sizes_text(sizes)
    )


def two_proportions(k1: int, n1: int, k2: int, n2: int, level: float = 0.95) -> Outcome:
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
        'proportions_ztest(value=0, alternative="two-sided"), pooled variance (R\'s prop.test with '
        'correct=FALSE has its square); confint_proportions_2indep(method="newcomb")'
    )
    _check_counts(np.array([k1, k2]), np.array([n1, n2]))
    names = ("z", "risk difference")
    if n1 == 0 or n2 == 0:
        return undefined("not computed: a group has no trial", *names, n1, n2, method)

    low, high = confint_proportions_2indep(
        k1, n1, k2, n2, compare="diff", method="newcomb", alpha=1 - level
    )
    dropped = ""
    if k1 + k2 in (0, n1 + n2):
        # Without variation z is 0/0, but the difference and its interval remain meaningful.
        z, p = NAN, NAN
        dropped = "z not computed: all trials have the same outcome"
    else:
        z, p = proportions_ztest([k1, k2], [n1, n2])
    return Outcome(
        names[0], float(z), "", float(p), names[1], k1 / n1 - k2 / n2, float(low), float(high),
        n1, n2, dropped, method,
    )  # fmt: skip


def chi_square(right: ArrayLike, n: ArrayLike, level: float = 0.95) -> Outcome:
    """Chi-square test of equal proportions in two or more groups.

    Parameters
    ----------
    right, n : array of int, shape (groups,)
        Successes and trials of each group; groups without a trial are left out.
    level : float
        Confidence level.

    Returns
    -------
    Outcome
        Pearson's chi-square without continuity correction; the effect is the square of Cramer's V.
    """

    method = _scipy("stats.chi2_contingency(correction=False); interval from noncentral chi-square")
    right, n = np.asarray(right), np.asarray(n)
    _check_counts(right, n)
    used = n > 0
    empty = int((~used).sum())
    dropped = _count(empty, "group without a trial", "groups without a trial") if empty else ""
    right, n = right[used], n[used]
    names = ("chi2", "Cramer's V squared")
    total = int(n.sum())
    reason = ""
    if len(n) < 2:
        reason = "not computed: fewer than 2 groups"
    elif right.sum() in (0, total):
        reason = "not computed: all trials have the same outcome"
    if reason:
        return undefined(_join(dropped, reason), *names, total, NAN, method)
    result = stats.chi2_contingency([right, n - right], correction=False)
    effect = effects.from_chi2(float(result.statistic), result.dof, total, level)
    return Outcome(
        names[0], float(result.statistic), str(result.dof), float(result.pvalue), names[1], *effect,
        total, NAN, dropped, method, sizes_text(n),
    )  # fmt: skip


def binomial(
    right: int, n: int, null: float, alternative: str = "two-sided", level: float = 0.95
) -> Outcome:
    """Exact binomial test of a proportion against a fixed value.

    Parameters
    ----------
    right, n : int
        Successes and trials.
    null : float
        Proportion under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
    level : float
        Confidence level.

    Returns
    -------
    Outcome
        The number of successes with its exact p (two-sided: the sum of all outcomes that are no
        likelier); the effect is the risk difference ``right / n - null`` with the two-sided
        Clopper-Pearson interval. Trials are taken as independent, which those of one judge are not: p
        is then too small.
    """

    method = _scipy(
        f'stats.binomtest(p={null:g}, alternative="{alternative}"), exact; proportion_ci("exact")'
    )
    _check_counts(np.asarray(right), np.asarray(n))
    names = ("successes", "risk difference")
    if n == 0:
        return undefined("not computed: no trial", *names, n, NAN, method)
    result = stats.binomtest(int(right), int(n), null, alternative=alternative)
    interval = stats.binomtest(int(right), int(n)).proportion_ci(level, method="exact")
    return Outcome(
        names[0], float(right), "", float(result.pvalue), names[1], right / n - null,
        float(interval.low) - null, float(interval.high) - null, n, NAN, "", method,
    )  # fmt: skip


def spearman(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
    """Spearman's rank correlation.

    Parameters
    ----------
    x, y : array, shape (n,)
        Paired values; pairs with a NaN are left out.
    level : float
        Confidence level.

    Returns
    -------
    Outcome
        The statistic and effect are rho. Up to nine pairs without ties p is exact, from all orders of one
        variable; else it is from Student's t with n - 2 df.
    """

    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    paired = ~(np.isnan(a) | np.isnan(b))
    a, b = np.round(a[paired], TIE_DECIMALS), np.round(b[paired], TIE_DECIMALS)
    n = len(a)
    exact = n <= 9 and len(set(a)) == len(set(b)) == n
    how = "exact p from all orders (stats.permutation_test, pairings)" if exact else "t with n-2 df"
    method = _scipy(f"stats.spearmanr; {how}; interval of Bonett & Wright 2000")
    dropped = _missing_text(int((~paired).sum()))
    if n < 3 or _constant(a) or _constant(b):
        reason = _join(dropped, "not computed: fewer than 3 pairs, or a variable is constant")
        return undefined(reason, "rho", "rho", n, NAN, method)
    rho, p = stats.spearmanr(a, b)
    if exact:
        ranks = stats.rankdata(b)

        def products(order, axis):
            return np.sum(stats.rankdata(a) * ranks[order.astype(int)], axis=axis)

        # All orders of the pairs: n! of them, and no random draw.
        places = (np.arange(n),)
        kwargs = {"permutation_type": "pairings", "n_resamples": np.inf, "batch": 10_000}
        p = stats.permutation_test(places, products, vectorized=True, **kwargs).pvalue
    effect = effects.spearman(float(rho), n, level)
    return Outcome(
        "rho",
        float(rho),
        "" if exact else str(n - 2),
        float(p),
        "rho",
        *effect,
        n,
        NAN,
        dropped,
        method,
    )


def pearson(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Outcome:
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

    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    paired = ~(np.isnan(a) | np.isnan(b))
    a, b, n = a[paired], b[paired], int(paired.sum())
    method = _scipy("stats.pearsonr(alternative='two-sided'); t with n-2 df; Fisher interval")
    dropped = _missing_text(int((~paired).sum()))
    if n < 3 or _constant(a) or _constant(b):
        reason = _join(dropped, "not computed: fewer than 3 pairs, or a variable is constant")
        return undefined(reason, "r", "r", n, NAN, method)
    result = scipy.stats.pearsonr(a, b)
    low = high = NAN
    if n > 3:
        low, high = result.confidence_interval(level)
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
    return np.clip(low, 0, share), np.clip(high, share, 1)


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
    if method not in ("bonferroni", "holm"):
        raise ValueError(f'method must be "bonferroni" or "holm", got {method!r}')
    from pingouin import multicomp

    raw = np.asarray(p, dtype=float)
    present = int(np.isfinite(raw).sum())
    size = present if family_size is None else family_size
    if size < present:
        raise ValueError(f"family_size {size} is smaller than the {present} tests at hand")
    if present == 0:
        return raw.copy()
    # multicomp leaves NaN out; tests of the family that are not at hand count as p = 1.
    _, adjusted = multicomp(np.append(raw, np.ones(size - present)), method=method)
    return adjusted[: len(raw)]
