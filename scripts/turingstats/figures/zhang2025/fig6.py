"""Figure 6: Turing-like tests of the vision tasks by agent, for human and machine judges."""

from turingstats import plots

# Human judges left, machine judges right; a row a task.
LAYOUT = ("AB", "CD", "EF")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
