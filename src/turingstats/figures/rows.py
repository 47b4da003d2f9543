"""Charts of rows: names at the left, a horizontal scale below, one or more marks per row."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from turingstats.figures import pages
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY

DASHED: dict[str, Any] = {"color": GREY, "linewidth": 0.6, "dashes": (4, 3), "zorder": 0}
"""Line of chance, or of no difference."""
HEAD, AXIS = 4, 8  # space above the rows for the heading of counts, and below for the scale, mm
ROW = 4.0  # least height of a row, mm
APART = 2.5  # between a count and the chart, mm


def add_row_chart(
    canvas: Axes, box: Box, limits: tuple[float, float], label: str, reference: float = math.nan
) -> Axes:
    """Add a chart whose vertical scale is millimeters from the top, like the page, and a dashed reference."""
    axes = pages.add_inset(canvas, *box)
    axes.set(xlim=limits, ylim=(box.height, 0), yticks=[])
    axes.patch.set_visible(False)  # lines between rows pass behind the chart
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(label, labelpad=1.5, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    if not math.isnan(reference):
        axes.axvline(reference, **DASHED)
    return axes


def list_tenths(low: float, high: float, step: int = 1) -> list[float]:
    """List the tenths from `low` to `high` as ticks of a scale, or every other one (`step` 2)."""
    return [tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, step)]


class NamedRows:
    """Rows of a panel with names and counts at the left of the chart; heights are in millimeters."""

    def __init__(
        self,
        names: Sequence[str],
        counts: Sequence[str],
        unit: str,
        width: float,
        least: Sequence[float] = (),
        above: Sequence[float] = (),
    ) -> None:
        self.unit = unit
        self.counts = max(pages.measure_text(text, SMALL) for text in (*counts, unit))
        self.lines = [pages.wrap_text(name, 0.46 * width - self.counts) for name in names]
        self.names = max(pages.measure_text(line) for lines in self.lines for line in lines)
        self.least = least or [ROW] * len(names)
        self.above = above or [0.0] * len(names)
        self.heights = [
            max(high, LINE[BODY] * len(lines) + 1.1)
            for high, lines in zip(self.least, self.lines, strict=True)
        ]
        self.tall = sum(self.heights) + sum(self.above)
        self.height = HEAD + self.tall + AXIS

    def draw(
        self, canvas: Axes, box: Box, limits: tuple[float, float], label: str, reference: float
    ) -> tuple[Axes, list[float]]:
        """Write the names, and return the chart beside them with the middles of its rows (mm)."""
        self.right = box.left + self.names + self.counts + 4
        top = box.top + HEAD
        self.write_count(canvas, box.top + HEAD - 2, self.unit)
        start = self.right + APART
        chart = Box(start, top, box.left + box.width - start - 3, self.tall)
        axes = add_row_chart(canvas, chart, limits, label, reference)
        middles, y = [], 0.0
        for lines, height, above in zip(self.lines, self.heights, self.above, strict=True):
            middles.append(y + above + height / 2)
            first = top + middles[-1] + 0.9 - LINE[BODY] * (len(lines) - 1) / 2
            pages.write_lines(canvas, box.left, first, lines)
            y += above + height
        return axes, middles

    def write_count(self, canvas: Axes, y: float, text: str) -> None:
        """Write a count beside the chart, with its middle at `y` of the page (mm)."""
        pages.write_lines(canvas, self.right, y + 0.8, text, SMALL, ha="right", color=GREY)
