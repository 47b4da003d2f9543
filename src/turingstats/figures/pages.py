"""Pages: fonts, colors, text and boxes in millimeters, and saving.

A page is one set of axes in millimeters from its top left corner, so that everything except charts with
their own scales is positioned in millimeters.
"""

import functools
import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox, TransformedBbox
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from turingstats.core import data_labels, files
from turingstats.core.labels import join_with_and
from turingstats.core.plain_text import escape_controls
from turingstats.figures.fonts import FAMILY
from turingstats.figures.palette import GREY, INK
from turingstats.figures.svg import register_fonts, write_svg

COLUMN, PAGE = 89, 183  # widths of journal figures, mm
HIGHEST = 247  # height of a page of a journal, mm
MARGIN, GAP = 2, 3  # around the page and between panels, mm
ROOM = PAGE - 2 * MARGIN  # between the margins of a page, mm
TITLE, BODY, SMALL, TINY = 8.5, 7, 6, 5  # text sizes, pt
LINE = {TITLE: 3.5, BODY: 2.9, SMALL: 2.5, TINY: 1.9}  # distance of lines of text, mm
LONGEST_WORD = 30  # characters
LONGEST_LABEL = 64  # characters; more than the labels of the papers, and all that fits into a panel

STYLE: dict[Any, Any] = {
    "font.family": FAMILY,
    "font.size": BODY,
    "text.color": INK,
    "text.parse_math": False,
    "text.hinting": "none",  # so that widths in pictures equal the measured ones
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
    # Text stays text, which can be searched and edited.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "turingstats",
}
CREATOR = "turingstats"


register_fonts()
matplotlib.rcParams.update(STYLE)


class Place(NamedTuple):
    """Where something is drawn: its top left corner on the page, and its width, mm."""

    left: float
    top: float
    width: float


# --- page and text -----------------------------------------------------------------------------


class Page(Figure):
    """A figure that may be divided between the rows of its panels."""

    breaks: Sequence[float] = ()
    """Where rows begin, mm from the top."""


def make_page(width: float, height: float = 1) -> Axes:
    """Return axes that cover a new figure, in millimeters from its top left corner."""
    canvas = Page().add_axes((0, 0, 1, 1))
    canvas.axis("off")
    size_page(canvas, width, height)
    return canvas


def size_page(canvas: Axes, width: float, height: float) -> None:
    """Set the size of a page, mm; what is drawn on it stays at its distance from the top left corner."""
    canvas.figure.set_size_inches(width / 25.4, height / 25.4)
    canvas.set(xlim=(0, width), ylim=(height, 0))


def add_inset(canvas: Axes, left: float, top: float, width: float, height: float) -> Axes:
    """Add axes with their own scales at a position on the page (mm)."""
    axes = canvas.figure.add_axes((0, 0, 1, 1))
    corners = Bbox.from_bounds(left, top, width, height)
    # The size of a page is known when all is drawn: the position is that in the end.
    place = TransformedBbox(corners, canvas.transData - canvas.figure.transSubfigure)
    axes.set_axes_locator(lambda *_: place)
    return axes


def write_lines(
    canvas: Axes, x: float, y: float, text: list[str] | str, size: float = BODY, **style: Any
) -> list[Text]:
    """Write a line, or a list of lines, with the first baseline at `y`; return the texts."""
    lines = [text] if isinstance(text, str) else text
    return [
        canvas.text(x, y + number * LINE[size], line, size=size, va="baseline", **style)
        for number, line in enumerate(lines)
    ]


def measure_text(text: str, size: float = BODY, weight: str = "normal") -> float:
    """Measure the width of a line of text in millimeters; without kerning, letters add up."""
    return sum(measure_letter(letter, size, weight) for letter in text)


@functools.cache
def measure_letter(letter: str, size: float, weight: str) -> float:
    """Measure how far a letter moves what follows it, in millimeters."""
    font = font_manager.FontProperties(size=size, weight=weight)
    alone, after = (
        text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
        for text in ("|", f"{letter}|")
    )
    return (after - alone) * 25.4 / 72


def wrap_text(text: str, width: float, size: float = BODY, weight: str = "normal") -> list[str]:
    """Break text into lines no wider than `width` (mm), at spaces and after the hyphens of words."""
    lines = [""]
    # H-M is one word.
    for word in re.split(r"(?<= )|(?<=\w\w-)", text):
        if lines[-1] and measure_text(lines[-1] + word.rstrip(), size, weight) > width:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def draw_box(
    canvas: Axes, left: float, top: float, width: float, height: float, **style: Any
) -> Rectangle:
    """Draw a rectangle (mm), and return it."""
    return canvas.add_patch(Rectangle((left, top), width, height, **{"linewidth": 0.6} | style))


def read_source_data(path: Path | str) -> pd.DataFrame:
    """Read the source data of a figure with short labels; texts are objects, which are faster to access."""
    frame = files.change_texts(files.read_frame(path), escape_controls)
    for name in frame.columns[frame.columns.str.endswith("label")]:
        frame[name] = frame[name].map(shorten_label, na_action="ignore")
    return frame.astype(dict.fromkeys(frame.select_dtypes("str"), object))


def shorten_label(label: str) -> str:
    """Shorten a label to `LONGEST_LABEL` characters, and break long words, so that lines can be broken; a
    digest of the rest keeps labels of one start apart.
    """
    if len(label) > LONGEST_LABEL:
        digest = f"{zlib.crc32(label.encode()):08x}"
        label = f"{label[: LONGEST_LABEL - 10]}\N{HORIZONTAL ELLIPSIS}{digest}"
    return re.sub(rf"(\S{{{LONGEST_WORD}}})(?=\S)", r"\1 ", " ".join(label.split()))


def list_records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as dictionaries, twenty times faster than `DataFrame.to_dict` for few rows."""
    names = rows.columns.tolist()
    return [dict(zip(names, row, strict=True)) for row in rows.to_numpy(object).tolist()]


def find_bar_ends(row: dict[str, Any]) -> tuple[float, float]:
    """Return the ends of an error bar, or the value itself if there is none."""
    if row["reading"] == "published":
        ends = (row["value"] - row["se"], row["value"] + row["se"])
    else:
        ends = (row["ci_low"], row["ci_high"])
    return ends if ends[0] == ends[0] else (row["value"], row["value"])


def format_spread(row: dict[str, Any]) -> str:
    """Format the numbers in parentheses: standard error or interval, depending on the reading."""
    if row["reading"] == "published":
        return "" if row["se"] != row["se"] else f"({row['se']:.2f})"
    if row["ci_low"] != row["ci_low"]:
        return ""
    return f"({row['ci_low']:.2f}\N{EN DASH}{row['ci_high']:.2f})"


def choose_ink(color: Any) -> str:
    """Choose black or white text, whichever has more contrast with a color (WCAG 2.1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    light = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    # Contrast is equal where (light + 0.05)^2 = 1.05 x 0.05.
    return "black" if light > 0.179 else "white"


def open_page(data: pd.DataFrame, width: float = PAGE) -> tuple[Axes, float]:
    """Open a page (mm) that grows with what is drawn, with a banner if data are generated; return its axes,
    and where drawing begins.
    """
    canvas = make_page(width)
    labels = data["data"] if "data" in data else pd.Series(dtype=object)
    generated = labels.map(data_labels.is_generated).astype(bool)
    if not generated.any():
        return canvas, MARGIN
    style = {"facecolor": "#fbe3b5", "edgecolor": "none"}
    draw_box(canvas, MARGIN, MARGIN, width - 2 * MARGIN, 4.4, **style)
    which = ""
    if "panel" in data and not generated.all():
        panels = sorted(data.loc[generated, "panel"].unique())
        which = f" in panel{'s' * (len(panels) > 1)} {join_with_and(panels)}"
    text = f"Generated data{which}: these numbers come from a simulation"
    write_lines(canvas, width / 2, MARGIN + 3.1, text, weight="semibold", ha="center")
    return canvas, MARGIN + 7


def close_page(canvas: Axes, bottom: float, foot: str, breaks: Sequence[float] = ()) -> Page:
    """Write the foot below a drawing that ends at `bottom` (mm), and return the figure in its size; `breaks`
    are where its rows begin.
    """
    width = canvas.get_xlim()[1]
    lines = wrap_text(foot, width - 2 * MARGIN, SMALL)
    write_lines(canvas, MARGIN, bottom + 1.9, lines, SMALL, color=GREY)
    size_page(canvas, width, bottom + len(lines) * LINE[SMALL] + MARGIN)
    page = cast(Page, canvas.figure)
    page.breaks = breaks
    return page


def make_empty_page(words: str) -> Figure:
    """Make a small figure that says why nothing is drawn."""
    canvas = make_page(COLUMN)
    return close_page(canvas, MARGIN + 0.3, words)


# --- saving ------------------------------------------------------------------------------------


def describe_file(data: pd.DataFrame, title: str = "", caption: str = "") -> dict[str, str]:
    """Describe a figure for the metadata of its files: its title; first sentence of its caption, and data."""
    values = {
        name: list(dict.fromkeys(data[name].dropna())) if name in data else []
        for name in ("data", "reading")
    }
    readings = [f"{' and '.join(values['reading'])} reading"] if values["reading"] else []
    source = ", ".join([*values["data"], *readings])
    first = re.split(r"(?<=[.?!])\s", caption.strip(), maxsplit=1)[0]
    description = " ".join(filter(None, [first, source and f"{source[:1].upper()}{source[1:]}."]))
    # Titles and captions come from study files, and control characters are not allowed in an SVG.
    return {"title": escape_controls(title), "description": escape_controls(description)}


def save_figure(
    figure: Figure,
    paths: Iterable[Path | str],
    dpi: int,
    title: str = "",
    description: str = "",
) -> None:
    """Write a figure to .pdf, .svg or .png files, with the same bytes every time.

    The `description` is for readers who do not see the picture: what it shows, where its numbers come from,
    and their reading.
    """
    for path in paths:
        with files.replace_file(path) as draft:
            metadata = write_metadata(draft.suffix, title, description)
            if draft.suffix == ".svg":
                text = write_svg(figure, dpi, metadata, description)
                draft.write_text(text, encoding="utf-8")
            elif draft.suffix == ".png":
                write_png(figure, draft, dpi, metadata)
            else:
                write_pdf(figure, draft, dpi, metadata)


def write_pdf(figure: Figure, path: Path, dpi: int, metadata: dict[str, Any]) -> None:
    """Write a figure as PDF; one higher than a page of a journal is divided between rows of panels."""
    # Imported here: few runs write PDF.
    from matplotlib.backends.backend_pdf import PdfPages

    canvas, (width, height) = figure.axes[0], 25.4 * figure.get_size_inches()
    ends = [0.0]
    for row, end in pairwise([*getattr(figure, "breaks", ()), height]):
        if end - ends[-1] > HIGHEST and row > ends[-1]:
            ends.append(row)
    with PdfPages(path, metadata=metadata) as pdf:
        for top, bottom in pairwise([*ends, height]):
            figure.set_size_inches(width / 25.4, (bottom - top) / 25.4)
            canvas.set(ylim=(bottom, top))
            pdf.savefig(figure, dpi=dpi)
    size_page(canvas, width, height)


def write_png(figure: Figure, path: Path, dpi: int, metadata: dict[str, Any]) -> None:
    """Write a figure as PNG; without the alpha channel, which no figure needs, it is compressed faster."""
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    about = PngInfo()
    for name, text in metadata.items():
        about.add_text(name, text)
    picture.save(path, pnginfo=about, dpi=(dpi, dpi), compress_level=1)


def write_metadata(suffix: str, title: str, description: str) -> dict[str, Any]:
    """Write the metadata of a file in the terms of its format, without dates and versions, which change."""
    described = "Subject" if suffix == ".pdf" else "Description"
    filled = {"Title": title} if title else {}
    filled |= {described: description} if description else {}
    dated = {".svg": ("Date",), ".pdf": ("CreationDate", "Producer"), ".png": ()}
    return filled | {"Creator": CREATOR} | dict.fromkeys(dated[suffix])
