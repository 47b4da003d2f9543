"""Any figure without a module of its own: its panels in rows of two, in their order."""

from turingstats import plots
from turingstats.pages import GAP, MARGIN, PAGE


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    letters = list(data["panel"].unique())
    layout = [letters[start : start + 2] for start in range(0, len(letters), 2)]
    width = (PAGE - 2 * MARGIN - GAP) / 2
    return plots.grid(data, colormap, layout, (width, width) if len(letters) > 1 else None)
