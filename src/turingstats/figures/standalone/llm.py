"""Language models as judges, next to people and published judges: one row per task."""

import pandas as pd
from matplotlib.figure import Figure

from turingstats.config import llm_figure
from turingstats.figures import grid


def draw(data: pd.DataFrame) -> Figure:
    """Draw the panels that occur in the source data; see `grid.draw_grid`."""
    return grid.draw_grid(data, llm_figure.arrange_letters(data))
