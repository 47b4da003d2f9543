"""The model of a study file with `design: ratings`: pairwise similarity instead of verdicts."""

from collections.abc import Collection
from typing import Any, Literal

from pydantic import Field, model_validator

from turingstats.config.study.base import AnyFigure, AnyStudy, Labeled, Noted, TaskPart, Titled
from turingstats.config.study.checks import check_ids
from turingstats.core.yaml_models import Label, require_known

PAIRS = ("all", "within", "between")
Pairs = Literal["all", "within", "between"]


class System(Labeled):
    """A source of similarity judgments that is compared with others: people, a language model asked in one
    way, or an embedding."""

    model: str = ""
    """Name of the model, the same for all systems that are one model asked in several ways; models are
    counted by it. Without this key, the system counts as a model of its own."""
    kind: Literal["human", "llm", "embedding"] = "llm"
    """Systems with raters (`human`, `llm`) have ratings, in the file of format `ratings`; an `embedding` has
    distances between items, in the file of format `distances`."""
    family: Label = ""
    """Name of a group of systems that share a color in figures, such as embeddings."""
    orders: Literal["both", "one"] = "both"
    """Whether raters rated each pair of items in both orders or in one; a rating in one order counts for
    both."""


class ItemSet(Labeled):
    """A task: a set of items on which systems are compared."""

    systems: tuple[str, ...] = ()
    """Systems that are all compared with each other; the number of these comparisons is the family of the
    correction. Without this key, every system."""
    references: tuple[str, ...]
    """Systems, people first, with which all others are also compared separately within and between categories
    of items. The first is the default reference of panels."""
    also: tuple[str, ...] = ()
    """Systems that are compared only with the references, such as those of a temperature sweep."""


class Sample(TaskPart):
    """Alignments (rank correlations of ratings) that are the observations of a test: one per system, with a
    reference."""

    systems: tuple[str, ...]
    """Systems whose alignments with the reference are the observations."""
    reference: str | tuple[str, ...]
    """System that they are aligned with: one for all, or a list with one for each."""
    pairs: Pairs = "all"
    """Pairs of items that alignments are computed on: all, only those within a category of items, or only
    those between categories."""

    def pair_systems(self) -> list[tuple[str, str]]:
        """List (system, reference) of each alignment."""
        references = self.reference
        if isinstance(references, str):
            references = (references,) * len(self.systems)
        return list(zip(self.systems, references, strict=True))


class Contrast(Noted):
    """A test between two samples of alignments. The published reading treats them as independent (rank-sum
    test); if they are paired, the recommended one compares each system with itself (signed-rank test)."""

    id: str
    """Name of the test, such as words.within_between."""
    first: Sample
    """The first sample of alignments."""
    second: Sample
    """The second sample of alignments."""
    paired: bool = False
    """Whether the systems of both samples correspond one by one, in the order in which they are listed; both
    then need equally many."""


class Panel(Titled, TaskPart):
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
    """`matrices`: mean dissimilarity matrix of each system. `raters`: the matrix of every rater.
    `variability`: agreement within systems and alignment with the reference. `individuals`: alignment of
    every rater with every person. `distributions`: histograms of ratings. `map`, `maps`: raters on one map,
    or on one map per system; these need a task in `maps`. `bars`: alignment with the reference. `printed`:
    the same as the paper prints it."""
    systems: tuple[str, ...] = ()
    """Systems to show, in this order. Without this key, the systems of the task. They are compared with the
    first reference of the task."""


class Figure(AnyFigure):
    """A figure of a study of similarity ratings; its panels are below each other."""

    panels: dict[str, Panel]
    """Panels by letter, such as A."""


class RatingsStudy(AnyStudy):
    """A study of pairwise similarity ratings: people, language models and embeddings judge how similar two
    items are, and their judgments are compared."""

    design: Literal["ratings"]
    scale: tuple[float, float] = (0, 100)
    """Lowest and highest possible rating; the highest means identical items. Ratings outside the scale are an
    error."""
    systems: dict[str, System]
    """Sources of similarity judgments by name; other keys and raw files use these names."""
    tasks: dict[str, ItemSet]
    """Sets of items by name, on each of which systems are compared."""
    maps: tuple[str, ...] = ()
    """Tasks whose raters are placed on a map, with similar raters close to each other. This is the slowest
    step."""
    tests: tuple[Contrast, ...] = ()
    """Declared tests between samples of alignments."""
    figures: dict[str, Figure] = Field(default_factory=dict)
    """Figures by name."""
    tables: dict[str, str] = Field(default_factory=dict)
    """Titles of tables, by name, such as `items: Items`. `printed`: alignments as the paper prints them;
    `tableS1` or `items`: the items; of the others, the first is the matrix of alignments in the first task,
    and so on."""

    @model_validator(mode="before")
    @classmethod
    def fill_in(cls, values: Any) -> Any:
        """Give item sets without a list of systems all systems."""
        parts = (
            [values.get(name) for name in ("tasks", "systems")] if isinstance(values, dict) else []
        )
        if not parts or not all(isinstance(part, dict) for part in parts):
            return values
        tasks = {
            name: {"systems": list(values["systems"])} | task if isinstance(task, dict) else task
            for name, task in values["tasks"].items()
        }
        return values | {"tasks": tasks}

    @model_validator(mode="after")
    def check_names_of_parts(self) -> "RatingsStudy":
        """Check that names can be parts of ids and names of files."""
        check_ids(self)
        return self

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
                for system in panel.systems:
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
        """Cut the study to some tasks and systems; references are kept."""
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
