"""Detectability, d' and criterion of every cohort, to distinguish low sensitivity from bias."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures import hover, pages, palette
from turingstats.figures.pages import MARGIN, PAGE, SMALL, Box
from turingstats.figures.palette import PALE
from turingstats.figures.rows import add_row_chart

NAME, WIDEST, GAP = MARGIN + 2, 68, 3.5  # left edge and most space of names; between columns: mm
ROW, HEAD = 3.2, 1.5  # height of a row, mm; height of a task's heading, rows
AXIS = 9  # space for the scales below the rows, mm
QUANTITIES = {"detectability": "Detectability", "d_prime": "d'", "criterion": "Criterion c"}
NULL = {"detectability": 0.5, "d_prime": 0.0, "criterion": 0.0}
MARKS = {
    "people": "circles: people as judges",
    "paper's classifier": "triangles: classifiers",
    "paper's classifier, few examples": "open triangles: those trained on few examples",
    "classifier trained here": "pentagons: classifiers trained here",
    "classifier trained here, few examples": "open pentagons: those trained here on few examples",
    "language model": "crosses: language models",
    "detector": "squares: other machine judges",
}
"""Roles of judges and what their marks are called."""
DAGGER = "\N{DAGGER}"
"""Marks judges trained here, of whom other figures may show the published reading."""
APART = 0.1
"""From this difference of detectability on, the foot names judges whose readings differ."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per cohort and one column per quantity, grouped by task."""
    if data.empty:
        return pages.make_empty_page("No cohort judged both people and machines.")
    frame = pages.Frame(data, explain_figure(data))
    tasks = list(data.groupby("task", sort=False))
    rows = sum(HEAD + own["cohort"].nunique() for _, own in tasks)
    chart = frame.top + 5
    tall = rows * ROW
    canvas = frame.open(chart + tall + AXIS)
    # Choices between a person and a machine have only a detectability.
    shown = {name: title for name, title in QUANTITIES.items() if (data["quantity"] == name).any()}
    labels = {name: label_judges(own.iloc[0]) for name, own in data.groupby(["task", "cohort"])}
    widest = max(pages.measure_text(label, SMALL) for label in labels.values())
    start = NAME + min(widest, WIDEST) + 3
    column = (PAGE - MARGIN - start - (len(shown) - 1) * GAP) / len(shown)
    axes, right = {}, {}
    for i, (quantity, title) in enumerate(shown.items()):
        own = pages.list_records(data[data["quantity"] == quantity])
        numbers = max(pages.measure_text(format_estimate(one), SMALL) for one in own)
        left, width = start + i * (column + GAP), column - numbers - 1.5
        right[quantity] = left + column
        pages.write_lines(canvas, left, frame.top + 3, title, weight="semibold")
        limits = find_limits(data, quantity)
        one = add_row_chart(canvas, Box(left, chart, width, tall), limits, "", NULL[quantity])
        one.set_ylim(rows, 0)
        one.locator_params(axis="x", nbins=4)
        axes[quantity] = one
    y = 0  # rows
    for number, (task, own) in enumerate(tasks):
        if number:
            line = chart + (y + 0.2) * ROW
            canvas.plot([MARGIN, PAGE - MARGIN], [line, line], color=PALE, linewidth=0.5)
        y += HEAD
        title = own["task_label"].iloc[0]
        pages.write_lines(canvas, MARGIN, chart + y * ROW - 1.2, title, weight="semibold")
        for name, judges in own.groupby("cohort", sort=False):
            style = palette.ROLES[judges["role"].iloc[0]]
            base = chart + (y + 0.5) * ROW + 0.8
            pages.write_lines(canvas, NAME, base, labels[task, name], SMALL)
            for one in pages.list_records(judges):
                place = axes[one["quantity"]]
                ends = [one["ci_low"], one["ci_high"]]
                place.plot(ends, [y + 0.5] * 2, color=style.color, linewidth=0.9)
                (mark,) = place.plot(one["value"], y + 0.5, **style.marks, ms=2.5)
                hover.title_mark(mark, describe_estimate(one))
                words = format_estimate(one)
                pages.write_lines(canvas, right[one["quantity"]], base, words, SMALL, ha="right")
            y += 1
    return frame.close(canvas, chart + tall + AXIS - 1.5)


def label_judges(first: pd.Series) -> str:
    """Label judges with their number, and mark those of one of two readings."""
    number, several = first["n_judges"], first["judge_kind"] == "human" or first["n_judges"] > 1
    count = f" ({number:,.0f})" if number == number and several else ""
    return f"{first['cohort_label']}{DAGGER if first['trained'] else ''}{count}"


def format_estimate(one: dict[str, Any]) -> str:
    """Format an estimate with its interval."""
    return use_minus_signs(format_with_interval(one["value"], one["ci_low"], one["ci_high"]))


def describe_estimate(one: dict[str, Any]) -> str:
    """Describe an estimate exactly."""
    name = QUANTITIES[one["quantity"]]
    labels = {"agent_label": one["cohort_label"], "quantity": name[0].lower() + name[1:]}
    return f"{one['task_label']}, {hover.describe_number(one | labels)}; interval {one['interval']}"


def find_limits(data: pd.DataFrame, quantity: str) -> tuple[float, float]:
    """Find the limits of the scale of a quantity."""
    rows = data[data["quantity"] == quantity]
    low = min(rows["ci_low"].min(), NULL[quantity])
    high = max(rows["ci_high"].max(), NULL[quantity])
    room = 0.05 * (high - low)
    return low - room, high + room


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    level = f"{data['level'].iloc[0]:.0%}"
    measures = (
        " d' = z(hit rate) \N{MINUS SIGN} z(false alarm rate), a hit being a machine judged "
        "machine, with log-linear correction (0.5 and 1); criterion c = \N{MINUS SIGN}(z(hit rate) + "
        "z(false alarm rate)) / 2, positive if judges are reluctant to say machine."
    )
    choices = " Choices between a person and a machine have no separate false alarms: no d', no criterion."
    has_d_primes = (data["quantity"] == "d_prime").any()
    key = [words for role, words in MARKS.items() if role in set(data["role"])]
    return (
        "Recommended reading, all agents pooled; after a group of judges, their number (if the source has "
        f"judge ids); beside each mark, its value and {level} interval."
        f"{measures if has_d_primes else choices} "
        f"Marks, {', '.join(key)}. Lines, intervals {', or '.join(data['interval'].unique())}; dashed lines, "
        f"chance{', no bias' if has_d_primes else ''}.{compare_readings(data)} "
        f"{data['data'].iloc[0].capitalize()}."
    )


def compare_readings(data: pd.DataFrame) -> str:
    """Name the judges trained here whose detectability is another one in the published reading."""
    trained = data["trained"].astype(bool)
    if not trained.any():
        return ""
    sentence = f" {DAGGER} Trained here, in the recommended reading; other figures may show the published one"
    shown = data[(data["quantity"] == "detectability") & trained]
    shown = shown[(shown["value"] - shown["value_published"]).abs() >= APART]
    if shown.empty:
        return f"{sentence}."
    pairs = [
        f"{one['task_label']}, {one['cohort_label']}, {one['value_published']:.2f} instead of "
        f"{one['value']:.2f}"
        for one in pages.list_records(shown)
    ]
    return (
        f"{sentence}, in which these judges may also use what gives responses away, such as the length of a "
        f"scan path (see the figure of the audit): {'; '.join(pairs)}."
    )
