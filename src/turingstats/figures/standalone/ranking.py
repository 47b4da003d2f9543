"""Strengths of agents in the order of their ranks, with intervals, and ranks beside."""

import math

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.palette import RED, SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

MACHINE, PEOPLE = Style(SERIES[0], "o"), Style(RED, "D")


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, in sections of tasks and groups of judges."""
    ranked = data[data["rank"].notna()]
    if ranked.empty:
        return pages.make_empty_page(
            "No two agents can be compared: see the notes in strengths.csv."
        )
    ends = ranked[["value", "ci_low", "ci_high"]]
    limits = (
        math.floor(ends.min(axis=None) * 2 - 0.2) / 2,
        math.ceil(ends.max(axis=None) * 2 + 0.2) / 2,
    )
    most = int(ranked["rank"].max())
    ticks = [*range(1, most + 1, max(1, most // 8))]
    charts = [
        Chart(limits, 0, "Log odds against an average agent", "Strength", [""]),
        Chart((0.5, most + 0.5), title="Rank", heads=["", "group"], ticks=ticks),
    ]
    rows = []
    for one in pages.list_records(ranked):
        style = PEOPLE if one["agent"] == "human" else MACHINE
        low, high = one["rank_low"], one["rank_high"]
        strength = format_with_interval(one["value"], one["ci_low"], one["ci_high"])
        marks = [
            Mark(one["value"], (one["ci_low"], one["ci_high"]), style, [use_minus_signs(strength)]),
            Mark(
                one["rank"],
                (low, high),
                style,
                [f"{one['rank']:.0f} ({low:.0f} to {high:.0f})", one["group"]],
                chart=1,
            ),
        ]
        rows.append(Row(one["agent_label"], marks, f"{one['task_label']}: {one['cohort_label']}"))
    return draw_row_page(data, explain_figure(data), RowTable(rows, charts))


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    ranked, first = data[data["rank"].notna()], data.iloc[0]
    over = (
        " or ".join(ranked["error_over"].dropna().unique()) or "nothing: too few judges and stimuli"
    )
    sentences = [
        f"Bradley-Terry model of {first['cohort_label'].lower()}' choices, ties as half wins."
        if data["cohort"].nunique() == 1
        else "Bradley-Terry model of choices, ties as half wins.",
        f"Lines: {first['level']:.0%} intervals over {over}; those of ranks hold for all agents at once. "
        "Agents with a letter in common are not told apart.",
    ]
    out = data[data["rank"].isna()]
    sentences += [
        f"{label}: {note}." for label, note in zip(out["agent_label"], out["note"], strict=True)
    ]
    return " ".join([*sentences, f"Recommended reading. {first['data'].capitalize()}."])
