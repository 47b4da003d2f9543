"""Tables of rates as cells in their color, which matrices and heat maps are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

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
NEUTRAL = (0.92, 0.92, 0.92)
EXPLANATION = "Blue, above one half; red, below."
LOWEST = 6.6  # least height of a cell, mm


class Cell(NamedTuple):
    """A rate with small lines of text below it."""

    value: float
    lines: Sequence[str]
    """The rate as text, then what stands below it."""
    is_neutral: bool = False
    """Whether the rate is of no color, since it is neither right nor wrong."""


LineStyle = str | tuple[int, tuple[int, int]]
"""A style of lines as matplotlib knows them, such as - or (0, (1, 1))."""


class CellRow(NamedTuple):
    """A row of cells; one without verdicts is None."""

    name: str
    cells: Sequence[Cell | None]
    note: str = ""
    """Below the name."""
    indent: float = 0
    space: float = 0
    """Above the row, mm."""
    frame: LineStyle = ""
    """Style of the line of a frame around the first two cells, if it has one."""


class CellTable:
    """Rows of cells below the names of their columns; sizes are in millimeters."""

    def __init__(
        self,
        rows: Sequence[CellRow],
        heads: Sequence[str],
        corner: str,
        width: float,
        widest: float,
    ) -> None:
        """`corner`: what names of rows are; `widest`: the most that a cell may be wide."""
        self.rows, self.corner = rows, corner
        names = max(pages.measure_text(row.name) + row.indent for row in rows) + 2
        # Wide panels have space for names in one line.
        self.left = min(
            0.4 * width, max(pages.measure_text(corner, SMALL) + 4, 15.5, min(names, 0.3 * width))
        )
        self.wide = min((width - self.left) / len(heads), widest)
        self.heads = [pages.wrap_text(head, self.wide - 0.5, SMALL) for head in heads]
        self.names = [pages.wrap_text(row.name, self.left - row.indent - 1.5) for row in rows]
        self.head = 1.7 + LINE[SMALL] * max(map(len, self.heads))
        self.heights = [
            max(
                LOWEST,
                LINE[BODY] * len(name) + LINE[SMALL] * bool(row.note),
                *map(measure_cell, row.cells),
            )
            for row, name in zip(rows, self.names, strict=True)
        ]
        self.height = self.head + sum(self.heights) + sum(row.space for row in rows)

    def draw(self, canvas: Axes, left: float, top: float) -> None:
        """Draw the table from a place of the page (mm)."""
        y, start = top + self.head, left + self.left
        for number, lines in enumerate(self.heads):
            first = y - 1.3 - LINE[SMALL] * (len(lines) - 1)
            middle = start + (number + 0.5) * self.wide
            pages.write_lines(canvas, middle, first, lines, SMALL, ha="center", color=GREY)
        pages.write_lines(canvas, left, y - 1.3, self.corner, SMALL, color=GREY)
        for row, name, tall in zip(self.rows, self.names, self.heights, strict=True):
            y += row.space
            first = y + (tall - LINE[BODY] * len(name) - LINE[SMALL] * bool(row.note)) / 2 + 2.2
            pages.write_lines(canvas, left + row.indent, first, name)
            under = first + len(name) * LINE[BODY] - 0.3
            pages.write_lines(canvas, left + row.indent, under, row.note, SMALL, color=GREY)
            for number, cell in enumerate(row.cells):
                draw_cell(canvas, Box(start + number * self.wide, y, self.wide, tall), cell)
            if row.frame:
                style: dict[str, Any] = {"fill": False, "edgecolor": "black", "lw": 1.3}
                style["ls"] = row.frame
                pages.draw_box(canvas, start, y, 2 * self.wide, tall, **style)
            y += tall


def measure_cell(cell: Cell | None) -> float:
    """Measure the height of a cell (mm)."""
    return LINE[BODY] + LINE[SMALL] * (len(cell.lines) - 1) + 1.2 if cell else 0


def draw_cell(canvas: Axes, box: Box, cell: Cell | None) -> None:
    """Draw a rate in its color with its lines; hatched without verdicts."""
    if cell is None:
        pages.draw_box(canvas, *box, facecolor="none", edgecolor="white", hatch="/////")
        return
    color = NEUTRAL if cell.is_neutral else COLORS(SCALE(cell.value))
    pages.draw_box(canvas, *box, facecolor=color, edgecolor="white", zorder=0.5)
    style: dict[str, Any] = {"ha": "center", "color": pages.choose_ink(color)}
    value, *below = filter(None, cell.lines)
    middle = box.left + box.width / 2
    y = box.top + (box.height - LINE[BODY] - LINE[SMALL] * len(below)) / 2 + 2.4
    pages.write_lines(canvas, middle, y, value, **style)
    pages.write_lines(canvas, middle, y + 2.7, below, SMALL, **style)
