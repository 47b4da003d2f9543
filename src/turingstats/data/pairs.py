"""Verdicts by judge and stimulus, from which errors over both are computed; empty pairs take no space."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

COUNTED = ("right", "decided", "unsure")
"""Columns of the counts of a pair."""


class Pairs(NamedTuple):
    """Counts of a cohort by pair of judge and stimulus, where there are any.

    An entry is one agent's verdicts of one pair in one table: that of all trials, or that of a level of a
    condition. Those of groups of judges follow from the first.
    """

    stimuli: np.ndarray | None
    """Sorted by name; None where they are not known."""
    judge: np.ndarray
    """Place in the lists of `turingstats.data.counts.Cells`, shape (entries,), as the next three."""
    stimulus: np.ndarray
    table: np.ndarray
    agent: np.ndarray
    counts: np.ndarray
    """Columns `COUNTED`, shape (entries, 3)."""
    people: np.ndarray
    """The entry of people's responses of the same pair, in the same table and in that of all trials; -1 if
    there is none; shape (entries, 2)."""
    members: np.ndarray
    """Groups of judges, whose tables come after that of all trials; shape (judges, groups)."""

    def find_entries(self, table: int, agents: Collection[int] | None = None) -> np.ndarray:
        """Find the entries of a table, and of these agents (by default all)."""
        is_of_group = 0 < table <= self.members.shape[1]
        found = self.table == (0 if is_of_group else table)
        if agents is not None:
            found &= np.logical_or.reduce([self.agent == agent for agent in agents])
        found = np.flatnonzero(found)
        return found[self.members[self.judge[found], table - 1]] if is_of_group else found


def list_pairs(
    judge: np.ndarray,
    stimulus: np.ndarray,
    table: np.ndarray,
    agent: np.ndarray,
    counts: np.ndarray,
    stimuli: np.ndarray | None,
    members: np.ndarray,
) -> Pairs:
    """List the counts of pairs of judge and stimulus, with those of all AI agents together."""
    # There may be tens of millions of pairs: they are kept in as few bytes as they need.
    width = (judge.max(initial=0) + 1, stimulus.max(initial=0) + 1, table.max(initial=0) + 1)
    agents = agent.max(initial=0) + 2
    place = np.ravel_multi_index((judge, stimulus, table), width)
    machines = agent > 0
    keys = np.concatenate([place * agents + agent, place[machines] * agents + 1])
    del place
    keys, row = np.unique(keys, return_inverse=True)
    alone, together = np.split(row.astype(np.int32), [len(agent)])
    del row
    summed = np.empty((len(keys), len(COUNTED)), np.int32)
    for i, column in enumerate(counts.T):
        summed[:, i] = np.bincount(alone, column, len(keys))
        summed[:, i] += np.bincount(together, column[machines], len(keys)).astype(np.int32)
    del alone, together
    place, agent = np.divmod(keys, agents)
    judge, stimulus, table = (part.astype(np.int32) for part in np.unravel_index(place, width))
    # Places are sorted, and people come first of each.
    people = np.flatnonzero(agent == 0)
    of_people = np.column_stack(
        [find_sorted(place[people], wanted, people) for wanted in (place, place - table)]
    )
    return Pairs(
        stimuli,
        judge,
        stimulus,
        np.where(table > 0, table + members.shape[1], 0).astype(np.int32),
        agent.astype(np.int32),
        summed,
        of_people,
        members,
    )


def find_sorted(sorted_keys: np.ndarray, wanted: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Find the number of each wanted key among sorted ones; -1 if it is not there."""
    found = np.full(len(wanted), -1, np.int32)
    if len(sorted_keys):
        at = np.minimum(np.searchsorted(sorted_keys, wanted), len(sorted_keys) - 1)
        there = sorted_keys[at] == wanted
        found[there] = numbers[at[there]]
    return found


def find_both_roles(judges: np.ndarray, stimuli: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find who is both a judge and, under the same name, a stimulus; names are sorted and distinct.

    In games of three parties, the people who were judged have names such as games.players.w001, as judges do.
    Plain ids that happen to be the same, such as judge 1 and stimulus 1, say nothing.
    """
    names, *places = np.intersect1d(judges, stimuli, assume_unique=True, return_indices=True)
    are_people = np.array([str(name).count(".") > 1 for name in names], bool)
    return places[0][are_people], places[1][are_people]
