"""The model of a study file with `design: ratings`: pairwise similarity instead of verdicts."""

from collections.abc import Collection
from typing import Any, Literal

from pydantic import Field, model_validator

from turingstats.config.study.base import AnyStudy
from turingstats.core.yaml_models import Heading, Label, Model, require_known

PAIRS = ("all", "within", "between")
Pairs = Literal["all", "within", "between"]


class System(Model):
    """People, a model or an embedding that rated the similarity of items."""

    label: Label
    model: str = ""
    """Label of the model, for a system run in several ways."""
    kind: Literal["human", "llm", "embedding"] = "llm"
    """Raters (human, llm) have ratings; an embedding has distances."""
    family: Label = ""
    """Systems of one family share a color."""
    orders: Literal["both", "one"] = "both"
    """Whether raters saw each pair in both orders or in one, which is then used for both."""
    temperature: float | None = None


class ItemSet(Model):
    """A task: the items on which systems are compared."""

    label: Label
    systems: tuple[str, ...] = ()
    """All are compared with each other; by default every system."""
    references: tuple[str, ...]
    """Systems, people first, with which the others are aligned within and between categories."""
    also: tuple[str, ...] = ()
    """Systems aligned only with the references, such as those of a temperature sweep."""


class Sample(Model):
    """Alignments that are the observations of a test."""

    task: str
    systems: tuple[str, ...]
    reference: str | tuple[str, ...]
    """System they are aligned with: one for all, or one for each."""
    pairs: Pairs = "all"

    def pair_systems(self) -> list[tuple[str, str]]:
        """List (system, reference) of each alignment."""
        references = self.reference
        if isinstance(references, str):
            references = (references,) * len(self.systems)
        return list(zip(self.systems, references, strict=True))


class Contrast(Model):
    """Two samples of alignments. The published reading treats them as independent (rank sum); the
    recommended one compares each system with itself if they are paired (signed rank)."""

    id: str
    first: Sample
    second: Sample
    paired: bool = False
    note: str = ""


class Panel(Model):
    """One panel of a figure."""

    kind: Literal[
        "matrices",
        "raters",
        "variability",
        "individuals",
        "distributions",
        "map",
        "maps",
        "bars",
        "printed",
    ]
    """printed: bars of the alignments that the paper prints."""
    title: str
    task: str
    systems: tuple[str, ...] = ()
    """By default the systems of the task."""
    reference: str | None = None
    """By default the first reference of the task."""


class Figure(Model):
    """A figure and its panels, arranged vertically."""

    title: Heading
    panels: dict[str, Panel]


class RatingsStudy(AnyStudy):
    """A study of pairwise similarity ratings."""

    design: Literal["ratings"]
    scale: tuple[float, float] = (0, 100)
    """Lowest and highest rating (highest: identical items)."""
    systems: dict[str, System]
    tasks: dict[str, ItemSet]
    maps: tuple[str, ...] = ()
    """Tasks whose raters are placed on maps, the slowest step."""
    tests: tuple[Contrast, ...] = ()
    figures: dict[str, Figure] = Field(default_factory=dict)
    tables: dict[str, str] = Field(default_factory=dict)
    """Titles, by name."""

    @model_validator(mode="before")
    @classmethod
    def fill_in(cls, values: Any) -> Any:
        """Give item sets without a list of systems all systems."""
        if not isinstance(values, dict) or not isinstance(values.get("tasks"), dict):
            return values
        tasks = {
            name: {"systems": list(values.get("systems", ()))} | task
            for name, task in values["tasks"].items()
        }
        return values | {"tasks": tasks}

    @model_validator(mode="after")
    def check_names(self) -> "RatingsStudy":
        """Check that all names used in the parts of a study are defined."""
        for name, task in self.tasks.items():
            where = f"tasks.{name}"
            for system in (*task.systems, *task.references, *task.also):
                require_known(system, self.systems, where, "systems")
            for reference in task.references:
                require_known(reference, task.systems, f"{where}.references", "systems of the task")
        for test in self.tests:
            for sample in (test.first, test.second):
                task = self.tasks[
                    require_known(sample.task, self.tasks, f"tests.{test.id}", "tasks")
                ]
                if not isinstance(sample.reference, str) and len(sample.reference) != len(
                    sample.systems
                ):
                    raise ValueError(
                        f"tests.{test.id}: {len(sample.reference)} references for "
                        f"{len(sample.systems)} systems; give one, or one for each"
                    )
                for system in {*sample.systems, *dict(sample.pair_systems()).values()}:
                    require_known(
                        system, {*task.systems, *task.also}, f"tests.{test.id}", "systems"
                    )
            if test.paired and len(test.first.systems) != len(test.second.systems):
                raise ValueError(f"tests.{test.id}: paired samples need equally many systems")
        for mapped in self.maps:
            require_known(mapped, self.tasks, "maps", "tasks")
        for name, figure in self.figures.items():
            for letter, panel in figure.panels.items():
                where = f"figures.{name}.panels.{letter}"
                task = self.tasks[require_known(panel.task, self.tasks, where, "tasks")]
                if panel.kind in ("map", "maps"):
                    require_known(panel.task, self.maps, where, "tasks in `maps`")
                for system in (*panel.systems, *([panel.reference] if panel.reference else [])):
                    require_known(system, {*task.systems, *task.also}, where, "systems of the task")
        return self

    @property
    def comparisons(self) -> tuple[()]:
        """Declared tests of verdicts; a study of ratings has none."""
        return ()

    def list_systems(self, task: str) -> tuple[str, ...]:
        """List the systems of a task, those of its sweeps last."""
        return (*self.tasks[task].systems, *self.tasks[task].also)

    def cut(
        self, tasks: Literal["all"] | Collection[str], agents: Literal["all"] | Collection[str]
    ) -> "RatingsStudy":
        """Cut the study to some tasks and systems; references are kept.

        Parameters
        ----------
        tasks, agents : "all" or collection of str
        """
        kept = {}
        for name, task in self.tasks.items():
            if tasks == "all" or name in tasks:
                systems_kept = {*task.references, *(task.systems if agents == "all" else agents)}
                also = task.also if agents == "all" else [s for s in task.also if s in systems_kept]
                systems = tuple(s for s in task.systems if s in systems_kept)
                kept[name] = task.model_copy(update={"systems": systems, "also": tuple(also)})

        def here(sample: Sample) -> bool:
            names = {*sample.systems, *dict(sample.pair_systems()).values()}
            return sample.task in kept and names <= {
                *kept[sample.task].systems,
                *kept[sample.task].also,
            }

        tests = tuple(test for test in self.tests if here(test.first) and here(test.second))
        figures = {}
        for name, figure in self.figures.items():
            panels = {}
            for letter, panel in figure.panels.items():
                if panel.task in kept:
                    known = {*kept[panel.task].systems, *kept[panel.task].also}
                    systems = tuple(s for s in panel.systems if s in known)
                    if systems or not panel.systems:
                        panels[letter] = panel.model_copy(update={"systems": systems})
            if panels:
                figures[name] = figure.model_copy(update={"panels": panels})
        return self.model_copy(update={"tasks": kept, "tests": tests, "figures": figures})
