"""Charts of rows: names at the left, numbers with intervals on one scale or more, and texts beside them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from turingstats.figures import pages
from turingstats.figures.marks import (
    Entry,
    add_tip,
    draw_asterisk,
    draw_bracket,
    draw_error_bar,
    draw_key,
    format_tip,
)
from turingstats.figures.pages import BODY, GAP, LINE, MARGIN, ROOM, SMALL, Place
from turingstats.figures.palette import BLUE, GREY, INK, PALE, Style

DASHED: dict[str, Any] = {"color": GREY, "linewidth": 0.6, "dashes": (4, 3), "zorder": 0}
"""Line of chance, or of no difference."""
ROW, STEP = 4.0, 2.1  # least height of a row, and distance of the marks in it, mm
HEADING, BREAK = 5.0, 2.4  # height of a heading, and of a break between rows, mm
AXIS = 4.5  # height of a scale without its name, mm
NARROWEST = 12.0  # width of a chart beside names of any length, mm
STAR, BRACKET = 2.0, 3.4  # from an error bar to its asterisk; width of the column of brackets, mm
NAME_SHARE = 0.36
"""Largest share of the width that names of rows take."""


class Mark(NamedTuple):
    """A number in a row."""

    value: float
    ends: tuple[float, float]
    style: Style
    texts: Sequence[str] = ()
    """Texts beside the chart, one per head of its columns."""
    is_starred: bool = False
    inner: tuple[float, float] | None = None
    """Ends of a second interval, a thick line."""
    chart: int = 0
    name: str = ""
    """What it is a number of, if not what the name of its row says."""


class Row(NamedTuple):
    """A row with its marks, below each other within a chart."""

    name: str
    marks: Sequence[Mark] = ()
    section: str = ""
    """Section of the row, whose first row has it as a heading."""
    is_after_break: bool = False
    """Whether rows between the one above and this one are left out."""
    color: str = INK


class Chart(NamedTuple):
    """The scale of a chart, and the columns of text beside it."""

    limits: tuple[float, float]
    reference: float = math.nan
    label: str = ""
    """Name of the scale, below."""
    title: str = ""
    """Title, above."""
    heads: Sequence[str] = ()
    ticks: Sequence[float] | None = None
    band: tuple[float, float] | None = None
    """Ends of a range to be shaded."""
    is_logarithmic: bool = False


@dataclass(frozen=True)
class RowTable:
    """Rows with their charts, as a panel or a page has them; sizes are in millimeters."""

    rows: Sequence[Row]
    charts: Sequence[Chart]
    key: Sequence[Entry] = ()
    above: Sequence[str] = ()
    """Paragraphs on top."""
    brackets: Sequence[tuple[int, int]] = ()
    """First and last row that differ."""
    size: float = BODY
    row: float = ROW
    """Least height of a row."""
    cap: float = 1.6


class Columns(NamedTuple):
    """Where the charts of a table are, and the right ends of the texts beside each; mm from its left."""

    starts: Sequence[float]
    wide: float
    beside: Sequence[float]
    """Width of all texts and brackets beside each chart."""
    texts: Sequence[Sequence[float]]


class Drawn(NamedTuple):
    """The charts of a table, the middle and the height of each row in them, and where the table ends (mm)."""

    axes: Sequence[Axes]
    middles: Sequence[float]
    heights: Sequence[float]
    bottom: float


def draw_table(canvas: Axes, table: RowTable, place: Place) -> Drawn:
    """Draw names at the left, charts with a mark per number, and texts beside them."""
    left, top, width = place
    rows, size = table.rows, table.size
    names = [pages.wrap_text(each.name, NAME_SHARE * width, size) for each in rows]
    columns = place_columns(table, names, width)
    for paragraph in table.above:
        lines = pages.wrap_text(paragraph, width, SMALL)
        pages.write_lines(canvas, left, top + 1.2, lines, SMALL, color=GREY)
        top += LINE[SMALL] * len(lines)
    top = write_heads(canvas, table, columns, left, draw_key(canvas, table.key, left, top, width))
    heights = [
        max(table.row, 0.7 + STEP * count_lines(each), 0.5 + LINE[size] * len(lines))
        for each, lines in zip(rows, names, strict=True)
    ]
    befores = ["", *(each.section for each in rows)]
    headings = [
        each.section * (each.section != before) for each, before in zip(rows, befores, strict=False)
    ]
    spaces = [
        HEADING * bool(heading) + BREAK * each.is_after_break
        for each, heading in zip(rows, headings, strict=True)
    ]
    ends = np.cumsum(np.add(spaces, heights))
    middles = list(ends - np.divide(heights, 2))
    axes = [
        add_chart(canvas, chart, Place(left + start, top, columns.wide), ends[-1])
        for chart, start in zip(table.charts, columns.starts, strict=True)
    ]
    several = any(count_lines(row) > 1 for row in rows)
    for at, (row, lines, heading) in enumerate(zip(rows, names, headings, strict=True)):
        start = top + middles[at] - heights[at] / 2
        if heading:
            pages.write_lines(canvas, left, start - 1, heading, weight="semibold")
        if at and (several or heading or row.is_after_break):
            y = start - HEADING * bool(heading) - BREAK / 2 * row.is_after_break
            dashes = {"dashes": (2, 2)} if row.is_after_break else {}
            canvas.plot([left, left + width], [y, y], color=PALE, linewidth=0.4, zorder=0, **dashes)
        first = top + middles[at] + 0.9 - LINE[size] * (len(lines) - 1) / 2
        pages.write_lines(canvas, left, first, lines, size, color=row.color)
        draw_marks(canvas, axes, table, columns, row, Place(left, top, middles[at]))
    for one, other in table.brackets:
        first, last = (place_marks(middles[at], count_lines(rows[at])) for at in (one, other))
        x = left + columns.starts[0] + columns.wide + 0.8
        draw_bracket(canvas, x, top + first[0] - 1, top + last[-1] + 1)
    has_labels = any(chart.label for chart in table.charts)
    return Drawn(axes, middles, heights, top + ends[-1] + AXIS + 2.7 * has_labels)


def place_columns(table: RowTable, names: Sequence[Sequence[str]], width: float) -> Columns:
    """Place charts and texts beside the names of rows, in lines, so that all take a width (mm)."""
    before = 2 + max(pages.measure_text(line, table.size) for lines in names for line in lines)
    marks = [mark for each in table.rows for mark in each.marks]
    texts = [
        [
            GAP
            + max(
                pages.measure_text(text, SMALL)
                for text in (head, *(m.texts[n] for m in marks if m.chart == at and m.texts))
            )
            for n, head in enumerate(chart.heads)
        ]
        for at, chart in enumerate(table.charts)
    ]
    bracket, charts = BRACKET * bool(table.brackets), len(table.charts)
    beside = [sum(widths) + bracket for widths in texts]
    room = width - before - sum(beside) - 2 * GAP * (charts - 1)
    # The last number of a scale extends to the right of it.
    wide = max(room / charts - (0 if any(beside) else 2), NARROWEST)
    starts = [before + at * (wide + 2 * GAP) + sum(beside[:at]) for at in range(charts)]
    ends = [
        (start + wide + bracket + np.cumsum(w)).tolist()
        for start, w in zip(starts, texts, strict=True)
    ]
    return Columns(starts, wide, beside, ends)


def write_heads(canvas: Axes, table: RowTable, columns: Columns, left: float, top: float) -> float:
    """Write the titles of charts and the heads of texts; return where charts begin."""
    titles = [
        pages.wrap_text(chart.title, columns.wide + beside, weight="semibold")
        if chart.title
        else []
        for chart, beside in zip(table.charts, columns.beside, strict=True)
    ]
    has_heads = any(chart.heads for chart in table.charts)
    top += max(LINE[BODY] * max(map(len, titles)), LINE[SMALL] * has_heads) + 1
    for chart, lines, start, ends in zip(
        table.charts, titles, columns.starts, columns.texts, strict=True
    ):
        first = top - 1.5 - LINE[BODY] * (len(lines) - 1)
        pages.write_lines(canvas, left + start, first, lines, weight="semibold")
        for x, head in zip(ends, chart.heads, strict=True):
            pages.write_lines(canvas, left + x, top - 1.5, head, SMALL, ha="right", color=GREY)
    return top


def add_chart(canvas: Axes, chart: Chart, place: Place, tall: float) -> Axes:
    """Add a chart whose vertical scale is millimeters from its top, like that of the page."""
    axes = pages.add_inset(canvas, *place, tall)
    if chart.is_logarithmic:
        axes.set_xscale("log")
        axes.minorticks_off()
    axes.set(xlim=chart.limits, ylim=(tall, 0), yticks=[])
    axes.patch.set_visible(False)  # lines between rows pass behind the chart
    axes.spines["left"].set_visible(False)
    if chart.ticks is None:
        axes.locator_params(axis="x", nbins=4 if place.width < 40 else 7)
    else:
        ticks = chart.ticks[:: 1 if place.width > 3.3 * len(chart.ticks) else 2]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xlabel(chart.label, labelpad=1.5, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    if chart.band:
        axes.axvspan(*chart.band, color="#e8eef3", linewidth=0, zorder=-1)
    if not math.isnan(chart.reference):
        axes.axvline(chart.reference, **DASHED)
    return axes


def draw_marks(
    canvas: Axes, axes: Sequence[Axes], table: RowTable, columns: Columns, row: Row, place: Place
) -> None:
    """Draw the marks of a row below each other in their charts, and write their texts beside these.

    `place`: the left of the table, the top of its charts, and the middle of the row below it (mm).
    """
    left, top, middle = place
    for at, (chart, ends) in enumerate(zip(table.charts, columns.texts, strict=True)):
        marks = [mark for mark in row.marks if mark.chart == at]
        for mark, y in zip(marks, place_marks(middle, len(marks)), strict=True):
            texts = [
                f"{head} {text}".strip()
                for head, text in zip(chart.heads, mark.texts, strict=False)
                if text and "(" not in text
            ]
            tip = [format_tip(mark.name or row.name, mark.value, mark.ends), *texts]
            draw_mark(axes[at], y, mark, chart.limits, table.cap, tip)
            for x, text in zip(ends, mark.texts, strict=False):
                pages.write_lines(canvas, left + x, top + y + 0.8, text, SMALL, ha="right")


def count_lines(row: Row) -> int:
    """Count the marks that are below each other in a row."""
    charts = [mark.chart for mark in row.marks]
    return max(map(charts.count, charts), default=1)


def place_marks(middle: float, number: int) -> list[float]:
    """Place marks below each other, around the middle of their row."""
    return [middle + STEP * (at - (number - 1) / 2) for at in range(number)]


def draw_mark(
    axes: Axes, y: float, mark: Mark, limits: tuple[float, float], cap: float, tip: Sequence[str]
) -> None:
    """Draw a mark with its intervals, and arrow heads where one leaves the chart."""
    value, low, high = np.clip([mark.value, *mark.ends], *limits)
    color = mark.style.color
    draw_error_bar(axes, value, y, (low, high), color, cap=cap, zorder=2)
    for marker, end, at in zip("<>", mark.ends, (low, high), strict=True):
        if end == end and end != at:
            axes.plot(at, y, marker, color=color, ms=2.6, mew=0, clip_on=False)
    if mark.inner:
        inner = np.clip(mark.inner, *limits)
        axes.plot(inner, [y, y], color=color, linewidth=1.8, solid_capstyle="butt")
    (point,) = axes.plot(value, y, **mark.style.marks, ms=2.8, zorder=3, clip_on=False)
    add_tip(point, *tip)
    if mark.is_starred:
        aside = ScaledTranslation(STAR / 25.4, 0, axes.figure.dpi_scale_trans)
        end = value if math.isnan(high) else high
        draw_asterisk(axes, end, y, BLUE, transform=axes.transData + aside, clip_on=False)


def draw_row_page(data: pd.DataFrame, foot: str, table: RowTable) -> Figure:
    """Draw a figure of a table as wide as the page."""
    canvas, top = pages.open_page(data)
    drawn = draw_table(canvas, table, Place(MARGIN, top, ROOM))
    return pages.close_page(canvas, drawn.bottom + 1, foot)


def list_tenths(low: float, high: float, step: int = 1) -> list[float]:
    """List the tenths from `low` to `high` as ticks of a scale, or every other one (`step` 2)."""
    return [tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, step)]


def find_tenths(
    values: pd.DataFrame | Sequence[float], reference: float = 0.5
) -> tuple[float, float]:
    """Find the limits of a scale, in tenths, that contain all values and the reference."""
    ends = [*np.ravel(np.asarray(values, float)), reference]
    return math.floor(10 * np.nanmin(ends) - 0.2) / 10, math.ceil(10 * np.nanmax(ends) + 0.2) / 10


def find_bounds(rows: pd.DataFrame, low: float, high: float) -> tuple[float, float]:
    """Find the limits of a scale of shares in tenths, at least from `low` to `high` and within 0 and 1."""
    ends = [low, high]
    for row in pages.list_records(rows):
        ends += pages.find_bar_ends(row)
    return max(0, math.floor(10 * min(ends)) / 10), min(1, math.ceil(10 * max(ends)) / 10)
