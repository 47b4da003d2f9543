"""Figure 3D-F: responses of people and models in the vision tasks (A-C are drawings)."""

from turingstats import plots
from turingstats.pages import MARGIN, PAGE

# One panel below the other.
LAYOUT = ("D", "E", "F")
WIDTHS = (PAGE - 2 * MARGIN,)


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
