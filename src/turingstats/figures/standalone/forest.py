"""Detectability of every agent, from a mixed model with random judges and stimuli, and pooled."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_p, format_with_interval
from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import (
    Chart,
    Mark,
    Row,
    RowTable,
    draw_row_page,
    find_tenths,
    list_tenths,
)

STYLES = {"mixed model": Style(SERIES[0], "o"), "pooled trials": Style(SERIES[2], "D")}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the two estimates of each agent, grouped by task."""
    if data.empty:
        return pages.make_empty_page("No model that compares agents could be fitted to these data.")
    limits = find_tenths(data[["ci_low", "ci_high"]])
    heads = [f"value ({data['level'].iloc[0]:.0%} interval)", "verdicts", "p"]
    chart = Chart(limits, 0.5, title="Detectability", heads=heads, ticks=list_tenths(*limits))
    key = [(source.capitalize(), style.marks) for source, style in STYLES.items()]
    table = RowTable(list(list_rows(data)), [chart], key=key, size=SMALL, row=3)
    return draw_row_page(data, write_note("forest", data), table)


def list_rows(data: pd.DataFrame) -> Iterator[Row]:
    """Yield the rows of agents: the estimate of the mixed model, and of pooled trials below it."""
    for _, task in data.groupby("task", sort=False):
        mixed = task[task["source"] == "mixed model"].iloc[0]
        cohort = mixed["cohort_label"]
        heading = f"{mixed['task_label']}: {cohort[0].lower()}{cohort[1:]}"
        for name, agent in task.groupby("agent_label", sort=False):
            marks = [
                Mark(
                    one["value"], (one["ci_low"], one["ci_high"]), STYLES[source],
                    [
                        format_with_interval(one["value"], one["ci_low"], one["ci_high"]),
                        f"{one['n']:,.0f}",
                        format_p(one["p"]) if source == "mixed model" else "",
                    ],
                    name=f"{name}, {source}",
                )
                for source in STYLES
                for one in pages.list_records(agent[agent["source"] == source])
            ]  # fmt: skip
            yield Row(name, marks, heading)
