"""Figure S2: judges' gender and education, and detectability by either."""

from turingstats import plots

# Gender, detectability by gender, education, detectability by education; a row a task.
LAYOUT = ("ABCD", "EFGH", "IJKL", "MNOP", "QRST", "UVWX")
WIDTHS = (30, 55, 30, 55)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
