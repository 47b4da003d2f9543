"""Figure S6: verdicts on conversations by topic."""

from turingstats import plots

# Topics in the order of the paper: fashion, politics, books, sports, general entertainment, music,
# science, technology, food, movies.
LAYOUT = ("ABCD", "EFGH", "IJ")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
