"""Comparisons of two options each: who can be compared, how often each won, and errors of both."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from turingstats.stats.clustered import UnitSums, divide
from turingstats.stats.crossed import MIN_UNITS, CrossedError, combine_unit_sums, number_pairs


class Comparisons(NamedTuple):
    """Comparisons of two options each; agents, judges and stimuli are numbered from 0, shape (rows,)."""

    first: np.ndarray
    second: np.ndarray
    # 1 if the first was chosen, 0 if the second, 0.5 for a tie.
    outcome: np.ndarray
    judge: np.ndarray
    # None if stimuli are not known.
    stimulus: np.ndarray | None

    def select(self, rows: np.ndarray) -> "Comparisons":
        """Select rows."""
        stimulus = None if self.stimulus is None else self.stimulus[rows]
        first, second, outcome, judge = (part[rows] for part in self[:4])
        return Comparisons(first, second, outcome, judge, stimulus)

    def number_verdicts(self) -> np.ndarray:
        """Number the pair of judge and stimulus of each row; without stimuli, each row is a verdict."""
        if self.stimulus is None:
            return np.arange(len(self.judge))
        return number_pairs(self.judge, self.stimulus)

    def sum_pairs(self, number: int, weights: np.ndarray | None = None) -> np.ndarray:
        """Count rows, or sum weights, by first and second agent; shape (agents, agents)."""
        pairs = self.first * number + self.second
        return np.bincount(pairs, weights, number**2).reshape(number, number)


def count_units(comparisons: Comparisons, unit: np.ndarray | None, number: int) -> np.ndarray:
    """Count the judges, or stimuli, of each agent and of all comparisons (last); shape (agents + 1,)."""
    if unit is None:
        return np.zeros(number + 1, int)
    codes, names = pd.factorize(unit)
    seen = np.zeros((len(names), number), bool)
    seen[codes, comparisons.first] = seen[codes, comparisons.second] = True
    return np.append(seen.sum(axis=0), len(names))


def shows_both_orders(comparisons: Comparisons) -> bool:
    """Tell whether most comparisons are of pairs that were shown in both orders; else order says nothing."""
    first, second = comparisons[:2]
    number = 1 + max(first.max(), second.max())
    counts = comparisons.sum_pairs(number)
    return bool(counts[(counts > 0) & (counts.T > 0)].sum() > 0.5 * len(first))


class Order(NamedTuple):
    """Who can be compared with whom, and who won against whom, directly or through others."""

    # Numbers of each agent, the largest is 0, shape (agents,). Agents of different islands never met, not
    # even through others; within a group each won and lost against another, directly or through others.
    island: np.ndarray
    group: np.ndarray
    # Whether the agent of the row won against that of the column, shape (agents, agents).
    won: np.ndarray

    def find_base(self) -> np.ndarray:
        """Find the agents whose mean strength is 0: those of the largest group, or all if none has two."""
        base = self.group == 0
        return base if base.sum() > 1 else np.ones(len(base), bool)

    def find_open_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Find agents whose strengths have no lower, and those whose have no upper limit.

        Their likelihood has no maximum: they won, or lost, all comparisons with the agents of the base.
        """
        apart = self.group[:, None] != self.group
        others = apart & self.find_base()
        up, down = (self.won & others).any(axis=1), (self.won.T & others).any(axis=1)
        unrelated = others.any(axis=1) & ~up & ~down
        return down | unrelated, up | unrelated


def order_agents(comparisons: Comparisons, number: int) -> Order:
    """Find which agents can be compared; strengths have finite estimates within a group (Ford 1957, American
    Mathematical Monthly 64(8), 28-33).
    """
    won = comparisons.sum_pairs(number, comparisons.outcome > 0)
    graph = csr_array(won + comparisons.sum_pairs(number, comparisons.outcome < 1).T)
    parts = []
    for connection in ("weak", "strong"):
        groups = connected_components(graph, connection=connection)[1]
        sizes = np.bincount(groups)
        if parts:
            # The largest group is one of the largest island.
            sizes = sizes * (np.bincount(groups, parts[0] == 0) > 0)
        seen = np.unique(groups, return_index=True)[1]
        parts.append(np.argsort(np.lexsort([seen, -sizes]))[groups])
    island, group = parts
    return Order(island, group, np.isfinite(shortest_path(graph)))


class WinRates(NamedTuple):
    """How often the first agent of each pair won, ties as half; shape (pairs,)."""

    rate: np.ndarray
    error: CrossedError
    # Comparisons, and those that the first agent won, and ties.
    n: np.ndarray
    wins: np.ndarray
    ties: np.ndarray


def estimate_win_rates(comparisons: Comparisons, number: int) -> WinRates:
    """Estimate how often the first agent of each pair won, with errors over judges and stimuli."""
    first, second, outcome = comparisons[:3]
    a, b = np.triu_indices(number, 1)
    place = np.zeros((number, number), int)
    place[a, b] = np.arange(len(a))
    of = place[np.minimum(first, second), np.maximum(first, second)]
    gained = np.where(first < second, outcome, 1 - outcome)
    n, won, wins, ties = (
        np.bincount(of, part, len(a))
        for part in (np.ones(len(of)), gained, gained == 1, gained == 0.5)
    )
    rate = np.where(n > 0, divide(won, n), np.nan)
    influence = (gained - rate[of]) / n[of]
    judges, stimuli = (
        None if unit is None else sum_within(of, unit, influence, len(a))
        for unit in (comparisons.judge, comparisons.stimulus)
    )
    verdicts = sum_within(of, comparisons.number_verdicts(), influence, len(a))
    enough = [
        unit is not None and (unit.trials > 0).sum(axis=(1, 2)) >= MIN_UNITS
        for unit in (judges, stimuli)
    ]
    squares = (verdicts.influence**2).sum(axis=1, keepdims=True)
    error = combine_unit_sums((judges, stimuli), squares, enough)
    return WinRates(rate, error, *(part.astype(int) for part in (n, wins, ties)))


def sum_within(of: np.ndarray, unit: np.ndarray, values: np.ndarray, number: int) -> UnitSums:
    """Sum values by unit within each of some groups of rows; shape (groups, most units of a group, 1)."""
    keys, codes = np.unique(of * (unit.max() + 1) + unit, return_inverse=True)
    group = keys // (unit.max() + 1)
    at = np.arange(len(keys)) - np.searchsorted(group, group)
    sums = np.zeros((2, number, at.max() + 1, 1))
    sums[:, group, at, 0] = np.bincount(codes, values), np.bincount(codes)
    return UnitSums(*sums)
