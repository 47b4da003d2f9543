"""Detectability of every agent, from a mixed model with random judges and stimuli, and pooled."""

from turingstats.core.labels import format_p
from turingstats.figures import pages, palette
from turingstats.figures.pages import BODY, MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK, PALE

NAME, CHART, WIDTH, NUMBERS = MARGIN + 2, 48, 78, 132  # left edges and width, mm
ROW, HEAD = 5.2, 6.5  # heights of an agent's rows and of a task's heading, mm
LOOK = {"mixed model": (palette.SERIES[0], "o"), "pooled trials": (palette.SERIES[2], "D")}


def draw(data, colormap=None):
    """Draw one row per agent, grouped by task.

    Parameters
    ----------
    data : pandas.DataFrame
        From `turingstats.figures.model_source_data.select_forest`.
    colormap : str
        Not used; all figures are drawn with the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
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
    for shift, text in ((0, "Mixed model"), (24, "p"), (35, "Verdicts")):
        pages.write_lines(canvas, NUMBERS + shift, top + 7, text, weight="semibold")
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


def draw_row(canvas, axes, agent, chart, y):
    """Draw the two estimates of an agent at a height of the chart (mm)."""
    for shift, source in ((-0.85, "mixed model"), (0.85, "pooled trials")):
        for one in pages.list_records(agent[agent["source"] == source]):
            color, marker = LOOK[source]
            axes.plot([one["ci_low"], one["ci_high"]], [y + shift] * 2, color=color, linewidth=1)
            axes.plot(one["value"], y + shift, marker, color=color, ms=3.2)
    one = agent[agent["source"] == "mixed model"].iloc[0]
    text = f"{one['value']:.2f} ({one['ci_low']:.2f} to {one['ci_high']:.2f})"
    pooled = agent[agent["source"] == "pooled trials"]
    size = f"{pooled['n'].iloc[0]:,.0f}" if len(pooled) else ""
    base = chart + y + 0.9
    pages.write_lines(canvas, NAME, base, one["agent_label"])
    for shift, words in ((0, text), (24, format_p(one["p"])), (35, size)):
        pages.write_lines(canvas, NUMBERS + shift, base, words, SMALL, color=INK)


def find_limits(data):
    """Find the limits of the scale, in tenths, that contain all intervals and chance."""
    low, high = min(data["ci_low"].min(), 0.5), max(data["ci_high"].max(), 0.5)
    return int(low * 10 - 0.2) / 10, int(high * 10 + 1.2) / 10


def explain_figure(data):
    """Write the foot of the figure."""
    level = f"{data['level'].iloc[0]:.0%}"
    mixed = data[data["source"] == "mixed model"]
    terms = "; ".join(
        f"{own['task_label'].iloc[0]}: {own['groups'].iloc[0]}"
        for _, own in mixed.groupby("task", sort=False)
    )
    singular = mixed.loc[mixed["singular"].astype(bool), "task_label"].unique()
    said = [
        "Recommended reading. Detectability is (P(H|H) + P(M|M)) / 2; dashed line, chance. Mixed model: "
        f"logit model of single verdicts with random effects, averaged over these; {level} intervals by the "
        'delta method; p, two-sided Wald test of the log odds of "machine" for the agent against those '
        "for people, not corrected. Pooled trials: t intervals over judges, and stimuli where they are "
        f"known. Verdicts: on people and on the agent. Levels of the random effects: {terms}.",
    ]
    if (mixed["outcome"] == "correct").any():
        said.append(
            "In choices between two responses, detectability is the share of right choices, and p tests "
            "their log odds against 0."
        )
    if len(singular):
        said.append(f"A variance is estimated as 0 in {', '.join(singular)}.")
    if "data" in data:
        said.append(f"{data['data'].iloc[0].capitalize()}.")
    return " ".join(said)
