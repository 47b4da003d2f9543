"""Figure 5: Turing-like tests of the language tasks by agent, for human and machine judges."""

from turingstats import plots

# Human judges left, machine judges right; a row a task.
LAYOUT = ("AB", "CD", "EF")
WIDTHS = (80, 80)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
