"""Cells of a mixed model: trials with equal answers and predictors, and the place of their random effects.

The random effects of one grouping factor, such as judges, and of the factors nested in it make blocks; those
of all other factors are shared (`turingstats.stats.mixed.laplace`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from turingstats.stats.mixed.answers import Answers, Link

MAX_SHARED = 4000
"""Largest number of shared effects."""

MAX_PAIRS = 20_000_000
"""Largest number of pairs of an effect in a block and a shared one: 160 MB an array, of four at a time."""

SPARSE = 0.04
"""Share of pairs of shared effects that meet in a block below which sparse products are faster."""


class RandomTerm(NamedTuple):
    """A random term such as ``(1 + x | judge)``: the level and the design of each row."""

    level: np.ndarray  # (rows,), from 0
    design: np.ndarray  # (rows, effects)
    # Whether the two effects are those of both kinds in (1 | judge) + (1 | judge:kind): theta is the standard
    # deviation of what they share and that of what each adds. One effect per judge fewer than in two terms.
    paired: bool = False

    @property
    def size(self) -> int:
        """Number of effects: levels times effects of a level."""
        return (int(self.level.max()) + 1) * self.design.shape[1]


class Sides(NamedTuple):
    """Which terms are in the blocks of which factor."""

    block: int  # term whose levels are the blocks
    inside: tuple[int, ...]  # terms nested in it, itself included
    shared: tuple[int, ...]  # all other terms


class Crossing(NamedTuple):
    """Which blocks occur with which shared effects: where M is not 0 between them."""

    pair: dict[tuple[int, int], np.ndarray]  # by cell, for each term and effect that is shared
    block: np.ndarray  # by pair, in increasing order
    column: np.ndarray  # shared effect, by pair
    first: np.ndarray  # first pair of each block
    # None if dense matrices of blocks are faster.
    meetings: "Meetings | None"


class Meetings(NamedTuple):
    """Which pairs have the same block: a sparse matrix, (pairs, pairs), with data set when it is used."""

    matrix: csr_array
    place: np.ndarray  # of its data: the place of both effects among the shared ones
    # Of those in the lower triangle: both pairs, and the place.
    lower: tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Cells:
    """Trials with equal answers and predictors, counted, and the place of their random effects."""

    answers: Answers
    design: np.ndarray  # shape (patterns, coefficients): distinct rows of the fixed effects
    pattern: np.ndarray  # row of `design`, by cell
    effects: list[np.ndarray]  # design of each term, shape (cells, effects)
    paired: list[bool]  # of each term, as in `RandomTerm`
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

    @cached_property
    def crossing(self) -> Crossing:
        """The pairs of a block and a shared effect."""
        blocks, slots, shared = self.shape
        keys = {
            (k, e): self.block * shared + places[:, e] - blocks * slots
            for k, places in enumerate(self.places)
            for e in range(places.shape[1])
            if not self.in_block[k]
        }
        pairs, codes = np.unique(np.concatenate([*keys.values(), []]), return_inverse=True)
        block, column = np.divmod(pairs.astype(int), max(shared, 1))
        by_effect = np.split(codes, len(keys)) if keys else []
        first = np.flatnonzero(np.diff(block, prepend=-1))
        sizes = np.diff(first, append=len(pairs))
        meetings = None
        if 0 < (sizes**2).sum() < min(SPARSE * blocks * shared**2, MAX_PAIRS):
            counts = np.repeat(sizes, sizes)
            starts = np.append(0, np.cumsum(counts))
            row = np.repeat(np.arange(len(pairs)), counts)
            other = np.arange(starts[-1]) + np.repeat(np.repeat(first, sizes) - starts[:-1], counts)
            place = column[row] * shared + column[other]
            below = other <= row
            meetings = Meetings(
                csr_array((np.zeros(len(other)), other, starts), shape=(len(pairs),) * 2),
                place,
                (row[below], other[below], place[below]),
            )
        return Crossing(dict(zip(keys, by_effect, strict=True)), block, column, first, meetings)

    @cached_property
    def products(self) -> list[tuple[int, int, str, np.ndarray]]:
        """The place in M of the product of each two columns of Z L, by cell.

        The parts of M are within blocks, between blocks and shared effects (by pair), and among shared
        effects; of the symmetric ones, places are in the lower triangle.
        """
        blocks, slots, shared = self.shape
        columns = [
            (places[:, f], self.crossing.pair.get((k, f), np.empty(0, int)))
            for k, places in enumerate(self.places)
            for f in range(places.shape[1])
        ]
        products = []
        for k, (mode, pair) in enumerate(columns):
            for m, (other, other_pair) in enumerate(columns[: k + 1]):
                if not (pair.size or other_pair.size):
                    part, place = "within", mode * slots + other % slots
                elif pair.size and other_pair.size:
                    part = "among"
                    place = (mode - blocks * slots) * shared + other - blocks * slots
                else:
                    inner, both = (other, pair) if pair.size else (mode, other_pair)
                    part, place = "between", both * slots + inner % slots
                products.append((k, m, part, place))
        return products

    def locate_theta(self) -> list[slice]:
        """Locate theta of each term among the parameters, behind the coefficients."""
        sizes = [
            2 if paired else design.shape[1] * (design.shape[1] + 1) // 2
            for design, paired in zip(self.effects, self.paired, strict=True)
        ]
        return [slice(*ends) for ends in pairwise(np.cumsum([self.design.shape[1], *sizes]))]

    def locate_extra(self) -> tuple[int, int]:
        """Locate where the coefficients end among the parameters, and where the extra ones begin."""
        coefficients = self.design.shape[1]
        return coefficients, max([coefficients, *(place.stop for place in self.locate_theta())])

    def differentiate_factors(self, parameters: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Build a root of the covariance of each term's effects, a lower triangle or symmetric, and its
        derivatives by theta, shape (theta, effects, effects).
        """
        factors = []
        for design, paired, place in zip(
            self.effects, self.paired, self.locate_theta(), strict=True
        ):
            theta, size = parameters[place], design.shape[1]
            if paired:
                common, single = theta
                mean, total = np.full((2, 2), 0.5), np.hypot(single, np.sqrt(2) * common)
                rates = np.array([2 * common, single]) / (total or 1)
                slopes = np.multiply.outer(rates, mean)
                slopes[1] += np.eye(2) - mean
                factors.append((single * (np.eye(2) - mean) + total * mean, slopes))
            else:
                slopes = np.zeros((len(theta), size, size))
                slopes[(np.arange(len(theta)), *np.tril_indices(size))] = 1
                factors.append((np.tensordot(theta, slopes, 1), slopes))
        return factors


def choose_sides(terms: Sequence[RandomTerm]) -> Sides | None:
    """Choose the factor whose levels are the blocks, for the least work; None if all need too much memory."""
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
    codes: np.ndarray,
    trials: np.ndarray,
    scaled: np.ndarray | None = None,
    link: Link = "logit",
) -> tuple[Cells, np.ndarray] | None:
    """Count trials with equal answers and predictors, and number the random effects; also each row's cell.

    `design` has the distinct rows of the fixed effects, `pattern` numbers the distinct values of all
    predictors, of fixed and of random effects, by row. None if all ways need too much memory.
    """
    sides = choose_sides(terms) if terms else Sides(0, (), ())
    if sides is None:
        return None
    kinds = [term.design[:, 1] for term in terms if term.paired]
    keys = [*(term.level for term in terms), *kinds, pattern, codes]
    # Numbered in the order of the keys, so that the order of rows does not matter.
    cell = pd.DataFrame(dict(enumerate(keys))).groupby(list(range(len(keys)))).ngroup().to_numpy()
    row = np.empty(int(cell.max()) + 1, int)
    row[cell] = np.arange(len(cell))
    block = terms[sides.block].level if terms else np.zeros(len(pattern), int)
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
    scaled = np.empty((len(pattern), 0)) if scaled is None else scaled
    cells = Cells(
        answers=Answers(codes[row], np.bincount(cell, trials), scaled[row], link),
        design=design,
        pattern=pattern[row],
        effects=[term.design[row] for term in terms],
        paired=[term.paired for term in terms],
        modes=modes,
        places=[places[term.level[row]] for places, term in zip(modes, terms, strict=True)],
        in_block=[k in within for k in range(len(terms))],
        block=block[row],
        shape=(blocks, slots, start - blocks * slots),
    )
    return cells, cell
