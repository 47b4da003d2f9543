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
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Look
from turingstats.figures.pages import Place
from turingstats.figures.picking import label_agent, pick_estimate, select_cohort_rows

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
        estimates = select_cohort_rows(results["estimates"], panel)
        cells = estimates[
            (estimates["group_by"] == panel.by)
            & (estimates["agent"] == agent)
            & (estimates["quantity"] == quantity)
            & estimates["value"].notna()
        ]
        first = {level: index for index, level in enumerate(panel.levels)}

        def order(row: dict[str, Any]) -> tuple[int, str]:
            level = split_group(panel.by, row["group"])[0]
            return first.get(level, len(first)), level

        rows = []
        for row in sorted(cells.to_dict("records"), key=order):
            level, other = split_group(panel.by, row["group"])
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
        quantity = resolve_quantity(panel.quantity, "all")
        estimates = estimates[
            (estimates["group_by"] == panel.by)
            & (estimates["quantity"] == quantity)
            & estimates["value"].notna()
        ]
        labels = study.agent_labels
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
                shared = {"group_by": panel.by, "group": name, "quantity": quantity}
                place = {"agent": agent, "agent_label": label, "x": float(index), "text": label}
                rows += [pick_estimate(row) | shared | place for row in part.to_dict("records")]
        return rows

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, look: Look) -> float:
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
