"""The kinds of panels, one module per kind.

To add a kind, add a module here, a line in `KINDS`, and a model in `turingstats.config.study.panels`.
"""

import pandas as pd

from turingstats.figures.kinds.bars import Bars
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.kinds.conversation import Conversation
from turingstats.figures.kinds.curve import Curve
from turingstats.figures.kinds.examples import Examples
from turingstats.figures.kinds.group_test import GroupTests
from turingstats.figures.kinds.heatmap import Heatmap
from turingstats.figures.kinds.intervals import Intervals
from turingstats.figures.kinds.judges import Judges
from turingstats.figures.kinds.lines import Lines
from turingstats.figures.kinds.listed import Listed
from turingstats.figures.kinds.matrix import Matrix
from turingstats.figures.kinds.no_data import NoData
from turingstats.figures.kinds.pie import Pie
from turingstats.figures.kinds.rating_curves import RatingCurves
from turingstats.figures.kinds.ratings import Ratings
from turingstats.figures.kinds.scatter import Scatter
from turingstats.figures.kinds.stimuli import Stimuli

__all__ = ["KINDS", "KIND_OF", "PanelKind", "find_kind"]

KINDS: tuple[PanelKind, ...] = (
    Matrix(),
    Pie(),
    Bars(),
    Intervals(),
    Listed(),
    Heatmap(),
    Judges(),
    Stimuli(),
    GroupTests(),
    Lines(),
    Scatter(),
    Curve(),
    Ratings(),
    RatingCurves(),
    Examples(),
    Conversation(),
    NoData(),
)
"""Kinds in the order in which the foot of a figure explains them."""

KIND_OF = {name: kind for kind in KINDS for name in kind.kinds}


def find_kind(rows: pd.DataFrame) -> PanelKind:
    """Find the kind of a panel from its rows of source data."""
    return next(KIND_OF[name] for name in rows["kind"] if name in KIND_OF)
