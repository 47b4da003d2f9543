"""Panels of curves: ROC curves, calibrations and learning curves of judges, raters and detectors."""

from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import CurvePanel
from turingstats.core.labels import state_p
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.marks import Key, draw_estimate
from turingstats.figures.pages import SMALL, Box
from turingstats.figures.palette import INK, MARKERS, ROLES, SERIES, Style
from turingstats.figures.picking import (
    RATED,
    describe_units,
    label_agent,
    select_cohort_rows,
    select_ratings,
)
from turingstats.figures.rows import DASHED

CHART, WIDE, AXIS = 26, 46, 8  # height and greatest width of axes, and space below, mm
WITH_INTERVAL = {"reading": "recommended"}
"""Curves have intervals in both readings."""
MARKED = 24
"""Largest number of points of a curve that are marked one by one."""


class Axis(NamedTuple):
    """What a kind of curve shows: quantities of its points and summary, labels, name of the summary."""

    points: str
    summary: str
    across: str
    up: str
    name: str = ""


TRAINED = {
    "roc": Axis("roc", "auc", "False alarms (people judged machine)", "Hits (machines)", "AUC"),
    "calibration": Axis(
        "calibration", "", "Predicted probability of a machine", "Share of machines"
    ),
    "learning curve": Axis("learning curve", "", "Training examples", "Share right"),
}
"""Curves of a judge trained here."""
RATED_CURVES = {
    "rating curves": Axis("roc", "roc_area", "False alarms", "Hits", "AUC"),
    "score calibration": Axis("calibration", "brier", "Mean score", "Share of machines", "Brier"),
}
"""Curves of ratings and scores."""
CURVES = TRAINED | RATED_CURVES


class Curves(PanelKind):
    """Curves of judges trained here."""

    kinds = tuple(TRAINED)

    def select(self, panel: CurvePanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the points of a trained judge's curve, its area under the curve, its test against chance."""
        evaluation = select_cohort_rows(results["evaluation"], panel)
        points = evaluation[evaluation["quantity"] == panel.kind].to_dict("records")
        extra = evaluation[evaluation["quantity"].isin(["auc", "permutation"])].to_dict("records")
        shown = ("x", "value", "ci_low", "ci_high", "n", "p", "quantity")
        rows = [{key: row[key] for key in shown} for row in points]
        if panel.kind == "roc" and points:
            rows += [{key: row[key] for key in shown} | {"kind": row["quantity"]} for row in extra]
        return rows

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return CHART + AXIS + 2 + make_key(rows, width).height

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the curves with the line of chance or equality, and a key with their summaries below."""
        left, top, width, _ = box
        kind = rows["kind"].iloc[0]
        axes = pages.add_inset(canvas, left + 8, top + 0.5, min(WIDE, width - 9.5), CHART)
        axes.patch.set_visible(False)
        if kind == "learning curve":
            axes.set(xscale="log", ylim=(0.4, 1))
            axes.axhline(0.5, **DASHED)
            ticks = [x for x in rows["x"] if x in (16, 64, 256, 1024)]
            axes.set_xticks(ticks, [f"{x:.0f}" for x in ticks])
            axes.set_xticks([], minor=True)
        else:
            axes.set(xlim=(0, 1), ylim=(0, 1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
            axes.plot([0, 1], [0, 1], **DASHED)
        axes.set_xlabel(CURVES[kind].across, labelpad=1.5, size=SMALL)
        axes.set_ylabel(CURVES[kind].up, labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        for style, part in style_curves(rows):
            axes.plot(part["x"], part["value"], color=style.color, linewidth=1, clip_on=False)
            for row in pages.list_records(part) if len(part) <= MARKED else ():
                at, ends = (row["x"], row["value"]), (row["ci_low"], row["ci_high"])
                draw_estimate(axes, *at, ends, style.color, style.marker, upright=True, ms=2.6)
        make_key(rows, width).draw(canvas, left, top + CHART + AXIS + 1)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        if "roc" not in foot.kinds:
            return []
        return [
            "Judges trained here, on held-out responses. Hits: share of machines' responses judged "
            "machine; false alarms: share of people's. AUC, area under the curve, with "
            f"{foot.interval} from a bootstrap of stimuli"
            + ("; p, accuracy against permuted labels. " if "permutation" in foot.kinds else ". ")
            + "Calibration: share of machines by the probability predicted by logistic regression on "
            "the scores; bars, Wilson intervals. Learning curve: mean and range of five draws. Dashed line, "
            "chance or equality."
        ]


class RatingCurves(Curves):
    """Curves of ratings and scores."""

    kinds = tuple(RATED_CURVES)
    counts_judges = True

    def select(self, panel: Any, results: Results, study: Study, reading: Reading) -> Rows:
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
            shared = {"group_by": "judge" if by_judge else "agent", "group": judge or label}
            shared |= {"agent": agent, "agent_label": label}
            for row in part[part["quantity"].isin(curve[:2])].to_dict("records"):
                own = {"quantity": row["quantity"], "text": row["level"]}
                own["note"] = row["method"] if row["quantity"] == "roc_area" else None
                rows.append({name: row[name] for name in ("x", *RATED)} | shared | own)
        lack = "no responses of both people and machines"
        if panel.kind == "score calibration":
            lack = "scores are not between 0 and 1"
        return rows or [{"kind": "no data", "note": lack}]

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        sentences = []
        if "rating curves" in foot.kinds:
            shown = data[data["kind"] == "rating curves"]
            sentences.append(
                "Hits and false alarms: shares of machines' and of people's responses with at least a "
                f"certain rating or score. AUC, area under the curve, with {foot.interval} "
                f"{describe_units(shown)}. Dashed line, chance."
            )
        if "score calibration" in foot.kinds:
            sentences.append(
                "Calibration: share of machines' responses by mean score in ten bins, with "
                f"{foot.interval} over stimuli; dashed line, equality. Brier, mean squared difference of "
                "score and truth (0 is perfect)."
            )
        return sentences


def style_curves(rows: pd.DataFrame) -> list[tuple[Style, pd.DataFrame]]:
    """Choose the look of each curve, and sort its points; that of all models together is black."""
    kind = rows["kind"].iloc[0]
    points = rows[rows["quantity"] == CURVES[kind].points].sort_values(["x", "value"])
    if kind in TRAINED:
        return [(ROLES["classifier trained here"], points)]
    curves = []
    for number, group in enumerate(rows["group"].unique()):
        part = points[points["group"] == group]
        pooled = (part["agent"] == "all") & (part["group_by"] == "agent")
        style = Style(SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)])
        curves.append((Style(INK) if pooled.any() else style, part))
    return curves


def make_key(rows: pd.DataFrame, width: float) -> Key:
    """Make the key: the name of each curve, and its summary with an interval."""
    curve = CURVES[rows["kind"].iloc[0]]
    entries: list[tuple[str, dict[str, Any]]] = []
    summaries = pages.list_records(rows[rows["quantity"] == curve.summary])
    for row, (style, part) in zip(summaries, style_curves(rows), strict=False):
        text = f"{curve.name} {row['value']:.2f} {pages.format_spread(row | WITH_INTERVAL)}".strip()
        if row["group"] == row["group"] and row["group"]:
            text = f"{row['group']}: {text}"
        elif row["n"] == row["n"]:
            text += f", n = {row['n']:,.0f}"
        tested = rows.loc[rows["kind"] == "permutation", "p"]
        text += "".join(f", {state_p(p)}" for p in tested)
        line = {"color": style.color, "linewidth": 1}
        entries.append((text, line | ({"marker": style.marker} if len(part) <= MARKED else {})))
    return Key(entries, width)
