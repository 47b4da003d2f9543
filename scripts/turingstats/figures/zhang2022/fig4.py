"""Figure 4 of the version of 2022: all AI agents pooled, for human and machine judges."""

from turingstats import plots

# Human judges over machine judges; a column a task.
LAYOUT = ("ABC", "DEF", "GHI", "JKL")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
