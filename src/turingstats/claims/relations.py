"""Relations between printed numbers, computed from these numbers alone.

A printed number stands for every number that rounds to it, so that rounding alone never causes a
contradiction. Each relation takes printed numbers (`Printed`) and given ones (plain numbers), and
returns whether it can hold and the arithmetic in words. docs/claims.md lists the relations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtr, betaincinv, chdtrc, ndtr, stdtr


@dataclass(frozen=True)
class Printed:
    """A printed number: every x with low <= x <= high may have been rounded to it."""

    value: float
    low: float
    high: float
    text: str


Result = tuple[bool, str]
"""Whether a relation holds, and the arithmetic in words."""
Number = float | Printed
"""A number of a check: printed in the paper, or given exactly."""


def bound_printed(claim: dict[str, Any]) -> Printed:
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
    return Printed(value, low, high, text)


# --- relations -----------------------------------------------------------------------------------


def z_p(z: Printed, p: Printed) -> Result:
    """A two-sided p follows from z: p = 2 (1 - Phi(abs z))."""
    largest = max(abs(z.low), abs(z.high))
    smallest = min(abs(z.low), abs(z.high)) if z.low * z.high > 0 else 0.0
    low, means, high = 2 * ndtr([-largest, -abs(z.value), -smallest])
    return match_p(p, low, high, f"z = {z.text} means p = {means:.3g}")


def chi2_p(chi2: Printed, p: Printed, df: float) -> Result:
    """p of a chi-square (Friedman, Kruskal-Wallis) with df degrees of freedom."""
    low, means, high = chdtrc(df, [chi2.high, chi2.value, chi2.low])
    return match_p(p, low, high, f"chi2 = {chi2.text} with df = {df:g} means p = {means:.3g}")


def r_p(r: Printed, p: Printed, n: Number, tests: float = 1) -> Result:
    """Two-sided p of a Pearson or Spearman correlation over n pairs: t = r sqrt((n - 2) / (1 - r^2)).

    With `tests` it is Bonferroni's p of this many tests.
    """
    n, size = take_value(n), np.abs([r.low, r.value, r.high])
    t = size * np.sqrt((n - 2) / (1 - size**2))
    ends = np.minimum(1, tests * 2 * stdtr(n - 2, -t))
    corrected = f" corrected for {tests:g} tests" if tests > 1 else ""
    words = f"r = {r.text} over {n:g} means p = {ends[1]:.3g}{corrected}"
    return match_p(p, min(ends[0], ends[2]), max(ends[0], ends[2]), words)


def u_p(u: Printed, p: Printed, n1: Number, n2: Number) -> Result:
    """Two-sided p of a Mann-Whitney U by the normal approximation.

    Ties reduce the variance, at most to 0.75 of that without ties (when 63 % of all values are equal); a
    continuity correction makes p larger. p may lie anywhere in between.
    """
    n1, n2 = take_value(n1), take_value(n2)
    away = abs(u.value - n1 * n2 / 2)
    spread = np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    distances = [away / (spread * np.sqrt(0.75)), away / spread, max(away - 0.5, 0) / spread]
    low, means, high = 2 * ndtr(np.negative(distances))
    words = f"U = {u.text} with {n1:g} and {n2:g} judges means p = {means:.3g} without ties"
    possible, arithmetic = match_p(p, low, high, f"{words} ({low:.2g} to {high:.2g})")
    return bool(u.value <= n1 * n2) and possible, arithmetic


def exact_u_p(u: Printed, p: Printed, n1: Number, n2: Number) -> Result:
    """Two-sided exact p of a Mann-Whitney U of small groups without ties: twice the smaller tail."""
    # Half a second, which other relations need not wait for.
    from scipy.stats import mannwhitneyu

    n1, n2 = int(take_value(n1)), int(take_value(n2))
    rounded = round(u.value)
    if not 0 <= rounded <= n1 * n2:
        return False, f"W = {u.text}, where {n1} and {n2} values allow {n1 * n2} at most"
    # Any values with this U: each of the first group lies above so many of the second.
    whole, part = divmod(rounded, n2)
    below = np.array([n2] * whole + [part] + [0] * n1)[:n1]
    means = mannwhitneyu(below - 0.5, np.arange(n2), method="exact").pvalue
    return match_p(p, means, means, f"W = {u.text} of {n1} and {n2} values means p = {means:.3g}")


def rank_sum(
    w: Printed, *values: Printed, first: float, n1: float | None = None, n2: float | None = None
) -> Result:
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


def wilcoxon_n(z: Printed, n: Printed) -> Result:
    """abs z of a signed-rank test of n judges is at most sqrt(n), reached when all differences are equal."""
    n = take_value(n)
    return (
        bool(min(abs(z.low), abs(z.high)) <= np.sqrt(n)),
        f"z = {z.text} needs {np.ceil(z.value**2):.0f} judges or more, there are {n:g}",
    )


def direction(z: Printed, rate: Printed, null: float = 0.5) -> Result:
    """A signed z is positive when the rate lies above the value tested against."""
    side = "above" if rate.value > null else "below"
    return (
        bool(z.value * (rate.value - null) >= 0),
        f"z = {z.text}, while {rate.text} lies {side} {null:g}",
    )


def same(*numbers: Printed) -> Result:
    """All can be the same number."""
    low, high = max(n.low for n in numbers), min(n.high for n in numbers)
    return bool(low <= high), f"{join_texts(' and ', numbers)} for the same quantity"


def distinct(*numbers: Printed) -> Result:
    """Not all are equal: different quantities rarely are."""
    words = f"{join_texts(' and ', numbers)} for different quantities"
    return len({n.text for n in numbers}) > 1, words


def nonzero(*numbers: Printed) -> Result:
    """Not all are zero."""
    largest = max(numbers, key=lambda n: abs(n.value))
    return largest.value != 0, f"{len(numbers)} numbers, the largest is {largest.text}"


def total(whole: Printed, *parts: Printed) -> Result:
    """The whole is the sum of its parts."""
    return match_whole(whole, parts, sum, join_texts(" + ", parts))


def product(whole: Printed, *factors: Printed) -> Result:
    """The whole is the product of its factors."""
    return match_whole(whole, factors, np.prod, join_texts(" x ", factors))


def pairs(whole: Printed, n: Number) -> Result:
    """The whole is the number of pairs of n things: n (n - 1) / 2."""
    n = take_value(n)
    return match_whole(whole, (), lambda _: n * (n - 1) / 2, f"{n:g} x {n - 1:g} / 2")


def total_of_products(whole: Printed, *factors: Printed) -> Result:
    """The whole is the sum of products: judges and trials per judge of each setting."""
    terms = zip(factors[::2], factors[1::2], strict=True)
    words = " + ".join(join_texts(" x ", term) for term in terms)

    def multiply_pairs(values: list[float]) -> float:
        return float(np.dot(values[::2], values[1::2]))

    return match_whole(whole, factors, multiply_pairs, words, rounding=True)


def mean(whole: Printed, *parts: Printed) -> Result:
    """The whole is the plain mean of its parts."""
    return match_whole(whole, parts, np.mean, f"mean of {join_texts(', ', parts)}", rounding=True)


def between(whole: Printed, *parts: Printed) -> Result:
    """Pooled over parts of any size, the whole lies between the smallest and the largest."""
    low, high = min(p.low for p in parts), max(p.high for p in parts)
    return overlaps(
        low, high, whole
    ), f"{whole.text} of all, {join_texts(' and ', parts)} of its parts"


def mean_at_most(whole: Printed, largest: Printed, *known: Printed, of: float) -> Result:
    """A mean of `of` parts, some of them known and no part above the largest, has an upper bound."""
    bound = (sum(k.high for k in known) + (of - len(known)) * largest.high) / of
    return (
        bool(whole.low <= bound),
        f"{of:g} parts, of them {join_texts(', ', known)} and none above {largest.text}, have a mean of at "
        f"most {bound:.3f}, printed is {whole.text}",
    )


def complement(one: Printed, other: Printed) -> Result:
    """Two shares add up to 1."""
    return match_whole(one, (other,), lambda values: 1 - values[0], f"1 - {other.text}")


def above(larger: Printed, smaller: Printed) -> Result:
    """The first number is the larger one."""
    return bool(larger.high > smaller.low), f"{larger.text} is said to be above {smaller.text}"


def complement_above(one: Printed, other: Printed) -> Result:
    """1 minus the first number is larger than the second."""
    return (
        bool(1 - one.low > other.low),
        f"1 - {one.text} = {1 - one.value:g} is said to be above {other.text}",
    )


def mean_above(*numbers: Printed) -> Result:
    """The mean of the first half of the numbers is above that of the second half."""
    half = len(numbers) // 2
    one, other = (np.mean([n.value for n in part]) for part in (numbers[:half], numbers[half:]))
    possible = np.mean([n.high for n in numbers[:half]]) > np.mean([n.low for n in numbers[half:]])
    return bool(possible), f"a mean of {one:g} is said to be above one of {other:g}"


def within(number: Printed, low: float, high: float) -> Result:
    """The number lies in a stated range."""
    possible = number.high >= low and number.low <= high
    return bool(possible), f"{number.text}, said to lie from {low:g} to {high:g}"


def called_human(p_hh: Printed, p_mm: Printed, near: float, tolerance: float) -> Result:
    """Half of the verdicts are "human" when (P(H|H) + 1 - P(M|M)) / 2 is near 0.5."""
    share = (p_hh.value + 1 - p_mm.value) / 2
    return (
        bool(abs(share - near) <= tolerance),
        f"({p_hh.text} + 1 - {p_mm.text}) / 2 = {share:.3f}, said to be near {near:g}",
    )


def significant(p: Printed, alpha: float = 0.05) -> Result:
    """A difference that is spoken of has a p below alpha."""
    return bool(p.low < alpha), f"p {show_relation(p)} for a difference that the text speaks of"


def beats_chance(accuracy: Printed, n: Printed, alpha: float = 0.05) -> Result:
    """An accuracy in n trials is above one half by an exact two-sided binomial test."""
    n = int(take_value(n))
    k = round(accuracy.value * n)
    p = min(1, 2 * bdtr(min(k, n - k), n, 0.5))
    low = betaincinv(k, n - k + 1, 0.025) if k else 0
    high = betaincinv(k + 1, n - k, 0.975) if k < n else 1
    return (
        bool(p < alpha),
        f"{k} of {n} right: p = {p:.2g} against 0.5, exact 95 % interval {low:.2f} to {high:.2f}",
    )


def no_difference(
    mean1: Printed, sd1: Printed, mean2: Printed, sd2: Printed, n1: float, n2: float
) -> Result:
    """Two groups do not differ by Welch's t (abs t below 2)."""
    t = (mean1.value - mean2.value) / np.sqrt(sd1.value**2 / n1 + sd2.value**2 / n2)
    return (
        bool(abs(t) < 2),
        f"{mean1.text} (sd {sd1.text}, n {n1:g}) and {mean2.text} (sd {sd2.text}, n {n2:g}): t = {t:.1f}",
    )


def sd_of_mean(average: Printed, sd: Printed, n: float) -> Result:
    """The sd of a bootstrapped mean m of n zeros and ones is sqrt(m (1 - m) / n)."""
    item = np.sqrt(average.value * (1 - average.value))
    return (
        bool(sd.low <= np.sqrt(average.high * (1 - average.high) / n)),
        f"of a mean of {n:g} zeros and ones {average.text} the sd is {item / np.sqrt(n):.4f}; printed is "
        f"{sd.text}, the sd of the single values ({item:.3f})",
    )


def mean_of_choices(
    average: Printed, n: Printed, choices: tuple[float, float, float, float]
) -> Result:
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


def bound_counts(rate: Printed, n: Printed) -> tuple[np.ndarray, int]:
    """List the numbers of successes out of n whose rate rounds to a printed one."""
    n = int(take_value(n))
    low, high = np.ceil(rate.low * n - 1e-9), np.floor(rate.high * n + 1e-9)
    return np.arange(max(0, low), min(n, high) + 1).astype(int), n


def rate_of_count(rate: Printed, n: Printed) -> Result:
    """Some whole number of successes out of n rounds to the printed rate."""
    counts, n = bound_counts(rate, n)
    if not len(counts):
        near = [int(np.floor(rate.value * n)), int(np.ceil(rate.value * n))]
        shown = " and ".join(f"{k}/{n} = {k / n:.4f}" for k in near)
        return False, f"no count out of {n} rounds to {rate.text}; nearest are {shown}"
    ends = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return True, f"{ends} of {n} rounds to {rate.text}"


def logit_z(z: Printed, rate: Printed, n: Printed, null: float = 0.5) -> Result:
    """z of a binomial regression of one rate: its log odds over their standard error."""
    counts, n = bound_counts(rate, n)
    odds = np.log(counts / (n - counts)) - np.log(null / (1 - null))
    zs = odds / np.sqrt(1 / counts + 1 / (n - counts))
    means = zs[np.abs(counts - rate.value * n).argmin()]
    arithmetic = f"{rate.text} of {n} against {null:g} means z = {means:.3f}, printed is {z.text}"
    return overlaps(zs.min(), zs.max(), z), arithmetic


def not_log_odds(z: Printed, rate: Printed, n: Printed) -> Result:
    """The z of a rate differs from its log odds, unless the two are equal."""
    counts, n = bound_counts(rate, n)
    odds = np.log(counts / (n - counts))
    means = odds[np.abs(counts - rate.value * n).argmin()]
    arithmetic = f"the log odds of {rate.text} of {n} are {means:.3f}, printed is z = {z.text}"
    return not overlaps(odds.min(), odds.max(), z), arithmetic


def two_logits_z(z: Printed, rate1: Printed, n1: Printed, rate2: Printed, n2: Printed) -> Result:
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


def match_p(p: Printed, low: float, high: float, words: str) -> Result:
    """Compare a printed p with those from `low` to `high`, which other numbers allow."""
    return overlaps(low, high, p), f"{words}, printed is p {show_relation(p)}"


def match_whole(
    whole: Printed,
    parts: Sequence[Printed],
    compute: Callable[[list[float]], float],
    words: str,
    rounding: bool = False,
) -> Result:
    """Compare a printed number with that computed from others, at either end of what they may have been."""
    value, *ends = (
        float(compute([getattr(part, end) for part in parts])) for end in ("value", "low", "high")
    )
    low, high = sorted(ends)
    shown = f" ({low:g} to {high:g} with rounding)" if rounding else ""
    arithmetic = f"{words} = {value:g}{shown}, printed is {whole.text}"
    return overlaps(low - 1e-12, high + 1e-12, whole), arithmetic


def join_texts(sign: str, numbers: Sequence[Printed]) -> str:
    """Join printed numbers by a sign or word."""
    return sign.join(number.text for number in numbers)


def overlaps(low: float, high: float, number: Printed) -> bool:
    """Tell whether some number from low to high can have been rounded to a printed one."""
    return bool(low <= number.high and high >= number.low)


def show_relation(number: Printed) -> str:
    """Write a printed number with its relation, as `= 0.03` or `< 0.001`."""
    return number.text if number.text[0] in "<>~" else f"= {number.text}"


def take_value(number: Number) -> float:
    """Return the value of a printed number, or a given number unchanged."""
    return number.value if isinstance(number, Printed) else number


RELATIONS: dict[str, Callable[..., Result]] = {
    relation.__name__: relation
    for relation in (
        z_p, chi2_p, r_p, u_p, exact_u_p, rank_sum, wilcoxon_n, pairs,
        direction, same, distinct, nonzero, total, product,
        total_of_products, mean, between, mean_at_most, complement, above, complement_above,
        mean_above, within, called_human, significant, beats_chance, no_difference, sd_of_mean,
        mean_of_choices, rate_of_count, logit_z, not_log_odds, two_logits_z,
    )
}  # fmt: skip
