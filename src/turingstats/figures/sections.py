"""Charts of agents in sections, such as tasks: a name, a mark on one common scale, and numbers per row."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from turingstats.figures.pages import BODY, MARGIN, SMALL, Box, Frame, write_lines
from turingstats.figures.palette import INK, PALE
from turingstats.figures.rows import add_row_chart

HEAD, LEGEND, AXIS = 5.6, 9, 8  # heights of a heading, of legend and heads, and of the scale, mm


class Row(NamedTuple):
    """A row: its name, its numbers by column, and what draws its mark at a height of the chart (mm)."""

    name: str
    numbers: Sequence[str]
    draw: Callable[[Axes, float], None]
    color: str = INK


class Layout(NamedTuple):
    """Where a chart of sections has its columns (mm), and what stands above them."""

    left: float
    width: float
    title: str
    columns: Mapping[str, float]
    """Heads of the columns of numbers with their left edges."""
    row: float
    """Height of a row."""


def draw_sections(
    frame: Frame,
    sections: dict[str, list[Row]],
    layout: Layout,
    limits: tuple[float, float],
    reference: float,
) -> tuple[Axes, Axes, float]:
    """Draw rows by section; returns the page, the chart, and where the foot begins (mm)."""
    top = frame.top + LEGEND
    tall = sum(HEAD + layout.row * len(rows) for rows in sections.values())
    bottom = top + tall + AXIS
    canvas = frame.open(bottom)
    middle = layout.left + layout.width / 2
    write_lines(canvas, middle, top - 2, layout.title, weight="semibold", ha="center")
    for head, left in layout.columns.items():
        write_lines(canvas, left, top - 2, head, SMALL, weight="semibold")
    chart = Box(layout.left, top, layout.width, tall)
    axes = add_row_chart(canvas, chart, limits, "", reference)
    y = 0.0
    for section, rows in sections.items():
        if y:
            ends = [MARGIN, frame.width - MARGIN]
            canvas.plot(ends, [top + y + 0.8] * 2, color=PALE, linewidth=0.5)
        write_lines(canvas, MARGIN, top + y + 4.2, section, BODY, weight="semibold")
        y += HEAD
        for row in rows:
            base = top + y + layout.row / 2 + 0.9
            write_lines(canvas, MARGIN + 2, base, row.name, color=row.color)
            for left, text in zip(layout.columns.values(), row.numbers, strict=True):
                write_lines(canvas, left, base, text, SMALL)
            row.draw(axes, y + layout.row / 2)
            y += layout.row
    return canvas, axes, bottom + 1.9
