"""Odds of machines of being called human against a person's, over all studies: a forest plot."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_noun
from turingstats.figures import hover, marks, pages
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import GREY, INK, MACHINES, SERIES
from turingstats.figures.sections import Layout, Row, draw_sections

LEFT, WIDTH = 50, 76  # place of the chart, mm
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
    low, high = limits = find_limits(data)
    columns = {f"Odds ratio ({data['level'].iloc[0]:.0%} interval)": 131, "Called human": 158.5}
    title = "Odds of being called human, against a person's"
    sections = {
        section: [
            Row(
                row["label"][:1].upper() + row["label"][1:],
                [format_ratio(row), format_counts(row)],
                partial(draw_row, row, limits),
                GREY if row["row"] == "average" else INK,
            )
            for row in pages.list_records(rows)
        ]
        for section, rows in data.groupby("section", sort=False)
    }
    frame = pages.Frame(data, explain_figure(data))
    layout = Layout(LEFT, WIDTH, title, columns, 3.9)
    canvas, axes, bottom = draw_sections(frame, sections, layout, limits, 1)
    axes.set_xscale("log")
    axes.set_xlim(limits)
    axes.minorticks_off()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    draw_legend(canvas, data, frame.top)
    return frame.close(canvas, bottom)


def draw_legend(canvas: Axes, data: pd.DataFrame, top: float) -> None:
    """Draw the legend: marks of agents that are shown, and that of averages."""
    shown, x = set(map(choose_look, pages.list_records(data[data["row"] == "agent"]))), LEFT
    for name, look in LOOKS.items():
        if name in shown:
            canvas.plot([x, x + 5], [top + 2.2] * 2, color=SERIES[0], linewidth=0.8)
            canvas.plot(x + 2.5, top + 2.2, color=SERIES[0], ms=3, mew=0.8, **look)
            pages.write_lines(canvas, x + 6.5, top + 3.1, name.capitalize(), SMALL)
            x += 11 + pages.measure_text(name, SMALL)
    heights = top + 2.2 + np.array([0, -0.9, 0, 0.9])
    canvas.fill([x, x + 2.5, x + 5, x + 2.5], heights, color=MACHINES)
    canvas.plot([x - 1.5, x + 6], [top + 2.2] * 2, color=MACHINES, linewidth=0.7)
    pages.write_lines(canvas, x + 6.5, top + 3.1, "Average; thin line, new machine", SMALL)


def draw_row(row: dict[str, Any], limits: tuple[float, float], axes: Axes, y: float) -> None:
    """Draw an agent or an average at a height of the chart (mm)."""
    if row["row"] == "average":
        draw_interval(axes, row, "prediction", y, limits, MACHINES, cap=0)
        (mark, *_) = draw_diamond(axes, row, y, limits)
    else:
        draw_interval(axes, row, "ci", y, limits, SERIES[0])
        value, look = np.clip(row["odds_ratio"], *limits), LOOKS[choose_look(row)]
        (mark,) = axes.plot(value, y, color=SERIES[0], ms=3, mew=0.8, zorder=3, **look)
    hover.title_mark(mark, describe_row(row))


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
