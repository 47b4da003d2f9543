"""Language models as judges, beside people and published judges: a row a task."""

from turingstats.config import llm_figure
from turingstats.figures import grid


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `grid.draw_grid`."""
    return grid.draw_grid(data, colormap, llm_figure.arrange_letters(data))
