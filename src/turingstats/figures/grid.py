"""Figures of panels: the grid, the titles, and the foot that explains them.

Figures read source data (`turingstats.figures.source_data`) and compute only positions.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from turingstats.core.errors import ConfigError
from turingstats.data.absence import IN_WORDS, NOT_BUNDLED
from turingstats.figures.kinds import KIND_OF, KINDS, find_kind
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import (
    BODY,
    COLUMN,
    GAP,
    LINE,
    MARGIN,
    PAGE,
    PAGE_HEIGHT,
    SMALL,
    TITLE,
    add_inset,
    draw_box,
    find_generated_panels,
    flag_generated_data,
    is_generated,
    make_page,
    measure_text,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import GREY, INK, PALE

BAR = 34  # width of the color scale, mm
SCALE = 8.5  # height of the color scale, mm
STRIP = 6  # height of a row of panels without numbers, mm
SIDE = 5  # width of the vertical task names, mm


def draw_grid(
    data: pd.DataFrame,
    colormap: str,
    layout: Sequence[Sequence[str] | str],
    widths: Sequence[float] | None = None,
) -> Figure:
    """Draw the panels of a figure in the given layout.

    The layout is the letters of each row of panels, such as ("AB", "CD"); a space is a gap. In a row
    written as ("A", "BCD"), B, C and D are stacked vertically in one cell. Letters that do not occur in
    `data` take no space; if only one column remains, it is laid out in rows. `widths` are the minimum
    widths of the columns, mm; by default the width of a matrix. The color map of the confusion matrices
    goes from 0 to 1 in every figure. The figure is 89 or 183 mm wide and as high as necessary; higher
    than a page only if panels do not fit at the smallest readable size.
    """
    panels = dict(list(data.groupby("panel", sort=False)))
    rows, least = arrange_panels(panels, layout, widths)
    plan = Plan(data, panels, rows, least, make_look(data, colormap))
    if plan.height > PAGE_HEIGHT:
        plan = Plan(data, panels, rows, least, make_look(data, colormap, tight=True))
    return plan.draw()


def make_look(data: pd.DataFrame, colormap: str, tight: bool = False) -> Look:
    """Make the look of a figure, with the properties shared by panels of each kind."""
    shown = set(data["kind"])
    shared = {
        name: kind.share_scales(data, tight) for name, kind in KIND_OF.items() if name in shown
    }
    return Look(data, colormap, shared, tight)


class Plan:
    """The layout of a figure of panels: source data by letter, and the cells of each row.

    A cell holds the letters of its panels; None is a gap. `least` is the minimum width of each column,
    mm.
    """

    def __init__(
        self,
        data: pd.DataFrame,
        panels: dict[str, pd.DataFrame],
        rows: list[list[str | None]],
        least: list[float],
        look: Look,
    ) -> None:
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
        self.slots: list[tuple[float, float]] = []
        for wanted in least:
            self.slots.append((left, wanted * stretch))
            left += wanted * stretch + GAP
        self.gap = 2.5 if look.tight else 5
        self.lead = 1 if look.tight else 1.5  # between a title and its panel
        self.legend = any(map(is_in_color, data["kind"].unique()))
        self.scale = name_color_scale(data)
        self.foot = self.wrap_foot(explain_figure(data, look))
        self.place_rows()

    def wrap_foot(self, text: str) -> list[str]:
        """Wrap the foot; its first lines stand beside the color scale, if there is one."""
        room = self.across - 2 * MARGIN
        if not self.legend:
            return wrap_text(text, room, SMALL)
        beside = wrap_text(text, room - BAR - 8, SMALL)
        kept = math.ceil(SCALE / LINE[SMALL])
        if len(beside) <= kept:
            return beside
        # Lines also break after hyphens.
        rest = "".join(line if line.endswith("-") else f"{line} " for line in beside[kept:])
        return beside[:kept] + wrap_text(rest.rstrip(), room, SMALL)

    def place_rows(self) -> None:
        """Compute the height of each row of panels and of the figure (mm)."""
        needed = [
            max(self.stack(cell, n) for n, cell in enumerate(row) if cell)
            if not self.is_empty(row)
            else 0
            for row in self.rows
        ]
        self.lines: list[tuple[float, list[Any], float, float, float]] = []
        top = MARGIN + (7 if self.generated else 0)
        for number, row in enumerate(self.rows):
            if needed[number] == 0:
                # Nothing in the row has numbers.
                height = sum(measure_strip(lines) for _, lines in self.make_strips(row))
                self.lines.append((top, [], top, top, height))
                last = number + 1 == len(self.rows)
                top += height + (
                    self.gap if last or not self.is_empty(self.rows[number + 1]) else 1
                )
                continue
            head = [] if self.side else self.find_headings(number)
            firsts = [(self.panels[cell[0]], n) for n, cell in enumerate(row) if cell]
            title = top + (6.5 if head else 0)
            body = title + max(self.measure_title(panel, n) for panel, n in firsts)
            self.lines.append((top, head, title, body, needed[number]))
            top = body + needed[number] + self.gap
        self.top = top
        foot = max(len(self.foot) * LINE[SMALL], SCALE if self.legend else 0)
        self.height = top + foot + MARGIN - 0.5

    def is_empty(self, row: list[str | None]) -> bool:
        """Tell whether no panel of a row has numbers."""
        return all(self.find_reason(letter) for cell in row for letter in cell or "")

    def find_reason(self, letter: str) -> str:
        """Find the reason why a panel has no numbers; empty if it has some."""
        first = self.panels[letter].iloc[0]
        return first["note"] if first["kind"] == "no data" else ""

    def find_headings(self, number: int) -> list[tuple[str, list[int]]]:
        """Find the task labels above a row of panels; strips, which name their task, do not count."""
        rows = [None if self.is_empty(row) else row for row in self.rows]
        return find_headings(rows, number, self.panels)

    def measure_title(self, panel: pd.DataFrame, column: int) -> float:
        """Measure the height of a panel's title, including the number of judges and spacing (mm)."""
        lines = len(wrap_title(panel, self.slots[column][1]))
        return LINE[BODY] * lines + (LINE[SMALL] if self.make_subtitle(panel) else 0) + self.lead

    def make_subtitle(self, panel: pd.DataFrame) -> str:
        """Make a panel's subtitle: kind of data (if the figure has several) and number of judges."""
        data = panel["data"].iloc[0] * self.mixed
        return "; ".join(filter(None, [data, find_kind(panel).describe_sample(panel)]))

    def measure_panel(self, letter: str, column: int, alone: bool) -> float:
        """Measure the height of a panel below its title (mm); 0 without numbers if alone in its cell."""
        panel, width = self.panels[letter], self.slots[column][1]
        height = find_kind(panel).measure_height(panel, width, self.look)
        return height or (0 if alone else 12)

    def stack(self, cell: str, column: int) -> float:
        """Measure the height of the panels of a cell below the first title (mm)."""
        heights = [self.measure_panel(at, column, len(cell) == 1) for at in cell]
        return sum(heights) + sum(
            self.gap + self.measure_title(self.panels[at], column) for at in cell[1:]
        )

    def draw(self) -> Figure:
        """Draw the figure."""
        canvas = make_page(self.across, self.height)
        for number, (row, line) in enumerate(zip(self.rows, self.lines, strict=True)):
            start, head, title, body, height = line
            for label, columns in head:
                left, end = self.slots[columns[0]][0], sum(self.slots[columns[-1]])
                write_lines(canvas, left, start + 2.6, label, weight="semibold")
                canvas.plot([left, end], [start + 4, start + 4], color=INK, linewidth=0.6)
            if self.side and number:
                y = start - self.gap / 2
                canvas.plot([MARGIN, self.across - MARGIN], [y, y], color=PALE, linewidth=0.5)
            if self.is_empty(row):
                self.draw_strips(canvas, row, start)
                continue
            if self.side:
                self.write_side(canvas, row, title, body + height)
            for columns in self.merge_empty_cells(row):
                self.draw_cell(canvas, row, columns, title, body, height)
        write_lines(canvas, MARGIN, self.top + 1.9, self.foot, SMALL, color=GREY)
        if self.legend:
            left = self.across - MARGIN - BAR - 1
            draw_color_scale(canvas, left, self.top, self.look.colormap, self.scale)
        if self.generated:
            flag_generated_data(canvas, self.flagged)
        return canvas.figure

    def merge_empty_cells(self, row: list[str | None]) -> list[list[int]]:
        """List the columns of the cells of a row; neighbors without numbers for one reason are together."""

        def describe(column: int) -> int | tuple[str, str]:
            cell = row[column]
            alone = cell and len(cell) == 1 and self.find_reason(cell)
            return (alone, self.panels[cell]["task_label"].iloc[0]) if alone else column

        runs = groupby((column for column, cell in enumerate(row) if cell), describe)
        return [list(columns) for _, columns in runs]

    def make_strips(self, row: list[str | None]) -> list[tuple[str, list[str]]]:
        """Make the strips of a row without numbers: letters and text, one strip per reason."""
        letters = [letter for cell in row for letter in cell or ""]
        by_reason = {}
        for letter in letters:
            by_reason.setdefault(self.find_reason(letter), []).append(letter)
        room = self.across - 2 * MARGIN - 18
        strips = []
        for reason, own in by_reason.items():
            tasks = dict.fromkeys(self.panels[letter]["task_label"].iloc[0] for letter in own)
            text = f"{', '.join(tasks)}. {reason[:1].upper()}{reason[1:]}"
            strips.append((abbreviate_letters(sorted(own)), wrap_text(text, room)))
        return strips

    def draw_strips(self, canvas: Axes, row: list[str | None], top: float) -> None:
        """Draw a row without numbers as slim strips."""
        for letters, lines in self.make_strips(row):
            height = measure_strip(lines)
            draw_strip(canvas, MARGIN, top, self.across - 2 * MARGIN, height, letters, lines)
            top += height

    def draw_cell(
        self,
        canvas: Axes,
        row: list[str | None],
        columns: list[int],
        title: float,
        body: float,
        height: float,
    ) -> None:
        """Draw the panels of a cell from top to bottom, or one frame for several cells without numbers."""
        cell = row[columns[0]]
        left, width = self.slots[columns[0]]
        if len(columns) > 1:
            letters = abbreviate_letters([row[column] for column in columns])
            names = " \N{MIDDLE DOT} ".join(
                dict.fromkeys(self.panels[row[column]]["title"].iloc[0] for column in columns)
            )
            panel = self.panels[cell].assign(title=names)
            width = sum(self.slots[columns[-1]]) - left
            write_title(canvas, letters, panel, left, title, width, self.make_subtitle(panel))
            find_kind(panel).draw(canvas, panel, left, body, width, height, self.look)
            return
        column = columns[0]
        for letter in cell:
            panel = self.panels[letter]
            if letter != cell[0]:
                body = title + self.measure_title(panel, column)
            # A single panel takes all available space.
            tall = height if len(cell) == 1 else self.measure_panel(letter, column, False)
            write_title(canvas, letter, panel, left, title, width, self.make_subtitle(panel))
            find_kind(panel).draw(canvas, panel, left, body, width, tall, self.look)
            title = body + tall + self.gap

    def write_side(self, canvas: Axes, row: list[str], top: float, bottom: float) -> None:
        """Write the task of a row vertically at its left."""
        first = next(cell for cell in row if cell)
        label = self.panels[first[0]]["task_label"].iloc[0]
        style = {"size": BODY, "weight": "semibold", "rotation": 90, "ha": "center", "va": "center"}
        canvas.text(MARGIN + 1.5, (top + bottom) / 2, label, **style)


def arrange_panels(
    panels: dict[str, pd.DataFrame],
    layout: Sequence[Sequence[str] | str],
    widths: Sequence[float] | None,
) -> tuple[list[list[str | None]], list[float]]:
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


def find_headings(
    rows: list[list[str | None] | None], number: int, panels: dict[str, pd.DataFrame]
) -> list[tuple[str, list[int]]]:
    """Find the task labels above a row of panels, each with the columns it spans.

    A label is omitted if the panel above belongs to the same task.
    """

    def task(row: int, column: int) -> str | None:
        cell = rows[row][column] if row >= 0 and rows[row] else None
        return panels[cell[0]]["task_label"].iloc[0] if cell else None

    def label(column: int) -> str | None:
        name = task(number, column)
        return None if name == task(number - 1, column) else name

    spans = groupby(range(len(rows[number])), label)
    return [(name, list(columns)) for name, columns in spans if name]


def wrap_title(rows: pd.DataFrame, width: float) -> list[str]:
    """Wrap the title of a panel."""
    return wrap_text(rows["title"].iloc[0], width - 4.5)


def write_title(
    canvas: Axes, letter: str, rows: pd.DataFrame, left: float, top: float, width: float, below: str
) -> None:
    """Write a panel's letter, title and subtitle."""
    title = wrap_title(rows, width)
    write_lines(canvas, left, top + 2.6, letter, TITLE, weight="bold")
    # Several letters are wider than one.
    aside = max(4.5, measure_text(letter, TITLE, "bold") + 1.5)
    write_lines(canvas, left + aside, top + 2.6, title)
    under = top + 2.6 + len(title) * LINE[BODY]
    write_lines(canvas, left + 4.5, under, below, SMALL, color=GREY)


def abbreviate_letters(letters: list[str]) -> str:
    """Abbreviate consecutive letters of panels, such as "E\N{EN DASH}G"."""
    consecutive = len(letters) > 2 and ord(letters[-1]) - ord(letters[0]) == len(letters) - 1
    return f"{letters[0]}\N{EN DASH}{letters[-1]}" if consecutive else ", ".join(letters)


def measure_strip(lines: list[str]) -> float:
    """Return the height of a strip with some lines of text (mm)."""
    return STRIP + LINE[BODY] * (len(lines) - 1)


def draw_strip(
    canvas: Axes,
    left: float,
    top: float,
    width: float,
    height: float,
    letters: str,
    lines: list[str],
) -> None:
    """Draw a strip in place of panels without numbers: their letters, tasks and the reason."""
    draw_box(canvas, left, top, width, height, facecolor="none", edgecolor=PALE, hatch="/////")
    aside = measure_text(letters, TITLE, "bold") + 2
    wide = aside + max(map(measure_text, lines)) + 2
    draw_box(canvas, left + 1, top + 1, wide, height - 2, facecolor="white", edgecolor="none")
    y = top + STRIP / 2 + 0.95
    write_lines(canvas, left + 2, y, letters, TITLE, weight="bold")
    write_lines(canvas, left + 2 + aside, y, lines, color=GREY)


def name_color_scale(data: pd.DataFrame) -> str:
    """Name the color scale: detectability if heat maps show nothing else, or the share of verdicts."""
    colored = [name for name in data["kind"].unique() if is_in_color(name)]
    shown = set(data.loc[data["kind"].isin(colored), "quantity"])
    return "Detectability" if shown == {"detectability"} else "Share of verdicts"


def is_in_color(name: str) -> bool:
    """Tell whether panels of a kind show rates in color."""
    return name in KIND_OF and KIND_OF[name].shows_rates_in_color


def draw_color_scale(canvas: Axes, left: float, top: float, colormap: Colormap, name: str) -> None:
    """Draw the color scale of the confusion matrices and heat maps."""
    write_lines(canvas, left, top + 1.9, name, SMALL, color=GREY)
    axes = add_inset(canvas, left, top + 3, BAR, 2)
    scale = ScalarMappable(cmap=colormap)
    scale.set_clim(0, 1)
    bar = canvas.figure.colorbar(scale, cax=axes, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.ax.set_xticklabels(["0", "0.5", "1"], size=SMALL)
    bar.outline.set_visible(False)


def explain_figure(data: pd.DataFrame, look: Look) -> str:
    """Write the foot of a figure: reading, data, and the meaning of numbers and symbols."""
    foot = Foot(data, look)
    source = " and ".join(dict.fromkeys(data["data"]))
    if data["data"].nunique() > 1:
        source = "; ".join(text.rstrip(".") for text in group_by_panel(data, "data"))
    reading = f"{foot.reading.capitalize()} reading"
    if foot.kinds == {"no data"}:
        return " ".join([f"{reading}, {source}.", *explain_needed_data(data)])
    sentences = [f"{reading}{';' if ':' in source else ','} {source}."]
    for kind in KINDS:
        if foot.kinds & set(kind.kinds):
            sentences += kind.explain(data, foot)
    sentences += group_by_panel(data[data["kind"] != "no data"].dropna(subset="note"), "note")
    return " ".join(filter(None, [*sentences, *explain_needed_data(data)]))


def group_by_panel(rows: pd.DataFrame, column: str) -> list[str]:
    """Format each distinct text of a column after the letters of its panels."""
    letters = {}
    for panel, text in dict(zip(rows["panel"], rows[column], strict=True)).items():
        letters.setdefault(text, []).append(panel)
    return [f"{', '.join(panels)}: {text}." for text, panels in letters.items()]


def explain_needed_data(data: pd.DataFrame) -> list[str]:
    """Say where the files are named that panels without numbers need."""
    lacking = data[(data["kind"] == "no data") & data["text"].notna()]
    if lacking.empty:
        return []
    fetched = (lacking["note"] == IN_WORDS[NOT_BUNDLED]).any()
    how = "; data.source: public fetches those that are public" if fetched else ""
    return [f"The report names the files that empty panels need{how}."]
