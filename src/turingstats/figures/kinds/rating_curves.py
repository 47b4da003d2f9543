"""Panels of curves of ratings and scores: ROC curves, and the calibration of detectors."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import RatingsPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.marks import CAP, draw_estimate
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY, INK, MARKERS, SERIES
from turingstats.figures.picking import RATED, describe_units, label_agent, select_ratings

CHART, AXIS, ENTRY = 38, 8, 3.4  # height of axes, space below, height of a line of the legend, mm
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
        lines = sum(len(lines) for _, lines in write_legend(rows, width))
        return CHART + AXIS + 2 + ENTRY * lines

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the curves with the line of chance or equality, and a legend below them."""
        left, top, width, _ = box
        curve = CURVES[rows["kind"].iloc[0]]
        across = min(CHART, width - 10)
        axes = pages.add_inset(canvas, left + 8, top + 0.5, across, CHART)
        axes.patch.set_visible(False)
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        axes.set_xticklabels(["0", "0.5", "1"])
        axes.set_yticklabels(["0", "0.5", "1"])
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
        axes.set_xlabel(curve["axes"][0], labelpad=1.5, size=SMALL)
        axes.set_ylabel(curve["axes"][1], labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        legend = write_legend(rows, width)
        y = top + CHART + AXIS + 3
        for i, (group, lines) in enumerate(legend):
            part = rows[(rows["group"] == group) & (rows["quantity"] == curve["points"])]
            part = part.sort_values(["x", "value"])
            color, marker = choose_style(part, i)
            axes.plot(part["x"], part["value"], color=color, linewidth=1, clip_on=False)
            if marked := len(part) <= MARKED:
                canvas.plot(left + 2.75, y - 0.8, marker, color=color, ms=SIZE)
            for row in pages.list_records(part):
                ends = (row["ci_low"], row["ci_high"])
                style: dict[str, Any] = {"ms": SIZE if marked else 0, "cap": CAP if marked else 0}
                draw_estimate(
                    axes, row["x"], row["value"], ends, color, marker, upright=True, **style
                )
            canvas.plot([left + 0.5, left + 5], [y - 0.8] * 2, color=color, linewidth=1)
            pages.write_lines(canvas, left + 6.5, y, lines)
            y += ENTRY + LINE[BODY] * (len(lines) - 1)

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


def choose_style(rows: pd.DataFrame, number: int) -> tuple[str, str]:
    """Choose the color and marker of a curve; that of all models together is black."""
    pooled = len(rows) and rows["agent"].iloc[0] == "all" and rows["group_by"].iloc[0] == "agent"
    if pooled:
        return INK, "o"
    return SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]


def write_legend(rows: pd.DataFrame, width: float) -> list[tuple[str, list[str]]]:
    """Write the entry of each curve: its name, and its summary with an interval, in lines."""
    curve = CURVES[rows["kind"].iloc[0]]
    entries = []
    for row in pages.list_records(rows[rows["quantity"] == curve["summary"]]):
        text = f"{row['group']}: {curve['name']} {row['value']:.2f}"
        if row["ci_low"] == row["ci_low"]:
            text += f" ({row['ci_low']:.2f}\N{EN DASH}{row['ci_high']:.2f})"
        entries.append((row["group"], pages.wrap_text(text, width - 7)))
    return entries
