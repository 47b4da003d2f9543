"""Base class of panels of similarity ratings."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from turingstats.figures import pages
from turingstats.figures.marks import Entry
from turingstats.figures.pages import MARGIN
from turingstats.figures.palette import GREY, SERIES

LEFT = 11  # space for the scale of a chart, mm


class Panel:
    """A panel: its rows of source data, and its drawing."""

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

    def draw(self, canvas: Axes, top: float) -> float:
        """Draw the panel from a height of the page on, and return where it ends (mm)."""
        raise NotImplementedError(type(self).__name__)


class Absent(Panel):
    """A panel without data."""

    def draw(self, canvas: Axes, top: float) -> float:
        """Write the reason."""
        pages.write_lines(canvas, MARGIN + 4.5, top + 2, self.rows["text"].iloc[0], color=GREY)
        return top + 3


def make_color_key(colors: Mapping[str, str]) -> list[Entry]:
    """Make a key of names and their colors."""
    square = {"marker": "s", "ls": "", "ms": 5}
    return [(name, square | {"color": color}) for name, color in colors.items() if name]


def darken_color(color: str) -> tuple[float, ...]:
    """Darken a color so that it is readable as text."""
    return tuple(0.72 * part for part in to_rgb(color))
