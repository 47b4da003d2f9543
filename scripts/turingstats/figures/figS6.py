"""Figure S6: conversations by topic."""

from turingstats import plots

# A matrix a topic, in the order of the paper.
LAYOUT = ("ABCDE", "FGHIJ")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
