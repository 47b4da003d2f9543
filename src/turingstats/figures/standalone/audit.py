"""Properties of the responses that would make a machine judge's task trivial, by task."""

from typing import Any

import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from turingstats.figures import hover, pages
from turingstats.figures.pages import LINE, MARGIN, SMALL, Box
from turingstats.figures.palette import BLUE, GREY, PALE, RED
from turingstats.figures.rows import add_row_chart

ACROSS = 3  # tasks per row
APART = 5  # between tasks, mm
CELL = 4.6  # height of a cell of a matrix, mm
ROW = 3.4  # height of a feature's row, mm
HEAD, BETWEEN, AXIS = 7, 8, 7  # title and subtitle; to the next subtitle; scale below the rows
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}  # behind a number on a line
SAME = "same response by two agents"
ALONE = "one feature alone"
SHARED = "shared between folds, {} reading"


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
            task, title = part["task_label"].iloc[0], "Identical responses, % of stimuli"
            pages.write_lines(canvas, left, top + 2.6, task, weight="semibold")
            pages.write_lines(canvas, left, top + 6, title, SMALL, color=GREY)
            draw_matrix(canvas, part, left, top + HEAD, wide)
            below = top + HEAD + lowest + BETWEEN
            title = "One feature alone: balanced accuracy"
            pages.write_lines(canvas, left, below - 3, title, SMALL, color=GREY)
            draw_features(canvas, part, left, below - 1.5, wide)
        top += measure_task_row(row, wide)
    return frame.close(canvas, top + 1)


def measure_task_row(row: list[pd.DataFrame], wide: float) -> float:
    """Measure the height of a row of tasks, each as wide as `wide` (mm)."""
    matrices = max(len(list_agents(task)) for task in row) * CELL
    charts = max((task["check"] == ALONE).sum() for task in row) * ROW
    lines = max(len(pages.wrap_text(describe_folds(task), wide, SMALL)) for task in row)
    return HEAD + matrices + BETWEEN + charts + AXIS + (lines + 1.4) * LINE[SMALL]


def list_agents(checks: pd.DataFrame) -> dict[str, Any]:
    """Map the ids of a task's agents to labels, people first."""
    pairs = checks[checks["check"] == SAME]
    agents = {
        agent: label
        for both, labels in zip(pairs["agents"], pairs["agent_labels"], strict=True)
        for agent, label in zip(both.split(", "), labels.split(", "), strict=True)
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
    for row in pages.list_records(checks[checks["check"] == SAME]):
        one, other = sorted(row["agents"].split(", "), key=order.index)
        shares.loc[other, one], texts.loc[other, one] = row["value"], format_share(row["value"])
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


def format_share(value: float) -> str:
    """Format a share in percent; nonzero shares are not shown as 0, unknown ones as a dash."""
    if value != value:
        return "\N{EN DASH}"
    return "<1" if 0 < value < 0.005 else f"{100 * value:.0f}"


def draw_features(
    canvas: Axes, task_rows: pd.DataFrame, left: float, top: float, wide: float
) -> None:
    """Draw the accuracy of a rule on each feature, and the overlap of folds below."""
    rows = task_rows[task_rows["check"] == ALONE]
    indent = max(pages.measure_text(name, SMALL) for name in rows["what"]) + 2
    low = min(0.4, int(10 * rows["value"].min()) / 10)
    box = Box(left + indent, top, wide - indent - 3, len(rows) * ROW)
    axes = add_row_chart(canvas, box, (low, 1), "", 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks([tick for tick in (0, 0.2, 0.4, 0.6, 0.8, 1.0) if tick >= low])
    for number, row in enumerate(pages.list_records(rows)):
        axes.axhline(number, color=PALE, linewidth=0.3, zorder=0)
        color, marker = (RED, "D") if row["flagged"] else (BLUE, "o")
        (mark,) = axes.plot(row["value"], number, marker, color=color, markersize=3.2)
        hover.title_mark(mark, describe_feature(row))
        near = {"size": SMALL, "va": "center", "color": color, "bbox": CLEAR}
        shift, side = (-0.02, "right") if row["value"] > 0.85 else (0.02, "left")
        axes.text(row["value"] + shift, number, f"{row['value']:.2f}", ha=side, **near)
        y = top + (number + 0.5) * ROW + 0.8
        pages.write_lines(canvas, left + indent - 1.5, y, row["what"], SMALL, ha="right")
    y = top + len(rows) * ROW + AXIS + 0.5
    lines = pages.wrap_text(describe_folds(task_rows), wide, SMALL)
    pages.write_lines(canvas, left, y, lines, SMALL, color=GREY)


def describe_feature(row: dict[str, Any]) -> str:
    """Describe the accuracy of a rule on one feature exactly."""
    return (
        f"{row['task_label']}, {row['what']} alone: balanced accuracy {row['value']:.4f}; "
        f"n = {row['n']:,} responses"
    )


def describe_folds(checks: pd.DataFrame) -> str:
    """Describe what a judge has already seen in training, in each reading."""
    parts = []
    for reading in ("published", "recommended"):
        shares = checks[checks["check"] == SHARED.format(reading)].set_index("what")["value"]
        stimulus, both = (
            shares.get(f"share of responses with the {what} in training too")
            for what in ("stimulus", "stimulus and response")
        )
        if stimulus is not None:
            seen = f"{format_share(stimulus)}% have a stimulus that was in training too"
            seen += f", {format_share(both)}% also the same response" if stimulus else ""
            parts.append(f"{reading} reading, {seen}")
    return f"Of the responses to be judged: {'; '.join(parts)}." if parts else ""


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    n = ", ".join(
        f"{part['task_label'].iloc[0]} {part['n'].iloc[0]:,}"
        for _, part in data[data["check"] == ALONE].groupby("task", sort=False)
    )
    flagged = data[data["flagged"] & ~data["check"].str.startswith("shared")]
    turns = ""
    if "conversation" in set(data["task"]):
        turns = "; in Conversation, share of the smaller set of turns"
    return (
        "What the responses give away before a judge is trained, in tasks of which responses of people and "
        "of machines are at hand. Matrices: share of the stimuli that both agents responded to and to which "
        f"they gave exactly the same response (of several people, one did{turns}). Marks: balanced accuracy, "
        "the mean of the shares of people's and of machines' responses that a rule classifies correctly if "
        "it knows nothing but that feature, compares it with at most three limits, and was made from other "
        f"responses; dashed line, chance. Number of responses, half of them people's: {n}. Red frames and "
        "diamonds: at least 90% identical responses of two agents, or an accuracy of at least 0.70, which "
        "would make a judge's task trivial; checks with such a result, also those not drawn: "
        f"{len(flagged)}. {data['data'].iloc[0].capitalize()}."
    )
