"""Panels of agents along a numeric condition, and against a score from the literature."""

import math
from collections.abc import Mapping
from itertools import pairwise
from operator import itemgetter
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import LinesPanel, ScatterPanel
from turingstats.core.errors import ConfigError
from turingstats.core.labels import format_range, format_with_noun, state_p, use_minus_signs
from turingstats.core.names import split_group
from turingstats.core.quantity_names import resolve_quantity
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.marks import Entry, draw_estimate, draw_key
from turingstats.figures.notes import name_quantity
from turingstats.figures.pages import LINE, SMALL, Place
from turingstats.figures.palette import GREY, MACHINES, PEOPLE, Style, find_style
from turingstats.figures.picking import describe_agent, pick_estimates, pick_test
from turingstats.figures.rows import DASHED, find_bounds, list_tenths

LOGARITHMIC = "logarithmic scale"
"""Mark of lines whose x axis is logarithmic."""
SIZE = 2.6  # diameter of points, pt
CHART = 20  # height of a chart, mm
TICKS = 9
"""Most levels that are named."""
SCORES = {"bleu4": "BLEU-4", "cider": "CIDEr"}
SCATTER = 42  # height of a scatter's axes, mm


class Lines(PanelKind):
    """A rate of each agent along a numeric condition, and over all its values."""

    kinds = ("lines",)
    counts_judges = True

    def select(self, panel: LinesPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select a rate of each agent along a numeric condition, and over all its values."""
        outer, _, condition = panel.by.rpartition("+")
        at_level = split_group(outer, panel.level) if panel.level else []
        rows = []
        for agent in panel.rows or panel.agents:
            quantity = resolve_quantity(panel.quantity, agent)
            # A model passes if it is chosen as the person.
            passed = study.tasks[panel.task].choice and agent != "human"
            shared = describe_agent(agent, panel, study) | {
                "group_by": panel.labels.get(condition, condition),
                "quantity": quantity,
                "mark": LOGARITHMIC if panel.scale == "logarithmic" else None,
                "text": "Pass rate" if passed else None,
            }
            along = pick_estimates(results, panel, agent, quantity, panel.by)
            points = [
                row | shared | {"kind": "lines", "x": parse_level(group, panel.by)}
                for group, row in along.items()
                if split_group(panel.by, group)[:-1] == at_level
            ]
            rows += sorted(points, key=itemgetter("x"))
            whole = pick_estimates(results, panel, agent, quantity, outer or "all")
            if (mean := whole.get(panel.level or "all")) is not None:
                rows.append(mean | shared | {"kind": "mean"})
        return rows if any(row["kind"] == "lines" for row in rows) else []

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the scale of each quantity."""
        points = data[data["kind"] == "lines"]
        names = points["quantity"].map(name_quantity)
        return {quantity: find_bounds(part, 0.4, 0.6) for quantity, part in points.groupby(names)}

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw one line per agent with error bars, and the rate over all trials as a dashed line."""
        left, top, width = place
        key = make_key(rows[rows["kind"] == "lines"])
        top = 1 + draw_key(canvas, key, left + 9, top, width - 9)
        axes = pages.add_inset(canvas, left + 9, top, width - 10, CHART)
        draw_chart(axes, rows, scales)
        axes.set_xlabel(str(rows["group_by"].iloc[0]).capitalize(), labelpad=1.5, size=SMALL)
        axes.set_ylabel(name_rate(rows), labelpad=2, size=SMALL)
        return top + CHART + 6.5

    def describe_sample(self, rows: pd.DataFrame) -> str:
        """Describe the number of judges; if judges are not identified, the verdicts per point."""
        points = rows.loc[rows["kind"] == "lines", "n"].dropna()
        if rows["n_judges"].notna().any() or points.empty:
            return super().describe_sample(rows)
        return f"{format_range(points)} verdicts per point"

    def collect_facts(self, rows: pd.DataFrame, scales: Scales) -> dict[str, Any]:
        return {"several": rows.groupby("panel")["agent"].nunique().max() > 1}


class Scatter(PanelKind):
    """Detectability of agents against a score."""

    kinds = ("scatter",)
    counts_judges = True

    def select(self, panel: ScatterPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select detectability of agents, a score from the literature, and the declared correlation."""
        benchmarks = results["benchmarks"]
        if benchmarks is None:
            return []
        score = benchmarks[benchmarks["measure"] == panel.score].set_index("agent")["value"]
        rows = [
            row
            | describe_agent(agent, panel, study)
            | {"quantity": "detectability", "x": score[agent], "text": panel.score}
            for agent in panel.agents
            if agent in score.index
            for row in pick_estimates(results, panel, agent, "detectability").values()
        ]
        if rows and (row := results["test_of"].get(panel.test)):
            correlation = {"kind": "correlation", "value": row["statistic"], "n": row["n1"]}
            rows.append(correlation | pick_test(panel.test, results))
        return rows

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the scale of detectability, the same in all panels."""
        return {"bounds": find_bounds(data[data["kind"] == "scatter"], 0.4, 0.7)}

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw agents' detectability against a score."""
        left, top, width = place.left + 9, place.top + LINE[SMALL] + 1, place.width - 12
        points = rows[rows["kind"] == "scatter"]
        axes = pages.add_inset(canvas, left, top, width, SCATTER)
        axes.margins(x=0.18)
        axes.set_ylim(*scales["bounds"])
        axes.set_yticks(list_tenths(*scales["bounds"]))
        score = points["text"].iloc[0]
        axes.set_xlabel(SCORES.get(score, score), labelpad=1.5)
        axes.set_ylabel("Detectability", labelpad=2)
        axes.axhline(0.5, **DASHED)
        for row in pages.list_records(points):
            (color, marker, _), ends = find_series_style(row), pages.find_bar_ends(row)
            draw_estimate(axes, row["x"], row["value"], ends, color, marker, tip=row["agent_label"])
        for row in pages.list_records(rows[rows["kind"] == "correlation"]):
            r = use_minus_signs(f"{row['value']:.3f}")
            text = f"r = {r}, {state_p(row['p'])}, {format_with_noun(row['n'], 'agent')}"
            pages.write_lines(canvas, left + width, top - 1.6, text, SMALL, ha="right", color=GREY)
        key = make_key(points)
        return 1 + draw_key(canvas, key, left, top + SCATTER + 9, place.width)


def name_rate(rows: pd.DataFrame) -> str:
    """Name the rate on the y axis: of choices, the pass rate of models."""
    rates = set(rows["text"].dropna())
    return rates.pop() if len(rates) == 1 else name_quantity(rows["quantity"].iloc[0])


def draw_chart(axes: Axes, rows: pd.DataFrame, scales: Scales) -> None:
    """Draw the lines of a chart."""
    points = rows[rows["kind"] == "lines"]
    agents = list(points["agent"].unique())
    low, high = scales[name_quantity(points["quantity"].iloc[0])]
    along = math.log2 if points["mark"].eq(LOGARITHMIC).any() else float
    labels = {along(x): f"{x:.0f}" for x in sorted(points["x"].unique())}
    ticks = list(labels)
    step = min((b - a for a, b in pairwise(ticks)), default=1)
    margin = step if along is float else 0.4 * step
    axes.set(ylim=(low, high), xlim=(ticks[0] - margin, ticks[-1] + margin))
    axes.set_yticks(list_tenths(low, high, 2))
    labeled = ticks[:: -math.ceil(len(ticks) / TICKS)]
    axes.set_xticks(labeled, [labels[at] for at in labeled])
    axes.set_xticks(ticks, minor=True)
    axes.tick_params(labelsize=SMALL)
    if points["quantity"].iloc[0] == "detectability":
        axes.axhline(0.5, **DASHED | {"dashes": (1, 2)})
    for row in pages.list_records(rows[rows["kind"] == "mean"]):
        style = find_series_style(row)
        axes.axhline(row["value"], color=style.color, lw=0.6, dashes=(4, 3), zorder=1)
    for number, (_, part) in enumerate(points.groupby("agent", sort=False)):
        color, marker, _ = find_series_style(part.iloc[0])
        # Shift points sideways so that error bars do not overlap.
        apart = 0.5 if along is float else 0.15
        shift = apart * step * (number - (len(agents) - 1) / 2) / max(len(agents), 2)
        x = [along(at) + shift for at in part["x"]]
        axes.plot(x, part["value"], color=color, linewidth=0.8, zorder=2)
        for at, row in zip(x, pages.list_records(part), strict=True):
            ends = pages.find_bar_ends(row)
            tip = f"{row['agent_label']} at {row['x']:g}"
            draw_estimate(axes, at, row["value"], ends, color, marker, tip=tip, ms=SIZE)


def parse_level(group: str, by: str) -> float:
    """Parse the x value: the last level of a condition, which must be a number."""
    last = split_group(by, group)[-1]
    try:
        return float(last)
    except ValueError:
        raise ConfigError(
            f"lines along {by}: level {last!r} is not a number\n"
            "  fix: give `by` a condition with numeric levels, such as exchanges"
        ) from None


def find_series_style(row: Mapping[str, Any]) -> Style:
    """Find the look of an agent's line or point, the same in all figures."""
    if isinstance(row["role"], str):
        return find_style(row["role"])
    return Style(PEOPLE, "o") if row["agent"] == "human" else Style(MACHINES, "s")


def make_key(rows: pd.DataFrame) -> list[Entry]:
    """Make the key of the agents of lines or points."""
    entries: list[Entry] = []
    for row in pages.list_records(rows.drop_duplicates("agent")):
        color, marker, _ = find_series_style(row)
        style = {"color": color, "marker": marker, "linewidth": 1}
        entries.append((row["agent_label"], style))
    return entries
