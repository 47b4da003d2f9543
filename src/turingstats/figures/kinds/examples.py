"""Panel of responses of people and agents to the same stimuli."""

import re
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from turingstats.config.study import Study
from turingstats.config.study.panels import ConversationPanel, ExamplesPanel
from turingstats.core.scan_paths import SCREEN, parse_scan_path
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.pages import BODY, LINE, SMALL, Place
from turingstats.figures.palette import GREY, INK, PALE, SERIES
from turingstats.figures.picking import describe_agent

PATH_END = "#c9d3e6"
"""Color of the last fixation of a scan path."""
WIDEST_PATH = 31  # width of a scan path, mm


class Examples(PanelKind):
    """Responses as a table: one row per stimulus, one column per agent."""

    kinds = ("examples",)

    def select(
        self, panel: ExamplesPanel, results: Results, study: Study, reading: Reading
    ) -> Rows:
        """Select responses of people and agents to the first stimuli that all responded to."""
        responses = results["responses"]
        responses = responses[responses["task"] == panel.task]
        agents = [a for a in panel.rows or ("human", *panel.agents) if a != "all"]
        stimuli = [
            stimulus
            for stimulus, present in responses.groupby("stimulus", sort=False)["agent"]
            if set(agents) <= set(present)
        ]
        rows = []
        for stimulus in stimuli[: panel.stimuli]:
            answers = responses[responses["stimulus"] == stimulus]
            for agent in agents:
                # Two responses show variation; more, or two scan paths, would crowd the figure.
                most = 1 if panel.show == "scan path" else 2
                place = (panel, study, name_stimulus(stimulus), agent)
                rows += [
                    describe_response(*place, panel.show, response)
                    for response in answers[answers["agent"] == agent]["response"][:most]
                ]
        return rows

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw responses as a table with one row per stimulus and one column per agent."""
        left, top, width = place
        agents = dict(zip(rows["agent"], rows["agent_label"], strict=True))
        names = map(str, rows["group"].unique())
        lead = min(24, 2 + max(map(pages.measure_text, names)))
        column = (width - lead) / len(agents)
        columns = {
            agent: Place(left + lead + number * column, top, column - 1.5)
            for number, agent in enumerate(agents)
        }
        heads = [pages.wrap_text(name, column - 1.5)[:2] for name in agents.values()]
        for head, at in zip(heads, columns.values(), strict=True):
            pages.write_lines(canvas, at.left, top + 2.4, head, weight="semibold")
        y = top + 1.5 + LINE[BODY] * max(map(len, heads))
        for stimulus, part in rows.groupby("group", sort=False):
            canvas.plot([left, left + width], [y, y], color=PALE, linewidth=0.5)
            name = pages.wrap_text(str(stimulus), lead - 2)
            pages.write_lines(canvas, left, y + 3.3, name, color=GREY)
            ends = []
            for agent, at in columns.items():
                below = y + 1
                for row in pages.list_records(part[part["agent"] == agent]):
                    below = draw_response(canvas, row, at._replace(top=below))
                ends.append(below)
            y = max(ends) + 1
        return y


class Conversation(Examples):
    """The turns of a conversation: one row per turn, one column per speaker."""

    kinds = ("conversation",)

    def select(  # type: ignore[override]
        self, panel: ConversationPanel, results: Results, study: Study, reading: Reading
    ) -> Rows:
        """Select the turns of the first conversation between exactly the named agents."""
        responses = results["responses"]
        turns = responses[(responses["task"] == panel.task) & responses["turn"].notna()]
        speakers = set(panel.rows or ("human", *panel.agents)) - {"all"}
        for stimulus, part in turns.groupby("stimulus", sort=False, observed=True):
            if set(part["agent"]) == speakers:
                place = (panel, study, stimulus)
                return [
                    describe_response(*place, row["agent"], "turn", row["response"])
                    | {"x": row["turn"]}
                    for row in part.sort_values("turn").to_dict("records")
                ]
        return []

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the turns as a table."""
        turns = rows.assign(group=rows["x"].map("{:.0f}".format))
        return super().draw(canvas, turns, place, scales)


def describe_response(
    panel: Any, study: Study, stimulus: str, agent: str, quantity: str, text: str
) -> dict[str, Any]:
    """Describe a response to a stimulus."""
    of = {"group_by": "stimulus", "group": stimulus, "quantity": quantity, "text": text}
    return of | describe_agent(agent, panel, study)


def name_stimulus(stimulus: str) -> str:
    """Name a stimulus: numbered images, such as 1098, 0001 or img001, as "Image 1098"."""
    number = re.fullmatch(r"(?:img|image)?[ _]?0*(\d+)", str(stimulus), re.IGNORECASE)
    return f"Image {number[1]}" if number else stimulus


def draw_response(canvas: Axes, row: dict[str, Any], place: Place) -> float:
    """Draw one response: a scan path, a color with its name, or a text; return where the next begins."""
    text, (left, top, width) = str(row["text"]), place
    if row["quantity"] == "scan path":
        wide = min(width, WIDEST_PATH)
        tall = wide * SCREEN[1] / SCREEN[0]
        draw_scan_path(pages.add_inset(canvas, left, top, wide, tall), text)
        return top + tall + 1
    if row["quantity"] == "color":
        known = matplotlib.colors.is_color_like(text)
        style = {"facecolor": text} if known else {"fill": False, "hatch": "/////"}
        pages.draw_box(canvas, left, top, 4.5, 3.4, edgecolor=PALE, **style)
        pages.write_lines(canvas, left + 5.5, top + 2.6, text, SMALL)
        return top + 4.4
    lines = pages.wrap_text(text, width, SMALL)
    pages.write_lines(canvas, left, top + 2.2, lines, SMALL)
    return top + len(lines) * LINE[SMALL] + 1


def draw_scan_path(axes: Axes, text: str) -> None:
    """Draw fixations, fading in their order, and the path between them on an empty screen."""
    axes.set(xlim=(0, SCREEN[0]), ylim=(SCREEN[1], 0), xticks=[], yticks=[], facecolor="#f4f4f4")
    axes.spines[:].set(visible=True, color=PALE, linewidth=0.4)
    path = parse_scan_path(text)
    x, y = np.clip(np.array(path, float), 0, SCREEN).T
    axes.plot(x, y, color=GREY, linewidth=0.4, clip_on=False)
    fade = matplotlib.colors.LinearSegmentedColormap.from_list("fade", [SERIES[0], PATH_END])
    colors = [to_rgba(INK), *map(fade, np.linspace(0, 1, len(path) - 1))]
    sizes = [9, *[4.8] * (len(path) - 1)]
    # Earlier fixations are in front, since later ones often crowd at an edge.
    axes.scatter(
        x[::-1], y[::-1], sizes[::-1], colors[::-1], linewidths=0,
        clip_on=False, zorder=3,
    )  # fmt: skip
