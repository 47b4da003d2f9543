"""Charts of rows: names at the left, numbers with intervals on one scale or more, and texts beside them."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from turingstats.figures import pages
from turingstats.figures.marks import Key, draw_asterisk, draw_bracket, draw_error_bar
from turingstats.figures.pages import BODY, GAP, LINE, MARGIN, ROOM, SMALL, Box
from turingstats.figures.palette import BLUE, GREY, INK, PALE, Style

DASHED: dict[str, Any] = {"color": GREY, "linewidth": 0.6, "dashes": (4, 3), "zorder": 0}
"""Line of chance, or of no difference."""
ROW, STEP = 4.0, 2.1  # least height of a row, and distance of the marks in it, mm
HEADING, BREAK = 5.0, 2.4  # height of a heading, and of a break between rows, mm
AXIS = 4.5  # height of a scale without its name, mm
NARROWEST = 12.0  # width of a chart beside names of any length, mm
STAR, BRACKET = (
    2.0,
    3.4,
)  # from an error bar to its asterisk, and width of the column of brackets, mm
NAMES = 0.36
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


class RowTable:
    """Rows with names, charts and texts, as wide as they may be; sizes are in millimeters."""

    def __init__(
        self,
        rows: Sequence[Row],
        charts: Sequence[Chart],
        width: float = ROOM,
        key: Sequence[tuple[str, dict[str, Any]]] = (),
        above: Sequence[str] = (),
        brackets: Sequence[tuple[int, int]] = (),
        size: float = BODY,
        row: float = ROW,
        cap: float = 1.6,
    ) -> None:
        """`above`: lines of text on top; `brackets`: first and last row that differ; `row`: least height."""
        self.rows, self.charts, self.above, self.brackets = rows, charts, above, brackets
        self.size, self.cap, self.key = size, cap, Key(key, width)
        self.names = [pages.wrap_text(each.name, NAMES * width, size) for each in rows]
        self.before = 2 + max(
            pages.measure_text(line, size) for lines in self.names for line in lines
        )
        marks = [mark for each in rows for mark in each.marks]
        self.columns = [
            [
                GAP
                + max(
                    pages.measure_text(text, SMALL)
                    for text in (head, *(m.texts[n] for m in marks if m.chart == at and m.texts))
                )
                for n, head in enumerate(chart.heads)
            ]
            for at, chart in enumerate(charts)
        ]
        beside = [sum(columns) + BRACKET * bool(brackets) for columns in self.columns]
        room = width - self.before - sum(beside) - 2 * GAP * (len(charts) - 1)
        # The last number of a scale extends to the right of it.
        self.chart = max(room / len(charts) - (0 if any(beside) else 2), NARROWEST)
        self.places = [
            self.before + at * (self.chart + 2 * GAP) + sum(beside[:at])
            for at in range(len(charts))
        ]
        self.titles = [
            pages.wrap_text(chart.title, self.chart + wide, weight="semibold")
            if chart.title
            else []
            for chart, wide in zip(charts, beside, strict=True)
        ]
        has_heads = any(chart.heads for chart in charts)
        self.head = max(LINE[BODY] * max(map(len, self.titles)), LINE[SMALL] * has_heads) + 1
        self.heights = [
            max(row, 0.7 + STEP * count_lines(each), 0.5 + LINE[size] * len(lines))
            for each, lines in zip(rows, self.names, strict=True)
        ]
        befores = ["", *(each.section for each in rows)]
        self.headings = [
            each.section * (each.section != before)
            for each, before in zip(rows, befores, strict=False)
        ]
        self.spaces = [
            HEADING * bool(heading) + BREAK * each.is_after_break
            for each, heading in zip(rows, self.headings, strict=True)
        ]
        self.tall = sum(self.heights) + sum(self.spaces)
        self.top = LINE[SMALL] * len(above) + self.key.height + self.head
        self.height = self.top + self.tall + AXIS + 2.7 * any(chart.label for chart in charts)

    def draw(self, canvas: Axes, box: Box) -> tuple[list[Axes], list[float]]:
        """Draw everything, and return the charts and the middles of rows in them."""
        left, top = box.left, box.top + self.top
        pages.write_lines(canvas, left, box.top + 1.2, list(self.above), SMALL, color=GREY)
        self.key.draw(canvas, left, box.top + LINE[SMALL] * len(self.above))
        axes = [self.add_chart(canvas, at, left, top) for at in range(len(self.charts))]
        ends = np.cumsum(np.add(self.spaces, self.heights))
        middles = list(ends - np.divide(self.heights, 2))
        several = any(count_lines(row) > 1 for row in self.rows)
        for row, heading, lines, end, height, middle in zip(
            self.rows, self.headings, self.names, ends, self.heights, middles, strict=True
        ):
            start = end - height
            if heading:
                pages.write_lines(canvas, left, top + start - 1, heading, weight="semibold")
            if row is not self.rows[0] and (several or heading or row.is_after_break):
                dashes = {"dashes": (2, 2)} if row.is_after_break else {}
                y = top + start - HEADING * bool(heading) - BREAK / 2 * row.is_after_break
                canvas.plot(
                    [left, left + box.width], [y, y], color=PALE, linewidth=0.4, zorder=0, **dashes
                )
            first = top + middle + 0.9 - LINE[self.size] * (len(lines) - 1) / 2
            pages.write_lines(canvas, left, first, lines, self.size, color=row.color)
            for at in range(len(self.charts)):
                marks = [mark for mark in row.marks if mark.chart == at]
                for mark, y in zip(marks, place_marks(middle, len(marks)), strict=True):
                    draw_mark(axes[at], y, mark, self.charts[at].limits, self.cap)
                    self.write_texts(canvas, left, top + y, mark)
        for one, other in self.brackets:
            x = left + self.places[0] + self.chart + 0.8
            first, last = (
                place_marks(middles[at], count_lines(self.rows[at])) for at in (one, other)
            )
            draw_bracket(canvas, x, top + first[0] - 1, top + last[-1] + 1)
        return axes, middles

    def add_chart(self, canvas: Axes, at: int, left: float, top: float) -> Axes:
        """Add a chart whose vertical scale is millimeters from its top, like that of the page."""
        chart, start = self.charts[at], left + self.places[at]
        axes = pages.add_inset(canvas, start, top, self.chart, self.tall)
        if chart.is_logarithmic:
            axes.set_xscale("log")
            axes.minorticks_off()
        axes.set(xlim=chart.limits, ylim=(self.tall, 0), yticks=[])
        axes.patch.set_visible(False)  # lines between rows pass behind the chart
        axes.spines["left"].set_visible(False)
        if chart.ticks is None:
            axes.locator_params(axis="x", nbins=4 if self.chart < 40 else 7)
        else:
            axes.set_xticks(chart.ticks, [f"{tick:g}" for tick in chart.ticks])
        axes.set_xlabel(chart.label, labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        if chart.band:
            axes.axvspan(*chart.band, color="#e8eef3", linewidth=0, zorder=-1)
        if not math.isnan(chart.reference):
            axes.axvline(chart.reference, **DASHED)
        title = top - 1.5 - LINE[BODY] * (len(self.titles[at]) - 1)
        pages.write_lines(canvas, start, title, self.titles[at], weight="semibold")
        for x, head in zip(self.place_texts(at), chart.heads, strict=True):
            pages.write_lines(canvas, left + x, top - 1.5, head, SMALL, ha="right", color=GREY)
        return axes

    def place_texts(self, at: int) -> list[float]:
        """Place the right ends of the texts beside a chart."""
        start = self.places[at] + self.chart + BRACKET * bool(self.brackets)
        return list(start + np.cumsum(self.columns[at]))

    def write_texts(self, canvas: Axes, left: float, y: float, mark: Mark) -> None:
        """Write the texts of a mark beside its chart."""
        for x, text in zip(self.place_texts(mark.chart), mark.texts, strict=False):
            pages.write_lines(canvas, left + x, y + 0.8, text, SMALL, ha="right")


def count_lines(row: Row) -> int:
    """Count the marks that are below each other in a row."""
    charts = [mark.chart for mark in row.marks]
    return max(map(charts.count, charts), default=1)


def place_marks(middle: float, number: int) -> list[float]:
    """Place marks below each other, around the middle of their row."""
    return [middle + STEP * (at - (number - 1) / 2) for at in range(number)]


def draw_mark(axes: Axes, y: float, mark: Mark, limits: tuple[float, float], cap: float) -> None:
    """Draw a mark with its intervals, and arrow heads where one leaves the chart."""
    value, low, high = np.clip([mark.value, *mark.ends], *limits)
    color = mark.style.color
    draw_error_bar(axes, value, y, (low, high), color, cap=cap, zorder=2)
    for marker, end, at in zip("<>", mark.ends, (low, high), strict=True):
        if end == end and end != at:
            axes.plot(at, y, marker, color=color, ms=2.6, mew=0, clip_on=False)
    if mark.inner:
        axes.plot(
            np.clip(mark.inner, *limits), [y, y], color=color, linewidth=1.8, solid_capstyle="butt"
        )
    axes.plot(value, y, **mark.style.marks, ms=2.8, zorder=3, clip_on=False)
    if mark.is_starred:
        aside = ScaledTranslation(STAR / 25.4, 0, axes.figure.dpi_scale_trans)
        end = value if math.isnan(high) else high
        draw_asterisk(axes, end, y, BLUE, transform=axes.transData + aside, clip_on=False)


def draw_row_page(data: pd.DataFrame, foot: str, *tables: RowTable) -> Figure:
    """Draw a figure of tables as wide as the page, below each other."""
    frame = pages.Frame(data, foot)
    top = frame.top
    canvas = frame.open(top + sum(table.height + GAP for table in tables) - GAP + 1)
    for table in tables:
        table.draw(canvas, Box(MARGIN, top, ROOM, table.height))
        top += table.height + GAP
    return frame.close(canvas, top - GAP + 2.9)


def list_tenths(low: float, high: float, step: int = 1) -> list[float]:
    """List the tenths from `low` to `high` as ticks of a scale, or every other one (`step` 2)."""
    return [tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, step)]


def find_tenths(
    values: pd.DataFrame | Sequence[float], reference: float = 0.5
) -> tuple[float, float]:
    """Find the limits of a scale, in tenths, that contain all values and the reference."""
    ends = [*np.ravel(np.asarray(values, float)), reference]
    return math.floor(10 * np.nanmin(ends) - 0.2) / 10, math.ceil(10 * np.nanmax(ends) + 0.2) / 10
