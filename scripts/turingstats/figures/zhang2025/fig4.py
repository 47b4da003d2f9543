"""Figure 4: Turing-like tests, all AI agents pooled, for human and machine judges."""

from turingstats import plots

# Human judges over machine judges; a column a task, language tasks above vision tasks.
LAYOUT = ("ABC", "DEF", "GHI", "JKL")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
