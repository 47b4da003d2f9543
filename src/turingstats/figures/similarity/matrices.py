"""Panels of dissimilarity matrices."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from turingstats.core.labels import use_minus_signs
from turingstats.figures import pages
from turingstats.figures.marks import draw_key
from turingstats.figures.pages import LINE, MARGIN, PAGE, ROOM, SMALL, TINY
from turingstats.figures.palette import GREY
from turingstats.figures.similarity.panel import Panel, make_color_key

COLORMAP = "Blues_r"
"""Colors of cells, from the most similar pair (dark) to the least."""
CATEGORIES = ("#b2182b", "#f4b942", "#1b7837", "#74add1", "#762a83", "#a6761d", "#8f8f8f")
"""Colors of categories; neighbors differ in lightness as well as in hue."""
TEXT_HEIGHTS = {4: 6.5, 9: 7.5, 12: 3.5}
"""Height of the name of a matrix and of its alignment, if it has one, by matrices per row; mm."""


class Matrices(Panel):
    """Dissimilarity matrices of systems with items in categories, in rows."""

    by = "system"  # column that distinguishes matrices
    across = 0  # matrices per row; 0 if their number decides

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        super().__init__(letter, rows)
        items = self.select_rows("item").sort_values("value")
        self.place = dict(zip(items["item_a"], items["value"].astype(int), strict=True))
        self.category = items["text"].to_numpy()
        names = list(dict.fromkeys(self.category))
        # A single category needs no color.
        self.category_colors = {
            name: CATEGORIES[number % len(CATEGORIES)]
            for number, name in enumerate(names if len(names) > 1 else [])
        }
        self.cells = dict(list(self.select_rows("dissimilarity").groupby(self.by, sort=False)))
        alignments = pages.list_records(self.select_rows("alignment"))
        self.alignments = {row["system"]: row for row in alignments}
        self.across = self.across or (4 if len(self.cells) <= 8 else 9)
        self.text_size = SMALL if self.across <= 4 else TINY
        self.size = (ROOM - 2 * (self.across - 1) - self.across) / self.across - 1

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the name of a matrix and the line below it."""
        name = self.labels[key]
        if key not in self.alignments:
            raters = self.select_rows("raters")
            n = raters.loc[raters["system"] == key, "value"].iloc[0]
            return name, f"{n:.0f} raters" if n == n else ""
        row = self.alignments[key]
        star = "" if row["text"].startswith("p <") else " (n.s.)"
        return name, use_minus_signs(f"ρ = {row['value']:z.3f}{star}")

    def draw(self, canvas: Axes, top: float) -> float:
        """Draw the key, the color scale and the matrices."""
        self.draw_key(canvas, top)
        step = self.size + 2 + 1 + TEXT_HEIGHTS[self.across]
        for number, (key, cells) in enumerate(self.cells.items()):
            line, column = divmod(number, self.across)
            left = MARGIN + column * (self.size + 4)
            self.draw_matrix(canvas, key, cells, left, top + 5.5 + line * step)
        return top + 5.5 + (line + 1) * step

    def draw_key(self, canvas: Axes, top: float) -> None:
        """Draw the key of the colors of categories and cells."""
        draw_key(canvas, make_color_key(self.category_colors), MARGIN + 4.5, top, ROOM)
        left = PAGE - MARGIN - 62
        pages.write_lines(canvas, left - 1.5, top + 1.75, "similar", SMALL, ha="right", color=GREY)
        axes = pages.add_inset(canvas, left, top + 0.1, 34, 1.8)
        scale = ScalarMappable(Normalize(0, 1), COLORMAP)
        bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[])
        bar.outline.set_visible(False)
        pages.write_lines(canvas, left + 35.5, top + 1.75, "dissimilar", SMALL, color=GREY)

    def draw_matrix(
        self, canvas: Axes, key: str, cells: pd.DataFrame, left: float, top: float
    ) -> None:
        """Draw a matrix with bars of the categories at its left and top edges."""
        name, below = self.name_matrix(key)
        lines = pages.wrap_text(name, self.size + 2, self.text_size)[:2]
        first = top + 2 - LINE[self.text_size] * (len(lines) - 1)
        pages.write_lines(canvas, left + 1, first, lines, self.text_size)
        n = len(self.place)
        matrix = np.full((n, n), np.nan)
        a = cells["item_a"].map(self.place).to_numpy()
        b = cells["item_b"].map(self.place).to_numpy()
        matrix[a, b] = matrix[b, a] = cells["value"]
        np.fill_diagonal(matrix, 0)
        under = top + 2.8
        axes = pages.add_inset(canvas, left + 1, under + 1, self.size, self.size)
        axes.imshow(matrix, cmap=COLORMAP, vmin=0, vmax=1, interpolation="nearest")
        axes.set_facecolor("#f3d9d9")
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        for category, color in self.category_colors.items():
            at = np.flatnonzero(self.category == category)
            start, long = at[0] / n * self.size, len(at) / n * self.size
            style = {"facecolor": color, "edgecolor": "none"}
            pages.draw_box(canvas, left, under + 1 + start, 0.7, long, **style)
            pages.draw_box(canvas, left + 1 + start, under, long, 0.7, **style)
        baseline = under + self.size + 3.4
        pages.write_lines(canvas, left + 1, baseline, below, self.text_size, color=GREY)


class Raters(Matrices):
    """The matrix of every participant of one system."""

    by = "person"
    across = 12

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the participant's name."""
        return key, ""
