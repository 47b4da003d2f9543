"""Looks at the data of a study to come: boundaries, and the judges that they cost and save."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import hover, pages
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, SMALL
from turingstats.figures.palette import PALE, SERIES
from turingstats.figures.rows import add_row_chart

MARKERS = "osD^"
LEFT, CHART_HEIGHT, WIDE = 10, 44, 70  # space for the axis, chart: mm


def draw(data: pd.DataFrame) -> Figure:
    """Draw boundaries by information, and the number of judges of each kind."""
    if data.empty:
        return pages.make_empty_page(
            "The data are looked at once, or no question is about a difference."
        )
    frame = pages.Frame(data, explain_figure(data))
    kinds = list(dict.fromkeys(data["kind"]))
    styles = {
        kind: (SERIES[n % len(SERIES)], MARKERS[n % len(MARKERS)]) for n, kind in enumerate(kinds)
    }
    head = 2 * LINE[BODY] + 2
    bottom = frame.top + head + CHART_HEIGHT + 13
    canvas = frame.open(bottom)
    titles = ("Boundaries", "What looks cost and save")
    right = MARGIN + LEFT + WIDE + 8
    for x, title in zip((MARGIN, right), titles, strict=True):
        pages.write_lines(canvas, x, frame.top + 3, title, weight="semibold")
    box = (MARGIN + LEFT, frame.top + head, WIDE, CHART_HEIGHT)
    draw_boundaries(pages.add_inset(canvas, *box), data, styles)
    draw_costs(canvas, data, styles, right, frame.top + head)
    return frame.close(canvas, bottom + 1)


def draw_boundaries(axes: Axes, data: pd.DataFrame, styles: dict[str, tuple[str, str]]) -> None:
    """Draw the boundaries of every kind at each look."""
    for kind, (color, marker) in styles.items():
        part = data[data["kind"] == kind].dropna(subset="z")
        part = part[part["z"] < 1e6]
        axes.plot(part["fraction"], part["z"], color=color, linewidth=1, zorder=2)
        for row in pages.list_records(part):
            style: dict[str, Any] = {"ms": 3.4, "mew": 0, "zorder": 3, "clip_on": False}
            (mark,) = axes.plot(row["fraction"], row["z"], marker, color=color, **style)
            hover.title_mark(mark, describe_look(row))
    shares = sorted(data["fraction"].unique())
    axes.set_xlim(0, 1.03)
    axes.set_xticks(shares, [f"{share:.3g}" for share in shares], size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.set_xlabel("Information, share of that at the last look", size=SMALL, labelpad=1.5)
    axes.set_ylabel("Boundary of |z|", size=SMALL, labelpad=3)
    ends = data.loc[data["z"] < 1e6, "z"]
    axes.set_ylim(ends.min() - 0.25, ends.max() + 0.2)


def draw_costs(
    canvas: Axes, data: pd.DataFrame, styles: dict[str, tuple[str, str]], left: float, top: float
) -> None:
    """Draw maximum and expected information of each kind, relative to a study with one look."""
    first = data.drop_duplicates("kind")
    labels = [pages.wrap_text(text, 32) for text in first["kind_label"]]
    wide = PAGE - MARGIN - left - 40
    ends = first[["inflation", "expected_null", "expected_effect"]]
    limits = min(ends.min().min(), 0.8) - 0.05, ends.max().max() + 0.05
    box = pages.Box(left + 38, top, wide, CHART_HEIGHT)
    axes = add_row_chart(canvas, box, limits, "Information, relative to a single look", 1)
    axes.set_ylim(len(first) - 0.5, -0.5)
    for index, row in enumerate(pages.list_records(first)):
        color, marker = styles[row["kind"]]
        x, step = left, CHART_HEIGHT / len(first)
        y = top + (index + 0.5) * step
        canvas.plot(x + 1.5, y, marker, color=color, ms=3.6, mew=0)
        pages.write_lines(
            canvas, x + 4, y + 0.9 - (len(labels[index]) - 1) * LINE[BODY] / 2, labels[index]
        )
        axes.axhline(index, color=PALE, linewidth=0.3, zorder=0)
        values = {
            "if there is a difference": (row["expected_effect"], "o", color),
            "if there is none": (row["expected_null"], "o", "white"),
            "at most": (row["inflation"], "|", color),
        }
        for name, (value, sign, face) in values.items():
            (mark,) = axes.plot(
                value, index, sign, mfc=face, mec=color, ms=4 if sign == "o" else 8, mew=1, zorder=3
            )
            hover.title_mark(mark, f"{row['kind_label']}, {name}: {value:.4f}")


def describe_look(row: dict[str, Any]) -> str:
    """Describe a look exactly."""
    text = (
        f"{row['kind_label']}, look {row['look']:.0f}: z {row['z']:.4f}, p {row['nominal_p']:.3g}; error "
        f"spent {row['spent']:.4g}, power so far {row['power']:.3f}"
    )
    if row["judges"] == row["judges"]:
        text += f"; after {row['judges']:,.0f} judges"
    return text


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    return (
        f"For the question: {first['question_label']}. Left: the study stops at a look whose statistic is "
        "at or beyond the boundary. Right: information, relative to a study that tests once "
        "with the same power. Filled: expected if there is the difference that is planned for; hollow: "
        "if there is none; bar: if the study goes on to the last look. Numerical integration; the judges of "
        f"each look are in the table. {first['data'].capitalize()}."
    )
