"""Panel of the accuracy of single judges."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import JudgesPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import LINE, SMALL, Box, add_inset, find_bar_ends, list_records
from turingstats.figures.palette import INK, PALE, ROLES, Style, find_style
from turingstats.figures.picking import pick_estimate, select_cohort_rows
from turingstats.figures.rows import DASHED

AXIS = 8  # space for the axis below, mm
BIN = 0.05  # of accuracy
DOT = 1.5  # distance of stacked judges, mm
MAX_DOTS = 14  # maximum judges in a stack of dots; higher stacks become bars
HIGHEST = 24  # height of a stack of bars, mm


class Judges(PanelKind):
    """Share of right verdicts of each judge."""

    kinds = ("judges",)
    counts_judges = True

    def select(
        self, panel: JudgesPanel, results: dict[str, pd.DataFrame], study: Study, reading: Reading
    ) -> list[dict[str, Any]]:
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
        """Measure the height below the title (mm)."""
        most = max(bin_judges(rows).values())
        return 3 + (DOT * most if most <= MAX_DOTS else HIGHEST) + 2 + AXIS

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw each judge as a dot at their accuracy, and all verdicts with their interval above."""
        left, top, width, _ = box
        stacks = bin_judges(rows)
        most = max(stacks.values())
        tall = (DOT * most if most <= MAX_DOTS else HIGHEST) + 2
        high = tall / DOT if most <= MAX_DOTS else 1.08 * most
        axes = add_inset(canvas, left + 8, top + 3, width - 10, tall)
        # Show at least half of the scale, so that small differences between judges look small.
        low = min(0.2, BIN * min(stacks) - BIN)
        axes.set(xlim=(max(-0.03, low), 1.03), ylim=(0, high))
        axes.set_xticks([tick / 10 for tick in range(max(0, round(10 * low)), 11, 2)])
        axes.set_xlabel("Share of right verdicts", labelpad=1.5, size=SMALL)
        axes.set_ylabel("Number of judges", labelpad=2, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        # Ticks at round numbers, far enough apart to be readable.
        rounds = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
        step = next(step for step in rounds if step * tall / high >= LINE[SMALL])
        axes.set_yticks(range(0, max(most, step) + 1, step) if most >= step else [most])
        axes.axvline(0.5, **DASHED)
        color = find_look(rows).color
        level_of = {}
        for row in list_records(rows[rows["kind"] == "judges"]) if most <= MAX_DOTS else ():
            bin_index = find_bin(row)
            level = level_of[bin_index] = level_of.get(bin_index, 0) + 1
            style = {"color": color, "ms": 3.2, "mew": 0, "zorder": 2}
            (mark,) = axes.plot(BIN * bin_index, level - 0.5, "o", **style)
            title_mark(mark, describe_number(row))
        for bin_index, number in sorted(stacks.items()) if most > MAX_DOTS else ():
            (bar,) = axes.bar(BIN * bin_index, number, 0.9 * BIN, color=color, zorder=2)
            title_mark(bar, f"{number} judges with {BIN * bin_index:.2f} of their verdicts right")
        for row in list_records(rows[rows["kind"] == "mean"]):
            axes.plot(
                find_bar_ends(row), [high - 0.02 * high] * 2, color=INK, linewidth=1, clip_on=False
            )
            style = {"color": INK, "ms": 4, "clip_on": False}
            (mark,) = axes.plot(row["value"], high - 0.02 * high, "v", **style)
            title_mark(mark, f"All verdicts: {describe_number(row)}")
            axes.axvline(row["value"], color=PALE, linewidth=0.6, zorder=0)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        """Return sentences for the foot of the figure."""
        return [
            f"One dot (or unit of a bar) per judge, in steps of {BIN}; triangle, all verdicts together "
            f"with their {foot.error}; dashed line, 0.5."
        ]


def bin_judges(rows: pd.DataFrame) -> dict[int, int]:
    """Count judges by accuracy, in bins of width `BIN` centered on its multiples."""
    counts = {}
    for row in list_records(rows[rows["kind"] == "judges"]):
        number = find_bin(row)
        counts[number] = counts.get(number, 0) + 1
    return counts


def find_bin(row: dict[str, Any]) -> int:
    """Find the bin of a judge's accuracy."""
    return round(row["value"] / BIN)


def find_look(rows: pd.DataFrame) -> Style:
    """Find the look of the judges: that of their role, or of people."""
    role = rows["role"].iloc[0]
    return find_style(role) if isinstance(role, str) else ROLES["people"]
