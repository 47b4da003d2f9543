"""Relations between printed numbers, computed from these numbers alone.

A printed number stands for every number that rounds to it, so that rounding alone never causes a
contradiction. Each relation takes printed numbers (`PrintedNumber`) and given ones (plain numbers), and
returns whether it can hold and the arithmetic in words. docs/claims.md lists the relations.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest, norm
from scipy.stats import chi2 as chi2_distribution
from scipy.stats import t as t_distribution


@dataclass(frozen=True)
class PrintedNumber:
    """A printed number: every x with low <= x <= high may have been rounded to it."""

    value: float
    low: float
    high: float
    text: str


Number = float | PrintedNumber
"""A number of a check: printed in the paper, or given exactly."""


def bound_printed(claim: dict[str, Any]) -> PrintedNumber:
    """Bound the number of a claim before it was rounded; counts were not rounded."""
    value, decimals = float(claim["value"]), int(claim["decimals"])
    whole = claim["kind"] in ("count", "protocol") and decimals == 0
    exact = whole and claim["quantity"] != "n_trials_per_judge"
    half = 0.0 if exact else 0.5 * 10.0**-decimals
    text = f"{value:.{decimals}f}"
    low, high = {
        "=": (value - half, value + half),
        "~": (value - half, value + half),
        "<": (-np.inf, value),
        "<=": (-np.inf, value),
        ">": (value, np.inf),
        ">=": (value, np.inf),
    }[claim["relation"]]
    if claim["relation"] != "=":
        text = f"{claim['relation']} {text}"
    return PrintedNumber(value, low, high, text)


# --- relations -----------------------------------------------------------------------------------


def z_p(z: PrintedNumber, p: PrintedNumber) -> tuple[bool, str]:
    """A two-sided p follows from z: p = 2 (1 - Phi(abs z))."""
    largest = max(abs(z.low), abs(z.high))
    smallest = min(abs(z.low), abs(z.high)) if z.low * z.high > 0 else 0.0
    low, high = 2 * norm.sf(largest), 2 * norm.sf(smallest)
    means = 2 * norm.sf(abs(z.value))
    return overlaps(
        low, high, p
    ), f"z = {z.text} means p = {means:.3g}, printed is p {show_relation(p)}"


def chi2_p(chi2: PrintedNumber, p: PrintedNumber, df: float) -> tuple[bool, str]:
    """p of a chi-square (Friedman, Kruskal-Wallis) with df degrees of freedom."""

    low, high = chi2_distribution.sf(chi2.high, df), chi2_distribution.sf(chi2.low, df)
    means = chi2_distribution.sf(chi2.value, df)
    arithmetic = f"chi2 = {chi2.text} with df = {df:g} means p = {means:.3g}, printed is p {show_relation(p)}"
    return overlaps(low, high, p), arithmetic


def r_p(r: PrintedNumber, p: PrintedNumber, n: Number, tests: float = 1) -> tuple[bool, str]:
    """Two-sided p of a Pearson or Spearman correlation over n pairs: t = r sqrt((n - 2) / (1 - r^2)).

    With `tests` it is Bonferroni's p of this many tests.
    """
    n = take_value(n)

    def compute_p(x: float) -> float:
        return min(1, tests * 2 * t_distribution.sf(abs(x) * np.sqrt((n - 2) / (1 - x**2)), n - 2))

    ends = sorted(compute_p(x) for x in (r.low, r.high))
    corrected = f" corrected for {tests:g} tests" if tests > 1 else ""
    arithmetic = (
        f"r = {r.text} over {n:g} means p = {compute_p(r.value):.3g}{corrected}, "
        f"printed is p {show_relation(p)}"
    )
    return overlaps(ends[0], ends[1], p), arithmetic


def u_p(
    u: PrintedNumber, p: PrintedNumber, n1: Number, n2: Number, least_variance: float = 0.75
) -> tuple[bool, str]:
    """Two-sided p of a Mann-Whitney U by the normal approximation.

    Ties reduce the variance, at most to the share `least_variance` of that without ties (0.75: when 63 %
    of all values are equal); a continuity correction makes p larger. p may lie anywhere in between.
    """
    n1, n2 = take_value(n1), take_value(n2)
    away = abs(u.value - n1 * n2 / 2)
    spread = np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    low = 2 * norm.sf(away / (spread * np.sqrt(least_variance)))
    high = 2 * norm.sf(max(away - 0.5, 0) / spread)
    arithmetic = (
        f"U = {u.text} with {n1:g} and {n2:g} judges means p = {2 * norm.sf(away / spread):.3g} "
        f"without ties ({low:.2g} to {high:.2g}), printed is p {show_relation(p)}"
    )
    return bool(u.value <= n1 * n2) and overlaps(low, high, p), arithmetic


def exact_u_p(u: PrintedNumber, p: PrintedNumber, n1: Number, n2: Number) -> tuple[bool, str]:
    """Two-sided exact p of a Mann-Whitney U of small groups without ties: twice the smaller tail."""
    n1, n2 = int(take_value(n1)), int(take_value(n2))
    ways = count_orders(n1, n2)
    rounded = round(u.value)
    if not 0 <= rounded <= n1 * n2:
        return False, f"W = {u.text}, where {n1} and {n2} values allow {n1 * n2} at most"
    tail = min(ways[: rounded + 1].sum(), ways[rounded:].sum())
    means = min(1.0, 2 * tail / ways.sum())
    return (
        overlaps(means, means, p),
        f"W = {u.text} of {n1} and {n2} values means p = {means:.3g}, printed is p {show_relation(p)}",
    )


def count_orders(n1: int, n2: int) -> np.ndarray:
    """Count the orders of n1 and n2 distinct values in which U is 0, 1, ..., n1 n2.

    Uses the recursion of Mann and Whitney (1947).
    """
    # The largest value is in the first group and above all n2 of the second, or it is in the second.
    ways = {(0, j): np.ones(1) for j in range(n2 + 1)} | {(i, 0): np.ones(1) for i in range(n1 + 1)}
    for i in range(1, n1 + 1):
        for j in range(1, n2 + 1):
            both = np.zeros(i * j + 1)
            both[j : j + len(ways[i - 1, j])] += ways[i - 1, j]
            both[: len(ways[i, j - 1])] += ways[i, j - 1]
            ways[i, j] = both
    return ways[n1, n2]


def rank_sum(
    w: PrintedNumber,
    *values: PrintedNumber,
    first: float,
    n1: float | None = None,
    n2: float | None = None,
) -> tuple[bool, str]:
    """W of a rank-sum test (Mann-Whitney U of the first group) from the printed values themselves.

    The first `first` values belong to the first group. If the groups have n1 and n2 values and some are
    not printed, pairs with the latter may count either way.
    """
    one, other = values[: int(first)], values[int(first) :]
    pairs = len(one) * len(other)
    unknown = int((n1 or len(one)) * (n2 or len(other))) - pairs
    low = sum(a.low > b.high for a in one for b in other)
    high = sum(a.high >= b.low for a in one for b in other) + unknown
    range_ = f"{low}" if low == high else f"{low} to {high}"
    counted = f"the {pairs} pairs of printed values" + (f" of {pairs + unknown}" if unknown else "")
    return bool(low <= w.value <= high), f"{counted} give W = {range_}, printed is {w.text}"


def wilcoxon_n(z: PrintedNumber, n: PrintedNumber) -> tuple[bool, str]:
    """abs z of a signed-rank test of n judges is at most sqrt(n), reached when all differences are equal."""
    n = take_value(n)
    return (
        bool(min(abs(z.low), abs(z.high)) <= np.sqrt(n)),
        f"z = {z.text} needs {np.ceil(z.value**2):.0f} judges or more, there are {n:g}",
    )


def direction(z: PrintedNumber, rate: PrintedNumber, null: float = 0.5) -> tuple[bool, str]:
    """A signed z is positive when the rate lies above the value tested against."""
    side = "above" if rate.value > null else "below"
    return (
        bool(z.value * (rate.value - null) >= 0),
        f"z = {z.text}, while {rate.text} lies {side} {null:g}",
    )


def same(*numbers: PrintedNumber) -> tuple[bool, str]:
    """All can be the same number."""
    low, high = max(n.low for n in numbers), min(n.high for n in numbers)
    texts = " and ".join(n.text for n in numbers)
    return bool(low <= high), f"{texts} for the same quantity"


def distinct(*numbers: PrintedNumber) -> tuple[bool, str]:
    """Not all are equal: different quantities rarely are."""
    texts = " and ".join(n.text for n in numbers)
    return len({n.text for n in numbers}) > 1, f"{texts} for different quantities"


def nonzero(*numbers: PrintedNumber) -> tuple[bool, str]:
    """Not all are zero."""
    return any(n.value != 0 for n in numbers), f"{len(numbers)} numbers, the largest is " + max(
        numbers, key=lambda n: abs(n.value)
    ).text


def total(whole: PrintedNumber, *parts: PrintedNumber) -> tuple[bool, str]:
    """The whole is the sum of its parts."""
    low, high = sum(p.low for p in parts), sum(p.high for p in parts)
    sums = " + ".join(p.text for p in parts)
    arithmetic = f"{sums} = {sum(p.value for p in parts):g}, printed is {whole.text}"
    return overlaps(low, high, whole), arithmetic


def product(whole: PrintedNumber, *factors: PrintedNumber) -> tuple[bool, str]:
    """The whole is the product of its factors."""
    value, low, high = (
        np.prod([getattr(f, end) for f in factors]) for end in ("value", "low", "high")
    )
    shown = " x ".join(f.text for f in factors)
    return overlaps(low, high, whole), f"{shown} = {value:g}, printed is {whole.text}"


def pairs(whole: PrintedNumber, n: Number) -> tuple[bool, str]:
    """The whole is the number of pairs of n things: n (n - 1) / 2."""
    n = take_value(n)
    return (
        overlaps(n * (n - 1) / 2, n * (n - 1) / 2, whole),
        f"{n:g} x {n - 1:g} / 2 = {n * (n - 1) / 2:g}, printed is {whole.text}",
    )


def total_of_products(whole: PrintedNumber, *pairs: PrintedNumber) -> tuple[bool, str]:
    """The whole is the sum of products: judges and trials per judge of each setting."""
    low = sum(a.low * b.low for a, b in pair_up(pairs))
    high = sum(a.high * b.high for a, b in pair_up(pairs))
    value = sum(a.value * b.value for a, b in pair_up(pairs))
    products = " + ".join(f"{a.text} x {b.text}" for a, b in pair_up(pairs))
    arithmetic = (
        f"{products} = {value:g} ({low:g} to {high:g} with rounding), printed is {whole.text}"
    )
    return overlaps(low, high, whole), arithmetic


def mean(whole: PrintedNumber, *parts: PrintedNumber) -> tuple[bool, str]:
    """The whole is the plain mean of its parts."""
    low, high = (float(np.mean([getattr(p, end) for p in parts])) for end in ("low", "high"))
    shown = ", ".join(p.text for p in parts)
    value = np.mean([p.value for p in parts])
    arithmetic = (
        f"mean of {shown} = {value:g} ({low:g} to {high:g} with rounding), printed is {whole.text}"
    )
    return overlaps(low - 1e-12, high + 1e-12, whole), arithmetic


def between(whole: PrintedNumber, *parts: PrintedNumber) -> tuple[bool, str]:
    """Pooled over parts of any size, the whole lies between the smallest and the largest."""
    low, high = min(p.low for p in parts), max(p.high for p in parts)
    shown = " and ".join(p.text for p in parts)
    return overlaps(low, high, whole), f"{whole.text} of all, {shown} of its parts"


def mean_at_most(
    whole: PrintedNumber, largest: PrintedNumber, *known: PrintedNumber, of: float
) -> tuple[bool, str]:
    """A mean of `of` parts, some of them known and no part above the largest, has an upper bound."""
    bound = (sum(k.high for k in known) + (of - len(known)) * largest.high) / of
    parts = ", ".join(k.text for k in known)
    return (
        bool(whole.low <= bound),
        f"{of:g} parts, of them {parts} and none above {largest.text}, have a mean of at most {bound:.3f}, "
        f"printed is {whole.text}",
    )


def complement(one: PrintedNumber, other: PrintedNumber) -> tuple[bool, str]:
    """Two shares add up to 1."""
    return (
        overlaps(1 - other.high, 1 - other.low, one),
        f"1 - {other.text} = {1 - other.value:g}, printed is {one.text}",
    )


def above(larger: PrintedNumber, smaller: PrintedNumber) -> tuple[bool, str]:
    """The first number is the larger one."""
    return bool(larger.high > smaller.low), f"{larger.text} is said to be above {smaller.text}"


def complement_above(one: PrintedNumber, other: PrintedNumber) -> tuple[bool, str]:
    """1 minus the first number is larger than the second."""
    return (
        bool(1 - one.low > other.low),
        f"1 - {one.text} = {1 - one.value:g} is said to be above {other.text}",
    )


def mean_above(*numbers: PrintedNumber) -> tuple[bool, str]:
    """The mean of the first half of the numbers is above that of the second half."""
    half = len(numbers) // 2
    one, other = (np.mean([n.value for n in part]) for part in (numbers[:half], numbers[half:]))
    possible = np.mean([n.high for n in numbers[:half]]) > np.mean([n.low for n in numbers[half:]])
    return bool(possible), f"a mean of {one:g} is said to be above one of {other:g}"


def within(number: PrintedNumber, low: float, high: float) -> tuple[bool, str]:
    """The number lies in a stated range."""
    possible = number.high >= low and number.low <= high
    return bool(possible), f"{number.text}, said to lie from {low:g} to {high:g}"


def called_human(
    p_hh: PrintedNumber, p_mm: PrintedNumber, near: float, tolerance: float
) -> tuple[bool, str]:
    """Half of the verdicts are "human" when (P(H|H) + 1 - P(M|M)) / 2 is near 0.5."""
    share = (p_hh.value + 1 - p_mm.value) / 2
    return (
        bool(abs(share - near) <= tolerance),
        f"({p_hh.text} + 1 - {p_mm.text}) / 2 = {share:.3f}, said to be near {near:g}",
    )


def significant(p: PrintedNumber, alpha: float = 0.05) -> tuple[bool, str]:
    """A difference that is spoken of has a p below alpha."""
    return bool(p.low < alpha), f"p {show_relation(p)} for a difference that the text speaks of"


def beats_chance(
    accuracy: PrintedNumber, n: PrintedNumber, null: float = 0.5, alpha: float = 0.05
) -> tuple[bool, str]:
    """An accuracy in n trials is above chance by an exact two-sided binomial test."""
    n = int(take_value(n))
    test = binomtest(round(accuracy.value * n), n, null)
    interval = test.proportion_ci(0.95, method="exact")
    return (
        bool(test.pvalue < alpha),
        f"{round(accuracy.value * n)} of {n} right: p = {test.pvalue:.2g} against {null:g}, exact 95 % "
        f"interval {interval.low:.2f} to {interval.high:.2f}",
    )


def no_difference(
    mean1: PrintedNumber,
    sd1: PrintedNumber,
    mean2: PrintedNumber,
    sd2: PrintedNumber,
    n1: float,
    n2: float,
) -> tuple[bool, str]:
    """Two groups do not differ by Welch's t (abs t below 2)."""
    t = (mean1.value - mean2.value) / np.sqrt(sd1.value**2 / n1 + sd2.value**2 / n2)
    return (
        bool(abs(t) < 2),
        f"{mean1.text} (sd {sd1.text}, n {n1:g}) and {mean2.text} (sd {sd2.text}, n {n2:g}): t = {t:.1f}",
    )


def sd_of_mean(average: PrintedNumber, sd: PrintedNumber, n: float) -> tuple[bool, str]:
    """The sd of a bootstrapped mean m of n zeros and ones is sqrt(m (1 - m) / n)."""
    item = np.sqrt(average.value * (1 - average.value))
    return (
        bool(sd.low <= np.sqrt(average.high * (1 - average.high) / n)),
        f"of a mean of {n:g} zeros and ones {average.text} the sd is {item / np.sqrt(n):.4f}; printed is "
        f"{sd.text}, the sd of the single values ({item:.3f})",
    )


def mean_of_choices(
    average: PrintedNumber, n: PrintedNumber, choices: tuple[float, float, float, float]
) -> tuple[bool, str]:
    """Some n numbers from a list have the printed mean."""
    n = int(take_value(n))
    sums = {0}
    for _ in range(n):
        sums = {so_far + choice for so_far in sums for choice in choices}
    fitting = sorted(s for s in sums if average.low <= s / n <= average.high)
    listed = ", ".join(f"{c:g}" for c in choices)
    nearest = sorted(sorted(sums, key=lambda s: abs(s / n - average.value))[:2])
    arithmetic = (
        f"{n} numbers out of {listed} cannot have the mean {average.text}; nearest are "
        + (" and ".join(f"{s / n:g}" for s in nearest))
    )
    if fitting:
        arithmetic = f"{n} numbers out of {listed} can have the mean {fitting[0] / n:g}"
    return bool(fitting), arithmetic


def bound_counts(rate: PrintedNumber, n: PrintedNumber) -> tuple[np.ndarray, int]:
    """List the numbers of successes out of n whose rate rounds to a printed one."""
    n = int(take_value(n))
    low, high = np.ceil(rate.low * n - 1e-9), np.floor(rate.high * n + 1e-9)
    return np.arange(max(0, low), min(n, high) + 1).astype(int), n


def rate_of_count(rate: PrintedNumber, n: PrintedNumber) -> tuple[bool, str]:
    """Some whole number of successes out of n rounds to the printed rate."""
    counts, n = bound_counts(rate, n)
    if not len(counts):
        near = [int(np.floor(rate.value * n)), int(np.ceil(rate.value * n))]
        shown = " and ".join(f"{k}/{n} = {k / n:.4f}" for k in near)
        return False, f"no count out of {n} rounds to {rate.text}; nearest are {shown}"
    ends = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return True, f"{ends} of {n} rounds to {rate.text}"


def logit_z(
    z: PrintedNumber, rate: PrintedNumber, n: PrintedNumber, null: float = 0.5
) -> tuple[bool, str]:
    """z of a binomial regression of one rate: its log odds over their standard error."""
    counts, n = bound_counts(rate, n)
    odds = np.log(counts / (n - counts)) - np.log(null / (1 - null))
    zs = odds / np.sqrt(1 / counts + 1 / (n - counts))
    means = zs[np.abs(counts - rate.value * n).argmin()]
    arithmetic = f"{rate.text} of {n} against {null:g} means z = {means:.3f}, printed is {z.text}"
    return overlaps(zs.min(), zs.max(), z), arithmetic


def not_log_odds(z: PrintedNumber, rate: PrintedNumber, n: PrintedNumber) -> tuple[bool, str]:
    """The z of a rate differs from its log odds, unless the two are equal."""
    counts, n = bound_counts(rate, n)
    odds = np.log(counts / (n - counts))
    means = odds[np.abs(counts - rate.value * n).argmin()]
    arithmetic = f"the log odds of {rate.text} of {n} are {means:.3f}, printed is z = {z.text}"
    return not overlaps(odds.min(), odds.max(), z), arithmetic


def two_logits_z(
    z: PrintedNumber,
    rate1: PrintedNumber,
    n1: PrintedNumber,
    rate2: PrintedNumber,
    n2: PrintedNumber,
) -> tuple[bool, str]:
    """z of a binomial regression that compares two rates."""
    (k1, n1), (k2, n2) = bound_counts(rate1, n1), bound_counts(rate2, n2)
    k1, k2 = (grid.ravel() for grid in np.meshgrid(k1, k2))
    odds = np.log(k1 / (n1 - k1)) - np.log(k2 / (n2 - k2))
    zs = odds / np.sqrt(1 / k1 + 1 / (n1 - k1) + 1 / k2 + 1 / (n2 - k2))
    nearest = (np.abs(k1 - rate1.value * n1) + np.abs(k2 - rate2.value * n2)).argmin()
    arithmetic = (
        f"{rate1.text} of {n1} and {rate2.text} of {n2} mean z = {zs[nearest]:.3f} ({zs.min():.2f} to "
        f"{zs.max():.2f} with rounding), printed is {z.text}"
    )
    return overlaps(zs.min(), zs.max(), z), arithmetic


def overlaps(low: float, high: float, number: PrintedNumber) -> bool:
    """Tell whether some number from low to high can have been rounded to a printed one."""
    return bool(low <= number.high and high >= number.low)


def show_relation(number: PrintedNumber) -> str:
    """Write a printed number with its relation, as `= 0.03` or `< 0.001`."""
    return number.text if number.text[0] in "<>~" else f"= {number.text}"


def take_value(number: Number) -> float:
    """Return the value of a printed number, or a given number unchanged."""
    return number.value if isinstance(number, PrintedNumber) else number


def pair_up(items: tuple[PrintedNumber, ...]) -> list[tuple[PrintedNumber, PrintedNumber]]:
    """Pair the first item with the second, the third with the fourth, and so on."""
    return list(zip(items[::2], items[1::2], strict=True))


RELATIONS: dict[str, Callable[..., tuple[bool, str]]] = {
    relation.__name__: relation
    for relation in (
        z_p, chi2_p, r_p, u_p, exact_u_p, rank_sum, wilcoxon_n, pairs,
        direction, same, distinct, nonzero, total, product,
        total_of_products, mean, between, mean_at_most, complement, above, complement_above,
        mean_above, within, called_human, significant, beats_chance, no_difference, sd_of_mean,
        mean_of_choices, rate_of_count, logit_z, not_log_odds, two_logits_z,
    )
}  # fmt: skip
