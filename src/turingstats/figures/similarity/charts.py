"""Panels of charts with systems side by side, and of distributions."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from turingstats.figures import pages
from turingstats.figures.marks import add_tip, draw_error_bar, draw_estimate, draw_key, format_tip
from turingstats.figures.pages import MARGIN, ROOM, SMALL, TINY
from turingstats.figures.palette import INK, SERIES, Style
from turingstats.figures.rows import DASHED
from turingstats.figures.similarity.panel import (
    LEFT,
    Panel,
    darken_color,
    make_color_key,
)

HALO = [withStroke(linewidth=2, foreground="white")]
"""Keeps black lines visible on dark bars and dots."""
MARKS = "osD^vP*X"
"""Markers of raters, whose colors alone would not distinguish them."""
ICC, ALIGNED = Style(INK, "o"), Style(INK, "D", filled=False)


class Chart(Panel):
    """A chart with systems side by side."""

    def list_systems(self) -> list[str]:
        """List the systems from left to right."""
        return list(self.labels)

    def make_axes(
        self, canvas: Axes, top: float, height: float, label: str, **limits: float
    ) -> Axes:
        """Make axes as wide as the page with a position for each system, and `low` and `high` ends."""
        axes = pages.add_inset(canvas, MARGIN + LEFT, top, ROOM - LEFT, height)
        # A few systems stand at the left, instead of in bars as wide as the page.
        places = max(len(self.list_systems()), 8)
        axes.set(xlim=(-0.6, places - 0.4), ylim=(limits.get("low"), limits.get("high")), xticks=[])
        axes.set_ylabel(label, size=SMALL, labelpad=2)
        axes.tick_params(labelsize=SMALL)
        axes.grid(axis="y", color="#ececec", linewidth=0.5)
        axes.set_axisbelow(True)
        return axes

    def write_names(self, axes: Axes) -> float:
        """Write the names of systems below a chart, in the colors of their families; return how long they
        are (mm).
        """
        systems = self.list_systems()
        names, size = [self.labels[system] for system in systems], SMALL
        if len(systems) > 36:
            size = TINY
        axes.set_xticks(range(len(systems)), names, rotation=90, size=size)
        for text, system in zip(axes.get_xticklabels(), systems, strict=True):
            text.set_color(darken_color(self.find_color(system)))
        return 1.5 + max(pages.measure_text(name, size) for name in names)


class Variability(Chart):
    """Agreement within systems and alignment of their means, above alignments of single raters."""

    def draw(self, canvas: Axes, top: float) -> float:
        at = {system: n for n, system in enumerate(self.list_systems())}
        axes = self.make_axes(canvas, top + 4, 27, "ICC, ρ of means", low=0, high=1)
        icc, aligned = self.select_rows("icc"), self.select_rows("alignment")
        names = {"icc": "ICC", "alignment": "alignment of the mean"}
        for rows, style, shift in ((icc, ICC, -0.14), (aligned, ALIGNED, 0.14)):
            for row in pages.list_records(rows):
                place, ends = (at[row["system"]] + shift, row["value"]), (row["low"], row["high"])
                tip = f"{self.labels[row['system']]}, {names[row['quantity']]}"
                draw_estimate(axes, *place, ends, INK, cap=1.2, tip=tip, **style.marks)
        for value in icc.loc[icc["system"] == "human", "value"]:
            axes.axhline(value, **DASHED)
        key = [("ICC (one rater, absolute agreement)", ICC.marks)]
        key += [
            (f"alignment of the mean with {name}", ALIGNED.marks) for name in aligned["with"][:1]
        ]
        draw_key(canvas, key, MARGIN + LEFT, top, ROOM)
        lower = self.make_axes(canvas, top + 34, 20, "ρ of two raters")
        for system, rows in self.select_rows("intersubject").groupby("system", sort=False):
            values = np.sort(rows["value"].to_numpy())
            lower.plot(
                at[system] + spread_points(len(values), 0.6), values, "o", markersize=1.5,
                color=self.find_color(system), alpha=0.8, markeredgewidth=0,
            )  # fmt: skip
            draw_line(lower, at[system], np.median(values))
        return top + 54 + self.write_names(lower)


class Individuals(Chart):
    """Alignment of every participant with every person."""

    def draw(self, canvas: Axes, top: float) -> float:
        at = {system: n for n, system in enumerate(self.list_systems())}
        people = sorted(self.rows["with"].dropna().unique())
        axes = self.make_axes(canvas, top + 4, 27, "ρ with one person")
        key = []
        for number, person in enumerate(people):
            part = self.rows[self.rows["with"] == person]
            side = 0.8 * ((number + 0.5) / len(people) - 0.5)
            style = Style(SERIES[number % len(SERIES)], MARKS[number % len(MARKS)])
            axes.plot(
                part["system"].map(at) + side, part["value"], **style.marks | {"mew": 0}, ms=2
            )
            key.append((str(person), style.marks))
        draw_key(canvas, key, MARGIN + LEFT, top, ROOM)
        return top + 31 + self.write_names(axes)


class Bars(Chart):
    """Alignment with the reference, best first."""

    def list_systems(self) -> list[str]:
        """List the systems from the best aligned to the least."""
        part = self.select_rows("all").sort_values("value", ascending=False, kind="stable")
        return list(part["system"])

    def draw(self, canvas: Axes, top: float) -> float:
        """Draw bars, marks for within and between categories, and ceilings."""
        systems = self.list_systems()
        at = {system: n for n, system in enumerate(systems)}
        lowest = 1.05 * min(0, self.rows["value"].min(), self.rows["low"].min())
        axes = self.make_axes(canvas, top + 5, 42, "ρ with the reference", low=lowest, high=1)
        for row in pages.list_records(self.select_rows("all")):
            x, ends = at[row["system"]], (row["low"], row["high"])
            color = self.find_color(row["system"])
            (bar,) = axes.bar(x, row["value"], width=0.72, color=color, zorder=1)
            add_tip(bar, format_tip(self.labels[row["system"]], row["value"], ends))
            draw_error_bar(axes, x, row["value"], ends, INK, True, 1.2, path_effects=HALO)
        for quantity, mark in (("within", "^"), ("between", "v")):
            rows = self.select_rows(quantity)
            style = Style(INK, mark, filled=False).marks | {"mew": 0.5}
            axes.plot(rows["system"].map(at) - 0.22, rows["value"], **style, ms=2.8, zorder=4)
        for row in pages.list_records(self.select_rows("with single")):
            draw_line(axes, at[row["system"]], row["value"])
        names = ("ceiling_lower", "ceiling_upper", "ceiling_of_group")
        values = [self.select_rows(name)["value"] for name in names]
        if len(values[0]):
            low, high, of_group = (value.iloc[0] for value in values)
            axes.axhspan(low, high, color="#dcdcdc", zorder=0, linewidth=0)
            axes.axhline(of_group, **DASHED)
        axes.axhline(0, color=INK, linewidth=0.6)
        families = dict.fromkeys(self.families[system] for system in systems)
        colors = {family: self.colors[family] for family in families}
        draw_key(canvas, make_color_key(colors), MARGIN + LEFT, top, ROOM)
        return top + 47 + self.write_names(axes)


class Distributions(Panel):
    """A histogram of the ratings of each system."""

    across, wide, tall = 8, 18.2, 9.5

    def draw(self, canvas: Axes, top: float) -> float:
        draw_key(canvas, make_color_key(self.colors), MARGIN, top, ROOM)
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False)):
            line, column = divmod(number, self.across)
            left, above = MARGIN + column * (self.wide + 4.7), top + 5 + line * (self.tall + 8.5)
            name = pages.wrap_text(self.labels[system], self.wide + 3.5, TINY)[:2]
            pages.write_lines(canvas, left, above + 1.6, name, TINY)
            axes = pages.add_inset(canvas, left, above + 4.2, self.wide, self.tall)
            # One shape for all bars: thousands would make the file large.
            edges = [*rows["low"], rows["high"].iloc[-1]]
            axes.stairs(rows["value"], edges, fill=True, color=self.find_color(system), linewidth=0)
            axes.set(
                xlim=(-0.025, 1.025), ylim=(0, max(rows["value"].max(), 0.2) * 1.05), yticks=[]
            )
            axes.spines["left"].set_visible(False)
            axes.set_xticks([0, 0.5, 1], ["0", "50", "100"], size=TINY)
            axes.tick_params(length=1.2, pad=1)
        return above + self.tall + 8.5


def draw_line(axes: Axes, x: float, y: float) -> None:
    """Draw a short horizontal line, such as a median."""
    axes.plot([x - 0.36, x + 0.36], [y] * 2, color=INK, linewidth=1.1, path_effects=HALO, zorder=4)


def spread_points(number: int, width: float) -> np.ndarray:
    """Compute horizontal positions of points, evenly spread and unordered."""
    return ((np.arange(number) * 0.6180339887) % 1 - 0.5) * width
