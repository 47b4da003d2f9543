"""Most and least able judges, and hardest stimuli: random effects of the mixed models."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.pages import MARGIN, SMALL
from turingstats.figures.palette import GREY, INK, SERIES
from turingstats.figures.rows import DASHED

CHART_HEIGHT, GAP, HEAD, LEFT = 24, 9, 9, 12  # chart, between rows of charts, titles, axis: mm
COLUMNS = 3
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
ALIKE = 1e-4
"""Up to this standard deviation, judges or stimuli are estimated to be alike, and nothing is drawn."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw a chart per task and effect: conditional modes in increasing order, with intervals."""
    shown = data if data.empty else data[data["sd"] > ALIKE]
    if shown.empty:
        return pages.make_empty_page(
            "No fitted model has random abilities of judges or difficulties of stimuli."
        )
    charts = [chart for _, chart in shown.groupby(["task", "effect"], sort=False)]
    page, width = pages.fit_columns(min(len(charts), COLUMNS), COLUMNS)
    frame = pages.Frame(data, explain_figure(data), page)
    step = HEAD + CHART_HEIGHT + GAP
    bottom = frame.top + -(-len(charts) // COLUMNS) * step
    canvas = frame.open(bottom + 2)
    reach = max(shown["ci_low"].abs().max(), shown["ci_high"].abs().max(), 0.5) * 1.05
    for number, chart in enumerate(charts):
        row, column = divmod(number, COLUMNS)
        place = MARGIN + column * width, frame.top + row * step
        draw_caterpillar(canvas, chart.sort_values("rank"), *place, width, reach)
    return frame.close(canvas, bottom + 3)


def draw_caterpillar(
    canvas: Axes, chart: pd.DataFrame, left: float, top: float, width: float, reach: float
) -> None:
    """Draw the effects of one task, with those at both ends dark, on a scale up to `reach`."""
    first = chart.iloc[0]
    effect = first["effect"]
    number = f"{len(chart):,} {name_units(effect)}, SD {first['sd']:.2f}"
    pages.write_lines(canvas, left, top + 3, first["task_label"], weight="semibold")
    pages.write_lines(canvas, left, top + 6, f"{TITLES[effect]}: {number}", SMALL, color=GREY)
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


def name_units(effect: str) -> str:
    """Name what differs in an effect."""
    return "stimuli" if effect in ("difficulty", "stimulus bias") else "judges"


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    shown = data[data["sd"] > ALIKE]
    sentences = [
        f"Conditional modes of the random effects of mixed models, in increasing order; lines, "
        f"{data['level'].iloc[0]:.0%} intervals given all other effects; dark, the {NAMED} at either end; "
        "dashed line, the average judge or stimulus. All charts have the same scale; SD, estimated spread of "
        "the effect.",
        *(words for effect, words in MEANINGS.items() if (shown["effect"] == effect).any()),
        "Modes shrink toward the average, more so with fewer trials; if the interval contains 0, a judge or "
        "stimulus cannot be distinguished from an average one.",
    ]
    alike = data[~(data["sd"] > ALIKE)].drop_duplicates(["task", "effect"])
    if len(alike):
        named = zip(alike["effect"].map(TITLES), alike["task_label"], strict=True)
        without = ", ".join(f"{title[0].lower()}{title[1:]} in {task}" for title, task in named)
        sentences.append(f"Not drawn, because the spread is estimated as zero: {without}.")
    for _, part in shown[shown["effect"] == "difficulty"].groupby("task", sort=False):
        hardest = part.sort_values("rank").tail(NAMED)["name"].astype(str)[::-1]
        # Numbers of stimuli mean nothing to readers.
        if not hardest.str.contains(r"\d").any():
            task, names = part["task_label"].iloc[0], ", ".join(map(name_stimulus, hardest))
            sentences.append(f"Hardest in {task}: {names}.")
    return " ".join([*sentences, f"{data['data'].iloc[0].capitalize()}."])


def name_stimulus(level: str) -> str:
    """Name a stimulus, and who made the response if the level of the random effect says so."""
    name, _, made_by = level.rpartition(":")
    makers = {"human": "a person", "machine": "a machine"}
    return f"{name} (by {makers[made_by]})" if name and made_by in makers else level
