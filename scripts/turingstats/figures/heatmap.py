"""Panel of a rate at the levels of two crossed conditions, one down and one across."""

from turingstats.figures.pages import (
    BODY,
    GREY,
    LINE,
    SMALL,
    box,
    ink_on,
    records,
    spread,
    text_width,
    wrapped,
    write,
)

WILSON = "\N{DAGGER}"
HEAD, CELL, WIDEST = 4.2, 10.2, 24  # above the cells, height of a cell, its greatest width, mm


def height_of_heatmap(rows, width):
    """Height that a heat map needs below its title (mm)."""
    return HEAD + CELL * rows["group"].nunique()


def heatmap(canvas, rows, left, top, width, height, look):
    """Draw the cells, each with its rate, its error and its number of verdicts.

    A pair of levels without verdicts has a hatched cell.
    """
    names = list(rows["group"].unique())
    columns = list(rows.sort_values("x", kind="stable")["text"].unique())
    labels = min(0.4 * width, max(text_width(str(name)) for name in names) + 2)
    wide = min((width - labels) / len(columns), WIDEST)
    for number, column in enumerate(columns):
        middle = left + labels + (number + 0.5) * wide
        write(canvas, middle, top + HEAD - 1.3, str(column), SMALL, ha="center", color=GREY)
    known = {(row["group"], row["text"]): row for row in records(rows)}
    for down, name in enumerate(names):
        y = top + HEAD + down * CELL
        lines = wrapped(str(name), labels - 1.5)
        first = y + CELL / 2 + 0.9 - LINE[BODY] * (len(lines) - 1) / 2
        write(canvas, left, first, lines)
        for number, column in enumerate(columns):
            cell(canvas, known.get((name, column)), left + labels + number * wide, y, wide, look)


def cell(canvas, row, left, top, width, look):
    """Draw one cell."""
    if row is None:
        box(canvas, left, top, width, CELL, facecolor="none", edgecolor="white", hatch="/////")
        return
    color = look.colormap(row["value"])
    box(canvas, left, top, width, CELL, facecolor=color, edgecolor="white", zorder=0.5)
    style = {"ha": "center", "color": ink_on(color)}
    middle = left + width / 2
    write(canvas, middle, top + 3.6, f"{row['value']:.2f}", **style)
    dagger = WILSON if row["mark"] == "Wilson" and row["reading"] != "published" else ""
    write(canvas, middle, top + 6.3, spread(row) + dagger or "no interval", SMALL, **style)
    write(canvas, middle, top + 8.9, f"n = {row['n']:,.0f}", SMALL, **style)
