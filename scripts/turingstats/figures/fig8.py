"""Figure 8: detectability beside other measures of captions, and ChatGPT as a judge."""

from turingstats import plots

# Captions above, ChatGPT judges of conversations below.
LAYOUT = ("AB", "DE")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
