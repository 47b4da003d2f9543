"""Properties of the responses that would make a machine judge's task trivial, by task."""

from collections.abc import Iterator
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.quantity_names import (
    ONE_FEATURE,
    ONE_SIDED_WORDS,
    SAME_RESPONSE,
    SHARED_BETWEEN_FOLDS,
)
from turingstats.figures import pages
from turingstats.figures.look import format_percent
from turingstats.figures.marks import add_tip
from turingstats.figures.notes import write_note
from turingstats.figures.pages import LINE, MARGIN, SMALL, Place
from turingstats.figures.palette import BLUE, GREY, RED, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_table, list_tenths

ACROSS = 3  # tasks per row
APART = 5  # between tasks, mm
CELL = 4.6  # height of a cell of a matrix, mm
ROW = 3.4  # height of a feature's row, mm
HEAD, BETWEEN = 7, 8  # title and subtitle; to the next subtitle
PLAIN, FLAGGED = Style(BLUE), Style(RED, "D")
BLUES = matplotlib.colormaps["Blues"]
NO_ENDS = (float("nan"), float("nan"))


def draw(data: pd.DataFrame) -> Figure:
    """Draw identical responses of agents, and how well single features distinguish people from machines."""
    if data.empty:
        return pages.make_empty_page("No task has a judge whose responses were audited.")
    tasks = [part for _, part in data.groupby("task", sort=False)]
    rows = [tasks[start : start + ACROSS] for start in range(0, len(tasks), ACROSS)]
    page, wide = pages.fit_columns(min(len(tasks), ACROSS), ACROSS, APART)
    canvas, top = pages.open_page(data, page)
    for row in rows:
        lowest, ends = max(len(list_agents(part)) for part in row) * CELL, []
        for number, part in enumerate(row):
            left = MARGIN + number * (wide + APART)
            task, title = part["task_label"].iloc[0], "Identical responses"
            pages.write_lines(canvas, left, top + 2.6, task, weight="semibold")
            pages.write_lines(canvas, left, top + 6, title, SMALL, color=GREY)
            draw_matrix(canvas, part, left, top + HEAD, wide)
            below = top + HEAD + lowest + BETWEEN
            title = "One feature alone: balanced accuracy"
            pages.write_lines(canvas, left, below - 3, title, SMALL, color=GREY)
            place = Place(left, below - 2.5, wide)
            under = draw_table(canvas, arrange_features(part), place).bottom + 2.5
            lines = pages.wrap_text(describe_task(part), wide, SMALL)
            pages.write_lines(canvas, left, under, lines, SMALL, color=GREY)
            ends.append(under + (len(lines) + 1.4) * LINE[SMALL])
        top = max(ends)
    return pages.close_page(canvas, top, write_note("audit", data))


def list_agents(checks: pd.DataFrame) -> dict[str, Any]:
    """Map the ids of a task's agents to labels, people first."""
    pairs = checks[checks["check"] == SAME_RESPONSE]
    agents = {
        agent: label
        for both, labels in zip(pairs["agents"], pairs["agent_labels"], strict=True)
        for agent, label in zip(both.split(", "), labels.split("; "), strict=True)
    }
    return dict(sorted(agents.items(), key=lambda agent: agent[0] != "human"))


def draw_matrix(canvas: Axes, checks: pd.DataFrame, left: float, top: float, wide: float) -> None:
    """Draw the share of stimuli to which two agents gave the same response, one cell per pair."""
    agents = list_agents(checks)
    if len(agents) < 2:
        return
    names, order = list(agents.values()), list(agents)
    indent = max(pages.measure_text(name, SMALL) for name in names[1:]) + 1.5
    # The name of a column is above it, where the matrix has no cells, and extends to the right.
    free = [
        (wide - indent - pages.measure_text(name, SMALL)) / number
        for number, name in enumerate(names[1:-1], start=1)
    ]
    cell = min((wide - indent) / (len(names) - 1), 11, *free)
    left += indent
    for number, name in enumerate(names[:-1]):
        x, y = left + cell * (number + 0.06), top + CELL * (number + 0.5) + 0.8
        pages.write_lines(canvas, x, y, name, SMALL, color=GREY)
        pages.write_lines(canvas, left - 1, y + CELL, names[number + 1], SMALL, ha="right")
    for row in pages.list_records(checks[checks["check"] == SAME_RESPONSE]):
        one, other = sorted(map(order.index, row["agents"].split(", ")))
        box = (left + cell * one, top + CELL * other, cell, CELL)
        color, text = BLUES(row["value"]), format_percent(row["value"])
        ground = pages.draw_box(canvas, *box, facecolor=color, edgecolor="white")
        add_tip(ground, f"{names[other]}, {names[one]}: {text}")
        style = {"ha": "center", "color": pages.choose_ink(color)}
        pages.write_lines(canvas, box[0] + cell / 2, box[1] + CELL / 2 + 0.8, text, SMALL, **style)
        if row["flagged"]:
            pages.draw_box(canvas, *box, fill=False, edgecolor=RED, lw=1.2, zorder=2)


def arrange_features(task: pd.DataFrame) -> RowTable:
    """Arrange the accuracy of a rule on each feature as rows."""
    rows = task[task["check"] == ONE_FEATURE]
    limits = (min(0.4, int(10 * rows["value"].min()) / 10), 1)
    looks = rows["flagged"].map({True: FLAGGED, False: PLAIN})
    lines = [
        Row(what, [Mark(value, NO_ENDS, look, [f"{value:.2f}"])])
        for what, value, look in zip(rows["what"], rows["value"], looks, strict=True)
    ]
    chart = Chart(limits, 0.5, heads=[""], ticks=list_tenths(*limits, 2))
    return RowTable(lines, [chart], size=SMALL, row=ROW)


def describe_task(checks: pd.DataFrame) -> str:
    """Describe what a judge has already seen in training, in each reading, and words of one side."""
    parts = []
    for reading in ("published", "recommended"):
        shared = checks[checks["check"] == SHARED_BETWEEN_FOLDS.format(reading)]
        shares = shared.set_index("what")["value"]
        stimulus, both = (
            shares.get(f"share of responses with the {what} in training too")
            for what in ("stimulus", "stimulus and response")
        )
        if stimulus is not None:
            seen = f"{format_percent(stimulus)} have a stimulus that was in training too"
            seen += f", {format_percent(both)} also the same response" if stimulus else ""
            parts.append(f"{reading} reading, {seen}")
    folds = [f"Of the responses to be judged: {'; '.join(parts)}."] if parts else []
    return " ".join([*folds, *describe_words(checks)])


def describe_words(checks: pd.DataFrame) -> Iterator[str]:
    """Describe the words that nearly only people, or only machines, use."""
    for row in pages.list_records(checks[checks["check"] == ONE_SIDED_WORDS]):
        side, _, words = row["what"].partition(": ")
        share = format_percent(row["value"])
        yield f"{share} of the responses by {side} have a word that the others hardly use: {words}."
