"""Panel of the shares of groups, as a ring."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from turingstats.config.study import Study
from turingstats.config.study.panels import PiePanel
from turingstats.core.labels import format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import Foot, Look, format_percent
from turingstats.figures.pages import (
    BODY,
    LINE,
    SMALL,
    draw_box,
    list_records,
    measure_text,
    write_lines,
)
from turingstats.figures.palette import GREY
from turingstats.figures.picking import (
    select_cohort_rows,
)

RING, SMALL_RING = 21, 13  # minimum diameters of a pie with its key below and at the side, mm
SWATCH = 3.2  # distance of lines of a key, mm
TWO_LINES = 4.8  # distance of two-line entries of a key, mm


class Pie(PanelKind):
    """The shares of groups."""

    kinds = ("pie",)

    def select(
        self, panel: PiePanel, results: dict[str, pd.DataFrame], study: Study, reading: Reading
    ) -> list[dict[str, Any]]:
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
        """Measure the height below the title (mm)."""
        if is_key_beside(rows, width):
            return max(SMALL_RING, len(rows) * TWO_LINES) + 1
        if look.tight:
            return 17 + 4 + LINE[SMALL] * len(rows)
        return RING + 4 + SWATCH * max(4, len(rows))

    def draw(
        self,
        canvas: Axes,
        rows: pd.DataFrame,
        left: float,
        top: float,
        width: float,
        height: float,
        look: Look,
    ) -> None:
        """Draw the shares of groups as a ring, with the total inside and the key at the side or below."""
        beside = is_key_beside(rows, width)
        size, line = (SMALL, LINE[SMALL]) if look.tight or beside else (BODY, SWATCH)
        if beside:
            diameter, line = SMALL_RING, TWO_LINES
            top += max(0, len(rows) * line - diameter - 1) / 2
            middle, first = left + 1 + diameter / 2, left + diameter + 3.5
            key = top + 1 + diameter / 2 - len(rows) * line / 2 + 2
        else:
            below = line * (len(rows) if look.tight else max(4, len(rows)))
            diameter = min(17 if look.tight else 25, width - 8, height - 4 - below)
            top += 0 if look.tight else (height - diameter - 4 - below) / 2
            wide = 3.2 + max(measure_text(format_key_line(row), size) for row in list_records(rows))
            middle, first = left + width / 2, max(left, left + (width - wide) / 2)
            key = top + diameter + (4.5 if look.tight else 5.5)
        radius, done = diameter / 2, 0
        for row in list_records(rows):
            share = 360 * row["value"]
            wedge = Wedge(
                (middle, top + 1 + radius),
                radius,
                done - 90,
                done + share - 90,
                width=0.36 * radius,
                facecolor=look.find_style(row).color,
                edgecolor="white",
                linewidth=0.3,
            )
            canvas.add_patch(wedge)
            title_mark(wedge, describe_number(row))
            done += share
        noun = rows["quantity"].iloc[0].removeprefix("share of ").removesuffix("s")
        total = format_with_noun(rows["n"].sum(), noun).split()
        narrow = SMALL if diameter < RING else BODY
        write_lines(canvas, middle, top + radius + 0.9, total[0], narrow, ha="center")
        write_lines(canvas, middle, top + radius + 3.4, total[1], SMALL, ha="center", color=GREY)
        for number, row in enumerate(list_records(rows)):
            y = key + number * line
            draw_box(
                canvas,
                first,
                y - 1.8,
                1.9,
                1.9,
                facecolor=look.find_style(row).color,
                edgecolor="none",
            )
            if beside:
                write_lines(canvas, first + 3, y, row["group"], SMALL)
                write_lines(canvas, first + 3, y + 2.2, format_share(row), SMALL, color=GREY)
            else:
                write_lines(canvas, first + 3, y, format_key_line(row), size)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        """Return sentences for the foot of the figure."""
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


def format_key_line(row: dict[str, Any]) -> str:
    """Format an entry of a pie's key in one line."""
    return f"{row['group']}  {format_share(row)}"


def is_key_beside(rows: pd.DataFrame, width: float) -> bool:
    """Tell whether the key fits next to a small ring, with few groups and enough space."""
    texts = [text for row in list_records(rows) for text in (str(row["group"]), format_share(row))]
    wide = SMALL_RING + 6.5 + max(measure_text(text, SMALL) for text in texts)
    return 36 <= width <= 60 and wide <= width and len(rows) <= 4
