"""Tables as LaTeX that fit a page with margins of one inch, A4 or Letter.

pandas writes the tables (`Styler.to_latex`, longtable). What it cannot do is fit them to the page: here wide
columns are wrapped, wide tables are turned, and those that are wider still are set in parts, which all begin
with the columns that name the rows.
"""

import re
from collections.abc import Sequence

import pandas as pd

from turingstats.core.labels import NOT_DEFINED
from turingstats.core.plain_text import escape_controls

ESCAPES = str.maketrans(
    {letter: f"\\{letter}" for letter in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}"}
    # An empty line would end the cell.
    | {"\n": " ", "\t": " "}
    | {"\N{ZERO WIDTH SPACE}": r"\allowbreak{}"}
)
CHARACTER = 4.7
"""Width of a character in \\footnotesize, from above: the fonts of the document are not known; pt."""
APART = 6
"""Space between columns, pt; the default is twice as much."""
UPRIGHT, TURNED = 451, 648
"""Widths of the text block upright (of A4, the narrower) and turned (of Letter), pt."""
WAYS = ((UPRIGHT, 200), (UPRIGHT, 90), (TURNED, 200), (TURNED, 120), (TURNED, 60))
"""Ways to set a table, the best first: the width of the line, and the widest column, whose longer cells are
wrapped; pt."""
BREAK = re.compile(r"(?<=[._/:])(?=[A-Za-z])|(?<=[^\s]{16})(?=[^\s]{8})")
"""Where a long word may be broken, such as the id of a test."""
PIECE = re.compile(r"[\s\u200b]+|(?<=-)(?=\w)")


def format_latex(frame: pd.DataFrame, caption: str, numeric: Sequence[bool]) -> str:
    """Format a table for LaTeX; `numeric` columns are aligned right."""
    if frame.columns.empty:
        frame, numeric = pd.DataFrame({"": ["no data"]}), [False]
    texts = frame.astype(object).where(frame.notna(), "").replace(NOT_DEFINED, "\N{EN DASH}")
    texts = texts.map(lambda cell: divide_words(str(cell)))
    texts.columns = [divide_words(str(name)) for name in frame.columns]
    if texts.empty:
        texts.loc[0] = "\N{EN DASH}"  # pandas writes a table without rows wrongly
    measured = [measure_column([name, *texts[name]]) for name in texts]
    naming = count_naming_columns(texts)
    for line, widest in WAYS:
        widths = [max(word, min(text, widest)) for word, text in measured]
        parts = split_columns(widths, naming, line)
        if len(parts) == 1:
            break
    lines = [r"% needs \usepackage{array,booktabs,longtable,pdflscape}"]
    for number, columns in enumerate(parts, 1):
        if number > 1:
            lines.append(r"\addtocounter{table}{-1}")  # all parts have the number of the first
        title = f"{caption} Part {number} of {len(parts)}." if len(parts) > 1 else caption
        formats = [
            format_column(widths[column], widest, numeric[column], line) for column in columns
        ]
        table = texts.iloc[:, columns].map(escape_latex).rename(columns=escape_latex)
        lines += [
            *([r"\begin{landscape}"] if line == TURNED else []),
            rf"\begingroup\footnotesize\setlength{{\tabcolsep}}{{{APART / 2:g}pt}}"
            r"\setlength{\LTcapwidth}{\linewidth}",
            table.style.hide(axis="index").to_latex(
                environment="longtable",
                hrules=True,
                caption=escape_latex(title),
                column_format=f"@{{}}{''.join(formats)}@{{}}",
            ),
            r"\endgroup",
            *([r"\end{landscape}"] if line == TURNED else []),
        ]
    return "\n".join(lines) + "\n"


def measure_column(cells: Sequence[str]) -> tuple[float, float]:
    """Measure how wide the longest word of a column is, and its longest text, pt."""
    word = max(len(piece) for cell in cells for piece in PIECE.split(cell))
    return CHARACTER * word, CHARACTER * max(map(len, cells))


def split_columns(widths: Sequence[float], naming: int, line: float) -> list[list[int]]:
    """Split columns into parts that fit a line, each of which begins with those that name the rows."""
    names = list(range(naming))
    parts = [names.copy()]
    for column in range(naming, len(widths)):
        if sum(widths[other] + APART for other in [*parts[-1], column]) > line + APART:
            parts.append(names.copy())
        parts[-1].append(column)
    return parts


def count_naming_columns(texts: pd.DataFrame) -> int:
    """Count the columns that name the rows of a table: the first ones that differ between all rows."""
    for number in range(1, len(texts.columns)):
        if not texts.duplicated(texts.columns[:number]).any():
            return number
    return 1


def format_column(width: float, widest: float, numeric: bool, line: float) -> str:
    """Format a column as wide as its text, or as a share of the line, so that it also fits other margins."""
    if width < widest:
        return "r" if numeric else "l"
    side = "left" if numeric else "right"
    return rf">{{\ragged{side}\arraybackslash}}p{{{width / line:.3f}\linewidth}}"


def divide_words(text: str) -> str:
    """Mark by a space of no width where long words may be broken."""
    return BREAK.sub("\N{ZERO WIDTH SPACE}", escape_controls(text))


def escape_latex(text: str) -> str:
    """Escape text for LaTeX."""
    text = escape_controls(text).translate(ESCAPES)
    # At the start of a row these would be options of the line break before it.
    return f"{{}}{text}" if text.lstrip().startswith(("[", "*")) else text
