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
from turingstats.stats.hypothesis import outcome
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome

EXACT_MOST = 500
"""Maximum number of differences for an exact signed-rank p; the time grows with the third power."""

# Reasons why an effect has no interval.
ONE_SIGN = "no interval: all differences have one sign, or fewer than 3"
APART = "no interval: groups that do not overlap, or one of a single value"

RANK_BISERIAL = "rank-biserial correlation"

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
    exact_ties : bool
        Whether z is signed, positive above ``null``. Otherwise, as published, differences are not rounded,
        and z is that of the smaller rank sum.
    exact_p : bool
        Whether p is `compute_sign_flip_p`, for up to `EXACT_MOST` differences.
    missing_nouns, continuity
        As of `select_differences` and `compute_signed_rank_z`.

    Returns
    -------
    Outcome
        z with ``p = 2 * P(Z > |z|)`` (`compute_signed_rank_z`); the effect is the matched-pairs rank-biserial
        correlation, with exact ties in both readings, positive above ``null``. Differences of 0 are dropped.
    """
    side, rounding = "two-sided", "not rounded"
    if exact_ties:
        side, rounding = "greater", f"rounded to {outcome.TIE_DECIMALS} decimals"
    method = outcome.cite_library(
        "scipy",
        f'stats.wilcoxon(values - {null:g}, zero_method="wilcox", correction={continuity}, '
        f'method="asymptotic", alternative="{side}").zstatistic; p = 2 * norm.sf(|z|); differences '
        f"{rounding}; zeros dropped; effect with Sen's standard error, Fisher's z",
    )
    kept, number, dropped = select_differences(values, null, exact_ties, missing_nouns)
    blank = make_undefined_outcome(dropped, "z", RANK_BISERIAL, number, NAN, method)
    if not len(kept):
        return blank.refuse("not computed: no difference from the null value")
    z = compute_signed_rank_z(kept, side, continuity)
    effect = effects.rank_biserial_paired(np.round(kept, outcome.TIE_DECIMALS), level)
    if np.isnan(effect[1]):
        blank = blank.refuse(ONE_SIGN)
    p = 2 * stats.norm.sf(abs(z))
    if exact_p and len(kept) <= EXACT_MOST:
        p = compute_sign_flip_p(stats.rankdata(np.abs(kept)), kept > 0)
        method = method.replace("p = 2 * norm.sf(|z|)", "p exact, from all signs of the midranks")
    return blank.report(z, p, effect, method=method)


def select_differences(
    values: ArrayLike, null: float, rounded: bool, missing_nouns: tuple[str, str]
) -> tuple[np.ndarray, int, str]:
    """Select the differences from `null` that are not 0; also count all, and say what was dropped.

    `missing_nouns` are what one NaN, and several, are called.
    """
    used, missing = outcome.remove_nan(values)
    difference = np.round(used - null, outcome.TIE_DECIMALS) if rounded else used - null
    kept = difference[difference != 0]
    dropped = outcome.join_notes(
        outcome.describe_missing(missing, *missing_nouns),
        outcome.describe_missing(len(used) - len(kept), "zero difference", "zero differences"),
    )
    return kept, len(used), dropped


def compute_signed_rank_z(differences: np.ndarray, side: str, continuity: bool) -> float:
    """Compute z of the signed ranks of differences, none of which is 0.

    Normal approximation with tie correction: ``z = (W+ - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24 -
    sum(t**3 - t) / 48)`` (Hollander & Wolfe 1999, section 3.1), of the smaller rank sum if `side` is
    "two-sided", of W+ if it is "greater"; with `continuity`, W+ is moved by 1/2 towards its mean.
    """
    z = stats.wilcoxon(differences, alternative=side, method="asymptotic").zstatistic
    if continuity:
        # One-sided, scipy's correction would not depend on the side on which the sum lies.
        moved = stats.wilcoxon(differences, correction=True, method="asymptotic").zstatistic
        z = np.copysign(moved, z)
    return float(z)


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
    test = wilcoxon(difference, 0, True, level, missing_nouns=nouns)
    method = test.method.replace("values - 0", "first - second of each judge")
    return replace(test, method=method)


def friedman(table: ArrayLike, missing: str, level: float = 0.95) -> Outcome:
    """Compute the Friedman test of equal treatments, with judges as blocks.

    Parameters
    ----------
    table : array, shape (judges, treatments)
    missing : {"complete", "shortest"}
        See `keep_complete_judges` and `cut_to_shortest`.

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
    method = outcome.cite_library(
        "scipy",
        f"stats.friedmanchisquare, asymptotic; {rules[missing]}; rounded to {outcome.TIE_DECIMALS} decimals; "
        "interval of W from noncentral chi-square",
    )
    select = keep_complete_judges if missing == "complete" else cut_to_shortest
    data, dropped = select(np.round(np.asarray(table, dtype=float), outcome.TIE_DECIMALS))
    n, k = data.shape
    blank = make_undefined_outcome(dropped, "chi2", "Kendall's W", n, NAN, method)
    refused = blank.refuse_if(
        (k < 3, f"{outcome.count_noun(k, 'treatment', 'treatments')}, at least 3 needed"),
        (n < 2, f"{outcome.count_noun(n, 'judge', 'judges')}, at least 2 needed"),
        ((data == data[:, :1]).all(), "no judge distinguishes the treatments"),
    )
    if refused:
        return refused
    chi2, p = map(float, stats.friedmanchisquare(*data.T))
    effect = effects.scale_chi2(chi2, k - 1, n * (k - 1), level)
    return blank.report(chi2, p, effect, str(k - 1))


def keep_complete_judges(data: np.ndarray) -> tuple[np.ndarray, str]:
    """Keep the judges without a NaN, shape (judges, treatments); also say what was dropped."""
    incomplete = np.isnan(data).any(axis=1)
    nouns = (f"{noun} without a trial of some agent" for noun in ("judge", "judges"))
    return data[~incomplete], outcome.describe_missing(int(incomplete.sum()), *nouns)


def cut_to_shortest(data: np.ndarray) -> tuple[np.ndarray, str]:
    """Cut the lists of values of each treatment, without NaN, to the shortest; also say what was dropped.

    Below the first NaN a row mixes values of different judges.
    """
    empty = np.isnan(data)
    shortest = int((~empty).sum(axis=0).min())
    cut = int((~empty).sum()) - shortest * data.shape[1]
    kept = np.column_stack([column[~np.isnan(column)][:shortest] for column in data.T])
    if not empty.any():
        return kept, ""
    values = outcome.count_noun(cut, "value", "values")
    ends = f", and {values} at the ends of the longer lists" if cut else ""
    cells = outcome.count_noun(int(empty.sum()), "missing cell", "missing cells")
    return kept, f"{cells}{ends}"


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
        reading = f"U of the first group; values rounded to {outcome.TIE_DECIMALS} decimals"
    else:
        reading = f"{'larger' if larger else 'smaller'} U; values not rounded"
    method = outcome.cite_library(
        "scipy",
        'stats.mannwhitneyu(alternative="two-sided", method="asymptotic", use_continuity=True); '
        f"{reading}; effect with DeLong's standard error, Fisher's z",
    )
    used, dropped = outcome.remove_nan_from_groups([a, b])
    rounded = [np.round(group, outcome.TIE_DECIMALS) for group in used]
    n1, n2 = map(len, used)
    blank = make_undefined_outcome(dropped, "U", RANK_BISERIAL, n1, n2, method)
    if n1 == 0 or n2 == 0:
        return blank.refuse("not computed: a group is empty")
    u, p = stats.mannwhitneyu(*(rounded if exact_ties else used), method="asymptotic")
    if not exact_ties:
        u = (max if larger else min)(u, n1 * n2 - u)
    effect = effects.rank_biserial(rounded[0], rounded[1], level)
    if np.isnan(effect[1]):
        blank = blank.refuse(APART)
    return blank.report(u, p, effect)


def kruskal(groups: Sequence[ArrayLike], level: float = 0.95) -> Outcome:
    """Compute the Kruskal-Wallis test of independent groups.

    H has a tie correction; the effect is epsilon squared, ``H / (n - 1)`` (Tomczak & Tomczak 2014).
    """
    method = outcome.cite_library(
        "scipy",
        f"stats.kruskal, asymptotic; rounded to {outcome.TIE_DECIMALS} decimals; interval from noncentral "
        "chi-square",
    )
    used, dropped = outcome.remove_nan_from_groups(groups)
    used = [np.round(group, outcome.TIE_DECIMALS) for group in used]
    sizes = [len(group) for group in used]
    k, n = len(used), sum(sizes)
    blank = make_undefined_outcome(dropped, "H", "epsilon squared", n, NAN, method)
    refused = blank.refuse_if(
        (k < 2 or 0 in sizes, "fewer than 2 groups, or an empty group"),
        (not n or outcome.is_constant(np.concatenate(used)), "all values are equal"),
    )
    if refused:
        return refused
    h, p = map(float, stats.kruskal(*used))
    effect = effects.scale_chi2(h, k - 1, n - 1, level)
    return blank.report(h, p, effect, str(k - 1), sizes)


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
    method = outcome.cite_library(
        "scipy",
        f"stats.kendalltau, asymptotic with ties; rounded to {outcome.TIE_DECIMALS} decimals; interval of "
        "Bonett & Wright 2000",
    )
    used, dropped = outcome.remove_nan_from_groups(groups)
    sizes = [len(group) for group in used]
    positions = np.repeat(np.arange(len(used)), sizes)
    values = np.round(np.concatenate(used), outcome.TIE_DECIMALS) if used else np.empty(0)
    n = len(values)
    blank = make_undefined_outcome(dropped, "z", "tau b", n, NAN, method)
    if n < 3 or outcome.is_constant(values) or outcome.is_constant(positions):
        return blank.refuse("not computed: fewer than 3 values or 2 groups, or all are equal")
    tau, p = map(float, stats.kendalltau(positions, values, method="asymptotic", variant="b"))
    z = np.sign(tau) * stats.norm.isf(p / 2)
    return blank.report(z, p, effects.rank_correlation(tau, n, 0.437, 4, level), sizes=sizes)


def rank_sum(first: np.ndarray, second: np.ndarray) -> Outcome:
    """Compute the rank-sum test of values without NaN like R's wilcox.test: W is U of the first sample.

    Exact without ties and with fewer than `EXACT_BELOW` values, otherwise the normal approximation with
    continuity correction. The effect is the share of pairs in which the first sample's value is larger.
    """
    n1, n2 = len(first), len(second)
    blank = make_undefined_outcome("", "W", "P(first > second)", n1, n2)
    if min(n1, n2) == 0:
        return blank.refuse("not computed: a group is empty")
    ties = len(np.unique([*first, *second])) < n1 + n2
    method = "asymptotic" if ties or max(n1, n2) >= EXACT_BELOW else "exact"
    w, p = stats.mannwhitneyu(first, second, method=method)
    how = outcome.cite_library("scipy", f"mannwhitneyu(method={method!r}, two-sided)")
    return blank.report(w, p, (w / (n1 * n2), NAN, NAN), method=how)


def signed_rank(differences: np.ndarray) -> Outcome:
    """Compute the signed-rank test of values without NaN like R's wilcox.test(paired = TRUE).

    V is the sum of positive ranks; p is exact without ties and zeros, otherwise as in `rank_sum`. The effect
    is the rank-biserial correlation.
    """
    differences = np.round(differences, outcome.TIE_DECIMALS)
    kept = differences[differences != 0]
    n = len(differences)
    blank = make_undefined_outcome("", "V", RANK_BISERIAL, n)
    if len(kept) == 0:
        return blank.refuse("not computed: no difference")
    exact = len(kept) == n == len(np.unique(np.abs(kept))) and len(kept) < EXACT_BELOW
    method = "exact" if exact else "asymptotic"
    ranks = stats.rankdata(np.abs(kept))
    positive = float(ranks[kept > 0].sum())
    p = stats.wilcoxon(kept, method=method, correction=True).pvalue
    effect = 2 * positive / ranks.sum() - 1, NAN, NAN
    how = outcome.cite_library("scipy", f"wilcoxon(method={method!r}, two-sided)")
    return blank.report(positive, p, effect, method=how)
