"""Figure S10: ablated agents and judges."""

from turingstats import plots

# Ablated agents above ablated judges.
LAYOUT = ("A", "BC")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
