"""Figure S3: detectability by platform of the judges and by kind of image."""

from turingstats import plots

LAYOUT = ("AB", "CD")
WIDTHS = (80, 80)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
