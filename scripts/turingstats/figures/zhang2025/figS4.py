"""Figure S4: AI experts as judges, and their age, gender and education."""

from turingstats import plots

# Age, gender and education below each other, beside the confusion matrix; two tasks a row.
LAYOUT = (("ABC", "D", "EFG", "H"), ("IJK", "L", "MNO", "P"), ("QRS", "T", "UVW", "X"))
WIDTHS = (38, 44, 38, 44)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
