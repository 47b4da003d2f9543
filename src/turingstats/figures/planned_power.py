"""Power of a planned study, by number of judges and trials per judge: one panel per question."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.marks import Entry, draw_estimate, draw_key
from turingstats.figures.notes import write_note
from turingstats.figures.pages import BODY, COLUMN, LINE, MARGIN, ROOM, SMALL
from turingstats.figures.palette import MARKERS, PALE, RED, Style, shade_ramp
from turingstats.figures.rows import DASHED

ACROSS, APART = 3, 7  # panels per row; space between them, mm
LEFT, CHART_HEIGHT, FEET = 9, 36, 12  # space for the axis, chart, and its labels: mm
RING = {"marker": "o", "ms": 7, "mfc": "none", "mec": RED, "mew": 1.1}
"""Ring around the cheapest design."""
TICKS = 6
"""Most numbers of judges that an axis names."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw a line for each number of trials per judge, with intervals."""
    panels = [part for _, part in data.groupby("question", sort=False)]
    trials = sorted(data["trials"].unique())
    styles = {
        number: Style(shade_ramp(index, len(trials)), MARKERS[index % len(MARKERS)])
        for index, number in enumerate(trials)
    }
    across, wide = min(len(panels), ACROSS), (ROOM - APART * (ACROSS - 1)) / ACROSS
    page = max(COLUMN, 2 * MARGIN + across * (wide + APART) - APART)
    titles = [
        pages.wrap_text(part["question_label"].iloc[0], wide, weight="semibold") for part in panels
    ]
    canvas, top = pages.open_page(data, page)
    top = 1 + draw_key(canvas, make_key(styles), MARGIN, top, page - 2 * MARGIN)
    head = LINE[BODY] * max(map(len, titles)) + 2.5
    step = head + CHART_HEIGHT + FEET
    for index, (part, title) in enumerate(zip(panels, titles, strict=True)):
        row, column = divmod(index, ACROSS)
        left, y = MARGIN + column * (wide + APART), top + row * step
        pages.write_lines(canvas, left, y + 2.5, title, weight="semibold")
        axes = pages.add_inset(canvas, left + LEFT, y + head, wide - LEFT, CHART_HEIGHT)
        draw_panel(axes, part, styles)
    return pages.close_page(canvas, y + step, write_note("planned_power", data))


def make_key(styles: dict[int, Style]) -> list[Entry]:
    """Make the key: numbers of trials, the power asked for, the cheapest design."""
    entries = [
        (f"{number:,.0f} trials per judge", style.marks | {"color": style.color, "ls": "-"})
        for number, style in styles.items()
    ]
    ring = ("Cheapest design that has it", {"ls": "", **RING})
    return [*entries, ("Power asked for", DASHED), ring]


def draw_panel(axes: Axes, rows: pd.DataFrame, styles: dict[int, Style]) -> None:
    """Draw the power of one question by judges, a line for each number of trials."""
    for trials, style in styles.items():
        line = rows[rows["trials"] == trials].sort_values("judges")
        axes.plot(line["judges"], line["power"], color=style.color, linewidth=1, zorder=2)
        for row in pages.list_records(line):
            at, ends = (row["judges"], row["power"]), (row["power_low"], row["power_high"])
            tip = f"{row['judges']:,.0f} judges, {trials:,.0f} trials each"
            draw_estimate(axes, *at, ends, style.color, style.marker, cap=1.6, tip=tip, ms=2.6)
            if row["cheapest"]:
                axes.plot(*at, **RING, zorder=5, clip_on=False)
    judges = sorted(rows["judges"].unique())
    if judges[-1] > 20 * judges[0]:
        axes.set_xscale("log")
        axes.set_xticks([], minor=True)
    axes.margins(x=0.06)
    ticks = judges[:: -math.ceil(len(judges) / TICKS)]
    axes.set_xticks(ticks, [f"{number:,.0f}" for number in ticks])
    axes.set_ylim(-0.02, 1.02)
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.grid(axis="y", color=PALE, linewidth=0.3)
    axes.tick_params(labelsize=SMALL)
    axes.set_xlabel("Judges", size=SMALL, labelpad=1.5)
    is_width = rows["goal"].iloc[0] == "width"
    axes.set_ylabel("Share of studies" if is_width else "Power", size=SMALL, labelpad=2)
    axes.axhline(rows["target"].iloc[0], **DASHED)
