"""Figures, and where their panels stand."""

from typing import Annotated

from turingstats.config.study.panels import Panel
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import HEADING, Heading, Model


class Figure(Model):
    """A figure of the paper and the panels that are drawn from data."""

    title: Heading
    panels: dict[str, Panel] = {}
    layout: Annotated[tuple[str | tuple[str, ...], ...], HEADING] = ()
    """Letters of the panels in each row, such as [AB, CD]; a space is a gap. In a row written as [A, BCD],
    within brackets of its own, B, C and D stand below each other. By default rows of two."""
    widths: Annotated[tuple[float, ...], HEADING] = ()
    """Of a layout: least width of each column of panels, mm; by default what a matrix needs."""

    @property
    def placed(self) -> list[str]:
        """Letters of the layout, each as often as it occurs."""
        return [at for row in self.layout for cell in row for at in cell if at != " "]


def check_layout(figure: Figure, where: str) -> None:
    """Say which panels the layout of a figure lacks, or has twice.

    A letter without a panel takes no room: it is of a task that the study leaves out.
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
    told = [f"{', '.join(letters)} {fault}" for fault, letters in faults.items() if letters]
    if told:
        raise ConfigError(
            f"{where}.layout: {'; '.join(told)}\n"
            f"  panels: {', '.join(figure.panels)}\n"
            "  fix: name each panel once, in the row where it is drawn"
        )
