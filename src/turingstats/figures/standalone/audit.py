"""Properties of the responses that would make a machine judge's task trivial, by task."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from turingstats.core.labels import format_with_noun
from turingstats.core.quantity_names import (
    ONE_FEATURE,
    ONE_SIDED_WORDS,
    SAME_RESPONSE,
    SHARED_BETWEEN_FOLDS,
)
from turingstats.figures import pages
from turingstats.figures.look import format_percent
from turingstats.figures.pages import LINE, MARGIN, SMALL, Box
from turingstats.figures.palette import BLUE, GREY, RED, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, list_tenths

ACROSS = 3  # tasks per row
APART = 5  # between tasks, mm
CELL = 4.6  # height of a cell of a matrix, mm
ROW = 3.4  # height of a feature's row, mm
HEAD, BETWEEN = 7, 8  # title and subtitle; to the next subtitle
PLAIN, FLAGGED = Style(BLUE), Style(RED, "D")
NO_ENDS = (float("nan"), float("nan"))


def draw(data: pd.DataFrame) -> Figure:
    """Draw identical responses of agents, and how well single features distinguish people from machines."""
    if data.empty:
        return pages.make_empty_page("No task has a judge whose responses were audited.")
    tasks = [part for _, part in data.groupby("task", sort=False)]
    rows = [tasks[start : start + ACROSS] for start in range(0, len(tasks), ACROSS)]
    page, wide = pages.fit_columns(min(len(tasks), ACROSS), ACROSS, APART)
    frame = pages.Frame(data, explain_figure(data), page)
    top = frame.top
    canvas = frame.open(top + sum(measure_task_row(row, wide) for row in rows))
    for row in rows:
        lowest = max(len(list_agents(part)) for part in row) * CELL
        for number, part in enumerate(row):
            left = MARGIN + number * (wide + APART)
            task, title = part["task_label"].iloc[0], "Identical responses"
            pages.write_lines(canvas, left, top + 2.6, task, weight="semibold")
            pages.write_lines(canvas, left, top + 6, title, SMALL, color=GREY)
            draw_matrix(canvas, part, left, top + HEAD, wide)
            below = top + HEAD + lowest + BETWEEN
            title = "One feature alone: balanced accuracy"
            pages.write_lines(canvas, left, below - 3, title, SMALL, color=GREY)
            table = arrange_features(part, wide)
            table.draw(canvas, Box(left, below - 2.5, wide, table.height))
            folds = pages.wrap_text(describe_task(part), wide, SMALL)
            under = below + table.height
            pages.write_lines(canvas, left, under, folds, SMALL, color=GREY)
        top += measure_task_row(row, wide)
    return frame.close(canvas, top + 1)


def measure_task_row(row: list[pd.DataFrame], wide: float) -> float:
    """Measure the height of a row of tasks, each as wide as `wide` (mm)."""
    matrices = max(len(list_agents(task)) for task in row) * CELL
    charts = max(arrange_features(task, wide).height for task in row)
    lines = max(len(pages.wrap_text(describe_task(task), wide, SMALL)) for task in row)
    return HEAD + matrices + BETWEEN + charts + (lines + 1.4) * LINE[SMALL]


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
    shares = pd.DataFrame(float("nan"), index=list(agents)[1:], columns=list(agents)[:-1])
    texts, flagged = shares.astype(object), []
    order = list(agents)
    for row in pages.list_records(checks[checks["check"] == SAME_RESPONSE]):
        one, other = sorted(row["agents"].split(", "), key=order.index)
        shares.loc[other, one], texts.loc[other, one] = row["value"], format_percent(row["value"])
        flagged += [(order.index(one), order.index(other) - 1)] * row["flagged"]
    names = list(agents.values())
    indent = max(pages.measure_text(name, SMALL) for name in names[1:]) + 1.5
    # The name of a column is above it, where the matrix has no cells, and extends to the right.
    free = [
        (wide - indent - pages.measure_text(name, SMALL)) / number
        for number, name in enumerate(names[1:-1], start=1)
    ]
    cell = min((wide - indent) / len(shares), 11, *free)
    box = (left + indent, top + CELL, cell * len(shares), CELL * len(shares))
    axes = pages.add_inset(canvas, *box)
    seaborn.heatmap(
        shares, vmin=0, vmax=1, cmap="Blues", annot=texts, fmt="", annot_kws={"size": SMALL},
        linewidths=0.6, cbar=False, xticklabels=False, yticklabels=names[1:], ax=axes,
    )  # fmt: skip
    axes.tick_params(left=False, labelsize=SMALL, labelrotation=0, pad=1)
    for x, y in flagged:
        axes.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor=RED, lw=1.2, clip_on=False))
    for number, name in enumerate(names[:-1]):
        axes.text(number + 0.06, number - 0.5, name, size=SMALL, color=GREY, va="center")


def arrange_features(task: pd.DataFrame, wide: float) -> RowTable:
    """Arrange the accuracy of a rule on each feature as rows."""
    rows = task[task["check"] == ONE_FEATURE]
    limits = (min(0.4, int(10 * rows["value"].min()) / 10), 1)
    looks = rows["flagged"].map({True: FLAGGED, False: PLAIN})
    lines = [
        Row(what, [Mark(value, NO_ENDS, look, [f"{value:.2f}"])])
        for what, value, look in zip(rows["what"], rows["value"], looks, strict=True)
    ]
    chart = Chart(limits, 0.5, heads=[""], ticks=list_tenths(*limits, 2))
    return RowTable(lines, [chart], wide, size=SMALL, row=ROW)


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


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    n = ", ".join(
        f"{part['task_label'].iloc[0]} {part['n'].iloc[0]:,}"
        for _, part in data[data["check"] == ONE_FEATURE].groupby("task", sort=False)
    )
    flagged = data[data["flagged"] & ~data["check"].str.startswith("shared")]
    turns = ""
    if "conversation" in set(data["task"]):
        turns = "; in Conversation, percent of the smaller set of turns"
    return (
        "Matrices: percent of the stimuli answered by both agents to which they gave exactly the same "
        f"response (of several people, one did{turns}). Dots: balanced accuracy, the mean of the shares of "
        "people's and of machines' responses that a rule classifies correctly by this feature alone, tested "
        f"on other responses; dashed line, chance. Responses, half of them people's: {n}. Red: at least 90% "
        "identical, or an accuracy of at least 0.70; either makes the task of a judge trivial "
        f"({format_with_noun(len(flagged), 'check')}, some not drawn). {data['data'].iloc[0].capitalize()}."
    )
