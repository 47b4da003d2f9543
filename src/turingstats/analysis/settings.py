"""Settings of a run that analyses depend on."""

from typing import Literal, TypedDict


class AnalysisSettings(TypedDict, total=False):
    """Settings by name; each job has those that it uses, so that the others do not rerun it."""

    seed: int
    confidence: float
    n_bootstrap: int
    n_permutation: int
    # Of tests of equivalence: the margin, and the power that needed sizes are for.
    margin: float
    power: float


class Grades(TypedDict):
    """What the graded verdicts of a cohort are, as `turingstats.config.graded.Grades` in a job."""

    kind: Literal["rating", "score"]
    points: list[int]


CohortGrades = dict[str, dict[str, Grades]]
"""By task and cohort."""
