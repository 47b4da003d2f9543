"""Looks at the data of a study to come: boundaries, and the judges that they cost and save."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, SMALL
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable

MARKERS = "osD^"
NO_ENDS = (float("nan"), float("nan"))
COSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "expected_effect": ("if there is a difference", {}),
    "expected_null": ("if there is none", {"filled": False}),
    "inflation": ("at most", {"marker": ">"}),
}
"""What a kind of look costs, in words, with its look."""
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
        kind: Style(SERIES[n % len(SERIES)], MARKERS[n % len(MARKERS)])
        for n, kind in enumerate(kinds)
    }
    head = 2 * LINE[BODY] + 2
    right = MARGIN + LEFT + WIDE + 8
    costs = arrange_costs(data, styles, PAGE - MARGIN - right)
    bottom = frame.top + head + max(CHART_HEIGHT + 13, costs.height)
    canvas = frame.open(bottom)
    titles = ("Boundaries", "What looks cost and save")
    for x, title in zip((MARGIN, right), titles, strict=True):
        pages.write_lines(canvas, x, frame.top + 3, title, weight="semibold")
    box = (MARGIN + LEFT, frame.top + head, WIDE, CHART_HEIGHT)
    draw_boundaries(pages.add_inset(canvas, *box), data, styles)
    costs.draw(canvas, pages.Box(right, frame.top + head - 2, PAGE - MARGIN - right, 0))
    return frame.close(canvas, bottom + 1)


def draw_boundaries(axes: Axes, data: pd.DataFrame, styles: dict[str, Style]) -> None:
    """Draw the boundaries of every kind at each look."""
    for kind, (color, marker, _) in styles.items():
        part = data[data["kind"] == kind].dropna(subset="z")
        part = part[part["z"] < 1e6]
        axes.plot(
            part["fraction"],
            part["z"],
            color=color,
            linewidth=1,
            marker=marker,
            ms=3.4,
            mew=0,
            clip_on=False,
        )
    shares = sorted(data["fraction"].unique())
    axes.set_xlim(0, 1.03)
    axes.set_xticks(shares, [f"{share:.3g}" for share in shares], size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.set_xlabel("Information, share of that at the last look", size=SMALL, labelpad=1.5)
    axes.set_ylabel("Boundary of |z|", size=SMALL, labelpad=3)
    ends = data.loc[data["z"] < 1e6, "z"]
    axes.set_ylim(ends.min() - 0.25, ends.max() + 0.2)


def arrange_costs(data: pd.DataFrame, styles: dict[str, Style], width: float) -> RowTable:
    """Arrange maximum and expected information of each kind, relative to a study with one look, as rows."""
    first = data.drop_duplicates("kind")
    ends = first[list(COSTS)]
    limits = min(ends.min().min(), 0.8) - 0.05, ends.max().max() + 0.05
    rows = [
        Row(
            row["kind_label"],
            [
                Mark(
                    row[name],
                    NO_ENDS,
                    styles[row["kind"]]._replace(**look),
                    [words, f"{row[name]:.2f}"],
                )
                for name, (words, look) in COSTS.items()
            ],
        )
        for row in pages.list_records(first)
    ]
    chart = Chart(limits, 1, "Information, relative to a single look", heads=["", ""])
    return RowTable(rows, [chart], width, size=SMALL)


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    return (
        f"For the question: {first['question_label']}. Left: the study stops at a look whose statistic is "
        "at or beyond the boundary. Right: information, relative to a study that tests once "
        "with the same power: expected if there is the difference that is planned for, or if there "
        "is none, and at most, if the study goes on to the last look. Numerical integration; the judges of "
        f"each look are in the table. {first['data'].capitalize()}."
    )
