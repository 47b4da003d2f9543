"""Power of a study to come, by number of judges and trials per judge: one panel per question."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import join_with_and
from turingstats.figures import pages
from turingstats.figures.marks import Key, draw_estimate
from turingstats.figures.pages import BODY, LINE, MARGIN, ROOM, SMALL
from turingstats.figures.palette import MARKERS, PALE, RED, shade_ramp
from turingstats.figures.rows import DASHED

ACROSS, APART = 3, 7  # panels per row; space between them, mm
LEFT, CHART_HEIGHT, FEET = 9, 36, 12  # space for the axis, chart, and its labels: mm
RING = {"marker": "o", "ms": 7, "mfc": "none", "mec": RED, "mew": 1.1}
"""Ring around the cheapest design."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw a line for each number of trials per judge, with intervals."""
    panels = [part for _, part in data.groupby("question", sort=False)]
    frame = pages.Frame(data, explain_figure(data))
    styles = style_trials(data)
    wide = (ROOM - APART * (ACROSS - 1)) / ACROSS - LEFT
    heads = [
        pages.wrap_text(part["question_label"].iloc[0], wide + LEFT, weight="semibold")
        for part in panels
    ]
    rows = [
        range(start, min(start + ACROSS, len(panels))) for start in range(0, len(panels), ACROSS)
    ]
    key = make_key(styles)
    top = frame.top + key.height + 1
    tops: list[tuple[float, float]] = []
    for row in rows:
        head = max(len(heads[index]) for index in row) * LINE[BODY] + 2.5
        tops.append((top, head))
        top += head + CHART_HEIGHT + FEET
    canvas = frame.open(top)
    key.draw(canvas, MARGIN, frame.top)
    for row, (start, head) in zip(rows, tops, strict=True):
        for column, index in enumerate(row):
            left = MARGIN + column * (wide + LEFT + APART)
            pages.write_lines(canvas, left, start + 2.5, heads[index], weight="semibold")
            draw_panel(
                canvas, panels[index], (left + LEFT, start + head, wide, CHART_HEIGHT), styles
            )
    return frame.close(canvas, top + 1)


def style_trials(data: pd.DataFrame) -> dict[int, tuple[str, str]]:
    """Give every number of trials a shade, from light to dark, and a marker."""
    trials = sorted(data["trials"].unique())
    return {
        number: (shade_ramp(index, len(trials)), MARKERS[index % len(MARKERS)])
        for index, number in enumerate(trials)
    }


def make_key(styles: dict[int, tuple[str, str]]) -> Key:
    """Make the key: numbers of trials, the power asked for, the cheapest design."""
    entries = [
        (f"{number:,.0f} trials per judge", {"color": color, "marker": marker, "linewidth": 1})
        for number, (color, marker) in styles.items()
    ]
    entries.append(("Power asked for", {**DASHED}))
    entries.append(("Cheapest design that has it", {"ls": "", **RING}))
    return Key(entries, ROOM)


def draw_panel(
    canvas: Axes,
    rows: pd.DataFrame,
    place: tuple[float, float, float, int],
    styles: dict[int, tuple[str, str]],
) -> None:
    """Draw the power of one question by judges, a line for each number of trials."""
    axes = pages.add_inset(canvas, *place)
    judges = sorted(rows["judges"].unique())
    axes.set(ylim=(-0.02, 1.02), **choose_scale(judges))
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"], size=SMALL)
    ticks = choose_ticks(judges)
    axes.set_xticks(ticks, [f"{number:,.0f}" for number in ticks], size=SMALL)
    axes.set_xticks([], minor=True)
    axes.tick_params(labelsize=SMALL)
    axes.set_xlabel("Judges", size=SMALL, labelpad=1.5)
    narrow = rows["goal"].iloc[0] == "width"
    axes.set_ylabel("Share of studies" if narrow else "Power", size=SMALL, labelpad=2)
    axes.axhline(rows["target"].iloc[0], **DASHED)
    for value in (0, 0.5, 1):
        axes.axhline(value, color=PALE, linewidth=0.3, zorder=0)
    for trials, (color, marker) in styles.items():
        line = rows[rows["trials"] == trials].sort_values("judges")
        axes.plot(line["judges"], line["power"], color=color, linewidth=1, zorder=2)
        for row in pages.list_records(line):
            at, ends = (row["judges"], row["power"]), (row["power_low"], row["power_high"])
            draw_estimate(axes, *at, ends, color, marker, upright=True, cap=1.6, ms=2.6)
            if row["cheapest"]:
                axes.plot(row["judges"], row["power"], **RING, zorder=5, clip_on=False)


def is_wide(judges: list[int]) -> bool:
    """Tell whether numbers of judges are so far apart that only ratios can be seen."""
    return judges[-1] > 20 * judges[0]


def choose_scale(judges: list[int]) -> dict[str, Any]:
    """Choose the scale of the numbers of judges, with some room at both ends."""
    if is_wide(judges):
        room = (judges[-1] / judges[0]) ** 0.06
        return {"xscale": "log", "xlim": (judges[0] / room, judges[-1] * room)}
    room = 0.06 * (judges[-1] - judges[0]) or 1
    return {"xlim": (judges[0] - room, judges[-1] + room)}


def choose_ticks(judges: list[int]) -> list[int]:
    """Choose the numbers of judges that have room on the axis, from the largest down."""
    positions = [math.log(number) if is_wide(judges) else number for number in judges]
    apart = 0.13 * (positions[-1] - positions[0])
    kept = []
    for number, at in zip(reversed(judges), reversed(positions), strict=True):
        if not kept or kept[-1][1] - at >= apart:
            kept.append((number, at))
    return [number for number, _ in reversed(kept)]


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    goals = []
    if (data["goal"] == "difference").any():
        goals.append(f"p < {first['alpha']:.3g} in the t test with errors over judges and stimuli")
    if (data["goal"] == "equivalence").any():
        goals.append("both one-sided t tests significant, if there is no difference")
    if (data["goal"] == "width").any():
        goals.append("an interval of detectability as narrow as asked for")
    return (
        f"Share of {first['simulations']:,} simulated studies that show what the title says: "
        f"{join_with_and(goals)}. Bars: 95% intervals of this share (Wilson), because the number of "
        f"simulated studies is limited. {first['data'].capitalize()}."
    )
