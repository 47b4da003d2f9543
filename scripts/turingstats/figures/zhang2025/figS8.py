"""Figure S8: machine judges confronted with agents that they were not trained on."""

from turingstats import plots

# Trained on one agent left, on all but one right; a row a task.
LAYOUT = ("AB", "CD", "EF")
WIDTHS = (80, 80)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
