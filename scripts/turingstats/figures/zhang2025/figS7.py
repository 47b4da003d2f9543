"""Figure S7D-G: the online test (A-C are screenshots) and who took part in it."""

from turingstats import plots

# The test, then age, gender and education of those who took part.
LAYOUT = ("DEFG",)
WIDTHS = (62, 34, 34, 34)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
