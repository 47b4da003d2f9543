"""Columns that follow from truth and verdict, such as whether a judge was right: checks, never predictors."""

from collections import Counter

import pandas as pd

from turingstats.data.cells import YES_NO
from turingstats.data.schema import normalize_spelling

MINIMUM_ROWS = 10
"""Minimum number of rows for a statement about all of them."""
MINIMUM_AGREEMENT = 0.95
"""Share of rows that must agree with the others, so that the rest may be slips."""
MAX_VALUES = 6
"""Maximum number of values of a column that follows from truth and verdict."""


def find_contradictions(
    cells: pd.Series, truth: pd.Series, verdict: pd.Series
) -> tuple[pd.Index, dict[tuple[str, str], str]]:
    """Find the rows in which a column differs from what it mostly is with the same truth and verdict.

    Returns these rows, and what the column mostly is, by truth and verdict. Empty cells, and rows whose truth
    or verdict is not known, say nothing.
    """
    known = select_known(cells, truth, verdict)
    rows = [*zip(truth[known], verdict[known], cells[known], strict=True)]
    most: dict[tuple[str, str], tuple[int, str]] = {}
    for (side, said, cell), number in Counter(rows).items():
        if number > most.get((side, said), (0, ""))[0]:
            most[side, said] = number, cell
    usual = {answers: cell for answers, (_, cell) in most.items()}
    differs = [usual[side, said] != cell for side, said, cell in rows]
    return cells.index[known][differs], usual


def select_known(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> pd.Series:
    """Select the rows with a filled cell whose truth and verdict are known."""
    return cells.notna() & (cells != "") & truth.notna() & verdict.notna()


def is_reversed(meanings: dict[tuple[str, str], str]) -> bool:
    """Tell whether a column, by truth and verdict, says no wherever the verdict is right."""
    right = {
        normalize_spelling(cell) for (truth, verdict), cell in meanings.items() if truth == verdict
    }
    return {YES_NO.get(cell) for cell in right} == {"no"}


def follows_from_answers(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> bool:
    """Tell whether a column of several values follows from truth and verdict in (nearly) all rows."""
    known = cells[select_known(cells, truth, verdict)]
    values = {*known.unique()}
    if len(known) < MINIMUM_ROWS or not 1 < len(values) <= MAX_VALUES:
        return False
    wrong, meanings = find_contradictions(cells, truth, verdict)
    # A rare value is a slip only if another value says more often what it says.
    is_slip = len(wrong) <= (1 - MINIMUM_AGREEMENT) * len(known)
    return is_slip and {*meanings.values()} == values


def is_outcome(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> bool:
    """Tell whether a column follows from truth and verdict, and not from the truth alone."""
    if not follows_from_answers(cells, truth, verdict):
        return False
    _, meanings = find_contradictions(cells, truth, verdict)
    by_truth = {
        side: {meanings[pair] for pair in meanings if pair[0] == side} for side, _ in meanings
    }
    return any(len(values) > 1 for values in by_truth.values())
