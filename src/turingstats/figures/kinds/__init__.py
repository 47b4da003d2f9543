"""The kinds of panels: whatever module of this folder has a subclass of `PanelKind`."""

import pandas as pd

from turingstats.core.code_dependencies import import_modules
from turingstats.figures.kinds.base import PanelKind

__all__ = ["KINDS", "KIND_OF", "PanelKind", "find_kind"]

ORDER = (
    "matrix", "pie", "bars", "intervals", "listed", "heatmap", "stimuli", "group test", "lines",
    "scatter", "ratings", "rating curves", "examples", "conversation",
)  # fmt: skip
"""Kinds in the order in which the foot of a figure explains them; others follow."""


def collect_kinds() -> list[PanelKind]:
    """Collect the kinds of panels, in their order."""
    kinds = [
        declared()
        for module in import_modules(__name__)
        for declared in vars(module).values()
        if isinstance(declared, type) and declared.__module__ == module.__name__
        if issubclass(declared, PanelKind) and declared.kinds
    ]
    return sorted(kinds, key=lambda kind: (*ORDER, kind.kinds[0]).index(kind.kinds[0]))


KINDS = collect_kinds()

KIND_OF = {name: kind for kind in KINDS for name in kind.kinds}


def find_kind(rows: pd.DataFrame) -> PanelKind:
    """Find the kind of a panel from its rows of source data."""
    return next(KIND_OF[name] for name in rows["kind"] if name in KIND_OF)
