"""Maximum-likelihood correlation of two abilities that are observed only through verdicts.

A person gives few verdicts in each of two tasks, so shares of right verdicts scatter around abilities and
correlate less than the abilities do. In the model, each verdict of person i in task t is right with
probability ``1 / (1 + exp(-(m_t + u_it)))``, and (u_i1, u_i2) is bivariate normal with standard deviations
s_1, s_2 and correlation r; in the notation of lme4, ``right ~ 0 + task + (0 + task | person)``.
"""

import functools
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.sparse import coo_array
from scipy.special import chdtrc, expit, gammaincinv, gammaln, log_expit

NAN = float("nan")
NODES = np.linspace(-8, 8, 161)
"""Abilities, in standard deviations, at which the likelihood is summed; see `correlate_abilities`."""
MAX_CORRELATION = 0.995
"""Largest correlation that the sum over `NODES` can resolve."""
MIN_SPREAD = 0.02
"""Standard deviation of abilities (log odds) that is treated as 0."""


PRECISE = {"ftol": 1e-13, "gtol": 1e-6}
"""The maximum is found to the digits that are reported."""


class Ability(NamedTuple):
    """Correlation of the abilities of people in two tasks."""

    correlation: float  # NaN if people's abilities in a task do not differ
    # Limits of the interval; -1 or 1 if the likelihood does not limit it.
    low: float
    high: float
    p: float  # likelihood-ratio p value of no correlation
    # Mean and standard deviation of the abilities in each task, in log odds.
    mean: tuple
    sd: tuple
    loglik: float
    note: str = ""  # note for the reader


class Patterns(NamedTuple):
    """People's verdicts in two tasks: many people have the same counts."""

    # Of arrays, shape (patterns, 1); distinct counts of each task.
    right: list
    verdicts: list
    pairs: np.ndarray  # int, shape (2, distinct pairs); pattern of each task
    people: np.ndarray  # int, shape (distinct pairs,); how many people have the pair
    constant: float  # logarithm of the binomial coefficients, summed over people


def find_patterns(k: np.ndarray, n: np.ndarray) -> Patterns:
    """Find the distinct counts of right verdicts `k`, and of verdicts `n`, by task; shape (people, 2)."""
    k, n = np.asarray(k), np.asarray(n)
    each = [
        np.unique(np.column_stack([k[:, task], n[:, task]]), axis=0, return_inverse=True)
        for task in (0, 1)
    ]
    pairs, people = np.unique([who for _, who in each], axis=1, return_counts=True)
    return Patterns(
        [counts[:, :1] for counts, _ in each],
        [counts[:, 1:] for counts, _ in each],
        pairs,
        people,
        float((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)).sum()),
    )


def log_likelihood(
    patterns: Patterns, mean: np.ndarray, sd: np.ndarray, correlation: float
) -> tuple[float, np.ndarray]:
    """Compute the log likelihood of right verdicts in two tasks, and its gradient.

    The gradient is by the means, the logarithms of the standard deviations, and the correlation, which lies
    between -`MAX_CORRELATION` and `MAX_CORRELATION`. The integral over both abilities is a sum over equal
    steps, whose error decreases exponentially with the step size for normal densities. Only the density of
    the abilities connects the tasks, so each task's likelihood by ability is tabulated separately.
    """
    tables, slopes, top = [], [], 0.0
    for task, pattern in enumerate(patterns.pairs):
        ability = mean[task] + sd[task] * NODES
        right, verdicts = patterns.right[task], patterns.verdicts[task]
        logs = right * log_expit(ability) + (verdicts - right) * log_expit(-ability)
        highest = logs.max(axis=1)
        top += highest[pattern] @ patterns.people
        tables.append(np.exp(logs - highest[:, None]))
        slopes.append(tables[task] * (right - verdicts * expit(ability)))
    density, slope = tabulate_density(correlation)
    one, other = patterns.pairs
    each = np.einsum("ij,ij->i", (tables[0] @ density)[one], tables[1][other])
    each = np.maximum(each, 1e-300)
    loglik = patterns.constant + top + patterns.people @ np.log(each)
    # How much the likelihood of each pattern in a task weighs, given the patterns in the other task.
    shape = len(tables[0]), len(tables[1])
    weight = coo_array((patterns.people / each, (one, other)), shape).tocsr()
    beside = [weight @ tables[1], weight.T @ tables[0]]
    # By the means; the density is symmetric.
    changed = [(beside[task] @ density) * slopes[task] for task in (0, 1)]
    gradient = [
        *[change.sum() for change in changed],
        *[change.sum(axis=0) @ NODES * sd[task] for task, change in enumerate(changed)],
        ((beside[0] @ slope) * tables[0]).sum(),
    ]
    return float(loglik), np.array(gradient)


@functools.lru_cache(maxsize=1)
def tabulate_density(correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """Tabulate the density of both abilities at `NODES`, and its derivative by the correlation."""
    rest = 1 - correlation**2
    one, other = NODES[:, None], NODES[None, :]
    square = (one**2 - 2 * correlation * one * other + other**2) / rest
    step = NODES[1] - NODES[0]
    density = np.exp(-square / 2) * step**2 / (2 * np.pi * np.sqrt(rest))
    return density, density * (correlation * (1 - square) + one * other) / rest


def correlate_abilities(k: np.ndarray, n: np.ndarray, level: float = 0.95) -> Ability:
    """Estimate the correlation of people's abilities in two tasks.

    Parameters
    ----------
    k, n : array of int, shape (people, 2)
        Right verdicts, and verdicts, in each task; people with verdicts in only one task help to
        estimate the variance of abilities in it.
    level : float
        Confidence level of the profile-likelihood interval: the correlations that a likelihood-ratio test
        would not reject.
    """

    k, n = np.asarray(k), np.asarray(n)
    patterns = find_patterns(k, n)
    start = np.array([*log_odds(k, n), np.log(0.4), np.log(0.4)])
    whole = maximize_likelihood(patterns, start)
    values, correlation, loglik = whole
    mean, sd = tuple(values[:2].tolist()), tuple(np.exp(values[2:]).tolist())
    if min(sd) <= MIN_SPREAD * 1.01:
        which = " and ".join(f"task {i + 1}" for i in (0, 1) if sd[i] <= MIN_SPREAD * 1.01)
        note = f"no differences of ability beyond chance in {which}"
        return Ability(NAN, NAN, NAN, NAN, mean, sd, loglik, note)
    # Half of the quantile of chi-square with one degree of freedom.
    limit = gammaincinv(0.5, level)

    def below(at: float) -> float:
        """Return the drop in log likelihood at a correlation, minus that at the interval's limits."""
        return loglik - maximize_likelihood(patterns, values, at)[2] - limit

    ends = []
    for end in (-MAX_CORRELATION, MAX_CORRELATION):
        inside = abs(end - correlation) < 1e-3 or below(end) < 0
        ends.append(
            np.sign(end) if inside else brentq(below, *sorted((correlation, end)), xtol=1e-3)
        )
    ratio = 2 * (loglik - maximize_likelihood(patterns, values, 0.0)[2])
    p = float(chdtrc(1, max(0.0, ratio)))
    note = (
        "estimate at its limit of 1 or -1: verdicts are too few to bound it there, and only the other end "
        "of the interval says something"
        if abs(correlation) > MAX_CORRELATION - 1e-3
        else ""
    )
    correlation = float(np.sign(correlation)) if note else correlation
    return Ability(correlation, float(ends[0]), float(ends[1]), p, mean, sd, loglik, note)


def log_odds(k: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Compute the log odds of a right verdict in each task, pooled over people."""
    right, total = k.sum(axis=0), n.sum(axis=0)
    return np.log((right + 0.5) / (total - right + 0.5))


def maximize_likelihood(
    patterns: Patterns, start: np.ndarray, correlation: float | None = None
) -> tuple[np.ndarray, float, float]:
    """Maximize the likelihood, over all parameters or at a given correlation.

    `start` has means and logs of standard deviations; returns these four, the correlation and the log
    likelihood.
    """

    free = correlation is None

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        r = x[4] if correlation is None else correlation
        loglik, gradient = log_likelihood(patterns, x[:2], np.exp(x[2:4]), float(r))
        return -loglik, -gradient[: len(x)]

    bounds = (
        [(-8, 8)] * 2
        + [(np.log(MIN_SPREAD), np.log(8))] * 2
        + [(-MAX_CORRELATION, MAX_CORRELATION)] * free
    )
    tried = []
    # The likelihood is flat if an ability hardly varies: start from both signs.
    for x in [np.append(start, first) for first in (0.3, -0.3)] if free else [start]:
        tried.append(minimize(loss, x, jac=True, bounds=bounds, method="L-BFGS-B", options=PRECISE))
    best = min(tried, key=lambda result: result.fun)
    estimate = float(best.x[4]) if correlation is None else correlation
    return best.x[:4], estimate, -float(best.fun)
