"""Any figure without its own module: panels in the layout of the study file, or in rows."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from turingstats.figures import grid
from turingstats.figures.pages import GAP, MARGIN, PAGE


def draw(
    data: pd.DataFrame, layout: Sequence[Sequence[str] | str] = (), widths: Sequence[float] = ()
) -> Figure:
    """Draw the panels that occur in the source data; see `grid.draw_grid`."""
    if layout:
        return grid.draw_grid(data, layout, widths or None)
    letters = list(data["panel"].unique())
    across = 4 if set(data["kind"]) == {"pie"} else 2
    layout = [letters[start : start + across] for start in range(0, len(letters), across)]
    across = min(across, len(letters))
    width = (PAGE - 2 * MARGIN - GAP * (across - 1)) / across
    return grid.draw_grid(data, layout, (width,) * across if across > 1 else None)
