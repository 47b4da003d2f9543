"""Each judge's share of right verdicts: how much the judges of a cohort differ."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.marks import Entry, add_tip, draw_key
from turingstats.figures.notes import write_note
from turingstats.figures.pages import COLUMN, MARGIN, PAGE, SMALL
from turingstats.figures.palette import INK, MACHINES, PEOPLE
from turingstats.figures.rows import DASHED

HEAD, CHART_HEIGHT, NAMES, LEFT = 6, 25, 10, 11  # title, chart, names, space for the axis, mm
ROW = HEAD + CHART_HEIGHT + NAMES
SIDES = {"human": ("people's responses", PEOPLE), "machine": ("machines' responses", MACHINES)}
COLORS = {truth: color for truth, (_, color) in SIDES.items()}
FEW = 20
"""Number of judges from which on they are drawn as a shape, and not one by one."""
MEDIAN: dict[str, Any] = {"ms": 3, "color": "white", "markeredgecolor": INK, "markeredgewidth": 0.7}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the cohorts of each task: shares on people's responses at the left, on machines' at the right."""
    if data.empty:
        return pages.make_empty_page("No cohort has five or more identifiable human judges.")
    tasks = [task for _, task in data.groupby("task", sort=False)]
    most = max(task["cohort"].nunique() for task in tasks)
    page = COLUMN if len(tasks) == 1 and most <= 2 else PAGE
    canvas, top = pages.open_page(data, page)
    room = page - 2 * MARGIN - LEFT
    top = 3 + draw_key(canvas, make_key(data), MARGIN + LEFT, top, room)
    across, left = room / (most if page == COLUMN else max(5, most)), float(MARGIN)
    for task in tasks:
        # Tasks are side by side if they fit.
        wide = LEFT + across * task["cohort"].nunique()
        if left > MARGIN and left + wide > PAGE - MARGIN + 0.1:
            left, top = MARGIN, top + ROW
        draw_cohorts(canvas, task, left, top, across)
        left += wide
    return pages.close_page(canvas, top + ROW, write_note("judge_spread", data, few=FEW))


def make_key(data: pd.DataFrame) -> list[Entry]:
    """Make the key of colors and marks."""
    truths = set(data["truth"])
    sides = [(f"On {text}", color) for truth, (text, color) in SIDES.items() if truth in truths]
    entries: list[Entry] = [
        (text, {"marker": "s", "color": color, "ls": "", "ms": 5}) for text, color in sides
    ]
    entries.append(("Median", {"marker": "D", "ls": ""} | MEDIAN))
    stick = {"marker": "|", "color": INK, "ls": "", "ms": 7}
    entries.append(("Range if all judges were equally accurate", stick))
    return entries


def draw_cohorts(canvas: Axes, data: pd.DataFrame, left: float, top: float, across: float) -> None:
    """Draw the cohorts of one task side by side, each as wide as `across` (mm)."""
    cohorts = list(data.groupby("cohort", sort=False))
    pages.write_lines(canvas, left, top + 3.5, data["task_label"].iloc[0], weight="semibold")
    axes = pages.add_inset(canvas, left + LEFT, top + HEAD, across * len(cohorts), CHART_HEIGHT)
    sizes = data.groupby(["cohort", "truth"], sort=False)["value"].transform("size")
    # Where judges are few, all of them are drawn, but the group keeps its place.
    shapes = data.assign(value=data["value"].where(sizes >= FEW))
    # Imported here: it takes a second, in which other processes draw other figures.
    import seaborn

    seaborn.violinplot(
        shapes, x="cohort", y="value", hue="truth", hue_order=list(SIDES), palette=COLORS, saturation=1,
        split=True, gap=0.1, width=0.6, density_norm="width", cut=0, linewidth=0, inner=None,
        legend=False, ax=axes,
    )  # fmt: skip
    for index, (_, part) in enumerate(cohorts):
        for truth, shares in part.groupby("truth", sort=False):
            side = -1 if truth == "human" else 1
            if len(shares) < FEW:
                draw_judges(axes, shares["value"], index, side, COLORS[truth])
            median = shares["value"].median()
            (mark,) = axes.plot(index + side * 0.05, median, "D", **MEDIAN)
            name = f"{part['cohort_label'].iloc[0]}, on {SIDES[truth][0]}"
            add_tip(
                mark, f"{name}: median {median:.2f}", f"{len(shares):,} {shares['unit'].iloc[0]}"
            )
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


def draw_judges(axes: Axes, shares: pd.Series, at: float, side: int, color: str) -> None:
    """Draw the judges of a group one by one; those with the same share are beside each other."""
    among = shares.groupby(shares).cumcount()
    away = 0.11 + 0.2 * among / max(among.max(), 4)
    axes.plot(at + side * away, shares, "o", color=color, ms=1.8, mew=0)
