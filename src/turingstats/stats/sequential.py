"""Group-sequential tests: boundaries for a study whose data are analyzed more than once.

A test at 5 % at each of several interim analyses rejects a true null hypothesis in more than 5 % of studies.
Boundaries of the test statistic at each analysis keep the level, if the statistics of successive analyses
have the joint distribution of a Brownian motion observed at the fractions of the information (Jennison &
Turnbull 2000, chapter 3). There are four kinds: those of Pocock (1977) and of O'Brien & Fleming (1979), meant
for analyses that are equally far apart, and the spending functions of Lan & DeMets (1983) that resemble each,
for any others.

References
----------
Armitage P, McPherson CK, Rowe BC 1969, Repeated significance tests on accumulating data, J R Stat Soc A 132
    (recursive integration).
Jennison C, Turnbull BW 2000, Group Sequential Methods with Applications to Clinical Trials.
Lan KKG, DeMets DL 1983, Discrete sequential boundaries for clinical trials, Biometrika 70, 659-663.
O'Brien PC, Fleming TR 1979, A multiple testing procedure for clinical trials, Biometrics 35, 549-556.
Pocock SJ 1977, Group sequential methods in the design and analysis of clinical trials, Biometrika 64,
    191-199.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

KINDS = {
    "obrien_fleming": "O'Brien\N{EN DASH}Fleming",
    "pocock": "Pocock",
    "spending_obrien_fleming": "Spending like O'Brien\N{EN DASH}Fleming",
    "spending_pocock": "Spending like Pocock",
}
"""Kinds of boundaries, and their names."""
POINTS, SHARES = np.polynomial.legendre.leggauss(100)
"""Nodes and weights of the integral over each analysis's continuation region."""
FAR = 8.5
"""Standard deviations beyond which the normal distribution has no weight, and boundaries are not needed."""


class Boundaries(NamedTuple):
    """Boundaries of a group-sequential test, and what the interim analyses cost; arrays by analysis."""

    kind: str  # one of `KINDS`
    sides: int  # 1: only large statistics reject; 2: large and small ones
    fractions: np.ndarray  # information as a share of that at the last analysis
    z: np.ndarray  # statistics at or beyond these (on either side, if there are two) reject
    nominal: np.ndarray  # the same as p values of a single test
    # Probability of a rejection at an analysis or before, if the null hypothesis is true, and if
    # the effect is that for which the last analysis has the power asked for.
    spent: np.ndarray
    power: np.ndarray
    # Relative to a test with a single analysis and the same power: information at the last
    # analysis, and average information at which the study stops in the same two cases.
    inflation: float
    expected_null: float
    expected_effect: float


def check_fractions(fractions: ArrayLike) -> np.ndarray:
    """Return fractions of information as an array; refuse those that do not rise to 1."""
    values = np.asarray(fractions, float)
    if values.ndim != 1 or not len(values) or values[0] <= 0 or (np.diff(values) <= 0).any():
        raise ValueError(f"fractions must rise from above 0, got {values.tolist()}")
    if abs(values[-1] - 1) > 1e-12:
        raise ValueError(f"the last fraction must be 1, got {values[-1]:g}")
    return values


def compute_exits(
    fractions: ArrayLike, upper: ArrayLike, lower: ArrayLike, drift: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the probability that a statistic first leaves its boundaries at each analysis, above and below.

    Boundaries are infinite where there is none; `drift` is the expected statistic at full information. The
    density of the statistic among studies that go on is carried from analysis to analysis by Gauss-Legendre
    quadrature over the continuation region (Armitage, McPherson & Rowe 1969).
    """
    walk = Walk(drift)
    above, below = [], []
    analyses = np.array([fractions, upper, lower], float).T.tolist()
    for t, high, low in analyses:
        above.append(walk.exceed(t, high, 1))
        below.append(walk.exceed(t, low, -1))
        walk.advance(t, high, low)
    return np.array(above), np.array(below)


class Walk:
    """The statistic among studies that went on at every analysis so far, as nodes with weights."""

    def __init__(self, drift: float) -> None:
        self.drift = drift
        # Of the Brownian motion, which begins at 0.
        self.before, self.places, self.weights = 0.0, np.zeros(1), np.ones(1)

    def exceed(self, t: float, bound: float, side: int) -> float:
        """Compute the probability of a statistic beyond a boundary at `t`; side 1 is above, -1 below."""
        if np.isinf(bound):
            return 0.0
        return float(self.weights @ ndtr(-side * self.standardize(t, bound)))

    def standardize(self, t: float, z: float | np.ndarray) -> np.ndarray:
        """Standardize the step from each place to a statistic at `t`; statistics are a column."""
        step = z * np.sqrt(t) - self.places - self.drift * (t - self.before)
        return step / np.sqrt(t - self.before)

    def advance(self, t: float, high: float, low: float) -> None:
        """Go on to the analysis at `t` and drop the studies that stop there."""
        center = self.drift * np.sqrt(t)
        high, low = min(high, center + FAR), max(low, center - FAR)
        z = (high + low) / 2 + (high - low) / 2 * POINTS[:, None]
        kernel = np.exp(-(self.standardize(t, z) ** 2) / 2)
        density = kernel @ self.weights * np.sqrt(t / (2 * np.pi * (t - self.before)))
        self.weights = (high - low) / 2 * SHARES * density
        self.places, self.before = z[:, 0] * np.sqrt(t), t


def spend_alpha(kind: str, fractions: ArrayLike, alpha: float) -> np.ndarray:
    """Compute the one-sided error that a spending function allows up to each fraction of information."""
    t = np.asarray(fractions, float)
    if kind == "spending_pocock":
        return alpha * np.log(1 + (np.e - 1) * t)
    return 2 * ndtr(-ndtri(1 - alpha / 2) / np.sqrt(t))


def find_boundaries(kind: str, fractions: ArrayLike, alpha: float, sides: int = 2) -> np.ndarray:
    """Find the upper boundaries of the statistic; lower ones, if there are two sides, mirror them.

    `kind` is one of `KINDS`, `alpha` the level over both sides if there are two.
    """
    t = check_fractions(fractions)
    if kind not in KINDS:
        raise ValueError(f"unknown kind of boundaries {kind!r}; known: {', '.join(KINDS)}")
    if kind.startswith("spending"):
        return spend_boundaries(t, np.diff(spend_alpha(kind, t, alpha / sides), prepend=0.0), sides)
    shape = np.ones(len(t)) if kind == "pocock" else 1 / np.sqrt(t)

    def excess(height: float) -> float:
        z = height * shape
        return sum(compute_exits(t, z, mirror(z, sides))[0]) - alpha / sides

    # A single analysis gives the lowest boundary, Bonferroni's correction the highest.
    lowest, highest = ndtri(1 - alpha / sides), ndtri(1 - alpha / sides / len(t))
    return brentq(excess, lowest - 1e-6, highest + 1e-6, xtol=1e-12) * shape


def spend_boundaries(fractions: np.ndarray, steps: np.ndarray, sides: int) -> np.ndarray:
    """Find boundaries at which each analysis spends its own part of the one-sided error."""
    walk, heights = Walk(0.0), []
    for t, step in zip(fractions.tolist(), steps.tolist(), strict=True):

        def excess(z: float, t: float = t, step: float = step) -> float:
            return walk.exceed(t, z, 1) - step

        # What is too small to be integrated is no boundary.
        heights.append(brentq(excess, 0.0, FAR, xtol=1e-12) if excess(FAR) < 0 else np.inf)
        walk.advance(t, heights[-1], -heights[-1] if sides == 2 else -np.inf)
    return np.array(heights)


def mirror(z: np.ndarray, sides: int) -> np.ndarray:
    """Return the lower boundaries that belong to upper ones."""
    return -z if sides == 2 else np.full(len(z), -np.inf)


def design_boundaries(
    kind: str, fractions: Sequence[float] | np.ndarray, alpha: float, power: float, sides: int = 2
) -> Boundaries:
    """Design a group-sequential test: boundaries, error spent, and the information it takes.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    fractions : sequence of float
        Information at each analysis, rising to 1.
    alpha, power : float
        Power is the probability of rejecting on the side of the effect.
    sides : {1, 2}
    """
    t = check_fractions(fractions)
    z = find_boundaries(kind, t, alpha, sides)
    below = mirror(z, sides)

    def excess(drift: float) -> float:
        return sum(compute_exits(t, z, below, drift)[0]) - power

    single = ndtri(1 - alpha / sides) + ndtri(power)
    drift = brentq(excess, 0.5 * single, 3 * single, xtol=1e-12)
    null = compute_exits(t, z, below)
    effect = compute_exits(t, z, below, drift)
    inflation = (drift / single) ** 2
    return Boundaries(
        kind,
        sides,
        t,
        z,
        ndtr(-z) * sides,
        np.cumsum(null[0] + null[1]),
        np.cumsum(effect[0]),
        float(inflation),
        *(float(inflation) * average_fraction(t, exits[0] + exits[1]) for exits in (null, effect)),
    )


def average_fraction(fractions: np.ndarray, stops: np.ndarray) -> float:
    """Average the information at which a study stops, given the probabilities of stopping at each one."""
    return float(fractions @ stops + (1 - stops.sum()) * fractions[-1])
