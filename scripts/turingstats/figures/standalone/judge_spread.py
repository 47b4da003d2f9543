"""Each judge's share of right verdicts: how much the judges of a cohort differ."""

from turingstats.figures import pages
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK, SERIES

HEAD, TALL, NAMES, LEFT = 6, 21, 10, 10  # title, chart, cohorts' names, space for the axis: mm
ROW = HEAD + TALL + NAMES
FEW = 20  # up to this many judges are drawn individually
SIDES = {"human": ("people's responses", SERIES[1]), "machine": ("machines' responses", SERIES[2])}


def draw(data, colormap=None):
    """Draw the cohorts of each task: shares on people's responses at the left, on machines' at the right.

    Parameters
    ----------
    data : pandas.DataFrame
        From `turingstats.analysis.judge_spread.tabulate_judge_shares`.
    colormap : str
        Not used; all figures are drawn with the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if data.empty:
        return pages.make_empty_page("No cohort has five or more identifiable human judges.")
    frame = pages.Frame(data, explain_figure(data))
    tasks = [own for _, own in data.groupby("task", sort=False)]
    most = max(5, *(own["cohort"].nunique() for own in tasks))
    across = (PAGE - 2 * MARGIN - LEFT) / most
    places, y = place_tasks(tasks, across, frame.top + 4)
    canvas = frame.open(y)
    draw_key(canvas, frame.top, data)
    for own, (left, start) in zip(tasks, places, strict=True):
        draw_cohorts(canvas, own, left, start, across)
    return frame.close(canvas, y + 2)


def place_tasks(tasks, across, top):
    """Place tasks side by side if they fit; return positions and the bottom of the last row (mm)."""
    positions, x, y = [], MARGIN, top
    for task in tasks:
        wide = LEFT + across * task["cohort"].nunique()
        if x > MARGIN and x + wide > PAGE - MARGIN + 0.1:
            x, y = MARGIN, y + ROW
        positions.append((x, y))
        x += wide
    return positions, y + ROW


def draw_key(canvas, top, data):
    """Draw a key of the colors."""
    x = MARGIN + LEFT
    for truth, (text, color) in SIDES.items():
        if (data["truth"] == truth).any():
            pages.draw_box(canvas, x, top, 2.4, 2.4, facecolor=color, edgecolor="none")
            pages.write_lines(canvas, x + 3.4, top + 2, f"On {text}", SMALL)
            x += 3.4 + pages.measure_text(f"On {text}", SMALL) + 6
    canvas.plot([x + 0.5, x + 0.5], [top, top + 2.6], color=INK, linewidth=0.9)
    pages.write_lines(canvas, x + 2, top + 2, "If all judges were equally accurate", SMALL)


def draw_cohorts(canvas, data, left, top, across):
    """Draw the cohorts of one task side by side, each as wide as `across` (mm)."""
    import seaborn

    names = list(dict.fromkeys(data["cohort"]))
    pages.write_lines(canvas, left, top + 3.5, data["task_label"].iloc[0], weight="semibold")
    axes = pages.add_inset(canvas, left + LEFT, top + HEAD, across * len(names), TALL)
    # Choices have no separate verdicts on people's responses.
    sides = [truth for truth in SIDES if (data["truth"] == truth).any()]
    sizes = data.groupby("cohort")["judge"].nunique()
    many = data["cohort"].map(sizes) > FEW
    common = {
        "x": "cohort", "y": "value", "hue": "truth", "order": names, "hue_order": sides,
        "palette": [SIDES[truth][1] for truth in sides], "legend": False, "ax": axes,
    }  # fmt: skip
    # Every cohort has a position in both plots, so that the positions agree.
    if many.any():
        seaborn.violinplot(
            data[many], split=len(sides) == 2, inner="quart", cut=0, density_norm="width", width=0.6,
            gap=0.04, linewidth=0.6, linecolor=INK, **common,
        )  # fmt: skip
    if not many.all():
        seaborn.swarmplot(data[~many], dodge=True, size=2.2, linewidth=0, **common)
    for place, cohort in enumerate(names):
        for truth, own in data[data["cohort"] == cohort].groupby("truth"):
            x = place + (-0.36 if truth == "human" else 0.36)
            ends = own[["alike_low", "alike_high"]].iloc[0]
            axes.plot([x, x], ends, color=INK, linewidth=0.9, solid_capstyle="butt")
    axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(-0.03, 1.03), xlabel="")
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"], size=SMALL)
    axes.set_ylabel("Right", size=SMALL, labelpad=3)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    for place, cohort in enumerate(names):
        label = data.loc[data["cohort"] == cohort, "cohort_label"].iloc[0]
        middle = left + LEFT + (place + 0.5) * across
        lines = [*pages.wrap_text(label, across - 2, SMALL), f"n = {sizes[cohort]:,}"]
        pages.write_lines(canvas, middle, top + HEAD + TALL + 2.3, lines, SMALL, ha="center")


def explain_figure(data):
    """Write the foot of the figure."""
    first = data.iloc[0]
    return (
        f"Share of a judge's verdicts that were right; n, judges. {first['reading'].capitalize()} reading. "
        f"Outlines: density of judges, with quartiles; cohorts of {FEW} judges or fewer: one point per "
        f"judge. Black lines: range that would contain {first['level']:.0%} of the judges if all had the "
        "same chance to be right (binomial with each judge's number of verdicts). Dashed line: chance. "
        f"Cohorts that pool others are not shown. {first['data'].capitalize()}."
    )
