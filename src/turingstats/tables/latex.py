"""Tables as LaTeX that fit a page with margins of one inch, A4 or Letter.

A table too wide for the page is set smaller, then with wrapped cells, then on a turned page, and only then
in parts, which all begin with the columns that name the rows. Widths of columns are shares of the line, so
that a table also fits other margins. The widths of text are estimated from above, since the fonts of the
document are not known.
"""

import math
import re
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from turingstats.core.plain_text import escape_controls

ESCAPES = str.maketrans(
    {letter: f"\\{letter}" for letter in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}"}
    # An empty line would end the cell.
    | {"\n": " ", "\t": " "}
    | {"\N{ZERO WIDTH SPACE}": r"\allowbreak{}"}
)
SIZES = {"normalsize": 10.0, "small": 9.25, "footnotesize": 8.5, "scriptsize": 8.0}
"""Em of the Computer Modern fonts by size, pt; small ones are wider than in proportion."""
UPRIGHT, TURNED = 451, 648
"""Widths of the text block upright (of A4, the narrower) and turned (of Letter), pt."""
LONG, LOW = 40, 30
"""Lines that fit on an upright and on a turned page, with the caption and the heading."""
MAX_LINES_PER_ROW = {False: 2, True: 3}
"""Most lines per row, on average, upright and turned, of a table that does not fit on a page."""
WAYS = (
    (False, False, "normalsize"),
    (False, False, "small"),
    (False, False, "footnotesize"),
    (False, True, "footnotesize"),
    (True, False, "footnotesize"),
    (True, True, "footnotesize"),
    (True, True, "scriptsize"),
)
"""Ways to set a table, the best first: whether it is turned, whether cells are wrapped, and its size."""
APART = 6
"""Space between columns, pt; the default is twice as much."""
WORD = 20
"""Characters after which a word may be broken that has no other place for it."""
PLACE = re.compile(rf"(?<=[._/:])(?=[A-Za-z])|(?<=[^\s]{{{WORD}}})(?=[^\s]{{{WORD}}})")
"""Where a long word may be broken, such as the id of a test."""
PIECE = re.compile(r"[\s\u200b]+|(?<=-)(?=\w)")
WIDTHS = {
    letter: width
    for letters, width in {
        "ijl.,;:'!|[] f": 0.3,
        "rstI()-": 0.4,
        "cez": 0.45,
        "w+=<>~": 0.78,
        "m%@": 0.84,
        "MW": 1.03,
        "\N{ZERO WIDTH SPACE}": 0,
    }.items()
    for letter in letters
}
"""Widths of letters in Computer Modern, em; of other capitals 0.78, and 0.56 of all others."""


@dataclass(frozen=True)
class Layout:
    """How a table, or a part of it, is set."""

    # Places of its columns in the table.
    columns: list[int]
    # Width of each column with wrapped cells (pt); None for one as wide as its text.
    widths: list[float | None]
    size: str
    # Whether it is on a turned page.
    turned: bool
    # Number of lines of its rows.
    lines: int


def format_latex(frame: pd.DataFrame, caption: str, numeric: list[bool]) -> str:
    """Format a table for LaTeX: a float, or one that runs on over pages; numbers are aligned right."""
    texts = [[str(name) for name in frame.columns]]
    texts += frame.astype(object).where(frame.notna(), "").astype(str).to_numpy().tolist()
    texts = [[divide_words(escape_controls(cell)) for cell in row] for row in texts]
    parts = arrange_columns(texts)
    written = [r"% needs \usepackage{array,booktabs,longtable,pdflscape}"]
    for number, part in enumerate(parts, 1):
        heading = f"{caption} Part {number} of {len(parts)}." if len(parts) > 1 else caption
        cells = [[row[column] for column in part.columns] for row in texts]
        if number > 1:
            written.append(r"\addtocounter{table}{-1}")  # all parts have the number of the first
        written += write_part(cells, heading, [numeric[column] for column in part.columns], part)
    return "\n".join(written) + "\n"


def write_part(
    texts: list[list[str]], caption: str, numeric: list[bool], part: Layout
) -> list[str]:
    """Write the lines of one table."""
    head, *rows = [f"{' & '.join(map(escape_latex, row))} \\\\" for row in texts]
    columns = "".join(map(write_column, part.widths, numeric, [part.turned] * len(numeric)))
    inside = f"{{@{{}}{columns}@{{}}}}"
    spaces = rf"\setlength{{\tabcolsep}}{{{APART / 2:g}pt}}"
    top = [r"\toprule", head, r"\midrule"]
    if not part.turned and part.lines <= LONG:
        return [
            r"\begin{table}[htbp]",
            rf"\centering\{part.size}{spaces}",
            rf"\caption{{{escape_latex(caption)}}}",
            rf"\begin{{tabular}}{inside}",
            *top,
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    written = [
        rf"\begingroup\{part.size}{spaces}\setlength{{\LTcapwidth}}{{\linewidth}}",
        rf"\begin{{longtable}}{inside}",
        rf"\caption{{{escape_latex(caption)}}} \\",
        *top,
        r"\endfirsthead",
        *top,
        r"\endhead",
        r"\midrule",
        rf"\multicolumn{{{len(numeric)}}}{{@{{}}r@{{}}}}{{Continued on next page}} \\",
        r"\endfoot",
        r"\bottomrule",
        r"\endlastfoot",
        *rows,
        r"\end{longtable}",
        r"\endgroup",
    ]
    return [r"\begin{landscape}", *written, r"\end{landscape}"] if part.turned else written


def write_column(width: float | None, numeric: bool, turned: bool) -> str:
    """Write the specification of a column."""
    if width is None:
        return "r" if numeric else "l"
    share = math.floor(1000 * width / (TURNED if turned else UPRIGHT)) / 1000
    side = "left" if numeric else "right"
    return rf">{{\ragged{side}\arraybackslash}}p{{{share:g}\linewidth}}"


def arrange_columns(texts: list[list[str]]) -> list[Layout]:
    """Choose how a table (cells of heading and rows) is set: in as few parts and as large as it fits."""
    every = list(range(len(texts[0])))
    for turned, wrapped, size in WAYS:
        if layout := fit_columns(texts, every, size, turned, wrapped):
            return [layout]
    names = find_naming_columns(texts)
    others = [column for column in every if column not in names]
    for number in range(2, len(others) + 1):
        ends = [round(part * len(others) / number) for part in range(number + 1)]
        parts = [
            fit_columns(
                texts, names + others[start:end], "scriptsize", True, True, end - start == 1
            )
            for start, end in pairwise(ends)
        ]
        if all(parts):
            return parts
    return [fit_columns(texts, every, "scriptsize", True, True, must=True)]


def fit_columns(
    texts: list[list[str]],
    columns: list[int],
    size: str,
    turned: bool,
    wrapped: bool,
    must: bool = False,
) -> Layout | None:
    """Fit columns into a line; None if they do not fit, or their rows would become too tall."""
    em = SIZES[size]
    room = (TURNED if turned else UPRIGHT) - APART * (len(columns) - 1)
    cells = [[row[column] for row in texts] for column in columns]
    natural = [em * max(map(measure_text, column)) for column in cells]
    if sum(natural) <= room:
        lines = len(texts) - 1
        return Layout(columns, [None] * len(columns), size, turned, lines)
    least = [
        em * max(measure_text(piece) for cell in column for piece in PIECE.split(cell))
        for column in cells
    ]
    if not wrapped or (sum(least) > room and not must):
        return None
    widths = share_room(natural, least, room)
    heights = [
        max(count_lines(cell, width / em) for cell, width in zip(row, widths, strict=True))
        for row in zip(*cells, strict=True)
    ]
    if (
        sum(heights) > max(LOW if turned else LONG, MAX_LINES_PER_ROW[turned] * len(heights))
        and not must
    ):
        return None
    widths = [None if width >= full else width for width, full in zip(widths, natural, strict=True)]
    return Layout(columns, widths, size, turned, sum(heights) - 1)


def share_room(natural: list[float], least: list[float], room: int) -> list[float]:
    """Narrow the widest columns alike until all fit, none below its longest word."""
    low, high = 0.0, max(natural)
    for _ in range(40):
        middle = (low + high) / 2
        wide = sum(
            max(small, min(full, middle)) for full, small in zip(natural, least, strict=True)
        )
        low, high = (middle, high) if wide <= room else (low, middle)
    return [max(small, min(full, low)) for full, small in zip(natural, least, strict=True)]


def find_naming_columns(texts: list[list[str]]) -> list[int]:
    """Find the columns that name the rows of a table: the first ones that differ between all rows."""
    for number in range(1, len(texts[0])):
        if len({tuple(row[:number]) for row in texts[1:]}) == len(texts) - 1:
            return list(range(number))
    return [0]


def measure_text(text: str) -> float:
    """Estimate the width of a text from above, em."""
    return sum(WIDTHS.get(letter, 0.78 if letter.isupper() else 0.56) for letter in text)


def count_lines(text: str, width: float) -> int:
    """Count the lines of a cell with a width in em."""
    lines, filled = 1, 0.0
    for piece in PIECE.split(text):
        long = measure_text(piece)
        if filled and filled + long > width:
            lines, filled = lines + 1, 0.0
        filled += long + WIDTHS[" "]
    return lines


def divide_words(text: str) -> str:
    """Mark by a space of no width where long words may be broken."""
    return " ".join(
        PLACE.sub("\N{ZERO WIDTH SPACE}", word) if len(word) > WORD / 2 else word
        for word in text.split(" ")
    )


def escape_latex(text: str) -> str:
    """Escape text for LaTeX."""
    text = escape_controls(text).translate(ESCAPES)
    # At the start of a row these would be options of the line break before it.
    return f"{{}}{text}" if text.lstrip().startswith(("[", "*")) else text
