"""Most and least able judges, and hardest stimuli: random effects of the mixed models."""

from turingstats.figures import pages, palette
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK

TALL, GAP, HEAD = 38, 12, 7  # a chart, between rows of charts, title: mm
COLUMNS = 3
NAMED = 5
"""Number of judges or stimuli at each end that are drawn dark."""
TITLES = {
    "sensitivity": "Judges' sensitivity",
    "ability": "Judges' ability",
    "difficulty": "Stimuli's difficulty",
}

MEANINGS = {
    "sensitivity": "Sensitivity: log odds of \"machine\" for machines' responses minus those for people's.",
    "ability": "Ability: log odds of the right choice between two responses.",
    "difficulty": "Difficulty: log odds of the wrong verdict.",
}


def draw(data, colormap=None):
    """Draw one chart per task and effect: conditional modes in increasing order, with intervals.

    Parameters
    ----------
    data : pandas.DataFrame
        From `turingstats.figures.model_source_data.select_abilities`.
    colormap : str
        Not used; all figures are drawn with the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if data.empty:
        return pages.make_empty_page(
            "No fitted model has random abilities of judges or difficulties of stimuli."
        )
    frame = pages.Frame(data, explain_figure(data))
    places, rows = [], 0
    for effect in TITLES:
        charts = [own for _, own in data[data["effect"] == effect].groupby("task", sort=False)]
        places += [(rows + i // COLUMNS, i % COLUMNS, own) for i, own in enumerate(charts)]
        rows += -(-len(charts) // COLUMNS)
    bottom = frame.top + rows * (HEAD + TALL + GAP)
    canvas = frame.open(bottom + 2)
    width = (PAGE - 2 * MARGIN) / COLUMNS
    for row, column, chart in places:
        left = MARGIN + column * width
        draw_caterpillar(canvas, chart, left, frame.top + row * (HEAD + TALL + GAP), width)
    return frame.close(canvas, bottom + 3)


def draw_caterpillar(canvas, chart, left, top, width):
    """Draw the effects of one task, with those at both ends dark."""
    chart = chart.sort_values("rank")
    first = chart.iloc[0]
    pages.write_lines(canvas, left, top + 3, first["task_label"], weight="semibold")
    kind = "stimuli" if first["effect"] == "difficulty" else "judges"
    about = f"{TITLES[first['effect']]}, {len(chart):,} {kind}, SD {first['sd']:.2f}"
    pages.write_lines(canvas, left, top + 6, about, SMALL, color=GREY)
    if not first["sd"] > 1e-4:
        words = f"No differences between {kind} found: their variance is estimated as 0."
        lines = pages.wrap_text(words, width - 20, SMALL)
        pages.write_lines(canvas, left + 9, top + HEAD + TALL / 2, lines, SMALL, color=GREY)
        return
    axes = pages.add_inset(canvas, left + 9, top + HEAD + 1, width - 13, TALL)
    ends = (chart["rank"] <= NAMED) | (chart["rank"] > len(chart) - NAMED)
    for own, color, dot, width_of in (
        (chart[~ends], "#cdd4db", "#7d8b99", 0.4),
        (chart[ends], palette.SERIES[0], palette.SERIES[0], 0.7),
    ):
        axes.vlines(own["rank"], own["ci_low"], own["ci_high"], color=color, linewidth=width_of)
        axes.plot(own["rank"], own["value"], "o", color=dot, ms=1.8, markeredgewidth=0)
    axes.axhline(0, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    reach = max(abs(chart["ci_low"].min()), abs(chart["ci_high"].max()), 0.5) * 1.08
    axes.set(ylim=(-reach, reach), xlim=(0, len(chart) + 1))
    axes.set_xticks([1, len(chart)])
    axes.tick_params(labelsize=SMALL)
    low, high = ("least able", "most able") if kind == "judges" else ("easiest", "hardest")
    axes.set_xticklabels([low, high], size=SMALL)
    for label, side in zip(axes.get_xticklabels(), ("left", "right"), strict=True):
        label.set_horizontalalignment(side)
    axes.set_ylabel("Log odds", size=SMALL, labelpad=1, color=INK)


def explain_figure(data):
    """Write the foot of the figure."""
    level = f"{data['level'].iloc[0]:.0%}"
    lines = []
    for _, own in data[data["effect"] == "difficulty"].groupby("task", sort=False):
        hardest = own.sort_values("rank").tail(NAMED)["name"][::-1]
        names = ", ".join(map(name_stimulus, hardest.astype(str)))
        lines.append(f"Hardest in {own['task_label'].iloc[0]}: {names}.")
    note = f" {data['data'].iloc[0].capitalize()}." if "data" in data else ""
    meanings = " ".join(
        words for effect, words in MEANINGS.items() if (data["effect"] == effect).any()
    )
    return (
        f"Conditional modes of the random effects, with {level} intervals given all other effects, in "
        f"increasing order; dark, the {NAMED} at either end; dashed line, the average. {meanings} Modes "
        "shrink toward the average, more so with fewer trials; "
        "if the interval contains 0, a judge or stimulus cannot be distinguished from an average one. "
        f"{' '.join(lines)}{note}"
    )


def name_stimulus(level):
    """Name a stimulus, and who made the response if the level of the random effect says so."""
    name, _, made_by = level.rpartition(":")
    return f"{name} ({made_by}-made)" if made_by in ("human", "machine") and name else level
