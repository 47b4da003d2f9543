"""Equivalence of agents and people: distinguishable, equivalent or undecided."""

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import use_minus_signs
from turingstats.figures import pages
from turingstats.figures.model_source_data import format_needed_size, format_size
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
WIDEST = 0.2
"""Widest margin of equivalence that is shown."""
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
        f"Judged human: agent minus {WORDS[baseline]}", ["difference", "judges", "judges needed"],
        band=(-margin, margin),
    )  # fmt: skip
    ticks = (0, 0.05, 0.1, 0.15, WIDEST)
    margins = Chart((0, WIDEST), title="Equivalent within", heads=["from"], ticks=ticks)
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
            rows.append(Row(name, [mark, mark_margin(one["smallest_margin"])], heading))
    conclusions = set(shown["conclusion"])
    key = [
        (name.capitalize(), style.marks) for name, style in STYLES.items() if name in conclusions
    ]
    return draw_row_page(
        data, explain_figure(shown), RowTable(rows, [chart, margins], key=key, size=SMALL)
    )


def mark_margin(smallest: float) -> Mark:
    """Mark the margins within which equivalence holds, from the smallest on."""
    low = smallest if smallest <= WIDEST else math.nan
    return Mark(low, (low, WIDEST + low), STYLES["equivalent"], [f"{smallest:.2f}"], chart=1)


def format_difference(value: float) -> str:
    """Format a difference with its sign, and a rounded zero without one."""
    text = use_minus_signs(f"{value:+z.2f}")
    return text.removeprefix("+") if float(f"{value:.2f}") == 0 else text


def list_numbers(one: dict[str, Any]) -> list[str]:
    """List the numbers beside a difference: itself, judges, and judges needed."""
    names = ("difference", "ci_low", "ci_high")
    difference, low, high = (format_difference(one[name]) for name in names)
    return [f"{difference} ({low} to {high})", format_size(one), format_needed_size(one)]


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    level, baseline = (
        first["level"],
        "people" if first["against"] == "people" else "half of the time",
    )
    over = [unit for unit in dict.fromkeys(data["unit"]) if unit != "trials"]
    errors = f"Errors over {', or '.join(over)}." if over else ""
    if "trials" in set(data["unit"]):
        errors += (
            " Where trials are counted, judges and stimuli are too few or too similar for an error over "
            "them: intervals of independent trials, four added (Agresti and Caffo)."
        )
    if (data["judges_for_equivalence"] == math.inf).any():
        errors += (
            " Stimuli: how many are needed where no number of judges of these stimuli would be enough; "
            "times both: judges and stimuli."
        )
    return (
        "Recommended reading. Headings name the largest group of people who were neither trained with "
        "feedback nor pooled; other groups are in parentheses. Difference of the share judged human; "
        f"shaded, the margin of equivalence ({first['margin']:g} to either side). Thin lines, "
        f"{level:.0%} interval (left of 0: judged human less often than {baseline}); thick lines, "
        f"{2 * level - 1:.0%} interval of the two one-sided tests of equivalence. Right "
        "chart: margins within which equivalence holds, from the smallest on; none where "
        f"it is above {WIDEST:g}. Conclusions and margins are corrected by Holm's method: "
        "headings, and groups that judged other agents, are one family, their agents another, and other "
        "groups of a task another; intervals are not, so a conclusion may be more cautious than they are. "
        f"{errors.strip()} Beside the differences: judges, and how many are needed to show equivalence with "
        f"a power of {first['power']:.0%} if there is in truth no difference. "
        f"{first['data'].capitalize()}."
    )
