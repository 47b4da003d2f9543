"""Figure S7: online Turing test."""

from turingstats import plots

# Rates by length above the judges' age, gender and education.
LAYOUT = ("D", "EFG")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
