"""Panel of the shares of groups, as a ring."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import PiePanel
from turingstats.core.labels import format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look, format_percent
from turingstats.figures.pages import LINE, SMALL, Box
from turingstats.figures.palette import GREY, find_style
from turingstats.figures.picking import select_cohort_rows

RING, SMALL_RING = 17, 13  # diameters of a ring with its key below and at the side, mm
TWO_LINES = 4.8  # distance of two-line entries of a key, mm


class Pie(PanelKind):
    """The shares of groups."""

    kinds = ("pie",)

    def select(self, panel: PiePanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select shares of groups: trials (published reading), judges (recommended), or topics."""
        quantity = "n_trials" if reading == "published" else "n_judges"
        if panel.share_of == "topics":
            quantity = "n_topics"
        sizes = select_cohort_rows(results["sizes"], panel)
        groups = sizes[(sizes["group_by"] == panel.by) & (sizes["quantity"] == quantity)]
        groups = groups[groups["value"] > 0]
        total = groups["value"].sum()
        return [
            {
                "group_by": panel.by,
                "group": row["group"],
                "quantity": f"share of {quantity.removeprefix('n_')}",
                "value": row["value"] / total,
                "n": int(row["value"]),
            }
            for row in groups.to_dict("records")
        ]

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        if is_key_beside(rows, width):
            return max(SMALL_RING, len(rows) * TWO_LINES) + 1
        return RING + 4 + LINE[SMALL] * len(rows)

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the shares of groups as a ring, with the total inside and the key at the side or below."""
        left, top, width, _ = box
        shown = pages.list_records(rows)
        if is_key_beside(rows, width):
            diameter, line = SMALL_RING, TWO_LINES
            top += max(0, len(rows) * line - diameter - 1) / 2
            middle, first = left + 1 + diameter / 2, left + diameter + 3.5
            key = top + 1 + diameter / 2 - len(rows) * line / 2 + 2
            labels = [[row["group"], format_share(row)] for row in shown]
        else:
            diameter, line = RING, LINE[SMALL]
            labels = [[f"{row['group']}  {format_share(row)}"] for row in shown]
            wide = 3.2 + max(pages.measure_text(label[0], SMALL) for label in labels)
            middle, first = left + width / 2, max(left, left + (width - wide) / 2)
            key = top + diameter + 4.5
        radius = diameter / 2
        colors = [find_style(row["role"]).color for row in shown]
        ring = pages.add_inset(canvas, middle - radius, top + 1, diameter, diameter)
        edges = {"width": 0.36, "edgecolor": "white", "linewidth": 0.3}
        ring.pie(rows["value"], colors=colors, startangle=90, counterclock=False, wedgeprops=edges)
        ring.set(xlim=(-1, 1), ylim=(-1, 1))
        noun = rows["quantity"].iloc[0].removeprefix("share of ").removesuffix("s")
        number, unit = format_with_noun(rows["n"].sum(), noun).split()
        pages.write_lines(canvas, middle, top + radius + 0.9, number, SMALL, ha="center")
        pages.write_lines(canvas, middle, top + radius + 3.4, unit, SMALL, ha="center", color=GREY)
        for position, (color, label) in enumerate(zip(colors, labels, strict=True)):
            y = key + position * line
            pages.draw_box(canvas, first, y - 1.8, 1.9, 1.9, facecolor=color, edgecolor="none")
            pages.write_lines(canvas, first + 3, y, label, SMALL)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "pie"]
        answers = (
            "" if (shown["quantity"] == "share of topics").all() else ", of judges who told theirs"
        )
        sentences = [f"Rings: {shown['quantity'].iloc[0]} in each group{answers}."]
        totals = shown.groupby(["task_label", "group_by"])["n"].sum()
        if answers and totals.groupby("task_label").nunique().gt(1).any():
            unbinned = " or whose answers are in no group" if foot.reading == "published" else ""
            sentences.append(
                f"Rings of a task differ in total by those who did not tell{unbinned}."
            )
        if answers and "matrix" in foot.kinds:
            sentences.append(
                "Matrices count verdicts: a trial left out has none, and some trials have two."
            )
        return sentences


def format_share(row: dict[str, Any]) -> str:
    """Format the share and number of a group."""
    return f"{format_percent(row['value'])} ({row['n']:,.0f})"


def is_key_beside(rows: pd.DataFrame, width: float) -> bool:
    """Tell whether the key fits next to a small ring, with few groups and enough space."""
    texts = [
        text for row in pages.list_records(rows) for text in (str(row["group"]), format_share(row))
    ]
    wide = SMALL_RING + 6.5 + max(pages.measure_text(text, SMALL) for text in texts)
    return 36 <= width <= 60 and wide <= width and len(rows) <= 4
