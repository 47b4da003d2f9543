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
    """A fitted model.

    Attributes
    ----------
    formula : str
    names : tuple of str
        Coefficients, without aliased ones.
    estimate : array, shape (coefficients,)
        On the logit scale.
    covariance : array, shape (coefficients, coefficients)
        NaN if the program could not compute it.
    components : tuple of Component
        Components of the random effects; empty for a generalized linear model.
    random : tuple of RandomEffects
    loglik : float
    parameters : int
        Coefficients, variances and correlations.
    n : int
        Rows used (for aggregated counts: rows, not trials).
    trials : int
        Verdicts used.
    groups : dict of str to int
        Levels of each grouping factor.
    nodes : int
        Quadrature nodes; 1 is the Laplace approximation, 0 means no random effects.
    converged, singular : bool
        Singular: a variance is estimated as 0, or a correlation as 1.
    dropped : str
        Rows that were left out, with reasons.
    notes : tuple of str
        Problems to report: separation, a constant outcome, dropped terms.
    method : str
        Program, version, options.
    """

    formula: str
    names: tuple[str, ...]
    estimate: np.ndarray
    covariance: np.ndarray
    components: tuple[Component, ...]
    random: tuple[RandomEffects, ...]
    loglik: float
    parameters: int
    n: int
    trials: int
    groups: dict[str, int]
    nodes: int
    converged: bool
    singular: bool
    dropped: str
    notes: tuple[str, ...]
    method: str
    data: Data = field(repr=False)

    @property
    def se(self) -> np.ndarray:
        """Standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def usable(self) -> bool:
        """Whether estimates and standard errors exist."""
        return self.converged and bool(np.isfinite(self.se).all()) and len(self.names) > 0
