"""Panel of the shares of groups: pies of the papers, drawn as a stacked bar."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import PiePanel
from turingstats.core.labels import format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.marks import add_tip
from turingstats.figures.pages import LINE, SMALL, Place
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

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the shares of groups next to each other, and their key below."""
        left, y = place.left, place.top + BAR + KEY
        for row in pages.list_records(rows):
            edge = {"facecolor": find_style(row["role"]).color, "edgecolor": "white"}
            wide = row["value"] * (place.width - 2)
            bar = pages.draw_box(canvas, left, place.top, wide, BAR, **edge)
            text = f"{row['group']}  {format_percent(row['value'])} ({row['n']:,.0f})"
            add_tip(bar, text)
            pages.draw_box(canvas, place.left, y - 0.8, 1.9, 1.9, **edge)
            lines = pages.wrap_text(text, place.width - 5, SMALL)
            pages.write_lines(canvas, place.left + 3, y + 1, lines, SMALL)
            left += wide
            y += len(lines) * LINE[SMALL]
        return y


def format_percent(share: float) -> str:
    """Format a share in percent; nonzero shares are never 0%, and shares below 1 never 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"
