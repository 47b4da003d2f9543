"""Figure S5: conversations of up to 48 exchanges."""

from turingstats import plots

# All lengths beside 48 exchanges, above the rates by length.
LAYOUT = ("AB", "CD", "EF", "G")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
