"""Detectability of every agent, from a mixed model with random judges and stimuli, and pooled."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_p, format_with_interval, join_with_and
from turingstats.figures import hover, marks, pages, palette
from turingstats.figures.pages import SMALL
from turingstats.figures.rows import list_tenths
from turingstats.figures.sections import Layout, Row, draw_sections

LEFT, WIDTH = 48, 76  # place of the chart, mm
LEVELS = {
    "judge": "judges",
    "stimulus": "stimuli",
    "stimulus:made_by": "stimuli (counted apart for people and machines)",
}
"""Random effects that tell how many judges and stimuli a model has, in words."""
LOOK = {"mixed model": (palette.SERIES[0], "o"), "pooled trials": (palette.SERIES[2], "D")}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the two estimates of each agent, grouped by task."""
    if data.empty:
        return pages.make_empty_page("No model that compares agents could be fitted to these data.")
    interval = f"Value ({data['level'].iloc[0]:.0%} interval)"
    columns = {interval: 130, "Verdicts": 158, "p": 171}
    layout = Layout(LEFT, WIDTH, "Detectability", columns, 3)
    frame, (low, high) = pages.Frame(data, explain_figure(data)), find_limits(data)
    tasks = data.groupby("task", sort=False)
    sections = {name_task(rows): list(list_rows(rows)) for _, rows in tasks}
    canvas, axes, bottom = draw_sections(frame, sections, layout, (low, high), 0.5)
    axes.set_xticks(list_tenths(low, high))
    y = frame.top + 2.2
    for number, (source, (color, marker)) in enumerate(LOOK.items()):
        x = LEFT + number * 30
        canvas.plot([x, x + 5], [y, y], color=color, linewidth=1)
        canvas.plot(x + 2.5, y, marker, color=color, ms=3.4)
        pages.write_lines(canvas, x + 6.5, y + 0.9, source.capitalize(), SMALL)
    return frame.close(canvas, bottom)


def name_task(rows: pd.DataFrame) -> str:
    """Name a task and the cohort of its model."""
    first = rows[rows["source"] == "mixed model"].iloc[0]
    return f"{first['task_label']}: {first['cohort_label'][0].lower()}{first['cohort_label'][1:]}"


def list_rows(rows: pd.DataFrame) -> Iterator[Row]:
    """Yield the estimates of a task's agents: that of the mixed model, and pooled trials below it."""
    for _, agent in rows.groupby("agent", sort=False):
        name = agent["agent_label"].iloc[0]
        for source in LOOK:
            for one in pages.list_records(agent[agent["source"] == source]):
                value = format_with_interval(one["value"], one["ci_low"], one["ci_high"])
                p = format_p(one["p"]) if source == "mixed model" else ""
                yield Row(name, [value, f"{one['n']:,.0f}", p], partial(draw_estimate, one))
                name = ""


def draw_estimate(one: dict[str, Any], axes: Axes, y: float) -> None:
    """Draw an estimate at a height of the chart (mm)."""
    color, marker = LOOK[one["source"]]
    ends = (one["ci_low"], one["ci_high"])
    title = describe_estimate(one)
    marks.draw_estimate(axes, one["value"], y, one, color, marker, ends, cap=0, title=title)


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
            "as zero."
        )
    return " ".join([*sentences, f"{data['data'].iloc[0].capitalize()}."])


def describe_levels(mixed: pd.DataFrame) -> Iterator[str]:
    """Describe how many judges and stimuli the model of each task has."""
    for _, own in mixed.groupby("task", sort=False):
        levels = dict(part.rsplit(" ", 1) for part in own["groups"].iloc[0].split("; "))
        kinds = [
            f"{int(levels[term]):,} {words}" for term, words in LEVELS.items() if term in levels
        ]
        yield f"{own['task_label'].iloc[0]}, {join_with_and(kinds)}" if kinds else ""
