"""Panel of a confusion matrix: who made a response against what it was judged to be."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import MatrixPanel
from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.core.names import SLASH, join_names, split_level, split_names
from turingstats.core.yaml_models import Reading
from turingstats.data.printed_matrices import list_printed_rates
from turingstats.figures import pages
from turingstats.figures.cells import Cell, CellRow, LineStyle, draw_cells
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.pages import Place
from turingstats.figures.picking import describe_agent, explain_panel_absence, pick_estimates

HEADS = {"H": "Judged human", "M": "Judged machine", "U": "Unsure"}
"""Names of columns by their letter in the name of a rate."""

FRAMES: dict[str, LineStyle] = {"best imitator": "-", "alike": (0, (1, 1))}
"""Frames of the model most often judged human, and of those that may be as good, by their mark."""
WIDEST = 30  # most width of a cell, mm


class Matrix(PanelKind):
    """A confusion matrix."""

    kinds = ("matrix",)
    counts_judges = True

    def select(self, panel: MatrixPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select a confusion matrix, or that of the judge trained here if the paper's has no data."""
        cells = select_rates(panel, results, study)
        if not cells and panel.printed:
            return select_printed(panel, results["notebooks"], study)
        task = study.tasks[panel.task]
        cohort = task.cohorts.get(panel.instead)
        if cells or cohort is None:
            return cells
        own = {"cohort": panel.instead, "cohort_label": cohort.label, "title": cohort.label}
        own["judge_kind"] = cohort.judge_kind
        own["note"] = f"{explain_panel_absence(panel, task, results)}; trained here instead"
        trained = panel.model_copy(update={"cohort": panel.instead})
        return [row | own for row in select_rates(trained, results, study)]

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw a confusion matrix: who made a response (rows) against the verdict (columns)."""
        heads = [HEADS[verdict] for verdict in list_verdicts(rows)]
        return 0.8 + draw_cells(canvas, place, arrange_matrix(rows), heads, "Made by", WIDEST)


def select_printed(panel: MatrixPanel, printed: pd.DataFrame, study: Study) -> Rows:
    """Select the rates that figures of the paper print."""
    values = list_printed_rates(printed, panel.task, panel.cohort)
    note = "as the paper prints it; its predictions are not public"
    cells = []
    for agent in panel.rows or ("human", *panel.agents):
        for verdict in "HM":
            quantity = f"p_{verdict}{'H' if agent == 'human' else 'M'}"
            if (agent, quantity) in values:
                row = describe_agent(agent, panel, study) | {"group": None}
                row |= {"quantity": quantity, "value": values[agent, quantity]}
                cells.append(row | {"data": PRINTED_TABLE, "note": note})
    mark_best_imitators(cells)
    return cells


def select_rates(panel: MatrixPanel, results: Results, study: Study) -> Rows:
    """Select the rates of a confusion matrix, and mark the agent most often judged human."""
    cells = []
    for name in panel.rows or ("human", *panel.agents):
        agent, part = split_level(name, study.agents)
        by, level = find_row_level(panel, part)
        place = {"group_by": panel.by if part else None, "group": part or None}
        for verdict in "HMU":
            quantity = f"p_{verdict}{'H' if agent == 'human' else 'M'}"
            row = pick_estimates(results, panel, agent, quantity, by).get(level)
            if row is not None:
                described = describe_agent(name, panel, study) | {"quantity": quantity}
                cells.append(row | place | described)
    mark_best_imitators(cells)
    return cells


def mark_best_imitators(rows: list[dict[str, Any]]) -> None:
    """Mark the agent most often judged human, and those alike, in each group of several."""
    misjudged_rates = [row for row in rows if row["quantity"] == "p_HM" and row["agent"] != "all"]
    for group in dict.fromkeys(row["group"] for row in misjudged_rates):
        of_group = [row for row in misjudged_rates if row["group"] == group]
        if len(of_group) == 1:
            continue
        best = max(of_group, key=lambda row: row["value"])
        alike = {row["agent"] for row in of_group if is_as_good(row, best)}
        for row in rows:
            if row["group"] == group and row["agent"] in alike:
                is_best = row["agent"] == best["agent"]
                row["mark"] = "best imitator" if is_best else "alike"


def is_as_good(row: dict[str, Any], best: dict[str, Any]) -> bool:
    """Tell whether a rate is the best one, or below it by less than the standard error of the difference."""
    below = best["value"] - row["value"]
    # Printed rates have no error.
    return below == 0 or below < math.hypot(row.get("se", 0), best.get("se", 0))


def find_row_level(panel: MatrixPanel, part: str) -> tuple[str, str]:
    """Find the condition and level of a matrix row; a level of crossed conditions applies to all rows."""
    if not part:
        if not panel.level:
            return "all", "all"
        return panel.by.rpartition("+")[2] if panel.rows else panel.by, panel.level
    return panel.by, join_names([part, *split_names(panel.level or "", SLASH)], SLASH)


def list_verdicts(rows: pd.DataFrame) -> str:
    """List the first letters of the verdicts that occur."""
    return "HMU" if rows["quantity"].str.startswith("p_U").any() else "HM"


def arrange_matrix(rows: pd.DataFrame) -> list[CellRow]:
    """Arrange the cells of a matrix; parts of an agent, such as in one kind of conversation, are together."""
    verdicts = list_verdicts(rows)
    has_parts, whole = rows["group"].notna().any(), set(rows.loc[rows["group"].isna(), "agent"])
    lines, last = [], None
    for (agent, group), part in rows.groupby(["agent", "group"], sort=False, dropna=False):
        values = format_rates(part)
        cells = {
            row["quantity"][2]: Cell(
                row["value"],
                [values[row["quantity"]], pages.format_spread(row)],
                row["quantity"].startswith("p_U"),
            )
            for row in pages.list_records(part)
        }
        first = part.iloc[0]
        lines.append(
            CellRow(
                first["agent_label"], [cells.get(verdict) for verdict in verdicts],
                "" if pd.isna(first["n"]) else f"n = {first['n']:,.0f}",
                2 if group == group and agent in whole else 0, has_parts and last not in (None, agent),
                FRAMES.get(first["mark"], ""),
            )
        )  # fmt: skip
        last = agent
    return lines


def format_rates(rows: pd.DataFrame) -> dict[str, Any]:
    """Format the rates of a row with two decimals; machine is what human leaves, so that both add to 1."""
    # Halves are rounded up, also where their binary fractions are slightly below.
    rounded = {row["quantity"]: round(row["value"] + 1e-9, 2) for row in pages.list_records(rows)}
    for name in [name for name in rounded if name.startswith("p_H")]:
        machine = name.replace("p_H", "p_M")
        if machine in rounded:
            rounded[machine] = 1 - rounded[name]
    return {name: f"{value:.2f}" for name, value in rounded.items()}
