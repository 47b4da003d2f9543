"""Matrices of rates as cells in their color, which confusion matrices and heat maps are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from turingstats.figures import pages
from turingstats.figures.marks import add_tip
from turingstats.figures.pages import BODY, LINE, SMALL, Place
from turingstats.figures.palette import GREY

COLORS = matplotlib.colormaps["RdBu"]
"""Colors of rates: white is one half, blue is above it."""
SCALE = Normalize(0.1, 0.9, clip=True)
"""Scale of the colors. Most rates are between 0.3 and 0.7, and would look alike on a scale from 0 to 1."""
NEUTRAL = (0.92, 0.92, 0.92)
LOWEST, NARROW = 6.4, 25  # least height of a cell, and width that leaves room for names, mm


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


def draw_cells(
    canvas: Axes,
    place: Place,
    rows: Sequence[CellRow],
    heads: Sequence[str],
    corner: str,
    widest: float,
) -> float:
    """Draw rows of cells below the names of their columns; return where they end (mm).

    `corner`: what names of rows are; `widest`: the most that a cell may be wide.
    """
    left = place.left
    names = max(pages.measure_text(row.name) + row.indent for row in rows) + 2
    # Wide panels have space for names in one line.
    most = max(0.3 * place.width, place.width - NARROW * len(heads))
    aside = max(pages.measure_text(corner, SMALL) + 4, 15.5, min(names, most))
    aside = min(0.42 * place.width, aside)
    start, wide = left + aside, min((place.width - aside) / len(heads), widest)
    wrapped = [pages.wrap_text(head, wide - 0.5, SMALL) for head in heads]
    y = place.top + 1.7 + LINE[SMALL] * max(map(len, wrapped))
    for number, lines in enumerate(wrapped):
        first, middle = y - 1.3 - LINE[SMALL] * (len(lines) - 1), start + (number + 0.5) * wide
        pages.write_lines(canvas, middle, first, lines, SMALL, ha="center", color=GREY)
    pages.write_lines(canvas, left, y - 1.3, corner, SMALL, color=GREY)
    for row in rows:
        y += row.space
        name = pages.wrap_text(row.name, aside - row.indent - 1.5)
        high = LINE[BODY] * len(name) + LINE[SMALL] * bool(row.note)
        lines = max((len(cell.lines) for cell in row.cells if cell), default=1)
        tall = max(LOWEST, high + 0.9, LINE[BODY] + LINE[SMALL] * (lines - 1) + 1)
        first = y + (tall - high) / 2 + 2.2
        pages.write_lines(canvas, left + row.indent, first, name)
        under = first + len(name) * LINE[BODY] - 0.3
        pages.write_lines(canvas, left + row.indent, under, row.note, SMALL, color=GREY)
        for number, (cell, head) in enumerate(zip(row.cells, heads, strict=True)):
            box = (start + number * wide, y, wide, tall)
            draw_cell(canvas, box, cell, f"{row.name}, {head}", row.note)
        if row.frame:
            style: dict[str, Any] = {"fill": False, "edgecolor": "black", "lw": 1.3}
            pages.draw_box(canvas, start, y, 2 * wide, tall, ls=row.frame, **style)
        y += tall
    return y


def draw_cell(
    canvas: Axes, box: tuple[float, float, float, float], cell: Cell | None, name: str, note: str
) -> None:
    """Draw a rate in its color with its lines, from the left, the top, the width and the height of its
    `box`; hatched without verdicts.
    """
    if cell is None:
        pages.draw_box(canvas, *box, facecolor="none", edgecolor="white", hatch="/////")
        return
    left, top, width, height = box
    color = NEUTRAL if cell.is_neutral else COLORS(SCALE(cell.value))
    ground = pages.draw_box(canvas, *box, facecolor=color, edgecolor="white", zorder=0.5)
    style: dict[str, Any] = {"ha": "center", "color": pages.choose_ink(color)}
    value, *below = filter(None, cell.lines)
    add_tip(ground, f"{name}: {' '.join([value, *below[:1]])}", *below[1:], note)
    y = top + (height - LINE[BODY] - LINE[SMALL] * len(below)) / 2 + 2.4
    pages.write_lines(canvas, left + width / 2, y, value, **style)
    pages.write_lines(canvas, left + width / 2, y + 2.7, below, SMALL, **style)
