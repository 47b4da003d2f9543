"""Declared tests: a function, the unit it treats as independent, and the data that it needs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons.samples import Sample, Source, compute_judge_values
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Comparison
from turingstats.core.labels import split_level
from turingstats.core.quantity_names import CALLED_HUMAN
from turingstats.stats.hypothesis.outcome import Outcome

Unit = Literal["judge", "judge and stimulus", "trial", "agent", "stimulus"]
Needs = Literal["value", "groups", "matched", "agents", "scores", "scale", "responses"]

Outcomes = Iterator[tuple[list[str], str, Outcome]]
"""What a test yields: what to add to the id of the comparison, what was compared with what, the outcome."""


@dataclass(frozen=True)
class DeclaredTest:
    """A test that a study can declare, by the name of its function; call it with a `Question`."""

    name: str
    compute: Callable[["Question"], Outcomes]
    # What the test treats as independent.
    unit: Unit
    needs: Needs
    # Name of the paired form in the column `test`, used if the same people are in all groups.
    paired: str | None = None
    # Whether the test can compare the `rows` of a comparison.
    takes_rows: bool = False

    def __call__(self, question: "Question") -> Outcomes:
        return self.compute(question)

    @property
    def takes_groups(self) -> bool:
        """Whether the test needs groups of judges."""
        return self.needs not in ("scale", "responses")


def declare_test(
    *, unit: Unit, needs: Needs, paired: str | None = None, takes_rows: bool = False
) -> Callable[[Callable], DeclaredTest]:
    """Declare a function as the test of the same name; for the arguments see `DeclaredTest`."""
    return lambda compute: DeclaredTest(compute.__name__, compute, unit, needs, paired, takes_rows)


def collect_tests(*modules: ModuleType) -> dict[str, DeclaredTest]:
    """Collect all tests that these modules declare, by name."""
    tests = [
        test
        for module in modules
        for test in vars(module).values()
        if isinstance(test, DeclaredTest)
    ]
    return {test.name: test for test in tests}


class OneGroup(NamedTuple):
    """A group of judges whose verdicts on one agent are compared with a value."""

    suffix: list[str]
    label: str
    agent: str
    name: str
    sample: Sample


@dataclass(frozen=True)
class Question:
    """One comparison in one reading, and the data for it."""

    comparison: Comparison
    # How this reading makes the comparison: the model of `turingstats.config.study.tests` of its test.
    procedure: Any
    reading: str
    config: AnalysisSettings
    # Groups of judges by name; empty where the test needs none.
    samples: dict[str, Sample] = field(default_factory=dict)
    # All groups have the same people in the same order.
    paired: bool = False
    # Tests whose p values are corrected together, at most.
    family_size: int = 1
    # For tests along a scale.
    source: Source | None = None
    benchmarks: pd.DataFrame | None = None
    responses: pd.DataFrame | None = None

    @property
    def level(self) -> float:
        """Confidence level of intervals."""
        return self.config["confidence"]

    @property
    def n_bootstrap(self) -> int:
        """Draws for an interval."""
        return self.config["n_bootstrap"]

    @property
    def label(self) -> str:
        """The groups in words."""
        return " vs ".join(self.samples)

    @property
    def agents(self) -> list[str]:
        """The agents of the comparison that the judges of every group saw."""
        samples = self.samples.values()
        return [a for a in self.comparison.agents if all(a in sample.agents for sample in samples)]

    def make_id_suffix(self, agent: str) -> list[str]:
        """Make the id suffix of an agent: empty for a rate of people's responses."""
        return [] if self.comparison.quantity == "p_HH" else [agent]

    def iterate_groups(self) -> Iterator[OneGroup]:
        """Iterate over agents and groups of judges, for tests against a value."""
        for agent in self.agents:
            for name, sample in self.samples.items():
                ending = [name] if self.comparison.by or len(self.samples) > 1 else []
                label = f"{name} vs {self.comparison.against}"
                yield OneGroup(self.make_id_suffix(agent) + ending, label, agent, name, sample)

    def iterate_agents(self) -> Iterator[tuple[list[str], str, str, str]]:
        """Iterate over agents, for tests between groups; empty if there is only one group.

        Yields what to add to the test's id, a label, the agent, and the test's id, which seeds its draws.
        """
        for agent in self.agents if len(self.samples) > 1 else ():
            suffix = self.make_id_suffix(agent)
            yield suffix, self.label, agent, ".".join([self.comparison.id, *suffix])

    def iterate_values(
        self,
    ) -> Iterator[tuple[list[str], str, dict[str, tuple[np.ndarray, np.ndarray]]]]:
        """Iterate over the values that rank tests compare: for each agent, one per judge in every group.

        Yields what to add to the test's id, a label, and (judges, values) by group, or by row of the
        comparison.
        """
        if self.comparison.rows:
            by_row = {row: split_level(row)[0] for row in self.samples}
            compared = [([], self.label, CALLED_HUMAN, by_row)]
        else:
            compared = [
                (suffix, label, self.comparison.quantity, dict.fromkeys(self.samples, agent))
                for suffix, label, agent, _ in self.iterate_agents()
            ]
        for suffix, label, quantity, agents in compared:
            values = {
                name: (sample.judges, compute_judge_values(sample, quantity, agents[name]))
                for name, sample in self.samples.items()
            }
            yield suffix, label, values
