"""Base class of panel kinds, which select their numbers and draw them."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import AnyPanel
from turingstats.core.labels import format_range
from turingstats.core.yaml_models import Reading
from turingstats.figures.pages import Place
from turingstats.figures.picking import explain_panel_absence
from turingstats.figures.rows import RowTable, draw_table

Results = dict[str, pd.DataFrame]
"""Tables of results by name."""
Rows = list[dict[str, Any]]
"""Rows of source data."""
Scales = dict[Any, Any]
"""What the panels of a kind share in a figure, such as the limits of their axes."""


class PanelKind:
    """A kind of panel, without state."""

    # Values of `kind` in study files and source data.
    kinds: tuple[str, ...] = ()
    # The model of keys that a kind shares with others; it follows `kinds`, where study files look for it.
    keys: type[AnyPanel] | None = None
    # Whether the number of judges is shown below the title.
    counts_judges: bool = False

    def select(self, panel: Any, results: Results, study: Study, reading: Reading) -> Rows:
        """Select the numbers that a panel shows, as rows of the source data; empty if there are none."""
        raise NotImplementedError(f"nothing is picked for {self.kinds}")

    def explain_absence(self, panel: Any, task: Task, results: Results) -> str:
        """Explain in a few words why `select` found no numbers."""
        return explain_panel_absence(panel, task, results)

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute what the panels of a figure share."""
        return {}

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the rows of a panel at a place of the page, and return where they end (mm)."""
        raise NotImplementedError(f"{self.kinds} is drawn by other panels")

    def collect_facts(self, rows: pd.DataFrame, scales: Scales) -> dict[str, Any]:
        """Collect what the sentences of the kind (`templates/figure_notes.txt`) ask for besides the rows."""
        return {}

    def describe_sample(self, rows: pd.DataFrame) -> str:
        """Describe the number of judges; empty for a single machine judge, which the title names."""
        numbers = rows["n_judges"].dropna()
        if not self.counts_judges or numbers.empty:
            return ""
        if rows["judge_kind"].iloc[0] != "human" and numbers.max() == 1:
            return ""
        return format_range(numbers) + (" judge" if numbers.max() == 1 else " judges")


class RowsKind(PanelKind):
    """A kind of panel that is a table of rows."""

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange the rows of source data as rows of a table."""
        raise NotImplementedError(f"nothing is arranged for {self.kinds}")

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw the table."""
        return draw_table(canvas, self.arrange(rows, scales), place).bottom
