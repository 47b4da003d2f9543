"""Tests between groups of judges, drawn into panels of bars and intervals."""

import pandas as pd

from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import Foot, explain_asterisk


class GroupTests(PanelKind):
    """Explanation of the asterisks between groups."""

    kinds = ("group test",)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        tests = data[data["kind"] == "group test"]
        return [explain_asterisk(tests, "Red", "groups differ")]
