"""Figure of published against recomputed numbers, and of the statuses of claims by task."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from turingstats.core.claim_statuses import STATUSES
from turingstats.core.labels import format_with_noun, join_with_and, use_minus_signs
from turingstats.figures import hover, pages
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, SMALL, TITLE
from turingstats.figures.palette import GREY, INK, PALE

# Colors and patterns are those of the pages of claims (templates/base.html).
TONES = "#0072b2", "#2b8cc4", "#009e73", "#d55e00", "#8b4a9c", "#6b6b6b", "#767676"
COLORS = dict(zip(STATUSES, TONES, strict=True))
PATTERNS = dict(zip(STATUSES, ("", "-----", "....", "|||", "//////", "", "\\\\"), strict=True))
FILLED = ("reproduced", "taken over", "differs")
"""Statuses whose boxes are filled; patterns of the others are drawn on white."""
MARKERS = dict(zip(STATUSES, "os^XD  ", strict=True))
SCATTERS = ("Shares and correlations", "Test statistics", "p values", "Counts and means")
LINEAR = {"Test statistics": 10, "p values": 1e-3, "Counts and means": 1}
"""Up to this number a scale is linear, and logarithmic beyond."""
SIDE, GUTTER, LEFT = 35, 9.6, 9  # width of a panel, space between panels and left of them, mm
COUNTS, COLUMN, TOTAL = 33, 14.5, 11  # left edge of the numbers; width of one and of the sum, mm
BAR, HEAD, ROW = 148, 8, 4.6  # left edge of the bars; heights of the heads and of a row, mm
THIN = 0.5  # least width of a segment, mm


def draw(data: pd.DataFrame) -> Figure:
    """Draw panels of points, numbers and bars of statuses by task, and the foot."""
    # Each kind of data gets a part of the figure; letters continue.
    parts: list[Part] = []
    for _, rows in data.groupby("data", sort=False):
        parts.append(Part(rows, sum(len(part.letters) for part in parts)))
    made_up = [part for part in parts if pages.is_generated(part.data)]
    foot = pages.wrap_text(explain_figure(parts), PAGE - 2 * MARGIN, SMALL)
    top = MARGIN + (7 if made_up else 0)
    height = top + sum(part.height for part in parts) + len(foot) * LINE[SMALL] + MARGIN
    canvas = pages.make_page(PAGE, height)
    across = (PAGE - MARGIN - BAR - 2) / max(part.most for part in parts)
    for part in parts:
        part.draw(canvas, top, across, named=len(parts) > 1)
        top += part.height
    pages.write_lines(
        canvas, MARGIN, height - MARGIN - (len(foot) - 1) * LINE[SMALL], foot, SMALL, color=GREY
    )
    if made_up:
        whole = len(made_up) == len(parts)
        pages.flag_generated_data(
            canvas, () if whole else [part.name_letters() for part in made_up]
        )
    return canvas.figure


class Part:
    """Claims on one kind of data: points, and bars by task; `first` counts the panels before."""

    def __init__(self, data: pd.DataFrame, first: int) -> None:
        self.data, self.label = data, data["data"].iloc[0]
        # If there are several kinds of data, a panel's name ends with its kind.
        self.panel = data["panel"].str.removesuffix(f", {self.label}")
        self.scatters = [name for name in SCATTERS if (self.panel == name).any()]
        self.letters = [chr(ord("A") + first + n) for n in range(len(self.scatters) + 1)]
        self.bars = data[self.panel == "Status"]
        self.tasks = list(dict.fromkeys(self.bars["task"]))
        self.most = self.bars.groupby("task")["n"].sum().max()
        self.points_height = 6 + SIDE + 12 if self.scatters else 0
        self.height = self.points_height + 4 + HEAD + ROW * len(self.tasks) + 5

    def name_letters(self) -> str:
        """Name the letters of the part, such as "A to E"."""
        first, last = self.letters[0], self.letters[-1]
        return first if first == last else f"{first} to {last}"

    def draw(self, canvas: Axes, top: float, across: float, named: bool) -> None:
        """Draw the part at a height of the page (mm); `across` is the width of a claim in the bars."""
        below = top + self.points_height
        for position, name in enumerate(self.scatters):
            left = MARGIN + LEFT + position * (SIDE + GUTTER)
            write_heading(canvas, left - LEFT, top + 3, self.letters[position], name)
            axes = pages.add_inset(canvas, left, top + 6, SIDE, SIDE)
            draw_points(axes, self.data[self.panel == name], name)
            axes.set_xlabel("Published", labelpad=1.5)
            if position == 0:
                axes.set_ylabel("Recomputed", labelpad=1)
        title = f"Claims on {self.label}" if named else "Claims by task and status"
        write_heading(canvas, MARGIN, below + 3, self.letters[-1], title)
        below += 4
        write_heads(canvas, below + 4)
        for number, task in enumerate(self.tasks):
            bars = self.bars[self.bars["task"] == task]
            draw_task_row(canvas, below + HEAD + number * ROW, task, bars, across)


def write_heading(canvas: Axes, x: float, y: float, letter: str, title: str) -> None:
    """Write the letter and title of a panel."""
    pages.write_lines(canvas, x, y, letter, TITLE, weight="bold")
    pages.write_lines(canvas, x + 4.5, y, title, BODY, weight="semibold")


def draw_points(axes: Axes, points: pd.DataFrame, name: str) -> None:
    """Draw recomputed against published numbers, with the line on which they are equal."""
    ends = [*points["published"].astype(float), *points["recomputed"].astype(float), 0.0, 1.0]
    low, high = min(ends), max(ends)
    if linear := LINEAR.get(name):
        axes.set_xscale("symlog", linthresh=linear)
        axes.set_yscale("symlog", linthresh=linear)
        low, high = (1.6 * low - 0.2 * linear, 1.6 * high)
        powers = [10.0**n for n in range(-8, 9) if linear <= 10.0**n < high]
        # Ticks for every power would not fit.
        powers = powers[:: 2 if len(powers) > 4 else 1]
        ticks = [-linear] * (low < -linear) + [0, *powers]
    else:
        room = 0.05 * (high - low)
        low, high = low - room, high + room
        ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(ticks, [format_tick(tick) for tick in ticks])
    axes.plot([low, high], [low, high], color=INK, linewidth=0.5, zorder=1)
    for one in sorted(pages.list_records(points), key=lambda one: STATUSES.index(one["status"])):
        status = one["status"]
        color = (*to_rgb(COLORS[status]), 0.8)
        (mark,) = axes.plot(
            one["published"], one["recomputed"], MARKERS[status], ms=3, zorder=2, markeredgewidth=0.7,
            color=color, markeredgecolor=color if status in FILLED else COLORS[status],
            markerfacecolor=color if status in FILLED else "white",
        )  # fmt: skip
        hover.title_mark(mark, describe_claim(one))
    axes.set(xlim=(low, high), ylim=(low, high))
    words = format_with_noun(len(points), "claim")
    axes.text(0.04, 0.96, words, transform=axes.transAxes, va="top", size=SMALL, color=GREY)


def describe_claim(one: dict[str, str]) -> str:
    """Describe a claim exactly."""
    return (
        f"Claim {one['claim_id']}: published {one['published']:g}, recomputed {one['recomputed']:.6g}; "
        f"{one['status']}"
    )


def format_tick(value: float) -> str:
    """Format a tick label, with an exponent for powers of ten from 10,000 and below 0.001."""
    if value and not 0.001 <= abs(value) < 10_000:
        power = str(round(math.log10(abs(value))))
        return "10" + power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return use_minus_signs(f"{value:,g}")


def write_heads(canvas: Axes, y: float) -> None:
    """Write the heads of the columns of numbers, with the pattern and mark of each status."""
    for position, status in enumerate(STATUSES):
        right = COUNTS + (position + 1) * COLUMN
        pages.write_lines(canvas, right, y + 3, status, SMALL, ha="right")
        draw_segment(canvas, right - 4, y - 2, 4, 2.4, status)
        if MARKERS[status] != " ":
            canvas.plot(
                [right - 6], [y - 0.8], marker=MARKERS[status], markersize=3.4, color=COLORS[status],
                markerfacecolor=COLORS[status] if status in FILLED else "white", markeredgewidth=0.7,
            )  # fmt: skip
    right = COUNTS + len(STATUSES) * COLUMN + TOTAL
    pages.write_lines(canvas, right, y + 3, "all", SMALL, ha="right")


def draw_segment(
    canvas: Axes, left: float, top: float, width: float, height: float, status: str
) -> None:
    """Draw a box in the color and pattern of a status."""
    filled = status in FILLED
    pages.draw_box(
        canvas, left, top, width, height, linewidth=0.5, edgecolor="white" if filled else COLORS[status],
        hatch=PATTERNS[status] or None, facecolor=COLORS[status] if filled else "white",
        hatchcolor="white" if filled else COLORS[status],
    )  # fmt: skip


def draw_task_row(canvas: Axes, top: float, task: str, rows: pd.DataFrame, across: float) -> None:
    """Write the numbers of claims of a task by status, and draw them as one bar."""
    pages.write_lines(canvas, MARGIN + 4.5, top + 3, task)
    counts = dict(zip(rows["status"], rows["n"].astype(int), strict=True))
    left = BAR
    for position, status in enumerate(STATUSES):
        number = counts.get(status, 0)
        right = COUNTS + (position + 1) * COLUMN
        color = INK if number else GREY
        pages.write_lines(canvas, right, top + 3, f"{number:,}", ha="right", color=color)
        if number:
            width = max(number * across, THIN)
            draw_segment(canvas, left, top + 0.4, width, ROW - 1.4, status)
            left += width
    right = COUNTS + len(STATUSES) * COLUMN + TOTAL
    pages.write_lines(
        canvas, right, top + 3, f"{sum(counts.values()):,}", ha="right", weight="semibold"
    )
    canvas.plot([MARGIN + 4.5, right], [top + ROW - 0.3] * 2, color=PALE, linewidth=0.4)


def explain_figure(parts: list[Part]) -> str:
    """Write the foot of the figure."""
    scales = [
        f"{format_tick(LINEAR[name])} in {part.letters[position]}"
        for part in parts
        for position, name in enumerate(part.scatters)
        if name in LINEAR
    ]
    rest = parts[0].label.capitalize()
    if len(parts) > 1:
        rest = "; ".join(f"{part.name_letters()}: {part.label}" for part in parts)
    points = (
        "Marks: claims that a number equals the printed one and that were computed, published reading; on "
        "the line both are equal; shares include differences of shares. "
    )
    if scales:
        points += f"Scales are linear up to {join_with_and(scales)}, and logarithmic beyond. "
    last = join_with_and([part.letters[-1] for part in parts])
    return (
        f"{points if any(part.scatters for part in parts) else ''}{last}: all claims on numbers that the "
        f"paper prints; a claim is impossible if the paper contradicts itself there. {rest}."
    )
