"""Detectability of every agent, from a mixed model with random judges and stimuli, and pooled."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_p, format_with_interval, join_with_and
from turingstats.figures import hover, pages, palette
from turingstats.figures.pages import BODY, MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK, PALE

NAME, CHART, WIDTH, NUMBERS = MARGIN + 2, 48, 76, 130  # left edges and width, mm
ROW, HEAD = 6, 6.5  # heights of an agent's rows and of a task's heading, mm
LEVELS = {
    "judge": "judges",
    "stimulus": "stimuli",
    "stimulus:made_by": "stimuli (counted apart for people and machines)",
}
"""Random effects that tell how many judges and stimuli a model has, in words."""
LOOK = {"mixed model": (palette.SERIES[0], "o"), "pooled trials": (palette.SERIES[2], "D")}


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, grouped by task."""
    if data.empty:
        return pages.make_empty_page("No model that compares agents could be fitted to these data.")
    tasks = list(data.groupby("task", sort=False))
    frame = pages.Frame(data, explain_figure(data))
    top = frame.top
    chart = top + 9
    rows = sum(task_rows["agent"].nunique() for _, task_rows in tasks)
    tall = len(tasks) * HEAD + rows * ROW
    canvas = frame.open(chart + tall + 11)
    for i, (source, (color, marker)) in enumerate(LOOK.items()):
        x = CHART + i * 30
        canvas.plot([x, x + 5], [top + 2.2] * 2, color=color, linewidth=1)
        canvas.plot(x + 2.5, top + 2.2, marker, color=color, ms=3.4)
        pages.write_lines(canvas, x + 6.5, top + 3.1, source.capitalize(), SMALL)
    pages.write_lines(canvas, NAME, top + 7, "Agent", weight="semibold")
    pages.write_lines(
        canvas, CHART + WIDTH / 2, top + 7, "Detectability", weight="semibold", ha="center"
    )
    interval = f"Value ({data['level'].iloc[0]:.0%} interval)"
    for shift, text in ((0, interval), (28, "Verdicts"), (41, "p")):
        pages.write_lines(canvas, NUMBERS + shift, top + 7, text, SMALL, weight="semibold")
    low, high = find_limits(data)
    axes = pages.add_inset(canvas, CHART, chart, WIDTH, tall)
    axes.set(xlim=(low, high), ylim=(tall, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.patch.set_visible(False)  # lines between tasks pass behind the chart
    axes.axvline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    axes.xaxis.set_major_formatter("{x:.1f}")
    axes.set_xticks([tick / 10 for tick in range(round(low * 10), round(high * 10) + 1)])
    y = 0
    for number, (_, task_rows) in enumerate(tasks):
        if number:
            canvas.plot([MARGIN, PAGE - MARGIN], [chart + y + 1] * 2, color=PALE, linewidth=0.5)
        first = task_rows[task_rows["source"] == "mixed model"].iloc[0]
        title = (
            f"{first['task_label']}: {first['cohort_label'][0].lower()}{first['cohort_label'][1:]}"
        )
        pages.write_lines(canvas, MARGIN, chart + y + 4.6, title, BODY, weight="semibold")
        y += HEAD
        for _, agent in task_rows.groupby("agent", sort=False):
            draw_row(canvas, axes, agent, chart, y + ROW / 2)
            y += ROW
    return frame.close(canvas, chart + tall + 10)


def draw_row(canvas: Axes, axes: Axes, agent: pd.DataFrame, chart: Axes, y: float) -> None:
    """Draw the two estimates of an agent at a height of the chart (mm), each with its numbers."""
    pages.write_lines(canvas, NAME, chart + y + 0.9, agent["agent_label"].iloc[0])
    for shift, source in ((-1.35, "mixed model"), (1.35, "pooled trials")):
        for one in pages.list_records(agent[agent["source"] == source]):
            color, marker = LOOK[source]
            axes.plot([one["ci_low"], one["ci_high"]], [y + shift] * 2, color=color, linewidth=1)
            (mark,) = axes.plot(one["value"], y + shift, marker, color=color, ms=3.2)
            hover.title_mark(mark, describe_estimate(one))
            value = format_with_interval(one["value"], one["ci_low"], one["ci_high"])
            p = format_p(one["p"]) if source == "mixed model" else ""
            for offset, words in ((0, value), (28, f"{one['n']:,.0f}"), (41, p)):
                base = chart + y + shift + 0.8
                pages.write_lines(canvas, NUMBERS + offset, base, words, SMALL, color=INK)


def describe_estimate(one: dict[str, Any]) -> str:
    """Describe an estimate exactly."""
    words = {"group": one["source"], "quantity": "detectability", "test": "two-sided Wald test"}
    return f"{one['task_label']}, {hover.describe_number(one | words)}"


def find_limits(data: pd.DataFrame) -> tuple[float, float]:
    """Find the limits of the scale, in tenths, that contain all intervals and chance."""
    low, high = min(data["ci_low"].min(), 0.5), max(data["ci_high"].max(), 0.5)
    return int(low * 10 - 0.2) / 10, int(high * 10 + 1.2) / 10


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    mixed = data[data["source"] == "mixed model"]
    of_choices = mixed["outcome"] == "correct"
    singular = mixed.loc[mixed["singular"].astype(bool), "task_label"].unique()
    sentences = ["Recommended reading."]
    if not of_choices.all():
        sentences.append(
            "Detectability: mean of the shares of people's and of the agent's responses classified "
            "correctly; p, two-sided Wald test in the mixed model whether the agent's responses are judged "
            "machine more or less often than people's."
        )
    if of_choices.any():
        what = "Detectability" if of_choices.all() else "In choices, detectability"
        sentences.append(
            f"{what}: share of right choices between two responses; p, two-sided Wald test in the mixed "
            "model whether right choices are more or less frequent than wrong ones."
        )
    sentences.append(
        "p values are not corrected. Dashed line: chance. Mixed model: logit model of single verdicts in "
        "which judges and stimuli differ at random, averaged over them, with intervals by the delta method; "
        "its verdicts are all those on people and on any agent of the task. Pooled trials: t intervals over "
        "judges, and stimuli where they are known; their verdicts are those on people and on the agent."
    )
    sentences.append(f"In the models: {'; '.join(describe_levels(mixed))}.")
    if len(singular):
        sentences.append(
            f"In {join_with_and(singular)}, a kind of difference between judges or stimuli is estimated "
            "as none."
        )
    if "data" in data:
        sentences.append(f"{data['data'].iloc[0].capitalize()}.")
    return " ".join(sentences)


def describe_levels(mixed: pd.DataFrame) -> Iterator[str]:
    """Describe how many judges and stimuli the model of each task has."""
    for _, own in mixed.groupby("task", sort=False):
        levels = dict(part.rsplit(" ", 1) for part in own["groups"].iloc[0].split("; "))
        kinds = [
            f"{int(levels[term]):,} {words}" for term, words in LEVELS.items() if term in levels
        ]
        yield f"{own['task_label'].iloc[0]}, {join_with_and(kinds)}" if kinds else ""
