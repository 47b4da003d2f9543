"""Figure S9: free viewing and visual search; free and prompted association."""

from turingstats import plots

# Attention prediction, free viewing above visual search, with human judges left and machine judges
# right; Word association, both with human judges, below.
LAYOUT = ("AB", "CD", "EF")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
