"""Machine judges: published predictions beside judges trained here."""

from turingstats import plots

# All examples left, few right; a row a task.
LAYOUT = ("AB", "CD", "EF", "GH", "IJ", "KL")
WIDTHS = (80, 80)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
