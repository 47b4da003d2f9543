"""Marks of single numbers, what they say when they are pointed at, and the keys that explain them."""

from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures.pages import LINE, SMALL, measure_text, wrap_text, write_lines
from turingstats.figures.palette import RED
from turingstats.figures.svg import TIP

CAP = 2.1
"""Half the length of the cap of an error bar, pt; longer than the radius of points, so that none hides it."""
POINT = 3
"""Diameter of points, pt."""
Entry = tuple[str, dict[str, Any]]
"""A text of a key, and the style of its mark."""


def add_tip(artist: Artist, *words: str) -> None:
    """Add what an SVG shows where the mark is pointed at, such as a name, a number, and what it counts."""
    artist.set_gid(TIP + use_minus_signs(", ".join(filter(None, words))))


def format_tip(name: str, value: float, ends: tuple[float, float]) -> str:
    """Format the name of a number, the number, and its interval."""
    return f"{name}: {format_with_interval(value, *ends)}"


def draw_estimate(
    axes: Axes,
    x: float,
    y: float,
    ends: tuple[float, float],
    color: str,
    marker: str = "o",
    cap: float = CAP,
    tip: str = "",
    **style: Any,
) -> None:
    """Draw a number as a point with an upright error bar, whose `cap` is in points."""
    style = {"ms": POINT, "mew": 0.7, "zorder": 3, "clip_on": False} | style
    (point,) = axes.plot(x, y, marker, color=color, **style)
    add_tip(point, format_tip(tip, y, ends))
    draw_error_bar(axes, x, y, ends, color, True, cap, zorder=style["zorder"] + 0.1)


def draw_error_bar(
    axes: Axes,
    x: float,
    y: float,
    ends: tuple[float, float],
    color: str,
    upright: bool = False,
    cap: float = CAP,
    **style: Any,
) -> None:
    """Draw an error bar with caps, vertical if `upright`, unless its ends are missing or equal."""
    low, high = ends
    if low != low or low == high:
        return
    points = ([x, x], [low, high]) if upright else ([low, high], [y, y])
    caps = {"marker": "_" if upright else "|", "ms": 2 * cap, "mew": 0.8}
    axes.plot(*points, color=color, linewidth=0.8, **caps | {"zorder": 3} | style)


def draw_asterisk(axes: Axes, x: float, y: float, color: str, **style: Any) -> None:
    """Draw the asterisk of a significant test."""
    axes.plot(x, y, marker=(6, 2, 0), ms=3.4, mew=0.9, color=color, **style)


def draw_bracket(canvas: Axes, x: float, top: float, bottom: float) -> None:
    """Draw a bracket at the right of marks that differ (mm), with a red asterisk."""
    ends = [x, x + 0.7, x + 0.7, x]
    canvas.plot(ends, [top, top, bottom, bottom], color=RED, linewidth=0.6)
    draw_asterisk(canvas, x + 1.8, (top + bottom) / 2, RED)


def draw_key(
    canvas: Axes, entries: Sequence[Entry], left: float, top: float, width: float
) -> float:
    """Draw a key (mm) in as many lines as its entries need; return where it ends."""
    shift, y = 0.0, top + 1.4
    for text, style in entries:
        lines = wrap_text(text, width - 5.5, SMALL)
        wide = 5.5 + max(measure_text(line, SMALL) for line in lines)
        if shift and shift + wide > width:
            shift, y = 0.0, y + LINE[SMALL]
        across = [left + shift + at for at in (0.3, 2.3, 4.3)]
        canvas.plot(across, [y - 0.2] * 3, markevery=[1], **{"ms": POINT} | style)
        write_lines(canvas, left + shift + 5.5, y + 0.6, lines, SMALL)
        shift, y = shift + wide + 3, y + LINE[SMALL] * (len(lines) - 1)
    return y - 0.4 + LINE[SMALL] if entries else top
