"""Cells of matrices and heat maps: a rate in its color, with its error below."""

from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from turingstats.figures import pages
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY

COLORS = matplotlib.colormaps["RdBu"]
"""Colors of rates: white is one half, blue is above it."""
SCALE = Normalize(0.1, 0.9, clip=True)
"""Scale of the colors. Most rates are between 0.3 and 0.7, and would look alike on a scale from 0 to 1."""
EXPLANATION = "Blue, above one half; red, below."


def wrap_heads(heads: Sequence[str], width: float) -> list[list[str]]:
    """Wrap the heads of columns of cells of a width (mm)."""
    return [pages.wrap_text(head, width - 0.5, SMALL) for head in heads]


def measure_heads(heads: Sequence[Sequence[str]]) -> float:
    """Measure the height of the heads of columns, with the space below them (mm)."""
    return 1.7 + LINE[SMALL] * max(map(len, heads))


def write_head(canvas: Axes, middle: float, bottom: float, lines: list[str]) -> None:
    """Write the head of a column of cells that begin at `bottom` (mm)."""
    first = bottom - 1.3 - LINE[SMALL] * (len(lines) - 1)
    pages.write_lines(canvas, middle, first, lines, SMALL, ha="center", color=GREY)


def draw_empty_cell(canvas: Axes, box: Box) -> None:
    """Draw a cell without verdicts."""
    pages.draw_box(canvas, *box, facecolor="none", edgecolor="white", hatch="/////")


def draw_cell(
    canvas: Axes, box: Box, row: dict[str, Any], value: str, below: Sequence[str]
) -> None:
    """Draw a rate in its color, and small lines below it."""
    color = COLORS(SCALE(row["value"]))
    below = [text for text in below if text]
    pages.draw_box(canvas, *box, facecolor=color, edgecolor="white", zorder=0.5)
    style: dict[str, Any] = {"ha": "center", "color": pages.choose_ink(color)}
    middle = box.left + box.width / 2
    height = LINE[BODY] + LINE[SMALL] * len(below)
    y = box.top + (box.height - height) / 2 + 2.4
    pages.write_lines(canvas, middle, y, value, **style)
    pages.write_lines(canvas, middle, y + 2.7, below, SMALL, **style)
