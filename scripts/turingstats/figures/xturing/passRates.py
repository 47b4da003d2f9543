"""Pass rates of Tables 1 and 2: people as judges by setting, language models as judges, history."""

from turingstats import plots

LAYOUT = ("ABC", "DEF")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, (56,) * 3)
