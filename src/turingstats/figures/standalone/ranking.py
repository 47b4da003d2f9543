"""Strengths of agents in the order of their ranks, with intervals, and ranks beside."""

import math

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_limits
from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.palette import RED, SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

MACHINE, PEOPLE = Style(SERIES[0], "o"), Style(RED, "D")


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, in sections of tasks and groups of judges."""
    data = data.fillna({"no_limit": "", "note": ""})
    ranked = data[data["rank"].notna()]
    if ranked.empty:
        return pages.make_empty_page(
            "No two agents can be compared: see the notes in strengths.csv."
        )
    ends = ranked[["value", "ci_low", "ci_high"]]
    # An arrow leaves the chart.
    beyond = 0.5 * (ranked["no_limit"] != "").any()
    limits = (
        math.floor(ends.min(axis=None) * 2 - 0.2) / 2 - beyond,
        math.ceil(ends.max(axis=None) * 2 + 0.2) / 2 + beyond,
    )
    most = int(ranked["rank"].max())
    ticks = [*range(1, most + 1, max(1, most // 8))]
    charts = [
        Chart(limits, 0, "Log odds of score against average agent", "Strength", [""]),
        Chart((0.5, most + 0.5), title="Rank", heads=["", "group"], ticks=ticks),
    ]
    rows = []
    for one in pages.list_records(ranked):
        style = PEOPLE if one["agent"] == "human" else MACHINE
        low, high = one["rank_low"], one["rank_high"]
        strength = format_limits(one["value"], one["ci_low"], one["ci_high"], one["no_limit"])
        open_low, open_high = (one["no_limit"] in (end, "both") for end in ("low", "high"))
        ends = -math.inf if open_low else one["ci_low"], math.inf if open_high else one["ci_high"]
        marks = [
            Mark(one["value"], ends, style, [strength]),
            Mark(
                one["rank"],
                (low, high),
                style,
                [f"{one['rank']:.0f} ({low:.0f} to {high:.0f})", one["group"]],
                chart=1,
                name=f"{one['agent_label']}, rank",
            ),
        ]
        asked = f", {one['aspect']}" * (ranked["aspect"].nunique() > 1)
        section = f"{one['task_label']}: {one['cohort_label']}{asked}"
        rows.append(Row(one["agent_label"], marks, section))
    return draw_row_page(data, write_note("ranking", data), RowTable(rows, charts))
