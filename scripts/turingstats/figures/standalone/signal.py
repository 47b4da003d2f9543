"""Detectability, d' and criterion of every cohort, to distinguish low sensitivity from bias."""

from turingstats.figures import pages, palette
from turingstats.figures.pages import LINE, MARGIN, PAGE, SMALL, TALL
from turingstats.figures.palette import GREY, PALE

NAME, CHART, WIDTH, GAP = MARGIN + 2, 58, 38, 4  # mm
ROW, HEAD = 3.6, 1.5  # maximum height of a row, mm; height of a task's heading, rows
AXIS = 9  # space for the scales below the rows, mm
QUANTITIES = {"detectability": "Detectability", "d_prime": "d'", "criterion": "Criterion c"}
NULL = {"detectability": 0.5, "d_prime": 0.0, "criterion": 0.0}
KINDS = {
    "human": ("o", palette.SERIES[0]),
    "svm": ("s", palette.SERIES[1]),
    "llm": ("D", palette.SERIES[2]),
}
OTHER = ("^", palette.SERIES[3])


def draw(data, colormap=None):
    """Draw one row per cohort and one column per quantity, grouped by task.

    Parameters
    ----------
    data : pandas.DataFrame
        From `turingstats.figures.model_source_data.select_signal`.
    colormap : str
        Not used; all figures are drawn with the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if data.empty:
        return pages.make_empty_page("No cohort judged both people and machines.")
    frame = pages.Frame(data, explain_figure(data))
    tasks = list(data.groupby("task", sort=False))
    rows = sum(HEAD + own["cohort"].nunique() for _, own in tasks)
    chart = frame.top + 5
    below = AXIS + frame.foot_height + MARGIN
    # Many rows are set closer to fit a page, as long as their names stay readable.
    row = min(ROW, max(LINE[SMALL], (TALL - chart - below) / rows))
    tall = rows * row
    canvas = frame.open(chart + tall + AXIS)
    axes = {}
    # Choices between a person and a machine have only a detectability.
    shown = {name: title for name, title in QUANTITIES.items() if (data["quantity"] == name).any()}
    for i, (quantity, title) in enumerate(shown.items()):
        left = CHART + i * (WIDTH + GAP)
        pages.write_lines(
            canvas, left + WIDTH / 2, frame.top + 3, title, weight="semibold", ha="center"
        )
        one = pages.add_inset(canvas, left, chart, WIDTH, tall)
        one.set(ylim=(rows, 0), yticks=[], xlim=find_limits(data, quantity))
        one.spines["left"].set_visible(False)
        one.patch.set_visible(False)  # lines between tasks pass behind the charts
        one.axvline(NULL[quantity], color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
        one.tick_params(labelsize=SMALL)
        axes[quantity] = one
    y = 0  # rows
    for number, (_, own) in enumerate(tasks):
        if number:
            line = chart + (y + 0.2) * row
            canvas.plot([MARGIN, PAGE - MARGIN], [line, line], color=PALE, linewidth=0.5)
        y += HEAD
        title = own["task_label"].iloc[0]
        pages.write_lines(canvas, MARGIN, chart + y * row - 1.2, title, weight="semibold")
        for _, cohort in own.groupby("cohort", sort=False):
            first = cohort.iloc[0]
            marker, color = KINDS.get(first["judge_kind"], OTHER)
            judges = first["n_judges"]
            label = first["cohort_label"] + (f" ({judges:,.0f})" if judges == judges else "")
            pages.write_lines(canvas, NAME, chart + (y + 0.5) * row + 0.8, label, SMALL)
            for one in pages.list_records(cohort):
                place = axes[one["quantity"]]
                ends = [one["ci_low"], one["ci_high"]]
                place.plot(ends, [y + 0.5] * 2, color=color, linewidth=0.9)
                place.plot(one["value"], y + 0.5, marker, color=color, ms=2.8)
            y += 1
    return frame.close(canvas, chart + tall + AXIS - 1.5)


def find_limits(data, quantity):
    """Find the limits of the scale of a quantity."""
    rows = data[data["quantity"] == quantity]
    low, high = (
        min(rows["ci_low"].min(), NULL[quantity]),
        max(rows["ci_high"].max(), NULL[quantity]),
    )
    room = 0.05 * (high - low)
    return low - room, high + room


def explain_figure(data):
    """Write the foot of the figure."""
    level = f"{data['level'].iloc[0]:.0%}"
    note = f" {data['data'].iloc[0].capitalize()}." if "data" in data else ""
    measures = (
        " d' = z(hit rate) - z(false alarm "
        "rate), a hit being a machine judged machine, with log-linear correction (0.5 and 1); criterion c = "
        "-(z(hit rate) + z(false alarm rate)) / 2, positive if judges are reluctant to say machine."
    )
    choices = " Choices between a person and a machine have no separate false alarms: no d', no criterion."
    known = (data["quantity"] == "d_prime").any()
    return (
        "Recommended reading, all agents pooled; in parentheses, judges (if the source has judge ids)."
        f"{measures if known else choices} Circles, people as judges; squares, SVM; diamonds, language "
        f"models. {level} intervals: over judges and stimuli, over stimuli alone for fewer than five "
        "judges, or of independent trials if stimuli are not known either. Dashed lines: chance, no "
        f"bias.{note}"
    )
