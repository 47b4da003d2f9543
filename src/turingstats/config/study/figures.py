"""Figures and the layout of their panels."""

from typing import Annotated

from turingstats.config.study.base import Titled
from turingstats.config.study.panels import Panel
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import HEADING, Heading


class Figure(Titled):
    """A figure with its panels and their layout."""

    title: Heading
    caption: Heading = ""
    """Text below the figure in the report, without results since the data may be generated, such as
    `Can judges tell each machine from people?`."""
    panels: dict[str, Panel] = {}
    """Panels by letter (A to Z, then AA and so on)."""
    layout: Annotated[tuple[str | tuple[str, ...], ...], HEADING] = ()
    """Letters of the panels in each row (by default two); a space is a gap, and in [A, BCD] panels
    B, C and D are stacked."""
    widths: Annotated[tuple[float, ...], HEADING] = ()
    """Minimum width of each column of the layout, in mm; by default the width of a matrix."""

    @property
    def placed(self) -> list[str]:
        """Letters in the layout, including repeated ones."""
        return [at for row in self.layout for cell in row for at in cell if at != " "]


def check_layout(figure: Figure, where: str) -> None:
    """Refuse a layout that lacks a panel or places one twice.

    A letter without a panel takes no space: its task is not part of the study.
    """
    columns = max(map(len, figure.layout), default=0)
    if figure.widths and len(figure.widths) != columns:
        raise ConfigError(
            f"{where}.widths: {len(figure.widths)} widths, but the layout has {columns} columns\n"
            "  fix: give one width (mm) for each column, or leave the key out"
        )
    if not figure.layout:
        return
    placed = figure.placed
    faults = {
        "without a place": sorted(set(figure.panels) - set(placed)),
        "placed twice": sorted({at for at in placed if placed.count(at) > 1}),
    }
    problems = [f"{', '.join(letters)} {fault}" for fault, letters in faults.items() if letters]
    if problems:
        raise ConfigError(
            f"{where}.layout: {'; '.join(problems)}\n"
            f"  panels: {', '.join(figure.panels)}\n"
            "  fix: name each panel once, in the row where it is drawn"
        )
