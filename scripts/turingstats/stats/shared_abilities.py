"""Correlation of two abilities that are known from verdicts only, by maximum likelihood.

A person gives few verdicts in each of two tasks, so that shares of right verdicts scatter around abilities
and correlate less than these do. The model has k of n verdicts of person i in task t right with the
chance ``1 / (1 + exp(-(m_t + u_it)))``, and (u_i1, u_i2) bivariate normal with standard deviations s_1, s_2
and correlation r: in the notation of lme4, ``right ~ 0 + task + (0 + task | person)``.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import gammaln, log_expit
from scipy.stats import chi2

NAN = float("nan")
NODES = np.linspace(-8, 8, 161)
"""Abilities in standard deviations where the likelihood is summed; see `correlate_abilities`."""
MOST = 0.995
"""Largest correlation that the sum over `NODES` can tell."""
LEAST = 0.02
"""Standard deviation of abilities (log odds) that counts as none."""


class Ability(NamedTuple):
    """Correlation of the abilities of people in two tasks.

    Attributes
    ----------
    correlation : float
        NaN where people's abilities in a task do not differ.
    low, high : float
        Limits of the interval; -1 or 1 where the likelihood does not limit it.
    p : float
        Of no correlation, by the likelihood ratio.
    mean, sd : (float, float)
        Of the abilities in each task, in log odds.
    loglik : float
    note : str
        What a reader must know.
    """

    correlation: float
    low: float
    high: float
    p: float
    mean: tuple
    sd: tuple
    loglik: float
    note: str = ""


def log_likelihood(k, n, mean, sd, correlation):
    """Log likelihood of right verdicts in two tasks.

    Parameters
    ----------
    k, n : array of int, shape (people, 2)
        Right verdicts, and verdicts, in each task.
    mean, sd : array, shape (2,)
        Of the abilities, in log odds.
    correlation : float
        Between -`MOST` and `MOST`.

    Returns
    -------
    float

    Notes
    -----
    The integral over both abilities is a sum over equal steps, whose error falls exponentially with the
    step for normal densities. Only the density of the abilities joins both tasks, so that a table of each
    task's likelihood by ability serves for all correlations.
    """

    k, n = np.asarray(k, float), np.asarray(n, float)
    ways = (gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)).sum()
    tables, most = [], 0.0
    for task in (0, 1):
        ability = mean[task] + sd[task] * NODES
        logs = k[:, task, None] * log_expit(ability)
        logs = logs + (n - k)[:, task, None] * log_expit(-ability)
        top = logs.max(axis=1, keepdims=True)
        tables.append(np.exp(logs - top))
        most += top.sum()
    rest = 1 - correlation**2
    one, other = NODES[:, None], NODES[None, :]
    square = (one**2 - 2 * correlation * one * other + other**2) / rest
    step = NODES[1] - NODES[0]
    density = np.exp(-square / 2) * step**2 / (2 * np.pi * np.sqrt(rest))
    each = ((tables[0] @ density) * tables[1]).sum(axis=1)
    return float(ways + most + np.log(np.maximum(each, 1e-300)).sum())


def correlate_abilities(k, n, level=0.95):
    """Estimate the correlation of people's abilities in two tasks.

    Parameters
    ----------
    k, n : array of int, shape (people, 2)
        Right verdicts, and verdicts, in each task; people with verdicts in one task only help to tell how
        far abilities differ in it.
    level : float
        Confidence of the interval, which is by profile likelihood: the correlations that a likelihood ratio
        test would not reject.

    Returns
    -------
    Ability
    """

    k, n = np.asarray(k), np.asarray(n)
    start = np.array([*log_odds(k, n), np.log(0.4), np.log(0.4)])
    whole = maximize_likelihood(k, n, start)
    values, correlation, loglik = whole
    mean, sd = tuple(values[:2].tolist()), tuple(np.exp(values[2:]).tolist())
    if min(sd) <= LEAST * 1.01:
        which = " and ".join(f"task {i + 1}" for i in (0, 1) if sd[i] <= LEAST * 1.01)
        note = f"no differences of ability beyond chance in {which}"
        return Ability(NAN, NAN, NAN, NAN, mean, sd, loglik, note)
    limit = chi2.ppf(level, 1) / 2

    def below(at):
        """How far the likelihood at a correlation is from that which the interval still holds."""
        return loglik - maximize_likelihood(k, n, values, at)[2] - limit

    ends = []
    for end in (-MOST, MOST):
        inside = abs(end - correlation) < 1e-3 or below(end) < 0
        ends.append(
            np.sign(end) if inside else brentq(below, *sorted((correlation, end)), xtol=1e-3)
        )
    p = float(chi2.sf(max(0.0, 2 * (loglik - maximize_likelihood(k, n, values, 0.0)[2])), 1))
    note = "the most likely correlation is 1 in size" if abs(correlation) > MOST - 1e-3 else ""
    correlation = float(np.sign(correlation)) if note else correlation
    return Ability(correlation, float(ends[0]), float(ends[1]), p, mean, sd, loglik, note)


def log_odds(k, n):
    """Log odds of a right verdict in each task, all people pooled."""
    right, total = k.sum(axis=0), n.sum(axis=0)
    return np.log((right + 0.5) / (total - right + 0.5))


def maximize_likelihood(k, n, start, correlation=None):
    """Maximize the likelihood, over all parameters or at a given correlation.

    Parameters
    ----------
    k, n : array of int, shape (people, 2)
    start : array, shape (4,)
        Means and logs of standard deviations.
    correlation : float, optional

    Returns
    -------
    values : array, shape (4,)
    correlation : float
    loglik : float
    """

    free = correlation is None

    def loss(x):
        r = x[4] if free else correlation
        return -log_likelihood(k, n, x[:2], np.exp(x[2:4]), r)

    bounds = [(-8, 8)] * 2 + [(np.log(LEAST), np.log(8))] * 2 + [(-MOST, MOST)] * free
    tried = []
    # Flat where an ability hardly varies: from either side.
    for first in (0.3, -0.3) if free else (None,):
        x = np.append(start, first) if free else start
        tried.append(minimize(loss, x, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-10}))
    best = min(tried, key=lambda found: found.fun)
    return best.x[:4], float(best.x[4]) if free else correlation, -float(best.fun)
