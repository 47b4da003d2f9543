"""Power of a study to come, by number of judges and trials per judge: one panel per question."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import join_with_and
from turingstats.figures import pages
from turingstats.figures.marks import draw_estimate
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, SMALL
from turingstats.figures.palette import MARKERS, PALE, RED, shade_ramp
from turingstats.figures.rows import DASHED

ACROSS, APART = 3, 7  # panels per row; space between them, mm
LEFT, CHART_HEIGHT, FEET = 9, 36, 12  # space for the axis, chart, and its labels: mm
KEY = 5  # height of a line of the key, mm


def draw(data: pd.DataFrame) -> Figure:
    """Draw a line for each number of trials per judge, with intervals."""
    panels = [part for _, part in data.groupby("question", sort=False)]
    frame = pages.Frame(data, explain_figure(data))
    styles = style_trials(data)
    wide = (PAGE - 2 * MARGIN - APART * (ACROSS - 1)) / ACROSS - LEFT
    heads = [
        pages.wrap_text(part["question_label"].iloc[0], wide + LEFT, weight="semibold")
        for part in panels
    ]
    rows = [
        range(start, min(start + ACROSS, len(panels))) for start in range(0, len(panels), ACROSS)
    ]
    key = list_key(styles)
    top = frame.top + len(key) * KEY + 2
    tops: list[tuple[float, float]] = []
    for row in rows:
        head = max(len(heads[index]) for index in row) * LINE[BODY] + 2.5
        tops.append((top, head))
        top += head + CHART_HEIGHT + FEET
    canvas = frame.open(top)
    draw_key(canvas, frame.top, key, styles)
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


def list_key(styles: dict[int, tuple[str, str]]) -> list[list[tuple[float, tuple[int | str, str]]]]:
    """Arrange the key: numbers of trials, the power asked for, the cheapest design."""
    names = [f"{number:,.0f}" for number in styles]
    entries = ["Trials per judge", *styles, "Power asked for", "Cheapest design that has it"]
    shown = ["Trials per judge", *names, "Power asked for", "Cheapest design that has it"]
    widths = [pages.measure_text(text, SMALL) + 9 for text in shown]
    return pages.arrange_in_lines(zip(entries, shown, strict=True), widths, PAGE - 2 * MARGIN)


def draw_key(
    canvas: Axes,
    top: float,
    lines: list[list[tuple[float, tuple[Any, str]]]],
    styles: dict[int, tuple[str, str]],
) -> None:
    """Draw the key of lines and marks."""
    for number, line in enumerate(lines):
        y = top + number * KEY + 2
        for shift, (entry, text) in line:
            x = MARGIN + shift
            if entry in styles:
                color, marker = styles[entry]
                canvas.plot([x, x + 4], [y - 0.8] * 2, color=color, linewidth=1)
                canvas.plot(x + 2, y - 0.8, marker, color=color, ms=3)
            elif entry.startswith("Power"):
                canvas.plot([x, x + 4], [y - 0.8] * 2, **DASHED)
            elif entry.startswith("Cheapest"):
                draw_ring(canvas, x + 2, y - 0.8)
            pages.write_lines(canvas, x + (0 if entry == "Trials per judge" else 5), y, text, SMALL)


def draw_ring(axes: Axes, x: float, y: float) -> None:
    """Draw the ring around the cheapest design."""
    axes.plot(x, y, "o", ms=7, mfc="none", mec=RED, mew=1.1, zorder=5, clip_on=False)


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
            ends, title = (row["power_low"], row["power_high"]), describe_design(row)
            draw_estimate(
                axes, row["judges"], row["power"], row, color, marker, ends, upright=True, cap=1.6,
                title=title, ms=2.6,
            )  # fmt: skip
            if row["cheapest"]:
                draw_ring(axes, row["judges"], row["power"])


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


def describe_design(row: dict[str, Any]) -> str:
    """Describe a design and its power exactly."""
    text = (
        f"{row['judges']:,.0f} judges, {row['trials']:,.0f} trials each: power {row['power']:.3f} "
        f"({row['power_low']:.3f} to {row['power_high']:.3f}, {row['simulations']:,.0f} simulated studies); "
        f"cost {row['cost']:,.10g}"
    )
    if row["errors"] == row["errors"]:
        text += f"; without a difference {row['errors']:.3f} of studies find one"
    return text


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
