"""Settings of a run that analyses depend on."""

from typing import TypedDict


class AnalysisSettings(TypedDict, total=False):
    """Settings by name; each job has those that it uses, so that the others do not rerun it."""

    seed: int
    # Of families of tests that no study file declares; None: Holm's.
    correction: str | None
    confidence: float
    n_bootstrap: int
    n_permutation: int
    # Of tests of equivalence: the margin, and the power that needed sizes are for.
    margin: float
    power: float
