"""Group-sequential tests: boundaries for a study whose data are analyzed more than once.

A test at 5 % at each of several interim analyses rejects a true null hypothesis in more than 5 % of studies.
Boundaries of the test statistic at each analysis keep the level, if the statistics of successive analyses
have the joint distribution of a Brownian motion observed at the fractions of the information (Jennison &
Turnbull 2000, chapter 3). At any fractions, spending functions (Lan & DeMets 1983) give boundaries that are
those of O'Brien & Fleming (1979) or of Pocock (1977), nearly, if analyses are equally far apart.

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

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

KINDS = {
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
    fractions: np.ndarray  # information as a share of that at the last analysis
    z: np.ndarray  # statistics at or beyond these on either side reject
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
    fractions: np.ndarray, z: np.ndarray, drift: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the probability that a statistic first leaves its boundaries at each analysis, above and below.

    Boundaries are z and -z, infinite where there is none; `drift` is the expected statistic at full
    information. The density of the statistic among studies that go on is carried from analysis to analysis by
    Gauss-Legendre quadrature over the continuation region (Armitage, McPherson & Rowe 1969).
    """
    walk = Walk(drift)
    above, below = [], []
    for t, bound in zip(fractions.tolist(), z.tolist(), strict=True):
        above.append(walk.exceed(t, bound, 1))
        below.append(walk.exceed(t, -bound, -1))
        walk.advance(t, bound)
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

    def advance(self, t: float, bound: float) -> None:
        """Go on to the analysis at `t` and drop the studies that stop, beyond `bound` on either side."""
        center = self.drift * np.sqrt(t)
        high, low = min(bound, center + FAR), max(-bound, center - FAR)
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


def find_boundaries(kind: str, fractions: np.ndarray, alpha: float) -> np.ndarray:
    """Find the upper boundaries, which lower ones mirror: each analysis spends its own part of the error."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind of boundaries {kind!r}; known: {', '.join(KINDS)}")
    steps = np.diff(spend_alpha(kind, fractions, alpha / 2), prepend=0.0)
    walk, heights = Walk(0.0), []
    for t, step in zip(fractions.tolist(), steps.tolist(), strict=True):

        def excess(z: float, t: float = t, step: float = step) -> float:
            return walk.exceed(t, z, 1) - step

        # What is too small to be integrated is no boundary.
        heights.append(brentq(excess, 0.0, FAR, xtol=1e-12) if excess(FAR) < 0 else np.inf)
        walk.advance(t, heights[-1])
    return np.array(heights)


def design_boundaries(kind: str, fractions: ArrayLike, alpha: float, power: float) -> Boundaries:
    """Design a two-sided group-sequential test: boundaries, error spent, and the information it takes.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    fractions : sequence of float
        Information at each analysis, rising to 1.
    alpha, power : float
        Power is the probability of rejecting on the side of the effect.
    """
    t = check_fractions(fractions)
    z = find_boundaries(kind, t, alpha)

    def excess(drift: float) -> float:
        return sum(compute_exits(t, z, drift)[0]) - power

    single = ndtri(1 - alpha / 2) + ndtri(power)
    drift = brentq(excess, 0.5 * single, 3 * single, xtol=1e-12)
    null, effect = compute_exits(t, z), compute_exits(t, z, drift)
    inflation = (drift / single) ** 2
    return Boundaries(
        kind,
        t,
        z,
        ndtr(-z) * 2,
        np.cumsum(null[0] + null[1]),
        np.cumsum(effect[0]),
        float(inflation),
        *(float(inflation) * average_fraction(t, exits[0] + exits[1]) for exits in (null, effect)),
    )


def average_fraction(fractions: np.ndarray, stops: np.ndarray) -> float:
    """Average the information at which a study stops, given the probabilities of stopping at each one."""
    return float(fractions @ stops + (1 - stops.sum()) * fractions[-1])
