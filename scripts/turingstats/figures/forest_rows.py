"""Panels of any study: estimates with intervals below each other, and the accuracy of single judges."""

from turingstats.core.labels import THRESHOLD
from turingstats.figures.pages import (
    BLUE,
    BODY,
    GREY,
    GROUPS,
    INK,
    LINE,
    PALE,
    RED,
    SMALL,
    TITLE,
    inset,
    reach,
    records,
    text_width,
    wrapped,
    write,
)

HEAD = 4  # above estimates, mm
ROW = 4.0  # distance of estimates, mm
AXIS = 8  # room for the axis below, mm
BIN = 0.05  # of accuracy
DOT = 1.5  # distance of stacked judges, mm
MOST = 14  # judges on one stack, before stacks become bars
HIGHEST = 24  # height of a stack of bars, mm


def name_of(row):
    """What an estimate is of: a level of a condition or group, else the agent."""
    if not in_group(row):
        return row["agent_label"]
    # Levels that are numbers come back as such from a CSV file.
    group = row["group"]
    return f"{group:g}" if isinstance(group, int | float) else group


def in_group(row):
    """Whether an estimate is of a level or group, rather than of all trials."""
    return row["group"] is not None and row["group"] == row["group"]


def axis_of(rows):
    """What the axis of a panel of intervals shows."""
    return "Share judged right" if (rows["quantity"] == "accuracy").any() else "Detectability"


def names_column(rows, width):
    """Width of the names and of the numbers beside them, and the lines of each name (mm)."""
    shown = records(rows[rows["kind"] == "intervals"])
    counts = max(text_width(f"{row['n']:,.0f}", SMALL) for row in shown)
    counts = max(counts, text_width("verdicts", SMALL))
    most = 0.45 * width - counts
    lines = [wrapped(str(name_of(row)), most) for row in shown]
    widest = max(text_width(line) for name in lines for line in name)
    return widest, counts, lines


def height_of_intervals(rows, width):
    """Height that a panel of intervals needs below its title (mm)."""
    _, _, lines = names_column(rows, width)
    return HEAD + sum(ROW + LINE[BODY] * (len(name) - 1) for name in lines) + AXIS


def intervals(canvas, rows, left, top, width, height, look):
    """Draw estimates below each other as points with intervals, with chance as a dashed line.

    Hollow points: no response of people was shown, so that the share of machines told apart stands
    in place of detectability.
    """
    shown = rows[rows["kind"] == "intervals"]
    names, counts, lines = names_column(rows, width)
    tall = sum(ROW + LINE[BODY] * (len(name) - 1) for name in lines)
    start = left + names + counts + 4
    write(canvas, start - 2, top + HEAD - 1.2, "verdicts", SMALL, ha="right", color=GREY)
    axes = inset(canvas, start, top + HEAD, left + width - start - 3, tall)
    title = axis_of(rows)
    low, high = look.span[title]
    # In millimeters from the top, as the page.
    axes.set(xlim=(low, high), ylim=(tall, 0))
    step = 1 if high - low < 0.45 else 2
    axes.set_xticks([tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, step)])
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(title, labelpad=1.5, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.axvline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    place = 0
    for row, name in zip(records(shown), lines, strict=True):
        room = ROW + LINE[BODY] * (len(name) - 1)
        y = place + room / 2
        place += room
        write(canvas, left, top + HEAD + y + 0.9 - LINE[BODY] * (len(name) - 1) / 2, name)
        write(
            canvas,
            start - 2,
            top + HEAD + y + 0.9,
            f"{row['n']:,.0f}",
            SMALL,
            ha="right",
            color=GREY,
        )
        pooled = row["agent"] == "all" and not in_group(row)
        color = INK if pooled else GROUPS[0]
        axes.plot(reach(row), [y, y], color=color, linewidth=1, zorder=2, solid_capstyle="butt")
        fill = "white" if row["mark"] == "people not shown" else color
        axes.plot(row["value"], y, "D" if pooled else "o", mfc=fill, mec=color, ms=3.6, zorder=3)
        if row["p_adjusted"] < THRESHOLD:
            axes.text(1.0, y, " *", color=BLUE, weight="bold", va="center", size=9,
                      transform=axes.get_yaxis_transform())  # fmt: skip
    tests = rows[rows["kind"] == "group test"]
    if (tests["p_adjusted"] < THRESHOLD).any():
        x, ends = left + width - 0.8, (top + HEAD + 1, top + HEAD - 1 + tall)
        canvas.plot([x - 0.7, x, x, x - 0.7], [ends[0]] * 2 + [ends[1]] * 2, color=RED, lw=0.6)
        write(canvas, x + 0.5, sum(ends) / 2 + 1.4, "*", TITLE, color=RED, weight="bold")


def stacks(rows):
    """Number of judges at each place of the accuracy axis, in bins of `BIN` centered on multiples."""
    found = {}
    for row in records(rows[rows["kind"] == "judges"]):
        place = round(row["value"] / BIN)
        found[place] = found.get(place, 0) + 1
    return found


def height_of_judges(rows, width):
    """Height that a panel of judges needs below its title (mm)."""
    most = max(stacks(rows).values())
    return 3 + (DOT * most if most <= MOST else HIGHEST) + 2 + AXIS


def judges(canvas, rows, left, top, width, height, look):
    """Draw each judge as a dot over their accuracy; above them all verdicts with their interval."""
    found = stacks(rows)
    most = max(found.values())
    tall = (DOT * most if most <= MOST else HIGHEST) + 2
    high = tall / DOT if most <= MOST else 1.08 * most
    axes = inset(canvas, left + 8, top + 3, width - 10, tall)
    # At least half of the scale, so that judges who agree look as if they did.
    low = min(0.2, BIN * min(found) - BIN)
    axes.set(xlim=(max(-0.03, low), 1.03), ylim=(0, high))
    axes.set_xticks([tick / 10 for tick in range(max(0, round(10 * low)), 11, 2)])
    axes.set_xlabel("Share of right verdicts", labelpad=1.5, size=SMALL)
    axes.set_ylabel("Judges", labelpad=2, size=SMALL)
    axes.tick_params(labelsize=SMALL)
    # Numbers in round steps, so far apart that they can be read.
    rounds = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in rounds if step * tall / high >= LINE[SMALL])
    axes.set_yticks(range(0, max(most, step) + 1, step) if most >= step else [most])
    axes.axvline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    for place, number in sorted(found.items()):
        if most <= MOST:
            for level in range(number):
                axes.plot(BIN * place, level + 0.5, "o", color=GROUPS[1], ms=3.2, mew=0, zorder=2)
        else:
            axes.bar(BIN * place, number, 0.9 * BIN, color=GROUPS[1], zorder=2)
    for row in records(rows[rows["kind"] == "mean"]):
        axes.plot(reach(row), [high - 0.02 * high] * 2, color=INK, linewidth=1, clip_on=False)
        axes.plot(row["value"], high - 0.02 * high, "v", color=INK, ms=4, clip_on=False)
        axes.axvline(row["value"], color=PALE, linewidth=0.6, zorder=0)
