"""Language models as judges, beside people and published judges: a row a task."""

from turingstats import plots
from turingstats.judges import panels


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, panels.rows_of(data))
