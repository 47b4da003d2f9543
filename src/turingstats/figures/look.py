"""Properties shared by the panels of a figure: colors, scales, and phrases of its foot."""

import math
from typing import Any

import pandas as pd

from turingstats.core.labels import (
    describe_correction,
    describe_family,
    find_alpha,
    join_with_or,
    name_test,
    pluralize_unit,
)
from turingstats.figures.marks import Key
from turingstats.figures.pages import find_bar_ends, list_records
from turingstats.figures.palette import MACHINES, PEOPLE, Style, find_style

QUANTITIES = {"p_HH": "Share judged human", "p_HM": "Share judged human"}
DETECTABILITY = (
    "Detectability: mean of the shares of human-made and machine-made items classified correctly."
)


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


def make_key(rows: pd.DataFrame, width: float, look: Look) -> Key:
    """Make the key of the agents of lines or points."""
    names = dict(zip(rows["agent"], rows["agent_label"], strict=True))
    styles = {agent: look.find_series_style(agent) for agent in names}
    entries = [
        (name, {"color": styles[agent][0], "marker": styles[agent][1], "linewidth": 1})
        for agent, name in names.items()
    ]
    return Key(entries, width)


class FigureNote:
    """Phrases used in the sentences of a figure's foot."""

    def __init__(self, data: pd.DataFrame, look: Look) -> None:
        self.look = look
        self.kinds = set(data["kind"])
        self.reading = data["reading"].iloc[0]
        self.interval = f"{data['level'].iloc[0]:.0%} interval"
        published = self.reading == "published"
        over = describe_errors_over(data["error_over"]) if "error_over" in data else ""
        independent = "standard error over verdicts, taken as independent"
        self.error = independent if published else f"{self.interval}{over}"
        self.lacking = "No standard error if there are too few judges."
        if not published:
            unlike = "or all verdicts are identical"
            self.lacking = f"No {self.interval} if there are too few judges and stimuli, {unlike}."

    def define_detectability(self) -> str:
        """Define detectability, unless charts of bars have already done so."""
        return "" if "bars" in self.kinds else f"{DETECTABILITY} "


def describe_errors_over(units: pd.Series) -> str:
    """Describe what errors are over, such as " over judges and stimuli"; empty where there is no error."""
    shown = [unit for unit in dict.fromkeys(units) if isinstance(unit, str) and unit]
    return f" over {', or over '.join(shown)}" if shown else ""


def find_bounds(rows: pd.DataFrame, low: float, high: float) -> tuple[float, float]:
    """Find the limits of a scale of shares in tenths, at least from `low` to `high` and within 0 and 1."""
    ends = [low, high]
    for row in list_records(rows):
        ends += find_bar_ends(row)
    return max(0, math.floor(10 * min(ends)) / 10), min(1, math.ceil(10 * max(ends)) / 10)


def name_quantity(quantity: str) -> str:
    """Name a quantity on an axis."""
    return QUANTITIES.get(quantity, str(quantity).capitalize())


def format_percent(share: float) -> str:
    """Format a share in percent; nonzero shares are never 0%, and shares below 1 never 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def explain_asterisk(rows: pd.DataFrame, color: str, meaning: str) -> str:
    """Explain an asterisk: test, unit, correction, threshold."""
    rows = rows.dropna(subset="p_adjusted")
    if rows.empty:
        return ""
    how = join_with_or(map(name_test, rows["test"].unique()))
    how += f" over {join_with_or(pluralize_unit(unit) for unit in rows['unit'].unique())}"
    if "welch_t_random" in set(rows["test"]):
        how += ", drawn once, so that another draw can move p across the threshold"
    alpha = find_alpha(rows["level"].iloc[0])
    correction = join_with_or(map(describe_correction, rows["correction"].unique()))
    correction = correction[:1].upper() + correction[1:]
    family = describe_families(rows)
    none = "" if (rows["p_adjusted"] < alpha).any() else "; none here"
    return f"{color} asterisk: {meaning} ({how}; {correction} p < {alpha:g}, {family}{none})."


def describe_families(rows: pd.DataFrame) -> str:
    """Describe how many tests were corrected together, by panel if panels differ."""
    if rows["family_size"].nunique() == 1:
        return describe_family(rows["family_size"])
    panels = {}
    for panel, size in zip(rows["panel"], rows["family_size"], strict=True):
        panels.setdefault(int(size), {})[panel] = None
    sizes = (f"{size} ({', '.join(panels[size])})" for size in sorted(panels))
    return f"family of {join_with_or(sizes)} tests"
