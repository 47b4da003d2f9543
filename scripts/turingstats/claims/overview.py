"""Figure of published against recomputed numbers, and of the statuses of claims by task."""

import numpy as np

from turingstats.core.claim_statuses import STATUSES
from turingstats.figures import pages
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, SMALL, TITLE
from turingstats.figures.palette import GREY, INK

TONES = "#0072b2", "#56b4e9", "#009e73", "#d55e00", "#8b4a9c", "#8f8f8f", "#dcdcdc"
COLORS = dict(zip(STATUSES, TONES, strict=True))
MARKERS = dict(zip(STATUSES, "os^XD  ", strict=True))
SCATTERS = ("Shares and correlations", "Test statistics", "p values", "Counts and means")
LETTERS = "ABCDE", "FGHIJ", "KLMNO"
LOGARITHMIC = ("p values", "Counts and means")
SIDE, GUTTER, LEFT = 35, 9.6, 9  # width of a panel, space between panels and left of them, mm
BAR, ROW = 30, 4.6  # left edge of the bars and height of a row of them, mm


def draw(data, colormap=None):
    """Draw four panels of points, bars of statuses by task, and the foot.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data (`turingstats.claims.ledger_page.build_overview`).
    colormap : str
        Not used; all figures are drawn by the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
    # Each kind of data gets a part of the figure, with its own letters.
    parts = [Part(own, place) for place, (_, own) in enumerate(data.groupby("data", sort=False))]
    made_up = [part for part in parts if pages.is_generated(part.data)]
    foot = pages.wrap_text(explain_figure(data, parts), PAGE - 2 * MARGIN, SMALL)
    top = MARGIN + (7 if made_up else 0)
    height = top + sum(part.height for part in parts) + len(foot) * LINE[SMALL] + MARGIN
    canvas = pages.make_page(PAGE, height)
    across = (PAGE - MARGIN - 10 - BAR) / max(part.most for part in parts)
    for part in parts:
        part.draw(canvas, top, across, named=len(parts) > 1)
        top += part.height
    pages.write_lines(
        canvas, MARGIN, height - MARGIN - (len(foot) - 1) * LINE[SMALL], foot, SMALL, color=GREY
    )
    if made_up:
        whole = len(made_up) == len(parts)
        pages.flag_generated_data(
            canvas, () if whole else [f"{p.letters[0]} to {p.letters[-1]}" for p in made_up]
        )
    return canvas.figure


class Part:
    """Claims on one kind of data: four panels of points, and bars by task.

    Parameters
    ----------
    data : pandas.DataFrame
    place : int
        Which part of the figure it is, from 0.
    """

    def __init__(self, data, place):
        self.data, self.letters = data, LETTERS[place]
        self.label = data["data"].iloc[0]
        # If there are several kinds of data, a panel's name ends with its kind.
        self.panel = data["panel"].str.removesuffix(f", {self.label}")
        self.bars = data[self.panel == "Status"]
        self.tasks = list(dict.fromkeys(self.bars["task"]))
        self.most = self.bars.groupby("task")["n"].sum().max()
        self.height = 6 + SIDE + 12 + 6 + ROW * len(self.tasks) + 5

    def draw(self, canvas, top, across, named):
        """Draw the part at a height of the page (mm); `across` is the width of a claim in the bars."""
        below = top + 6 + SIDE + 12
        for place, name in enumerate(SCATTERS):
            left = MARGIN + LEFT + place * (SIDE + GUTTER)
            write_heading(canvas, left - LEFT, top + 3, self.letters[place], name)
            axes = pages.add_inset(canvas, left, top + 6, SIDE, SIDE)
            draw_points(axes, self.data[self.panel == name], name in LOGARITHMIC, name)
            axes.set_xlabel("Published", labelpad=1.5)
            if place == 0:
                axes.set_ylabel("Recomputed", labelpad=1)
        title = f"Claims on {self.label}" if named else "Claims by task and status"
        write_heading(canvas, MARGIN, below + 3, self.letters[4], title)
        draw_legend(
            canvas, max(42, MARGIN + 8 + pages.measure_text(title, BODY, "semibold")), below + 3
        )
        for number, task in enumerate(self.tasks):
            own = self.bars[self.bars["task"] == task]
            draw_status_bar(canvas, below + 6 + number * ROW, task, own, across)


def write_heading(canvas, x, y, letter, title):
    """Write the letter and title of a panel."""
    pages.write_lines(canvas, x, y, letter, TITLE, weight="bold")
    pages.write_lines(canvas, x + 4.5, y, title, BODY, weight="semibold")


def draw_points(axes, points, logarithmic, name):
    """Draw recomputed against published numbers, with the line on which they are equal."""
    x, y = (points[column].to_numpy(float) for column in ("published", "recomputed"))
    if logarithmic:
        # A logarithmic axis has no zero, so it is drawn at the edge.
        positive = np.concatenate([x[x > 0], y[y > 0], [1.0]])
        least = max(positive.min(), 1e-8)
        x, y = np.maximum(x, least), np.maximum(y, least)
        axes.set(xscale="log", yscale="log")
        low, high = least / 2, positive.max() * 2
        decades = np.arange(np.ceil(np.log10(low)), np.floor(np.log10(high)) + 1)
        ticks = 10.0 ** decades[:: 2 if len(decades) > 4 else 1]
    else:
        ends = np.concatenate([x, y, [0.0, 1.0]])
        room = 0.05 * (ends.max() - ends.min())
        low, high = ends.min() - room, ends.max() + room
        ticks = [0, 0.25, 0.5, 0.75, 1]
    if len(points) and name == "Test statistics":
        axes.set_xscale("symlog", linthresh=10)
        axes.set_yscale("symlog", linthresh=10)
        low, high = ends.min() * 1.6 - 2, ends.max() * 1.6
        ticks = [tick for tick in (-100, -10, 0, 10, 100, 1000) if low < tick < high]
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(ticks, [format_tick(tick) for tick in ticks])
    axes.plot([low, high], [low, high], color=INK, linewidth=0.5, zorder=1)
    for status in STATUSES:
        own = (points["status"] == status).to_numpy()
        if own.any():
            axes.scatter(
                x[own], y[own], s=9, marker=MARKERS[status], color=COLORS[status], linewidth=0,
                alpha=0.8, zorder=2,
            )  # fmt: skip
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.text(
        0.04,
        0.96,
        f"{len(points)} claims",
        transform=axes.transAxes,
        va="top",
        size=SMALL,
        color=GREY,
    )


def format_tick(value):
    """Format a tick label, with an exponent for powers of ten from 10,000 and up to 0.001."""
    if value and not 0.001 < abs(value) < 10_000:
        power = str(round(np.log10(abs(value))))
        return "10" + power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:,g}".replace("-", "\N{MINUS SIGN}")


def draw_legend(canvas, x, y):
    """Draw the legend of statuses with their colors and marks."""
    for status in STATUSES:
        pages.draw_box(canvas, x, y - 2, 2.6, 2.2, facecolor=COLORS[status], edgecolor="none")
        x += 3.4
        if MARKERS[status] != " ":
            canvas.plot(
                [x + 0.9], [y - 0.9], marker=MARKERS[status], markersize=3.4, color=COLORS[status],
                markeredgewidth=0,
            )  # fmt: skip
            x += 2.6
        pages.write_lines(canvas, x, y, status)
        x += pages.measure_text(status) + 4


def draw_status_bar(canvas, top, task, rows, across):
    """Draw the claims of a task as one bar, the statuses in their order."""
    pages.write_lines(canvas, MARGIN + 4.5, top + 3, task)
    left = BAR
    counts = dict(zip(rows["status"], rows["n"], strict=True))
    for status in STATUSES:
        width = counts.get(status, 0) * across
        pages.draw_box(
            canvas, left, top + 0.4, width, ROW - 1.2, facecolor=COLORS[status], edgecolor="none"
        )
        text = f"{counts.get(status, 0):.0f}"
        if width > pages.measure_text(text, SMALL) + 1:
            dark = status in ("close", "not computed")
            ink = INK if dark else "white"
            pages.write_lines(
                canvas, left + width / 2, top + 3, text, SMALL, ha="center", color=ink
            )
        left += width
    pages.write_lines(canvas, left + 1, top + 3, f"{sum(counts.values()):.0f}", color=GREY)


def explain_figure(data, parts):
    """Write the foot of the figure."""
    papers = data["paper"].dropna().iloc[-1]
    labels = [part.label for part in parts]
    rest = labels[0].capitalize()
    if len(parts) > 1:
        labels = [f"{part.letters[0]} to {part.letters[-1]}: {part.label}" for part in parts]
        rest = f"{'; '.join(labels)}, each part laid out alike"
    return (
        f"Claims of {papers}. A to D: claims that a number equals the printed one and that were computed, "
        "published reading; on the line both are equal; B is linear from \N{MINUS SIGN}10 to 10 and "
        "logarithmic beyond, C and D are logarithmic, with 0 at the edge. A has differences, too. "
        "E: all claims. "
        f"{rest}."
    )
