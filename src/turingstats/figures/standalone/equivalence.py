"""Equivalence of agents and people: distinguishable, equivalent or undecided."""

import math
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import state_p, use_minus_signs
from turingstats.figures import hover, pages, palette
from turingstats.figures.model_source_data import format_needed_size, format_size
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import GREY
from turingstats.figures.sections import Layout, Row, draw_sections

LEFT, WIDTH = 42, 78  # place of the chart, mm
# Conclusions differ in marks and, if undecided, in that these are open.
COLORS = {
    "distinguishable": palette.SERIES[0],
    "different, but within the margin": palette.SERIES[3],
    "equivalent": palette.SERIES[1],
    "undecided": palette.SERIES[2],
}
MARKS = dict(zip(COLORS, "osD^", strict=True))


def format_difference(value: float) -> str:
    """Format a difference with its sign, and a rounded zero without one."""
    text = use_minus_signs(f"{value:+z.2f}")
    return text.removeprefix("+") if float(f"{value:.2f}") == 0 else text


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, compared with people, with the margin as a band."""
    if data.empty:
        return pages.make_empty_page("No cohort whose agents are modeled has data.")
    shown = data[data["against"] == "people"]
    margin = shown["margin"].iloc[0]
    reach = max(shown["ci_low"].abs().max(), shown["ci_high"].abs().max(), 1.3 * margin) * 1.05
    columns = {"Difference": 125, "Judges": 152, "Judges needed": 164}
    layout = Layout(LEFT, WIDTH, "Judged human: agent minus people", columns, 4)
    sections = {
        rows["task_label"].iloc[0]: [
            Row(one["agent_label"], list_numbers(one), partial(draw_difference, one))
            for one in pages.list_records(rows)
        ]
        for _, rows in shown.groupby("task", sort=False)
    }
    frame = pages.Frame(data, explain_figure(shown))
    canvas, axes, bottom = draw_sections(frame, sections, layout, (-reach, reach), 0)
    axes.axvspan(-margin, margin, color="#e8eef3", linewidth=0, zorder=-1)
    for words, x, side in (("less human", LEFT, "left"), ("more human", LEFT + WIDTH, "right")):
        pages.write_lines(canvas, x, frame.top + 7, words, SMALL, color=GREY, ha=side)
    x = LEFT
    for name in COLORS:
        if (shown["conclusion"] == name).any():
            canvas.plot(x, frame.top + 2.3, **style_mark(name))
            pages.write_lines(canvas, x + 2, frame.top + 3.2, name.capitalize(), SMALL)
            x += 6 + pages.measure_text(name.capitalize(), SMALL)
    return frame.close(canvas, bottom)


def style_mark(conclusion: str) -> dict[str, Any]:
    """Style the mark of a conclusion; it is hollow if undecided."""
    color = COLORS[conclusion]
    face = "white" if conclusion == "undecided" else color
    return {"marker": MARKS[conclusion], "color": color, "mfc": face, "ms": 3.4, "ls": ""}


def list_numbers(one: dict[str, Any]) -> list[str]:
    """List the numbers beside a difference: itself, judges, and judges needed."""
    difference, low, high = (
        format_difference(one[name]) for name in ("difference", "ci_low", "ci_high")
    )
    size, needed = format_size(one), format_needed_size(one)
    return [f"{difference} ({low} to {high})", size, needed]


def draw_difference(one: dict[str, Any], axes: Axes, y: float) -> None:
    """Draw a difference at a height of the chart (mm), with its interval and the one of equivalence."""
    color = COLORS[one["conclusion"]]
    for name, width in (("ci", 0.7), ("equivalence", 1.8)):
        axes.hlines(y, one[f"{name}_low"], one[f"{name}_high"], color=color, linewidth=width)
    (mark,) = axes.plot(one["difference"], y, zorder=3, **style_mark(one["conclusion"]))
    hover.title_mark(mark, describe_difference(one))


def describe_difference(one: dict[str, Any]) -> str:
    """Describe the difference of an agent from people exactly."""
    return (
        f"{one['task_label']}, {one['agent_label']}: judged human {one['rate']:.4f}, people "
        f"{one['baseline']:.4f}, difference {one['difference']:.4f} ({one['level']:.0%} interval "
        f"{one['ci_low']:.4f} to {one['ci_high']:.4f}); n = {one['n']:,.0f} verdicts; difference, "
        f"{state_p(one['p_difference'])}; equivalence, {state_p(one['p_equivalence'])}; {one['conclusion']}"
    )


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    level = first["level"]
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
        "Recommended reading, judges of the main cohort of each task. Difference of the share judged human; "
        f"shaded, the margin of equivalence ({first['margin']:g} to either side). Thin lines, "
        f"{level:.0%} interval: without 0, distinguishable (left of it judged machine more often than "
        "people, right of it judged human more often than people); thick lines, "
        f"{2 * level - 1:.0%} interval: within the margin, equivalent (two one-sided tests); neither: "
        f"undecided. Intervals and conclusions are not corrected for the {len(data)} comparisons. "
        f"{errors.strip()} On the right: judges, and how many are needed to show equivalence with "
        f"a power of {first['power']:.0%} if agent and people are in truth judged human equally often. "
        f"{first['data'].capitalize()}."
    )
