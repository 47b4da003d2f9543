"""How well judges trained here tell people from machines."""

from turingstats import plots

# ROC curve, calibration, learning curve; a column a task.
LAYOUT = ("ABCDEF", "GHIJKL", "MNOPQR")
WIDTHS = (26,) * 6  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
