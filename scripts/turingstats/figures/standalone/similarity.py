"""Figures of a study of similarity ratings: panels below each other.

Figures read source data (`turingstats.ratings.figure_numbers`) and compute nothing but places.
"""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.patheffects import withStroke

from turingstats.figures import pages
from turingstats.figures.pages import GREY, GROUPS, INK, MARGIN, PAGE, PALE, SMALL, TITLE

TINY = 5  # text under small pictures, pt
ROOM = PAGE - 2 * MARGIN  # width of a panel, mm
CATEGORIES = ("#d1615d", "#e2b04a", "#6a9f58", "#5778a4", "#a87c9f", "#967662", "#8f8f8f")
# Colors of people who rated, told apart by their marks too.
MARKS = "osD^vP*X"
LEFT = 11  # room for the scale of a chart, mm


def draw(data, colormap):
    """Draw the panels that occur in the source data.

    Parameters
    ----------
    data : pandas.DataFrame
        Columns of `turingstats.ratings.figure_numbers.COLUMNS`, and data.
    colormap : str
        Of the matrices, from the most alike pair (dark) to the least.

    Returns
    -------
    matplotlib.figure.Figure
    """
    panels = [
        DRAWN.get(rows["kind"].iloc[0], Absent)(letter, rows, f"{colormap}_r")
        for letter, rows in data.groupby("panel", sort=False)
    ]
    frame = pages.Frame(data, explained(data, panels))
    top = frame.top
    canvas = frame.open(top + sum(panel.height + 8.5 for panel in panels))
    for panel in panels:
        pages.write(canvas, MARGIN, top + 2.6, panel.letter, TITLE, weight="bold")
        pages.write(canvas, MARGIN + 4.5, top + 2.6, panel.title, weight="semibold")
        panel.draw(canvas, top + 5.5)
        top += panel.height + 8.5
    return frame.close(canvas, top + 0.5)


def explained(data, panels):
    """The foot: reading, data, and what each panel shows."""
    reading, source = data["reading"].iloc[0], data["data"].iloc[0]
    said = [f"{reading.capitalize()} reading, {source}."]
    several = len(panels) > 1
    for panel in panels:
        text = panel.explained(f"{data['level'].iloc[0]:.0%}")
        said.append(f"{panel.letter}: {text}" if several and text else text)
    return " ".join(filter(None, said))


def pairs_of(rows):
    """How many pairs of items alignments rest on, in words."""
    low, high = rows["n"].min(), rows["n"].max()
    return (
        f"{low:,.0f} to {high:,.0f} pairs of items" if low < high else f"{high:,.0f} pairs of items"
    )


class Panel:
    """A panel: its rows of source data, its height and how it is drawn.

    Parameters
    ----------
    letter : str
    rows : pandas.DataFrame
    colormap : str
    """

    height = 12.0

    def __init__(self, letter, rows, colormap):
        self.letter, self.rows, self.colormap = letter, rows, colormap
        self.title = rows["title"].iloc[0]
        named = rows.dropna(subset=["system", "label"]).drop_duplicates("system")
        self.labels = dict(zip(named["system"], named["label"], strict=True))
        self.families = dict(zip(named["system"], named["family"].fillna(""), strict=True))
        hues = dict(zip(named["family"].fillna(""), named["hue"].astype(int), strict=True))
        self.colors = {name: GROUPS[hue % len(GROUPS)] for name, hue in hues.items()}

    def of(self, quantity):
        """Rows of a quantity."""
        return self.rows[self.rows["quantity"] == quantity]

    def color(self, system):
        """Color of a system's family."""
        return self.colors[self.families[system]]

    def key(self, canvas, top, families=None, left=MARGIN + LEFT):
        """Write what the colors of the families mean, in one line."""
        x = left
        for name in families or self.colors:
            if name:
                pages.box(canvas, x, top, 2, 2, facecolor=self.colors[name], edgecolor="none")
                pages.write(canvas, x + 2.8, top + 1.75, name, SMALL)
                x += pages.text_width(name, SMALL) + 6
        return x

    def explained(self, level):
        """A sentence for the foot."""
        return ""


class Absent(Panel):
    """A panel without data."""

    def draw(self, canvas, top):
        """Write why."""
        pages.write(canvas, MARGIN + 4.5, top + 2, self.rows["text"].iloc[0], color=GREY)


# --- matrices ----------------------------------------------------------------------------------


class Matrices(Panel):
    """Dissimilarity matrices with items in categories, in rows."""

    by = "system"

    def __init__(self, letter, rows, colormap):
        super().__init__(letter, rows, colormap)
        items = self.of("item").sort_values("value")
        self.place = dict(zip(items["item_a"], items["value"].astype(int), strict=True))
        self.category = items["text"].to_numpy()
        self.cells = dict(list(self.of("dissimilarity").groupby(self.by, sort=False)))
        self.across = self.columns()
        self.size = (ROOM - 2 * (self.across - 1) - self.across) / self.across - 1
        self.step = self.size + 2 + 1 + self.text_height()
        lines = -(-len(self.cells) // self.across)
        self.height = 5.5 + lines * self.step

    def columns(self):
        """How many matrices stand side by side."""
        return 4 if len(self.cells) <= 8 else 9

    def text_height(self):
        """Room for the name of a matrix, in two lines where it is small, and its alignment (mm)."""
        return 6.5 if self.across <= 4 else 7.5

    def names(self, key):
        """Name and lines below it, of a matrix."""
        rows = self.of("alignment")
        row = rows[rows["system"] == key]
        if row.empty:
            raters = self.of("raters")
            n = raters.loc[raters["system"] == key, "value"].iloc[0]
            return self.labels[key], f"{n:.0f} raters" if n == n else ""
        row = row.iloc[0]
        star = "" if str(row["text"]).startswith("p <") else " (n.s.)"
        return self.labels[key], f"ρ = {row['value']:.3f}{star}"

    def draw(self, canvas, top):
        """Draw key, color scale and matrices."""
        self.draw_key(canvas, top)
        top += 5.5
        for number, (key, cells) in enumerate(self.cells.items()):
            line, column = divmod(number, self.across)
            left = MARGIN + column * (self.size + 4)
            self.draw_one(canvas, key, cells, left, top + line * self.step)

    def draw_key(self, canvas, top):
        """What the colors of categories and cells mean."""
        x = MARGIN + 4.5
        names = list(dict.fromkeys(self.category))
        if len(names) > 1:
            for number, name in enumerate(names):
                color = CATEGORIES[number % len(CATEGORIES)]
                pages.box(canvas, x, top, 2, 2, facecolor=color, edgecolor="none")
                pages.write(canvas, x + 2.8, top + 1.75, name, SMALL)
                x += pages.text_width(name, SMALL) + 6
        left = PAGE - MARGIN - 62
        pages.write(canvas, left - 1.5, top + 1.75, "alike", SMALL, ha="right", color=GREY)
        axes = pages.inset(canvas, left, top + 0.1, 34, 1.8)
        scale = ScalarMappable(Normalize(0, 1), self.colormap)
        bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[])
        bar.outline.set_visible(False)
        pages.write(canvas, left + 35.5, top + 1.75, "unlike (dissimilarity)", SMALL, color=GREY)

    def draw_one(self, canvas, key, cells, left, top):
        """Draw a matrix with bars of the categories at its left and top."""
        name, below = self.names(key)
        lines = pages.wrapped(name, self.size + 2, self.text_size())[:2]
        for number, line in enumerate(lines[::-1]):
            canvas.text(left + 1, top + 2 - 1.9 * number, line, size=self.text_size())
        n = len(self.place)
        matrix = np.full((n, n), np.nan)
        a = cells["item_a"].map(self.place).to_numpy()
        b = cells["item_b"].map(self.place).to_numpy()
        matrix[a, b] = matrix[b, a] = cells["value"]
        np.fill_diagonal(matrix, 0)
        under = top + 2.8
        axes = pages.inset(canvas, left + 1, under + 1, self.size, self.size)
        axes.imshow(matrix, cmap=self.colormap, vmin=0, vmax=1, interpolation="nearest")
        axes.set_facecolor("#f3d9d9")
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=False)
        order = list(dict.fromkeys(self.category))
        if len(order) > 1:
            for number, kind in enumerate(order):
                at = np.flatnonzero(self.category == kind)
                start, long = at[0] / n * self.size, len(at) / n * self.size
                style = {
                    "facecolor": CATEGORIES[number % len(CATEGORIES)],
                    "edgecolor": "none",
                }
                pages.box(canvas, left, under + 1 + start, 0.7, long, **style)
                pages.box(canvas, left + 1 + start, under, long, 0.7, **style)
        if below:
            baseline = under + self.size + 3.4
            canvas.text(left + 1, baseline, below, size=self.text_size(), color=GREY)

    def text_size(self):
        """Size of names, pt."""
        return SMALL if self.across <= 4 else TINY

    def explained(self, level):
        """What the matrices show."""
        said = (
            "Mean ratings as dissimilarities, from the most to the least alike pair of each matrix; "
            "items ordered by category (bars)."
        )
        rows = self.of("alignment")
        if len(rows):
            how = rows["text"].str.split(", ", n=1).str[1].iloc[0]
            said += (
                f" ρ: Spearman's correlation with {rows['with'].iloc[0]} over {pairs_of(rows)}; "
                f"n.s.: corrected p not below 0.05 ({how})."
            )
        return said


class Raters(Matrices):
    """The matrix of every participant of one system."""

    by = "person"

    def columns(self):
        """Twelve side by side."""
        return 12

    def text_height(self):
        """Room for the name alone."""
        return 3.5

    def names(self, key):
        """The participant's name."""
        return key, ""

    def draw_key(self, canvas, top):
        """The matrices above say it already where there are some."""
        if self.letter == "A":
            super().draw_key(canvas, top)

    def draw(self, canvas, top):
        """Draw the matrices; a key only above the first panel."""
        if self.letter == "A":
            super().draw(canvas, top)
        else:
            super().draw(canvas, top - 4.5)

    def __init__(self, letter, rows, colormap):
        super().__init__(letter, rows, colormap)
        if letter != "A":
            self.height -= 4.5

    def explained(self, level):
        """Number of participants."""
        return f"{len(self.cells)} participants, each matrix as in the key."


# --- charts ------------------------------------------------------------------------------------


class Chart(Panel):
    """A chart with systems side by side."""

    chart = 0.0  # height without the names below, mm

    def __init__(self, letter, rows, colormap):
        super().__init__(letter, rows, colormap)
        self.size = SMALL if len(self.systems()) <= 36 else TINY
        widths = [pages.text_width(self.labels[name], self.size) for name in self.systems()]
        self.height = self.chart + max(widths, default=0) + 1.5

    def systems(self):
        """Systems from left to right."""
        return list(self.labels)

    def axes(self, canvas, top, height, label, low=None, high=None):
        """Axes as wide as the page with a place for each system."""
        axes = pages.inset(canvas, MARGIN + LEFT, top, ROOM - LEFT, height)
        axes.set(xlim=(-0.6, len(self.systems()) - 0.4), ylim=(low, high), xticks=[])
        axes.set_ylabel(label, size=SMALL, labelpad=2)
        axes.tick_params(labelsize=SMALL)
        axes.grid(axis="y", color="#ececec", linewidth=0.5)
        axes.set_axisbelow(True)
        return axes

    def write_names(self, axes):
        """Names of systems below a chart, in the colors of their families."""
        systems = self.systems()
        axes.set_xticks(range(len(systems)))
        axes.set_xticklabels([self.labels[s] for s in systems], rotation=90, size=self.size)
        for text, system in zip(axes.get_xticklabels(), systems, strict=True):
            text.set_color(darker(self.color(system)))


def darker(color):
    """A color dark enough for text."""

    return tuple(0.72 * part for part in to_rgb(color))


def spread(number, width):
    """Places of points side by side, evenly and without order."""
    return ((np.arange(number) * 0.6180339887) % 1 - 0.5) * width


def error_bars(axes, rows, places, **style):
    """Draw values with their intervals, where there are some."""
    values = rows["value"].to_numpy()
    low = np.nan_to_num(values - rows["low"].to_numpy())
    high = np.nan_to_num(rows["high"].to_numpy() - values)
    axes.errorbar(
        places, values, [np.maximum(low, 0), np.maximum(high, 0)], linestyle="none",
        elinewidth=0.6, **style,
    )  # fmt: skip


class Variability(Chart):
    """Agreement within systems and alignment of their means, over the alignments of single raters."""

    chart = 4 + 27 + 3 + 20

    def draw(self, canvas, top):
        """Draw both charts."""
        systems = self.systems()
        at = {system: n for n, system in enumerate(systems)}
        axes = self.axes(canvas, top + 4, 27, "ICC, ρ of means", 0, 1)
        icc, aligned = self.of("icc"), self.of("alignment")
        for rows, mark, fill, shift in ((icc, "o", INK, -0.14), (aligned, "D", "white", 0.14)):
            places = [at[system] + shift for system in rows["system"]]
            error_bars(
                axes, rows, places, marker=mark, markersize=3.2, markerfacecolor=fill,
                markeredgecolor=INK, markeredgewidth=0.6, color=INK,
            )  # fmt: skip
        person = next((s for s in systems if self.families[s] == "people"), None)
        if person is not None and (icc["system"] == person).any():
            value = icc.loc[icc["system"] == person, "value"].iloc[0]
            axes.axhline(value, color=GREY, linewidth=0.6, linestyle=(0, (4, 3)), zorder=0)
        x = MARGIN + LEFT
        for mark, fill, text in (
            ("o", INK, "ICC (one rater, absolute agreement)"),
            ("D", "white", f"alignment of the mean with {aligned['with'].iloc[0]}" if len(aligned) else ""),
        ):  # fmt: skip
            if text:
                canvas.plot(x + 1, top + 1, mark, markersize=3.2, markerfacecolor=fill,
                            markeredgecolor=INK, markeredgewidth=0.6)  # fmt: skip
                pages.write(canvas, x + 3, top + 1.75, text, SMALL)
                x += pages.text_width(text, SMALL) + 8
        lower = self.axes(canvas, top + 34, 20, "ρ of two raters")
        for system, rows in self.of("intersubject").groupby("system", sort=False):
            values = np.sort(rows["value"].to_numpy())
            lower.plot(
                at[system] + spread(len(values), 0.6), values, ".", markersize=1.3,
                color=self.color(system), alpha=0.6, markeredgewidth=0, rasterized=False,
            )  # fmt: skip
            middle = np.median(values)
            lower.plot(
                [at[system] - 0.34, at[system] + 0.34], [middle] * 2, color=INK, linewidth=0.9
            )
        self.write_names(lower)

    def explained(self, level):
        """What dots and bars are."""
        intervals = f" with {level} intervals" if self.of("icc")["low"].notna().any() else ""
        return (
            f"Above, agreement (two-way ICC) and alignment of the means{intervals}; dashed, ICC of "
            "people. Below, Spearman's correlation of every two raters of a system; bar, median."
        )


class Individuals(Chart):
    """Alignment of every participant with every person."""

    chart = 4 + 27

    def draw(self, canvas, top):
        """Draw a point for each participant and person."""
        systems = self.systems()
        people = sorted(self.rows["with"].dropna().unique())
        axes = self.axes(canvas, top + 4, 27, "ρ with one person")
        for number, person in enumerate(people):
            own = self.rows[self.rows["with"] == person]
            place = own["system"].map({s: n for n, s in enumerate(systems)}).to_numpy(dtype=float)
            side = (number + 0.5) / len(people) - 0.5
            axes.plot(
                place + 0.8 * side, own["value"], MARKS[number % len(MARKS)], markersize=1.6,
                color=GROUPS[number % len(GROUPS)], markeredgewidth=0, alpha=0.75,
            )  # fmt: skip
            x = MARGIN + LEFT + number * 12
            canvas.plot(x + 1, top + 1, MARKS[number % len(MARKS)], markersize=3.2,
                        color=GROUPS[number % len(GROUPS)], markeredgewidth=0)  # fmt: skip
            pages.write(canvas, x + 3, top + 1.75, str(person), SMALL)
        self.write_names(axes)

    def explained(self, level):
        """What a point is."""
        return "Each point: Spearman's correlation of one participant with one person (colors)."


class Bars(Chart):
    """Alignment with the reference, best first."""

    chart = 5 + 42

    def systems(self):
        """Systems from the best aligned to the least."""
        own = self.of("all").sort_values("value", ascending=False, kind="stable")
        return list(own["system"])

    def draw(self, canvas, top):
        """Draw bars, marks of within and between categories, and ceilings."""
        systems = self.systems()
        at = {system: n for n, system in enumerate(systems)}
        lowest = min(0, self.rows["value"].min(), self.rows["low"].min())
        axes = self.axes(canvas, top + 5, 42, "ρ with the reference", 1.05 * lowest, 1)
        whole = self.of("all").set_index("system").loc[systems].reset_index()
        colors = [self.color(system) for system in systems]
        axes.bar(range(len(systems)), whole["value"], width=0.72, color=colors, zorder=1)
        error_bars(axes, whole, range(len(systems)), marker="", color=INK, zorder=3)
        for quantity, mark in (("within", "^"), ("between", "v")):
            rows = self.of(quantity)
            axes.plot(
                [at[s] for s in rows["system"]], rows["value"], mark, markersize=2.6, color="white",
                markeredgecolor=INK, markeredgewidth=0.5, zorder=4, linestyle="none",
            )  # fmt: skip
        single = self.of("with single")
        axes.plot(
            [at[s] for s in single["system"]],
            single["value"],
            "_",
            markersize=4,
            color=INK,
            zorder=4,
        )
        values = {
            q: self.of(q)["value"] for q in ("ceiling_lower", "ceiling_upper", "ceiling_of_group")
        }
        if len(values["ceiling_lower"]):
            low, high = values["ceiling_lower"].iloc[0], values["ceiling_upper"].iloc[0]
            axes.axhspan(low, high, color="#dcdcdc", zorder=0, linewidth=0)
            axes.axhline(
                values["ceiling_of_group"].iloc[0], color=GREY, linewidth=0.7, linestyle=(0, (4, 3))
            )
        axes.axhline(0, color=INK, linewidth=0.6)
        self.write_names(axes)
        families = list(dict.fromkeys(self.families[s] for s in systems))
        self.key(canvas, top, families)

    def explained(self, level):
        """What bars, marks and lines are."""
        whole = self.of("all")
        said = f"Bars: Spearman's correlation with {whole['with'].iloc[0]} over {pairs_of(whole)}"
        said += f", {level} intervals." if whole["low"].notna().any() else "."
        if len(self.of("within")):
            said += " Triangles: pairs within (up) and between categories (down)."
        if len(self.of("with single")):
            said += " Short lines: mean correlation with single people,"
            said += (
                " to be set against their noise ceiling (gray band); dashed, ceiling of the mean."
            )
        return said


class Printed(Bars):
    """Alignment with the reference as a paper prints it, best first."""

    def explained(self, level):
        """What bars and marks are, and why there are no intervals."""
        return (
            f"{super().explained(level)} As printed, none computed here. No intervals: pairs of items share "
            "items, and the ratings are not public."
        )


class Distributions(Panel):
    """A histogram of the ratings of each system."""

    across, wide, tall = 8, 18.2, 9.5

    def __init__(self, letter, rows, colormap):
        super().__init__(letter, rows, colormap)
        self.height = 5 + -(-len(self.labels) // self.across) * (self.tall + 8.5)

    def draw(self, canvas, top):
        """Draw a histogram for each system."""
        self.key(canvas, top, left=MARGIN)
        top += 5
        groups = self.rows.groupby("system", sort=False)
        for number, (system, rows) in enumerate(groups):
            line, column = divmod(number, self.across)
            left, above = MARGIN + column * (self.wide + 4.7), top + line * (self.tall + 8.5)
            for n, text in enumerate(pages.wrapped(self.labels[system], self.wide + 3.5, TINY)[:2]):
                canvas.text(left, above + 1.6 + 1.9 * n, text, size=TINY)
            axes = pages.inset(canvas, left, above + 4.2, self.wide, self.tall)
            axes.bar(
                rows["low"], rows["value"], width=rows["high"] - rows["low"], align="edge",
                color=self.color(system), linewidth=0,
            )  # fmt: skip
            axes.set(xlim=(-0.025, 1.025), xticks=[0, 0.5, 1], yticks=[])
            axes.set_ylim(0, max(rows["value"].max(), 0.2) * 1.05)
            axes.spines["left"].set_visible(False)
            axes.set_xticklabels(["0", "50", "100"], size=TINY)
            axes.tick_params(length=1.2, pad=1)

    def explained(self, level):
        """What the bars are."""
        return (
            "Share of ratings around each twentieth of the scale, identical items too; of embeddings, of "
            "similarities from their least to their most alike pair. The height of each chart is its own."
        )


# --- maps --------------------------------------------------------------------------------------


class Map(Panel):
    """All participants on one map, systems numbered."""

    height = 112.0

    def draw(self, canvas, top):
        """Draw points, numbers at the middle of each system, and the key."""
        size = 110
        axes = pages.inset(canvas, MARGIN, top, size, size)
        axes.set(xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=True, color=PALE)
        halo = [withStroke(linewidth=1.6, foreground="white")]
        middles, numbers = [], []
        for number, (system, rows) in enumerate(self.rows.groupby("system", sort=False), 1):
            axes.plot(
                rows["low"], rows["high"], "o", markersize=2.2, color=self.color(system),
                markeredgewidth=0, alpha=0.7,
            )  # fmt: skip
            # The point nearest to the middle, so that the number stands on the system.
            x, y = rows["low"].to_numpy(), rows["high"].to_numpy()
            near = np.hypot(x - np.median(x), y - np.median(y)).argmin()
            middles.append((x[near], y[near]))
            numbers.append(number)
        span = np.ptp(np.array(middles), axis=0)
        for number, (x, y) in zip(numbers, apart(np.array(middles), 0.022 * span), strict=True):
            axes.text(
                x, y, str(number), size=TINY + 0.5, weight="bold", ha="center", va="center",
                path_effects=halo,
            )  # fmt: skip
        axes.margins(0.04)
        left, step = MARGIN + size + 4, min(2.35, (size - 4) / len(numbers))
        y = top + 1.5
        for number, system in enumerate(self.labels, 1):
            canvas.plot(left + 4.6, y - 0.6, "o", markersize=2.6, color=self.color(system))
            style = {"size": TINY, "va": "baseline"}
            canvas.text(left + 3.2, y, str(number), ha="right", weight="bold", **style)
            canvas.text(left + 6.2, y, self.labels[system], **style)
            y += step

    def explained(self, level):
        """Method."""
        number = f"{len(self.rows):,} participants and embeddings"
        return f"Each point is one of {number} ({self.rows['text'].iloc[0]}); numbers name systems."


def apart(places, least):
    """Places moved until none is nearer to another than `least` in both directions."""
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


class Maps(Panel):
    """The map once for each system, the others in gray."""

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
            for n, text in enumerate(pages.wrapped(self.labels[system], self.size + 2, TINY)[:2]):
                canvas.text(left, above + 1.6 + 1.9 * n, text, size=TINY)
            axes = pages.inset(canvas, left, above + 4.2, self.size, self.size)
            axes.plot(
                self.rows["low"], self.rows["high"], "o", markersize=0.7, color="#dddddd",
                markeredgewidth=0, rasterized=True,
            )  # fmt: skip
            axes.plot(
                rows["low"], rows["high"], "o", markersize=1.8, color=darker(self.color(system)),
                markeredgewidth=0,
            )  # fmt: skip
            axes.set(xticks=[], yticks=[])
            for side in axes.spines.values():
                side.set(visible=True, color=PALE)

    def explained(self, level):
        """Method."""
        return f"Participants of each system ({self.rows['text'].iloc[0]}); gray, all others."


DRAWN = {
    "matrices": Matrices,
    "raters": Raters,
    "variability": Variability,
    "individuals": Individuals,
    "distributions": Distributions,
    "map": Map,
    "maps": Maps,
    "bars": Bars,
    "printed": Printed,
}
