"""Figures made of panels: in the layout of the study file, or in rows."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from turingstats.config import llm_figure
from turingstats.figures.grid import Grid
from turingstats.figures.pages import GAP, ROOM


def draw(
    data: pd.DataFrame, layout: Sequence[Sequence[str] | str] = (), widths: Sequence[float] = ()
) -> Figure:
    """Draw the panels that occur in the source data."""
    if layout:
        return Grid(data, layout, widths or None).draw()
    letters = list(data["panel"].unique())
    across = 4 if set(data["kind"]) == {"pie"} else 2
    layout = [letters[start : start + across] for start in range(0, len(letters), across)]
    across = min(across, len(letters))
    width = (ROOM - GAP * (across - 1)) / across
    return Grid(data, layout, (width,) * across if across > 1 else None).draw()


def draw_language_models(data: pd.DataFrame) -> Figure:
    """Draw language models as judges, next to people and published judges: one row per task."""
    return Grid(data, llm_figure.arrange_letters(data)).draw()
