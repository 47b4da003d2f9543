"""How well the same people judge in two tasks: one point per person, one panel per pair of tasks."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval, state_p, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.pages import LINE, MARGIN, SMALL
from turingstats.figures.palette import GREY, INK, SERIES
from turingstats.figures.rows import DASHED

COLUMNS = 3
# Title and numbers, chart, axis with its label, between rows: mm
HEAD, CHART_HEIGHT, FOOT, GAP = 9.5, 45, 8, 3
LEFT = 11  # space for the axis of a chart, mm
BAR = "#8a96a3"


def draw(data: pd.DataFrame) -> Figure:
    """Draw each pair of tasks that share people."""
    if data.empty:
        return pages.make_empty_page(
            "No two tasks are known to share ten or more people: their judges differ, or their sources "
            "identify judges in different ways."
        )
    pairs = [points for _, points in data.groupby("pair_id", sort=False)]
    page, width = pages.fit_columns(min(len(pairs), COLUMNS), COLUMNS)
    frame = pages.Frame(data, explain_figure(data), page)
    rows, high = -(-len(pairs) // COLUMNS), HEAD + CHART_HEIGHT + FOOT + GAP
    canvas = frame.open(frame.top + rows * high)
    # Use the same scale in all panels, so that they can be compared.
    lowest = min(data["low_a"].min(), data["low_b"].min())
    lowest = max(0.0, int(lowest * 10) / 10)
    for index, points in enumerate(pairs):
        row, column = divmod(index, COLUMNS)
        draw_scatter(canvas, points, MARGIN + column * width, frame.top + row * high, width, lowest)
    return frame.close(canvas, frame.top + rows * high + 2)


def draw_scatter(
    canvas: Axes, data: pd.DataFrame, left: float, top: float, width: float, lowest: float
) -> None:
    """Draw one pair of tasks: shares of right verdicts with their intervals."""
    first = data.iloc[0]
    title = f"{first['task_a_label']} and {first['task_b_label']}"
    pages.write_lines(canvas, left, top + 3, title, weight="semibold")
    accuracies = format_with_interval(first["correlation"], first["ci_low"], first["ci_high"])
    lines = (
        f"r = {accuracies}, n = {first['n_people']:,}",
        f"Abilities: {describe_abilities(first)}",
    )
    for line, (text, color) in enumerate(zip(lines, (INK, GREY), strict=True)):
        y = top + 6 + line * LINE[SMALL]
        pages.write_lines(canvas, left, y, use_minus_signs(text), SMALL, color=color)
    axes = pages.add_inset(
        canvas, left + LEFT, top + HEAD + 1.5, width - LEFT - 5, CHART_HEIGHT - 1.5
    )
    bars = {"color": BAR, "linewidth": 0.45, "zorder": 1}
    axes.hlines(data["value_b"], data["low_a"], data["high_a"], **bars)
    axes.vlines(data["value_a"], data["low_b"], data["high_b"], **bars)
    axes.plot(
        data["value_a"], data["value_b"], "o", color=SERIES[0], ms=2.8, mew=0.4, mec="white", alpha=0.85,
        zorder=3,
    )  # fmt: skip
    for line in (axes.axhline, axes.axvline):
        line(0.5, **DASHED)
    axes.set(xlim=(lowest, 1.01), ylim=(lowest, 1.01))
    ticks = [tick for tick in (0, 0.25, 0.5, 0.75, 1) if tick >= lowest]
    names = [f"{tick:g}" for tick in ticks]
    axes.set_xticks(ticks, names, size=SMALL)
    axes.set_yticks(ticks, names, size=SMALL)
    axes.set_xlabel(first["task_a_label"], size=SMALL, labelpad=2, color=INK)
    axes.set_ylabel(first["task_b_label"], size=SMALL, labelpad=3, color=INK)


def describe_abilities(pair: pd.Series) -> str:
    """Describe the estimated correlation of abilities."""
    low, high = pair["ability_low"], pair["ability_high"]
    if pair["ability_correlation"] != pair["ability_correlation"]:
        return "no spread of abilities found"
    if low <= -1 and high >= 1:
        return "too few verdicts to tell"
    interval = format_with_interval(pair["ability_correlation"], low, high)
    return f"{interval}, {state_p(pair['ability_p_adjusted'])}"


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    cohorts = ", ".join(dict.fromkeys([*data["cohort_a_label"], *data["cohort_b_label"]]))
    return (
        f"Share of right verdicts of people who judged in both tasks ({cohorts}), with {first['level']:.0%} "
        "Wilson intervals; dashed lines, chance. r, Pearson correlation of these shares, with an interval "
        "from bootstraps of people; n, people. Abilities: correlation of log odds of a right verdict in a "
        "bivariate model with binomial verdicts, corrected for the noise of few verdicts, with a "
        "profile-likelihood interval; p after Holm over the pairs of tasks. An estimate of 1 is a limit that "
        "few verdicts do not exclude. "
        f"{first['reading'].capitalize()} reading. {first['data'].capitalize()}."
    )
