"""Panel of a rate at the levels of two crossed conditions, or of agents at the levels of one."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import HeatmapPanel
from turingstats.core.names import split_group
from turingstats.core.quantity_names import resolve_quantity
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.cells import Cell, CellRow, draw_cells
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.pages import Place
from turingstats.figures.picking import describe_agent, pick_estimates

WILSON = "\N{DAGGER}"
WIDEST = 24  # most width of a cell, mm


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
        estimates = pick_estimates(results, panel, agent, quantity, panel.by)
        first = {level: index for index, level in enumerate(panel.levels)}
        rows = []
        for group, row in estimates.items():
            level, column = split_group(panel.by, group)
            if row["ci_low"] != row["ci_low"]:
                # If no one or everyone was misled, all resamples are identical.
                ends = {"ci_low": row["wilson_low"], "ci_high": row["wilson_high"]}
                row = row | ends | {"mark": "Wilson"}
            place: dict[str, Any] = {"group_by": outer, "group": level, "quantity": quantity}
            place["x"] = float(column) if column.replace(".", "", 1).isdigit() else None
            place["text"] = f"{column} {panel.labels.get(inner, inner)}"
            rows.append(row | describe_agent(agent, panel, study) | place)
        rows.sort(key=lambda row: (first.get(row["group"], len(first)), row["group"]))
        return [row | {"group": panel.labels.get(row["group"], row["group"])} for row in rows]

    def select_agents(self, panel: HeatmapPanel, results: Results, study: Study) -> Rows:
        """Select a rate of each agent (columns) at each level of a condition (rows)."""
        quantity = resolve_quantity(panel.quantity, "all")
        estimates = {
            agent: pick_estimates(results, panel, agent, quantity, panel.by)
            for agent in panel.agents
        }
        labels, rows = study.agent_labels, []
        # Declared levels come first, then those named like agents, then others.
        order = {level: at for at, level in enumerate((*panel.levels, *panel.agents))}
        levels = dict.fromkeys(level for of in estimates.values() for level in of)
        for level in sorted(levels, key=lambda at: order.get(at, len(order))):
            for index, agent in enumerate(panel.agents):
                if level in estimates[agent]:
                    # Judges trained on all agents but the one judged are one row.
                    name = panel.labels.get(level, labels.get(level, level))
                    name = "All others" if level == f"all but {agent}" else name
                    shared = describe_agent(agent, panel, study) | {"group_by": panel.by}
                    place = {"group": name, "quantity": quantity, "x": float(index)}
                    place["text"] = shared["agent_label"]
                    rows.append(estimates[agent][level] | shared | place)
        return rows

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the cells, each with its rate, error and number of verdicts; those without any are hatched."""
        columns = list(rows.sort_values("x", kind="stable")["text"].unique())
        corner = "Trained on" if (rows["group_by"] == "trained_on").all() else ""
        lines = arrange_cells(rows, columns)
        return draw_cells(canvas, place, lines, list(map(str, columns)), corner, WIDEST)


def arrange_cells(rows: pd.DataFrame, columns: list[str]) -> list[CellRow]:
    """Arrange the cells: one row per level, one column per level of the other condition or per agent."""
    cells = {}
    for row in pages.list_records(rows):
        is_wilson = row["mark"] == "Wilson" and row["reading"] != "published"
        spread = pages.format_spread(row) + WILSON * is_wilson
        lines = [f"{row['value']:.2f}", spread or "no interval", f"n = {row['n']:,.0f}"]
        cells[row["group"], row["text"]] = Cell(row["value"], lines)
    return [
        CellRow(str(name), [cells.get((name, column)) for column in columns])
        for name in rows["group"].unique()
    ]
