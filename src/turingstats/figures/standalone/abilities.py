"""Most and least able judges, and hardest stimuli: random effects of the mixed models."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.pages import MARGIN, SMALL
from turingstats.figures.palette import GREY, INK, SERIES
from turingstats.figures.rows import DASHED

CHART_HEIGHT, GAP, HEAD, LEFT = 24, 9, 8.5, 12  # chart, between rows of charts, title, axis: mm
COLUMNS = (("bias", "ability"), ("sensitivity",), ("difficulty", "stimulus bias"))
"""Effects that share a column of charts; no task has two of a column."""
NAMED = 5
"""Number of judges or stimuli at each end that are drawn dark."""
PLAIN, PLAIN_BAR = "#6c7a89", "#b4bdc7"
TITLES = {
    "bias": "Judges' bias",
    "sensitivity": "Judges' sensitivity",
    "ability": "Judges' ability",
    "difficulty": "Stimuli's difficulty",
    "stimulus bias": "Stimuli's bias",
}
AXES = {
    "bias": "Log odds of \N{LEFT DOUBLE QUOTATION MARK}machine\N{RIGHT DOUBLE QUOTATION MARK}",
    "sensitivity": "Difference of log odds",
    "ability": "Log odds of right choice",
    "difficulty": "Log odds of wrong verdict",
    "stimulus bias": "Log odds of \N{LEFT DOUBLE QUOTATION MARK}machine\N{RIGHT DOUBLE QUOTATION MARK}",
}
ENDS = {
    "bias": ("least often machine", "most often machine"),
    "sensitivity": ("least sensitive", "most sensitive"),
    "ability": ("least able", "most able"),
    "difficulty": ("easiest", "hardest"),
    "stimulus bias": ("least often machine", "most often machine"),
}
MEANINGS = {
    "bias": 'Bias of a judge: log odds of the verdict "machine".',
    "sensitivity": "Sensitivity: these log odds for machines' responses minus those for people's.",
    "ability": "Ability: log odds of the right choice between two responses.",
    "difficulty": "Difficulty: log odds of the wrong verdict.",
    "stimulus bias": 'Bias of a stimulus: log odds of "machine" whoever responded to it.',
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row of charts per task: conditional modes in increasing order, with intervals."""
    if data.empty:
        return pages.make_empty_page(
            "No fitted model has random abilities of judges or difficulties of stimuli."
        )
    columns = [effects for effects in COLUMNS if data["effect"].isin(effects).any()]
    page, width = pages.fit_columns(len(columns), len(COLUMNS))
    frame = pages.Frame(data, explain_figure(data), page)
    tasks = [task for _, task in data.groupby("task", sort=False)]
    step = HEAD + CHART_HEIGHT + GAP
    bottom = frame.top + len(tasks) * step
    canvas = frame.open(bottom + 2)
    shown = data[data["sd"] > 1e-4]
    reach = max(shown["ci_low"].abs().max(), shown["ci_high"].abs().max(), 0.5) * 1.05
    for row, task in enumerate(tasks):
        top = frame.top + row * step
        pages.write_lines(canvas, MARGIN, top + 3, task["task_label"].iloc[0], weight="semibold")
        for index, effects in enumerate(columns):
            chart = task[task["effect"].isin(effects)]
            left = MARGIN + index * width
            if chart.empty:
                title, words = TITLES[effects[0]], "The model of this task has no such effect."
                write_reason(canvas, left, top, width, title, words)
            else:
                draw_caterpillar(canvas, chart, left, top, width, reach)
    return frame.close(canvas, bottom + 3)


def draw_caterpillar(
    canvas: Axes, chart: Axes, left: float, top: float, width: float, reach: float
) -> None:
    """Draw the effects of one task, with those at both ends dark, on a scale up to `reach`."""
    chart = chart.sort_values("rank")
    first = chart.iloc[0]
    effect = first["effect"]
    kind = "stimuli" if effect in ("difficulty", "stimulus bias") else "judges"
    about = f"{TITLES[effect]}: {len(chart):,} {kind}, SD {first['sd']:.2f}"
    if not first["sd"] > 1e-4:
        words = f"No differences between {kind} found: their variance is estimated as 0."
        write_reason(canvas, left, top, width, about, words)
        return
    pages.write_lines(canvas, left, top + 6, about, SMALL, color=GREY)
    axes = pages.add_inset(canvas, left + LEFT, top + HEAD, width - LEFT - 3, CHART_HEIGHT)
    ranks = np.linspace(0, 1, len(chart))
    is_end = ((chart["rank"] <= NAMED) | (chart["rank"] > len(chart) - NAMED)).to_numpy()
    for part, bar, point in ((~is_end, PLAIN_BAR, PLAIN), (is_end, SERIES[0], SERIES[0])):
        shown = chart[part]
        # As vectors, thousands of lines would make the picture twice as large.
        style = {"color": bar, "linewidth": 0.5, "rasterized": part is not is_end}
        axes.vlines(ranks[part], shown["ci_low"], shown["ci_high"], **style)
        axes.plot(ranks[part], shown["value"], "o", color=point, ms=1.6, mew=0)
    axes.axhline(0, **DASHED)
    axes.set(ylim=(-reach, reach), xlim=(-0.02, 1.02))
    axes.set_xticks([0, 1], ENDS[effect], size=SMALL)
    for label, side in zip(axes.get_xticklabels(), ("left", "right"), strict=True):
        label.set_horizontalalignment(side)
    axes.tick_params(labelsize=SMALL)
    axes.locator_params(axis="y", nbins=5)
    axes.set_ylabel(AXES[effect], size=SMALL, labelpad=1, color=INK)


def write_reason(
    canvas: Axes, left: float, top: float, width: float, title: str, words: str
) -> None:
    """Write why a chart is missing, in its place."""
    pages.write_lines(canvas, left, top + 6, title, SMALL, color=GREY)
    lines = pages.wrap_text(words, width - LEFT - 8, SMALL)
    pages.write_lines(canvas, left + LEFT, top + HEAD + CHART_HEIGHT / 2, lines, SMALL, color=GREY)


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    level = f"{data['level'].iloc[0]:.0%}"
    lines = []
    for _, part in data[data["effect"] == "difficulty"].groupby("task", sort=False):
        hardest = part.sort_values("rank").tail(NAMED)["name"][::-1]
        names = ", ".join(map(name_stimulus, hardest.astype(str)))
        lines.append(f"Hardest in {part['task_label'].iloc[0]}: {names}.")
    meanings = " ".join(
        words for effect, words in MEANINGS.items() if (data["effect"] == effect).any()
    )
    return (
        f"Conditional modes of the random effects of mixed models, in increasing order; lines, {level} "
        f"intervals given all other effects; dark, the {NAMED} at either end; dashed line, the "
        "average judge or stimulus. All charts have the same scale; SD, estimated spread of the effect. "
        f"{meanings} Modes shrink toward the average, more so with fewer trials; if the interval contains "
        "0, a judge or stimulus cannot be distinguished from an average one. "
        + " ".join([*lines, f"{data['data'].iloc[0].capitalize()}."])
    )


def name_stimulus(level: str) -> str:
    """Name a stimulus, and who made the response if the level of the random effect says so."""
    name, _, made_by = level.rpartition(":")
    if made_by not in ("human", "machine") or not name:
        name, made_by = level, ""
    if any(letter.isdigit() for letter in name):
        name = f"stimulus {name}"
    return f"{name} ({made_by}-made)" if made_by else name
