"""Panel of the accuracy of single judges."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from turingstats.config.study import Study
from turingstats.config.study.panels import JudgesPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.marks import draw_estimate
from turingstats.figures.pages import SMALL, Box, add_inset, find_bar_ends, list_records
from turingstats.figures.palette import INK, PALE, find_style
from turingstats.figures.picking import pick_estimate, select_cohort_rows
from turingstats.figures.rows import DASHED, list_tenths

CHART, AXIS = 22, 8  # heights of the chart, and of the axis below, mm
BIN = 0.05  # of accuracy


class Judges(PanelKind):
    """Share of right verdicts of each judge."""

    kinds = ("judges",)
    counts_judges = True

    def select(self, panel: JudgesPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the share of right verdicts of each judge and of all verdicts together."""
        counts = select_cohort_rows(results["counts"], panel)
        counts = counts[counts["group_by"] == "all"]
        right = counts["n_human"].where(counts["agent"] == "human", counts["n_machine"])
        decided = counts["n_human"] + counts["n_machine"]
        sums = (
            counts.assign(right=right, decided=decided).groupby("judge")[["right", "decided"]].sum()
        )
        rows = [
            {
                "group_by": "judge",
                "group": judge,
                "quantity": "accuracy",
                "value": row["right"] / row["decided"],
                "n": row["decided"],
                "n_judges": len(sums),
            }
            for judge, row in sums[sums["decided"] > 0].iterrows()
        ]
        whole = select_cohort_rows(results["estimates"], panel)
        whole = whole[
            (whole["quantity"] == "accuracy")
            & (whole["group_by"] == "all")
            & (whole["agent"] == "all")
        ]
        rows += [
            pick_estimate(row) | {"kind": "mean", "quantity": "accuracy"}
            for row in whole.to_dict("records")
        ]
        return rows if sums["decided"].any() else []

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return 3 + CHART + AXIS

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw how many judges have about the same accuracy, and all verdicts with their interval above."""
        counts = (rows.loc[rows["kind"] == "judges", "value"] / BIN).round().value_counts()
        most = counts.max()
        axes = add_inset(canvas, box.left + 8, box.top + 3, box.width - 10, CHART)
        # Show at least half of the scale, so that small differences between judges look small.
        low = min(0.2, BIN * counts.index.min() - BIN)
        axes.set(xlim=(max(-0.03, low), 1.03), ylim=(0, 1.15 * most))
        axes.set_xticks(list_tenths(max(0, low), 1, 2))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.set_xlabel("Share of right verdicts", labelpad=1.5, size=SMALL)
        axes.set_ylabel("Number of judges", labelpad=2, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        axes.axvline(0.5, **DASHED)
        role = rows["role"].iloc[0]
        color = find_style(role if isinstance(role, str) else "people").color
        axes.bar(BIN * counts.index, counts, 0.9 * BIN, color=color, zorder=2)
        for row in list_records(rows[rows["kind"] == "mean"]):
            draw_estimate(axes, row["value"], 1.1 * most, find_bar_ends(row), INK, "v")
            axes.axvline(row["value"], color=PALE, linewidth=0.6, zorder=0)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        return [
            f"Bars: number of judges, in steps of {BIN}; triangle, all verdicts together with their "
            f"{foot.error}; dashed line, 0.5."
        ]
