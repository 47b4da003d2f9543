"""The kinds of panels: each draws its rows of the source data into a box of a page."""

import json
import math
from itertools import pairwise

import matplotlib
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Wedge

from turingstats.core.errors import InputError
from turingstats.core.labels import THRESHOLD
from turingstats.core.screen import SCREEN
from turingstats.figures import dot_rows, forest_rows, heatmap
from turingstats.figures.pages import (
    BLUE,
    BODY,
    GREY,
    GROUPS,
    INK,
    LINE,
    MARKERS,
    PALE,
    RED,
    SMALL,
    box,
    counted,
    ink_on,
    inset,
    reach,
    records,
    spread,
    text_width,
    wrapped,
    write,
)

LABELS, WIDEST = 15.5, 30  # of a matrix: least width of row labels, greatest of a cell, mm
FLAT = 4.7  # height of a row of one line, mm
RING, SMALL_RING = 21, 13  # least diameters of a pie with its key below and beside, mm
STRIP = 3.5  # height of the strips for asterisks in a chart, mm
SWATCH = 3.2  # distance of lines of a key, mm
BETWEEN = 6  # room between the two columns of a conversation, mm
QUANTITIES = {"p_HH": "Share called human", "p_HM": "Share called human"}
SCORES = {"bleu4": "BLEU-4", "cider": "CIDEr"}


class Look:
    """What the panels of a figure share: color map, looks of groups and agents, scales, measures.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data of the figure.
    colormap : str
    tight : bool
        Draw everything as low as it can be read, for a figure too high for a page.
    """

    def __init__(self, data, colormap, tight=False):
        self.colormap = matplotlib.colormaps[colormap]
        self.tight = tight
        self.head, self.cell = (5.8, 7.6) if tight else (7, 8.6)  # of a matrix, mm
        self.chart = 15 if tight else 25  # height of the axes of bars, mm
        self.plot = 16 if tight else 20  # height of the axes of lines, mm
        self.curve = 20 if tight else 22  # height of the axes of a judge's quality, mm
        named = data.dropna(subset="group")
        self.groups = {by: list(own["group"].unique()) for by, own in named.groupby("group_by")}
        series = data[data["kind"].isin(["lines", "scatter"])]
        self.agents = [a for a in series["agent"].unique() if a not in ("human", "all")]
        charts = data[data["kind"] == "bars"]
        pies = set(data.loc[data["kind"] == "pie", "group_by"])
        # Lines that the longest key takes: charts side by side keep one height. A pie is key enough.
        self.key = max(charts.groupby("panel")["group"].nunique(), default=0)
        if tight and set(charts["group_by"]) <= pies:
            self.key = 0
        self.limits = bounds(charts, 0.4, 0.7)
        # Shares and detectability have scales of their own, each the same in all panels.
        shown = data[data["kind"] == "intervals"]
        axes = {panel: forest_rows.axis_of(own) for panel, own in shown.groupby("panel")}
        self.span = {
            axis: bounds(own, 0.4, 0.7) for axis, own in shown.groupby(shown["panel"].map(axes))
        }
        self.listed = dot_rows.scales(data)
        points = data[data["kind"] == "lines"]
        self.scales = {
            quantity: bounds(own, 0.4, 0.6)
            for quantity, own in points.groupby(points["quantity"].map(name_of))
        }

    def color(self, row):
        """Color of a row's group, the same in all panels."""
        return GROUPS[self.groups[row["group_by"]].index(row["group"]) % len(GROUPS)]

    def marker(self, row):
        """Marker of a row's group, the same in all panels."""
        return MARKERS[self.groups[row["group_by"]].index(row["group"]) % len(MARKERS)]

    def series(self, agent):
        """Color and marker of an agent's line or point, the same in all panels."""
        if agent in ("human", "all"):
            return {"human": (INK, "o"), "all": ("#7a7a7a", "s")}[agent]
        place = self.agents.index(agent) % len(GROUPS)
        return GROUPS[place], MARKERS[place]


def bounds(rows, low, high):
    """Ends of a scale of shares in tenths: at least from `low` to `high`, so that small differences look
    small, and within 0 and 1, even where a standard error reaches farther."""
    ends = [low, high]
    for row in records(rows):
        ends += reach(row)
    return max(0, math.floor(10 * min(ends)) / 10), min(1, math.ceil(10 * max(ends)) / 10)


def name_of(quantity):
    """How an axis names a quantity."""
    return QUANTITIES.get(quantity, str(quantity).capitalize())


# --- confusion matrices ------------------------------------------------------------------------


def matrix(canvas, rows, left, top, width, height, look):
    """Draw a confusion matrix: who made it (rows) against what it was judged to be (columns)."""
    below = trained_here(rows)
    rows = rows[rows["kind"] == "matrix"]
    labels, flat, placed = lanes(rows, width, look)
    verdicts = verdicts_of(rows)
    apart = 1.5 if "unsure" in verdicts else 0
    cell = min((width - labels - apart) / len(verdicts), WIDEST)
    titles = ["Unsure" if verdict == "unsure" else f"Judged {verdict}" for verdict in verdicts]
    # If one of them needs two lines, all take two.
    two = any(text_width(title, SMALL) > cell for title in titles)
    for column, title in enumerate(titles):
        title = title.split() if two else [title]
        middle = left + labels + (column + 0.5) * cell + (apart if column == 2 else 0)
        bottom = top + look.head - 1.3 - LINE[SMALL] * (len(title) - 1)
        write(canvas, middle, bottom, title, SMALL, ha="center", color=GREY)
    made = (left, "left") if flat else (left + labels - 1.5, "right")
    write(canvas, made[0], top + look.head - 1.3, "Made by", SMALL, ha=made[1], color=GREY)
    for own, y, tall in placed:
        first, y = own.iloc[0], top + y
        count = f"n = {first['n']:,.0f}"
        if flat:
            middle = y + tall / 2 + 0.9
            write(canvas, left + indent(first, rows), middle, first["agent_label"])
            write(canvas, left + labels - 1.5, middle, count, SMALL, ha="right", color=GREY)
        else:
            row_label(canvas, first["agent_label"], count, left, y, tall, labels, look)
        for row in records(own):
            column = "HMU".index(row["quantity"][2])
            x = left + labels + column * cell + (apart if column == 2 else 0)
            matrix_cell(canvas, row, x, y, cell, tall, look.colormap, flat)
        if first["mark"] == "best imitator":
            box(canvas, left + labels, y, 2 * cell, tall, fill=False, edgecolor="black", lw=1.3)
    write(canvas, left, y + tall + LINE[SMALL], below, SMALL, color=GREY)


def trained_here(rows):
    """Line that tells the rates of the judge trained here; empty where there is none."""
    beside = rows["kind"] == "beside"
    if not beside.any():
        return ""
    told = rows[beside].set_index("quantity")["value"]
    return f"Trained here: {told['p_HH']:.2f} of H, {told['p_MM']:.2f} of M right"


def verdicts_of(rows):
    """Columns of a matrix; unsure has one where any verdict is."""
    unsure = rows["quantity"].str.startswith("p_U").any()
    return ("human", "machine", "unsure") if unsure else ("human", "machine")


def row_label(canvas, name, count, left, top, height, width, look):
    """Write a row's name with its number of trials below it."""
    size, lines = name_in(name, width, look)
    right, start = left + width - 1.5, top + height / 2 - name_height(name, width, look) / 2
    write(canvas, right, start + (2.2 if size == BODY else 2), lines, size, ha="right")
    write(
        canvas, right, start + len(lines) * LINE[size] + 1.9, count, SMALL, ha="right", color=GREY
    )


def name_in(name, width, look):
    """Size and lines of a row's name in a column of a width (mm)."""
    lines = wrapped(name, width - 2)
    if len(lines) > 2 or (look.tight and len(lines) > 1):
        return SMALL, wrapped(name, width - 2, SMALL)
    return BODY, lines


def name_height(name, width, look):
    """Height of a row's name and number of trials (mm)."""
    size, lines = name_in(name, width, look)
    return len(lines) * LINE[size] + LINE[SMALL]


def label_column(rows, width, look):
    """Width of the row labels (mm), and whether a row is one line of text."""
    names = rows.drop_duplicates("agent_label")
    widest = max(text_width(row["agent_label"]) + indent(row, rows) for row in records(names))
    counts = max(text_width(f"n = {n:,.0f}", SMALL) for n in rows["n"])
    needed = widest + counts + 4.5
    if look.tight and (width - needed) / len(verdicts_of(rows)) >= 21:
        return needed, True
    # Wide panels have room for names in one line.
    return max(LABELS, min(widest + 2, 0.3 * width)), False


def indent(row, rows):
    """Room before the name of a part, such as people in one type of conversation, below its whole (mm)."""
    whole = rows.loc[rows["group"].isna(), "agent"]
    return 2 if row["group"] == row["group"] and row["agent"] in set(whole) else 0


def lanes(rows, width, look):
    """Width of the row labels and whether a row is one line of text, as `label_column`, and the rows of a
    matrix with their places below its top (mm) and heights; parts stand close together."""
    labels, flat = label_column(rows, width, look)
    parts = rows["group"].notna().any()
    y, last, found = look.head, None, []
    for (agent, _), own in rows.groupby(["agent", "group"], sort=False, dropna=False):
        y += 1 if parts and last not in (None, agent) else 0
        needed = name_height(own["agent_label"].iloc[0], labels, look)
        tall = FLAT if flat else max(look.cell, needed)
        found.append((own, y, tall))
        y, last = y + tall, agent
    return labels, flat, found


def matrix_cell(canvas, row, left, top, width, height, colormap, flat):
    """Draw a rate in its color, with its spread below or beside it."""
    color = colormap(row["value"])
    ink = ink_on(color)
    box(canvas, left, top, width, height, facecolor=color, edgecolor="white", zorder=0.5)
    small, value = spread(row), f"{row['value']:.2f}"
    middle = left + width / 2
    if flat:
        y = top + height / 2 + 0.9
        across = text_width(value) + (text_width(small, SMALL) + 1 if small else 0)
        write(canvas, middle - across / 2, y, value, color=ink)
        write(canvas, middle + across / 2, y, small, SMALL, ha="right", color=ink)
    else:
        y = top + height / 2 + (-0.3 if small else 0.9)
        write(canvas, middle, y, value, ha="center", color=ink)
        write(canvas, middle, top + height / 2 + 2.6, small, SMALL, ha="center", color=ink)


# --- pies --------------------------------------------------------------------------------------


def pie(canvas, rows, left, top, width, height, look):
    """Draw the shares of groups as a ring, with what is counted inside and the key beside or below."""
    beside = key_beside(rows, width)
    size, line = (SMALL, LINE[SMALL]) if look.tight or beside else (BODY, SWATCH)
    if beside:
        diameter, line = SMALL_RING, TWO_LINES
        top += max(0, len(rows) * line - diameter - 1) / 2
        middle, first = left + 1 + diameter / 2, left + diameter + 3.5
        key = top + 1 + diameter / 2 - len(rows) * line / 2 + 2
    else:
        below = line * (len(rows) if look.tight else max(4, len(rows)))
        diameter = min(17 if look.tight else 25, width - 8, height - 4 - below)
        top += 0 if look.tight else (height - diameter - 4 - below) / 2
        wide = 3.2 + max(text_width(share_of(row), size) for row in records(rows))
        middle, first = left + width / 2, max(left, left + (width - wide) / 2)
        key = top + diameter + (4.5 if look.tight else 5.5)
    radius, done = diameter / 2, 0
    for row in records(rows):
        share = 360 * row["value"]
        canvas.add_patch(
            Wedge(
                (middle, top + 1 + radius),
                radius,
                done - 90,
                done + share - 90,
                width=0.36 * radius,
                facecolor=look.color(row),
                edgecolor="white",
                linewidth=0.3,
            )
        )
        done += share
    noun = rows["quantity"].iloc[0].removeprefix("share of ").removesuffix("s")
    total = counted(rows["n"].sum(), noun).split()
    narrow = SMALL if diameter < RING else BODY
    write(canvas, middle, top + radius + 0.9, total[0], narrow, ha="center")
    write(canvas, middle, top + radius + 3.4, total[1], SMALL, ha="center", color=GREY)
    for number, row in enumerate(records(rows)):
        y = key + number * line
        box(canvas, first, y - 1.8, 1.9, 1.9, facecolor=look.color(row), edgecolor="none")
        if beside:
            write(canvas, first + 3, y, row["group"], SMALL)
            write(canvas, first + 3, y + 2.2, number_of(row), SMALL, color=GREY)
        else:
            write(canvas, first + 3, y, share_of(row), size)


TWO_LINES = 4.8  # distance of entries of a key in two lines, mm


def number_of(row):
    """Share and number of a group."""
    return f"{percent(row['value'])} ({row['n']:,.0f})"


def share_of(row):
    """The words of a pie's key in one line."""
    return f"{row['group']}  {number_of(row)}"


def key_beside(rows, width):
    """Whether a pie's key stands beside a small ring, where its groups are few and there is room."""
    texts = [text for row in records(rows) for text in (str(row["group"]), number_of(row))]
    wide = SMALL_RING + 6.5 + max(text_width(text, SMALL) for text in texts)
    return 36 <= width <= 60 and wide <= width and len(rows) <= 4


# --- charts ------------------------------------------------------------------------------------


def bars(canvas, rows, left, top, width, height, look):
    """Draw detectability by agent and group, with chance and the tests' asterisks.

    Points with error bars: zero means nothing on this scale, so that bars would mislead.
    """
    shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
    agents, groups = list(shown["agent"].unique()), list(shown["group"].unique())
    if look.key:
        key_of_groups(canvas, shown, left + 8, top, look)
    names, _, style = names_below(shown, width)
    axes = inset(canvas, left + 8, top + look.key * LINE[BODY] + 1.5, width - 15, look.chart)
    bottom, ceiling = look.limits
    strip = STRIP if not look.tight else 2.6
    unit = (ceiling - bottom) / (look.chart - 2 * strip)  # of the scale, a millimeter
    low, high = bottom - strip * unit, ceiling + strip * unit
    axes.set(xlim=(-0.5, len(agents) - 0.5), ylim=(low, high))
    steps = range(round(10 * bottom), round(10 * ceiling) + 1, 1 + look.tight)
    axes.set_yticks([step / 10 for step in steps])
    axes.set_ylabel("Detectability", labelpad=2, size=SMALL if look.tight else BODY)
    axes.set_xticks(range(len(agents)), names, **style)
    axes.tick_params(axis="x", length=0)
    axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    axes.text(len(agents) - 0.47, 0.5, "chance", size=SMALL, color=GREY, va="center")
    # Symbols stand side by side, unless no agent has two.
    step = 0.62 / max(len(groups) - 1, 2) if shown["agent"].duplicated().any() else 0
    asterisk = {"size": 9, "weight": "bold", "ha": "center"}
    tops = {}
    for row in records(shown):
        shift = step * (groups.index(row["group"]) - (len(groups) - 1) / 2)
        x = agents.index(row["agent"]) + shift
        ends = reach(row)
        axes.plot([x, x], ends, color=look.color(row), linewidth=1, zorder=2)
        axes.plot(x, row["value"], look.marker(row), color=look.color(row), ms=3.6, zorder=3)
        tops.setdefault(row["agent"], []).append((x, ends[1]))
        if row["p_adjusted"] < THRESHOLD:
            axes.text(x, low, "*", color=BLUE, **asterisk)
    for row in records(tests[(tests["p_adjusted"] < THRESHOLD) & tests["agent"].isin(agents)]):
        places, ends = zip(*tops[row["agent"]], strict=True)
        y = max(ends) + unit
        across = [places[0], places[0], places[-1], places[-1]]
        axes.plot(across, [y - 0.5 * unit, y, y, y - 0.5 * unit], color=RED, linewidth=0.6)
        axes.text((places[0] + places[-1]) / 2, y - 0.9 * unit, "*", color=RED, **asterisk)


def names_below(shown, width):
    """Fit the agents' names below a chart; return them, the height they take (mm), their style."""
    names = list(shown.drop_duplicates("agent")["agent_label"])
    for size, apart in ((BODY, 1), (SMALL, 0.5)):
        room = (width - 15) / len(names) - apart
        lines = [wrapped(name, room, size) for name in names]
        if all(text_width(line, size) <= room for name in lines for line in name):
            fall = 2 + LINE[size] * max(map(len, lines))
            return ["\n".join(name) for name in lines], fall, {"size": size}
    # Upright, in as many lines as there is room for.
    for tall in (11, 14, 18, 99):
        lines = [wrapped(name, tall, SMALL) for name in names]
        if max(map(len, lines)) * LINE[SMALL] <= room + 1:
            break
    fall = 2 + max(text_width(line, SMALL) for name in lines for line in name)
    return ["\n".join(name) for name in lines], fall, {"size": SMALL, "rotation": 90}


def key_of_groups(canvas, shown, left, top, look):
    """Name the groups of a chart, with their sizes."""
    # All trials of a group, which the pooled agents have and a single agent has not.
    sizes = shown.loc[shown.groupby("group", sort=False)["n"].idxmax()]
    for number, row in enumerate(records(sizes)):
        y = top + 2.2 + number * LINE[BODY]
        text = (
            f"{row['group']}: {counted(row['n_judges'], 'judge')}, {counted(row['n'], 'verdict')}"
        )
        canvas.plot(left + 1, y - 0.75, look.marker(row), color=look.color(row), ms=3.6)
        write(canvas, left + 3, y, text, SMALL)


LOGARITHMIC = "logarithmic scale"
"""Mark of lines whose x axis is drawn on a logarithmic scale."""


def lines(canvas, rows, left, top, width, height, look):
    """Draw rates along a number, a line an agent, with error bars and the mean of all as a dash."""
    shown, means = rows[rows["kind"] == "lines"], rows[rows["kind"] == "mean"]
    agents = list(shown["agent"].unique())
    key = key_of_lines(shown, width)
    for number, line in enumerate(key):
        for shift, agent, text in line:
            color, marker = look.series(agent)
            x, y = left + 9 + shift, top + 2 + number * LINE[SMALL]
            canvas.plot([x, x + 4], [y - 0.7] * 2, color=color, linewidth=1)
            canvas.plot(x + 2, y - 0.7, marker, color=color, ms=3)
            write(canvas, x + 5, y, text, SMALL)
    axes = inset(canvas, left + 9, top + len(key) * LINE[SMALL] + 1.5, width - 10, look.plot)
    quantity = name_of(shown["quantity"].iloc[0])
    low, high = look.scales[quantity]
    along = math.log2 if shown["mark"].eq(LOGARITHMIC).any() else float
    labels = {along(x): f"{x:.0f}" for x in sorted(shown["x"].unique())}
    places = list(labels)
    step = min((b - a for a, b in pairwise(places)), default=1)
    margin = step if along is float else 0.4 * step
    axes.set(ylim=(low, high), xlim=(places[0] - margin, places[-1] + margin))
    axes.set_yticks([tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, 2)])
    named = spaced(places, axes.get_xlim(), width - 10)
    axes.set_xticks(named, [labels[place] for place in named])
    axes.set_xticks(places, minor=True)
    axes.set_xlabel(str(shown["group_by"].iloc[0]).capitalize(), labelpad=1.5, size=SMALL)
    axes.set_ylabel(quantity, labelpad=2, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    if quantity == "Detectability":
        axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(1, 2), zorder=0)
    for row in records(means):
        axes.axhline(
            row["value"], color=look.series(row["agent"])[0], lw=0.6, dashes=(4, 3), zorder=1
        )
    for number, agent in enumerate(agents):
        own = shown[shown["agent"] == agent]
        color, marker = look.series(agent)
        # Side by side, so that one error bar does not hide another.
        apart = 0.5 if along is float else 0.15
        shift = apart * step * (number - (len(agents) - 1) / 2) / max(len(agents), 2)
        x = [along(place) + shift for place in own["x"]]
        axes.plot(x, own["value"], color=color, linewidth=1, zorder=2)
        for place, row in zip(x, records(own), strict=True):
            axes.plot([place] * 2, reach(row), color=color, linewidth=0.7, zorder=2)
            axes.plot(place, row["value"], marker, color=color, ms=3, zorder=3, clip_on=False)


def spaced(places, limits, width):
    """Places to label on an axis of a width (mm), far enough from each other to be read."""
    unit, kept = (limits[1] - limits[0]) / width, []
    for place in places:
        if not kept or place - kept[-1] >= 4.5 * unit:
            kept.append(place)
    return kept


def key_of_lines(shown, width):
    """Lines of a key that name the agents: for each name its place (mm), agent and text."""
    key, shift = [[]], 0
    for row in records(shown.drop_duplicates("agent")):
        wide = 5 + text_width(row["agent_label"], SMALL) + 3
        if key[-1] and shift + wide > width - 9:
            key, shift = [*key, []], 0
        key[-1].append((shift, row["agent"], row["agent_label"]))
        shift += wide
    return key


def scatter(canvas, rows, left, top, width, height, look):
    """Draw agents' detectability against a score; circles grow with the logarithm of their size."""
    shown, found = rows[rows["kind"] == "scatter"], rows[rows["kind"] == "correlation"]
    tall = SCATTER
    line = LINE[SMALL] + 1  # for the correlation
    axes = inset(canvas, left + 9, top + line, width - 12, tall)
    low, high = bounds(shown, 0.4, 0.7)
    span = shown["x"].max() - shown["x"].min() or 1
    start, end = shown["x"].min() - 0.18 * span, shown["x"].max() + 0.18 * span
    axes.set(xlim=(start, end), ylim=(low, high))
    axes.set_yticks([tick / 10 for tick in range(round(10 * low), round(10 * high) + 1)])
    axes.set_xlabel(SCORES.get(shown["text"].iloc[0], shown["text"].iloc[0]), labelpad=1.5)
    axes.set_ylabel("Detectability", labelpad=2)
    axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    points = []
    for row in records(shown):
        # On the page rather than in the axes: circles and names keep clear of each other in mm.
        x = left + 9 + (width - 12) * (row["x"] - start) / (end - start)
        y, *ends = (
            top + line + tall * (high - value) / (high - low)
            for value in (row["value"], *reach(row))
        )
        points.append((row, x, y, ends, radius_of(row["size"])))
    axes.patch.set_visible(False)
    taken = [(x - r, y - r, x + r, y + r) for _, x, y, _, r in points]
    taken += [(x - 0.3, min(ends), x + 0.3, max(ends)) for _, x, _, ends, _ in points]
    frame = left + 9.5, top + line, left + width - 2, top + line + tall
    chance = top + line + tall * (high - 0.5) / (high - low)
    taken.append((frame[0], chance - 0.2, frame[2], chance + 0.2))
    for row, x, y, ends, r in sorted(points, key=lambda point: -point[4]):
        color = look.series(row["agent"])[0]
        canvas.plot([x, x], ends, color=color, linewidth=0.8, zorder=5)
        canvas.add_patch(
            Circle((x, y), r, facecolor=(*to_rgb(color), 0.75), edgecolor="white", lw=0.4, zorder=6)
        )
    for row, x, y, _, r in points:
        place = clear_place(row["agent_label"], x, y, r, taken, frame)
        taken.append(place)
        write(canvas, place[0], place[3] - 0.5, row["agent_label"], SMALL, zorder=7)
    for row in records(found):
        p = f"p = {row['p']:.2f}" if row["p"] >= 0.01 else f"p = {row['p']:.1g}"
        r = f"{row['value']:.3f}".replace("-", "\N{MINUS SIGN}")
        text = f"r = {r}, {p}, {counted(row['n'], 'agent')}"
        write(canvas, left + width - 3, top + 1.9, text, SMALL, ha="right", color=GREY)


SCATTER = 42  # height of a scatter's axes, mm


def radius_of(millions):
    """Radius of the circle of a model of so many million parameters (mm); small where unknown."""
    return 0.7 if millions != millions or millions < 1 else 0.5 + 0.38 * math.log10(millions)


def clear_place(text, x, y, r, taken, frame):
    """Place for a name beside its circle: the first that covers nothing, else the least bad (mm)."""
    wide, tall = text_width(text, SMALL) + 0.6, 2.6
    spots = []
    for gap in (0.4, 1.6, 3.2, 5):
        for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
            left = x + dx * (r + gap) - (0 if dx > 0 else wide if dx < 0 else wide / 2)
            up = y + dy * (r + gap) - (0 if dy > 0 else tall if dy < 0 else tall / 2)
            spots.append((left, up, left + wide, up + tall))

    def covered(spot):
        outside = max(
            frame[0] - spot[0], spot[2] - frame[2], frame[1] - spot[1], spot[3] - frame[3]
        )
        over = sum(
            max(0, min(spot[2], other[2]) - max(spot[0], other[0]))
            * max(0, min(spot[3], other[3]) - max(spot[1], other[1]))
            for other in taken
        )
        return over + 10 * max(0, outside)

    return min(spots, key=covered)


# --- quality of judges -------------------------------------------------------------------------


CURVES = {
    "roc": ("False alarms", "Hits"),
    "calibration": ("Probability told", "Machines"),
    "learning curve": ("Examples", "Accuracy"),
}
"""Kinds of curves with what their axes show."""


def curve(canvas, rows, left, top, width, height, look):
    """Draw an ROC curve, a calibration, or a learning curve, with what chance would give."""
    kind = rows["kind"].iloc[0]
    points = rows[rows["kind"] == kind].sort_values("x")
    across, up = CURVES[kind]
    axes = inset(canvas, left + 8, top + 0.5, width - 9.5, look.curve)
    axes.patch.set_visible(False)
    chance = {"color": GREY, "linewidth": 0.6, "dashes": (4, 3), "zorder": 0}
    if kind == "learning curve":
        axes.set(xscale="log", ylim=(0.4, 1))
        axes.axhline(0.5, **chance)
        ticks = [x for x in points["x"] if x in (16, 64, 256, 1024)]
        axes.set_xticks(ticks, [f"{x:.0f}" for x in ticks])
        axes.set_xticks([], minor=True)
        axes.fill_between(
            points["x"], points["ci_low"], points["ci_high"], color=GROUPS[1], alpha=0.3, lw=0
        )
    else:
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        axes.set_xticklabels(["0", "0.5", "1"])
        axes.set_yticklabels(["0", "0.5", "1"])
        axes.plot([0, 1], [0, 1], **chance)
    axes.set_xlabel(across, labelpad=1.5, size=SMALL)
    axes.set_ylabel(up, labelpad=1.5, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    style = {"color": GROUPS[0], "linewidth": 1, "clip_on": False}
    if kind == "calibration":
        for row in records(points):
            axes.plot([row["x"]] * 2, [row["ci_low"], row["ci_high"]], color=GROUPS[0], lw=0.6)
    if kind != "roc":
        style |= {"marker": "o", "ms": 2.4}
    axes.plot(points["x"], points["value"], **style)
    told = rows.set_index("kind")
    if "auc" in told.index:
        area = told.loc["auc"]
        lines = [f"AUC {area['value']:.2f}"]
        lines.append(f"({area['ci_low']:.2f}\N{EN DASH}{area['ci_high']:.2f})")
        if area["n"] == area["n"]:
            lines.append(f"n = {area['n']:,.0f}")
        if "permutation" in told.index:
            p = told.loc["permutation", "p"]
            lines.append(f"p = {p:.3f}" if p >= 0.01 else f"p = {p:.1g}")
        bottom = top + look.curve - 1.2 - LINE[SMALL] * (len(lines) - 1)
        write(canvas, left + width - 2, bottom, lines, SMALL, ha="right", color=GREY)


# --- examples ----------------------------------------------------------------------------------


def examples(canvas, rows, left, top, width, height, look):
    """Draw responses as a table: a row a stimulus, a column an agent."""
    agents, lead, column = columns_of(rows, width)
    for number, name in enumerate(agents.values()):
        x = left + lead + number * column
        for line, text in enumerate(wrapped(name, column - 1.5)[:2]):
            write(canvas, x, top + 2.4 + line * LINE[BODY], text, weight="semibold")
    y = top + head_of(agents, column)
    for stimulus, own in rows.groupby("group", sort=False):
        canvas.plot([left, left + width], [y, y], color=PALE, linewidth=0.5)
        write(canvas, left, y + 3.3, wrapped(str(stimulus), lead - 2), color=GREY)
        for number, agent in enumerate(agents):
            below = y + 1
            for row in records(own[own["agent"] == agent]):
                below += respond(canvas, row, left + lead + number * column, below, column - 1.5)
        y += tall_as(own, agents, column)


def columns_of(rows, width):
    """Agents with their names, and the widths of the stimuli's and of an agent's column (mm)."""
    agents = dict(zip(rows["agent"], rows["agent_label"], strict=True))
    lead = min(24, 2 + max(text_width(str(name)) for name in rows["group"].unique()))
    return agents, lead, (width - lead) / len(agents)


def head_of(agents, column):
    """Height of the agents' names (mm)."""
    return 1.5 + LINE[BODY] * max(min(2, len(wrapped(a, column - 1.5))) for a in agents.values())


def tall_as(own, agents, column):
    """Height of a stimulus's row (mm)."""
    answers = (own[own["agent"] == agent] for agent in agents)
    tallest = max(
        (sum(respond(None, row, 0, 0, column - 1.5) for row in records(part)) for part in answers),
        default=0,
    )
    return tallest + 2


def respond(canvas, row, left, top, width):
    """Draw one response, or with no canvas none; return the height it takes (mm)."""
    text = str(row["text"])
    if row["quantity"] == "scan path":
        width = min(width, 31)
        tall = width * SCREEN[1] / SCREEN[0]
        if canvas:
            scan_path(canvas, text, left, top, width, tall)
        return tall + 1
    if row["quantity"] == "color":
        if canvas:
            known = text if matplotlib.colors.is_color_like(text) else None
            style = {"facecolor": known} if known else {"fill": False, "hatch": "/////"}
            box(canvas, left, top, 4.5, 3.4, edgecolor=PALE, **style)
            write(canvas, left + 5.5, top + 2.6, text, SMALL)
        return 4.4
    told = wrapped(text, width, SMALL)
    if canvas:
        write(canvas, left, top + 2.2, told, SMALL)
    return len(told) * LINE[SMALL] + 1


def scan_path(canvas, text, left, top, width, height):
    """Draw fixations and the way between them on an empty frame; the first one is filled."""
    box(canvas, left, top, width, height, facecolor="#f4f4f4", edgecolor=PALE, linewidth=0.4)
    try:
        path = [(float(x), float(y)) for x, y in json.loads(text)]
    except (ValueError, TypeError):
        raise InputError(
            "the responses", "a scan path is no list of pairs", column="response", value=text[:60]
        ) from None
    # A fixation off the screen is drawn at its edge.
    places = [
        (
            left + width * min(max(x / SCREEN[0], 0), 1),
            top + height * min(max(y / SCREEN[1], 0), 1),
        )
        for x, y in path
    ]
    canvas.plot(*zip(*places, strict=True), color=GROUPS[0], linewidth=0.5, zorder=3)
    for number, (x, y) in enumerate(places):
        fill = GROUPS[0] if number == 0 else GROUPS[2]
        canvas.plot(x, y, "o", ms=2.6, mfc=fill, mec=GROUPS[0], mew=0.3, zorder=4)


# --- conversations -----------------------------------------------------------------------------


def conversation(canvas, rows, left, top, width, height, look):
    """Draw the turns of a conversation in two columns, each with its number and who speaks."""
    name, line = speakers_of(rows)
    across = (width - BETWEEN) / 2
    for number, column in enumerate(halves(rows, across - name - 1)):
        x, y = left + number * (across + BETWEEN), top + 1
        for turn, told in column:
            person = turn["agent"] == "human"
            tall = len(told) * LINE[SMALL] + 1.2
            if person:
                box(canvas, x, y, across, tall - 0.4, facecolor="#f1f4f8", edgecolor="none")
            write(canvas, x + 3.5, y + line, f"{turn['x']:.0f}", SMALL, ha="right", color=GREY)
            color = INK if person else RED
            write(canvas, x + 4.5, y + line, turn["agent_label"], SMALL, color=color)
            write(canvas, x + name, y + line, told, SMALL)
            y += tall


def speakers_of(rows):
    """Where texts begin in a column, beside the longest name, and below the top of a turn (mm)."""
    return 6.5 + max(text_width(str(name), SMALL) for name in rows["agent_label"].unique()), 2.3


def halves(rows, width):
    """The turns with their wrapped texts in two columns about equally high, as lists of pairs."""
    turns = [(row, wrapped(str(row["text"]), width, SMALL)) for row in records(rows)]
    cuts = range(len(turns) + 1)
    cut = min(cuts, key=lambda at: max(tall_of(turns[:at]), tall_of(turns[at:])))
    return turns[:cut], turns[cut:]


def tall_of(column):
    """Height of a column of turns (mm)."""
    return sum(len(told) * LINE[SMALL] + 1.2 for _, told in column)


# --- what all kinds share ----------------------------------------------------------------------


def empty(canvas, rows, left, top, width, height, look):
    """Draw the frame of a panel without numbers, with the reason."""
    box(canvas, left, top, width, height, facecolor="none", edgecolor=PALE, hatch="/////")
    note = wrapped(rows["note"].iloc[0].capitalize(), width - 8)
    tall = len(note) * LINE[BODY] + 2
    wide = max(map(text_width, note)) + 4
    middle = left + width / 2
    y = top + height / 2
    box(canvas, middle - wide / 2, y - tall / 2, wide, tall, facecolor="white", edgecolor="none")
    write(canvas, middle, y - tall / 2 + 3.1, note, ha="center", color=GREY)


def percent(share):
    """A share in percent; a small one never reads 0%, nor a large one 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


DRAW = {
    "matrix": matrix,
    **dict.fromkeys(CURVES, curve),
    "pie": pie,
    "bars": bars,
    "lines": lines,
    "scatter": scatter,
    "examples": examples,
    "conversation": conversation,
    "intervals": forest_rows.intervals,
    "judges": forest_rows.judges,
    "listed": dot_rows.listed,
    "heatmap": heatmap.heatmap,
    "no data": empty,
}


def height_of(rows, width, look):
    """Height that a panel needs below its title (mm); 0 for a panel without numbers."""
    kind = rows["kind"].iloc[0]
    if kind == "matrix":
        *_, placed = lanes(rows[rows["kind"] == "matrix"], width, look)
        _, y, tall = placed[-1]
        return y + tall + (LINE[SMALL] + 0.8 if trained_here(rows) else 0)
    if kind in CURVES:
        return look.curve + 6.5
    if kind == "pie":
        if key_beside(rows, width):
            return max(SMALL_RING, len(rows) * TWO_LINES) + 1
        if look.tight:
            return 17 + 4 + LINE[SMALL] * len(rows)
        return RING + 4 + SWATCH * max(4, len(rows))
    if kind == "bars":
        fall = names_below(rows[rows["kind"] == "bars"], width)[1]
        return look.key * LINE[BODY] + 1.5 + look.chart + fall
    if kind in ("lines", "mean"):
        key = key_of_lines(rows[rows["kind"] == "lines"], width)
        return len(key) * LINE[SMALL] + 1.5 + look.plot + 6.5
    if kind == "intervals":
        return forest_rows.height_of_intervals(rows, width)
    if kind == "judges":
        return forest_rows.height_of_judges(rows, width)
    if kind == "listed":
        return dot_rows.height_of_listed(rows, width)
    if kind == "heatmap":
        return heatmap.height_of_heatmap(rows, width)
    if kind == "scatter":
        return LINE[SMALL] + 1 + SCATTER + 7.5
    if kind == "conversation":
        name, _ = speakers_of(rows)
        return 2 + max(map(tall_of, halves(rows, (width - BETWEEN) / 2 - name - 1)))
    if kind == "examples":
        agents, _, column = columns_of(rows, width)
        parts = (own for _, own in rows.groupby("group", sort=False))
        return head_of(agents, column) + sum(tall_as(own, agents, column) for own in parts)
    return 0


def judges_of(rows):
    """How many judges a panel rests on; empty for one machine judge, which its title names.

    Of lines of judges whom nobody told apart, the verdicts behind a point.
    """
    numbers = rows["n_judges"].dropna()
    points = rows.loc[rows["kind"] == "lines", "n"].dropna()
    if numbers.empty and len(points):
        return f"{spanned(points)} verdicts a point"
    counted_in = ("matrix", "lines", "scatter", "intervals", "judges")
    if rows["kind"].iloc[0] not in counted_in or numbers.empty:
        return ""
    if rows["judge_kind"].iloc[0] != "human" and numbers.max() == 1:
        return ""
    return spanned(numbers) + (" judge" if numbers.max() == 1 else " judges")


def spanned(numbers):
    """Least to greatest number, or the one that all are."""
    low, high = numbers.min(), numbers.max()
    return f"{high:,.0f}" if low == high else f"{low:,.0f}\N{EN DASH}{high:,.0f}"
