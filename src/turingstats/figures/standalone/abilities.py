"""How far judges and stimuli differ: spread of the random effects of mixed models."""

import math

import pandas as pd
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

STYLES = {"judges": Style(SERIES[0], "o"), "stimuli": Style(SERIES[2], "D")}
EFFECTS = {
    "bias": "Judges' bias",
    "sensitivity": "Judges' sensitivity",
    "ability": "Judges' ability",
    "difficulty": "Stimuli's difficulty",
    "stimulus bias": "Stimuli's bias",
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the standard deviation of each effect, in sections of tasks."""
    if data.empty:
        return pages.make_empty_page(
            "No fitted model has random abilities of judges or difficulties of stimuli."
        )
    chart = Chart(
        (0, math.ceil(2 * data["value"].max() + 0.1) / 2),
        title="Standard deviation, log odds",
        heads=["SD", "judges or stimuli", "differ from the average"],
    )
    rows = []
    for one in pages.list_records(data):
        style = STYLES["stimuli" if one["effect"] in ("difficulty", "stimulus bias") else "judges"]
        texts = [f"{one['value']:.2f}", f"{one['n']:,.0f}", f"{one['n_distinct']:,.0f}"]
        mark = Mark(one["value"], (math.nan, math.nan), style, texts)
        heading = f"{one['task_label']}: {one['cohort_label']}"
        rows.append(Row(EFFECTS[one["effect"]], [mark], heading))
    key = [(name.capitalize(), style.marks) for name, style in STYLES.items()]
    return draw_row_page(data, write_note("abilities", data), RowTable(rows, [chart], key=key))
