"""Panels of ratings or scores: bars of their shares for people and for each agent, and ROC curves."""

import math
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.files import select_rows
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows, RowsKind, Scales
from turingstats.figures.marks import Entry, draw_estimate, draw_key
from turingstats.figures.pages import SMALL, Place
from turingstats.figures.palette import GREY, INK, MARKERS, SERIES, Style
from turingstats.figures.picking import describe_agent, select_cohort_rows
from turingstats.figures.rows import DASHED, Chart, Mark, Row, RowTable, draw_table

ROW, BAR = 5.2, 3.9  # distance and height of bars, mm
WRITTEN = 0.08
"""Smallest share that is written in its part of a bar."""
WITH_INTERVAL = {"reading": "recommended"}
"""Ratings have intervals in both readings."""
CURVES, WIDE, AXIS = 26, 46, 8  # height and greatest width of axes of curves, and space below, mm
MARKED = 24
"""Largest number of points of a curve that are marked one by one."""
RATED = (
    "cohort", "cohort_label", "judge_kind", "value", "se", "ci_low", "ci_high", "n", "n_judges",
)  # fmt: skip
"""Columns of a rating that panels show."""


class Ratings(RowsKind):
    """Shares of the points of a scale."""

    kinds = ("ratings",)
    counts_judges = True

    def select(self, panel: RatingsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the share of trials at each point, and the mean, of people's and each agent's responses."""
        table = select_ratings(results, panel, study, reading)
        table = table[table["quantity"].isin(["share", "mean"])]
        return [
            describe_rating(row, panel, study) | {"group_by": "judge", "group": judge or None}
            for judge in table["series"].unique()
            for agent in ("human", *(agent for agent in panel.agents if agent != "all"))
            for row in select_rows(table, series=judge, agent=agent).to_dict("records")
        ]

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange a row per agent, in sections of judges, with its number of ratings and their mean."""
        lines = []
        means = rows[rows["quantity"] == "mean"].fillna({"group": ""})
        for row in pages.list_records(means):
            texts = [
                f"{row['n']:,.0f}",
                f"{row['value']:.2f} {pages.format_spread(row | WITH_INTERVAL)}",
            ]
            mark = Mark(math.nan, (math.nan, math.nan), Style(GREY), texts)
            lines.append(Row(row["agent_label"], [mark], row["group"]))
        chart = Chart((0, 1), title="Percent of ratings", heads=["n", "mean"], ticks=[])
        return RowTable(lines, [chart], make_key(rows), row=ROW)

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw bars of shares, from the end of the scale that means human to the one that means machine."""
        (axes,), middles, _, bottom = draw_table(canvas, self.arrange(rows, scales), place)
        axes.spines["bottom"].set_visible(False)
        shares = rows[rows["quantity"] == "share"].fillna({"group": ""})
        bars = [part for _, part in shares.groupby(["group", "agent"], sort=False)]
        for part, y in zip(bars, middles, strict=True):
            start = 0.0
            for row, color in zip(pages.list_records(part), shade_points(len(part)), strict=True):
                axes.barh(
                    y, row["value"], BAR, start, color=color, edgecolor="white", linewidth=0.3
                )
                if row["value"] >= WRITTEN:
                    text, x = f"{100 * row['value']:.0f}", start + row["value"] / 2
                    ink = pages.choose_ink(color)
                    axes.text(x, y, text, size=SMALL, ha="center", va="center_baseline", color=ink)
                start += row["value"]
        return bottom


class RatingCurves(PanelKind):
    """ROC curves of ratings and scores."""

    kinds = ("rating curves",)
    counts_judges = True

    def select(self, panel: RatingsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the points of each curve, and the area under it.

        Curves are those of agents; of several machine judges, each has one curve, of all agents together.
        """
        table = select_ratings(results, panel, study, reading)
        if table.empty:
            return []
        if not {"roc"} & set(table["quantity"]):
            return [{"kind": "no data", "note": "no responses of both people and machines"}]
        judges = list(table["series"].unique())
        machines = [agent for agent in table["agent"].unique() if agent != "human"]
        pooled = "all" if "all" in machines else next(iter(machines), None)
        agents = [agent for agent in panel.agents if agent in machines]
        if len(agents) == 2 and "all" in agents:
            agents.remove("all")
        wanted, by = [{"agent": agent} for agent in agents], "agent"
        if len(judges) > 1:
            wanted, by = [{"series": judge, "agent": pooled} for judge in judges], "judge"
        rows = []
        table = table[table["quantity"].isin(["roc", "roc_area"])]
        for curve in wanted:
            for row in select_rows(table, **curve).to_dict("records"):
                rated = describe_rating(row, panel, study) | {"x": row["x"], "group_by": by}
                rated["group"] = curve.get("series") or rated["agent_label"]
                rated["note"] = row["method"] if row["quantity"] == "roc_area" else None
                rows.append(rated)
        return rows

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the curves with the line of chance, and a key with the areas under them below."""
        left, top, width = place
        axes = pages.add_inset(canvas, left + 8, top + 0.5, min(WIDE, width - 9.5), CURVES)
        axes.patch.set_visible(False)
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
        axes.plot([0, 1], [0, 1], **DASHED)
        axes.set_xlabel("False alarms", labelpad=1.5, size=SMALL)
        axes.set_ylabel("Hits", labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        for style, part in style_curves(rows):
            axes.plot(part["x"], part["value"], color=style.color, linewidth=1, clip_on=False)
            for row in pages.list_records(part) if len(part) <= MARKED else ():
                at, ends = (row["x"], row["value"]), (row["ci_low"], row["ci_high"])
                tip = f"{row['group']}: hits at {row['x']:.2f} false alarms"
                draw_estimate(axes, *at, ends, style.color, style.marker, tip=tip, ms=2.6)
        return 1 + draw_key(canvas, make_curve_key(rows), left, top + CURVES + AXIS + 1, width)


def style_curves(rows: pd.DataFrame) -> list[tuple[Style, pd.DataFrame]]:
    """Choose the look of each curve, and sort its points; that of all models together is black."""
    points = rows[rows["quantity"] == "roc"].sort_values(["x", "value"])
    curves = []
    for number, group in enumerate(rows["group"].unique()):
        part = points[points["group"] == group]
        pooled = (part["agent"] == "all") & (part["group_by"] == "agent")
        style = Style(SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)])
        curves.append((Style(INK) if pooled.any() else style, part))
    return curves


def describe_rating(row: dict[str, Any], panel: RatingsPanel, study: Study) -> dict[str, Any]:
    """Describe a row of ratings: its numbers, whose responses and which quantity."""
    described = {name: row[name] for name in (*RATED, "quantity")} | {"text": row["level"]}
    return described | describe_agent(row["agent"], panel, study)


def select_ratings(
    results: dict[str, pd.DataFrame], panel: RatingsPanel, study: Study, reading: Reading
) -> pd.DataFrame:
    """Select the ratings of the cohorts of a panel; `series` is a machine judge, or empty for people."""
    cohorts = study.tasks[panel.task].cohorts
    tables = []
    for name in panel.cohort_names:
        table = select_cohort_rows(results["ratings"], panel, name)
        described = cohorts.get(name)
        label = described.label if described else name
        series = table["judge"].fillna("")
        if len(panel.cohort_names) > 1:
            series = series.where(series != "", label)
        tables.append(table.assign(series=series, cohort_label=label))
    table = pd.concat(tables)
    return table[table["reading"] == reading]


def shade_points(number: int) -> list[Any]:
    """Shade the points of a scale, from human to machine."""
    return list(map(matplotlib.colormaps["Blues"], np.linspace(0.06, 0.9, number)))


def make_key(rows: pd.DataFrame) -> list[Entry]:
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


def make_curve_key(rows: pd.DataFrame) -> list[Entry]:
    """Make the key: the name of each curve, and the area under it with an interval."""
    entries: list[Entry] = []
    areas = pages.list_records(rows[rows["quantity"] == "roc_area"])
    for row, (style, part) in zip(areas, style_curves(rows), strict=False):
        spread = pages.format_spread(row | WITH_INTERVAL)
        text = f"{row['group']}: AUC {row['value']:.2f} {spread}".strip()
        line = {"color": style.color, "linewidth": 1}
        entries.append((text, line | ({"marker": style.marker} if len(part) <= MARKED else {})))
    return entries
