"""Panel of the turns of a conversation."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import ConversationPanel
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Look
from turingstats.figures.pages import LINE, SMALL, Place
from turingstats.figures.palette import GREY, MACHINES, PEOPLE
from turingstats.figures.picking import label_agent

BETWEEN = 6  # space between the two columns of a conversation, mm


class Conversation(PanelKind):
    """The turns of a conversation in two columns."""

    kinds = ("conversation",)

    def select(
        self, panel: ConversationPanel, results: Results, study: Study, reading: Reading
    ) -> Rows:
        """Select the turns of the first conversation between exactly the named agents."""
        responses = results["responses"]
        turns = responses[(responses["task"] == panel.task) & responses["turn"].notna()]
        speakers = set(panel.rows or ("human", *panel.agents)) - {"all"}
        for stimulus, part in turns.groupby("stimulus", sort=False, observed=True):
            if set(part["agent"]) == speakers:
                return [
                    {
                        "group_by": "stimulus",
                        "group": stimulus,
                        "agent": row["agent"],
                        "agent_label": label_agent(row["agent"], panel, study),
                        "quantity": "turn",
                        "x": row["turn"],
                        "text": row["response"],
                    }
                    for row in part.sort_values("turn").to_dict("records")
                ]
        return []

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, look: Look) -> float:
        """Draw the turns of a conversation in two columns, each with its number and speaker."""
        left, top, width = place
        name, line = find_text_offset(rows)
        across, ends = (width - BETWEEN) / 2, []
        for number, column in enumerate(split_turns(rows, across - name - 1)):
            x, y = left + number * (across + BETWEEN), top + 1
            for turn, lines in column:
                person = turn["agent"] == "human"
                tall, base = len(lines) * LINE[SMALL] + 1.2, y + line
                if person:
                    ground = {"facecolor": "#f1f4f8", "edgecolor": "none"}
                    pages.draw_box(canvas, x, y, across, tall - 0.4, **ground)
                count = f"{turn['x']:.0f}"
                pages.write_lines(canvas, x + 3.5, base, count, SMALL, ha="right", color=GREY)
                style = {"color": PEOPLE if person else MACHINES, "weight": "semibold"}
                pages.write_lines(canvas, x + 4.5, base, turn["agent_label"], SMALL, **style)
                pages.write_lines(canvas, x + name, base, lines, SMALL)
                y += tall
            ends.append(y)
        return max(ends) + 1


def find_text_offset(rows: pd.DataFrame) -> tuple[float, float]:
    """Return the offset of texts in a column, right of the longest name and below the top (mm)."""
    names = rows["agent_label"].astype(str).unique()
    return 6.5 + max(pages.measure_text(name, SMALL, "semibold") for name in names), 2.3


def split_turns(
    rows: pd.DataFrame, width: float
) -> tuple[list[tuple[dict[str, Any], list[str]]], list[tuple[dict[str, Any], list[str]]]]:
    """Split the turns, with wrapped texts, into two columns of about equal height."""
    turns = [
        (row, pages.wrap_text(str(row["text"]), width, SMALL)) for row in pages.list_records(rows)
    ]
    cuts = range(len(turns) + 1)
    cut = min(cuts, key=lambda at: max(measure_turns(turns[:at]), measure_turns(turns[at:])))
    return turns[:cut], turns[cut:]


def measure_turns(column: list[tuple[dict[str, str], list[str]]]) -> float:
    """Measure the height of a column of turns (mm)."""
    return sum(len(lines) * LINE[SMALL] + 1.2 for _, lines in column)
