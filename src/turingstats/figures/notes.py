"""Sentences below figures: what marks, intervals and tests are, and where the numbers come from.

The sentences are macros of `templates/figure_notes.txt`, which ask the source data of a figure.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.core.labels import (
    describe_correction,
    describe_family,
    find_alpha,
    join_with_or,
    name_test,
    pluralize_unit,
)
from turingstats.core.templating import PAGES, make_environment

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

    def lacks(self, column: str) -> bool:
        """Tell whether a row has no value."""
        return bool(self.rows[column].isna().any())

    def has(self, column: str) -> bool:
        """Tell whether a value is true."""
        return bool(self.rows[column].any())

    def below(self, column: str, limit: float) -> bool:
        """Tell whether a value is below a limit."""
        return bool((self.rows[column] < limit).any())

    def first(self, column: str) -> Any:
        """Return the value of the first row."""
        return self.rows[column].iloc[0]

    def lowest(self, column: str) -> Any:
        """Return the lowest value."""
        return self.rows[column].min()

    def highest(self, column: str) -> Any:
        """Return the highest value."""
        return self.rows[column].max()

    def values(self, column: str) -> list[Any]:
        """List the distinct values in their order, if the column is there."""
        return list(self.rows[column].dropna().unique()) if column in self.rows else []

    def records(self, *columns: str) -> list[dict[str, Any]]:
        """List the rows, or what is distinct in some columns."""
        rows = self.rows.drop_duplicates(list(columns)) if columns else self.rows
        return rows.to_dict("records")

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
    "infinity": float("inf"),
    "percent": "{:.0%}".format,
    "count": "{:,.0f}".format,
    "short": "{:g}".format,
    "three_digits": "{:.3g}".format,
    "name_test": name_test,
    "pluralize_unit": pluralize_unit,
    "describe_correction": describe_correction,
    "name_quantity": name_quantity,
    "lower_first": lambda text: text[:1].lower() + text[1:],
}
"""What the sentences are written with."""


@functools.cache
def load_sentences() -> Any:
    """Load the macros of the sentences."""
    environment = make_environment(PAGES, escape=False, trim=False)
    return environment.get_template("figure_notes.txt", globals=WORDS).module


def write_note(kind: str, *parts: pd.DataFrame, **more: Any) -> str:
    """Write the sentences of a kind of panel or figure, from its source data and what else they ask for;
    a kind without a macro has none.
    """
    macro = getattr(load_sentences(), kind.replace(" ", "_"), None)
    if macro is None:
        return ""
    return re.sub(r"[ \n]+", " ", macro(*map(Facts, parts), **more)).strip()
