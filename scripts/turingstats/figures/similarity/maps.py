"""Panels of raters on a map."""

import numpy as np
from matplotlib.patheffects import withStroke

from turingstats.figures import pages
from turingstats.figures.pages import MARGIN
from turingstats.figures.palette import PALE
from turingstats.figures.similarity.panel import ROOM, TINY, Panel, darken_color


class Map(Panel):
    """All participants on one map, with numbered systems."""

    height = 112.0

    def draw(self, canvas, top):
        """Draw points, numbers at the center of each system, and the key."""
        size = 110
        axes = pages.add_inset(canvas, MARGIN, top, size, size)
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=True, color=PALE)
        halo = [withStroke(linewidth=1.6, foreground="white")]
        middles, numbers = [], []
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False), 1):
            axes.plot(
                rows["low"], rows["high"], "o", markersize=2.2, color=self.find_color(system),
                markeredgewidth=0, alpha=0.7,
            )  # fmt: skip
            # Above the points around the center, so that the number hides none of them.
            x, y = rows["low"].to_numpy(), rows["high"].to_numpy()
            away = np.hypot(x - np.median(x), y - np.median(y))
            near = away <= 2 * np.median(away) + away.min()
            middles.append((np.median(x[near]), y[near].max()))
            numbers.append(number)
        span = np.ptp(np.array(middles), axis=0)
        for number, (x, y) in zip(
            numbers, separate_places(np.array(middles), 0.022 * span), strict=True
        ):
            axes.text(
                x, y + 0.012 * span[1], str(number), size=TINY + 0.5, weight="bold", ha="center",
                va="bottom", path_effects=halo,
            )  # fmt: skip
        axes.margins(0.04)
        left, step = MARGIN + size + 4, min(2.35, (size - 4) / len(numbers))
        y = top + 1.5
        for number, system in enumerate(self.labels, 1):
            canvas.plot(left + 4.6, y - 0.6, "o", markersize=2.6, color=self.find_color(system))
            style = {"size": TINY, "va": "baseline"}
            canvas.text(left + 3.2, y, str(number), ha="right", weight="bold", **style)
            canvas.text(left + 6.2, y, self.labels[system], **style)
            y += step

    def explain(self, level):
        """Explain the map."""
        number = f"{len(self.rows):,} participants and embeddings"
        return f"Each point is one of {number} ({self.rows['text'].iloc[0]}); numbers name systems."


class Maps(Panel):
    """One map for each system, with the others in gray."""

    across = 8

    def __init__(self, letter, rows, colormap):
        super().__init__(letter, rows, colormap)
        self.size = (ROOM - 3 * (self.across - 1)) / self.across
        self.height = -(-len(self.labels) // self.across) * (self.size + 6.5)

    def draw(self, canvas, top):
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
            axes.plot(
                rows["low"], rows["high"], "o", markersize=1.8, color=darken_color(self.find_color(system)),
                markeredgewidth=0,
            )  # fmt: skip
            axes.set(xticks=[], yticks=[])
            for side in axes.spines.values():
                side.set(visible=True, color=PALE)

    def explain(self, level):
        """Explain the map."""
        return f"Participants of each system ({self.rows['text'].iloc[0]}); gray, all others."


def separate_places(places, least):
    """Move points until no two are closer than `least` in both directions."""
    places = places.astype(float).copy()
    for _ in range(60):
        moved = False
        for i in range(len(places)):
            for j in range(i):
                gap = (places[i] - places[j]) / np.where(least > 0, least, 1)
                if np.abs(gap).max() < 1:
                    push = np.where(gap == 0, [0.3, 1.0], gap)
                    push = push / np.abs(push).max() - gap
                    places[i] += 0.5 * push * least
                    places[j] -= 0.5 * push * least
                    moved = True
        if not moved:
            break
    return places
