"""A fitted model, in the same form for all engines."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from turingstats.stats.mixed.formula import Data

NAN = float("nan")


class Component(NamedTuple):
    """Standard deviation of a random effect (`other` is None), or correlation of two effects of a group."""

    group: str
    effect: str
    other: str | None
    value: float
    se: float


class RandomEffects(NamedTuple):
    """Conditional modes of the random effects of one group, and their conditional errors."""

    group: str
    effects: tuple[str, ...]
    levels: tuple[str, ...]
    values: np.ndarray  # (levels, effects)
    errors: np.ndarray  # (levels, effects)


@dataclass(frozen=True)
class Fit:
    """A fitted model."""

    formula: str
    names: tuple[str, ...]  # coefficients, without aliased ones
    estimate: np.ndarray  # shape (coefficients,); on the logit scale
    # Shape (coefficients, coefficients); NaN if the program could not compute it
    covariance: np.ndarray
    # Components of the random effects; empty for a generalized linear model.
    components: tuple[Component, ...]
    random: tuple[RandomEffects, ...]
    loglik: float
    parameters: int  # coefficients, variances and correlations
    n: int  # rows used (for aggregated counts: rows, not trials)
    trials: int  # verdicts used
    groups: dict[str, int]  # levels of each grouping factor
    nodes: int  # quadrature nodes; 1 is the Laplace approximation, 0 means no random effects
    # Singular: a variance is estimated as 0, or a correlation as 1.
    converged: bool
    singular: bool
    dropped: str  # rows that were left out, with reasons
    notes: tuple[str, ...]  # problems to report: separation, a constant outcome, dropped terms
    method: str  # program, version, options
    data: Data = field(repr=False)

    @property
    def se(self) -> np.ndarray:
        """Standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def usable(self) -> bool:
        """Whether estimates and standard errors exist."""
        return self.converged and bool(np.isfinite(self.se).all()) and len(self.names) > 0
