"""Equivalence of agents and people: distinguishable, equivalent or undecided."""

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import state_p, use_minus_signs
from turingstats.figures import hover, pages, palette
from turingstats.figures.model_source_data import format_needed_size, format_size
from turingstats.figures.pages import MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, PALE

NAME, CHART, WIDTH, NUMBERS = MARGIN + 2, 42, 78, 125  # mm
ROW, HEAD = 4, 6
# Conclusions differ in marks and, if undecided, in that these are open.
COLORS = {
    "distinguishable": palette.SERIES[0],
    "different, but within the margin": palette.SERIES[3],
    "equivalent": palette.SERIES[1],
    "undecided": palette.SERIES[2],
}
MARKS = dict(zip(COLORS, "osD^", strict=True))


def find_face(conclusion: str) -> str:
    """Find the color inside a mark."""
    return "white" if conclusion == "undecided" else COLORS[conclusion]


def format_difference(value: float) -> str:
    """Format a difference with its sign, and a rounded zero without one."""
    text = use_minus_signs(f"{value:+z.2f}")
    return text.removeprefix("+") if float(f"{value:.2f}") == 0 else text


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, compared with people, with the margin as a band."""
    if data.empty:
        return pages.make_empty_page("No cohort whose agents are modeled has data.")
    shown = data[data["against"] == "people"]
    frame = pages.Frame(data, explain_figure(shown))
    top = frame.top
    tasks = list(shown.groupby("task", sort=False))
    tall = sum(HEAD + len(task_rows) * ROW for _, task_rows in tasks)
    chart = top + 10
    canvas = frame.open(chart + tall + 12)
    x = CHART
    for name, color in COLORS.items():
        canvas.plot(x, top + 2.3, MARKS[name], color=color, markerfacecolor=find_face(name), ms=3.4)
        pages.write_lines(canvas, x + 2, top + 3.2, name.capitalize(), SMALL)
        x += 6 + pages.measure_text(name.capitalize(), SMALL)
    title = "Judged human: agent minus people"
    pages.write_lines(canvas, CHART + WIDTH / 2, top + 8, title, weight="semibold", ha="center")
    for shift, text in ((0, "Difference"), (27, "Judges"), (39, "Judges needed")):
        pages.write_lines(canvas, NUMBERS + shift, top + 8, text, SMALL, weight="semibold")
    axes = pages.add_inset(canvas, CHART, chart, WIDTH, tall)
    margin = shown["margin"].iloc[0]
    reach = max(shown["ci_low"].abs().max(), shown["ci_high"].abs().max(), 1.3 * margin) * 1.05
    axes.set(xlim=(-reach, reach), ylim=(tall, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.patch.set_visible(False)  # lines between tasks pass behind the chart
    axes.axvspan(-margin, margin, color="#e8eef3", linewidth=0, zorder=0)
    axes.axvline(0, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=1)
    for words, x, side in (("less human", CHART, "left"), ("more human", CHART + WIDTH, "right")):
        pages.write_lines(canvas, x, top + 8, words, SMALL, color=GREY, ha=side)
    y = 0
    for number, (_, task_rows) in enumerate(tasks):
        if number:
            canvas.plot([MARGIN, PAGE - MARGIN], [chart + y + 0.8] * 2, color=PALE, linewidth=0.5)
        pages.write_lines(
            canvas, MARGIN, chart + y + 4.2, task_rows["task_label"].iloc[0], weight="semibold"
        )
        y += HEAD
        for one in pages.list_records(task_rows):
            at, color = y + ROW / 2, COLORS[one["conclusion"]]
            axes.plot(
                [one["ci_low"], one["ci_high"]],
                [at] * 2,
                color=color,
                linewidth=0.7,
                solid_capstyle="butt",
            )
            inner = [one["equivalence_low"], one["equivalence_high"]]
            axes.plot(inner, [at] * 2, color=color, linewidth=1.8, solid_capstyle="butt")
            (mark,) = axes.plot(
                one["difference"], at, MARKS[one["conclusion"]], color=color, ms=3.4,
                markerfacecolor=find_face(one["conclusion"]), zorder=3,
            )  # fmt: skip
            hover.title_mark(mark, describe_difference(one))
            base = chart + at + 0.9
            difference, *ends = (
                format_difference(one[name]) for name in ("difference", "ci_low", "ci_high")
            )
            pages.write_lines(canvas, NAME, base, one["agent_label"])
            numbers = (
                (0, f"{difference} ({' to '.join(ends)})"),
                (27, format_size(one)),
                (39, format_needed_size(one)),
            )
            for shift, text in numbers:
                pages.write_lines(canvas, NUMBERS + shift, base, text, SMALL)
            y += ROW
    return frame.close(canvas, chart + tall + 10)


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
    level = data["level"].iloc[0]
    first = data.iloc[0]
    power = f"a power of {first['power']:.0%}" if "power" in data else "sufficient power"
    note = f" {first['data'].capitalize()}." if "data" in data else ""
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
        f"{power} if agent and people are in truth judged human equally often.{note}"
    )
