"""Marks of single numbers: a point with its error bar, and their text when they are pointed at."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.pages import find_bar_ends
from turingstats.figures.palette import RED

CAP = 2.1
"""Half the length of the cap of an error bar, pt; longer than the radius of points, so that none hides it."""
POINT = 3
"""Diameter of points, pt."""


def draw_estimate(
    axes: Axes,
    x: float,
    y: float,
    row: dict[str, Any],
    color: str,
    marker: str = "o",
    ends: tuple[float, float] | None = None,
    upright: bool = False,
    cap: float = CAP,
    title: str | None = None,
    **style: Any,
) -> None:
    """Draw a number as a point with an error bar, by default that of its reading; `cap` is in points."""
    style = {"ms": POINT, "mew": 0.7, "zorder": 3, "clip_on": False} | style
    (point,) = axes.plot(x, y, marker, color=color, **style)
    title_mark(point, title or describe_number(row))
    draw_error_bar(
        axes, x, y, ends or find_bar_ends(row), color, upright, cap, zorder=style["zorder"] + 0.1
    )


def draw_error_bar(
    axes: Axes,
    x: float,
    y: float,
    ends: tuple[float, float],
    color: str,
    upright: bool = False,
    cap: float = CAP,
    path_effects: list[Any] | None = None,
    zorder: float = 3,
) -> None:
    """Draw an error bar with caps, vertical if `upright`, unless its ends are missing or equal."""
    low, high = ends
    if low != low or low == high:
        return
    value = y if upright else x
    lengths = [[max(value - low, 0)], [max(high - value, 0)]]
    style: dict[str, Any] = {"elinewidth": 0.8, "capsize": cap, "capthick": 0.8, "zorder": zorder}
    style["yerr" if upright else "xerr"] = lengths
    drawn = axes.errorbar(x, y, fmt="none", ecolor=color, **style)
    for line in drawn.get_children():
        line.set_path_effects(path_effects)


def draw_asterisk(canvas: Axes, x: float, y: float, color: str) -> Line2D:
    """Draw the asterisk of a significant test, and return it."""
    (mark,) = canvas.plot(x, y, marker=(6, 2, 0), ms=3.4, mew=0.9, color=color)
    return mark


def draw_bracket(canvas: Axes, x: float, top: float, bottom: float, row: dict[str, Any]) -> None:
    """Draw a bracket at the right of marks (mm) that differ by the test of the row, with a red asterisk."""
    ends = [x, x + 0.7, x + 0.7, x]
    canvas.plot(ends, [top, top, bottom, bottom], color=RED, linewidth=0.6)
    title_mark(draw_asterisk(canvas, x + 1.8, (top + bottom) / 2, RED), describe_number(row))
