"""Marks of single numbers, and the keys that explain them."""

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes

from turingstats.figures.pages import LINE, SMALL, measure_text, write_lines
from turingstats.figures.palette import RED

CAP = 2.1
"""Half the length of the cap of an error bar, pt; longer than the radius of points, so that none hides it."""
POINT = 3
"""Diameter of points, pt."""


def draw_estimate(
    axes: Axes,
    x: float,
    y: float,
    ends: tuple[float, float],
    color: str,
    marker: str = "o",
    upright: bool = False,
    cap: float = CAP,
    **style: Any,
) -> None:
    """Draw a number as a point with an error bar, whose `cap` is in points."""
    style = {"ms": POINT, "mew": 0.7, "zorder": 3, "clip_on": False} | style
    axes.plot(x, y, marker, color=color, **style)
    draw_error_bar(axes, x, y, ends, color, upright, cap, zorder=style["zorder"] + 0.1)


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


class Key:
    """A key in as many lines as its entries need: texts, each with the style of its mark."""

    def __init__(self, entries: Iterable[tuple[str, dict[str, Any]]], width: float) -> None:
        self.lines: list[list[tuple[float, str, dict[str, Any]]]] = []
        shift = width
        for text, style in entries:
            wide = 5.5 + measure_text(text, SMALL) + 3
            if shift + wide - 3 > width:
                self.lines.append([])
                shift = 0
            self.lines[-1].append((shift, text, style))
            shift += wide
        self.height = LINE[SMALL] * len(self.lines) + bool(self.lines)

    def draw(self, canvas: Axes, left: float, top: float) -> None:
        """Draw the key from a place of the page (mm)."""
        for number, line in enumerate(self.lines):
            y = top + 1.4 + number * LINE[SMALL]
            for shift, text, style in line:
                across = [left + shift + at for at in (0.3, 2.3, 4.3)]
                canvas.plot(across, [y - 0.2] * 3, markevery=[1], **{"ms": POINT} | style)
                write_lines(canvas, left + shift + 5.5, y + 0.6, text, SMALL)
