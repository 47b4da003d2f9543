"""Detectability, d' and criterion of every cohort, to distinguish low sensitivity from bias."""

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import ROLES
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

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


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per cohort and one column per quantity, grouped by task."""
    if data.empty:
        return pages.make_empty_page("No cohort judged both people and machines.")
    # Choices between a person and a machine have only a detectability.
    shown = [name for name in QUANTITIES if (data["quantity"] == name).any()]
    charts = [make_chart(data[data["quantity"] == name], name) for name in shown]
    rows, last = [], None
    for (task, _), judges in data.groupby(["task", "cohort"], sort=False):
        first = judges.iloc[0]
        marks = [
            Mark(
                one["value"], (one["ci_low"], one["ci_high"]), ROLES[first["role"]],
                [use_minus_signs(format_with_interval(one["value"], one["ci_low"], one["ci_high"]))],
                chart=shown.index(one["quantity"]),
            )
            for one in pages.list_records(judges)
        ]  # fmt: skip
        rows.append(Row(label_judges(first), marks, first["task_label"] * (task != last)))
        last = task
    return draw_row_page(
        data, explain_figure(data), RowTable(rows, charts, size=SMALL, row=3, cap=0)
    )


def make_chart(rows: pd.DataFrame, quantity: str) -> Chart:
    """Make the chart of a quantity, with a scale that contains all intervals."""
    low = min(rows["ci_low"].min(), NULL[quantity])
    high = max(rows["ci_high"].max(), NULL[quantity])
    room = 0.05 * (high - low)
    limits = (low - room, high + room)
    return Chart(limits, NULL[quantity], title=QUANTITIES[quantity], heads=[""])


def label_judges(first: pd.Series) -> str:
    """Label judges with their number, and mark those of one of two readings."""
    number, several = first["n_judges"], first["judge_kind"] == "human" or first["n_judges"] > 1
    count = f" ({number:,.0f})" if number == number and several else ""
    return f"{first['cohort_label']}{DAGGER if first['trained'] else ''}{count}"


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
    trained = ""
    if data["trained"].any():
        trained = f" {DAGGER} Trained here: other figures may show the published reading."
    key = [words for role, words in MARKS.items() if role in set(data["role"])]
    return (
        "Recommended reading, all agents pooled; after a group of judges, their number (if the source has "
        f"judge ids); beside each mark, its value and {level} interval."
        f"{measures if has_d_primes else choices} "
        f"Marks, {', '.join(key)}. Lines, intervals {', or '.join(data['interval'].unique())}; dashed lines, "
        f"chance{', no bias' if has_d_primes else ''}.{trained} "
        f"{data['data'].iloc[0].capitalize()}."
    )
