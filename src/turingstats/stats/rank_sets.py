"""Ranks with intervals that hold simultaneously, and groups of agents that are not told apart."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from turingstats.stats.bradley_terry import Differences

DRAWS = 10_000
CHUNK = 500
"""Draws at once: their differences between 100 agents take 40 MB."""


class Ranks(NamedTuple):
    """Ranks of agents, 1 for the strongest."""

    rank: np.ndarray  # shape (agents,), as the next two
    # Ends of intervals that contain all true ranks at once, with the given confidence.
    low: np.ndarray
    high: np.ndarray
    # Adjusted for all pairs, shape (agents, agents), as the next one.
    p: np.ndarray
    # Whether the agent of the row is stronger than that of the column.
    is_stronger: np.ndarray


def infer_ranks(
    differences: Differences, spread: np.ndarray, level: float, rng: np.random.Generator
) -> Ranks:
    """Infer ranks from the differences between all pairs of agents.

    Parameters
    ----------
    differences : Differences
    spread : array, shape (agents, agents)
        Covariance of the strengths, from which the correlations of the differences are taken.

    Returns
    -------
    Ranks

    Notes
    -----
    Simultaneous intervals of all differences, from the largest |t| in draws of a normal distribution with the
    correlations of the differences; the draw's p becomes each difference's limit through its own Student's t.
    A rank's lower end is one more than the number of agents that are stronger, its upper end the number of
    agents that are not weaker (Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91,
    476-518, single step). p values are those of the largest |t| in the draws.
    """
    n = len(differences.value)
    values, vectors = np.linalg.eigh(spread)
    root = vectors * np.sqrt(np.clip(values, 0, None))
    sd = np.sqrt(np.clip(np.add.outer(np.diag(spread), np.diag(spread)) - 2 * spread, 0, None))
    sd[~np.isfinite(differences.se) | (sd < 1e-12)] = np.inf
    largest = []
    for _ in range(DRAWS // CHUNK):
        drawn = rng.standard_normal((CHUNK, n)) @ root.T
        largest.append(np.abs((drawn[:, :, None] - drawn[:, None]) / sd).max(axis=(1, 2)))
    smallest_p = np.sort(2 * ndtr(-np.concatenate(largest)))
    limit = np.quantile(smallest_p, 1 - level)
    with np.errstate(invalid="ignore"):
        reach = stdtrit(differences.df, 1 - limit / 2) * differences.se
        is_stronger = differences.value > reach
    p = (1 + np.searchsorted(smallest_p, differences.p, side="right")) / (1 + DRAWS)
    return Ranks(
        1 + (differences.value < 0).sum(axis=1),
        1 + is_stronger.sum(axis=0),
        n - is_stronger.sum(axis=1),
        np.where(np.isfinite(differences.p), p, np.nan),
        is_stronger,
    )


def group_similar_agents(is_stronger: np.ndarray, order: np.ndarray) -> list[list[int]]:
    """List the largest groups of agents of whom no two are told apart, the strongest first.

    Each agent is in one group or more, as in a compact letter display (Piepho 2004, Journal of Computational
    and Graphical Statistics 13, 456-466); `order` lists the agents, the strongest first.
    """
    groups = [set(range(len(order)))]
    place = np.argsort(order)
    for one, other in zip(*np.nonzero(is_stronger), strict=True):
        a, b = int(place[one]), int(place[other])
        split = [group for group in groups if a in group and b in group]
        groups = [group for group in groups if group not in split]
        for part in (group - {out} for group in split for out in (a, b)):
            if not any(part <= group for group in groups):
                groups = [group for group in groups if not group < part] + [part]
    return [[int(order[at]) for at in sorted(group)] for group in sorted(groups, key=sorted)]
