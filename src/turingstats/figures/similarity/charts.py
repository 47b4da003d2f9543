"""Panels of charts with systems side by side, and of distributions."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from turingstats.figures import hover, pages
from turingstats.figures.marks import draw_error_bar, draw_estimate
from turingstats.figures.pages import MARGIN, SMALL
from turingstats.figures.palette import GREY, INK, SERIES
from turingstats.figures.similarity.panel import (
    LEFT,
    ROOM,
    TINY,
    Panel,
    darken_color,
    describe_pairs,
    write_color_key,
)

HALO = [withStroke(linewidth=2, foreground="white")]
"""Keeps black lines visible on dark bars and dots."""
MARKS = "osD^vP*X"
"""Markers of raters, whose colors alone would not distinguish them."""


class Chart(Panel):
    """A chart with systems side by side."""

    chart = 0.0  # height without the names below it, mm

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        super().__init__(letter, rows)
        self.size = SMALL if len(self.list_systems()) <= 36 else TINY
        widths = [pages.measure_text(self.labels[name], self.size) for name in self.list_systems()]
        self.height = self.chart + max(widths, default=0) + 1.5

    def list_systems(self) -> list[str]:
        """List the systems from left to right."""
        return list(self.labels)

    def make_axes(
        self,
        canvas: Axes,
        top: float,
        height: float,
        label: str,
        low: float | None = None,
        high: int | None = None,
    ) -> Axes:
        """Make axes as wide as the page with a position for each system."""
        axes = pages.add_inset(canvas, MARGIN + LEFT, top, ROOM - LEFT, height)
        # A few systems stand at the left, instead of in bars as wide as the page.
        places = max(len(self.list_systems()), 8)
        axes.set(xlim=(-0.6, places - 0.4), ylim=(low, high), xticks=[])
        axes.set_ylabel(label, size=SMALL, labelpad=2)
        axes.tick_params(labelsize=SMALL)
        axes.grid(axis="y", color="#ececec", linewidth=0.5)
        axes.set_axisbelow(True)
        return axes

    def write_names(self, axes: Axes) -> None:
        """Write the names of systems below a chart, in the colors of their families."""
        systems = self.list_systems()
        axes.set_xticks(range(len(systems)))
        axes.set_xticklabels([self.labels[s] for s in systems], rotation=90, size=self.size)
        for text, system in zip(axes.get_xticklabels(), systems, strict=True):
            text.set_color(darken_color(self.find_color(system)))


class Variability(Chart):
    """Agreement within systems and alignment of their means, above alignments of single raters."""

    chart = 4 + 27 + 3 + 20

    def draw(self, canvas: Axes, top: float) -> None:
        systems = self.list_systems()
        at = {system: n for n, system in enumerate(systems)}
        axes = self.make_axes(canvas, top + 4, 27, "ICC, ρ of means", 0, 1)
        icc, aligned = self.select_rows("icc"), self.select_rows("alignment")
        for rows, mark, fill, shift in ((icc, "o", INK, -0.14), (aligned, "D", "white", 0.14)):
            positions = [at[system] + shift for system in rows["system"]]
            for place, row in zip(positions, pages.list_records(rows), strict=True):
                draw_estimate(
                    axes, place, row["value"], row, INK, mark, (row["low"], row["high"]), upright=True,
                    cap=1.2, title=describe_value(row, self.labels), ms=3.2, mfc=fill, mew=0.6,
                )  # fmt: skip
        for value in icc.loc[icc["system"] == "human", "value"]:
            axes.axhline(value, color=GREY, linewidth=0.6, linestyle=(0, (4, 3)), zorder=0)
        x = MARGIN + LEFT
        for mark, fill, text in (
            ("o", INK, "ICC (one rater, absolute agreement)"),
            ("D", "white", f"alignment of the mean with {aligned['with'].iloc[0]}" if len(aligned) else ""),
        ):  # fmt: skip
            if text:
                canvas.plot(x + 1, top + 1, mark, markersize=3.2, markerfacecolor=fill,
                            markeredgecolor=INK, markeredgewidth=0.6)  # fmt: skip
                pages.write_lines(canvas, x + 3, top + 1.75, text, SMALL)
                x += pages.measure_text(text, SMALL) + 8
        lower = self.make_axes(canvas, top + 34, 20, "ρ of two raters")
        for system, rows in self.select_rows("intersubject").groupby("system", sort=False):
            values = np.sort(rows["value"].to_numpy())
            lower.plot(
                at[system] + spread_points(len(values), 0.6), values, "o", markersize=1.5,
                color=self.find_color(system), alpha=0.8, markeredgewidth=0,
            )  # fmt: skip
            middle = np.median(values)
            (bar,) = lower.plot(
                [at[system] - 0.38, at[system] + 0.38], [middle] * 2, color=INK, linewidth=1.1,
                path_effects=HALO,
            )  # fmt: skip
            words = f"median correlation of two raters {middle:.3f}; n = {len(values):,} pairs of raters"
            hover.title_mark(bar, f"{self.labels[system]}: {words}")
        self.write_names(lower)

    def explain(self, level: str) -> str:
        intervals = (
            f" with {level} intervals" if self.select_rows("icc")["low"].notna().any() else ""
        )
        return (
            f"Above, agreement (two-way ICC) and alignment of the means{intervals}; dashed, ICC of "
            "people. Below, Spearman's correlation of every two raters of a system; bar, median."
        )


class Individuals(Chart):
    """Alignment of every participant with every person."""

    chart = 4 + 27

    def draw(self, canvas: Axes, top: float) -> None:
        systems = self.list_systems()
        people = sorted(self.rows["with"].dropna().unique())
        axes = self.make_axes(canvas, top + 4, 27, "ρ with one person")
        for number, person in enumerate(people):
            part = self.rows[self.rows["with"] == person]
            positions = part["system"].map({s: n for n, s in enumerate(systems)}).astype(float)
            side = (number + 0.5) / len(people) - 0.5
            mark, color = MARKS[number % len(MARKS)], SERIES[number % len(SERIES)]
            (points,) = axes.plot(
                positions + 0.8 * side, part["value"], mark, markersize=2, color=color,
                markeredgewidth=0, alpha=0.85,
            )  # fmt: skip
            low, middle, high = part["value"].quantile([0, 0.5, 1])
            hover.title_mark(
                points,
                f"{person}: \N{GREEK SMALL LETTER RHO} with {len(part):,} participants, median {middle:.3f}, "
                f"{low:.3f} to {high:.3f}",
            )
            x = MARGIN + LEFT + number * 12
            canvas.plot(x + 1, top + 1, mark, markersize=3.2, color=color, markeredgewidth=0)
            pages.write_lines(canvas, x + 3, top + 1.75, str(person), SMALL)
        self.write_names(axes)

    def explain(self, level: str) -> str:
        return "Each point: Spearman's correlation of one participant with one person (colors)."


class Bars(Chart):
    """Alignment with the reference, best first."""

    chart = 5 + 42

    def list_systems(self) -> list[str]:
        """List the systems from the best aligned to the least."""
        part = self.select_rows("all").sort_values("value", ascending=False, kind="stable")
        return list(part["system"])

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw bars, marks for within and between categories, and ceilings."""
        systems = self.list_systems()
        at = {system: n for n, system in enumerate(systems)}
        lowest = min(0, self.rows["value"].min(), self.rows["low"].min())
        axes = self.make_axes(canvas, top + 5, 42, "ρ with the reference", 1.05 * lowest, 1)
        whole = self.select_rows("all").set_index("system").loc[systems].reset_index()
        colors = [self.find_color(system) for system in systems]
        bars = axes.bar(range(len(systems)), whole["value"], width=0.72, color=colors, zorder=1)
        for index, (bar, row) in enumerate(zip(bars, pages.list_records(whole), strict=True)):
            hover.title_mark(bar, describe_value(row, self.labels))
            ends = row["low"], row["high"]
            draw_error_bar(
                axes, index, row["value"], ends, INK, upright=True, cap=1.2, path_effects=HALO
            )
        for quantity, mark in (("within", "^"), ("between", "v")):
            for row in pages.list_records(self.select_rows(quantity)):
                (point,) = axes.plot(
                    at[row["system"]] - 0.22, row["value"], mark, markersize=2.8, color="white",
                    markeredgecolor=INK, markeredgewidth=0.5, zorder=4,
                )  # fmt: skip
                hover.title_mark(point, describe_value(row, self.labels))
        for row in pages.list_records(self.select_rows("with single")):
            ends = [at[row["system"]] - 0.34, at[row["system"]] + 0.34]
            (line,) = axes.plot(
                ends, [row["value"]] * 2, color=INK, linewidth=1.1, zorder=4, path_effects=HALO
            )
            hover.title_mark(line, describe_value(row, self.labels))
        names = ("ceiling_lower", "ceiling_upper", "ceiling_of_group")
        values = [self.select_rows(name)["value"] for name in names]
        if len(values[0]):
            low, high, of_group = (value.iloc[0] for value in values)
            axes.axhspan(low, high, color="#dcdcdc", zorder=0, linewidth=0)
            axes.axhline(of_group, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.axhline(0, color=INK, linewidth=0.6)
        self.write_names(axes)
        families = dict.fromkeys(self.families[system] for system in systems)
        colors = {family: self.colors[family] for family in families}
        write_color_key(canvas, MARGIN + LEFT, top, colors)

    def explain(self, level: str) -> str:
        whole = self.select_rows("all")
        sentence = f"Bars: Spearman's correlation with {whole['with'].iloc[0]} over {describe_pairs(whole)}"
        sentence += f", {level} intervals." if whole["low"].notna().any() else "."
        if len(self.select_rows("within")):
            sentence += " Triangles: pairs within (up) and between categories (down)."
        if len(self.select_rows("with single")):
            sentence += " Short lines: mean correlation with single people,"
            sentence += (
                " to be compared with their noise ceiling (gray band); dashed, ceiling of the mean."
            )
        return sentence


class Distributions(Panel):
    """A histogram of the ratings of each system."""

    across, wide, tall = 8, 18.2, 9.5

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        super().__init__(letter, rows)
        self.height = 5 + -(-len(self.labels) // self.across) * (self.tall + 8.5)

    def draw(self, canvas: Axes, top: float) -> None:
        write_color_key(canvas, MARGIN, top, self.colors)
        top += 5
        groups = self.rows.groupby("system", sort=False)
        for number, (system, rows) in enumerate(groups):
            line, column = divmod(number, self.across)
            left, above = (MARGIN + column * (self.wide + 4.7), top + line * (self.tall + 8.5))
            for n, text in enumerate(
                pages.wrap_text(self.labels[system], self.wide + 3.5, TINY)[:2]
            ):
                canvas.text(left, above + 1.6 + 1.9 * n, text, size=TINY)
            axes = pages.add_inset(canvas, left, above + 4.2, self.wide, self.tall)
            # One shape for all bars, and one title: thousands would make the file large.
            bars = axes.stairs(
                rows["value"], [*rows["low"], rows["high"].iloc[-1]], fill=True,
                color=self.find_color(system), linewidth=0,
            )  # fmt: skip
            hover.title_mark(bars, f"{self.labels[system]}: {describe_shares(rows)}")
            axes.set(xlim=(-0.025, 1.025), xticks=[0, 0.5, 1], yticks=[])
            axes.set_ylim(0, max(rows["value"].max(), 0.2) * 1.05)
            axes.spines["left"].set_visible(False)
            axes.set_xticklabels(["0", "50", "100"], size=TINY)
            axes.tick_params(length=1.2, pad=1)

    def explain(self, level: str) -> str:
        return (
            "Share of ratings around each twentieth of the scale, including identical items; for embeddings, "
            "similarities from the least to the most similar pair. Each chart has its own vertical scale."
        )


def describe_shares(rows: pd.DataFrame) -> str:
    """Describe a histogram: its highest bar, and the shares of all bars."""
    most = rows.loc[rows["value"].idxmax()]
    low, high = (100 * min(max(most[end], 0), 1) for end in ("low", "high"))
    shares = ", ".join(f"{100 * share:.1f}" for share in rows["value"])
    return (
        f"{100 * most['value']:.1f}% from {low:.3g} to {high:.3g}; shares of all bars, %: {shares}"
    )


def spread_points(number: int, width: float) -> np.ndarray:
    """Compute horizontal positions of points, evenly spread and unordered."""
    return ((np.arange(number) * 0.6180339887) % 1 - 0.5) * width


NAMES = {
    "icc": "intraclass correlation",
    "all": "\N{GREEK SMALL LETTER RHO} over all pairs",
    "alignment": "\N{GREEK SMALL LETTER RHO} of the mean",
    "within": "\N{GREEK SMALL LETTER RHO} within categories",
    "between": "\N{GREEK SMALL LETTER RHO} between categories",
    "with single": "mean \N{GREEK SMALL LETTER RHO} with single people",
}
"""Names of the quantities of charts."""


def describe_value(row: dict[str, Any], labels: dict[str, str]) -> str:
    """Describe a number of a system exactly."""
    interval = ""
    if row["low"] == row["low"]:
        interval = f" (interval {row['low']:.4f} to {row['high']:.4f})"
    counted = f"; n = {row['n']:,.0f}" if row["n"] == row["n"] else ""
    return (
        f"{labels[row['system']]}: {NAMES[row['quantity']]} {row['value']:.4f}{interval}{counted}"
    )
