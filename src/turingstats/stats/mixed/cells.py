"""Layout of a binomial model with crossed random intercepts for `turingstats.stats.mixed.laplace`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

MOST_DENSE = 4000
"""Largest number of levels on the side that is not eliminated."""

MOST_CELLS = 20_000_000
"""Largest number of pairs of levels of the two sides: 160 MB an array, of which there are four."""

MOST_PARTS = 16
"""With more separate parts, such as responses of people and of machines, they are treated as one."""


class Part(NamedTuple):
    """Levels of both sides that occur together, and with no others."""

    fine: np.ndarray  # levels of the eliminated side
    dense: slice  # levels of the other side
    start: int  # first element of the part in the table of all pairs
    coarse: csr_array  # indicator, (coarse levels, fine levels of the part)

    @property
    def width(self) -> int:
        """Number of levels of the dense side."""
        return self.dense.stop - self.dense.start


@dataclass(frozen=True)
class Cells:
    """Trials with equal predictors, counted, and how the random terms are laid out.

    Levels of the dense side are numbered through over its terms; modes are in the order fine, coarse, dense.
    """

    design: np.ndarray  # (patterns, coefficients)
    pattern: np.ndarray  # of each cell
    successes: np.ndarray
    trials: np.ndarray
    fine: np.ndarray  # level of each cell
    coarse_of_fine: np.ndarray
    dense: tuple[np.ndarray, ...]  # level of each cell, by term
    place: tuple[np.ndarray, ...]  # of each cell in the table of all pairs, by term
    parts: tuple[Part, ...]
    sizes: tuple[int, int, int]  # fine, coarse, dense levels
    term: np.ndarray  # random term of each mode; -1 for a coarse side that does not exist
    order: np.ndarray  # place of each mode in the levels of all terms, in the order of the formula

    def split(self, values: np.ndarray) -> list[np.ndarray]:
        """Split values of all modes into fine, coarse and dense ones."""
        fine, coarse, _ = self.sizes
        return np.split(values, [fine, fine + coarse])

    def spread(self, by_term: np.ndarray) -> np.ndarray:
        """Give every mode the value of its term."""
        return np.append(by_term, 0.0)[self.term]

    def add_up(self, values: np.ndarray) -> np.ndarray:
        """Sum values of cells by mode: Z' values."""
        fine, coarse, dense = self.sizes
        by_fine = np.bincount(self.fine, values, fine)
        by_coarse = np.bincount(self.coarse_of_fine, by_fine, coarse)
        by_dense = np.zeros(dense)
        for codes in self.dense:
            by_dense += np.bincount(codes, values, dense)
        return np.concatenate([by_fine, by_coarse, by_dense])

    def predict(self, modes: np.ndarray) -> np.ndarray:
        """Sum the modes of each cell: Z b."""
        by_fine, by_coarse, by_dense = self.split(modes)
        total = (by_fine + by_coarse[self.coarse_of_fine])[self.fine]
        for codes in self.dense:
            total += by_dense[codes]
        return total

    def project(self, values: np.ndarray) -> np.ndarray:
        """Compute X' values."""
        return self.design.T @ np.bincount(self.pattern, values, len(self.design))


def choose_sides(codes: Sequence[np.ndarray]) -> tuple[list[int], list[int]] | None:
    """Choose which random terms are eliminated: one, or two of which one is nested in the other.

    Parameters
    ----------
    codes : sequence of array of int
        Levels of each random term.

    Returns
    -------
    eliminated, dense : list of int
        Numbers of the terms, of the eliminated ones that with more levels first; None if both sides are
        too large.
    """
    levels = [int(code.max()) + 1 for code in codes]
    every = range(len(codes))
    options = [[k] for k in every]
    options += [[k, m] for k in every for m in every if is_nested(codes[k], codes[m], levels[k])]
    best = None
    for eliminated in options:
        others = [k for k in every if k not in eliminated]
        dense = sum(levels[k] for k in others)
        if dense > MOST_DENSE or dense * levels[eliminated[0]] > MOST_CELLS:
            continue
        cost = dense**2 * (sum(levels[k] for k in eliminated) + dense) + sum(levels)
        if best is None or cost < best[0]:
            best = cost, eliminated, others
    return best and best[1:]


def is_nested(fine: np.ndarray, coarse: np.ndarray, levels: int) -> bool:
    """Whether each level of `fine` occurs with a single level of `coarse`, and not the other way round."""
    first = np.zeros(levels, int)
    first[fine] = coarse
    return levels > coarse.max() + 1 and bool((first[fine] == coarse).all())


def arrange_cells(
    design: np.ndarray,
    pattern: np.ndarray,
    codes: Sequence[np.ndarray],
    successes: np.ndarray,
    trials: np.ndarray,
    sides: tuple[list[int], list[int]],
) -> tuple[Cells, np.ndarray]:
    """Count trials with equal predictors, and lay out the random terms.

    Parameters
    ----------
    design : array, shape (patterns, coefficients)
        Distinct rows of the fixed effects.
    pattern : array of int, shape (rows,)
        Row of `design`.
    codes : sequence of array of int
        Levels of each random term.
    successes, trials : array, shape (rows,)
    sides : tuple
        From `choose_sides`.

    Returns
    -------
    cells : Cells
    cell : array of int, shape (rows,)
        Cell of each row.
    """
    eliminated, others = sides
    levels = [int(code.max()) + 1 for code in codes]
    keys = [*(codes[k] for k in (eliminated[0], *others)), pattern]
    # Numbered in the order of the keys, so that the order of rows does not matter.
    cell = pd.DataFrame(dict(enumerate(keys))).groupby(list(range(len(keys)))).ngroup().to_numpy()
    row = np.empty(int(cell.max()) + 1, int)
    row[cell] = np.arange(len(cell))
    fine = codes[eliminated[0]][row]
    starts = np.cumsum([0, *(levels[k] for k in others)])
    dense = [codes[k][row] + start for k, start in zip(others, starts, strict=False)]
    # Without a nested pair, the coarse side is a single level whose variance is 0.
    coarse = codes[eliminated[1]][row] if len(eliminated) > 1 else np.zeros_like(fine)
    coarse_of_fine = np.zeros(levels[eliminated[0]], int)
    coarse_of_fine[fine] = coarse
    sizes = len(coarse_of_fine), int(coarse.max()) + 1, int(starts[-1])
    numbers, parts = find_parts(fine, dense, coarse_of_fine, sizes)
    dense = [numbers[level] for level in dense]
    term, order = list_modes(levels, eliminated, others, numbers)
    cells = Cells(
        design=design,
        pattern=pattern[row],
        successes=np.bincount(cell, successes),
        trials=np.bincount(cell, trials),
        fine=fine,
        coarse_of_fine=coarse_of_fine,
        dense=tuple(dense),
        place=tuple(locate_pairs(fine, level, parts, sizes[0]) for level in dense),
        parts=parts,
        sizes=sizes,
        term=term,
        order=order,
    )
    return cells, cell


def list_modes(
    levels: Sequence[int], eliminated: Sequence[int], others: Sequence[int], numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """List the term of each mode, and its place among the levels of all terms of the formula."""
    offsets = np.cumsum([0, *levels])
    term = [np.full(levels[k], k) for k in eliminated]
    order = [offsets[k] + np.arange(levels[k]) for k in eliminated]
    if len(eliminated) == 1:
        term.append(np.array([-1]))
        order.append(offsets[-1:])
    if len(others):
        behind = np.argsort(numbers)
        term.append(np.concatenate([np.full(levels[k], k) for k in others])[behind])
        order.append(np.concatenate([offsets[k] + np.arange(levels[k]) for k in others])[behind])
    return np.concatenate(term), np.concatenate(order)


def locate_pairs(
    fine: np.ndarray, level: np.ndarray, parts: Sequence[Part], n_fine: int
) -> np.ndarray:
    """Locate the pairs of a fine and a dense level in the table of all pairs."""
    start = np.empty(n_fine, int)
    for part in parts:
        start[part.fine] = part.start - part.dense.start + part.width * np.arange(len(part.fine))
    return start[fine] + level


def find_parts(
    fine: np.ndarray,
    dense: Sequence[np.ndarray],
    coarse_of_fine: np.ndarray,
    sizes: tuple[int, int, int],
) -> tuple[np.ndarray, tuple[Part, ...]]:
    """Find the parts of both sides that never occur together, such as responses of people and of machines.

    Returns
    -------
    numbers : array of int
        Number of each level of the dense side: those of a part follow each other.
    parts : tuple of Part
    """
    n_fine, n_coarse, n_dense = sizes
    count, label = 1, np.zeros(n_fine + n_dense, int)
    if n_dense:
        links = [(fine, level + n_fine) for level in dense]
        row, column = (np.concatenate(side) for side in zip(*links, strict=True))
        graph = csr_array((np.ones(len(row), bool), (row, column)), shape=(len(label),) * 2)
        count, label = connected_components(graph, directed=False)
    if count > MOST_PARTS:
        count, label = 1, np.zeros_like(label)
    of_fine, of_dense = np.split(label, [n_fine])
    behind = np.argsort(of_dense, kind="stable")
    numbers = np.empty(n_dense, int)
    numbers[behind] = np.arange(n_dense)
    ends = np.cumsum(np.bincount(of_dense, minlength=count))
    parts, start = [], 0
    for number in range(count):
        own = np.flatnonzero(of_fine == number)
        columns = slice(int(ends[number - 1]) if number else 0, int(ends[number]))
        ones = (np.ones(len(own)), (coarse_of_fine[own], np.arange(len(own))))
        parts.append(Part(own, columns, start, csr_array(ones, shape=(n_coarse, len(own)))))
        start += len(own) * parts[-1].width
    return numbers, tuple(parts)


def view_part(pairs: np.ndarray, part: Part) -> np.ndarray:
    """View the table of all pairs of a part, shape (fine, dense)."""
    end = part.start + len(part.fine) * part.width
    return pairs[part.start : end].reshape(len(part.fine), part.width)
