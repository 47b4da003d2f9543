"""Relations between printed numbers, computed from these numbers alone.

A printed number stands for every number that rounds to it, so that rounding alone never causes a
contradiction. Each relation takes printed numbers (`Printed`) and given ones (plain numbers), and
returns whether it can hold and the arithmetic in words. What arithmetic can say is a formula, such as
`a = b + c`. docs/claims.md lists the relations.
"""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from string import ascii_lowercase
from typing import Any, SupportsFloat

import numpy as np
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from scipy.special import bdtr, betaincinv, chdtrc, ndtr, stdtr


@dataclass(frozen=True)
class Printed:
    """A printed number: every x with low <= x <= high may have been rounded to it."""

    value: float
    low: float
    high: float
    text: str

    def __float__(self) -> float:
        """Return the value, so that a relation takes printed numbers and given ones."""
        return self.value


Result = tuple[bool, str]
"""Whether a relation holds, and the arithmetic in words."""


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


# --- formulas ------------------------------------------------------------------------------------

FORMULA = re.compile(r"(?P<left>.+?) (?P<sign>=|!=|[<>]=?) (?P<right>.+)")
SIGNS = {
    "=": "; printed:",
    "!=": " should not be",
    "<": " should be below",
    "<=": " should be at most",
    ">": " should be above",
    ">=": " should be at least",
}
ARITHMETIC = SandboxedEnvironment(undefined=StrictUndefined)
compile_side = functools.cache(ARITHMETIC.compile_expression)
FUNCTIONS = {"abs": abs, "log": np.log, "sqrt": np.sqrt}
ROUNDING = 1e-12
"""Errors of floating-point numbers, which contradict nothing."""


def check_formula(formula: str, *numbers: Printed) -> Result:
    """Check a comparison of two sides in which a, b, c stand for the numbers in their order."""
    numbers_by_letter = dict(zip(ascii_lowercase, numbers, strict=False))
    sides = FORMULA.fullmatch(formula)
    if sides is None:
        raise ValueError(f"{formula!r} is not a formula")
    left, right = (bound_side(sides[side], numbers_by_letter) for side in ("left", "right"))
    below, above = left.low <= right.high + ROUNDING, left.high >= right.low - ROUNDING
    holds = {
        "=": below and above,
        "!=": not (below and above),
        "<": left.low < right.high,
        "<=": below,
        ">": left.high > right.low,
        ">=": above,
    }[sides["sign"]]
    first, second = (right, left) if sides["sign"] == "=" else (left, right)
    return bool(holds), f"{first.text}{SIGNS[sides['sign']]} {second.text}"


def bound_side(side: str, named: dict[str, Printed]) -> Printed:
    """Bound a side of a formula, which each number in it may only increase or only decrease."""
    calculate = compile_side(side, undefined_to_none=False)

    def compute(values: dict[str, float]) -> float:
        return float(calculate(**FUNCTIONS, **values))

    values = {name: number.value for name, number in named.items()}
    smallest, largest = dict(values), dict(values)
    for name, number in named.items():
        ends = number.low, number.high
        at_low, at_high = (compute(values | {name: end}) for end in ends)
        smallest[name], largest[name] = ends if at_low <= at_high else ends[::-1]
    value, low, high = map(compute, (values, smallest, largest))
    text = re.sub(r"\b[a-z]\b", lambda name: named[name[0]].text, side)
    text = text.replace("**2", "²").replace("*", "\N{MULTIPLICATION SIGN}")
    if not (side in named or side.replace(".", "").isdigit()):
        rounded = [f"{x:.{6 if abs(x) >= 1 else 4}g}" for x in (value, low, high)]
        text += f" = {rounded[0]}"
        if low < high and np.isfinite([low, high]).all():
            text += f" ({rounded[1]} to {rounded[2]} with rounding)"
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
    return match_p(p, low, high, f"chi-square = {chi2.text} with df = {df:g} means p = {means:.3g}")


def r_p(r: Printed, p: Printed, n: SupportsFloat, tests: float = 1) -> Result:
    """Two-sided p of a Pearson or Spearman correlation over n pairs: t = r sqrt((n - 2) / (1 - r^2)).

    With `tests` it is Bonferroni's p of this many tests.
    """
    n, size = float(n), np.abs([r.low, r.value, r.high])
    t = size * np.sqrt((n - 2) / (1 - size**2))
    ends = np.minimum(1, tests * 2 * stdtr(n - 2, -t))
    corrected = f" corrected for {tests:g} tests" if tests > 1 else ""
    words = f"r = {r.text} over {n:g} means p = {ends[1]:.3g}{corrected}"
    return match_p(p, min(ends[0], ends[2]), max(ends[0], ends[2]), words)


def u_p(u: Printed, p: Printed, n1: SupportsFloat, n2: SupportsFloat) -> Result:
    """Two-sided p of a Mann-Whitney U by the normal approximation.

    Ties reduce the variance, at most to 0.75 of that without ties (when 63 % of all values are equal); a
    continuity correction makes p larger. p may lie anywhere in between.
    """
    n1, n2 = float(n1), float(n2)
    away = abs(u.value - n1 * n2 / 2)
    spread = np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    distances = [away / (spread * np.sqrt(0.75)), away / spread, max(away - 0.5, 0) / spread]
    low, means, high = 2 * ndtr(np.negative(distances))
    words = f"U = {u.text} with {n1:g} and {n2:g} judges means p = {means:.3g} without ties"
    possible, arithmetic = match_p(p, low, high, f"{words} ({low:.2g} to {high:.2g})")
    return bool(u.value <= n1 * n2) and possible, arithmetic


def exact_u_p(u: Printed, p: Printed, n1: SupportsFloat, n2: SupportsFloat) -> Result:
    """Two-sided exact p of a Mann-Whitney U of small groups without ties: twice the smaller tail."""
    # Half a second, which other relations need not wait for.
    from scipy.stats import mannwhitneyu

    n1, n2 = int(float(n1)), int(float(n2))
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
    return bool(low <= w.value <= high), f"{counted} give W = {range_}; printed: {w.text}"


def direction(z: Printed, rate: Printed, null: float = 0.5) -> Result:
    """A signed z is positive when the rate lies above the value tested against."""
    side = "above" if rate.value > null else "below"
    words = f"z = {z.text}, while {rate.text} lies {side} {null:g}"
    return bool(z.value * (rate.value - null) >= 0), words


def same(*numbers: Printed) -> Result:
    """All can be the same number."""
    low, high = max(n.low for n in numbers), min(n.high for n in numbers)
    return bool(low <= high), f"{join_texts(numbers)} for the same quantity"


def distinct(*numbers: Printed) -> Result:
    """Not all are equal: different quantities rarely are."""
    words = f"{join_texts(numbers)} for different quantities"
    return len({n.text for n in numbers}) > 1, words


def between(whole: Printed, *parts: Printed) -> Result:
    """Pooled over parts of any size, the whole lies between the smallest and the largest."""
    low, high = min(p.low for p in parts), max(p.high for p in parts)
    words = f"{whole.text} of all, {join_texts(parts)} of its parts"
    return overlaps(low, high, whole), words


def beats_chance(accuracy: Printed, n: Printed, alpha: float = 0.05) -> Result:
    """An accuracy in n trials is above one half by an exact two-sided binomial test."""
    n = int(float(n))
    k = round(accuracy.value * n)
    p = min(1, 2 * bdtr(min(k, n - k), n, 0.5))
    low = betaincinv(k, n - k + 1, 0.025) if k else 0
    high = betaincinv(k + 1, n - k, 0.975) if k < n else 1
    words = f"{k} of {n} right: p = {p:.2g} against 0.5"
    return bool(p < alpha), f"{words}, exact 95% interval {low:.2f} to {high:.2f}"


def mean_of_choices(average: Printed, n: Printed, choices: tuple[float, ...]) -> Result:
    """Some n numbers from a list have the printed mean."""
    size = int(n.value)
    means = {sum(chosen) / size for chosen in combinations_with_replacement(choices, size)}
    nearest = sorted(sorted(means, key=lambda mean: abs(mean - average.value))[:2])
    words = f"means of {size} numbers out of {', '.join(f'{c:g}' for c in choices)} nearest to"
    words += f" {average.text} are {' and '.join(f'{mean:g}' for mean in nearest)}"
    return any(average.low <= mean <= average.high for mean in means), words


def rate_of_count(rate: Printed, n: Printed) -> Result:
    """Some whole number of successes out of n rounds to the printed rate."""
    size = int(n.value)
    near = np.floor(rate.value * size) + np.arange(2)
    low, high = np.ceil(rate.low * size - 1e-9), np.floor(rate.high * size + 1e-9)
    low, high = max(0, low), min(size, high)
    if low > high:
        rounded = " and ".join(f"{k:.0f}/{size} = {k / size:.4f}" for k in near)
        return False, f"no count out of {size} rounds to {rate.text}; nearest are {rounded}"
    ends = f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
    return True, f"{ends} of {size} rounds to {rate.text}"


def match_p(p: Printed, low: float, high: float, words: str) -> Result:
    """Compare a printed p with those from `low` to `high`, which other numbers allow."""
    printed = p.text if p.text[0] in "<>~" else f"= {p.text}"
    return overlaps(low, high, p), f"{words}; printed: p {printed}"


def join_texts(numbers: Sequence[Printed]) -> str:
    """Join printed numbers in words."""
    return " and ".join(number.text for number in numbers)


def overlaps(low: float, high: float, number: Printed) -> bool:
    """Tell whether some number from low to high can have been rounded to a printed one."""
    return bool(low <= number.high and high >= number.low)


RELATIONS: dict[str, Callable[..., Result]] = {
    relation.__name__: relation
    for relation in (
        z_p, chi2_p, r_p, u_p, exact_u_p, rank_sum, direction, same, distinct, between, beats_chance,
        mean_of_choices, rate_of_count,
    )
}  # fmt: skip
