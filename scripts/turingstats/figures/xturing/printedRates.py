"""Printed pass rates of Tables 1 and 2, with the intervals that the counts behind them give."""

from turingstats import plots

LAYOUT = ("AB", "CD")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT, (88,) * 2)
