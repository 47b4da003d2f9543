"""Panel of single responses: how often each was judged human, by agent."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import PlainPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures.kinds.base import Results, Rows, RowsKind, Scales
from turingstats.figures.pages import Place, list_records
from turingstats.figures.palette import INK, MACHINES, PALE, PEOPLE, Style
from turingstats.figures.picking import describe_agent, select_cohort_rows
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_table, list_tenths

MEAN = "mean of responses"
STEP = 0.05  # of the share judged human
HIGHEST = 12
"""Most dots above each other."""
MIN_VERDICTS = 3  # responses with fewer are left out
ROW = 8  # height of an agent's row, mm


class Stimuli(RowsKind):
    """Share judged human of each response."""

    kinds = ("stimuli",)
    keys = PlainPanel

    def select(self, panel: PlainPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the share judged human of each response with enough verdicts, and the agent's mean."""
        table = select_cohort_rows(results["stimuli"], panel)
        table = table[table["n"] >= MIN_VERDICTS]
        rows = []
        for agent in panel.rows or ("human", *panel.agents):
            part = table[
                (table["agent"] == agent) | ((agent == "all") & (table["agent"] != "human"))
            ]
            if part.empty:
                continue
            shared = describe_agent(agent, panel, study) | {"quantity": "called human"}
            shared |= {"unit": "response", "x": MIN_VERDICTS}
            names = part["stimulus"].astype(str).str.cat(part["side"].fillna("").astype(str), "/")
            shares = 1 - part["share"]
            rows += [
                shared | {"group_by": "stimulus", "group": name.rstrip("/"), "value": share, "n": n}
                for name, share, n in zip(names, shares, part["n"], strict=True)
            ]
            rows.append(shared | {"kind": MEAN, "value": shares.mean(), "n": len(part)})
        return rows

    def explain_absence(self, panel: PlainPanel, task: Task, results: Results) -> str:
        """Explain that the cohort has no response with enough verdicts, if it has any."""
        table = select_cohort_rows(results["stimuli"], panel)
        if table.empty:
            judged = len(select_cohort_rows(results["sizes"], panel))
            absent = super().explain_absence(panel, task, results)
            return "the source does not name stimuli" if judged else absent
        most = int(table["n"].max())
        return f"no response has {MIN_VERDICTS} verdicts or more (at most {most})"

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute how many responses a dot stands for, and the most dots above each other, in all panels."""
        steps = (data.loc[data["kind"] == "stimuli", "value"] / STEP).round()
        panels = data.loc[steps.index, ["panel", "agent"]].assign(step=steps)
        most = panels.value_counts().max()
        of_dot = math.ceil(most / HIGHEST)
        return {"of_dot": of_dot, "highest": math.ceil(most / of_dot)}

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange a row per agent, with room for its dots and the number of its responses."""
        lines = []
        for row in list_records(rows[rows["kind"] == MEAN]):
            mean = Mark(row["value"], (math.nan, math.nan), Style(INK, "|"), [f"{row['n']:,.0f}"])
            lines.append(Row(row["agent_label"], [mean]))
        limits, ticks = (-0.04, 1.04), list_tenths(0, 1, 2)
        chart = Chart(limits, 0.5, "Share judged human", heads=["responses"], ticks=ticks)
        return RowTable(lines, [chart], row=ROW)

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw each agent's responses as columns of dots above a line, and their mean."""
        (axes,), middles, heights, bottom = draw_table(canvas, self.arrange(rows, scales), place)
        by_agent = rows[rows["kind"] == "stimuli"].groupby("agent", sort=False)
        of_dot = scales["of_dot"]
        apart = min(0.9, (ROW - 1.7) / scales["highest"])
        for (agent, part), middle, height in zip(by_agent, middles, heights, strict=True):
            base = middle + height / 2 - 0.7
            counts = (part["value"] / STEP).round().value_counts().sort_index()
            dots = [(STEP * at, n) for at, k in counts.items() for n in range(-(-k // of_dot))]
            x, y = np.transpose(dots)
            style = {"ms": 2.3 * apart, "mew": 0, "color": PEOPLE if agent == "human" else MACHINES}
            axes.plot(x, base - 0.5 - y * apart, "o", **style)
            axes.axhline(base, color=PALE, linewidth=0.5, zorder=0)
        return bottom

    def collect_facts(self, rows: pd.DataFrame, scales: Scales) -> dict[str, Any]:
        return {"of_dot": scales["of_dot"]}
