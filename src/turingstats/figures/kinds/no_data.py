"""Panel without numbers: an empty frame with the reason."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import Look
from turingstats.figures.pages import BODY, LINE, draw_box, measure_text, wrap_text, write_lines
from turingstats.figures.palette import GREY, PALE


class NoData(PanelKind):
    """The frame of a panel without numbers."""

    kinds = ("no data",)

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
        """Draw the frame of a panel without numbers, with the reason."""
        draw_box(canvas, left, top, width, height, facecolor="none", edgecolor=PALE, hatch="/////")
        note = wrap_text(rows["note"].iloc[0].capitalize(), width - 8)
        tall = len(note) * LINE[BODY] + 2
        wide = max(map(measure_text, note)) + 4
        middle = left + width / 2
        y = top + height / 2
        draw_box(
            canvas, middle - wide / 2, y - tall / 2, wide, tall, facecolor="white", edgecolor="none"
        )
        write_lines(canvas, middle, y - tall / 2 + 3.1, note, ha="center", color=GREY)
