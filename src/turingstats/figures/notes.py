"""Sentences about figures: notes below them, which say what marks, intervals and tests are, and titles.

The sentences are macros of templates (`figure_notes.txt`, `figure_titles.txt`), which ask the source data.
"""

import functools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.core.labels import (
    describe_correction,
    describe_family,
    find_alpha,
    format_with_noun,
    join_with_or,
    name_test,
    pluralize_unit,
    state_p,
    use_minus_signs,
)
from turingstats.core.templating import PAGES, make_environment
from turingstats.data.absence import IN_WORDS, NOT_BUNDLED

FINDINGS = (
    "group_tests", "chance_tests", "rates", "correlations", "alignment_of_systems", "listed_numbers",
)  # fmt: skip
"""What titles of figures of panels say; of each figure the first that it has."""
ASKED = ["p_adjusted", "correction", "judge_kind", "group"]
"""Columns that titles ask for, and that a figure may lack."""
QUANTITIES = {"p_HH": "Share judged human", "p_HM": "Share judged human"}


@dataclass(frozen=True)
class Facts:
    """What sentences ask of source data; true if there are any rows."""

    rows: pd.DataFrame

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, column: str, *values: Any) -> "Facts":
        """Select the rows whose value is one of some."""
        return Facts(self.rows[self.rows[column].isin(values)])

    def but(self, column: str, *values: Any) -> "Facts":
        """Select the rows whose value is none of some."""
        return Facts(self.rows[~self.rows[column].isin(values)])

    def known(self, column: str) -> "Facts":
        """Select the rows that have a value."""
        return Facts(self.rows[self.rows[column].notna()])

    def lacking(self, column: str) -> "Facts":
        """Select the rows that have no value."""
        return Facts(self.rows[self.rows[column].isna()])

    def has(self, column: str) -> bool:
        """Tell whether a value is true."""
        return bool(self.rows[column].any())

    def below(self, column: str, limit: float) -> "Facts":
        """Select the rows whose value is below a limit."""
        return Facts(self.rows[self.rows[column] < limit])

    def above(self, column: str, limit: float) -> "Facts":
        """Select the rows whose value is above a limit."""
        return Facts(self.rows[self.rows[column] > limit])

    def first(self, column: str) -> Any:
        """Return the value of the first row."""
        return self.rows[column].iloc[0]

    def lowest(self, column: str) -> Any:
        """Return the lowest value."""
        return self.rows[column].min()

    def highest(self, column: str) -> Any:
        """Return the highest value."""
        return self.rows[column].max()

    def find_lowest(self, column: str) -> dict[str, Any]:
        """Find the first row with the lowest value."""
        return self.rows.loc[self.rows[column].idxmin()].to_dict()

    def find_highest(self, column: str) -> dict[str, Any]:
        """Find the first row with the highest value."""
        return self.rows.loc[self.rows[column].idxmax()].to_dict()

    def find_medians(self, column: str, *by: str) -> "Facts":
        """Find the medians of a column in each group of rows."""
        return Facts(self.rows.groupby(list(by), as_index=False)[column].median())

    def values(self, column: str) -> list[Any]:
        """List the distinct values in their order, if the column is there."""
        return list(self.rows[column].dropna().unique()) if column in self.rows else []

    def records(self, *columns: str) -> list[dict[str, Any]]:
        """List the rows, or what is distinct in some columns."""
        rows = self.rows.drop_duplicates(list(columns)) if columns else self.rows
        return rows.to_dict("records")

    def count(self, column: str) -> list[tuple[Any, int]]:
        """Count the rows with each value, the most frequent one first."""
        return Counter(self.rows[column]).most_common()

    @property
    def alpha(self) -> float:
        """The threshold of p."""
        return find_alpha(self.first("level"))

    def describe_families(self) -> str:
        """Describe how many tests were corrected together, by panel if panels differ."""
        sizes: dict[int, dict[str, None]] = {}
        for panel, size in zip(self.rows["panel"], self.rows["family_size"], strict=True):
            sizes.setdefault(int(size), {})[panel] = None
        if len(sizes) == 1:
            return describe_family(self.rows["family_size"])
        named = [f"{size} ({', '.join(sizes[size])})" for size in sorted(sizes)]
        return f"family of {join_with_or(named)} tests"


def name_quantity(quantity: str) -> str:
    """Name a quantity on an axis."""
    return QUANTITIES.get(quantity, str(quantity).capitalize())


WORDS: dict[str, Any] = {
    "PRINTED_TABLE": PRINTED_TABLE,
    "NOT_BUNDLED": IN_WORDS[NOT_BUNDLED],
    "infinity": float("inf"),
    "percent": lambda share: f"{float(share):.0%}",
    "whole_percent": lambda share: f"{100 * share:.0f}",
    "count": "{:,.0f}".format,
    "count_noun": format_with_noun,
    "short": "{:g}".format,
    "two_decimals": "{:z.2f}".format,
    "three_digits": "{:.3g}".format,
    "name_test": name_test,
    "state_p": state_p,
    "pluralize_unit": pluralize_unit,
    "describe_correction": describe_correction,
    "name_quantity": name_quantity,
    "lower_first": lambda text: text[:1].lower() + text[1:],
}
"""What the sentences are written with."""


@functools.cache
def load_sentences(template: str = "figure_notes.txt") -> Any:
    """Load the macros of the sentences."""
    environment = make_environment(PAGES, escape=False, trim=False)
    return environment.get_template(template, globals=WORDS).module


def fill_in(macro: Any, *facts: Any, **more: Any) -> str:
    """Fill in a macro, in one line."""
    return re.sub(r"[ \n]+", " ", macro(*facts, **more)).strip()


def write_note(kind: str, *parts: pd.DataFrame, **more: Any) -> str:
    """Write the sentences of a kind of panel or figure, from its source data and what else they ask for;
    a kind without a macro has none.
    """
    macro = getattr(load_sentences(), kind.replace(" ", "_"), None)
    return fill_in(macro, *map(Facts, parts), **more) if macro else ""


def write_title(name: str, data: pd.DataFrame, plain: str) -> str:
    """Write the title of a figure, by what its source data show; the plain one where nothing can be said."""
    if data.empty:
        return plain
    macros = load_sentences("figure_titles.txt")
    panels = FINDINGS if {"kind", "quantity"} <= set(data) else ()
    kinds = (name,) if hasattr(macros, name) else panels
    facts = Facts(data.reindex(columns=data.columns.union(ASKED, sort=False)))
    titles = (fill_in(getattr(macros, kind), facts) for kind in kinds)
    return next(filter(None, map(use_minus_signs, titles)), plain)
