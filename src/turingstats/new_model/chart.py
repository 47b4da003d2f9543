"""Chart of a new model's detectability beside that of the other models, judge by judge."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_interval
from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import GREY, RED, Style
from turingstats.figures.rows import (
    Chart,
    Mark,
    Row,
    RowTable,
    draw_row_page,
    find_tenths,
    list_tenths,
)

NEW, OTHER = Style(RED, "D"), Style(GREY)


def draw(scores: pd.DataFrame, name: str, level: float) -> Figure:
    """Draw the scores of one reading, sorted by detectability within each judge."""
    limits = find_tenths(scores[["value", "ci_low", "ci_high"]])
    heads = [f"value ({level:.0%} interval)", "verdicts"]
    chart = Chart(limits, 0.5, title="Detectability", heads=heads, ticks=list_tenths(*limits))
    key = [(name, NEW.marks), ("Other models", OTHER.marks)]
    table = RowTable(list(list_rows(scores)), [chart], key=key, size=SMALL, row=3)
    return draw_row_page(scores, write_note("new_model", scores), table)


def list_rows(scores: pd.DataFrame) -> Iterator[Row]:
    """Yield a row for each model under each judge, the hardest to distinguish from people first."""
    for judge, part in scores.groupby("judge_label", sort=False):
        for one in pages.list_records(part.sort_values("value", kind="stable")):
            ends = one["ci_low"], one["ci_high"]
            count = "" if pd.isna(one["n_machine"]) else f"{one['n_machine']:,.0f}"
            texts = [format_with_interval(one["value"], *ends), count]
            style = NEW if one["submitted"] else OTHER
            color = RED if one["submitted"] else Row._field_defaults["color"]
            yield Row(
                one["agent_label"], [Mark(one["value"], ends, style, texts)], judge, color=color
            )
