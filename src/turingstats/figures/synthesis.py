"""Odds of machines of being called human against a person's, over all studies: a forest plot."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_noun
from turingstats.figures import hover, marks, pages
from turingstats.figures.pages import BODY, MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK, MACHINES, PALE, SERIES

NAME, CHART, WIDTH, NUMBERS = MARGIN + 2, 50, 76, 131  # left edges and width, mm
COUNTS = 27.5  # from the numbers to the verdicts, mm
ROW, HEAD = 3.9, 5.6  # heights of a row and of a heading, mm
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
CHOICE = "choices between a person and a machine"
LOOKS = {
    "observed verdicts": {"marker": "o", "mfc": SERIES[0]},
    "printed counts": {"marker": "o", "mfc": "white"},
    "choices": {"marker": "s", "mfc": "white"},
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, grouped by task, then averages."""
    if data.empty:
        return pages.make_empty_page(
            "No study has observed or printed verdicts of people on both people and machines."
        )
    sections = list(data.groupby("section", sort=False))
    frame = pages.Frame(data, explain_figure(data))
    chart = frame.top + 9
    tall = len(sections) * HEAD + len(data) * ROW
    canvas = frame.open(chart + tall + 12)
    draw_headings(canvas, data, frame.top)
    axes = pages.add_inset(canvas, CHART, chart, WIDTH, tall)
    low, high = find_limits(data)
    axes.set(xscale="log", xlim=(low, high), ylim=(tall, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.patch.set_visible(False)  # lines between sections pass behind the chart
    axes.minorticks_off()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.axvline(1, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    y = 0
    for number, (title, rows) in enumerate(sections):
        if number:
            canvas.plot([MARGIN, PAGE - MARGIN], [chart + y + 1] * 2, color=PALE, linewidth=0.5)
        pages.write_lines(canvas, MARGIN, chart + y + 4.2, title, BODY, weight="semibold")
        y += HEAD
        for row in pages.list_records(rows):
            draw_row(canvas, axes, row, chart, y + ROW / 2, (low, high))
            y += ROW
    return frame.close(canvas, chart + tall + 11)


def draw_headings(canvas: Axes, data: pd.DataFrame, top: float) -> None:
    """Draw the legend and the headings of the columns."""
    shown, x = set(map(choose_look, pages.list_records(data[data["row"] == "agent"]))), CHART
    for name in LOOKS:
        if name in shown:
            draw_key(canvas, x, top + 2.2, LOOKS[name])
            pages.write_lines(canvas, x + 6.5, top + 3.1, name.capitalize(), SMALL)
            x += 11 + pages.measure_text(name, SMALL)
    canvas.fill(
        [x, x + 2.5, x + 5, x + 2.5], top + 2.2 + np.array([0, -0.9, 0, 0.9]), color=MACHINES
    )
    pages.write_lines(canvas, x + 6.5, top + 3.1, "Average; thin line, new machine", SMALL)
    canvas.plot([x - 1.5, x + 6], [top + 2.2] * 2, color=MACHINES, linewidth=0.7)
    heading: dict[str, Any] = {"weight": "semibold"}
    pages.write_lines(canvas, NAME, top + 7, "Machine", **heading)
    pages.write_lines(
        canvas, CHART + WIDTH / 2, top + 7, "Odds of being called human, against a person's",
        ha="center", **heading,
    )  # fmt: skip
    level = f"{data['level'].iloc[0]:.0%}"
    for shift, words in ((0, f"Odds ratio ({level} interval)"), (COUNTS, "Called human")):
        pages.write_lines(canvas, NUMBERS + shift, top + 7, words, SMALL, **heading)


def draw_key(canvas: Axes, x: float, y: float, look: dict[str, Any]) -> None:
    """Draw a mark of the legend."""
    canvas.plot([x, x + 5], [y, y], color=SERIES[0], linewidth=0.8)
    canvas.plot(x + 2.5, y, color=SERIES[0], ms=3, mew=0.8, **look)


def draw_row(
    canvas: Axes,
    axes: Axes,
    row: dict[str, Any],
    chart: Axes,
    y: float,
    limits: tuple[float, float],
) -> None:
    """Draw an agent or an average at a height of the chart (mm), with its numbers."""
    average = row["row"] == "average"
    label = row["label"][:1].upper() + row["label"][1:]
    pages.write_lines(canvas, NAME, chart + y + 0.9, label, color=GREY if average else INK)
    if average:
        draw_interval(axes, row, "prediction", y, limits, MACHINES, cap=0)
        (mark, *_) = draw_diamond(axes, row, y, limits)
    else:
        draw_interval(axes, row, "ci", y, limits, SERIES[0])
        look = LOOKS[choose_look(row)]
        value = np.clip(row["odds_ratio"], *limits)
        (mark,) = axes.plot(value, y, color=SERIES[0], ms=3, mew=0.8, zorder=3, **look)
    hover.title_mark(mark, describe_row(row))
    base = chart + y + 0.9
    pages.write_lines(canvas, NUMBERS, base, format_ratio(row), SMALL, color=INK)
    pages.write_lines(canvas, NUMBERS + COUNTS, base, format_counts(row), SMALL, color=INK)


def draw_interval(
    axes: Axes,
    row: dict[str, Any],
    name: str,
    y: float,
    limits: tuple[float, float],
    color: str,
    cap: float = marks.CAP,
) -> None:
    """Draw an interval; arrow heads where it leaves the chart."""
    ends = row[f"{name}_low"], row[f"{name}_high"]
    shown = np.clip([row["odds_ratio"], *ends], *limits)
    marks.draw_error_bar(axes, shown[0], y, tuple(shown[1:]), color, cap=cap, zorder=2)
    for marker, end, at in zip("<>", ends, shown[1:], strict=True):
        if end == end and end != at:
            axes.plot(at, y, marker, color=color, ms=2.6, mew=0, clip_on=False, zorder=2)


def draw_diamond(
    axes: Axes, row: dict[str, Any], y: float, limits: tuple[float, float]
) -> list[Any]:
    """Draw an average with its interval; a hollow diamond if it has none."""
    if row["ci_low"] != row["ci_low"]:
        look = {"mfc": "white", "mec": MACHINES, "mew": 0.8, "ls": ""}
        return axes.plot(row["odds_ratio"], y, marker="D", ms=3, zorder=3, **look)
    across = np.clip([row["ci_low"], row["odds_ratio"], row["ci_high"], row["odds_ratio"]], *limits)
    return axes.fill(
        across, y + np.array([0, -1.15, 0, 1.15]), color=MACHINES, linewidth=0, zorder=3
    )


def choose_look(row: dict[str, Any]) -> str:
    """Choose the look of an agent: how its verdicts were obtained."""
    if row["design"] == CHOICE:
        return "choices"
    return "printed counts" if row["data"] == "published counts" else "observed verdicts"


def find_limits(data: pd.DataFrame) -> tuple[float, float]:
    """Find the limits of the scale: all values and 1, and all intervals within a factor of 50."""
    values = [*data["odds_ratio"], 1.0]
    ends = np.clip(data[["ci_low", "ci_high"]].to_numpy(float), TICKS[0], TICKS[-1])
    return min(*values, np.nanmin(ends)) / 1.15, max(*values, np.nanmax(ends), 2) * 1.15


def format_ratio(row: dict[str, Any]) -> str:
    """Format an odds ratio with its interval."""
    value, low, high = (format_factor(row[name]) for name in ("odds_ratio", "ci_low", "ci_high"))
    return value if low == "nan" else f"{value} ({low} to {high})"


def format_factor(value: float) -> str:
    """Format a factor with two decimals, or with two digits if it is below 0.1."""
    return f"{value:.2g}" if value < 0.095 else f"{value:.2f}"


def format_counts(row: dict[str, Any]) -> str:
    """Format how often an agent was called human, or how many agents an average is of."""
    if row["row"] == "average":
        machines = format_with_noun(row["n_agents"], "machine")
        return f"{machines}, {format_with_noun(row['n_tasks'], 'task')}"
    return f"{row['k']:,.0f} of {row['n']:,.0f}"


def describe_row(row: dict[str, Any]) -> str:
    """Describe a row exactly."""
    ends = "no interval"
    if row["ci_low"] == row["ci_low"]:
        ends = f"{row['level']:.0%} interval {row['ci_low']:.4f} to {row['ci_high']:.4f}"
    sentence = f"{row['section']}, {row['label']}: odds ratio {row['odds_ratio']:.4f} ({ends})"
    if row["row"] == "average":
        if row["prediction_low"] == row["prediction_low"]:
            sentence += (
                f"; {row['level']:.0%} of new machines {row['prediction_low']:.4f} to "
                f"{row['prediction_high']:.4f}"
            )
        return f"{sentence}; {format_counts(row)}"
    people = ""
    if row["k_people"] == row["k_people"]:
        people = f"; people {row['k_people']:,.0f} of {row['n_people']:,.0f}"
    return f"{sentence}; called human {format_counts(row)}{people}; {row['method']}"


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    agents = data[data["row"] == "agent"]
    over = [unit for unit in dict.fromkeys(agents["error_over"]) if unit]
    sentences = [
        "Odds that a machine's response is called human, divided by those of a person's in the same task and "
        "study; 1, dashed: as often as people.",
        f"Errors are over {', or over '.join(over)}." if over else "",
    ]
    if (agents["design"] == CHOICE).any():
        sentences.append("In choices, odds that the machine is taken for the person.")
    sentences.append(
        "Diamonds: averages over machines and tasks that both vary at random (REML), with intervals over "
        "tasks, or over machines within one task; thin lines, where the odds ratio of a new machine in a "
        "new task is expected. Hollow: too few for an interval. Arrows: the interval goes on. Recommended "
        "reading."
    )
    return " ".join(filter(None, sentences))
