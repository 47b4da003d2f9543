"""Properties shared by the panels of a figure: colors, scales, and phrases of its foot."""

import math
from typing import Any

import pandas as pd

from turingstats.figures.marks import Entry
from turingstats.figures.pages import find_bar_ends, list_records
from turingstats.figures.palette import MACHINES, PEOPLE, Style, find_style


class Look:
    """What the panels of a figure share: scales and the like by kind of panel, and styles of agents."""

    def __init__(self, data: pd.DataFrame, shared: dict[str, dict[str, Any]]) -> None:
        self.shared = shared
        series = data[data["kind"].isin(["lines", "scatter"])].drop_duplicates("agent")
        self.agents = {
            agent: find_style(role)
            for agent, role in zip(series["agent"], series["role"], strict=True)
            if isinstance(role, str)
        } | {"human": Style(PEOPLE, "o"), "all": Style(MACHINES, "s")}

    def find_series_style(self, agent: str) -> tuple[str, str]:
        """Find the color and marker of an agent's line or point, the same in all figures."""
        return self.agents[agent][:2]


def make_key(rows: pd.DataFrame, look: Look) -> list[Entry]:
    """Make the key of the agents of lines or points."""
    names = dict(zip(rows["agent"], rows["agent_label"], strict=True))
    styles = {agent: look.find_series_style(agent) for agent in names}
    return [
        (name, {"color": styles[agent][0], "marker": styles[agent][1], "linewidth": 1})
        for agent, name in names.items()
    ]


def find_bounds(rows: pd.DataFrame, low: float, high: float) -> tuple[float, float]:
    """Find the limits of a scale of shares in tenths, at least from `low` to `high` and within 0 and 1."""
    ends = [low, high]
    for row in list_records(rows):
        ends += find_bar_ends(row)
    return max(0, math.floor(10 * min(ends)) / 10), min(1, math.ceil(10 * max(ends)) / 10)


def format_percent(share: float) -> str:
    """Format a share in percent; nonzero shares are never 0%, and shares below 1 never 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"
