"""Figure of how far recomputed numbers are from the published ones."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from turingstats.core.claim_statuses import STATUSES
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import format_with_noun, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import BODY, MARGIN, SMALL, TITLE
from turingstats.figures.palette import GREY, INK

# Colors are those of the pages of claims (templates/base.html).
TONES = (
    "#0072b2", "#2b8cc4", "#009e73", "#009e73", "#d55e00", "#0072b2", "#d55e00", "#8b4a9c", "#6b6b6b",
    "#767676",
)  # fmt: skip
COLORS = dict(zip(STATUSES, TONES, strict=True))
FILLED = ("reproduced", "taken over", "differs")
"""Statuses whose marks are filled; others are drawn on white."""
MARKERS = dict(zip(STATUSES, "os^ XoXD  ", strict=True))
SHARES = "Shares and correlations"
PANELS = {
    SHARES: (
        "p_", "detectability", "accuracy", "delta_", "pass_rate", "success_rate", "proportion", "rho",
        "icc", "mean_residual", "beta",
    ),
    "Test statistics": ("z", "U", "W", "chi2", "r"),
    "p values": ("p",),
    "Counts and means": ("n_", "mean", "sd", "captions", "age"),
}  # fmt: skip
LINEAR = {SHARES: 1, "Test statistics": 10, "p values": 1e-3, "Counts and means": 1}
"""Up to this number the scale of printed numbers is linear, and logarithmic beyond."""
OFF = [-100, -10, -1, 0, 1, 10, 100]
"""Ticks of how far numbers are off: of shares in percentage points, of others in % of the printed number."""
SIDE, GUTTER, LEFT = 33.5, 11, 10.5  # width of a panel, space between panels and left of them, mm
ROW = 6 + SIDE + 12  # height of a row of panels, mm


def select_points(ledger: pd.DataFrame) -> pd.DataFrame:
    """Select the claims that the figure shows, as its source data."""
    points = ledger[ledger["relation"].isin(["=", "~"]) & (ledger["recomputed"].fillna("") != "")]
    points = points.assign(panel=points["quantity"].map(choose_panel))
    # Ranks, which have no panel, are recomputed from several numbers.
    points = points[points["panel"] != ""]
    # A printed zero counts as one unit of its last digit.
    digits = points["published"].map(lambda text: 10.0 ** int(Decimal(text).as_tuple().exponent))
    points = points.astype({"published": float, "recomputed": float})
    sizes = points["published"].abs().clip(lower=digits).where(points["panel"] != SHARES, 1)
    off = 100 * (points["recomputed"] - points["published"]) / sizes
    # Also where a tie may be rounded up or down.
    points["off"] = off.mask(points["status"] == "reproduced", 0)
    if points["data"].nunique() > 1:
        # What was observed or printed comes before what was generated.
        points = points.sort_values("data", key=lambda c: c.map(is_generated), kind="stable")
        points["panel"] += ", " + points["data"]
    columns = ["panel", "paper", "task", "claim_id", "quantity", "status"]
    return points[[*columns, "published", "recomputed", "off", "data"]]


def choose_panel(quantity: str) -> str:
    """Choose the panel that a quantity is drawn in, by its name; empty for none."""
    for panel, names in PANELS.items():
        if quantity in names or quantity.startswith(tuple(n for n in names if n.endswith("_"))):
            return panel
    return ""


@dataclass(frozen=True)
class Panel:
    """Claims on quantities of one group, and one kind of data, which has a row of panels."""

    letter: str
    name: str
    label: str
    points: pd.DataFrame
    row: int
    column: int


def list_panels(data: pd.DataFrame) -> list[Panel]:
    """List the panels of the source data."""
    panels: list[Panel] = []
    for row, (label, points) in enumerate(data.groupby("data", sort=False)):
        # If there are several kinds of data, a panel's name ends with its kind.
        names = points["panel"].str.removesuffix(f", {label}")
        for column, name in enumerate(name for name in PANELS if (names == name).any()):
            letter = chr(ord("A") + len(panels))
            panels.append(Panel(letter, name, str(label), points[names == name], row, column))
    return panels


def draw(data: pd.DataFrame) -> Figure:
    """Draw the panels, what their marks mean, and the foot."""
    panels = list_panels(data)
    lettered = [panel.points.assign(panel=panel.letter) for panel in panels]
    canvas, top = pages.open_page(pd.concat(lettered or [data]))
    reach = 2 * max([10, *data["off"].abs()])
    below = top + ROW * max([panel.row + 1 for panel in panels], default=0)
    for panel in panels:
        left, high = MARGIN + LEFT + panel.column * (SIDE + GUTTER), top + panel.row * ROW
        pages.write_lines(canvas, left - LEFT, high + 3, panel.letter, TITLE, weight="bold")
        pages.write_lines(canvas, left - LEFT + 4.5, high + 3, panel.name, BODY, weight="semibold")
        axes = pages.add_inset(canvas, left, high + 6, SIDE, SIDE)
        draw_points(axes, panel.points, panel.name)
        axes.set_xlabel("Published", labelpad=1.5)
        axes.set(ylim=(-reach, reach))
        if panel.column == 0:
            axes.set_ylabel("Recomputed minus published", labelpad=1)
    left = MARGIN + LEFT
    for status in (status for status in STATUSES if (data["status"] == status).any()):
        canvas.plot(left, below, MARKERS[status], ms=3.4, **style_mark(status))
        pages.write_lines(canvas, left + 2, below + 0.8, status, SMALL)
        left += 6 + pages.measure_text(status, SMALL)
    return pages.close_page(canvas, below + 3, explain_figure(panels))


def style_mark(status: str) -> dict[str, Any]:
    """Choose the colors of the mark of a status."""
    color = (*to_rgb(COLORS[status]), 0.8)
    filled = status in FILLED
    edge, face = (color, color) if filled else (COLORS[status], "white")
    colors = {"color": color, "markeredgecolor": edge, "markerfacecolor": face}
    return {"markeredgewidth": 0.7} | colors


def draw_points(axes: Axes, points: pd.DataFrame, name: str) -> None:
    """Draw how far recomputed numbers are off, by the published ones, in points or percent."""
    linear = LINEAR[name]
    axes.set_xscale("symlog", linthresh=linear)
    axes.set_yscale("symlog", linthresh=1)
    low, high = points["published"].min(), points["published"].max()
    powers = [10.0**n for n in range(-8, 9) if linear <= 10.0**n < 1.6 * high]
    # Ticks for every power would not fit.
    ticks = [-linear] * bool(low < 0) + [0, *powers[:: 2 if len(powers) > 4 else 1]]
    axes.minorticks_off()
    unit = " pt" if name == SHARES else "%"
    axes.xaxis.set_ticks(ticks, [format_tick(tick) for tick in ticks])
    axes.yaxis.set_ticks(OFF, [format_tick(tick) + unit for tick in OFF])
    axes.axhline(0, color=INK, linewidth=0.5, zorder=1)
    for one in sorted(pages.list_records(points), key=lambda one: STATUSES.index(one["status"])):
        status = one["status"]
        axes.plot(
            one["published"], one["off"], MARKERS[status], ms=3, zorder=2, **style_mark(status)
        )
    axes.set(xlim=(min(1.6 * low, 0) - 0.2 * linear, 1.6 * max(high, linear)))
    words = format_with_noun(len(points), "claim")
    axes.text(0.04, 0.04, words, transform=axes.transAxes, size=SMALL, color=GREY)


def format_tick(value: float) -> str:
    """Format a tick label, with an exponent for powers of ten from 10,000 and below 0.001."""
    if value and not 0.001 <= abs(value) < 10_000:
        power = str(round(math.log10(abs(value))))
        return "10" + power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return use_minus_signs(f"{value:,g}")


def explain_figure(panels: list[Panel]) -> str:
    """Write the foot of the figure."""
    if not panels:
        return "None of the numbers that the paper prints was recomputed in this run."
    letters: dict[str, list[str]] = {}
    for panel in panels:
        letters.setdefault(panel.label, []).append(panel.letter)
    linear = [f"{format_tick(LINEAR[panel.name])} in {panel.letter}" for panel in panels]
    return write_note("claims_overview", letters=letters, linear=linear)
