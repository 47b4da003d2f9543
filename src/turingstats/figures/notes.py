"""Sentences about figures: notes below them, which say what marks, intervals and tests are, and titles.

The sentences are macros of templates (`figure_notes.txt`, `figure_titles.txt`), which ask the source data.
"""

import functools
import re
import statistics
from collections import Counter
from operator import itemgetter
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
ASKED = ("p_adjusted", "correction", "judge_kind", "group")
"""Columns that titles ask for, and that a figure may lack."""
QUANTITIES = {"p_HH": "Share judged human", "p_HM": "Share judged human"}


class Facts:
    """What sentences ask of source data, a table or its rows; true if there are any rows."""

    def __init__(self, rows: pd.DataFrame | list[dict[str, Any]]) -> None:
        self.rows = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else rows

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, column: str, *values: Any) -> "Facts":
        """Select the rows whose value is one of some."""
        return Facts([row for row in self.rows if row[column] in values])

    def but(self, column: str, *values: Any) -> "Facts":
        """Select the rows whose value is none of some."""
        return Facts([row for row in self.rows if row[column] not in values])

    def known(self, column: str) -> "Facts":
        """Select the rows that have a value."""
        return Facts([row for row in self.rows if is_known(row[column])])

    def lacking(self, column: str) -> "Facts":
        """Select the rows that have no value."""
        return Facts([row for row in self.rows if not is_known(row[column])])

    def below(self, column: str, limit: float) -> "Facts":
        """Select the rows whose value is below a limit."""
        return Facts([row for row in self.rows if row[column] < limit])

    def above(self, column: str, limit: float) -> "Facts":
        """Select the rows whose value is above a limit."""
        return Facts([row for row in self.rows if row[column] > limit])

    def has(self, column: str) -> bool:
        """Tell whether a value is true."""
        return any(row[column] for row in self.known(column).rows)

    def has_column(self, column: str) -> bool:
        """Tell whether the rows have a column."""
        return any(column in row for row in self.rows[:1])

    def first(self, column: str) -> Any:
        """Return the value of the first row."""
        return self.rows[0][column]

    def find_lowest(self, column: str) -> dict[str, Any]:
        """Find the first row with the lowest value."""
        return min(self.known(column).rows, key=itemgetter(column))

    def find_highest(self, column: str) -> dict[str, Any]:
        """Find the first row with the highest value."""
        return max(self.known(column).rows, key=itemgetter(column))

    def group(self, *by: str) -> dict[tuple[Any, ...], "Facts"]:
        """Group the rows by their values of some columns."""
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in self.rows:
            groups.setdefault(tuple(row[name] for name in by), []).append(row)
        return {values: Facts(rows) for values, rows in groups.items()}

    def find_medians(self, column: str, *by: str) -> "Facts":
        """Find the medians of a column in each group of rows."""
        groups = self.known(column).group(*by)
        medians = {of: statistics.median(row[column] for row in groups[of].rows) for of in groups}
        return Facts([dict(zip((*by, column), (*of, medians[of]), strict=True)) for of in groups])

    def values(self, column: str) -> list[Any]:
        """List the distinct values in their order, if the column is there."""
        known = self.known(column).rows if self.has_column(column) else []
        return list(dict.fromkeys(row[column] for row in known))

    def records(self, *columns: str) -> list[dict[str, Any]]:
        """List the rows of which each is the first with its values of some columns."""
        return [rows.rows[0] for rows in self.group(*columns).values()]

    def count(self, column: str) -> list[tuple[Any, int]]:
        """Count the rows with each value, the most frequent one first."""
        return Counter(row[column] for row in self.rows).most_common()

    @property
    def alpha(self) -> float:
        """The threshold of p."""
        return find_alpha(self.first("level"))

    def describe_families(self) -> str:
        """Describe how many tests were corrected together, by panel if panels differ."""
        sizes: dict[int, dict[str, None]] = {}
        for row in self.rows:
            sizes.setdefault(int(row["family_size"]), {})[row["panel"]] = None
        if len(sizes) == 1:
            return describe_family(list(sizes))
        sized_names = [f"{size} ({', '.join(sizes[size])})" for size in sorted(sizes)]
        return f"family of {join_with_or(sized_names)} tests"


def is_known(value: Any) -> bool:
    """Tell whether a cell has a value."""
    return value is not None and value == value


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


def write_title(name: str, data: Facts, plain: str) -> str:
    """Write the title of a figure, by what its source data show; the plain one where nothing can be said."""
    if not data:
        return plain
    macros = load_sentences("figure_titles.txt")
    panels = FINDINGS if data.has_column("kind") and data.has_column("quantity") else ()
    kinds = (name,) if hasattr(macros, name) else panels
    facts = Facts([dict.fromkeys(ASKED) | row for row in data.rows])
    titles = (fill_in(getattr(macros, kind), facts) for kind in kinds)
    return next(filter(None, map(use_minus_signs, titles)), plain)
