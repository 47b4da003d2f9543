"""Panels of curves of ratings and scores: ROC curves, and the calibration of detectors."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.kinds.curve import prepare_unit_square
from turingstats.figures.look import Foot, Look
from turingstats.figures.marks import Key, draw_estimate
from turingstats.figures.pages import SMALL, Box
from turingstats.figures.palette import INK, MARKERS, SERIES, Style
from turingstats.figures.picking import RATED, describe_units, label_agent, select_ratings

CHART, AXIS = 38, 8  # height of axes and space below, mm
SIZE = 2.6  # diameter of points, pt
MARKED = 24
"""Largest number of points of a curve that are marked one by one."""
CURVES = {
    "rating curves": {
        "points": "roc",
        "summary": "roc_area",
        "axes": ("False alarms", "Hits"),
        "name": "AUC",
    },
    "score calibration": {
        "points": "calibration",
        "summary": "brier",
        "axes": ("Mean score", "Share of machines"),
        "name": "Brier",
    },
}
"""Kinds of curves: the quantities of ratings.csv that they show, labels of axes, and name in the legend."""


class RatingCurves(PanelKind):
    """ROC curves or calibration curves."""

    kinds = tuple(CURVES)
    counts_judges = True

    def select(self, panel: RatingsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the points of each curve, and the number that sums it up.

        Curves are those of agents; of several machine judges, each has one curve, of all agents together.
        """
        curve = CURVES[panel.kind]
        table = select_ratings(results, panel, study, reading)
        if table.empty:
            return []
        judges = list(dict.fromkeys(table["series"]))
        machines = [agent for agent in table["agent"].unique() if agent != "human"]
        pooled = "all" if "all" in machines else next(iter(machines), None)
        by_judge = len(judges) > 1 or panel.kind == "score calibration"
        agents = [agent for agent in panel.agents if agent in machines]
        if len(agents) == 2 and "all" in agents:
            agents.remove("all")
        wanted = [(judge, pooled) for judge in judges] if by_judge else [("", a) for a in agents]
        table = table.assign(series=table["series"] if by_judge else "")
        if panel.kind == "score calibration":
            table = table.assign(agent=table["agent"].replace("all", pooled))
        rows = []
        for judge, agent in wanted:
            part = table[(table["series"] == judge) & (table["agent"] == agent)]
            label = label_agent(agent, panel, study)
            for row in part.to_dict("records"):
                if row["quantity"] in (curve["points"], curve["summary"]):
                    rows.append(
                        {name: row[name] for name in ("x", *RATED)}
                        | {
                            "group_by": "judge" if by_judge else "agent",
                            "group": judge or label,
                            "agent": agent,
                            "agent_label": label,
                            "quantity": row["quantity"],
                            "text": row["level"],
                            "note": row["method"] if row["quantity"] == "roc_area" else None,
                        }
                    )
        return rows or [{"kind": "no data", "note": explain_lack(panel)}]

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return CHART + AXIS + 2 + make_key(rows, width).height

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the curves with the line of chance or equality, and a legend below them."""
        left, top, width, _ = box
        curve = CURVES[rows["kind"].iloc[0]]
        axes = pages.add_inset(canvas, left + 8, top + 0.5, min(CHART, width - 10), CHART)
        prepare_unit_square(axes)
        axes.set_xlabel(curve["axes"][0], labelpad=1.5, size=SMALL)
        axes.set_ylabel(curve["axes"][1], labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        for style, part in style_curves(rows):
            axes.plot(part["x"], part["value"], color=style.color, linewidth=1, clip_on=False)
            for row in pages.list_records(part) if len(part) <= MARKED else ():
                at, ends = (row["x"], row["value"]), (row["ci_low"], row["ci_high"])
                draw_estimate(axes, *at, ends, style.color, style.marker, upright=True, ms=SIZE)
        make_key(rows, width).draw(canvas, left, top + CHART + AXIS + 1)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        sentences = []
        if "rating curves" in foot.kinds:
            shown = data[data["kind"] == "rating curves"]
            sentences.append(
                "Hits and false alarms: shares of machines' and of people's responses with at least a "
                f"certain rating or score. AUC, area under the curve, with {foot.interval} "
                f"{describe_units(shown)}. "
                "Dashed line, chance."
            )
        if "score calibration" in foot.kinds:
            sentences.append(
                "Calibration: share of machines' responses by mean score in ten bins, with "
                f"{foot.interval} over stimuli; dashed line, equality. Brier, mean squared difference of "
                "score and truth (0 is perfect)."
            )
        return sentences


def explain_lack(panel: RatingsPanel) -> str:
    """Explain why a panel has no curve."""
    if panel.kind == "score calibration":
        return "scores are not between 0 and 1"
    return "no responses of both people and machines"


def choose_style(rows: pd.DataFrame, number: int) -> Style:
    """Choose the color and marker of a curve; that of all models together is black."""
    pooled = len(rows) and rows["agent"].iloc[0] == "all" and rows["group_by"].iloc[0] == "agent"
    if pooled:
        return Style(INK)
    return Style(SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)])


def style_curves(rows: pd.DataFrame) -> list[tuple[Style, pd.DataFrame]]:
    """Choose the look of each curve, and sort its points."""
    curve = CURVES[rows["kind"].iloc[0]]
    groups = rows.loc[rows["quantity"] == curve["summary"], "group"]
    points = rows[rows["quantity"] == curve["points"]].sort_values(["x", "value"])
    parts = [points[points["group"] == group] for group in groups]
    return [(choose_style(part, number), part) for number, part in enumerate(parts)]


def make_key(rows: pd.DataFrame, width: float) -> Key:
    """Make the key: the name of each curve, and its summary with an interval."""
    curve, entries = CURVES[rows["kind"].iloc[0]], []
    summaries = pages.list_records(rows[rows["quantity"] == curve["summary"]])
    for row, (style, part) in zip(summaries, style_curves(rows), strict=True):
        text = f"{row['group']}: {curve['name']} {row['value']:.2f} "
        text += pages.format_spread(row | {"reading": "recommended"})
        line = {"color": style.color, "linewidth": 1}
        entries.append(
            (text.strip(), line | ({"marker": style.marker} if len(part) <= MARKED else {}))
        )
    return Key(entries, width)
