"""Result of a test, and steps common to all tests: remove missing values, describe the method."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

NAN = float("nan")

# Rates such as 4/6 - 0.5 and 0.5 - 2/6 are equal, but differ by 1e-16 in floating point. Ranks of
# unrounded values therefore follow the rounding noise instead of the data.
TIE_DECIMALS = 12


@dataclass(frozen=True)
class Outcome:
    """Result of one test."""

    # For instance ``"z"`` and its value; NaN if the test is not defined for the data.
    statistic_name: str
    statistic: float
    df: str  # degrees of freedom, such as ``"2"`` or ``"1, 63"``; empty if the test has none
    p: float  # two-sided p-value, not adjusted for other tests
    # Effect size and its interval (`turingstats.stats.effects`); NaN limits if it has none.
    effect_name: str
    effect: float
    ci_low: float
    ci_high: float
    # Values used in each group. ``n2`` is NaN for one group; for three or more groups ``n1`` is
    # their sum and ``n2`` NaN.
    n1: float
    n2: float
    dropped: str  # values left out, or why the test was not computed; empty if all values were used
    method: str  # library, version, function and every option that matters
    n_per_group: str = ""  # values used in every group, separated by "; "
    # Central 95 % (or another level) of random draws, where the test rests on a single one.
    statistic_low: float = NAN
    statistic_high: float = NAN
    p_low: float = NAN
    p_high: float = NAN
    # What was treated as independent, where that depends on the data; otherwise empty.
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.n_per_group:
            numbers = [n for n in (self.n1, self.n2) if not np.isnan(n)]
            object.__setattr__(self, "n_per_group", format_sizes(numbers))

    def refuse(self, reason: str) -> "Outcome":
        """Return the outcome with the reason why it is not computed, or has no interval."""
        return replace(self, dropped=join_notes(self.dropped, reason))

    def refuse_if(self, *cases: tuple[bool | np.bool_, str]) -> "Outcome | None":
        """Return the outcome with what is said of the first case that holds; None if none does."""
        return next((self.refuse(f"not computed: {why}") for holds, why in cases if holds), None)

    def report(
        self,
        statistic: float,
        p: float,
        effect: tuple[float, float, float],
        df: str = "",
        sizes: Iterable[float] = (),
        **others: Any,
    ) -> "Outcome":
        """Return the outcome with its numbers; the effect has its interval, `sizes` are those of groups."""
        value, low, high = map(float, effect)
        numbers: dict[str, Any] = {"statistic": float(statistic), "p": float(p), "df": df}
        numbers |= {"effect": value, "ci_low": low, "ci_high": high}
        numbers["n_per_group"] = format_sizes(sizes) or self.n_per_group
        return replace(self, **numbers, **others)


def make_undefined_outcome(
    reason: str,
    statistic_name: str,
    effect_name: str,
    n1: float,
    n2: float = NAN,
    method: str = "not computed",
) -> Outcome:
    """Make the outcome of a test without numbers; `reason` is what is said of it in `dropped`."""
    return Outcome(statistic_name, NAN, "", NAN, effect_name, NAN, NAN, NAN, n1, n2, reason, method)


def cite_library(library: str, call: str) -> str:
    """Format a library, its version and the function call, for `Outcome.method`."""
    return f"{library} {find_version(library)} {call}"


find_version = cache(version)
"""Version of an installed library; finding it takes milliseconds."""


def format_sizes(numbers: Iterable[float]) -> str:
    """Format the sizes of groups."""
    return "; ".join(f"{n:.0f}" for n in numbers)


def count_noun(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"


def describe_missing(number: int, one: str = "missing value", many: str = "missing values") -> str:
    return count_noun(number, one, many) if number else ""


def join_notes(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def remove_nan(values: ArrayLike) -> tuple[np.ndarray, int]:
    """Return the values that are not NaN, and the number of NaN."""
    array = np.asarray(values, dtype=float).ravel()
    missing = np.isnan(array)
    return array[~missing], int(missing.sum())


def remove_nan_from_groups(groups: Sequence[ArrayLike]) -> tuple[list[np.ndarray], str]:
    """Return the groups without NaN, and a note on the values removed."""
    cleaned = [remove_nan(group) for group in groups]
    return [values for values, _ in cleaned], describe_missing(sum(number for _, number in cleaned))


def is_constant(values: np.ndarray) -> bool:
    """Tell whether all values are equal up to rounding."""
    return len(values) == 0 or float(np.ptp(values)) < 10.0**-TIE_DECIMALS
