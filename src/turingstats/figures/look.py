"""Looks and key of lines and points of agents, and limits of scales."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from turingstats.figures.marks import Entry
from turingstats.figures.pages import find_bar_ends, list_records
from turingstats.figures.palette import MACHINES, PEOPLE, Style, find_style


def find_series_style(row: Mapping[str, Any]) -> Style:
    """Find the look of an agent's line or point, the same in all figures."""
    if isinstance(row["role"], str):
        return find_style(row["role"])
    return Style(PEOPLE, "o") if row["agent"] == "human" else Style(MACHINES, "s")


def make_key(rows: pd.DataFrame) -> list[Entry]:
    """Make the key of the agents of lines or points."""
    entries: list[Entry] = []
    for row in list_records(rows.drop_duplicates("agent")):
        color, marker, _ = find_series_style(row)
        style = {"color": color, "marker": marker, "linewidth": 1}
        entries.append((row["agent_label"], style))
    return entries


def find_bounds(rows: pd.DataFrame, low: float, high: float) -> tuple[float, float]:
    """Find the limits of a scale of shares in tenths, at least from `low` to `high` and within 0 and 1."""
    ends = [low, high]
    for row in list_records(rows):
        ends += find_bar_ends(row)
    return max(0, math.floor(10 * min(ends)) / 10), min(1, math.ceil(10 * max(ends)) / 10)
