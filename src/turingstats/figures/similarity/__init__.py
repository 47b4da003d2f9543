"""Figures of a study of similarity ratings, with panels below each other, one class per kind.

Figures read source data (`turingstats.ratings.figure_numbers`) and compute only positions.
"""

import pandas as pd
from matplotlib.figure import Figure

from turingstats.figures import pages
from turingstats.figures.notes import write_note
from turingstats.figures.pages import MARGIN, TITLE
from turingstats.figures.similarity.charts import Bars, Distributions, Individuals, Variability
from turingstats.figures.similarity.matrices import Matrices, Raters
from turingstats.figures.similarity.panel import Absent

KIND_OF = {
    "dissimilarity": Matrices,
    "raters": Raters,
    "variability": Variability,
    "individuals": Individuals,
    "distributions": Distributions,
    "alignment": Bars,
    "no data": Absent,
}


def draw(data: pd.DataFrame) -> Figure:
    """Draw the panels that occur in the source data."""
    panels = [
        KIND_OF[rows["kind"].iloc[0]](letter, rows)
        for letter, rows in data.groupby("panel", sort=False)
    ]
    canvas, top = pages.open_page(data)
    for panel in panels:
        pages.write_lines(canvas, MARGIN, top + 2.6, panel.letter, TITLE, weight="bold")
        pages.write_lines(canvas, MARGIN + 4.5, top + 2.6, panel.title, weight="semibold")
        top = panel.draw(canvas, top + 5.5) + 3
    return pages.close_page(canvas, top, explain_panels(data))


def explain_panels(data: pd.DataFrame) -> str:
    """Write the foot: reading, data, and an explanation of each panel."""
    sentences = [f"{data['reading'].iloc[0].capitalize()} reading, {data['data'].iloc[0]}."]
    letters: dict[str, list[str]] = {}
    for letter, rows in data.groupby("panel", sort=False):
        letters.setdefault(write_note(rows["kind"].iloc[0], rows, data), []).append(letter)
    for text, of in letters.items():
        sentences.append(f"{', '.join(of)}: {text}" if len(letters) > 1 and text else text)
    return " ".join(filter(None, sentences))
