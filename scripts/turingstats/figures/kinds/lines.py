"""Panel of a rate of each agent along a numeric condition."""

import math
from itertools import pairwise

from turingstats.core.errors import ConfigError
from turingstats.core.quantity_names import resolve_quantity
from turingstats.figures.kinds.base import PanelKind, format_range
from turingstats.figures.look import find_bounds, name_quantity
from turingstats.figures.pages import (
    LINE,
    SMALL,
    add_inset,
    find_bar_ends,
    list_records,
    measure_text,
    write_lines,
)
from turingstats.figures.palette import GREY
from turingstats.figures.picking import (
    label_agent,
    pick_estimate,
    select_cohort_rows,
)

LOGARITHMIC = "logarithmic scale"
"""Mark of lines whose x axis is logarithmic."""


class Lines(PanelKind):
    """A rate of each agent along a numeric condition, and over all its values."""

    kinds = ("lines",)
    counts_judges = True

    def select(self, panel, results, study, reading):
        """Select a rate of each agent along a numeric condition, and over all its values."""
        estimates = select_cohort_rows(results["estimates"], panel)
        outer, _, _ = panel.by.rpartition("+")
        start = f"{panel.level}/" if panel.level else ""
        along = estimates[
            (estimates["group_by"] == panel.by) & estimates["group"].str.startswith(start)
        ]
        whole = estimates[
            (estimates["group_by"] == (outer or "all"))
            & (estimates["group"] == (panel.level or "all"))
        ]
        rows = []
        for agent in panel.rows or panel.agents:
            quantity = resolve_quantity(panel.quantity, agent)
            along_what = panel.by.rpartition("+")[2]
            shared = {
                "group_by": panel.labels.get(along_what, along_what),
                "agent": agent,
                "agent_label": label_agent(agent, panel, study),
                "quantity": quantity,
                "mark": "logarithmic scale" if panel.scale == "logarithmic" else None,
            }
            for kind, table in (("lines", along), ("mean", whole)):
                mine = table[(table["agent"] == agent) & (table["quantity"] == quantity)]
                points = mine[mine["value"].notna()].to_dict("records")
                points = [
                    pick_estimate(row)
                    | shared
                    | {"kind": kind}
                    | ({"x": parse_level(row)} if kind == "lines" else {})
                    for row in points
                ]
                rows += sorted(points, key=lambda row: row.get("x", 0))
        return rows if any(row["kind"] == "lines" for row in rows) else []

    def share_scales(self, data, tight):
        """Compute the scale of each quantity."""
        points = data[data["kind"] == "lines"]
        names = points["quantity"].map(name_quantity)
        return {quantity: find_bounds(own, 0.4, 0.6) for quantity, own in points.groupby(names)}

    def measure_height(self, rows, width, look):
        """Measure the height below the title (mm)."""
        key = arrange_key(rows[rows["kind"] == "lines"], width)
        return len(key) * LINE[SMALL] + 1.5 + measure_chart_height(look) + 6.5

    def draw(self, canvas, rows, left, top, width, height, look):
        """Draw one line per agent with error bars, and the rate over all trials as a dashed line."""
        shown, means = rows[rows["kind"] == "lines"], rows[rows["kind"] == "mean"]
        agents = list(shown["agent"].unique())
        key = arrange_key(shown, width)
        for number, line in enumerate(key):
            for shift, agent, text in line:
                color, marker = look.find_series_style(agent)
                x, y = left + 9 + shift, top + 2 + number * LINE[SMALL]
                canvas.plot([x, x + 4], [y - 0.7] * 2, color=color, linewidth=1)
                canvas.plot(x + 2, y - 0.7, marker, color=color, ms=3)
                write_lines(canvas, x + 5, y, text, SMALL)
        axes = add_inset(
            canvas,
            left + 9,
            top + len(key) * LINE[SMALL] + 1.5,
            width - 10,
            measure_chart_height(look),
        )
        quantity = name_quantity(shown["quantity"].iloc[0])
        low, high = look.shared["lines"][quantity]
        along = math.log2 if shown["mark"].eq(LOGARITHMIC).any() else float
        labels = {along(x): f"{x:.0f}" for x in sorted(shown["x"].unique())}
        places = list(labels)
        step = min((b - a for a, b in pairwise(places)), default=1)
        margin = step if along is float else 0.4 * step
        axes.set(ylim=(low, high), xlim=(places[0] - margin, places[-1] + margin))
        axes.set_yticks([tick / 10 for tick in range(round(10 * low), round(10 * high) + 1, 2)])
        named = space_labels(places, axes.get_xlim(), width - 10)
        axes.set_xticks(named, [labels[place] for place in named])
        axes.set_xticks(places, minor=True)
        axes.set_xlabel(str(shown["group_by"].iloc[0]).capitalize(), labelpad=1.5, size=SMALL)
        axes.set_ylabel(quantity, labelpad=2, size=SMALL)
        axes.tick_params(labelsize=SMALL)
        if quantity == "Detectability":
            axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(1, 2), zorder=0)
        for row in list_records(means):
            axes.axhline(
                row["value"],
                color=look.find_series_style(row["agent"])[0],
                lw=0.6,
                dashes=(4, 3),
                zorder=1,
            )
        for number, agent in enumerate(agents):
            own = shown[shown["agent"] == agent]
            color, marker = look.find_series_style(agent)
            # Shift points sideways so that error bars do not overlap.
            apart = 0.5 if along is float else 0.15
            shift = apart * step * (number - (len(agents) - 1) / 2) / max(len(agents), 2)
            x = [along(place) + shift for place in own["x"]]
            axes.plot(x, own["value"], color=color, linewidth=1, zorder=2)
            for place, row in zip(x, list_records(own), strict=True):
                axes.plot([place] * 2, find_bar_ends(row), color=color, linewidth=0.7, zorder=2)
                axes.plot(place, row["value"], marker, color=color, ms=3, zorder=3, clip_on=False)

    def describe_sample(self, rows):
        """Describe the number of judges; if judges are not identified, the verdicts per point."""
        points = rows.loc[rows["kind"] == "lines", "n"].dropna()
        if rows["n_judges"].notna().any() or points.empty:
            return super().describe_sample(rows)
        return f"{format_range(points)} verdicts per point"

    def explain(self, data, foot):
        """Return sentences for the foot of the figure."""
        said = [f"Lines: error bars, {foot.error}; dashed, all trials together."]
        if (data.loc[data["kind"] == "lines", "quantity"] == "detectability").any():
            said.append(f"{foot.define_detectability()}Dotted line, chance.")
        return said


def measure_chart_height(look):
    """Return the height of the axes (mm)."""
    return 16 if look.tight else 20


def parse_level(row):
    """Parse the x value: the last level of a condition, which must be a number."""
    last = row["group"].rpartition("/")[2]
    try:
        return float(last)
    except ValueError:
        raise ConfigError(
            f"lines along {row['group_by']}: level {last!r} is not a number\n"
            "  fix: give `by` a condition with numeric levels, such as exchanges"
        ) from None


def space_labels(ticks, limits, width):
    """Choose ticks to label on an axis of a given width (mm), far enough apart to be readable."""
    unit, kept = (limits[1] - limits[0]) / width, []
    for tick in ticks:
        if not kept or tick - kept[-1] >= 4.5 * unit:
            kept.append(tick)
    return kept


def arrange_key(shown, width):
    """Arrange the key of the agents in lines: position (mm), agent and text of each entry."""
    key, shift = [[]], 0
    for row in list_records(shown.drop_duplicates("agent")):
        wide = 5 + measure_text(row["agent_label"], SMALL) + 3
        if key[-1] and shift + wide > width - 9:
            key, shift = [*key, []], 0
        key[-1].append((shift, row["agent"], row["agent_label"]))
        shift += wide
    return key
