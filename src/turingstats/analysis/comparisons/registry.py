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
from turingstats.core.names import VS, join_names, split_level
from turingstats.core.quantity_names import CALLED_HUMAN
from turingstats.stats.hypothesis.outcome import Outcome

Unit = Literal["judge", "judge and stimulus", "trial", "agent", "stimulus"]
Needs = Literal["value", "groups", "matched", "agents", "scores", "scale", "responses"]


class Compared(NamedTuple):
    """What one test of a comparison is about."""

    groups: str
    """What was compared with what, in words."""
    agent: str = ""
    """The agent, where each has a test of its own."""
    group: str = ""
    """The group of judges, where others have tests of their own."""
    part: str = ""
    """Which of several tests of the same agents and groups it is."""


def compare_agents(one: str, other: str) -> Compared:
    """Say that a test compares two agents."""
    return Compared(join_names((one, other), VS), part=f"{one}-{other}")


Outcomes = Iterator[tuple[Compared, Outcome]]
"""What a test yields."""


@dataclass(frozen=True)
class DeclaredTest:
    """A test that a study can declare, by the name of its function; call it with a `Question`."""

    name: str
    compute: Callable[["Question"], Outcomes]
    # What the test treats as independent.
    unit: Unit
    needs: Needs
    # Name of the paired form in the column `test`, used if the same people are in all groups.
    paired: str | None
    # Whether the test can compare the `rows` of a comparison.
    takes_rows: bool

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

    compared: Compared
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
        return join_names(self.samples, VS)

    @property
    def agents(self) -> list[str]:
        """The agents of the comparison that the judges of every group saw."""
        samples = self.samples.values()
        return [a for a in self.comparison.agents if all(a in sample.agents for sample in samples)]

    def make_id(self, compared: Compared) -> str:
        """Make the id of a test; a rate of people's responses names no agent."""
        agent = "" if self.comparison.quantity == "p_HH" else compared.agent
        parts = (self.comparison.id, agent, compared.group, compared.part)
        return ".".join(filter(None, parts))

    def find_agent(self, compared: Compared) -> str:
        """Find the agent that a test is about; empty if it is about several."""
        comparison = self.comparison
        if comparison.quantity == "p_HH":
            return "human"
        is_of_one = comparison.cohorts and not comparison.rows and len(comparison.agents) == 1
        return compared.agent or (comparison.agents[0] if is_of_one else "")

    def iterate_groups(self) -> Iterator[OneGroup]:
        """Iterate over agents and groups of judges, for tests against a value."""
        for agent in self.agents:
            for name, sample in self.samples.items():
                group = name if self.comparison.by or len(self.samples) > 1 else ""
                compared = Compared(
                    join_names((name, f"{self.comparison.against}"), VS), agent, group
                )
                yield OneGroup(compared, agent, name, sample)

    def iterate_agents(self) -> Iterator[tuple[Compared, str]]:
        """Iterate over agents, for tests between groups; empty if there is only one group."""
        for agent in self.agents if len(self.samples) > 1 else ():
            yield Compared(self.label, agent), agent

    def iterate_values(
        self,
    ) -> Iterator[tuple[Compared, dict[str, tuple[np.ndarray, np.ndarray]]]]:
        """Iterate over the values that rank tests compare: for each agent, one per judge in every group.

        Yields what is compared, and (judges, values) by group, or by row of the comparison.
        """
        if self.comparison.rows:
            known = self.source.study.agents
            by_row = {row: split_level(row, known)[0] for row in self.samples}
            asked = [(Compared(self.label), CALLED_HUMAN, by_row)]
        else:
            asked = [
                (compared, self.comparison.quantity, dict.fromkeys(self.samples, agent))
                for compared, agent in self.iterate_agents()
            ]
        for compared, quantity, agents in asked:
            values = {
                name: (sample.judges, compute_judge_values(sample, quantity, agents[name]))
                for name, sample in self.samples.items()
            }
            yield compared, values
