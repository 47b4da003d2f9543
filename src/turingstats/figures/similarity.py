"""Figures of a study of similarity ratings, with panels below each other, one class per kind.

Figures read source data (`turingstats.ratings.figure_numbers`) and compute only positions.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from turingstats.core.labels import use_minus_signs
from turingstats.figures import marks, pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import LINE, MARGIN, PAGE, ROOM, SMALL, TINY, TITLE
from turingstats.figures.palette import GREY, INK, SERIES, Style
from turingstats.figures.rows import DASHED

LEFT = 11  # space for the scale of a chart, mm
COLORMAP = "Blues_r"
"""Colors of cells, from the most similar pair (dark) to the least."""
CATEGORIES = ("#b2182b", "#f4b942", "#1b7837", "#74add1", "#762a83", "#a6761d", "#8f8f8f")
"""Colors of categories; neighbors differ in lightness as well as in hue."""
TEXT_HEIGHTS = {4: 6.5, 9: 7.5, 12: 3.5}
"""Height of the name of a matrix and of its alignment, if it has one, by matrices per row; mm."""
HALO = [withStroke(linewidth=2, foreground="white")]
"""Keeps black lines visible on dark bars and dots."""
MARKS = "osD^vP*X"
"""Markers of raters, whose colors alone would not distinguish them."""
ICC, ALIGNED = Style(INK, "o"), Style(INK, "D", filled=False)


class Panel:
    """A panel: its rows of source data, and its drawing."""

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        self.letter, self.rows = letter, rows
        self.title = rows["title"].iloc[0]
        systems = rows.dropna(subset=["system", "label"]).drop_duplicates("system")
        self.labels = dict(zip(systems["system"], systems["label"], strict=True))
        self.families = dict(zip(systems["system"], systems["family"].fillna(""), strict=True))
        hues = dict(zip(systems["family"].fillna(""), systems["hue"].astype(int), strict=True))
        self.colors = {name: SERIES[hue % len(SERIES)] for name, hue in hues.items()}

    def select_rows(self, quantity: str) -> pd.DataFrame:
        """Select the rows of a quantity."""
        return self.rows[self.rows["quantity"] == quantity]

    def find_color(self, system: str) -> str:
        """Find the color of a system's family."""
        return self.colors[self.families[system]]

    def draw(self, canvas: Axes, top: float) -> float:
        """Draw the panel from a height of the page on, and return where it ends (mm)."""
        raise NotImplementedError(type(self).__name__)


class Absent(Panel):
    """A panel without data."""

    def draw(self, canvas: Axes, top: float) -> float:
        """Write the reason."""
        pages.write_lines(canvas, MARGIN + 4.5, top + 2, self.rows["text"].iloc[0], color=GREY)
        return top + 3


class Matrices(Panel):
    """Dissimilarity matrices of systems with items in categories, in rows."""

    by = "system"  # column that distinguishes matrices
    across = 0  # matrices per row; 0 if their number decides

    def __init__(self, letter: str, rows: pd.DataFrame) -> None:
        super().__init__(letter, rows)
        items = self.select_rows("item").sort_values("value")
        self.place = dict(zip(items["item_a"], items["value"].astype(int), strict=True))
        self.category = items["text"].to_numpy()
        names = list(dict.fromkeys(self.category))
        # A single category needs no color.
        self.category_colors = {
            name: CATEGORIES[number % len(CATEGORIES)]
            for number, name in enumerate(names if len(names) > 1 else [])
        }
        self.cells = dict(list(self.select_rows("dissimilarity").groupby(self.by, sort=False)))
        alignments = pages.list_records(self.select_rows("alignment"))
        self.alignments = {row["system"]: row for row in alignments}
        self.across = self.across or (4 if len(self.cells) <= 8 else 9)
        self.text_size = SMALL if self.across <= 4 else TINY
        self.size = (ROOM - 2 * (self.across - 1) - self.across) / self.across - 1

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the name of a matrix and the line below it."""
        name = self.labels[key]
        if key not in self.alignments:
            raters = self.select_rows("raters")
            n = raters.loc[raters["system"] == key, "value"].iloc[0]
            return name, f"{n:.0f} raters" if n == n else ""
        row = self.alignments[key]
        star = "" if row["text"].startswith("p <") else " (n.s.)"
        return name, use_minus_signs(f"ρ = {row['value']:z.3f}{star}")

    def draw(self, canvas: Axes, top: float) -> float:
        """Draw the key, the color scale and the matrices."""
        self.draw_key(canvas, top)
        step = self.size + 2 + 1 + TEXT_HEIGHTS[self.across]
        for number, (key, cells) in enumerate(self.cells.items()):
            line, column = divmod(number, self.across)
            left = MARGIN + column * (self.size + 4)
            self.draw_matrix(canvas, key, cells, left, top + 5.5 + line * step)
        return top + 5.5 + (line + 1) * step

    def draw_key(self, canvas: Axes, top: float) -> None:
        """Draw the key of the colors of categories and cells."""
        marks.draw_key(canvas, make_color_key(self.category_colors), MARGIN + 4.5, top, ROOM)
        left = PAGE - MARGIN - 62
        pages.write_lines(canvas, left - 1.5, top + 1.75, "similar", SMALL, ha="right", color=GREY)
        axes = pages.add_inset(canvas, left, top + 0.1, 34, 1.8)
        scale = ScalarMappable(Normalize(0, 1), COLORMAP)
        bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[])
        bar.outline.set_visible(False)
        pages.write_lines(canvas, left + 35.5, top + 1.75, "dissimilar", SMALL, color=GREY)

    def draw_matrix(
        self, canvas: Axes, key: str, cells: pd.DataFrame, left: float, top: float
    ) -> None:
        """Draw a matrix with bars of the categories at its left and top edges."""
        name, below = self.name_matrix(key)
        lines = pages.wrap_text(name, self.size + 2, self.text_size)[:2]
        first = top + 2 - LINE[self.text_size] * (len(lines) - 1)
        pages.write_lines(canvas, left + 1, first, lines, self.text_size)
        n = len(self.place)
        matrix = np.full((n, n), np.nan)
        a = cells["item_a"].map(self.place).to_numpy()
        b = cells["item_b"].map(self.place).to_numpy()
        matrix[a, b] = matrix[b, a] = cells["value"]
        np.fill_diagonal(matrix, 0)
        under = top + 2.8
        axes = pages.add_inset(canvas, left + 1, under + 1, self.size, self.size)
        axes.imshow(matrix, cmap=COLORMAP, vmin=0, vmax=1, interpolation="nearest")
        axes.set_facecolor("#f3d9d9")
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        for category, color in self.category_colors.items():
            at = np.flatnonzero(self.category == category)
            start, long = at[0] / n * self.size, len(at) / n * self.size
            style = {"facecolor": color, "edgecolor": "none"}
            pages.draw_box(canvas, left, under + 1 + start, 0.7, long, **style)
            pages.draw_box(canvas, left + 1 + start, under, long, 0.7, **style)
        baseline = under + self.size + 3.4
        pages.write_lines(canvas, left + 1, baseline, below, self.text_size, color=GREY)


class Raters(Matrices):
    """The matrix of every participant of one system."""

    by = "person"
    across = 12

    def name_matrix(self, key: str) -> tuple[str, str]:
        """Return the participant's name."""
        return key, ""


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
            # Darker than marks, so that it is readable as text.
            text.set_color([0.72 * part for part in to_rgb(self.find_color(system))])
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
                marks.draw_estimate(axes, *place, ends, INK, cap=1.2, tip=tip, **style.marks)
        for value in icc.loc[icc["system"] == "human", "value"]:
            axes.axhline(value, **DASHED)
        key = [("ICC (one rater, absolute agreement)", ICC.marks)]
        for name in aligned["with"][:1]:
            key.append((f"alignment of the mean with {name}", ALIGNED.marks))
        marks.draw_key(canvas, key, MARGIN + LEFT, top, ROOM)
        lower = self.make_axes(canvas, top + 34, 20, "ρ of two raters")
        for system, rows in self.select_rows("intersubject").groupby("system", sort=False):
            values = np.sort(rows["value"].to_numpy())
            # Points are evenly spread and in no order.
            apart = ((np.arange(len(values)) * 0.6180339887) % 1 - 0.5) * 0.6
            style = {"ms": 1.5, "mew": 0, "alpha": 0.8, "color": self.find_color(system)}
            lower.plot(at[system] + apart, values, "o", **style)
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
            style = Style(SERIES[number % len(SERIES)], MARKS[number % len(MARKS)]).marks
            axes.plot(part["system"].map(at) + side, part["value"], **style | {"mew": 0}, ms=2)
            key.append((str(person), style))
        marks.draw_key(canvas, key, MARGIN + LEFT, top, ROOM)
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
            marks.add_tip(bar, marks.format_tip(self.labels[row["system"]], row["value"], ends))
            marks.draw_error_bar(axes, x, row["value"], ends, INK, True, 1.2, path_effects=HALO)
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
        marks.draw_key(canvas, make_color_key(colors), MARGIN + LEFT, top, ROOM)
        return top + 47 + self.write_names(axes)


class Distributions(Panel):
    """A histogram of the ratings of each system."""

    across, wide, tall = 8, 18.2, 9.5

    def draw(self, canvas: Axes, top: float) -> float:
        marks.draw_key(canvas, make_color_key(self.colors), MARGIN, top, ROOM)
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False)):
            line, column = divmod(number, self.across)
            left, above = MARGIN + column * (self.wide + 4.7), top + 5 + line * (self.tall + 8.5)
            name = pages.wrap_text(self.labels[system], self.wide + 3.5, TINY)[:2]
            pages.write_lines(canvas, left, above + 1.6, name, TINY)
            axes = pages.add_inset(canvas, left, above + 4.2, self.wide, self.tall)
            # One shape for all bars: thousands would make the file large.
            edges = [*rows["low"], rows["high"].iloc[-1]]
            axes.stairs(rows["value"], edges, fill=True, color=self.find_color(system), linewidth=0)
            highest = 1.05 * max(rows["value"].max(), 0.2)
            axes.set(xlim=(-0.025, 1.025), ylim=(0, highest), yticks=[])
            axes.spines["left"].set_visible(False)
            axes.set_xticks([0, 0.5, 1], ["0", "50", "100"], size=TINY)
            axes.tick_params(length=1.2, pad=1)
        return above + self.tall + 8.5


def make_color_key(colors: Mapping[str, str]) -> list[marks.Entry]:
    """Make a key of names and their colors."""
    square = {"marker": "s", "ls": "", "ms": 5}
    return [(name, square | {"color": color}) for name, color in colors.items() if name]


def draw_line(axes: Axes, x: float, y: float) -> None:
    """Draw a short horizontal line, such as a median."""
    axes.plot([x - 0.36, x + 0.36], [y] * 2, color=INK, linewidth=1.1, path_effects=HALO, zorder=4)


KIND_OF = {
    "dissimilarity": Matrices,
    "raters": Raters,
    "variability": Variability,
    "individuals": Individuals,
    "distributions": Distributions,
    "alignment": Bars,
    "no data": Absent,
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the panels that occur in the source data."""
    panels = [
        KIND_OF[rows["kind"].iloc[0]](letter, rows)
        for letter, rows in data.groupby("panel", sort=False)
    ]
    canvas, top = pages.open_page(data)
    for panel in panels:
        pages.write_lines(canvas, MARGIN, top + 2.6, panel.letter, TITLE, weight="bold")
        pages.write_lines(canvas, MARGIN + 4.5, top + 2.6, panel.title, weight="semibold")
        top = panel.draw(canvas, top + 5.5) + 3
    return pages.close_page(canvas, top, explain_panels(data))


def explain_panels(data: pd.DataFrame) -> str:
    """Write the foot: reading, data, and an explanation of each panel."""
    sentences = [f"{data['reading'].iloc[0].capitalize()} reading, {data['data'].iloc[0]}."]
    letters: dict[str, list[str]] = {}
    for letter, rows in data.groupby("panel", sort=False):
        letters.setdefault(write_note(rows["kind"].iloc[0], rows, data), []).append(letter)
    for text, of in letters.items():
        sentences.append(f"{', '.join(of)}: {text}" if len(letters) > 1 and text else text)
    return " ".join(filter(None, sentences))
