"""Panel of the shares of groups, as a ring."""

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
from turingstats.figures.palette import find_style
from turingstats.figures.picking import select_cohort_rows

RING, BESIDE = 13, 16.5  # diameter of a ring, and where its key begins, mm


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
        return max(RING, sum(map(len, wrap_key(rows, width))) * LINE[SMALL]) + 2

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the shares of groups as a ring, with the total inside and the key at the side."""
        left, top, width, _ = box
        labels, middle = wrap_key(rows, width), left + 1 + RING / 2
        colors = [find_style(role).color for role in rows["role"]]
        ring = pages.add_inset(canvas, middle - RING / 2, top + 1, RING, RING)
        edges = {"width": 0.36, "edgecolor": "white", "linewidth": 0.3}
        ring.pie(rows["value"], colors=colors, startangle=90, counterclock=False, wedgeprops=edges)
        ring.set(xlim=(-1, 1), ylim=(-1, 1))
        noun = rows["quantity"].iloc[0].removeprefix("share of ").removesuffix("s")
        total = format_with_noun(rows["n"].sum(), noun).split()
        pages.write_lines(canvas, middle, top + RING / 2 + 0.7, total, SMALL, ha="center")
        y = top + 3 + max(0, RING - sum(map(len, labels)) * LINE[SMALL]) / 2
        for color, lines in zip(colors, labels, strict=True):
            square = {"facecolor": color, "edgecolor": "none"}
            pages.draw_box(canvas, left + BESIDE, y - 1.8, 1.9, 1.9, **square)
            pages.write_lines(canvas, left + BESIDE + 3, y, lines, SMALL)
            y += len(lines) * LINE[SMALL]

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


def wrap_key(rows: pd.DataFrame, width: float) -> list[list[str]]:
    """Wrap the names of groups with their shares and numbers to the space beside the ring."""
    texts = [
        f"{row['group']}  {format_percent(row['value'])} ({row['n']:,.0f})"
        for row in pages.list_records(rows)
    ]
    return [pages.wrap_text(text, width - BESIDE - 3, SMALL) for text in texts]
