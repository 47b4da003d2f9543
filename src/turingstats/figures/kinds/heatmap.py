"""Panel of a rate at the levels of two crossed conditions, or of agents at the levels of one."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import HeatmapPanel
from turingstats.core.quantity_names import resolve_quantity
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.cells import (
    EXPLANATION,
    draw_cell,
    draw_empty_cell,
    measure_heads,
    wrap_heads,
    write_head,
)
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import DETECTABILITY, Foot, Look, name_quantity
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY
from turingstats.figures.picking import label_agent, pick_estimate, select_cohort_rows

WILSON = "\N{DAGGER}"
CELL, WIDEST = 10.2, 24  # height and maximum width of a cell, mm


class Heatmap(PanelKind):
    """A rate at each pair of levels."""

    kinds = ("heatmap",)

    def select(self, panel: HeatmapPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select a rate of one agent at each pair of levels of two conditions, such as domain+exchanges."""
        outer, _, inner = panel.by.partition("+")
        if not inner:
            return self.select_agents(panel, results, study)
        agent = panel.agents[0]
        quantity = resolve_quantity(panel.quantity, agent)
        estimates = select_cohort_rows(results["estimates"], panel)
        cells = estimates[
            (estimates["group_by"] == panel.by)
            & (estimates["agent"] == agent)
            & (estimates["quantity"] == quantity)
            & estimates["value"].notna()
        ]
        first = {level: index for index, level in enumerate(panel.levels)}

        def order(row: dict[str, Any]) -> tuple[int, str]:
            level = row["group"].partition("/")[0]
            return first.get(level, len(first)), level

        rows = []
        for row in sorted(cells.to_dict("records"), key=order):
            level, _, other = row["group"].partition("/")
            numbers = pick_estimate(row)
            if row["ci_low"] != row["ci_low"]:
                # If no one or everyone was misled, all resamples are identical.
                numbers |= {"ci_low": row["wilson_low"], "ci_high": row["wilson_high"]}
                numbers["mark"] = "Wilson"
            rows.append(
                numbers
                | {
                    "group_by": outer,
                    "group": panel.labels.get(level, level),
                    "agent": agent,
                    "agent_label": label_agent(agent, panel, study),
                    "quantity": quantity,
                    "x": float(other) if other.replace(".", "", 1).isdigit() else None,
                    "text": f"{other} {panel.labels.get(inner, inner)}",
                }
            )
        return rows

    def select_agents(self, panel: HeatmapPanel, results: Results, study: Study) -> Rows:
        """Select a rate of each agent (columns) at each level of a condition (rows)."""
        estimates = select_cohort_rows(results["estimates"], panel)
        estimates = estimates[
            (estimates["group_by"] == panel.by)
            & (estimates["quantity"] == panel.quantity)
            & estimates["value"].notna()
        ]
        labels = {name: agent.label for name, agent in study.agents.items()}
        rows = []
        # Declared levels come first, then those named like agents, then others.
        order = {level: at for at, level in enumerate((*panel.levels, *panel.agents))}
        levels = sorted(estimates["group"].unique(), key=lambda at: order.get(at, len(order)))
        for group in levels:
            for index, agent in enumerate(panel.agents):
                part = estimates[(estimates["group"] == group) & (estimates["agent"] == agent)]
                name = panel.labels.get(group, labels.get(group, group))
                if group == f"all but {agent}":
                    # Judges trained on all agents but the one judged are one row.
                    name = "All others"
                label = label_agent(agent, panel, study)
                shared = {"group_by": panel.by, "group": name, "quantity": panel.quantity}
                place = {"agent": agent, "agent_label": label, "x": float(index), "text": label}
                rows += [pick_estimate(row) | shared | place for row in part.to_dict("records")]
        return rows

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        columns = arrange_columns(rows, width)[2]
        return measure_heads(list(columns.values())) + CELL * rows["group"].nunique()

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw the cells, each with its rate, error and number of verdicts; those without any are hatched."""
        left, top, width, _ = box
        labels, wide, columns = arrange_columns(rows, width)
        top += measure_heads(list(columns.values()))
        for number, lines in enumerate(columns.values()):
            write_head(canvas, left + labels + (number + 0.5) * wide, top, lines)
        if (rows["group_by"] == "trained_on").all():
            pages.write_lines(canvas, left, top - 1.3, "Trained on", SMALL, color=GREY)
        cells = {(row["group"], row["text"]): row for row in pages.list_records(rows)}
        for down, name in enumerate(rows["group"].unique()):
            y = top + down * CELL
            lines = pages.wrap_text(str(name), labels - 1.5)
            first = y + CELL / 2 + 0.9 - LINE[BODY] * (len(lines) - 1) / 2
            pages.write_lines(canvas, left, first, lines)
            for number, column in enumerate(columns):
                place = Box(left + labels + number * wide, y, wide, CELL)
                if row := cells.get((name, column)):
                    dagger = WILSON if is_wilson(row) else ""
                    spread = pages.format_spread(row) + dagger or "no interval"
                    count = f"n = {row['n']:,.0f}"
                    draw_cell(canvas, place, row, f"{row['value']:.2f}", [spread, count])
                else:
                    draw_empty_cell(canvas, place)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "heatmap"]
        names = " and ".join(dict.fromkeys(map(name_quantity, shown["quantity"]))).lower()
        sentences = [f"Cells: {names}; in parentheses, {foot.error}; n, verdicts. {EXPLANATION}"]
        if names == "detectability":
            sentences.insert(0, DETECTABILITY)
        if (shown["group_by"] == "trained_on").any():
            sentences.append(
                "Columns, the model judged; hatched, the model that the judge was trained on."
            )
        if any(map(is_wilson, pages.list_records(shown))):
            sentences.append(f"{WILSON}: Wilson interval, if there is none from resampling.")
        if not all(map(pages.format_spread, pages.list_records(shown))):
            sentences.append(foot.lacking)
        return sentences


def arrange_columns(rows: pd.DataFrame, width: float) -> tuple[float, float, dict[str, list[str]]]:
    """Arrange the columns: width of the row names and of a column (mm), lines of each column's name."""
    names = list(rows.sort_values("x", kind="stable")["text"].astype(str).unique())
    heads = rows["group"].astype(str).unique()
    labels = min(0.4 * width, max(map(pages.measure_text, heads)) + 2)
    wide = min((width - labels) / len(names), WIDEST)
    return labels, wide, dict(zip(names, wrap_heads(names, wide), strict=True))


def is_wilson(row: dict[str, Any]) -> bool:
    """Tell whether the figure shows Wilson's interval of a rate."""
    return row["mark"] == "Wilson" and row["reading"] != "published"
