"""Figure 8: detectability against scores of captions; ChatGPT as judge of conversations."""

from turingstats import plots

# Scores above, ChatGPT as judge below (C is a drawing).
LAYOUT = ("AB", "DE")
WIDTHS = (80, 80)  # least widths of the columns, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
