"""Figure S9: versions of a task side by side."""

from turingstats import plots

# One version left, the other right.
LAYOUT = ("AB", "CD", "EF")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
