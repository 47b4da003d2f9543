"""Panel of the shares of groups: pies of the papers, drawn as a stacked bar."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import PiePanel
from turingstats.core.labels import format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import FigureNote, Look, format_percent
from turingstats.figures.pages import LINE, SMALL, Box
from turingstats.figures.palette import find_style
from turingstats.figures.picking import select_cohort_rows

BAR, KEY = 4, 2.2  # height of the bar, and from it to the first line of its key, mm


class Pie(PanelKind):
    """The shares of groups."""

    kinds = ("pie",)

    def select(self, panel: PiePanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the shares of groups of judges or participants, or of topics."""
        quantity = f"n_{panel.share_of}"
        sizes = select_cohort_rows(results["sizes"], panel)
        groups = sizes[(sizes["group_by"] == panel.by) & (sizes["quantity"] == quantity)]
        groups = groups[groups["value"] > 0]
        total = groups["value"].sum()
        return [
            {
                "group_by": panel.by,
                "group": row["group"],
                "quantity": f"share of {panel.share_of}",
                "value": row["value"] / total,
                "n": int(row["value"]),
            }
            for row in groups.to_dict("records")
        ]

    def describe_sample(self, rows: pd.DataFrame) -> str:
        """Describe the number of judges who told their group, or of topics."""
        noun = rows["quantity"].iloc[0].removeprefix("share of ").removesuffix("s")
        return format_with_noun(rows["n"].sum(), noun)

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return BAR + KEY + sum(map(len, wrap_key(rows, width))) * LINE[SMALL]

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the shares of groups next to each other, and their key below."""
        colors = [find_style(role).color for role in rows["role"]]
        left, y = box.left, box.top + BAR + KEY + 1
        for share, color, lines in zip(
            rows["value"], colors, wrap_key(rows, box.width), strict=True
        ):
            wide = share * (box.width - 2)
            edge = {"facecolor": color, "edgecolor": "white"}
            pages.draw_box(canvas, left, box.top, wide, BAR, **edge)
            pages.draw_box(canvas, box.left, y - 1.8, 1.9, 1.9, **edge)
            pages.write_lines(canvas, box.left + 3, y, lines, SMALL)
            left += wide
            y += len(lines) * LINE[SMALL]

    def explain(self, data: pd.DataFrame, foot: FigureNote) -> list[str]:
        shown = data[data["kind"] == "pie"]
        of_judges = (shown["quantity"] == "share of judges").any()
        told = ", of judges who told theirs" if of_judges else ""
        return [f"Bars: {shown['quantity'].iloc[0]} in each group{told}."]


def wrap_key(rows: pd.DataFrame, width: float) -> list[list[str]]:
    """Wrap the names of groups with their shares and numbers."""
    texts = [
        f"{row['group']}  {format_percent(row['value'])} ({row['n']:,.0f})"
        for row in pages.list_records(rows)
    ]
    return [pages.wrap_text(text, width - 5, SMALL) for text in texts]
