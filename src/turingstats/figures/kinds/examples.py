"""Panel of responses of people and agents to the same stimuli."""

import re
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from turingstats.config.study import Study
from turingstats.config.study.panels import ExamplesPanel
from turingstats.core.scan_paths import SCREEN, parse_scan_path
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import FigureNote, Look
from turingstats.figures.pages import BODY, LINE, SMALL, Box
from turingstats.figures.palette import GREY, INK, PALE, SERIES
from turingstats.figures.picking import label_agent

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
                for response in answers[answers["agent"] == agent]["response"][:most]:
                    rows.append(
                        {
                            "group_by": "stimulus",
                            "group": name_stimulus(stimulus),
                            "agent": agent,
                            "agent_label": label_agent(agent, panel, study),
                            "quantity": panel.show,
                            "text": response,
                        }
                    )
        return rows

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        agents, _, column = measure_columns(rows, width)
        parts = (part for _, part in rows.groupby("group", sort=False))
        return measure_head(agents, column) + sum(
            measure_stimulus_row(part, column) for part in parts
        )

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw responses as a table with one row per stimulus and one column per agent."""
        left, top, width, _ = box
        agents, lead, column = measure_columns(rows, width)
        for number, name in enumerate(agents.values()):
            x = left + lead + number * column
            for line, text in enumerate(pages.wrap_text(name, column - 1.5)[:2]):
                pages.write_lines(canvas, x, top + 2.4 + line * LINE[BODY], text, weight="semibold")
        y = top + measure_head(agents, column)
        for stimulus, part in rows.groupby("group", sort=False):
            canvas.plot([left, left + width], [y, y], color=PALE, linewidth=0.5)
            pages.write_lines(
                canvas, left, y + 3.3, pages.wrap_text(str(stimulus), lead - 2), color=GREY
            )
            for number, agent in enumerate(agents):
                below = y + 1
                for row in pages.list_records(part[part["agent"] == agent]):
                    place = Box(left + lead + number * column, below, column - 1.5, 0)
                    draw_response(canvas, row, place)
                    below += measure_response(row, column - 1.5)
            y += measure_stimulus_row(part, column)

    def explain(self, data: pd.DataFrame, foot: FigureNote) -> list[str]:
        sentences = ["Responses of people and models; the images themselves are not available."]
        if data["text"].astype(str).str.startswith("[[").any():
            sentences.append(
                "Scan paths: the first fixation is black and larger, later ones are lighter; those outside "
                "the screen are drawn at its edge."
            )
        return sentences


def name_stimulus(stimulus: str) -> str:
    """Name a stimulus: numbered images, such as 1098, 0001 or img001, as "Image 1098"."""
    number = re.fullmatch(r"(?:img|image)?[ _]?0*(\d+)", str(stimulus), re.IGNORECASE)
    return f"Image {number[1]}" if number else stimulus


def measure_columns(rows: pd.DataFrame, width: float) -> tuple[dict[str, Any], float, float]:
    """Return the agents' labels, and the widths of the stimulus column and of an agent's column (mm)."""
    agents = dict(zip(rows["agent"], rows["agent_label"], strict=True))
    lead = min(24, 2 + max(pages.measure_text(str(name)) for name in rows["group"].unique()))
    return agents, lead, (width - lead) / len(agents)


def measure_head(agents: dict[str, str], column: float) -> float:
    """Measure the height of the agents' names (mm)."""
    return 1.5 + LINE[BODY] * max(
        min(2, len(pages.wrap_text(a, column - 1.5))) for a in agents.values()
    )


def measure_stimulus_row(responses: pd.DataFrame, column: float) -> float:
    """Measure the height of a stimulus's row (mm)."""
    heights = [measure_response(row, column - 1.5) for row in pages.list_records(responses)]
    return pd.Series(heights).groupby(responses["agent"].to_numpy()).sum().max() + 2


def measure_response(row: dict[str, Any], width: float) -> float:
    """Measure the height of a response with the space below it (mm)."""
    if row["quantity"] == "scan path":
        return min(width, WIDEST_PATH) * SCREEN[1] / SCREEN[0] + 1
    if row["quantity"] == "color":
        return 4.4
    return len(pages.wrap_text(str(row["text"]), width, SMALL)) * LINE[SMALL] + 1


def draw_response(canvas: Axes, row: dict[str, Any], place: Box) -> None:
    """Draw one response: a scan path, a color with its name, or a text."""
    text, (left, top, width, _) = str(row["text"]), place
    if row["quantity"] == "scan path":
        width = min(width, WIDEST_PATH)
        draw_scan_path(canvas, text, Box(left, top, width, width * SCREEN[1] / SCREEN[0]))
    elif row["quantity"] == "color":
        known = matplotlib.colors.is_color_like(text)
        style = {"facecolor": text} if known else {"fill": False, "hatch": "/////"}
        pages.draw_box(canvas, left, top, 4.5, 3.4, edgecolor=PALE, **style)
        pages.write_lines(canvas, left + 5.5, top + 2.6, text, SMALL)
    else:
        pages.write_lines(canvas, left, top + 2.2, pages.wrap_text(text, width, SMALL), SMALL)


def draw_scan_path(canvas: Axes, text: str, place: Box) -> None:
    """Draw fixations, fading in their order, and the path between them on an empty screen."""
    axes = pages.add_inset(canvas, *place)
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
