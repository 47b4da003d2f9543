"""Panel of single responses: how often each was judged human, by agent."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import PlainPanel
from turingstats.core.labels import format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import Box, list_records
from turingstats.figures.palette import INK, MACHINES, PALE, PEOPLE
from turingstats.figures.picking import label_agent, select_cohort_rows
from turingstats.figures.rows import HEAD, NamedRows, list_tenths

MEAN = "mean of responses"
BIN = 0.05  # of the share judged human
MIN_VERDICTS = 3  # responses with fewer are left out
ROW = 8  # height of an agent's row, mm


class Stimuli(PanelKind):
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
            shared = {
                "agent": agent,
                "agent_label": label_agent(agent, panel, study),
                "quantity": "called human",
                "unit": "response",
                "x": MIN_VERDICTS,
            }
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
            judged = len(select_cohort_rows(results["counts"], panel))
            absent = super().explain_absence(panel, task, results)
            return "the source does not name stimuli" if judged else absent
        most = int(table["n"].max())
        return f"no response has {MIN_VERDICTS} verdicts or more (at most {most})"

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        return name_rows(rows, width).height

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw a histogram of each agent's responses, and their mean."""
        named = name_rows(rows, box.width)
        axes, middles = named.draw(canvas, box, (-0.04, 1.04), "Share judged human", 0.5)
        axes.set_xticks(list_tenths(0, 1, 2))
        parts = rows[rows["kind"] == "stimuli"].groupby("agent", sort=False)
        for (agent, part), middle, height in zip(parts, middles, named.heights, strict=True):
            named.write_count(canvas, box.top + HEAD + middle, f"{len(part):,.0f}")
            base = middle + height / 2 - 0.7
            color = PEOPLE if agent == "human" else MACHINES
            draw_counts(axes, part["value"], base, height - 1.5, color)
            axes.axhline(base, color=PALE, linewidth=0.5, zorder=0)
            (mean,) = list_records(rows[(rows["kind"] == MEAN) & (rows["agent"] == agent)])
            style = {"color": INK, "ms": 3.4, "mew": 0, "clip_on": False, "zorder": 4}
            (mark,) = axes.plot(mean["value"], base + 0.25, "^", **style)
            title_mark(mark, describe_number(mean | {"quantity": "mean share judged human"}))

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "stimuli"]
        least = shown["x"].min()
        return [
            f"Bars, each row with its own scale: number of responses with {least:g} verdicts or more, in "
            f"steps of {BIN}; triangle, mean over these responses; dashed line, 0.5."
        ]


def name_rows(rows: pd.DataFrame, width: float) -> NamedRows:
    """Name the agents of a panel, and count their responses."""
    parts = rows[rows["kind"] == "stimuli"].groupby("agent", sort=False)
    names = list(parts["agent_label"].first())
    counts = [f"{n:,.0f}" for n in parts.size()]
    return NamedRows(names, counts, "responses", width, [ROW] * len(names))


def draw_counts(axes: Axes, shares: pd.Series, base: float, tall: float, color: str) -> None:
    """Draw how many responses have about the same share, as bars above a line (`base`, mm from the top)."""
    counts = (shares / BIN).round().value_counts()
    for at, number in counts.items():
        high = tall * number / counts.max()
        (bar,) = axes.bar(BIN * at, -high, 0.85 * BIN, base, color=color, zorder=2)
        responses = format_with_noun(number, "response")
        title_mark(bar, f"{responses} judged human in about {BIN * at:.0%} of verdicts")
