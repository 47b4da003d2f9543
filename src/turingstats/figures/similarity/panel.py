"""Base class of panels of similarity ratings."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from turingstats.figures import pages
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, SERIES

TINY = 5  # text under small pictures, pt
ROOM = PAGE - 2 * MARGIN  # width of a panel, mm
LEFT = 11  # space for the scale of a chart, mm


class Panel:
    """A panel: its rows of source data, its height and its drawing."""

    height = 12.0

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        self.letter, self.rows = letter, rows
        self.title = rows["title"].iloc[0]
        named = rows.dropna(subset=["system", "label"]).drop_duplicates("system")
        self.labels = dict(zip(named["system"], named["label"], strict=True))
        self.families = dict(zip(named["system"], named["family"].fillna(""), strict=True))
        hues = dict(zip(named["family"].fillna(""), named["hue"].astype(int), strict=True))
        self.colors = {name: SERIES[hue % len(SERIES)] for name, hue in hues.items()}

    def select_rows(self, quantity: str) -> pd.DataFrame:
        """Select the rows of a quantity."""
        return self.rows[self.rows["quantity"] == quantity]

    def find_color(self, system: str) -> str:
        """Find the color of a system's family."""
        return self.colors[self.families[system]]

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw the panel below its title, at a height of the page (mm)."""
        raise NotImplementedError(type(self).__name__)

    def explain(self, level: str) -> str:
        """Return a sentence for the foot."""
        return ""


class Absent(Panel):
    """A panel without data."""

    def draw(self, canvas: Axes, top: float) -> None:
        """Write the reason."""
        pages.write_lines(canvas, MARGIN + 4.5, top + 2, self.rows["text"].iloc[0], color=GREY)


def write_color_key(canvas: Axes, left: float, top: float, colors: Mapping[str, str]) -> None:
    """Write names beside their colors in one line."""
    for name, color in colors.items():
        if name:
            pages.draw_box(canvas, left, top, 2, 2, facecolor=color, edgecolor="none")
            pages.write_lines(canvas, left + 2.8, top + 1.75, name, SMALL)
            left += pages.measure_text(name, SMALL) + 6


def describe_pairs(rows: pd.DataFrame) -> str:
    """Describe the number of pairs of items behind alignments."""
    low, high = rows["n"].min(), rows["n"].max()
    return (
        f"{low:,.0f} to {high:,.0f} pairs of items" if low < high else f"{high:,.0f} pairs of items"
    )


def darken_color(color: str) -> tuple[float, ...]:
    """Darken a color so that it is readable as text."""
    return tuple(0.72 * part for part in to_rgb(color))
