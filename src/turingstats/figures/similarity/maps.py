"""Panels of raters on a map."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from turingstats.figures import pages
from turingstats.figures.hover import title_mark
from turingstats.figures.pages import MARGIN
from turingstats.figures.palette import GREY, PALE
from turingstats.figures.similarity.panel import ROOM, TINY, Panel, darken_color


class Map(Panel):
    """All participants on one map, with numbered systems."""

    height = 112.0

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw points, numbers at the center of each system, and the key."""
        size = 110
        axes = pages.add_inset(canvas, MARGIN, top, size, size)
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=True, color=PALE)
        halo = [withStroke(linewidth=1.6, foreground="white")]
        middles, numbers = [], []
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False), 1):
            (points,) = axes.plot(
                rows["low"], rows["high"], "o", markersize=2.2, color=self.find_color(system),
                markeredgewidth=0, alpha=0.7,
            )  # fmt: skip
            title_mark(points, f"{number}, {self.describe_points(system, rows)}")
            # The point nearest to the center, so that the number belongs to the system.
            x, y = rows["low"].to_numpy(), rows["high"].to_numpy()
            near = np.hypot(x - np.median(x), y - np.median(y)).argmin()
            middles.append((x[near], y[near]))
            numbers.append(number)
        axes.margins(0.04)
        points = self.rows[["low", "high"]].to_numpy()
        span = np.ptp(points, axis=0)
        spots = place_beside(np.array(middles), points, 0.018 * span)
        for number, middle, spot in zip(numbers, middles, spots, strict=True):
            axes.plot(*zip(middle, spot, strict=True), color=GREY, linewidth=0.4, zorder=1)
            axes.text(
                *spot, str(number), size=TINY + 0.5, weight="bold", ha="center", va="center",
                path_effects=halo,
            )  # fmt: skip
        left, step = MARGIN + size + 4, min(2.35, (size - 4) / len(numbers))
        y = top + 1.5
        for number, system in enumerate(self.labels, 1):
            canvas.plot(left + 4.6, y - 0.6, "o", markersize=2.6, color=self.find_color(system))
            style = {"size": TINY, "va": "baseline"}
            canvas.text(left + 3.2, y, str(number), ha="right", weight="bold", **style)
            canvas.text(left + 6.2, y, self.labels[system], **style)
            y += step

    def explain(self, level: Any) -> Any:
        """Explain the map."""
        number = f"{len(self.rows):,} participants and embeddings"
        return f"Each point is one of {number} ({self.rows['text'].iloc[0]}); numbers name systems."


class Maps(Panel):
    """One map for each system, with the others in gray."""

    across = 8

    def __init__(self, letter: str, rows: pd.DataFrame, colormap: str) -> None:
        super().__init__(letter, rows, colormap)
        self.size = (ROOM - 3 * (self.across - 1)) / self.across
        self.height = -(-len(self.labels) // self.across) * (self.size + 6.5)

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw a small map for each system."""
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False)):
            line, column = divmod(number, self.across)
            left, above = MARGIN + column * (self.size + 3), top + line * (self.size + 6.5)
            for n, text in enumerate(pages.wrap_text(self.labels[system], self.size + 2, TINY)[:2]):
                canvas.text(left, above + 1.6 + 1.9 * n, text, size=TINY)
            axes = pages.add_inset(canvas, left, above + 4.2, self.size, self.size)
            axes.plot(
                self.rows["low"], self.rows["high"], "o", markersize=0.7, color="#dddddd",
                markeredgewidth=0, rasterized=True,
            )  # fmt: skip
            (points,) = axes.plot(
                rows["low"], rows["high"], "o", markersize=1.8, color=darken_color(self.find_color(system)),
                markeredgewidth=0,
            )  # fmt: skip
            title_mark(points, self.describe_points(system, rows))
            axes.set(xticks=[], yticks=[])
            for side in axes.spines.values():
                side.set(visible=True, color=PALE)

    def explain(self, level: Any) -> Any:
        """Explain the map."""
        return f"Participants of each system ({self.rows['text'].iloc[0]}); gray, all others."


def place_beside(middles: np.ndarray, points: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Place numbers beside the points of a map, each near its own middle and clear of the others.

    `size` is the room that a number needs to each side, in the units of the map.
    """
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False) + np.pi / 2
    rings = np.concatenate(
        [
            far * np.column_stack([np.cos(angles), np.sin(angles)])
            for far in (1.2, 1.7, 2.3, 3, 4, 5)
        ]
    )
    taken = []
    for middle in middles:
        tried = middle + rings * size
        # The nearest place that covers nothing, or else the one that covers least.
        obstacles = np.concatenate([points, *(np.repeat([one], 5, axis=0) for one in taken)])
        apart = np.abs(tried[:, None] - obstacles[None]) / size
        covered = (apart.max(axis=2) < 1).sum(axis=1)
        taken.append(tried[covered.argmin()])
    return np.array(taken)
