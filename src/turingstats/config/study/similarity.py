"""Tests between alignments, the rank correlations of ratings of similarity."""

from typing import Literal

from pydantic import model_validator

from turingstats.config.study.base import Noted, TaskPart

PAIRS = ("all", "within", "between")


class Sample(TaskPart):
    """Alignments that are the observations of a test, one per agent."""

    agents: tuple[str, ...]
    """Agents whose alignments with the reference are the observations."""
    reference: str | tuple[str, ...]
    """Agent that they are aligned with: one for all, or a list with one for each."""
    pairs: Literal["all", "within", "between"] = "all"
    """Pairs of items that alignments are computed on: all, those within a category of items, or
    those between categories."""

    @model_validator(mode="after")
    def check_references(self) -> "Sample":
        """Check that there is one reference, or one for each agent."""
        if not isinstance(self.reference, str) and len(self.reference) != len(self.agents):
            raise ValueError(
                f"{len(self.reference)} references for {len(self.agents)} agents; give one, or one for each"
            )
        return self

    def pair_agents(self) -> list[tuple[str, str]]:
        """List (agent, reference) of each alignment."""
        references = self.reference
        if isinstance(references, str):
            references = (references,) * len(self.agents)
        return list(zip(self.agents, references, strict=True))


class AlignmentTest(Noted):
    """A test between two samples of alignments: a rank-sum test; if they are paired, in the
    recommended reading a signed-rank test."""

    id: str
    """Name of the test, such as words.within_between."""
    first: Sample
    """The first sample of alignments."""
    second: Sample
    """The second sample of alignments."""
    paired: bool = False
    """Whether the agents of both samples correspond one by one, in this order."""

    @model_validator(mode="after")
    def check_pairs(self) -> "AlignmentTest":
        """Check that paired samples are equally large."""
        if self.paired and len(self.first.agents) != len(self.second.agents):
            raise ValueError(f"{self.id}: paired samples need equally many agents")
        return self
