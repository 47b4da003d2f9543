"""Figure 7: human and machine judges without and with feedback."""

from turingstats import plots

# Human, machine, human with feedback, machine with feedback; a row a task.
LAYOUT = ("ABCD", "EFGH", "IJKL", "MNOP", "QRST", "UVWX")


def draw(data, colormap):
    """Draw the panels that occur in the source data; see `plots.grid`."""
    return plots.grid(data, colormap, LAYOUT)
