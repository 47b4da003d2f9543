"""Panel of ROC curves of ratings and scores."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Look
from turingstats.figures.marks import Entry, draw_estimate, draw_key
from turingstats.figures.pages import SMALL, Place
from turingstats.figures.palette import INK, MARKERS, SERIES, Style
from turingstats.figures.picking import RATED, describe_agent, select_ratings
from turingstats.figures.rows import DASHED

CHART, WIDE, AXIS = 26, 46, 8  # height and greatest width of axes, and space below, mm
WITH_INTERVAL = {"reading": "recommended"}
"""Curves have intervals in both readings."""
MARKED = 24
"""Largest number of points of a curve that are marked one by one."""


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
        judges = list(dict.fromkeys(table["series"]))
        machines = [agent for agent in table["agent"].unique() if agent != "human"]
        pooled = "all" if "all" in machines else next(iter(machines), None)
        by_judge = len(judges) > 1
        agents = [agent for agent in panel.agents if agent in machines]
        if len(agents) == 2 and "all" in agents:
            agents.remove("all")
        wanted = [(judge, pooled) for judge in judges] if by_judge else [("", a) for a in agents]
        table = table.assign(series=table["series"] if by_judge else "")
        rows = []
        for judge, agent in wanted:
            part = table[(table["series"] == judge) & (table["agent"] == agent)]
            shared = describe_agent(agent, panel, study)
            shared |= {"group_by": "judge" if by_judge else "agent"}
            shared["group"] = judge or shared["agent_label"]
            for row in part[part["quantity"].isin(["roc", "roc_area"])].to_dict("records"):
                own = {"quantity": row["quantity"], "text": row["level"]}
                own["note"] = row["method"] if row["quantity"] == "roc_area" else None
                rows.append({name: row[name] for name in ("x", *RATED)} | shared | own)
        return rows

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, look: Look) -> float:
        """Draw the curves with the line of chance, and a key with the areas under them below."""
        left, top, width = place
        axes = pages.add_inset(canvas, left + 8, top + 0.5, min(WIDE, width - 9.5), CHART)
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
        return 1 + draw_key(canvas, make_key(rows), left, top + CHART + AXIS + 1, width)


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


def make_key(rows: pd.DataFrame) -> list[Entry]:
    """Make the key: the name of each curve, and the area under it with an interval."""
    entries: list[Entry] = []
    areas = pages.list_records(rows[rows["quantity"] == "roc_area"])
    for row, (style, part) in zip(areas, style_curves(rows), strict=False):
        spread = pages.format_spread(row | WITH_INTERVAL)
        text = f"{row['group']}: AUC {row['value']:.2f} {spread}".strip()
        line = {"color": style.color, "linewidth": 1}
        entries.append((text, line | ({"marker": style.marker} if len(part) <= MARKED else {})))
    return entries
