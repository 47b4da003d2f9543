"""Each judge's share of right verdicts: how much the judges of a cohort differ."""

from typing import Any

import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.marks import Key
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import INK, MACHINES, PEOPLE
from turingstats.figures.rows import DASHED

HEAD, CHART_HEIGHT, NAMES, LEFT = 6, 25, 10, 11  # title, chart, names, space for the axis, mm
ROW = HEAD + CHART_HEIGHT + NAMES
SIDES = {"human": ("people's responses", PEOPLE), "machine": ("machines' responses", MACHINES)}
COLORS = {truth: color for truth, (_, color) in SIDES.items()}
STICKS = {"color": "white", "linewidth": 0.25, "alpha": 0.5, "rasterized": True}
"""Lines of single judges; as vectors, hundreds of them would make the picture twice as large."""
MEDIAN: dict[str, Any] = {"ms": 3, "color": "white", "markeredgecolor": INK, "markeredgewidth": 0.7}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the cohorts of each task: shares on people's responses at the left, on machines' at the right."""
    if data.empty:
        return pages.make_empty_page("No cohort has five or more identifiable human judges.")
    frame = pages.Frame(data, explain_figure(data))
    tasks = [task for _, task in data.groupby("task", sort=False)]
    most = max(5, *(task["cohort"].nunique() for task in tasks))
    across = (PAGE - 2 * MARGIN - LEFT) / most
    corners, y = place_tasks(tasks, across, frame.top + 4)
    canvas = frame.open(y)
    make_key(data).draw(canvas, MARGIN + LEFT, frame.top)
    for task, (left, start) in zip(tasks, corners, strict=True):
        draw_cohorts(canvas, task, left, start, across)
    return frame.close(canvas, y + 2)


def place_tasks(
    tasks: list[pd.DataFrame], across: float, top: float
) -> tuple[list[tuple[float, float]], float]:
    """Place tasks side by side if they fit; return positions and the bottom of the last row (mm)."""
    positions, x, y = [], float(MARGIN), top
    for task in tasks:
        wide = LEFT + across * task["cohort"].nunique()
        if x > MARGIN and x + wide > PAGE - MARGIN + 0.1:
            x, y = MARGIN, y + ROW
        positions.append((x, y))
        x += wide
    return positions, y + ROW


def make_key(data: pd.DataFrame) -> Key:
    """Make the key of colors and marks."""
    shown = set(data["truth"])
    sides = [(f"On {text}", color) for truth, (text, color) in SIDES.items() if truth in shown]
    entries = [(text, {"marker": "s", "color": color, "ls": "", "ms": 5}) for text, color in sides]
    entries.append(("Median", {"marker": "D", "ls": ""} | MEDIAN))
    stick = {"marker": "|", "color": INK, "ls": "", "ms": 7}
    entries.append(("Range if all judges were equally accurate", stick))
    return Key(entries, PAGE - 2 * MARGIN - LEFT)


def draw_cohorts(canvas: Axes, data: pd.DataFrame, left: float, top: float, across: float) -> None:
    """Draw the cohorts of one task side by side, each as wide as `across` (mm)."""
    cohorts = list(data.groupby("cohort", sort=False))
    pages.write_lines(canvas, left, top + 3.5, data["task_label"].iloc[0], weight="semibold")
    axes = pages.add_inset(canvas, left + LEFT, top + HEAD, across * len(cohorts), CHART_HEIGHT)
    seaborn.violinplot(
        data, x="cohort", y="value", hue="truth", hue_order=list(SIDES), palette=COLORS, saturation=1,
        split=True, gap=0.1, width=0.6, density_norm="width", cut=0, linewidth=0.3, inner="stick",
        inner_kws=STICKS, legend=False, ax=axes,
    )  # fmt: skip
    for index, (_, part) in enumerate(cohorts):
        for truth, shares in part.groupby("truth", sort=False):
            side = -1 if truth == "human" else 1
            axes.plot(index + side * 0.05, shares["value"].median(), "D", **MEDIAN)
            ends = shares[["alike_low", "alike_high"]].iloc[0]
            axes.vlines(index + side * 0.36, *ends, color=INK, linewidth=0.9)
        unit, number = part["unit"].iloc[0], part["judge"].nunique()
        count = f"n = {number:,}" + (f" {unit}" if unit != "judges" else "")
        lines = [*pages.wrap_text(part["cohort_label"].iloc[0], across - 2, SMALL), count]
        middle, under = left + LEFT + (index + 0.5) * across, top + HEAD + CHART_HEIGHT + 2.3
        pages.write_lines(canvas, middle, under, lines, SMALL, ha="center")
    axes.axhline(0.5, **DASHED)
    axes.set(xlim=(-0.5, len(cohorts) - 0.5), ylim=(-0.05, 1.05), xticks=[], xlabel="")
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"], size=SMALL)
    axes.set_ylabel("Share of right verdicts", size=SMALL, labelpad=3)
    axes.spines["bottom"].set_visible(False)


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    sessions = ""
    if (data["unit"] == "sessions").any():
        sessions = " Sessions: the source does not say which of them are of the same judge."
    choices = ""
    if not (data["truth"] == "human").any():
        choices = " A choice between a person's and a machine's response is one verdict."
    return (
        f"Share of a judge's verdicts that were right; n, judges.{sessions}{choices} "
        f"{first['reading'].capitalize()} reading. Shapes: distribution of judges, the widest part "
        "drawn equally wide in every group; white lines, single judges; diamonds, medians. Black lines: "
        f"range that would contain {first['level']:.0%} of the judges if all were equally likely to be "
        "right (binomial with each judge's number of verdicts). Dashed line: chance. "
        f"Groups that pool others are not shown. {first['data'].capitalize()}."
    )
