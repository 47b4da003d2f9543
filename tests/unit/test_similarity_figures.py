"""Pictures of similarity ratings: signs, and exact values of marks."""

import numpy as np
import pandas as pd

from turingstats.figures.similarity.charts import Bars
from turingstats.figures.similarity.matrices import Matrices
from turingstats.figures.standalone import similarity

SHARED = {"panel": "A", "title": "Alignment", "family": "models", "hue": 1, "with": "people"}
SHARED |= {
    "reading": "published",
    "data": "observed data",
    "level": 0.95,
    "n": 10.0,
    "kind": "alignment",
}


def rows_of(*numbers):
    """Rows of source data from (system, quantity, value, low, high)."""
    table = pd.DataFrame(numbers, columns=["system", "quantity", "value", "low", "high"])
    return table.assign(label=table["system"].str.upper(), text="p < 0.05, Bonferroni", **SHARED)


def test_negative_alignments_have_a_minus_sign():
    table = rows_of(("a", "alignment", -0.0042, np.nan, np.nan)).assign(item_a="x", item_b="y")
    items = table.assign(quantity="item", value=0)
    cells = table.assign(quantity="dissimilarity", value=0.5)
    panel = Matrices("A", pd.concat([table, items, cells]), "Blues")
    assert panel.name_matrix("a")[:2] == ("A", "ρ = \N{MINUS SIGN}0.004")


def test_bars_say_their_values():
    table = rows_of(
        ("a", "all", 0.5, 0.4, 0.6),
        ("a", "within", 0.3, np.nan, np.nan),
        ("a", "with single", 0.2, np.nan, np.nan),
    )
    axes = similarity.draw(table).axes[1]
    (bar,) = [patch for patch in axes.patches if hasattr(patch, "mark_title")]
    assert bar.mark_title == "A: ρ over all pairs 0.5000 (interval 0.4000 to 0.6000); n = 10"
    titles = {line.mark_title for line in axes.lines if hasattr(line, "mark_title")}
    assert "A: mean ρ with single people 0.2000; n = 10" in titles
    assert Bars("A", table, "Blues").explain("95%").startswith("Bars: Spearman's correlation")


def list_titles(figure):
    """List the titles of the marks of a figure."""
    titled = figure.findobj(lambda artist: getattr(artist, "mark_title", ""))
    return [artist.mark_title for artist in titled]


def test_a_histogram_says_all_its_shares_in_one_title():
    table = rows_of(("a", "share", 0.25, -0.025, 0.025), ("a", "share", 0.75, 0.025, 0.075))
    (title,) = list_titles(similarity.draw(table.assign(kind="distributions")))
    assert title == "A: 75.0% from 2.5 to 7.5; shares of all bars, %: 25.0, 75.0"


def test_a_matrix_says_its_alignment():
    table = rows_of(("a", "alignment", 0.1234, np.nan, np.nan)).assign(item_a="x", item_b="y")
    items = pd.concat(
        [
            table.assign(quantity="item", item_a=name, value=place, system=np.nan)
            for place, name in enumerate("xy")
        ]
    )
    cells = table.assign(quantity="dissimilarity", value=0.5)
    both = pd.concat([table, items, cells]).assign(kind="dissimilarity")
    (title,) = list_titles(similarity.draw(both))
    assert title == "A: ρ with people 0.1234 over 10 pairs of items; p < 0.05, Bonferroni"
