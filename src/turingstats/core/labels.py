"""Names of tests, the level of significance, and number formats for figures and captions."""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import yaml

PLURALS = {"stimulus": "stimuli", "judge and stimulus": "judges and stimuli"}
"""Units in the plural, unless an s is added."""


def pluralize_unit(unit: str) -> str:
    """Return the plural of a unit, such as judges or stimuli."""
    return PLURALS.get(unit, f"{unit}s")


TESTS: dict[str, str] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)


TRENDS = ("slopes", "residuals", "binomial_regression")
"""Tests along a numeric condition."""


def find_alpha(confidence: float) -> float:
    """Find the corrected p below which a difference is significant, from the level of intervals."""
    return round(1 - confidence, 12)


def name_test(test: str) -> str:
    """Name a test in words, such as "exact binomial test"."""
    return TESTS.get(test, str(test).replace("_", " "))


def format_p(p: float, form: str = ".3f") -> str:
    """Format a p value, such as 0.012 or < 0.001; empty if it is missing."""
    if p != p:
        return ""
    return "< 0.001" if p < 0.001 else format(p, form)


def state_p(p: float, form: str = ".3f") -> str:
    """State a p value, such as "p = 0.012" or "p < 0.001"."""
    text = format_p(p, form)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def parse_decimal(text: str) -> Decimal | None:
    """Parse a number from text, with the decimals as written; None if it is not a number, or not finite."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def join_with_or(words: Iterable[str]) -> str:
    """Join words with commas and "or"."""
    words = list(words)
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def join_with_and(words: Iterable[str]) -> str:
    """Join words with commas and "and"."""
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def begin_in_lower_case(label: str) -> str:
    """Write the label of judges as within a sentence, such as "online judges"; names keep their capital."""
    first, _, rest = label.partition(" ")
    ordinary = first.lower() in ("online", "judges", "people", "students", "crowd", "experts")
    return f"{first.lower() if ordinary else first} {rest}".strip()


def format_with_noun(number: float, noun: str, plural: str | None = None) -> str:
    """Format a number with its noun, such as "1,416 trials"; the plural is that with an s, if not given."""
    return f"{number:,.0f} {noun if number == 1 else plural or f'{noun}s'}"


def use_minus_signs(text: str) -> str:
    """Replace the hyphen before each negative number by a minus sign."""
    return re.sub(r"(?<!\w)-(?=\.?\d)", "\N{MINUS SIGN}", text)


def write_powers(text: str) -> str:
    """Write minus signs and powers of ten as in print, such as 2.9 × 10⁻⁵."""
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    power = re.compile(r"(?<=\d)e([-+]\d+)\b")
    text = power.sub(lambda e: f" × 10{str(int(e[1])).translate(digits)}", text)
    return use_minus_signs(text)


def separate_thousands(text: str) -> str:
    """Separate the thousands of whole numbers, such as 1,416."""
    return re.sub(r"(?<![\w.,/])[1-9]\d{3,}(?![\w/]|[.,]\d)", lambda n: f"{int(n[0]):,}", text)


def describe_correction(correction: str) -> str:
    """Describe how p values were corrected, such as Holm-corrected."""
    words = {"fdr_bh": "Benjamini\N{EN DASH}Hochberg-corrected", "none": "uncorrected"}
    return words.get(correction, f"{correction.capitalize()}-corrected")


def describe_family(sizes: Sequence[float]) -> str:
    """Describe how many tests were corrected together; `sizes` of several families, in any order."""
    sizes = sorted({int(size) for size in sizes})
    return f"family of {join_with_or(f'{size:,}' for size in sizes)} {'test' if sizes == [1] else 'tests'}"


def format_limits(value: float, low: float, high: float, no_limit: str) -> str:
    """Format a number whose interval may have no limit on a side: "low", "high" or "both"."""
    sides = {"low": f" (to {high:.2f})", "high": f" (from {low:.2f})", "both": " (no limits)"}
    text = f"{value:.2f}{sides[no_limit]}" if no_limit else format_with_interval(value, low, high)
    return use_minus_signs(text)


NOT_DEFINED = "not defined"


def format_with_interval(value: float, low: float, high: float) -> str:
    """Format a number with its interval, such as "0.43 (0.10 to 0.68)", or `NOT_DEFINED`."""
    if value != value:
        return NOT_DEFINED
    # Adding 0 turns a rounded -0 into 0.
    center, *ends = (f"{round(number, 2) + 0.0:.2f}" for number in (value, low, high))
    return center if ends[0] == "nan" else f"{center} ({ends[0]} to {ends[1]})"


def format_range(numbers: Iterable[float]) -> str:
    """Format the range of numbers, or the single number if all are equal; empty if there are none."""
    known = sorted(numbers)
    return "\N{EN DASH}".join(dict.fromkeys(f"{end:,.0f}" for end in (*known[:1], *known[-1:])))


def format_size(row: dict[str, Any]) -> str:
    """Format how large a study is: its judges, or its stimuli or trials if errors are over these alone."""
    if row["unit"] == "trials":
        return f"{row['n']:,.0f} trials"
    if row["unit"] == "stimuli":
        return f"{row['n_stimuli']:,.0f} stimuli"
    return f"{row['n_judges']:,.0f}"


def format_needed_size(row: dict[str, Any]) -> str:
    """Format how large a study must be to show equivalence: judges, or else stimuli, or times both."""
    for unit, noun in (("judges", ""), ("stimuli", " stimuli"), ("trials", " trials")):
        if math.isfinite(needed := row[f"{unit}_for_equivalence"]):
            return f"{needed:,.0f}{noun}"
    times = row["both_for_equivalence"]
    if math.isfinite(times):
        return f"{times:.1f} times both"
    return "never" if times == math.inf or row[f"{row['unit']}_for_equivalence"] == math.inf else ""
