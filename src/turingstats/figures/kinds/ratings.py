"""Panel of the distribution of ratings or scores: one bar of shares for people and for each agent."""

import math
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures.kinds.base import Results, Rows, RowsKind
from turingstats.figures.look import Look
from turingstats.figures.pages import SMALL, Place, choose_ink, format_spread, list_records
from turingstats.figures.palette import GREY, Style
from turingstats.figures.picking import RATED, describe_agent, select_ratings
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_table

ROW, BAR = 5.2, 3.9  # distance and height of bars, mm
WRITTEN = 0.08
"""Smallest share that is written in its part of a bar."""
WITH_INTERVAL = {"reading": "recommended"}
"""Ratings have intervals in both readings."""


class Ratings(RowsKind):
    """Shares of the points of a scale."""

    kinds = ("ratings",)
    counts_judges = True

    def select(self, panel: RatingsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the share of trials at each point, and the mean, of people's and each agent's responses."""
        table = select_ratings(results, panel, study, reading)
        rows = []
        judges = list(dict.fromkeys(table["series"]))
        agents = ("human", *(agent for agent in panel.agents if agent != "all"))
        for judge in judges:
            for agent in agents:
                part = table[(table["series"] == judge) & (table["agent"] == agent)]
                part = part[part["quantity"].isin(["share", "mean"])]
                for row in part.to_dict("records"):
                    of = {"group_by": "judge", "group": judge or None, "text": row["level"]}
                    of |= describe_agent(agent, panel, study) | {"quantity": row["quantity"]}
                    rows.append({name: row[name] for name in RATED} | of)
        return rows

    def arrange(self, rows: pd.DataFrame, look: Look) -> RowTable:
        """Arrange a row per agent, in sections of judges, with its number of ratings and their mean."""
        lines = []
        means = rows[rows["quantity"] == "mean"].fillna({"group": ""})
        for row in list_records(means):
            texts = [f"{row['n']:,.0f}", f"{row['value']:.2f} {format_spread(row | WITH_INTERVAL)}"]
            mark = Mark(math.nan, (math.nan, math.nan), Style(GREY), texts)
            lines.append(Row(row["agent_label"], [mark], row["group"]))
        chart = Chart((0, 1), title="Percent of ratings", heads=["n", "mean"], ticks=[])
        return RowTable(lines, [chart], make_key(rows), row=ROW)

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, look: Look) -> float:
        """Draw bars of shares, from the end of the scale that means human to the one that means machine."""
        (axes,), middles, _, bottom = draw_table(canvas, self.arrange(rows, look), place)
        axes.spines["bottom"].set_visible(False)
        shares = rows[rows["quantity"] == "share"].fillna({"group": ""})
        bars = [part for _, part in shares.groupby(["group", "agent"], sort=False)]
        for part, y in zip(bars, middles, strict=True):
            start = 0.0
            for row, color in zip(list_records(part), shade_points(len(part)), strict=True):
                axes.barh(
                    y, row["value"], BAR, start, color=color, edgecolor="white", linewidth=0.3
                )
                if row["value"] >= WRITTEN:
                    text, x = f"{100 * row['value']:.0f}", start + row["value"] / 2
                    ink = choose_ink(color)
                    axes.text(x, y, text, size=SMALL, ha="center", va="center_baseline", color=ink)
                start += row["value"]
        return bottom


def shade_points(number: int) -> list[Any]:
    """Shade the points of a scale, from human to machine."""
    return list(map(matplotlib.colormaps["Blues"], np.linspace(0.06, 0.9, number)))


def make_key(rows: pd.DataFrame) -> list[tuple[str, dict[str, Any]]]:
    """Make the key of the points of a scale, or of the first and the last if they are bins of scores."""
    points = list(dict.fromkeys(rows.loc[rows["quantity"] == "share", "text"].astype(str)))
    colors = shade_points(len(points))
    square = {"marker": "s", "ls": "", "ms": 6, "mec": GREY, "mew": 0.3}
    ends = {0: " (human)", len(points) - 1: " (machine)"}
    return [
        (
            (f"{float(point):g}" if " " not in point else point) + ends.get(at, ""),
            square | {"color": color},
        )
        for at, (point, color) in enumerate(zip(points, colors, strict=True))
        if at in ends or " " not in point
    ]
