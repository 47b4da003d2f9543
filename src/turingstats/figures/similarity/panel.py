"""Base class of panels of similarity ratings."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from turingstats.figures import pages
from turingstats.figures.marks import Key
from turingstats.figures.pages import MARGIN, ROOM
from turingstats.figures.palette import GREY, SERIES

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


def make_color_key(colors: Mapping[str, str]) -> Key:
    """Make a key of names and their colors."""
    square = {"marker": "s", "ls": "", "ms": 5}
    return Key([(name, square | {"color": color}) for name, color in colors.items() if name], ROOM)


def describe_pairs(rows: pd.DataFrame) -> str:
    """Describe the number of pairs of items behind alignments."""
    low, high = rows["n"].min(), rows["n"].max()
    return (
        f"{low:,.0f} to {high:,.0f} pairs of items" if low < high else f"{high:,.0f} pairs of items"
    )


def darken_color(color: str) -> tuple[float, ...]:
    """Darken a color so that it is readable as text."""
    return tuple(0.72 * part for part in to_rgb(color))
