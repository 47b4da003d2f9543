"""Figure 6 of X-Turing: pass rates by field of topics and length, a panel a model."""

from turingstats import plots

LAYOUT = ("ABC",)


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, (56,) * 3)
