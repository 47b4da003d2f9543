"""Marks of single numbers: a point with its error bar, and their text when they are pointed at."""

from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.pages import find_bar_ends

CAP = 2.1
"""Half the length of the cap of an error bar, pt; longer than the radius of points, so that none hides it."""
POINT = 3
"""Diameter of points, pt."""


def draw_estimate(axes, x, y, row, color, marker="o", ends=None, upright=False, cap=CAP, **style):
    """Draw a number as a point with an error bar that has caps.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, y : float
        Place of the point; the error bar is vertical if `upright`.
    row : dict of str to object
        Row of the source data.
    color, marker : str
    ends : tuple of float, optional
        Ends of the error bar; by default those of the figure's reading, and no bar if they are missing.
    upright : bool
    cap : float
        Half the length of caps, pt; 0 where there is no room.
    **style
        Further properties of the point, such as ms or mfc.
    """
    style = {"ms": POINT, "mew": 0.7, "zorder": 3, "clip_on": False} | style
    (point,) = axes.plot(x, y, marker, color=color, **style)
    title_mark(point, describe_number(row))
    low, high = ends or find_bar_ends(row)
    if low == low and low != high:
        value = y if upright else x
        error = [[max(value - low, 0)], [max(high - value, 0)]]
        axes.errorbar(
            x,
            y,
            **{"yerr" if upright else "xerr": error},
            fmt="none",
            ecolor=color,
            elinewidth=0.8,
            capsize=cap,
            capthick=0.8,
            zorder=style["zorder"] + 0.1,
        )
