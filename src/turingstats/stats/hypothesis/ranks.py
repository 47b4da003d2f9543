"""Rank tests: one group against a value, paired values, and independent groups.

Values are one per judge, NaN if a judge has none. Except in published readings they are rounded to 12
decimals, so that equal fractions tie. p is asymptotic unless said otherwise.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from turingstats.stats import effects
from turingstats.stats.hypothesis.outcome import (
    NAN,
    TIE_DECIMALS,
    Outcome,
    cite_library,
    count_noun,
    describe_missing,
    find_reason,
    format_sizes,
    is_constant,
    join_notes,
    make_undefined_outcome,
    remove_nan,
    remove_nan_from_groups,
)

# Maximum number of differences for an exact signed-rank p; the time grows with the third power.
EXACT_MOST = 500

# Reasons why an effect has no interval.
ONE_SIGN = "no interval: all differences have one sign, or fewer than 3"
APART = "no interval: groups that do not overlap, or one of a single value"

EXACT_BELOW = 50
"""Samples smaller than this have an exact p in R's wilcox.test, unless values tie."""


def wilcoxon(
    values: ArrayLike,
    null: float,
    exact_ties: bool,
    level: float = 0.95,
    exact_p: bool = False,
    missing_nouns: tuple[str, str] = ("missing value", "missing values"),
    continuity: bool = False,
) -> Outcome:
    """Compute the one-sample Wilcoxon signed-rank test of ``values`` against ``null``.

    Parameters
    ----------
    null : float
        Value under the null hypothesis.
    exact_ties : bool
        True: z is signed (positive above ``null``). False, the published reading: differences are not
        rounded, and z is that of the smaller rank sum, never positive.
    exact_p : bool
        True: p from all possible signs of the differences (`compute_sign_flip_p`), with any ties, for up to
        `EXACT_MOST` differences; for more, asymptotic, which agrees to three decimals.
    missing_nouns : (str, str)
        What one NaN, and several, are called in `Outcome.dropped`.
    continuity : bool
        Whether W+ is moved by 1/2 towards its mean, as ``correction=True`` of scipy does.

    Returns
    -------
    Outcome
        z with ``p = 2 * P(Z > |z|)``; the effect is the matched-pairs rank-biserial correlation
        (`turingstats.stats.effects.rank_biserial_paired`), with exact ties in both readings, positive above
        ``null``.

    Notes
    -----
    Zero differences are dropped (Wilcoxon's own rule). Normal approximation with tie correction,
    without continuity correction unless asked for: ``z = (W+ - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24
    - sum(t**3 - t) / 48)`` (Hollander & Wolfe 1999, section 3.1).
    """
    options = f'zero_method="wilcox", correction={continuity}, method="asymptotic"'
    if exact_ties:
        alternative, rounding = "greater", f"differences rounded to {TIE_DECIMALS} decimals"
    else:
        alternative, rounding = "two-sided", "differences not rounded"
    method = cite_library(
        "scipy",
        f'stats.wilcoxon(values - {null:g}, {options}, alternative="{alternative}").zstatistic; '
        f"p = 2 * norm.sf(|z|); {rounding}; zeros dropped; effect with Sen's standard error, Fisher's z",
    )

    used, missing = remove_nan(values)
    difference = used - null
    if exact_ties:
        difference = np.round(difference, TIE_DECIMALS)
    zeros = int(np.sum(difference == 0))
    dropped = join_notes(
        describe_missing(missing, *missing_nouns),
        count_noun(zeros, "zero difference", "zero differences") if zeros else "",
    )
    n = len(difference) - zeros
    names = ("z", "rank-biserial correlation")
    if n == 0:
        reason = join_notes(dropped, "not computed: no difference from the null value")
        return make_undefined_outcome(reason, *names, len(used), NAN, method)

    kwargs = {"zero_method": "wilcox", "method": "asymptotic"}
    z = float(
        stats.wilcoxon(difference, correction=False, alternative=alternative, **kwargs).zstatistic
    )
    if continuity:
        # One-sided, scipy's correction would not depend on the side on which the sum lies.
        z = float(np.copysign(stats.wilcoxon(difference, correction=True, **kwargs).zstatistic, z))
    effect = effects.rank_biserial_paired(np.round(difference, TIE_DECIMALS), level)
    dropped = join_notes(dropped, ONE_SIGN if np.isnan(effect[1]) else "")
    p = float(2 * stats.norm.sf(abs(z)))
    if exact_p and n <= EXACT_MOST:
        used_differences = difference[difference != 0]
        p = compute_sign_flip_p(stats.rankdata(np.abs(used_differences)), used_differences > 0)
        method = method.replace("p = 2 * norm.sf(|z|)", "p exact, from all signs of the midranks")
    return Outcome(names[0], z, "", p, names[1], *effect, len(used), NAN, dropped, method)


def compute_sign_flip_p(ranks: ArrayLike, positive: ArrayLike) -> float:
    """Compute the exact two-sided p of a signed-rank sum, with ties.

    The share of the 2**n sign patterns whose rank sum is at least as far from its mean. Midranks are
    multiples of one half, so doubled rank sums are whole numbers, whose distribution is the convolution of n
    steps (Streitberg & Roehmel 1986); coin's ``distribution = "exact"`` in R.
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
    """Compute the paired Wilcoxon signed-rank test: `wilcoxon` of ``a - b``, with exact ties."""
    nouns = ("judge without both values", "judges without both values")
    difference = np.asarray(a, float) - np.asarray(b, float)
    outcome = wilcoxon(difference, 0, True, level, missing_nouns=nouns)
    return replace(
        outcome, method=outcome.method.replace("values - 0", "first - second of each judge")
    )


def friedman(table: ArrayLike, missing: str, level: float = 0.95) -> Outcome:
    """Compute the Friedman test of equal treatments, with judges as blocks.

    Parameters
    ----------
    table : array, shape (judges, treatments)
    missing : {"complete", "shortest"}
        ``"complete"``: judges with a NaN are dropped. ``"shortest"``, the published reading: each treatment
        has the list of its judges' values, without NaN, and all lists are cut to the length of the shortest;
        below the first NaN a row mixes values of different judges.

    Returns
    -------
    Outcome
        Chi-square with tie correction; the effect is Kendall's ``W = chi2 / (n (k - 1))`` (Kendall &
        Babington Smith 1939), with an interval from noncentral chi-squares.
    """
    rules = {
        "complete": "judges with a missing cell dropped",
        "shortest": "missing cells left out of each list, the lists cut to the shortest",
    }
    method = cite_library(
        "scipy",
        f"stats.friedmanchisquare, asymptotic; {rules[missing]}; rounded to {TIE_DECIMALS} decimals; "
        "interval of W from noncentral chi-square",
    )
    data = np.round(np.asarray(table, dtype=float), TIE_DECIMALS)
    empty = np.isnan(data)
    dropped = ""
    if missing == "complete":
        incomplete = int(empty.any(axis=1).sum())
        data = data[~empty.any(axis=1)]
        if incomplete:
            dropped = f"{count_noun(incomplete, 'judge', 'judges')} without a trial of some agent"
    else:
        shortest = int((~empty).sum(axis=0).min())
        cut = int((~empty).sum()) - shortest * data.shape[1]
        data = np.column_stack([column[~np.isnan(column)][:shortest] for column in data.T])
        if empty.any():
            values = count_noun(cut, "value", "values")
            ends = f", and {values} at the ends of the longer lists" if cut else ""
            dropped = f"{count_noun(int(empty.sum()), 'missing cell', 'missing cells')}{ends}"

    n, k = data.shape
    names = ("chi2", "Kendall's W")
    reason = find_reason(
        (k < 3, f"{count_noun(k, 'treatment', 'treatments')}, at least 3 needed"),
        (n < 2, f"{count_noun(n, 'judge', 'judges')}, at least 2 needed"),
        ((data == data[:, :1]).all(), "no judge distinguishes the treatments"),
    )
    if reason:
        return make_undefined_outcome(join_notes(dropped, reason), *names, n, NAN, method)
    chi2, p = map(float, stats.friedmanchisquare(*data.T))
    effect = effects.scale_chi2(chi2, k - 1, n * (k - 1), level)
    return Outcome(names[0], chi2, str(k - 1), p, names[1], *effect, n, NAN, dropped, method)


def mann_whitney(
    a: ArrayLike, b: ArrayLike, exact_ties: bool, level: float = 0.95, larger: bool = False
) -> Outcome:
    """Compute the Mann-Whitney U test of two independent groups.

    Parameters
    ----------
    exact_ties : bool
        True: U is that of the first group. False, the published reading: values are not rounded, and U is the
        smaller of the two, or the `larger`.

    Returns
    -------
    Outcome
        U with its p (tie-corrected, with continuity correction); the effect is the rank-biserial correlation
        (`turingstats.stats.effects.rank_biserial`), with exact ties in both readings, positive if the first
        group is larger.
    """
    if exact_ties:
        reading = f"U of the first group; values rounded to {TIE_DECIMALS} decimals"
    else:
        reading = f"{'larger' if larger else 'smaller'} U; values not rounded"
    kwargs = {"alternative": "two-sided", "method": "asymptotic", "use_continuity": True}
    method = cite_library(
        "scipy",
        'stats.mannwhitneyu(alternative="two-sided", method="asymptotic", use_continuity=True); '
        f"{reading}; effect with DeLong's standard error, Fisher's z",
    )
    used, dropped = remove_nan_from_groups([a, b])
    rounded = [np.round(group, TIE_DECIMALS) for group in used]
    n1, n2 = map(len, used)
    names = ("U", "rank-biserial correlation")
    if n1 == 0 or n2 == 0:
        reason = join_notes(dropped, "not computed: a group is empty")
        return make_undefined_outcome(reason, *names, n1, n2, method)
    u, p = map(float, stats.mannwhitneyu(*(rounded if exact_ties else used), **kwargs))
    if not exact_ties:
        u = (max if larger else min)(u, n1 * n2 - u)
    effect = effects.rank_biserial(rounded[0], rounded[1], level)
    dropped = join_notes(dropped, APART if np.isnan(effect[1]) else "")
    return Outcome(names[0], u, "", p, names[1], *effect, n1, n2, dropped, method)


def kruskal(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Compute the Kruskal-Wallis test of independent groups.

    H has a tie correction; the effect is epsilon squared, ``H / (n - 1)`` (Tomczak & Tomczak 2014).
    """
    method = cite_library(
        "scipy",
        f"stats.kruskal, asymptotic; rounded to {TIE_DECIMALS} decimals; interval from noncentral "
        "chi-square",
    )
    used, dropped = remove_nan_from_groups(groups)
    used = [np.round(group, TIE_DECIMALS) for group in used]
    sizes = [len(group) for group in used]
    k, n = len(used), sum(sizes)
    names = ("H", "epsilon squared")
    reason = find_reason(
        (k < 2 or 0 in sizes, "fewer than 2 groups, or an empty group"),
        (not n or is_constant(np.concatenate(used)), "all values are equal"),
    )
    if reason:
        return make_undefined_outcome(join_notes(dropped, reason), *names, n, NAN, method)
    h, p = map(float, stats.kruskal(*used))
    effect = effects.scale_chi2(h, k - 1, n - 1, level)
    return Outcome(
        names[0], h, str(k - 1), p, names[1], *effect, n, NAN, dropped, method, format_sizes(sizes)
    )


def jonckheere(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Compute the Jonckheere-Terpstra test of a trend over groups, the lowest first; one may be empty.

    Returns
    -------
    Outcome
        z of Kendall's score between values and the positions of their groups, which is that of Jonckheere
        and Terpstra (pairs of values that increase with the group minus those that decrease), with the
        variance for ties and without continuity correction. The effect is tau b, positive if values increase
        with the group.
    """
    method = cite_library(
        "scipy",
        f"stats.kendalltau, asymptotic with ties; rounded to {TIE_DECIMALS} decimals; interval of "
        "Bonett & Wright 2000",
    )
    used, dropped = remove_nan_from_groups(groups)
    sizes = [len(group) for group in used]
    positions = np.repeat(np.arange(len(used)), sizes)
    values = np.round(np.concatenate(used), TIE_DECIMALS) if used else np.empty(0)
    n = len(values)
    if n < 3 or is_constant(values) or is_constant(positions):
        reason = join_notes(
            dropped, "not computed: fewer than 3 values or 2 groups, or all are equal"
        )
        return make_undefined_outcome(reason, "z", "tau b", n, NAN, method)
    tau, p = map(float, stats.kendalltau(positions, values, method="asymptotic", variant="b"))
    z = float(np.sign(tau) * stats.norm.isf(p / 2))
    effect = effects.rank_correlation(tau, n, 0.437, 4, level)
    return Outcome("z", z, "", p, "tau b", *effect, n, NAN, dropped, method, format_sizes(sizes))


def rank_sum(first: np.ndarray, second: np.ndarray) -> Outcome:
    """Compute the rank-sum test of values without NaN like R's wilcox.test: W is U of the first sample.

    Exact without ties and with fewer than `EXACT_BELOW` values, otherwise the normal approximation with
    continuity correction. The effect is the share of pairs in which the first sample's value is larger.
    """
    names = ("W", "P(first > second)")
    n1, n2 = len(first), len(second)
    if min(n1, n2) == 0:
        return make_undefined_outcome("not computed: a group is empty", *names, n1, n2)
    ties = len(np.unique([*first, *second])) < n1 + n2
    method = "asymptotic" if ties or max(n1, n2) >= EXACT_BELOW else "exact"
    w, p = map(float, stats.mannwhitneyu(first, second, method=method, use_continuity=True))
    how = cite_library("scipy", f"mannwhitneyu(method={method!r}, two-sided)")
    return Outcome(names[0], w, "", p, names[1], w / (n1 * n2), NAN, NAN, n1, n2, "", how)


def signed_rank(differences: np.ndarray) -> Outcome:
    """Compute the signed-rank test of values without NaN like R's wilcox.test(paired = TRUE).

    V is the sum of positive ranks; p is exact without ties and zeros, otherwise as in `rank_sum`. The effect
    is the rank-biserial correlation.
    """
    names = ("V", "rank-biserial correlation")
    differences = np.round(differences, TIE_DECIMALS)
    kept = differences[differences != 0]
    n = len(differences)
    if len(kept) == 0:
        return make_undefined_outcome("not computed: no difference", *names, n)
    exact = len(kept) == n == len(np.unique(np.abs(kept))) and len(kept) < EXACT_BELOW
    method = "exact" if exact else "asymptotic"
    ranks = stats.rankdata(np.abs(kept))
    positive = float(ranks[kept > 0].sum())
    p = float(stats.wilcoxon(kept, method=method, correction=True).pvalue)
    effect = 2 * positive / float(ranks.sum()) - 1
    how = cite_library("scipy", f"wilcoxon(method={method!r}, two-sided)")
    return Outcome(names[0], positive, "", p, names[1], effect, NAN, NAN, n, NAN, "", how)
