"""Figure 2: responses of people and models in the language tasks."""

from turingstats import plots
from turingstats.pages import MARGIN, PAGE

# One panel below the other: they hold text.
LAYOUT = ("A", "B", "C")
WIDTHS = (PAGE - 2 * MARGIN,)


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, WIDTHS)
