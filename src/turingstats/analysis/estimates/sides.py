"""The two sides of a quantity: verdicts on people's and on an agent's responses, and who gave them."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import Cells
from turingstats.stats.quantities import QUANTITIES

SIDES = {"human": slice(0, 1), "agent": slice(1, 2), "pair": slice(0, 2)}
"""Sides that a quantity describes: people's responses, the agent's, or both."""


class Sides(NamedTuple):
    """Verdicts on people's and on an agent's responses by pair of judge and stimulus, or by judge alone."""

    # Right, decided and unsure verdicts on people's responses, then on the agent's; shape (pairs, 6).
    counts: np.ndarray
    judge: np.ndarray  # place in `Cells.judges` of each pair
    stimulus: (
        np.ndarray | None
    )  # place in `Pairs.stimuli` of each pair; None if stimuli are not known
    both_roles: tuple[np.ndarray, np.ndarray] | None = None  # see `Cells.both_roles`
    same: bool = False  # whether both sides are the same verdicts


def collect_sides(
    cells: Cells,
    table: int,
    agent: str,
    people_table: int | None = None,
    chosen: np.ndarray | None = None,
) -> Sides:
    """Collect the verdicts on an agent's responses in a table, and on people's in the same or another one.

    In a choice, and for people themselves, both sides are the agent's. `chosen` masks the judges.
    """
    pairs = cells.pairs
    people_table = table if people_table is None else people_table
    of_agent = pairs.find_entries(table, (cells.agents.index(agent),))
    of_people = pairs.find_entries(people_table, (0,))
    if chosen is not None:
        of_agent, of_people = (part[chosen[pairs.judge[part]]] for part in (of_agent, of_people))
    same = cells.choice or agent == "human"
    if same:
        counts, entries = np.tile(pairs.counts[of_agent], 2), of_agent
    else:
        # Verdicts of a judge on a person's and a machine's response to one stimulus are one pair.
        joined = pairs.people[of_agent, int(people_table == 0)]
        alone = joined < 0
        place = np.searchsorted(of_people, joined)
        place[alone] = len(of_people) + np.arange(alone.sum())
        counts = np.zeros((len(of_people) + alone.sum(), 6), int)
        counts[: len(of_people), :3] = pairs.counts[of_people]
        counts[place, 3:] = pairs.counts[of_agent]
        entries = np.concatenate([of_people, of_agent[alone]])
    stimulus = None if pairs.stimuli is None else pairs.stimulus[entries]
    return Sides(counts, pairs.judge[entries], stimulus, cells.both_roles, same)


def split_influence(
    counts: np.ndarray, slopes: np.ndarray, quantity: str, same: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Split how much pairs move a quantity, and their trials, by side; two arrays of shape (pairs, 2).

    Parameters
    ----------
    counts : array, shape (pairs, 2, 2)
        Counts of the quantity and trials on people's and on the agent's responses.
    slopes : array, shape (4,)
        Derivatives of the quantity by its counts.
    same : bool
        Both sides are the same verdicts.
    """
    influence, trials = (counts * slopes.reshape(2, 2)).sum(axis=-1), counts[:, :, 1].astype(float)
    described = SIDES[WHOSE[quantity]]
    others = np.ones(2, bool)
    others[described] = False
    trials[:, others] = 0
    if WHOSE[quantity] == "pair" and (same or QUANTITIES[quantity].is_pooled):
        nothing = np.zeros(len(counts))
        number = trials[:, 1] if same else trials.sum(axis=1)
        return np.column_stack([influence.sum(axis=1), nothing]), np.column_stack([number, nothing])
    return influence, trials


def find_people_table(cells: Cells, table: int, pooled: Collection[str]) -> int:
    """Find the table with people's responses that agents are compared with: of all trials if `pooled`."""
    return 0 if cells.tables[table][0] in pooled else table


def order_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Order the rows of one table: people's rates, each agent's, then each quantity of pairs."""
    names = list(QUANTITIES)

    def find_rank(row: dict[str, Any]) -> tuple[int, int]:
        whose = WHOSE[row["quantity"]]
        return list(SIDES).index(whose), names.index(row["quantity"]) if whose == "pair" else 0

    return sorted(rows, key=find_rank)
