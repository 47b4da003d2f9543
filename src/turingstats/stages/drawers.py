"""Which function draws which figure of a study."""

from collections.abc import Callable, Iterable

from turingstats.figures import grid, similarity
from turingstats.figures.standalone import (
    abilities,
    audit,
    equivalence,
    forest,
    judge_spread,
    people_and_machines,
    ranking,
)

DRAWERS: dict[str, Callable] = {
    "abilities": abilities.draw,
    "audit": audit.draw,
    "equivalence": equivalence.draw,
    "forest": forest.draw,
    "judge_spread": judge_spread.draw,
    "llm": grid.draw_language_models,
    "people_and_machines": people_and_machines.draw,
    "ranking": ranking.draw,
}
"""Figures with a module of their own; to add one, add a module and a line."""
PANELS: dict[str, Callable] = {"verdicts": grid.draw_panels, "ratings": similarity.draw}
"""What draws the figures that a study file declares, by the design of the study."""


def choose_drawer(name: str, declared: Iterable[str], design: str) -> Callable:
    """Choose the function that draws a figure; the study file declares those made of panels."""
    return PANELS[design] if name in declared else DRAWERS[name]
