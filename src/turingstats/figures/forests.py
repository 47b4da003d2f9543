"""Figures that are one table of rows: models, new ones, equivalence, ranks, judges, and all studies."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import (
    format_limits,
    format_needed_size,
    format_p,
    format_size,
    format_with_interval,
    use_minus_signs,
)
from turingstats.figures import pages, rows
from turingstats.figures.marks import Entry
from turingstats.figures.notes import write_note
from turingstats.figures.palette import GREY, INK, RED, SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row

Record = dict[str, Any]
SOURCES = {"mixed model": Style(SERIES[0], "o"), "pooled trials": Style(SERIES[2], "D")}
CONCLUSIONS = {
    "distinguishable": Style(SERIES[0], "o"),
    "different, but within the margin": Style(SERIES[3], "s"),
    "equivalent": Style(SERIES[1], "D"),
    "undecided": Style(SERIES[2], "^", filled=False),
}
BASELINES = {"people": "people", "chance": "one half"}
"""What agents are compared with."""
COMPARED = {
    "accuracy_difference": ("accuracy, people minus machine", Style(SERIES[0], "o")),
    "agreement": ("agreement, machine with people", Style(SERIES[1], "D")),
    "people_agreement": ("agreement, people with each other", Style(SERIES[2], "s", filled=False)),
}
"""Quantities of machine judges and people that are drawn."""
RHO, OMEGA = "\N{GREEK SMALL LETTER RHO}", "\N{GREEK SMALL LETTER OMEGA}"
TEXTS = {"corrected r": "corrected_correlation", RHO: "advantage", OMEGA: "winning_rate_0.10"}
"""Heads of the texts beside the agreement, and their quantities."""
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""Ticks of odds ratios."""
OBTAINED = {
    "observed verdicts": Style(SERIES[0], "o"),
    "printed counts": Style(SERIES[0], "o", filled=False),
    "choices": Style(SERIES[0], "s", filled=False),
}
"""Looks of agents of all studies by how their verdicts were obtained."""


def draw_models(data: pd.DataFrame) -> Figure:
    """Draw detectability of each agent by task: from the mixed model, and from pooled trials below it."""
    if data.empty:
        return pages.make_empty_page("No model that compares agents could be fitted to these data.")
    limits = rows.find_tenths(data[["ci_low", "ci_high"]])
    heads = [f"value ({data['level'].iloc[0]:.0%} interval)", "verdicts", "p"]
    ticks = rows.list_tenths(*limits)
    chart = Chart(limits, 0.5, title="Detectability", heads=heads, ticks=ticks)
    lines = []
    for (_, name), agent in data.groupby(["task", "agent_label"], sort=False):
        marks = []
        for one in pages.list_records(agent):
            value, *ends = (one[column] for column in ("value", "ci_low", "ci_high"))
            p = format_p(one["p"]) if one["source"] == "mixed model" else ""
            texts = [format_with_interval(value, *ends), f"{one['n']:,.0f}", p]
            style, label = SOURCES[one["source"]], f"{name}, {one['source']}"
            marks.append(Mark(value, tuple(ends), style, texts, name=label))
        task, cohort = agent[["task_label", "cohort_label"]].iloc[0]
        lines.append(Row(name, marks, f"{task}: {cohort[0].lower()}{cohort[1:]}"))
    return draw_page("forest", data, lines, [chart], make_key(SOURCES), row=3)


def draw_scores(data: pd.DataFrame, name: str, level: float) -> Figure:
    """Draw the scores of a new model beside those of others, sorted by detectability within each judge."""
    limits = rows.find_tenths(data[["value", "ci_low", "ci_high"]])
    heads = [f"value ({level:.0%} interval)", "verdicts"]
    ticks = rows.list_tenths(*limits)
    chart = Chart(limits, 0.5, title="Detectability", heads=heads, ticks=ticks)
    new, other, lines = Style(RED, "D"), Style(GREY), []
    for judge, part in data.groupby("judge_label", sort=False):
        for one in pages.list_records(part.sort_values("value", kind="stable")):
            ends = one["ci_low"], one["ci_high"]
            count = "" if pd.isna(one["n_machine"]) else f"{one['n_machine']:,.0f}"
            texts = [format_with_interval(one["value"], *ends), count]
            style, color = (new, RED) if one["submitted"] else (other, INK)
            mark = Mark(one["value"], ends, style, texts)
            lines.append(Row(one["agent_label"], [mark], judge, color=color))
    key = [(name, new.marks), ("Other models", other.marks)]
    return draw_page("new_model", data, lines, [chart], key, row=3)


def draw_equivalence(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, compared with people or, in choices, with one half; the margin is a band."""
    if data.empty:
        return pages.make_empty_page("No cohort whose agents are modeled has data.")
    # Only choices are not compared with people.
    baseline = "people" if (data["against"] == "people").any() else "chance"
    compared = data[data["against"] == baseline]
    margin = compared["margin"].iloc[0]
    reach = max(compared[["ci_low", "ci_high"]].abs().max(axis=None), 1.3 * margin) * 1.05
    label = "\N{LEFTWARDS ARROW} less human        more human \N{RIGHTWARDS ARROW}"
    title = f"Judged human: agent minus {BASELINES[baseline]}"
    heads = ["difference", "judges", "judges needed", "equivalent within"]
    chart = Chart((-reach, reach), 0, label, title, heads, band=(-margin, margin))
    first = compared.groupby("task", sort=False)["cohort_label"].transform("first")
    lines = []
    for one in pages.list_records(compared.assign(first=first)):
        name = one["agent_label"]
        name += f" ({one['cohort_label']})" * (one["cohort_label"] != one["first"])
        ends, inner = ((one[f"{of}_low"], one[f"{of}_high"]) for of in ("ci", "equivalence"))
        style, texts = CONCLUSIONS[one["conclusion"]], list_numbers(one)
        mark = Mark(one["difference"], ends, style, texts, inner=inner)
        lines.append(Row(name, [mark], f"{one['task_label']}: {one['first']}"))
    key = make_key(CONCLUSIONS, set(compared["conclusion"]))
    return draw_page("equivalence", data, lines, [chart], key, noted=compared)


def list_numbers(one: Record) -> list[str]:
    """List the numbers beside a difference: itself, judges, judges needed, and the smallest margin."""
    names = ("difference", "ci_low", "ci_high")
    difference, low, high = (format_difference(one[name]) for name in names)
    sizes = format_size(one), format_needed_size(one)
    return [f"{difference} ({low} to {high})", *sizes, f"{one['smallest_margin']:.2f}"]


def format_difference(value: float) -> str:
    """Format a difference with its sign, and a rounded zero without one."""
    text = use_minus_signs(f"{value:+z.2f}")
    return text.removeprefix("+") if float(f"{value:.2f}") == 0 else text


def draw_machine_judges(data: pd.DataFrame) -> Figure:
    """Draw one row per machine judge beside people who judged the same responses: accuracy, and agreement."""
    if data.empty:
        return pages.make_empty_page("No machine judge shares five named stimuli with people.")
    ends = data[[f"accuracy_difference{end}" for end in ("", "_low", "_high")]]
    # Quantities that are known of few machine judges are in the table alone.
    texts = {head: name for head, name in TEXTS.items() if data[name].notna().mean() >= 0.5}
    charts = [
        Chart(rows.find_tenths(ends, 0), 0, title="Accuracy: people minus machine"),
        Chart((0, 1), title="Agreement", heads=[*texts], ticks=[0, 0.5, 1]),
    ]
    lines = []
    for one in pages.list_records(data.sort_values(["task", "cohort"], kind="stable")):
        section = f"{one['task_label']}: {one['cohort_label']}"
        lines.append(Row(one["machine_label"], list_marks(one, texts.values()), section))
    key = make_key(dict(COMPARED.values()))
    return draw_page("people_and_machines", data, lines, charts, key, beside=[*texts])


def list_marks(one: Record, beside: Collection[str]) -> list[Mark]:
    """List the marks of a machine judge, with the quantities that are written beside them."""

    known = {
        name: (one[name], one[f"{name}_low"], one[f"{name}_high"])
        for name in (*COMPARED, *beside)
        if one[name] == one[name]
    }
    texts = [
        use_minus_signs(format_with_interval(*known[name])) if name in known else ""
        for name in beside
    ]
    marks = []
    for name in filter(known.get, COMPARED):
        (value, *ends), (what, style) = known[name], COMPARED[name]
        chart, label = int(name != "accuracy_difference"), f"{one['machine_label']}, {what}"
        numbers = texts if name == "agreement" else ()
        marks.append(Mark(value, tuple(ends), style, numbers, chart=chart, name=label))
    return marks


def draw_ranking(data: pd.DataFrame) -> Figure:
    """Draw strengths of agents in the order of their ranks, and ranks beside, by task and judges."""
    data = data.fillna({"no_limit": "", "note": ""})
    ranked = data[data["rank"].notna()]
    if ranked.empty:
        return pages.make_empty_page(
            "No two agents can be compared: see the notes in strengths.csv."
        )
    strengths = ranked[["value", "ci_low", "ci_high"]]
    # An arrow leaves the chart.
    beyond = 0.5 * (ranked["no_limit"] != "").any()
    lowest = math.floor(strengths.min(axis=None) * 2 - 0.2) / 2 - beyond
    highest = math.ceil(strengths.max(axis=None) * 2 + 0.2) / 2 + beyond
    last = int(ranked["rank"].max())
    ticks = [*range(1, last + 1, max(1, last // 8))]
    label = "Log odds of score against average agent"
    charts = [
        Chart((lowest, highest), 0, label, "Strength", [""]),
        Chart((0.5, last + 0.5), title="Rank", heads=["", "group"], ticks=ticks),
    ]
    lines = []
    for one in pages.list_records(ranked):
        name, no_limit = one["agent_label"], one["no_limit"]
        style = Style(RED, "D") if one["agent"] == "human" else Style(SERIES[0], "o")
        strength, low, high = (one[column] for column in strengths)
        texts = [format_limits(strength, low, high, no_limit)]
        low = -math.inf if no_limit in ("low", "both") else low
        high = math.inf if no_limit in ("high", "both") else high
        rank, *ranks = (one[column] for column in ("rank", "rank_low", "rank_high"))
        beside = [f"{rank:.0f} ({ranks[0]:.0f} to {ranks[1]:.0f})", one["group"]]
        marks = [
            Mark(strength, (low, high), style, texts),
            Mark(rank, tuple(ranks), style, beside, chart=1, name=f"{name}, rank"),
        ]
        asked = f", {one['aspect']}" * (ranked["aspect"].nunique() > 1)
        lines.append(Row(name, marks, f"{one['task_label']}: {one['cohort_label']}{asked}"))
    return draw_page("ranking", data, lines, charts, size=pages.BODY)


def draw_synthesis(data: pd.DataFrame) -> Figure:
    """Draw odds of machines of being called human against a person's, over all studies, grouped by task."""
    if data.empty:
        return pages.make_empty_page(
            "No study has observed or printed verdicts of people on both people and machines."
        )
    low, high = limits = find_limits(data)
    title = "Odds of being judged human, against a person's"
    interval = f"odds ratio ({data['level'].iloc[0]:.0%} interval)"
    heads = [interval, "judged human", "I\N{SUPERSCRIPT TWO} of cohorts"]
    ticks = [tick for tick in TICKS if low <= tick <= high]
    chart = Chart(limits, 1, title=title, heads=heads, ticks=ticks, is_logarithmic=True)
    records = pages.list_records(data)
    lines = [Row(one["label"], [make_odds_mark(one)], one["section"]) for one in records]
    key = make_key(OBTAINED, set(map(name_source, records)))
    return draw_page("synthesis", data, lines, [chart], key, row=3.6)


def make_odds_mark(one: Record) -> Mark:
    """Make the mark of an agent, with its odds ratio and counts in words."""
    ratio, *ends = (one[name] for name in ("odds_ratio", "ci_low", "ci_high"))
    # Two decimals, or two digits below 0.1.
    words = [f"{part:.2g}" if part < 0.095 else f"{part:.2f}" for part in (ratio, *ends)]
    spread = "" if pd.isna(one["q"]) else f"{one['i_squared']:.0%} (p = {one['q_p']:.2f})"
    texts = ["{} ({} to {})".format(*words), f"{one['k']:,.0f} of {one['n']:,.0f}", spread]
    return Mark(ratio, tuple(ends), OBTAINED[name_source(one)], texts)


def name_source(one: Record) -> str:
    """Name how the verdicts about an agent were obtained."""
    if one["design"] == "choices between a person and a machine":
        return "choices"
    return "printed counts" if one["data"] == "published counts" else "observed verdicts"


def find_limits(data: pd.DataFrame) -> tuple[float, float]:
    """Find the limits of odds: all values and 1, and all intervals within a factor of 50."""
    values = [*data["odds_ratio"], 1.0]
    ends = np.clip(data[["ci_low", "ci_high"]].to_numpy(float), TICKS[0], TICKS[-1])
    return min(*values, np.nanmin(ends)) / 1.15, max(*values, np.nanmax(ends), 2) * 1.15


def make_key(styles: dict[str, Style], present: Collection[str] | None = None) -> list[Entry]:
    """Make the key of some looks, or of those that are present."""
    return [
        (name.capitalize(), style.marks)
        for name, style in styles.items()
        if present is None or name in present
    ]


def draw_page(
    name: str,
    data: pd.DataFrame,
    lines: list[Row],
    charts: list[Chart],
    key: Sequence[Entry] = (),
    *,
    noted: pd.DataFrame | None = None,
    size: float = pages.SMALL,
    row: float = rows.ROW,
    **facts: Any,
) -> Figure:
    """Draw a figure of rows with its note, which is about the rows `noted`, by default all."""
    note = write_note(name, data if noted is None else noted, **facts)
    table = rows.RowTable(lines, charts, key=key, size=size, row=row)
    return rows.draw_row_page(data, note, table)
