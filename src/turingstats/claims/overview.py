"""Figure of how far recomputed numbers are from the published ones."""

import string
from decimal import Decimal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.claim_statuses import STATUSES
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import format_with_noun, use_minus_signs
from turingstats.figures import pages
from turingstats.figures.marks import draw_key
from turingstats.figures.notes import write_note
from turingstats.figures.pages import BODY, LINE, MARGIN, PAGE, ROOM, SMALL, TITLE
from turingstats.figures.palette import GREY, PALE, Style
from turingstats.figures.rows import DASHED

# Colors are those of the pages of claims (templates/base.html).
TONES = (
    "#0072b2", "#2b8cc4", "#009e73", "#009e73", "#d55e00", "#0072b2", "#d55e00", "#8b4a9c", "#6b6b6b",
    "#767676",
)  # fmt: skip
FILLED = ("reproduced", "taken over", "differs")
"""Statuses whose marks are filled; others are drawn on white."""
STYLES = {
    status: Style(color, marker, status in FILLED)
    for status, color, marker in zip(STATUSES, TONES, "os^ XoXD  ", strict=True)
}
GROUPS = {
    "Shares and correlations": (
        "p_", "detectability", "accuracy", "delta_", "pass_rate", "success_rate", "proportion", "rho",
        "icc", "mean_residual", "beta",
    ),
    "Test statistics": ("z", "U", "W", "chi2", "r"),
    "p values": ("p",),
    "Counts and means": ("n_", "mean", "sd", "captions", "age"),
}  # fmt: skip
"""Quantities whose numbers are shown together, by name; those that end in _ are starts of names."""
ROW = 13  # height of the row of a group, mm


def select_points(ledger: pd.DataFrame) -> pd.DataFrame:
    """Select the claims that the figure shows, as its source data."""
    points = ledger[ledger["relation"].isin(["=", "~"]) & (ledger["recomputed"].fillna("") != "")]
    points = points.assign(panel=points["quantity"].map(choose_group))
    # Ranks, which have no group, are recomputed from several numbers.
    points = points[points["panel"] != ""]
    exponents = points["published"].map(lambda text: Decimal(str(text)).as_tuple().exponent)
    digits = exponents.map(lambda exponent: 10.0 ** int(exponent))
    points = points.astype({"published": float, "recomputed": float})
    off = (points["recomputed"] - points["published"]) / digits
    # Also where a tie may be rounded up or down.
    points["off"] = off.mask(points["status"] == "reproduced", 0)
    # What was observed or printed comes before what was generated.
    order = points["panel"].map([*GROUPS].index) + len(GROUPS) * points["data"].map(is_generated)
    points = points.loc[order.sort_values(kind="stable").index]
    if points["data"].nunique() > 1:
        points["panel"] += ", " + points["data"]
    columns = ["panel", "paper", "task", "claim_id", "quantity", "status"]
    return points[[*columns, "published", "recomputed", "off", "data"]]


def choose_group(quantity: str) -> str:
    """Choose the group that a quantity is drawn in, by its name; empty for none."""
    for group, names in GROUPS.items():
        if quantity in names or quantity.startswith(tuple(n for n in names if n.endswith("_"))):
            return group
    return ""


def draw(data: pd.DataFrame) -> Figure:
    """Draw a row of marks for each group of numbers."""
    if data.empty:
        return pages.make_empty_page(
            "None of the numbers that the paper prints was recomputed in this run."
        )
    names = list(data["panel"].unique())
    letters = dict(zip(names, string.ascii_uppercase, strict=False))
    canvas, top = pages.open_page(data.replace({"panel": letters}))
    key = [(name, STYLES[name].marks) for name in STATUSES if (data["status"] == name).any()]
    top = 3 + draw_key(canvas, key, MARGIN, top, ROOM)
    left = MARGIN + 4.5
    aside = left + 3 + max(map(pages.measure_text, names))
    axes = pages.add_inset(canvas, aside, top, PAGE - aside - 5, ROW * len(names))
    scale_axes(axes, max(10, data["off"].abs().max()), len(names))
    for at, (name, points) in enumerate(data.groupby("panel", sort=False)):
        y = top + ROW * (at + 0.5)
        pages.write_lines(canvas, MARGIN, y, letters[name], TITLE, weight="bold")
        pages.write_lines(canvas, left, y, name)
        count = format_with_noun(len(points), "number")
        pages.write_lines(canvas, left, y + LINE[BODY], count, SMALL, color=GREY)
        # Marks of one place are apart, in no order.
        apart = at + 0.14 + 0.72 * (np.arange(len(points)) * 0.6180339887 % 1)
        for status, style in STYLES.items():
            has_status = (points["status"] == status).to_numpy()
            axes.plot(points["off"][has_status], apart[has_status], **style.marks, ms=2.6)
    return pages.close_page(canvas, top + ROW * len(names) + 9, write_note("claims_overview", data))


def scale_axes(axes: Axes, reach: float, rows: int) -> None:
    """Scale the axis of how far numbers are off, up to `reach` on both sides, and rule off the rows."""
    axes.set_xscale("symlog", linthresh=1)
    axes.set(xlim=(-2 * reach, 2 * reach), ylim=(rows, 0), yticks=[])
    powers = [10**power for power in range(9) if 10**power < 2 * reach]
    ticks = [*(-power for power in reversed(powers)), 0, *powers]
    axes.set_xticks(ticks, [use_minus_signs(f"{tick:,d}") for tick in ticks])
    axes.minorticks_off()
    axes.tick_params(labelsize=SMALL)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(
        "Recomputed minus published, in units of the last printed digit", size=SMALL, labelpad=1.5
    )
    axes.axvline(0, **DASHED)
    for row in range(1, rows):
        axes.axhline(row, color=PALE, linewidth=0.4, zorder=0)
