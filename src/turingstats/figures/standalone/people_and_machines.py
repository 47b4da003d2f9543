"""Machine judges beside people who judged the same responses: accuracy, and agreement."""

from collections.abc import Iterable
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page, find_tenths

RHO, OMEGA = "\N{GREEK SMALL LETTER RHO}", "\N{GREEK SMALL LETTER OMEGA}"
TEXTS = {"corrected r": "corrected_correlation", RHO: "advantage", OMEGA: "winning_rate_0.10"}
"""Heads of the texts beside the agreement, and their quantities."""
STYLES = {
    "accuracy, people minus machine": Style(SERIES[0], "o"),
    "agreement, machine with people": Style(SERIES[1], "D"),
    "agreement, people with each other": Style(SERIES[2], "s", filled=False),
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per machine judge, in sections of tasks and groups of people."""
    if data.empty:
        return pages.make_empty_page("No machine judge shares five named stimuli with people.")
    columns = [f"accuracy_difference{end}" for end in ("", "_low", "_high")]
    texts = choose_texts(data)
    charts = [
        Chart(find_tenths(data[columns], 0), 0, title="Accuracy: people minus machine"),
        Chart((0, 1), title="Agreement", heads=[*texts], ticks=[0, 0.5, 1]),
    ]
    rows = [
        Row(
            one["machine_label"],
            list_marks(one, texts.values()),
            f"{one['task_label']}: {one['cohort_label']}",
        )
        for one in pages.list_records(data.sort_values(["task", "cohort"], kind="stable"))
    ]
    key = [(name.capitalize(), style.marks) for name, style in STYLES.items()]
    return draw_row_page(
        data,
        write_note("people_and_machines", data, beside=list(choose_texts(data))),
        RowTable(rows, charts, key=key, size=SMALL),
    )


def choose_texts(data: pd.DataFrame) -> dict[str, str]:
    """Choose the quantities that are known of most machine judges; those of few are in the table."""
    return {head: name for head, name in TEXTS.items() if data[name].notna().mean() >= 0.5}


def list_marks(one: dict[str, Any], shown: Iterable[str]) -> list[Mark]:
    """List the marks of a machine judge, with the quantities that are written beside them."""
    texts = []
    for name in shown:
        text = format_with_interval(one[name], one[f"{name}_low"], one[f"{name}_high"])
        texts.append(use_minus_signs(text) if one[name] == one[name] else "")
    names = ("accuracy_difference", "agreement", "people_agreement")
    return [
        Mark(
            one[name], (one[f"{name}_low"], one[f"{name}_high"]), style, texts if name == "agreement" else (),
            chart=int(name != "accuracy_difference"), name=f"{one['machine_label']}, {what}",
        )
        for name, (what, style) in zip(names, STYLES.items(), strict=True)
        if one[name] == one[name]
    ]  # fmt: skip
