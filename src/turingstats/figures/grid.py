"""Figures of panels: the grid, the titles, and the foot that explains them.

Figures read source data (`turingstats.figures.source_data`) and compute only positions.
"""

from collections.abc import Sequence
from itertools import groupby

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.errors import ConfigError
from turingstats.figures import pages
from turingstats.figures.kinds import KIND_OF, PanelKind, find_kind
from turingstats.figures.kinds.base import Scales
from turingstats.figures.notes import write_note
from turingstats.figures.pages import BODY, GAP, LINE, MARGIN, ROOM, SMALL, Place
from turingstats.figures.palette import GREY, INK

BELOW, LEAD = 3.5, 1.5  # space below a row of panels, and between a title and its panel, mm
HEADING = 6  # height of the task labels above a row, mm
MATRIX = 41  # minimum width of a column by default, mm


def draw_panels(
    data: pd.DataFrame, layout: Sequence[Sequence[str] | str] = (), widths: Sequence[float] = ()
) -> Figure:
    """Draw the panels that occur in the source data, in the layout of the study file or in rows."""
    if set(data["kind"]) == {"no data"}:
        return pages.make_empty_page(f"No data. {' '.join(group_by_panel(data, 'note'))}")
    if layout:
        return Grid(data, layout, widths or None).draw()
    letters = list(data["panel"].unique())
    across = 4 if set(data["kind"]) == {"pie"} else 2
    layout = [letters[start : start + across] for start in range(0, len(letters), across)]
    across = min(across, len(letters))
    width = (ROOM - GAP * (across - 1)) / across
    return Grid(data, layout, (width,) * across if across > 1 else None).draw()


def draw_language_models(data: pd.DataFrame) -> Figure:
    """Draw language models as judges, next to people and published judges: one row per task."""
    rows = []
    for _, panels in data.groupby("task", sort=False):
        letters = list(panels["panel"].unique())
        rows += [letters[start : start + 4] for start in range(0, len(letters), 4)]
    return Grid(data, rows).draw()


class Grid:
    """The grid of a figure: rows of cells, each with the letters of the panels stacked in it.

    The layout is the letters of each row of panels, such as ("AB", "CD"). In a row written as
    ("A", "BCD"), B, C and D are stacked vertically in one cell. Panels have the same row and column whatever
    data there are: one without numbers is a line that gives the reason. Only rows and columns none of whose
    panels belong to the run are left out. `widths` are the minimum widths of the columns, mm; by default the
    width of a matrix. The figure is 89 or 183 mm wide and as high as necessary.
    """

    def __init__(
        self,
        data: pd.DataFrame,
        layout: Sequence[Sequence[str] | str],
        widths: Sequence[float] | None = None,
    ) -> None:
        # An agent has one look in all panels, that of the first.
        series = data[data["kind"].isin(["lines", "mean", "scatter"])]
        roles = series.groupby("agent")["role"].transform("first")
        self.data = data = data.assign(role=roles.reindex(data.index).fillna(data["role"]))
        kinds = {KIND_OF[name] for name in set(data["kind"]) if name in KIND_OF}
        self.scales = {kind: kind.share_scales(data) for kind in kinds}
        self.mixed = data["data"].nunique() > 1
        self.panels = dict(list(data.groupby("panel", sort=False)))
        check_layout(self.panels, layout)
        self.rows, least = arrange_panels(self.panels, layout, widths)
        needed = sum(least) + GAP * (len(least) - 1)
        self.across = pages.COLUMN if 0 < needed <= pages.COLUMN - 2 * MARGIN else pages.PAGE
        stretch = (self.across - 2 * MARGIN - GAP * (len(least) - 1)) / (sum(least) or 1)
        self.widths = [wanted * stretch for wanted in least]
        self.lefts = [MARGIN + sum(self.widths[:n]) + GAP * n for n in range(len(least))]

    def find_task(self, cell: str) -> str:
        """Find the label of the task of a cell; empty for a gap."""
        return self.panels[cell[0]]["task_label"].iloc[0] if cell else ""

    def find_headings(self, number: int) -> list[tuple[str, list[int]]]:
        """Find the task labels above a row, each with the columns it spans."""
        above = self.rows[number - 1] if number else []

        def find_label(column: int) -> str | None:
            label = self.find_task(self.rows[number][column])
            same = column < len(above) and self.find_task(above[column]) == label
            return None if same else label

        spans = groupby(range(len(self.rows[number])), find_label)
        return [(label, list(columns)) for label, columns in spans if label]

    def draw(self) -> Figure:
        """Draw the figure."""
        canvas, top = pages.open_page(self.data, self.across)
        breaks = []
        for number, row in enumerate(self.rows):
            breaks.append(top - MARGIN)
            headings = self.find_headings(number)
            for label, columns in headings:
                left = self.lefts[columns[0]]
                end = self.lefts[columns[-1]] + self.widths[columns[-1]]
                pages.write_lines(canvas, left, top + 2.6, label, weight="semibold")
                canvas.plot([left, end], [top + 4, top + 4], color=INK, linewidth=0.6)
            places = [
                Place(left, top + HEADING * bool(headings), width)
                for left, width in zip(self.lefts, self.widths, strict=True)
            ]
            cells = [(cell, place) for cell, place in zip(row, places, strict=True) if cell]
            # The first panels of a row begin below the longest of their titles.
            starts = [self.write_title(canvas, cell[0], place) for cell, place in cells]
            top = BELOW + max(
                self.draw_cell(canvas, cell, place, start, max(starts))
                for (cell, place), start in zip(cells, starts, strict=True)
            )
        return pages.close_page(canvas, top, explain_figure(self.data, self.scales), breaks)

    def write_title(self, canvas: Axes, letter: str, place: Place) -> float:
        """Write a panel's letter and title, the kind of data if the figure has several, and the number of
        judges; return where the panel begins (mm).
        """
        rows, left, y = self.panels[letter], place.left + 4.5, place.top + 2.6
        pages.write_lines(canvas, place.left, y, letter, pages.TITLE, weight="bold")
        title = pages.wrap_text(rows["title"].iloc[0], place.width - 4.5)
        pages.write_lines(canvas, left, y, title)
        below = place.top + LINE[BODY] * len(title)
        if is_absent(rows):
            return below + LEAD
        data = rows["data"].iloc[0] * self.mixed
        subtitle = "; ".join(filter(None, [data, find_kind(rows).describe_sample(rows)]))
        pages.write_lines(canvas, left, below + 2.6, subtitle, SMALL, color=GREY)
        return below + LINE[SMALL] * bool(subtitle) + LEAD

    def draw_cell(self, canvas: Axes, cell: str, place: Place, start: float, first: float) -> float:
        """Draw the panels of a cell from top to bottom, the topmost from `first` on, or a reason right below
        its title, from `start` on (mm); return where they end.
        """
        bottom = first
        for letter in cell:
            rows = self.panels[letter]
            if letter != cell[0]:
                start = first = self.write_title(canvas, letter, place._replace(top=bottom + BELOW))
            if is_absent(rows):
                bottom = first - start + write_reason(canvas, rows, place._replace(top=start))
            else:
                below = place._replace(top=first)
                kind = find_kind(rows)
                bottom = kind.draw(canvas, rows, below, self.scales[kind])
        return bottom


def check_layout(panels: dict[str, pd.DataFrame], layout: Sequence[Sequence[str] | str]) -> None:
    """Check that a layout has a place for each panel."""
    unknown = [at for at in panels if not any(at in cell for row in layout for cell in row)]
    if unknown:
        raise ConfigError(
            f"The figure has no place for panel {', '.join(unknown)}.\n"
            f"  places:  {' / '.join(' '.join(row) for row in layout)}\n"
            "  fix:     add the letter to `layout` of the figure in the study file"
        )


def arrange_panels(
    panels: dict[str, pd.DataFrame],
    layout: Sequence[Sequence[str] | str],
    widths: Sequence[float] | None,
) -> tuple[list[list[str]], list[float]]:
    """Arrange letters in rows, without those that have none, and find the widths of columns (mm)."""
    rows = [["".join(at for at in cell if at in panels) for cell in row] for row in layout]
    rows = [row + [""] * (max(map(len, layout)) - len(row)) for row in rows if any(row)]
    columns = [n for n, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    least = [widths[n] if widths else MATRIX for n in columns]
    return [[row[n] for n in columns] for row in rows], least


def is_absent(rows: pd.DataFrame) -> bool:
    """Tell whether a panel has no numbers."""
    return rows["kind"].iloc[0] == "no data"


def write_reason(canvas: Axes, rows: pd.DataFrame, place: Place) -> float:
    """Write why a panel has no numbers, on a gray ground; return where it ends (mm)."""
    left, top, width = place.left + 4.5, place.top, place.width - 4.5
    lines = pages.wrap_text(rows["note"].iloc[0], width - 2, SMALL)
    tall = 1 + LINE[SMALL] * len(lines)
    pages.draw_box(canvas, left, top, width, tall, facecolor="#f2f2f2", edgecolor="none")
    pages.write_lines(canvas, left + 1, top + 2.2, lines, SMALL, color=GREY)
    return top + tall + 0.5


def explain_figure(data: pd.DataFrame, scales: dict[PanelKind, Scales]) -> str:
    """Write the foot of a figure: reading, data, and the meaning of numbers and symbols."""
    drawn = data[data["kind"] != "no data"]
    source = " and ".join(dict.fromkeys(drawn["data"]))
    if drawn["data"].nunique() > 1:
        source = "; ".join(text.rstrip(".") for text in group_by_panel(drawn, "data"))
    reading = f"{data['reading'].iloc[0].capitalize()} reading"
    sentences = [f"{reading}{';' if ':' in source else ','} {source}."]
    for name, kind in KIND_OF.items():
        rows = data[data["kind"] == name]
        if len(rows):
            sentences.append(write_note(name, rows, data, **kind.collect_facts(rows, scales[kind])))
    sentences += group_by_panel(drawn.dropna(subset="note"), "note")
    return " ".join(filter(None, [*sentences, write_note("needed files", data)]))


def group_by_panel(rows: pd.DataFrame, column: str) -> list[str]:
    """Format each distinct text of a column after the letters of its panels."""
    letters: dict[str, list[str]] = {}
    for panel, text in dict(zip(rows["panel"], rows[column], strict=True)).items():
        letters.setdefault(text, []).append(panel)
    return [f"{', '.join(sorted(panels))}: {text}." for text, panels in letters.items()]
