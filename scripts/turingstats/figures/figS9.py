"""Figure S9: the variants of two tasks by themselves, free viewing and search, free and prompted words."""

from turingstats import plots

# Human judges left, machine judges right; a row a variant.
LAYOUT = ("AB", "CD", "EF")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
