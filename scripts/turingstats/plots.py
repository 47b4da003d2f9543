"""Drawing shared by all figures: fonts, colours, panels, the grid they stand in, and saving.

A page is one set of axes in millimetres from its top left corner, so that everything but a chart
with scales of its own is placed where a ruler would put it. Figures read source data
(`turingstats.figure_data`) and compute nothing but places.
"""

from pathlib import Path

import fontpkg_fira_sans
import matplotlib
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
RING = 21  # diameter of a pie, mm
CHART = 36  # height of a chart with axes, mm
BAR = 34  # width of the colour scale, mm

SPREAD = {"published": "standard error", "recommended": "95% interval"}
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


# --- panels: each draws its rows of the source data into a box of the page ---------------------


def matrix(canvas, rows, left, top, width, look):
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
        write(
            canvas, left + LABELS - 1.5, count, f"n = {first['n']:,.0f}", SMALL, ha="right", color=GREY
        )
        for row in own.to_dict("records"):
            x = left + LABELS + (0 if row["quantity"][2] == "H" else cell)
            matrix_cell(canvas, row, x, y, cell, look["colormap"])
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


def pie(canvas, rows, left, top, width, look):
    """Draw the shares of groups as a ring, with what is counted inside and the key below."""
    middle, radius, done = left + width / 2, RING / 2, 0
    for row in rows.to_dict("records"):
        share = 360 * row["value"]
        canvas.add_patch(
            Wedge(
                (middle, top + 1 + radius),
                radius,
                done - 90,
                done + share - 90,
                width=0.36 * radius,
                facecolor=color_of(row, look),
                edgecolor="white",
                linewidth=0.6,
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
        y = top + RING + 5 + number * (LINE[BODY] + 0.3)
        box(canvas, indent, y - 1.9, 2, 2, facecolor=color_of(row, look), edgecolor="none")
        write(canvas, indent + 3.2, y, text)


def bars(canvas, rows, left, top, width, look):
    """Draw detectability by agent and group, with chance and the tests' asterisks.

    Points with error bars: zero means nothing on this scale, so that bars would mislead.
    """
    shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
    agents, groups = list(shown["agent"].unique()), list(shown["group"].unique())
    rise = key_of_groups(canvas, shown, left + 8, top, width - 8, look)
    axes = inset(canvas, left + 8, top + rise, width - 15, CHART - rise + 6)
    bottom, ceiling = look["limits"]
    axes.set(xlim=(-0.5, len(agents) - 0.5), ylim=(bottom - 0.07, ceiling + 0.07))
    axes.set_yticks([step / 10 for step in range(round(10 * bottom), round(10 * ceiling) + 1)])
    axes.set_ylabel("Detectability", labelpad=2)
    axes.set_xticks(range(len(agents)), shown.drop_duplicates("agent")["agent_label"])
    axes.tick_params(axis="x", length=0)
    axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    axes.text(len(agents) - 0.47, 0.5, "chance", size=SMALL, color=GREY, va="center")
    step = 0.62 / max(len(groups) - 1, 2)
    tops = {}
    for row in records(shown):
        shift = step * (groups.index(row["group"]) - (len(groups) - 1) / 2)
        x = agents.index(row["agent"]) + shift
        low, high = reach(row)
        axes.plot([x, x], [low, high], color=color_of(row, look), linewidth=1, zorder=2)
        axes.plot(x, row["value"], marker_of(row, look), color=color_of(row, look), ms=3.6, zorder=3)
        tops.setdefault(row["agent"], []).append((x, high))
        if row["p_adjusted"] < THRESHOLD:
            axes.text(x, bottom - 0.075, "*", size=9, color=BLUE, weight="bold", ha="center")
    for row in records(tests[tests["p_adjusted"] < THRESHOLD]):
        places, highs = zip(*tops[row["agent"]], strict=True)
        y = max(highs) + 0.025
        ends, heights = [places[0], places[0], places[-1], places[-1]], [y - 0.01, y, y, y - 0.01]
        axes.plot(ends, heights, color=RED, linewidth=0.6)
        middle = (places[0] + places[-1]) / 2
        axes.text(middle, y - 0.012, "*", size=9, color=RED, weight="bold", ha="center")


def key_of_groups(canvas, shown, left, top, width, look):
    """Name the groups of a chart with their sizes; return the height that takes (mm)."""
    x, y = left, top + 2.2
    # All trials of a group, which the pooled agents have and a single agent has not.
    sizes = shown.loc[shown.groupby("group", sort=False)["n"].idxmax()]
    for row in records(sizes):
        text = f"{row['group']}: {counted(row['n_judges'], 'judge')}, {counted(row['n'], 'trial')}"
        needed = 3 + text_width(text, SMALL) + 3
        if x > left and x + needed - 3 > left + width:
            x, y = left, y + LINE[SMALL] + 0.3
        color = color_of(row, look)
        canvas.plot(x + 1, y - 0.75, marker_of(row, look), color=color, ms=3.6)
        write(canvas, x + 3, y, text, SMALL)
        x += needed
    return y - top + 1.5


def empty(canvas, rows, left, top, width, height):
    """Draw the frame of a panel without numbers, with the reason."""
    box(canvas, left, top, width, height, facecolor="none", edgecolor=PALE, hatch="/////")
    note = wrapped(rows["note"].iloc[0].capitalize(), width - 8)
    tall = len(note) * LINE[BODY] + 2
    wide = max(map(text_width, note)) + 4
    middle = left + width / 2
    y = top + height / 2
    box(canvas, middle - wide / 2, y - tall / 2, wide, tall, facecolor="white", edgecolor="none")
    write(canvas, middle, y - tall / 2 + 3.1, note, ha="center", color=GREY)


def records(rows):
    """Rows as dictionaries."""
    return rows.to_dict("records")


def percent(share):
    """A share in percent; a small one never reads 0%."""
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def color_of(row, look):
    """Colour of a group, the same in all panels of a figure."""
    return GROUPS[look["groups"][row["group_by"]].index(row["group"]) % len(GROUPS)]


def marker_of(row, look):
    """Marker of a group, the same in all panels of a figure."""
    return MARKERS[look["groups"][row["group_by"]].index(row["group"]) % len(MARKERS)]


def reach(row):
    """Ends of an error bar; the value itself where there is none."""
    if row["reading"] == "published":
        ends = (row["value"] - row["se"], row["value"] + row["se"])
    else:
        ends = (row["ci_low"], row["ci_high"])
    return ends if ends[0] == ends[0] else (row["value"], row["value"])


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
        The letters of each row of panels, such as ("AB", "CD"). Letters that do not occur in `data`
        leave no gap; a column that is left alone is laid out as a row.
    widths : sequence of float, optional
        Least width of each column of panels, mm; by default what a matrix needs.

    Returns
    -------
    matplotlib.figure.Figure
        89 or 183 mm wide, as high as it needs to be.
    """
    panels = dict(list(data.groupby("panel", sort=False)))
    places = arrange(panels, layout, data["figure"].iloc[0])
    used = sorted({column for row in places for column in row})
    least = [(widths or [43] * 9)[column] for column in used] if len(used) > 1 else [43]
    if len(used) == 1:
        places = [{number: row[used[0]] for number, row in enumerate(places)}]
        used, least = list(places[0]), [43] * len(places)
    used = sorted({column for row in places for column in row})
    least = least if len(least) == len(used) else [43] * len(used)
    width = COLUMN if sum(least) < COLUMN else PAGE
    room = width - 2 * MARGIN - GAP * (len(used) - 1)
    return width, room
