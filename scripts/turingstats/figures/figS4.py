"""Figure S4: AI experts as judges, and their age, gender and education."""

from turingstats import plots

# Age, gender, education, confusion matrix; a row a task.
LAYOUT = ("ABCD", "EFGH", "IJKL", "MNOP", "QRST", "UVWX")
WIDTHS = (38, 38, 38, 46)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
