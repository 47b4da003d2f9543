"""Figure S5: verdicts on conversations by their length."""

from turingstats import plots

# Matrices of all lengths and of 48 exchanges; the lines along length below each other.
LAYOUT = (("A", "B", "CDEFG"),)
WIDTHS = (46, 46, 66)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
