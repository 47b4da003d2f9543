"""Panel of estimates listed vertically, as points with intervals."""

import re
from typing import Any

import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import IntervalsPanel
from turingstats.core.labels import find_alpha
from turingstats.core.yaml_models import Reading
from turingstats.figures.kinds.base import Results, Rows, RowsKind, Scales
from turingstats.figures.pages import find_bar_ends, list_records
from turingstats.figures.palette import GREY, INK, SERIES, Style
from turingstats.figures.picking import (
    describe_agent,
    pick_estimates,
    pick_test,
    select_cohort_rows,
)
from turingstats.figures.rows import Chart, Mark, Row, RowTable, find_bounds, list_tenths

RIGHT = "Share judged right"
"""Axis of shares classified correctly."""
ONE_SIDED = {"people not shown": "p_MM", "machines not shown": "p_HH"}
"""Marks of estimates of one kind of response alone, and the share that is shown."""


class Intervals(RowsKind):
    """Detectability, or shares classified correctly, with intervals."""

    kinds = ("intervals",)
    counts_judges = True

    def select(
        self, panel: IntervalsPanel, results: Results, study: Study, reading: Reading
    ) -> Rows:
        """Select detectability by agent or level with p against chance, or shares classified correctly."""
        if panel.quantity == "right":
            return select_correct_shares(panel, results, study)
        by, rows = panel.by or "all", []
        for agent in panel.agents:
            rates, people, strict = (
                pick_estimates(results, panel, whose, quantity, by)
                for whose, quantity in (
                    (agent, "detectability"), ("human", "p_HH"), (agent, "identified"),
                )
            )  # fmt: skip
            shares = pick_estimates(results, panel, agent, "p_MM", by)
            # People's responses at a level are shown once, with the first agent.
            people = people if panel.by and agent == panel.agents[0] else {}
            choices = {None: rates, "people not shown": shares, "machines not shown": people}
            for level in panel.levels or list_levels(results["estimates"], panel):
                mark = next((mark for mark in choices if level in choices[mark]), "")
                if mark == "":
                    continue
                shared = describe_agent(agent, panel, study) | {"group_by": panel.by}
                shared["group"] = level if panel.by else None
                quantity = ONE_SIDED.get(mark, "detectability")
                if study.tasks[panel.task].choice:
                    # Detectability of choices is the share of right ones.
                    quantity = "accuracy"
                test = f"{panel.chance_test}.{agent}" + (f".{level}" if panel.by else "")
                more = {"mark": mark} if mark else pick_test(test, results)
                rows.append(choices[mark][level] | shared | {"quantity": quantity} | more)
                # Without unsure verdicts there is no such estimate.
                if level in strict:
                    identified = {"kind": "identified", "quantity": "identified"}
                    rows.append(strict[level] | shared | identified)
            between = pick_test(f"{panel.group_test}.{agent}", results)
            if between and rows:
                group_test = {"kind": "group test", "group_by": panel.by}
                rows.append(group_test | describe_agent(agent, panel, study) | between)
        return rows

    def explain_absence(self, panel: IntervalsPanel, task: Task, results: Results) -> str:
        """Explain that the cohort has verdicts, but none that detectability could be computed from."""
        estimates = select_cohort_rows(results["estimates"], panel)
        judged = estimates[(estimates["n"] > 0) & (estimates["group_by"] == "all")]
        if judged.empty:
            return super().explain_absence(panel, task, results)
        agents = set(judged["agent"]) - {"all"}
        if agents == {"human"}:
            return "no machine's responses were shown to these judges"
        if panel.by and (estimates["group_by"] != panel.by).all():
            return f"no verdict has a level of {panel.by.replace('_', ' ')}"
        return "no verdicts human or machine on these responses"

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the scales of shares and of detectability, each the same in all panels."""
        estimates = data[data["kind"].isin(["intervals", "identified"])]
        axes = {panel: name_axis(part) for panel, part in estimates.groupby("panel")}
        titles = estimates["panel"].map(axes)
        least = {RIGHT: (0.3, 0.8)}
        return {
            title: find_bounds(part, *least.get(title, (0.4, 0.7)))
            for title, part in estimates.groupby(titles)
        }

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange a row per estimate, with the one that counts unsure verdicts in gray."""
        estimates = list_records(rows[rows["kind"] == "intervals"])
        strict = {
            (row["agent"], name_estimate(row)): row
            for row in list_records(rows[rows["kind"] == "identified"])
        }
        lines, alpha = [], find_alpha(rows["level"].iloc[0])
        for row in estimates:
            is_pooled = row["agent"] == "all" and not is_in_group(row)
            shape = "s" if row["mark"] == "machines not shown" else "D" if is_pooled else "o"
            style = Style(INK if is_pooled else SERIES[0], shape, row["mark"] not in ONE_SIDED)
            texts, is_starred = [f"{row['n']:,.0f}"], row["p_adjusted"] < alpha
            marks = [Mark(row["value"], find_bar_ends(row), style, texts, is_starred)]
            if wrong := strict.get((row["agent"], name_estimate(row))):
                name = f"{name_estimate(row)}, unsure as wrong"
                marks.append(Mark(wrong["value"], find_bar_ends(wrong), Style(GREY), name=name))
            lines.append(Row(name_estimate(row), marks))
        differ = (rows.loc[rows["kind"] == "group test", "p_adjusted"] < alpha).any()
        brackets = [(0, len(lines) - 1)] if differ else []
        title = name_axis(rows)
        low, high = limits = scales[title]
        ticks = list_tenths(low, high, 1 if high - low < 0.45 else 2)
        chart = Chart(limits, 0.5, title, heads=["verdicts"], ticks=ticks)
        return RowTable(lines, [chart], brackets=brackets)


def list_levels(estimates: pd.DataFrame, panel: IntervalsPanel) -> list[str]:
    """List the levels of a panel's condition in the order that all panels of its task share."""
    is_asked = (estimates["task"] == panel.task) & (estimates["group_by"] == (panel.by or "all"))
    levels = [str(level) for level in dict.fromkeys(estimates.loc[is_asked, "group"])]
    if all(re.fullmatch(r"[\d.]+", level) for level in levels):
        levels.sort(key=float)
    return levels


def select_correct_shares(panel: IntervalsPanel, results: Results, study: Study) -> Rows:
    """Select the shares classified correctly of people's, each agent's, and all responses in one group."""
    by, group = (panel.by, panel.level) if panel.by else ("all", "all")
    asked = [("human", "p_HH"), *((agent, "p_MM") for agent in panel.agents), ("all", "accuracy")]
    rows = []
    for agent, quantity in asked:
        row = pick_estimates(results, panel, agent, quantity, by).get(group)
        if row is not None:
            rows.append(row | describe_agent(agent, panel, study) | {"quantity": quantity})
            # The accuracy for one agent and people together is a different number.
            if quantity == "accuracy":
                rows[-1]["agent_label"] = "All verdicts"
    return rows


def name_estimate(row: dict[str, Any]) -> str:
    """Name an estimate by its level or group, or else by its agent."""
    if not is_in_group(row):
        return str(row["agent_label"])
    # Numeric levels are read as numbers from a CSV file.
    group = row["group"]
    return f"{group:g}" if isinstance(group, int | float) else str(group)


def is_in_group(row: dict[str, Any]) -> bool:
    """Tell whether an estimate belongs to a level or group, rather than to all trials."""
    return row["group"] is not None and row["group"] == row["group"]


def name_axis(rows: pd.DataFrame) -> str:
    """Name the axis of a panel of intervals."""
    return RIGHT if (rows["quantity"] == "accuracy").any() else "Detectability"
