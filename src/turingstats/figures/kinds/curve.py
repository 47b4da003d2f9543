"""Panels of curves that describe the performance of a judge trained here."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import CurvePanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import LINE, SMALL, Box
from turingstats.figures.palette import GREY, ROLES
from turingstats.figures.picking import select_cohort_rows
from turingstats.figures.rows import DASHED

COLOR = ROLES["classifier trained here"].color
CHART = 22  # height of the axes, mm
CURVES = {
    "roc": ("False alarms (people judged machine)", "Hits (machines)"),
    "calibration": ("Predicted probability of a machine", "Share of machines"),
    "learning curve": ("Training examples", "Share right"),
}
"""Kinds of curves with the labels of their axes."""


class Curve(PanelKind):
    """An ROC curve, a calibration, or a learning curve."""

    kinds = tuple(CURVES)

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
        return CHART + 6.5

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw an ROC curve, a calibration, or a learning curve, with the line of chance."""
        left, top, width, _ = box
        kind = rows["kind"].iloc[0]
        points = rows[rows["kind"] == kind].sort_values("x")
        across, up = CURVES[kind]
        axes = pages.add_inset(canvas, left + 8, top + 0.5, width - 9.5, CHART)
        axes.patch.set_visible(False)
        if kind == "learning curve":
            axes.set(xscale="log", ylim=(0.4, 1))
            axes.axhline(0.5, **DASHED)
            ticks = [x for x in points["x"] if x in (16, 64, 256, 1024)]
            axes.set_xticks(ticks, [f"{x:.0f}" for x in ticks])
            axes.set_xticks([], minor=True)
            axes.fill_between(
                points["x"], points["ci_low"], points["ci_high"], color=COLOR, alpha=0.25, lw=0
            )
        else:
            prepare_unit_square(axes)
        axes.set_xlabel(across, labelpad=1.5, size=SMALL)
        axes.set_ylabel(up, labelpad=1.5, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        style = {"color": COLOR, "linewidth": 1, "clip_on": False}
        if kind == "calibration":
            # Points of a calibration are not joined: they are no function of the probability.
            axes.vlines(points["x"], points["ci_low"], points["ci_high"], color=COLOR, lw=0.6)
        else:
            axes.plot(points["x"], points["value"], **style)
        # Points of an ROC curve are too close to be marked.
        if kind != "roc":
            axes.plot(points["x"], points["value"], "o", ms=2.4, color=COLOR, clip_on=False)
        by_kind = rows.set_index("kind")
        if "auc" in by_kind.index:
            area = by_kind.loc["auc"]
            lines = [f"AUC {area['value']:.2f}"]
            lines.append(f"({area['ci_low']:.2f}\N{EN DASH}{area['ci_high']:.2f})")
            if area["n"] == area["n"]:
                lines.append(f"n = {area['n']:,.0f}")
            if "permutation" in by_kind.index:
                p = by_kind.loc["permutation", "p"]
                lines.append(f"p = {p:.3f}" if p >= 0.01 else f"p = {p:.1g}")
            bottom = top + CHART - 1.2 - LINE[SMALL] * (len(lines) - 1)
            pages.write_lines(
                canvas, left + width - 2, bottom, lines, SMALL, ha="right", color=GREY
            )

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        if "roc" not in foot.kinds:
            return []
        return [
            "Judges trained here, on held-out responses. Hits: share of machines' responses judged "
            "machine; false alarms: share of people's. AUC, area under the curve, with "
            f"{foot.interval} from a bootstrap of stimuli (the curve itself has none)"
            + ("; p, accuracy against permuted labels. " if "permutation" in foot.kinds else ". ")
            + "Calibration: share of machines by the probability predicted by logistic regression on "
            "the scores; bars, Wilson intervals. Learning curve: mean and range of five draws. Dashed line, "
            "chance or equality."
        ]


def prepare_unit_square(axes: Axes) -> None:
    """Prepare axes of two shares, with the line where they are equal."""
    ends = {"ticks": [0, 0.5, 1], "labels": ["0", "0.5", "1"]}
    axes.patch.set_visible(False)
    axes.set_xticks(**ends)
    axes.set_yticks(**ends)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.plot([0, 1], [0, 1], **DASHED)
