"""Figure 6 of X-Turing: pass rates by topic, a panel a field."""

from turingstats import plots

LAYOUT = ("ABC", "DE ")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, (56,) * 3)
