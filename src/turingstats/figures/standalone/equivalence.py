"""Equivalence of agents and people: distinguishable, equivalent or undecided."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import use_minus_signs
from turingstats.figures import pages
from turingstats.figures.model_source_data import format_needed_size, format_size
from turingstats.figures.notes import write_note
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

STYLES = {
    "distinguishable": Style(SERIES[0], "o"),
    "different, but within the margin": Style(SERIES[3], "s"),
    "equivalent": Style(SERIES[1], "D"),
    "undecided": Style(SERIES[2], "^", filled=False),
}
"""Looks of conclusions."""
WORDS = {"people": "people", "chance": "one half"}
"""What agents are compared with."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, compared with people or, in choices, with one half; the margin is a band."""
    if data.empty:
        return pages.make_empty_page("No cohort whose agents are modeled has data.")
    # Only choices are not compared with people.
    baseline = "people" if (data["against"] == "people").any() else "chance"
    shown = data[data["against"] == baseline]
    margin = shown["margin"].iloc[0]
    reach = max(shown["ci_low"].abs().max(), shown["ci_high"].abs().max(), 1.3 * margin) * 1.05
    chart = Chart(
        (-reach, reach), 0, "\N{LEFTWARDS ARROW} less human        more human \N{RIGHTWARDS ARROW}",
        f"Judged human: agent minus {WORDS[baseline]}",
        ["difference", "judges", "judges needed", "equivalent within"],
        band=(-margin, margin),
    )  # fmt: skip
    rows = []
    for _, task in shown.groupby("task", sort=False):
        first = task["cohort_label"].iloc[0]
        heading = f"{task['task_label'].iloc[0]}: {first}"
        for one in pages.list_records(task):
            name = one["agent_label"]
            name += f" ({one['cohort_label']})" * (one["cohort_label"] != first)
            mark = Mark(
                one["difference"], (one["ci_low"], one["ci_high"]), STYLES[one["conclusion"]],
                list_numbers(one), inner=(one["equivalence_low"], one["equivalence_high"]),
            )  # fmt: skip
            rows.append(Row(name, [mark], heading))
    conclusions = set(shown["conclusion"])
    key = [
        (name.capitalize(), style.marks) for name, style in STYLES.items() if name in conclusions
    ]
    return draw_row_page(
        data, write_note("equivalence", shown), RowTable(rows, [chart], key=key, size=SMALL)
    )


def format_difference(value: float) -> str:
    """Format a difference with its sign, and a rounded zero without one."""
    text = use_minus_signs(f"{value:+z.2f}")
    return text.removeprefix("+") if float(f"{value:.2f}") == 0 else text


def list_numbers(one: dict[str, Any]) -> list[str]:
    """List the numbers beside a difference: itself, judges, judges needed, and the smallest margin."""
    names = ("difference", "ci_low", "ci_high")
    difference, low, high = (format_difference(one[name]) for name in names)
    sizes = format_size(one), format_needed_size(one)
    return [f"{difference} ({low} to {high})", *sizes, f"{one['smallest_margin']:.2f}"]
