"""Arrange the trials and the random effects of a mixed model for `turingstats.stats.mixed.laplace`.

The random effects of one grouping factor, such as judges, and of the factors nested in it, such as
`judge:made_by`, make one block for each judge, independent of the blocks of other judges. The effects of all
other factors, such as stimuli, are shared. Blocks are eliminated one by one, which leaves one dense matrix as
large as the number of shared effects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

MAX_SHARED = 4000
"""Largest number of shared effects."""

MAX_PAIRS = 20_000_000
"""Largest number of pairs of an effect in a block and a shared one: 160 MB an array, of four at a time."""


class RandomTerm(NamedTuple):
    """A random term such as ``(1 + x | judge)``: the level and the design of each row."""

    level: np.ndarray  # (rows,), from 0
    design: np.ndarray  # (rows, effects)

    @property
    def size(self) -> int:
        """Number of effects: levels times effects of a level."""
        return (int(self.level.max()) + 1) * self.design.shape[1]


class Sides(NamedTuple):
    """Which terms are in the blocks of which factor."""

    block: int  # term whose levels are the blocks
    inside: tuple[int, ...]  # terms nested in it, itself included
    shared: tuple[int, ...]  # all other terms


@dataclass(frozen=True)
class Cells:
    """Trials with equal predictors, counted, and the place of their random effects."""

    design: np.ndarray  # shape (patterns, coefficients): distinct rows of the fixed effects
    pattern: np.ndarray  # row of `design`, by cell
    successes: np.ndarray  # by cell
    trials: np.ndarray  # by cell
    effects: list[np.ndarray]  # design of each term, shape (cells, effects)
    # Place of each term's effects among all, those of the blocks and then the shared ones: by level
    # and effect, and by cell and effect.
    modes: list[np.ndarray]
    places: list[np.ndarray]
    in_block: list[bool]  # whether a term is in the blocks
    block: np.ndarray  # by cell
    # Number of blocks, largest number of effects in a block, number of shared effects.
    shape: tuple[int, int, int]

    @property
    def n_modes(self) -> int:
        """Number of random effects, places in blocks that nobody uses included."""
        blocks, slots, shared = self.shape
        return blocks * slots + shared


def choose_sides(terms: Sequence[RandomTerm]) -> Sides | None:
    """Choose the factor whose levels are the blocks, for the least work.

    Returns
    -------
    Sides or None
        None if every choice needs too much memory.
    """
    best, least = None, np.inf
    for k, outer in enumerate(terms):
        inside = tuple(m for m, term in enumerate(terms) if is_nested(term.level, outer.level))
        others = tuple(m for m in range(len(terms)) if m not in inside)
        blocks = int(outer.level.max()) + 1
        slots = sum(int(number_within(terms[m], outer.level).max()) + 1 for m in inside)
        shared = sum(terms[m].size for m in others)
        if shared > MAX_SHARED or blocks * slots * max(slots, shared) > MAX_PAIRS:
            continue
        work = blocks * slots * (slots**2 + shared**2) + shared**3
        if work < least:
            best, least = Sides(k, inside, others), work
    return best


def is_nested(inner: np.ndarray, outer: np.ndarray) -> bool:
    """Whether each level of `inner` occurs with a single level of `outer`."""
    first = np.zeros(int(inner.max()) + 1, int)
    first[inner] = outer
    return bool((first[inner] == outer).all())


def number_within(term: RandomTerm, block: np.ndarray) -> np.ndarray:
    """Number the effects of each level of a term within its block, from 0, shape (levels, effects)."""
    levels, effects = int(term.level.max()) + 1, term.design.shape[1]
    of_level = np.zeros(levels, int)
    of_level[term.level] = block
    rank = pd.Series(of_level).groupby(of_level).cumcount().to_numpy()
    return rank[:, None] * effects + np.arange(effects)


def arrange_cells(
    design: np.ndarray,
    pattern: np.ndarray,
    terms: Sequence[RandomTerm],
    successes: np.ndarray,
    trials: np.ndarray,
    sides: Sides,
) -> tuple[Cells, np.ndarray]:
    """Count trials with equal predictors, and number the random effects.

    Parameters
    ----------
    design : array, shape (patterns, coefficients)
        Distinct rows of the fixed effects.
    pattern : array of int, shape (rows,)
        Distinct values of all predictors, of fixed and of random effects.
    successes, trials : array, shape (rows,)

    Returns
    -------
    cells : Cells
    cell : array of int, shape (rows,)
        Cell of each row.
    """
    keys = [*(term.level for term in terms), pattern]
    # Numbered in the order of the keys, so that the order of rows does not matter.
    cell = pd.DataFrame(dict(enumerate(keys))).groupby(list(range(len(keys)))).ngroup().to_numpy()
    row = np.empty(int(cell.max()) + 1, int)
    row[cell] = np.arange(len(cell))
    block = terms[sides.block].level
    blocks = int(block.max()) + 1
    slots, within = 0, {}
    for k in sides.inside:
        within[k] = slots + number_within(terms[k], block)
        slots = int(within[k].max()) + 1
    start = blocks * slots
    modes = []
    for k, term in enumerate(terms):
        if k in within:
            of_level = np.zeros(len(within[k]), int)
            of_level[term.level] = block
            modes.append(of_level[:, None] * slots + within[k])
        else:
            modes.append(start + np.arange(term.size).reshape(-1, term.design.shape[1]))
            start += term.size
    cells = Cells(
        design=design,
        pattern=pattern[row],
        successes=np.bincount(cell, successes),
        trials=np.bincount(cell, trials),
        effects=[term.design[row] for term in terms],
        modes=modes,
        places=[places[term.level[row]] for places, term in zip(modes, terms, strict=True)],
        in_block=[k in within for k in range(len(terms))],
        block=block[row],
        shape=(blocks, slots, start - blocks * slots),
    )
    return cells, cell
