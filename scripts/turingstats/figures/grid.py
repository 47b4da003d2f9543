"""Figures of panels: the grid, the titles, and the foot that explains them.

Figures read source data (`turingstats.figures.source_data`) and compute only positions.
"""

from itertools import groupby

from matplotlib.cm import ScalarMappable

from turingstats.core.errors import ConfigError
from turingstats.figures.kinds import KIND_OF, KINDS, find_kind
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import (
    BODY,
    COLUMN,
    GAP,
    LINE,
    MARGIN,
    PAGE,
    SMALL,
    TALL,
    TITLE,
    add_inset,
    find_generated_panels,
    flag_generated_data,
    is_generated,
    make_page,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import GREY, INK, PALE

BAR = 34  # width of the color scale, mm
EMPTY = 25  # height of a row of panels without numbers, mm
SIDE = 5  # width of the vertical task names, mm


def draw_grid(data, colormap, layout, widths=None):
    """Draw the panels of a figure in the given layout.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data of one figure (`turingstats.figures.source_data.COLUMNS`).
    colormap : str
        Color map of the confusion matrices, from 0 to 1 in every figure.
    layout : sequence of str or of sequences of str
        The letters of each row of panels, such as ("AB", "CD"); a space is a gap. In a row written as
        ("A", "BCD"), B, C and D are stacked vertically in one cell. Letters that do not occur in `data`
        take no space; if only one column remains, it is laid out in rows.
    widths : sequence of float, optional
        Minimum width of each column of panels, mm; by default the width of a matrix.

    Returns
    -------
    matplotlib.figure.Figure
        89 or 183 mm wide and as high as necessary; higher than a page only if panels do not fit at the
        smallest readable size.
    """
    panels = dict(list(data.groupby("panel", sort=False)))
    rows, least = arrange_panels(panels, layout, widths)
    plan = Plan(data, panels, rows, least, make_look(data, colormap))
    if plan.height > TALL:
        plan = Plan(data, panels, rows, least, make_look(data, colormap, tight=True))
    return plan.draw()


def make_look(data, colormap, tight=False):
    """Make the look of a figure, with the properties shared by panels of each kind."""
    shown = set(data["kind"])
    shared = {
        name: kind.share_scales(data, tight) for name, kind in KIND_OF.items() if name in shown
    }
    return Look(data, colormap, shared, tight)


class Plan:
    """The layout of a figure of panels.

    Parameters
    ----------
    data : pandas.DataFrame
        Source data of the figure.
    panels : dict of str to pandas.DataFrame
        Source data by panel letter.
    rows : list of list
        Letters of the panels in each cell of each row; None is a gap.
    least : list of float
        Minimum width of each column, mm.
    look : Look
    """

    def __init__(self, data, panels, rows, least, look):
        self.panels, self.rows, self.look = panels, rows, look
        self.generated = is_generated(data)
        self.flagged = find_generated_panels(data)
        self.mixed = data["data"].nunique() > 1
        between = GAP * (len(least) - 1)
        self.across = COLUMN if sum(least) + between <= COLUMN - 2 * MARGIN else PAGE
        tasks = [
            {panels[at]["task_label"].iloc[0] for cell in row for at in cell or ""} for row in rows
        ]
        # Tight figures with one task per row have its name at the side instead of above.
        self.side = look.tight and len(rows) > 1 and all(len(names) == 1 for names in tasks)
        left = MARGIN + (SIDE if self.side else 0)
        stretch = (self.across - left - MARGIN - between) / sum(least)
        self.slots = []
        for wanted in least:
            self.slots.append((left, wanted * stretch))
            left += wanted * stretch + GAP
        self.gap = 2.5 if look.tight else 5
        self.lead = 1 if look.tight else 1.5  # between a title and its panel
        self.legend = any(
            name in KIND_OF and KIND_OF[name].shows_rates_in_color for name in data["kind"].unique()
        )
        room = self.across - 2 * MARGIN - (BAR + 8 if self.legend else 0)
        self.foot = wrap_text(explain_figure(data, look), room, SMALL)
        self.place_rows()

    def place_rows(self):
        """Compute the height of each row of panels and of the figure (mm)."""
        needed = [
            max(self.stack(cell, n) for n, cell in enumerate(row) if cell) for row in self.rows
        ]
        self.lines, top = [], MARGIN + (7 if self.generated else 0)
        for number, row in enumerate(self.rows):
            head = [] if self.side else find_headings(self.rows, number, self.panels)
            firsts = [(self.panels[cell[0]], n) for n, cell in enumerate(row) if cell]
            title = top + (6.5 if head else 0)
            body = title + max(self.measure_title(panel, n) for panel, n in firsts)
            height = needed[number] or EMPTY
            self.lines.append((top, head, title, body, height))
            top = body + height + self.gap
        self.top = top
        foot = max(len(self.foot) * LINE[SMALL], 8.5 if self.legend else 0)
        self.height = top + foot + MARGIN - 0.5

    def measure_title(self, panel, column):
        """Measure the height of a panel's title, including the number of judges and spacing (mm)."""
        lines = len(wrap_title(panel, self.slots[column][1]))
        return LINE[BODY] * lines + (LINE[SMALL] if self.make_subtitle(panel) else 0) + self.lead

    def make_subtitle(self, panel):
        """Make a panel's subtitle: kind of data (if the figure has several) and number of judges."""
        data = panel["data"].iloc[0] * self.mixed
        return "; ".join(filter(None, [data, find_kind(panel).describe_sample(panel)]))

    def measure_panel(self, letter, column, alone):
        """Measure the height of a panel below its title (mm); 0 without numbers if alone in its cell."""
        panel, width = self.panels[letter], self.slots[column][1]
        height = find_kind(panel).measure_height(panel, width, self.look)
        return height or (0 if alone else 12)

    def stack(self, cell, column):
        """Measure the height of the panels of a cell below the first title (mm)."""
        heights = [self.measure_panel(at, column, len(cell) == 1) for at in cell]
        return sum(heights) + sum(
            self.gap + self.measure_title(self.panels[at], column) for at in cell[1:]
        )

    def draw(self):
        """Draw the figure."""
        canvas = make_page(self.across, self.height)
        for number, (row, line) in enumerate(zip(self.rows, self.lines, strict=True)):
            start, head, title, body, height = line
            for label, columns in head:
                left, end = self.slots[columns[0]][0], sum(self.slots[columns[-1]])
                write_lines(canvas, left, start + 2.6, label, weight="semibold")
                canvas.plot([left, end], [start + 4, start + 4], color=INK, linewidth=0.6)
            if self.side:
                self.write_side(canvas, row, title, body + height, number)
            for column, cell in enumerate(row):
                if cell:
                    self.draw_cell(canvas, cell, column, title, body, height)
        write_lines(canvas, MARGIN, self.top + 1.9, self.foot, SMALL, color=GREY)
        if self.legend:
            draw_color_scale(canvas, self.across - MARGIN - BAR - 1, self.top, self.look.colormap)
        if self.generated:
            flag_generated_data(canvas, self.flagged)
        return canvas.figure

    def draw_cell(self, canvas, cell, column, title, body, height):
        """Draw the panels of a cell from top to bottom."""
        left, width = self.slots[column]
        for letter in cell:
            panel = self.panels[letter]
            if letter != cell[0]:
                body = title + self.measure_title(panel, column)
            # A single panel takes all available space.
            tall = height if len(cell) == 1 else self.measure_panel(letter, column, False)
            write_title(canvas, letter, panel, left, title, width, self.make_subtitle(panel))
            find_kind(panel).draw(canvas, panel, left, body, width, tall, self.look)
            title = body + tall + self.gap

    def write_side(self, canvas, row, top, bottom, number):
        """Write the task of a row vertically at its left."""
        first = next(cell for cell in row if cell)
        label = self.panels[first[0]]["task_label"].iloc[0]
        style = {"size": BODY, "weight": "semibold", "rotation": 90, "ha": "center", "va": "center"}
        canvas.text(MARGIN + 1.5, (top + bottom) / 2, label, **style)
        if number:
            y = top - self.gap / 2
            canvas.plot([MARGIN, self.across - MARGIN], [y, y], color=PALE, linewidth=0.5)


def arrange_panels(panels, layout, widths):
    """Arrange existing letters in rows (None is a gap), and find the minimum column widths (mm)."""
    unknown = [at for at in panels if not any(at in cell for row in layout for cell in row)]
    if unknown:
        raise ConfigError(
            f"The figure has no place for panel {', '.join(unknown)}.\n"
            f"  places:  {' / '.join(' '.join(row) for row in layout)}\n"
            "  fix:     add the letter to `layout` of the figure in the study file"
        )
    across = max(map(len, layout))
    rows = [
        ["".join(at for at in cell if at in panels) or None for cell in row]
        + [None] * (across - len(row))
        for row in layout
    ]
    rows = [row for row in rows if any(row)]
    columns = [number for number in range(across) if any(row[number] for row in rows)]
    if len(columns) == 1 and across > 1:
        letters = [row[columns[0]] for row in rows]
        across = min(4, len(letters))
        rows = [letters[start : start + across] for start in range(0, len(letters), across)]
        rows[-1] += [None] * (across - len(rows[-1]))
        columns *= across
    else:
        rows = [[row[number] for number in columns] for row in rows]
    return rows, [(widths[number] if widths else 41) for number in columns]


def find_headings(rows, number, panels):
    """Find the task labels above a row of panels, each with the columns it spans.

    A label is omitted if the panel above belongs to the same task.
    """

    def task(row, column):
        cell = rows[row][column] if row >= 0 else None
        return panels[cell[0]]["task_label"].iloc[0] if cell else None

    def label(column):
        name = task(number, column)
        return None if name == task(number - 1, column) else name

    spans = groupby(range(len(rows[number])), label)
    return [(name, list(columns)) for name, columns in spans if name]


def wrap_title(rows, width):
    """Wrap the title of a panel."""
    return wrap_text(rows["title"].iloc[0], width - 4.5)


def write_title(canvas, letter, rows, left, top, width, below):
    """Write a panel's letter, title and subtitle."""
    title = wrap_title(rows, width)
    write_lines(canvas, left, top + 2.6, letter, TITLE, weight="bold")
    write_lines(canvas, left + 4.5, top + 2.6, title)
    under = top + 2.6 + len(title) * LINE[BODY]
    write_lines(canvas, left + 4.5, under, below, SMALL, color=GREY)


def draw_color_scale(canvas, left, top, colormap):
    """Draw the color scale of the confusion matrices."""
    write_lines(canvas, left, top + 1.9, "Share of verdicts", SMALL, color=GREY)
    axes = add_inset(canvas, left, top + 3, BAR, 2)
    scale = ScalarMappable(cmap=colormap)
    scale.set_clim(0, 1)
    bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.ax.set_xticklabels(["0", "0.5", "1"], size=SMALL)
    bar.outline.set_visible(False)


def explain_figure(data, look):
    """Write the foot of a figure: reading, data, and the meaning of numbers and symbols."""
    foot = Foot(data, look)
    source = " and ".join(dict.fromkeys(data["data"]))
    if data["data"].nunique() > 1:
        source = "; ".join(text.rstrip(".") for text in group_by_panel(data, "data"))
    reading = f"{foot.reading.capitalize()} reading"
    if foot.kinds == {"no data"}:
        return " ".join([f"{reading}, {source}.", *list_needed_data(data)])
    said = [f"{reading}{';' if ':' in source else ','} {source}."]
    for kind in KINDS:
        if foot.kinds & set(kind.kinds):
            said += kind.explain(data, foot)
    said += group_by_panel(data[data["kind"] != "no data"].dropna(subset="note"), "note")
    return " ".join(filter(None, [*said, *list_needed_data(data)]))


def group_by_panel(rows, column):
    """Format each distinct text of a column after the letters of its panels."""
    letters = {}
    for panel, text in dict(zip(rows["panel"], rows[column], strict=True)).items():
        letters.setdefault(text, []).append(panel)
    return [f"{', '.join(panels)}: {text}." for text, panels in letters.items()]


def list_needed_data(data):
    """List the data needed for panels without public data."""
    lacking = data[(data["kind"] == "no data") & data["text"].notna()]
    return group_by_panel(lacking.assign(text="needs " + lacking["text"].astype(str)), "text")
