"""Panels of dissimilarity matrices."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from turingstats.core.labels import use_minus_signs
from turingstats.figures import pages
from turingstats.figures.hover import title_mark
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY
from turingstats.figures.similarity.panel import ROOM, TINY, Panel, describe_pairs

CATEGORIES = ("#d1615d", "#e2b04a", "#6a9f58", "#5778a4", "#a87c9f", "#967662", "#8f8f8f")


class Matrices(Panel):
    """Dissimilarity matrices with items in categories, in rows."""

    by = "system"

    def __init__(self, letter: str, rows: pd.DataFrame, colormap: str) -> None:
        super().__init__(letter, rows, colormap)
        items = self.select_rows("item").sort_values("value")
        self.place = dict(zip(items["item_a"], items["value"].astype(int), strict=True))
        self.category = items["text"].to_numpy()
        self.cells = dict(list(self.select_rows("dissimilarity").groupby(self.by, sort=False)))
        self.across = self.count_columns()
        self.size = (ROOM - 2 * (self.across - 1) - self.across) / self.across - 1
        self.step = self.size + 2 + 1 + self.measure_text_height()
        lines = -(-len(self.cells) // self.across)
        self.height = 5.5 + lines * self.step

    def count_columns(self) -> int:
        """Return the number of matrices per row."""
        return 4 if len(self.cells) <= 8 else 9

    def measure_text_height(self) -> float:
        """Return the height (mm) of the name of a matrix, two lines if small, and of its alignment."""
        return 6.5 if self.across <= 4 else 7.5

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the name of a matrix and the line below it."""
        rows = self.select_rows("alignment")
        row = rows[rows["system"] == key]
        if row.empty:
            raters = self.select_rows("raters")
            n = raters.loc[raters["system"] == key, "value"].iloc[0]
            return self.labels[key], f"{n:.0f} raters" if n == n else ""
        row = row.iloc[0]
        star = "" if str(row["text"]).startswith("p <") else " (n.s.)"
        value = use_minus_signs(f"{row['value']:z.3f}")
        return self.labels[key], f"ρ = {value}{star}"

    def describe_matrix(self, key: str) -> str:
        """Describe the alignment of a matrix exactly; empty if it has none."""
        rows = self.select_rows("alignment")
        for row in pages.list_records(rows[rows["system"] == key]):
            return (
                f"{self.labels[key]}: \N{GREEK SMALL LETTER RHO} with {row['with']} {row['value']:.4f} over "
                f"{row['n']:,.0f} pairs of items; {row['text']}"
            )
        return ""

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw the key, the color scale and the matrices."""
        self.draw_key(canvas, top)
        top += 5.5
        for number, (key, cells) in enumerate(self.cells.items()):
            line, column = divmod(number, self.across)
            left = MARGIN + column * (self.size + 4)
            self.draw_matrix(canvas, key, cells, left, top + line * self.step)

    def draw_key(self, canvas: Axes, top: float) -> None:
        """Draw the key of the colors of categories and cells."""
        x = MARGIN + 4.5
        names = list(dict.fromkeys(self.category))
        if len(names) > 1:
            for number, name in enumerate(names):
                color = CATEGORIES[number % len(CATEGORIES)]
                pages.draw_box(canvas, x, top, 2, 2, facecolor=color, edgecolor="none")
                pages.write_lines(canvas, x + 2.8, top + 1.75, name, SMALL)
                x += pages.measure_text(name, SMALL) + 6
        left = PAGE - MARGIN - 62
        pages.write_lines(canvas, left - 1.5, top + 1.75, "similar", SMALL, ha="right", color=GREY)
        axes = pages.add_inset(canvas, left, top + 0.1, 34, 1.8)
        scale = ScalarMappable(Normalize(0, 1), self.colormap)
        bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[])
        bar.outline.set_visible(False)
        pages.write_lines(canvas, left + 35.5, top + 1.75, "dissimilar", SMALL, color=GREY)

    def draw_matrix(
        self, canvas: Axes, key: str, cells: pd.DataFrame, left: float, top: float
    ) -> None:
        """Draw a matrix with bars of the categories at its left and top edges."""
        name, below = self.name_matrix(key)
        lines = pages.wrap_text(name, self.size + 2, self.choose_text_size())[:2]
        for number, line in enumerate(lines[::-1]):
            canvas.text(left + 1, top + 2 - 1.9 * number, line, size=self.choose_text_size())
        n = len(self.place)
        matrix = np.full((n, n), np.nan)
        a = cells["item_a"].map(self.place).to_numpy()
        b = cells["item_b"].map(self.place).to_numpy()
        matrix[a, b] = matrix[b, a] = cells["value"]
        np.fill_diagonal(matrix, 0)
        under = top + 2.8
        axes = pages.add_inset(canvas, left + 1, under + 1, self.size, self.size)
        axes.imshow(matrix, cmap=self.colormap, vmin=0, vmax=1, interpolation="nearest")
        axes.set_facecolor("#f3d9d9")
        # Below the image, which the pointer passes through.
        title_mark(axes.patch, self.describe_matrix(key))
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=False)
        order = list(dict.fromkeys(self.category))
        if len(order) > 1:
            for number, kind in enumerate(order):
                at = np.flatnonzero(self.category == kind)
                start, long = at[0] / n * self.size, len(at) / n * self.size
                style = {
                    "facecolor": CATEGORIES[number % len(CATEGORIES)],
                    "edgecolor": "none",
                }
                pages.draw_box(canvas, left, under + 1 + start, 0.7, long, **style)
                pages.draw_box(canvas, left + 1 + start, under, long, 0.7, **style)
        if below:
            baseline = under + self.size + 3.4
            canvas.text(left + 1, baseline, below, size=self.choose_text_size(), color=GREY)

    def choose_text_size(self) -> int:
        """Choose the size of names, pt."""
        return SMALL if self.across <= 4 else TINY

    def explain(self, level: Any) -> Any:
        """Explain the matrices."""
        sentence = (
            "Mean ratings as dissimilarities, from the most to the least similar pair of each matrix; "
            "items ordered by category (bars)."
        )
        rows = self.select_rows("alignment")
        if len(rows):
            how = rows["text"].str.split(", ", n=1).str[1].iloc[0]
            sentence += (
                f" ρ: Spearman's correlation with {rows['with'].iloc[0]} over {describe_pairs(rows)}; "
                f"n.s.: corrected p not below 0.05 ({how})."
            )
        return sentence


class Raters(Matrices):
    """The matrix of every participant of one system."""

    by = "person"

    def count_columns(self) -> int:
        """Return twelve matrices per row."""
        return 12

    def measure_text_height(self) -> float:
        """Return the height of the name (mm)."""
        return 3.5

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the participant's name."""
        return key, ""

    def draw_key(self, canvas: Axes, top: float) -> None:
        """Draw the key only above the first panel."""
        if self.letter == "A":
            super().draw_key(canvas, top)

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw the matrices, with a key only above the first panel."""
        if self.letter == "A":
            super().draw(canvas, top)
        else:
            super().draw(canvas, top - 4.5)

    def __init__(self, letter: str, rows: pd.DataFrame, colormap: str) -> None:
        super().__init__(letter, rows, colormap)
        if letter != "A":
            self.height -= 4.5

    def explain(self, level: Any) -> Any:
        """State the number of participants."""
        return f"{len(self.cells)} participants, each matrix as in the key."
