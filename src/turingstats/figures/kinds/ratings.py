"""Panel of the distribution of ratings or scores: one bar of shares for people and for each agent."""

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY, INK
from turingstats.figures.picking import RATED, describe_units, label_agent, select_ratings

# Space above bars, their distance and height, and height of a heading, mm.
HEAD, ROW, BAR, GROUP = 8.2, 5.2, 3.9, 4.6
WRITTEN = 0.08
"""Smallest share that is written in its part of a bar."""


class Ratings(PanelKind):
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
                    rows.append(
                        {name: row[name] for name in RATED}
                        | {
                            "group_by": "judge",
                            "group": judge or None,
                            "agent": agent,
                            "agent_label": label_agent(agent, panel, study),
                            "quantity": row["quantity"],
                            "text": row["level"],
                        }
                    )
        return rows

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return HEAD + sum(measure_bar(bar) for bar in arrange_bars(rows, width)) + 1

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw bars of shares, from the end of the scale that means human to the one that means machine."""
        left, top, width, _ = box
        bars = arrange_bars(rows, width)
        points = list(dict.fromkeys(str(row["text"]) for row in bars[0]["shares"]))
        shades = np.linspace(0.06, 0.9, len(points))
        colors = list(map(matplotlib.colormaps["Blues"], shades))
        names = max(pages.measure_text(line) for bar in bars for line in bar["lines"])
        counts = max(pages.measure_text(bar["n"], SMALL) for bar in bars)
        means = max(pages.measure_text(bar["mean"], SMALL) for bar in bars)
        start = left + names + counts + 4.5
        wide = left + width - means - 2 - start
        draw_key(canvas, points, colors, start, top, wide)
        pages.write_lines(canvas, start - 1.5, top + HEAD - 1, "n", SMALL, ha="right", color=GREY)
        pages.write_lines(
            canvas, left + width, top + HEAD - 1, "mean", SMALL, ha="right", color=GREY
        )
        y = top + HEAD
        for bar in bars:
            if bar["heading"]:
                pages.write_lines(canvas, left, y + 3.2, bar["heading"], weight="semibold")
                y += GROUP
            middle = y + (measure_bar(bar) - (GROUP if bar["heading"] else 0)) / 2
            first = middle + 0.9 - LINE[BODY] * (len(bar["lines"]) - 1) / 2
            pages.write_lines(canvas, left, first, bar["lines"])
            small: dict[str, Any] = {"size": SMALL, "ha": "right", "color": GREY}
            pages.write_lines(canvas, start - 1.5, middle + 0.8, bar["n"], **small)
            pages.write_lines(canvas, left + width, middle + 0.8, bar["mean"], **small)
            x = start
            for row, color in zip(bar["shares"], colors, strict=True):
                part = wide * row["value"]
                pages.draw_box(
                    canvas, x, middle - BAR / 2, part, BAR,
                    facecolor=color, edgecolor="white", linewidth=0.3,
                )  # fmt: skip
                if row["value"] >= WRITTEN:
                    ink = pages.choose_ink(color)
                    text = f"{100 * row['value']:.0f}"
                    pages.write_lines(
                        canvas, x + part / 2, middle + 0.8, text, SMALL, ha="center", color=ink
                    )
                x += part
            y += measure_bar(bar) - (GROUP if bar["heading"] else 0)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "ratings"]
        return [
            "Bars: percent of ratings at each point of the scale, or of scores in each bin, for the "
            f"responses of people and of each model; mean, with {foot.interval} {describe_units(shown)}."
        ]


def arrange_bars(rows: pd.DataFrame, width: float) -> Rows:
    """Arrange the bars in order, each with its wrapped name, its numbers as text, and a heading."""
    bars, heading = [], None
    for (judge, agent), part in rows.fillna({"group": ""}).groupby(["group", "agent"], sort=False):
        records = pages.list_records(part)
        (mean,) = [row for row in records if row["quantity"] == "mean"]
        spread = ""
        if mean["ci_low"] == mean["ci_low"]:
            spread = f" ({mean['ci_low']:.2f}\N{EN DASH}{mean['ci_high']:.2f})"
        bars.append(
            {
                "agent": agent,
                "lines": pages.wrap_text(str(mean["agent_label"]), 0.3 * width),
                "heading": str(judge) if judge and judge != heading else None,
                "n": f"{mean['n']:,.0f}",
                "mean": f"{mean['value']:.2f}{spread}",
                "shares": [row for row in records if row["quantity"] == "share"],
            }
        )
        heading = judge
    return bars


def measure_bar(bar: dict[str, Any]) -> float:
    """Measure the height of a bar with its name and heading (mm)."""
    return ROW + LINE[BODY] * (len(bar["lines"]) - 1) + (GROUP if bar["heading"] else 0)


def draw_key(
    canvas: Axes,
    points: list[str],
    colors: list[tuple[float, float, float, float]],
    left: float,
    top: float,
    width: float,
) -> None:
    """Draw the key of the points, from human to machine."""
    step = width / len(points)
    for i, (point, color) in enumerate(zip(points, colors, strict=True)):
        pages.draw_box(
            canvas, left + i * step, top + 3, step, 2.4, facecolor=color, edgecolor="none"
        )
        name = f"{float(point):g}" if " " not in point else point.partition(" ")[0]
        at = left + (i + 0.5) * step if " " not in point else left + i * step
        ink = pages.choose_ink(color) if " " not in point else INK
        y = top + 4.9 if " " not in point else top + 7.4
        if " " not in point or i % 5 == 0:
            pages.write_lines(canvas, at, y, name, SMALL, ha="center", color=ink)
    if " " in points[-1]:
        last = points[-1].rpartition(" ")[2]
        pages.write_lines(canvas, left + width, top + 7.4, last, SMALL, ha="center")
    pages.write_lines(canvas, left, top + 2.2, "human", SMALL, color=GREY)
    pages.write_lines(canvas, left + width, top + 2.2, "machine", SMALL, ha="right", color=GREY)
