"""Drawing shared by all figures: fonts, colours, panels, the grid they stand in, and saving.

A page is one set of axes in millimetres from its top left corner, so that everything but a chart
with scales of its own is placed where a ruler would put it. Figures read source data
(`turingstats.figure_data`) and compute nothing but places.
"""

import math
from itertools import groupby
from pathlib import Path

import fontpkg_fira_sans
import matplotlib
from fontTools import subset
from matplotlib import font_manager
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, Wedge
from matplotlib.textpath import text_to_path

from turingstats import files
from turingstats.errors import ConfigError

COLUMN, PAGE = 89, 183  # widths of journal figures, mm
MARGIN, GAP = 2, 3  # around the page and between panels, mm
TITLE, BODY, SMALL = 8.5, 7, 6  # text sizes, pt
LINE = {TITLE: 3.5, BODY: 2.9, SMALL: 2.5}  # distance of lines of text, mm
INK, GREY, PALE = "#1a1a1a", "#595959", "#c4c4c4"
BLUE, RED = "#0057b8", "#c8102e"  # asterisks: against chance, between groups
# Told apart by lightness too, and none of them near the colours of the asterisks.
GROUPS = ("#34495e", "#5aa9a3", "#e2b04a", "#9b7fb8", "#8f8f8f")
MARKERS = "osD^v"

HEAD, CELL, LABELS = 7, 8.6, 15.5  # of a matrix: column titles, height of a row, row labels, mm
RING = 21  # least diameter of a pie, mm
CHART, STRIP = 25, 3.5  # height of a chart's axes and of the strips for asterisks in it, mm
SWATCH = 3.2  # distance of lines of a key, mm
BAR = 34  # width of the colour scale, mm

TESTS = {
    "anova_one_way": "one-way analysis of variance",
    "kruskal": "Kruskal\N{EN DASH}Wallis test",
    "mann_whitney": "Mann\N{EN DASH}Whitney test",
    "permutation": "permutation test",
    "welch_t": "Welch's t test",
    "welch_t_random": "Welch's t test against random values",
    "wilcoxon": "Wilcoxon signed-rank test",
}
THRESHOLD = 0.05

STYLE = {
    "font.family": "Fira Sans",
    "font.size": BODY,
    "text.color": INK,
    "text.parse_math": False,
    "text.hinting": "none",  # widths in a picture are those that were measured
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "xtick.major.pad": 2,
    "ytick.major.pad": 2,
    "hatch.linewidth": 0.4,
    "hatch.color": "#e2e2e2",
    # Text stays text in a PDF and becomes outlines in an SVG, which cannot carry its font along.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "turingstats",
}
# Dates and versions would make every picture differ from the last one.
METADATA = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


def register_fonts():
    """Make the installed package's Fira Sans the one that matplotlib finds, on any computer."""
    for style in ("Regular", "Italic", "SemiBold", "Bold"):
        font_manager.fontManager.addfont(
            Path(fontpkg_fira_sans.ROOT) / "files" / f"FiraSans-{style}.ttf"
        )
        # The first of equally good fonts is taken: before any Fira Sans of the system.
        known = font_manager.fontManager.ttflist
        known.insert(0, known.pop())


register_fonts()
matplotlib.rcParams.update(STYLE)
# Fonts in a PDF need no tables of ligatures and kerning; cutting those to size would take most of
# the time that a figure takes.
getattr(subset.Options, "_drop_tables_default", []).extend(["GDEF", "GPOS", "GSUB"])


# --- page and text -----------------------------------------------------------------------------


def page(width, height):
    """Return axes that cover a new figure, in millimetres from its top left corner."""
    figure = Figure(figsize=(width / 25.4, height / 25.4))
    canvas = figure.add_axes((0, 0, 1, 1))
    canvas.set(xlim=(0, width), ylim=(height, 0))
    canvas.axis("off")
    return canvas


def inset(canvas, left, top, width, height):
    """Return axes with scales of their own, at a place of the page (mm)."""
    across, down = canvas.get_xlim()[1], canvas.get_ylim()[0]
    place = (left / across, 1 - (top + height) / down, width / across, height / down)
    return canvas.figure.add_axes(place)


def write(canvas, x, y, text, size=BODY, **style):
    """Write lines of text, the first one's baseline at `y`; text may be a list of lines."""
    lines = [text] if isinstance(text, str) else text
    for number, line in enumerate(lines):
        canvas.text(x, y + number * LINE[size], line, size=size, va="baseline", **style)


def text_width(text, size=BODY, weight="normal"):
    """Width of a line of text in millimetres."""
    font = font_manager.FontProperties(size=size, weight=weight)
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] * 25.4 / 72


def wrapped(text, width, size=BODY, weight="normal"):
    """Break text into lines no wider than `width` (mm), at spaces and after hyphens."""
    lines = [""]
    for word in text.replace("-", "-\0").replace(" ", " \0").split("\0"):
        if lines[-1] and text_width((lines[-1] + word).rstrip(), size, weight) > width:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def box(canvas, left, top, width, height, **style):
    """Draw a rectangle (mm)."""
    canvas.add_patch(Rectangle((left, top), width, height, **{"linewidth": 0.6} | style))


def counted(number, noun):
    """A number with its noun, such as "1,416 trials"."""
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


def records(rows):
    """Rows as dictionaries."""
    return rows.to_dict("records")


# --- panels: each draws its rows of the source data into a box of the page ---------------------


class Look:
    """What the panels of a figure share: colour map, looks of the groups, scale of the charts.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data of the figure.
    colormap : str
    """

    def __init__(self, data, colormap):
        self.colormap = matplotlib.colormaps[colormap]
        named = data.dropna(subset="group")
        self.groups = {by: list(own["group"].unique()) for by, own in named.groupby("group_by")}
        charts = data[data["kind"] == "bars"]
        # Lines that the longest key takes: charts side by side keep one height.
        self.key = max(charts.groupby("panel")["group"].nunique(), default=0)
        ends = [0.4, 0.7]  # at least this much of the scale, so that small differences look small
        for row in records(charts):
            ends += reach(row)
        self.limits = math.floor(10 * min(ends)) / 10, math.ceil(10 * max(ends)) / 10

    def color(self, row):
        """Colour of a row's group, the same in all panels."""
        return GROUPS[self.groups[row["group_by"]].index(row["group"]) % len(GROUPS)]

    def marker(self, row):
        """Marker of a row's group, the same in all panels."""
        return MARKERS[self.groups[row["group_by"]].index(row["group"]) % len(MARKERS)]


def matrix(canvas, rows, left, top, width, height, look):
    """Draw a confusion matrix: who made it (rows) against what it was judged to be (columns)."""
    cell = (width - LABELS) / 2
    for column, verdict in enumerate(("human", "machine")):
        title = wrapped(f"Judged {verdict}", cell, SMALL)
        middle = left + LABELS + (column + 0.5) * cell
        bottom = top + HEAD - 1.3 - LINE[SMALL] * (len(title) - 1)
        write(canvas, middle, bottom, title, SMALL, ha="center", color=GREY)
    write(canvas, left + LABELS - 1.5, top + HEAD - 1.3, "Made by", SMALL, ha="right", color=GREY)
    for number, (_, own) in enumerate(rows.groupby("agent", sort=False)):
        y = top + HEAD + number * CELL
        first = own.iloc[0]
        name = wrapped(first["agent_label"], LABELS - 2)
        label_top = y + CELL / 2 - (len(name) * LINE[BODY] + LINE[SMALL]) / 2
        write(canvas, left + LABELS - 1.5, label_top + 2.2, name, ha="right")
        count = label_top + len(name) * LINE[BODY] + 1.9
        size = f"n = {first['n']:,.0f}"
        write(canvas, left + LABELS - 1.5, count, size, SMALL, ha="right", color=GREY)
        for row in own.to_dict("records"):
            x = left + LABELS + (0 if row["quantity"][2] == "H" else cell)
            matrix_cell(canvas, row, x, y, cell, look.colormap)
        if first["mark"] == "best imitator":
            box(canvas, left + LABELS, y, 2 * cell, CELL, fill=False, edgecolor="black", lw=1.3)


def matrix_cell(canvas, row, left, top, width, colormap):
    """Draw a rate in its colour, with its spread below it."""
    color = colormap(row["value"])
    # Perceived lightness decides between dark and light text (weights of Rec. 709).
    light = sum(w * c**2.2 for w, c in zip((0.2126, 0.7152, 0.0722), color[:3], strict=True))
    ink = "black" if light > 0.25 else "white"
    box(canvas, left, top, width, CELL, facecolor=color, edgecolor="white", zorder=0.5)
    small = spread(row)
    middle = left + width / 2
    value = top + CELL / 2 + (-0.3 if small else 0.9)
    write(canvas, middle, value, f"{row['value']:.2f}", ha="center", color=ink)
    write(canvas, middle, top + CELL / 2 + 2.6, small, SMALL, ha="center", color=ink)


def spread(row):
    """The numbers in parentheses: standard error or interval, as the reading has it."""
    if row["reading"] == "published":
        return "" if row["se"] != row["se"] else f"({row['se']:.2f})"
    if row["ci_low"] != row["ci_low"]:
        return ""
    return f"({row['ci_low']:.2f}\N{EN DASH}{row['ci_high']:.2f})"


def pie(canvas, rows, left, top, width, height, look):
    """Draw the shares of groups as a ring, with what is counted inside and the key below."""
    diameter = min(25, width - 8, height - 4 - SWATCH * max(4, len(rows)))
    top += (height - diameter - 4 - SWATCH * max(4, len(rows))) / 2
    middle, radius, done = left + width / 2, diameter / 2, 0
    for row in rows.to_dict("records"):
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
    write(canvas, middle, top + radius + 0.9, total[0], ha="center")
    write(canvas, middle, top + radius + 3.5, total[1], SMALL, ha="center", color=GREY)
    key = [f"{row['group']}  {percent(row['value'])} ({row['n']:,.0f})" for row in records(rows)]
    indent = max(left, middle - (max(map(text_width, key)) + 3.2) / 2)
    for number, (text, row) in enumerate(zip(key, records(rows), strict=True)):
        y = top + diameter + 5.5 + number * SWATCH
        box(canvas, indent, y - 1.9, 2, 2, facecolor=look.color(row), edgecolor="none")
        write(canvas, indent + 3.2, y, text)


def bars(canvas, rows, left, top, width, height, look):
    """Draw detectability by agent and group, with chance and the tests' asterisks.

    Points with error bars: zero means nothing on this scale, so that bars would mislead.
    """
    shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
    agents, groups = list(shown["agent"].unique()), list(shown["group"].unique())
    key_of_groups(canvas, shown, left + 8, top, look)
    names, _, style = names_below(shown, width)
    axes = inset(canvas, left + 8, top + look.key * LINE[BODY] + 1.5, width - 15, CHART)
    bottom, ceiling = look.limits
    unit = (ceiling - bottom) / (CHART - 2 * STRIP)  # of the scale, a millimetre
    low, high = bottom - STRIP * unit, ceiling + STRIP * unit
    axes.set(xlim=(-0.5, len(agents) - 0.5), ylim=(low, high))
    axes.set_yticks([step / 10 for step in range(round(10 * bottom), round(10 * ceiling) + 1)])
    axes.set_ylabel("Detectability", labelpad=2)
    axes.set_xticks(range(len(agents)), names, **style)
    axes.tick_params(axis="x", length=0)
    axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    axes.text(len(agents) - 0.47, 0.5, "chance", size=SMALL, color=GREY, va="center")
    step = 0.62 / max(len(groups) - 1, 2)
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
    room = (width - 15) / len(names) - 1
    for size in (BODY, SMALL):
        lines = [wrapped(name, room, size) for name in names]
        if all(text_width(line, size) <= room for name in lines for line in name):
            fall = 2 + LINE[size] * max(map(len, lines))
            return ["\n".join(name) for name in lines], fall, {"size": size}
    fall = 2 + max(text_width(name, SMALL) for name in names)
    return names, fall, {"size": SMALL, "rotation": 90}


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


def reach(row):
    """Ends of an error bar; the value itself where there is none."""
    if row["reading"] == "published":
        ends = (row["value"] - row["se"], row["value"] + row["se"])
    else:
        ends = (row["ci_low"], row["ci_high"])
    return ends if ends[0] == ends[0] else (row["value"], row["value"])


DRAW = {"matrix": matrix, "pie": pie, "bars": bars, "no data": empty}


def height_of(rows, width, look):
    """Height that a panel needs below its title (mm); 0 for a panel without numbers."""
    kind = rows["kind"].iloc[0]
    if kind == "matrix":
        return HEAD + rows["agent"].nunique() * CELL
    if kind == "pie":
        return RING + 4 + SWATCH * max(4, len(rows))
    if kind == "bars":
        fall = names_below(rows[rows["kind"] == "bars"], width)[1]
        return look.key * LINE[BODY] + 1.5 + CHART + fall
    return 0


def judges_of(rows):
    """How many judges a matrix rests on; empty for one machine judge, which its title names."""
    numbers = rows["n_judges"].dropna()
    if rows["kind"].iloc[0] != "matrix" or numbers.empty:
        return ""
    if rows["judge_kind"].iloc[0] != "human" and numbers.max() == 1:
        return ""
    fewest = "" if numbers.min() == numbers.max() else f"{numbers.min():,.0f}\N{EN DASH}"
    return fewest + counted(numbers.max(), "judge")


# --- a figure of panels ------------------------------------------------------------------------


def grid(data, colormap, layout, widths=None):
    """Draw the panels of a figure in the places the paper gave them.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data of one figure (`turingstats.figure_data.COLUMNS`).
    colormap : str
        Colour map of the confusion matrices, from 0 to 1 in every figure.
    layout : sequence of str
        The letters of each row of panels, such as ("AB", "CD"); a space is a gap. Letters that do
        not occur in `data` take no room; a column left alone is laid out in rows.
    widths : sequence of float, optional
        Least width of each column of panels, mm; by default what a matrix needs.

    Returns
    -------
    matplotlib.figure.Figure
        89 or 183 mm wide, as high as it needs to be.
    """
    panels = dict(list(data.groupby("panel", sort=False)))
    rows, least = arranged(panels, layout, widths)
    across = COLUMN if sum(least) + GAP * (len(least) - 1) <= COLUMN - 2 * MARGIN else PAGE
    stretch = (across - 2 * MARGIN - GAP * (len(least) - 1)) / sum(least)
    slots, left = [], MARGIN
    for wanted in least:
        slots.append((left, wanted * stretch))
        left += wanted * stretch + GAP
    look = Look(data, colormap)
    generated = is_generated(data)
    heads = [headings(rows, number, panels) for number in range(len(rows))]
    fitted = [[(panels[at], slots[n][1]) for n, at in enumerate(row) if at] for row in rows]
    heights = [max(height_of(panel, width, look) for panel, width in own) for own in fitted]
    # Rows without any numbers are as high as the others.
    spare = max(heights) or HEAD + 5 * CELL
    plan, top = [], MARGIN + (7 if generated else 0)
    for own, head, needed in zip(fitted, heads, heights, strict=True):
        lines = max(len(title_of(panel, width)) for panel, width in own)
        below = any(judges_of(panel) for panel, _ in own)
        title = top + (6.5 if head else 0)
        body = title + LINE[BODY] * lines + (LINE[SMALL] if below else 0) + 1.5
        plan.append((top, title, body, needed or spare))
        top = body + (needed or spare) + 5
    legend = (data["kind"] == "matrix").any()
    text = wrapped(explained(data), across - 2 * MARGIN - (BAR + 8 if legend else 0), SMALL)
    canvas = page(across, top + max(len(text) * LINE[SMALL], 8.5 if legend else 0) + MARGIN - 0.5)
    for row, head, (start, title, body, height) in zip(rows, heads, plan, strict=True):
        for label, columns in head:
            left, end = slots[columns[0]][0], sum(slots[columns[-1]])
            write(canvas, left, start + 2.6, label, weight="semibold")
            canvas.plot([left, end], [start + 4, start + 4], color=INK, linewidth=0.6)
        for (left, width), letter in zip(slots, row, strict=True):
            if letter:
                panel = panels[letter]
                write_title(canvas, letter, panel, left, title, width)
                DRAW[panel["kind"].iloc[0]](canvas, panel, left, body, width, height, look)
    write(canvas, MARGIN, top + 1.9, text, SMALL, color=GREY)
    if legend:
        color_scale(canvas, across - MARGIN - BAR - 1, top, look.colormap)
    if generated:
        flag(canvas)
    return canvas.figure


def arranged(panels, layout, widths):
    """Rows of the letters that occur (None is a gap), and the least width of each column (mm)."""
    unknown = [letter for letter in panels if not any(letter in row for row in layout)]
    if unknown:
        raise ConfigError(
            f"The figure has no place for panel {', '.join(unknown)}.\n"
            f"  places:  {' / '.join(layout)}\n"
            "  remedy:  add the letter to LAYOUT in its module of turingstats/figures/"
        )
    across = max(map(len, layout))
    rows = [[at if at in panels else None for at in row.ljust(across)] for row in layout]
    rows = [row for row in rows if any(row)]
    columns = [number for number in range(across) if any(row[number] for row in rows)]
    if len(columns) == 1:
        letters = [row[columns[0]] for row in rows]
        across = min(4, len(letters))
        rows = [letters[start : start + across] for start in range(0, len(letters), across)]
        rows[-1] += [None] * (across - len(rows[-1]))
        columns *= across
    else:
        rows = [[row[number] for number in columns] for row in rows]
    return rows, [(widths[number] if widths else 41) for number in columns]


def headings(rows, number, panels):
    """Task labels to write over a row of panels, each with the columns it spans.

    A label is left out where the panel above belongs to the same task.
    """

    def task(row, column):
        letter = rows[row][column] if row >= 0 else None
        return panels[letter]["task_label"].iloc[0] if letter else None

    def label(column):
        own = task(number, column)
        return None if own == task(number - 1, column) else own

    spans = groupby(range(len(rows[number])), label)
    return [(name, list(columns)) for name, columns in spans if name]


def title_of(rows, width):
    """Title of a panel in lines that fit."""
    return wrapped(rows["title"].iloc[0], width - 4.5)


def write_title(canvas, letter, rows, left, top, width):
    """Write a panel's letter, title and number of judges."""
    title = title_of(rows, width)
    write(canvas, left, top + 2.6, letter, TITLE, weight="bold")
    write(canvas, left + 4.5, top + 2.6, title)
    under = top + 2.6 + len(title) * LINE[BODY]
    write(canvas, left + 4.5, under, judges_of(rows), SMALL, color=GREY)


def color_scale(canvas, left, top, colormap):
    """Draw the colour scale of the confusion matrices."""
    write(canvas, left, top + 1.9, "Share of verdicts", SMALL, color=GREY)
    axes = inset(canvas, left, top + 3, BAR, 2)
    scale = ScalarMappable(cmap=colormap)
    scale.set_clim(0, 1)
    bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.ax.set_xticklabels(["0", "0.5", "1"], size=SMALL)
    bar.outline.set_visible(False)


def is_generated(data):
    """Whether the numbers come from generated trials."""
    return "data" in data and (data["data"] == "generated data").any()


def flag(canvas):
    """Say across the top of a figure that nobody was observed."""
    across = canvas.get_xlim()[1]
    box(canvas, MARGIN, MARGIN, across - 2 * MARGIN, 4.4, facecolor="#fbe3b5", edgecolor="none")
    text = "Generated data: these numbers come from a simulation"
    write(canvas, across / 2, MARGIN + 3.1, text, weight="semibold", ha="center")


def explained(data):
    """The foot of a figure: reading, data, and what its numbers and signs mean."""
    reading, source = data["reading"].iloc[0], data["data"].iloc[0]
    interval = f"{data['level'].iloc[0]:.0%} interval"
    error = "standard error" if reading == "published" else interval
    kinds = set(data["kind"])
    said = [f"{reading.capitalize()} reading, {source}."]
    if "matrix" in kinds:
        shown = data[data["kind"] == "matrix"]
        said.append(f"Each row adds to 1; in parentheses, {error}; n, verdicts.")
        if not all(map(spread, records(shown))):
            said.append(f"No {error} where there are too few judges.")
        if (shown["mark"] == "best imitator").any():
            said.append("Black frame: the agent most often judged human.")
    if "pie" in kinds:
        said.append(f"Rings: {data[data['kind'] == 'pie']['quantity'].iloc[0]} in each group.")
    if "bars" in kinds:
        said.append(
            "Detectability: mean of the shares of human-made and machine-made items judged right; "
            f"error bars, {error}; dashed line, chance."
        )
        said.append(asterisk(data[data["kind"] == "bars"], "Blue", "differs from chance"))
    if "group test" in kinds:
        said.append(asterisk(data[data["kind"] == "group test"], "Red", "groups differ"))
    noted = data[data["kind"] != "no data"].dropna(subset="note")
    said += [
        f"{panel}: {note}."
        for panel, note in dict(zip(noted["panel"], noted["note"], strict=True)).items()
    ]
    return " ".join(filter(None, said))


def asterisk(rows, color, meaning):
    """What an asterisk means: test, unit, correction, threshold."""
    rows = rows.dropna(subset="p_adjusted")
    if rows.empty:
        return ""
    how = either(TESTS.get(name, name.replace("_", " ")) for name in rows["test"].unique())
    how += f" over {either(rows['unit'].unique())}s"
    correction = f"{either(rows['correction'].unique())}-corrected".capitalize()
    families = either(f"{size:.0f}" for size in rows["family_size"].unique())
    none = "" if (rows["p_adjusted"] < THRESHOLD).any() else "; none here"
    return (
        f"{color} asterisk: {meaning} ({how}; {correction} p < {THRESHOLD}, "
        f"family of {families} tests{none})."
    )


def either(words):
    """Words joined by "or"."""
    return " or ".join(words)


# --- saving ------------------------------------------------------------------------------------


def save(figure, paths, dpi):
    """Write a figure to files of any of the formats .pdf, .svg, .png; the same bytes every time.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    paths : iterable of path-like
        Written whole or not at all.
    dpi : int
        Dots per inch of PNG pictures.
    """
    for path in paths:
        with files.replaced(path) as draft:
            figure.savefig(draft, dpi=dpi, metadata=METADATA[draft.suffix[1:]])
