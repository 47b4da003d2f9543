"""Odds of machines of being called human against a person's, over all studies: a forest plot."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import SMALL
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page

TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
CHOICE = "choices between a person and a machine"
STYLES = {
    "observed verdicts": Style(SERIES[0], "o"),
    "printed counts": Style(SERIES[0], "o", filled=False),
    "choices": Style(SERIES[0], "s", filled=False),
}
"""Looks of agents by how their verdicts were obtained."""


def draw(data: pd.DataFrame) -> Figure:
    """Draw one row per agent, grouped by task."""
    if data.empty:
        return pages.make_empty_page(
            "No study has observed or printed verdicts of people on both people and machines."
        )
    low, high = limits = find_limits(data)
    title = "Odds of being judged human, against a person's"
    heads = [
        f"odds ratio ({data['level'].iloc[0]:.0%} interval)",
        "judged human",
        "I\N{SUPERSCRIPT TWO} of cohorts",
    ]
    ticks = [tick for tick in TICKS if low <= tick <= high]
    chart = Chart(limits, 1, title=title, heads=heads, ticks=ticks, is_logarithmic=True)
    records = pages.list_records(data)
    rows = [Row(row["label"], [make_mark(row)], row["section"]) for row in records]
    shown = set(map(choose_look, records))
    key = [(name.capitalize(), style.marks) for name, style in STYLES.items() if name in shown]
    table = RowTable(rows, [chart], key=key, size=SMALL, row=3.6)
    return draw_row_page(data, write_note("synthesis", data), table)


def make_mark(row: dict[str, Any]) -> Mark:
    """Make the mark of an agent, with its odds ratio and counts in words."""
    names = ("odds_ratio", "ci_low", "ci_high")
    ratio = "{} ({} to {})".format(*(format_factor(row[name]) for name in names))
    spread = "" if pd.isna(row["q"]) else f"{row['i_squared']:.0%} (p = {row['q_p']:.2f})"
    texts = [ratio, f"{row['k']:,.0f} of {row['n']:,.0f}", spread]
    style = STYLES[choose_look(row)]
    return Mark(row["odds_ratio"], (row["ci_low"], row["ci_high"]), style, texts)


def choose_look(row: dict[str, Any]) -> str:
    """Choose the look of an agent: how its verdicts were obtained."""
    if row["design"] == CHOICE:
        return "choices"
    return "printed counts" if row["data"] == "published counts" else "observed verdicts"


def find_limits(data: pd.DataFrame) -> tuple[float, float]:
    """Find the limits of the scale: all values and 1, and all intervals within a factor of 50."""
    values = [*data["odds_ratio"], 1.0]
    ends = np.clip(data[["ci_low", "ci_high"]].to_numpy(float), TICKS[0], TICKS[-1])
    return min(*values, np.nanmin(ends)) / 1.15, max(*values, np.nanmax(ends), 2) * 1.15


def format_factor(value: float) -> str:
    """Format a factor with two decimals, or with two digits if it is below 0.1."""
    return f"{value:.2g}" if value < 0.095 else f"{value:.2f}"
