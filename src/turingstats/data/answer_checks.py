"""Columns that follow from truth and verdict, such as whether a judge was right: checks, never predictors."""

import pandas as pd

from turingstats.data.cells import YES_NO
from turingstats.data.schema import normalize_spelling

MINIMUM_ROWS = 10
"""Minimum number of rows for a statement about all of them."""
MINIMUM_AGREEMENT = 0.95
"""Share of rows that must agree with the others, so that the rest may be slips."""


def group_by_answers(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> pd.DataFrame:
    """Group the filled cells of a column by the truth and verdict of their rows, where both are known."""
    table = pd.DataFrame(
        {
            "truth": truth.astype(object),
            "verdict": verdict.astype(object),
            "cell": cells.astype(object),
        }
    )
    return table[table.notna().all(axis=1) & (table["cell"] != "")]


def find_contradictions(
    cells: pd.Series, truth: pd.Series, verdict: pd.Series
) -> tuple[pd.Index, dict[tuple[str, str], str]]:
    """Find the rows in which a column differs from what it mostly is with the same truth and verdict.

    Returns these rows, and what the column mostly is, by truth and verdict.
    """
    table = group_by_answers(cells, truth, verdict)
    answers = ["truth", "verdict"]
    usual = table.groupby(answers)["cell"].agg(lambda part: part.value_counts().index[0])
    differs = table["cell"] != table.join(usual.rename("usual"), on=answers)["usual"]
    return table.index[differs], usual.to_dict()


def is_reversed(meanings: dict[tuple[str, str], str]) -> bool:
    """Tell whether a column, by truth and verdict, says no wherever the verdict is right."""
    right = {
        normalize_spelling(cell) for (truth, verdict), cell in meanings.items() if truth == verdict
    }
    return {YES_NO.get(cell) for cell in right} == {"no"}


def follows_from_answers(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> bool:
    """Tell whether a column of several values follows from truth and verdict in (nearly) all rows."""
    table = group_by_answers(cells, truth, verdict)
    if len(table) < MINIMUM_ROWS or not 1 < table["cell"].nunique() <= 6:
        return False
    wrong, meanings = find_contradictions(cells, truth, verdict)
    # A rare value is a slip only if another value says more often what it says.
    return set(meanings.values()) == set(table["cell"]) and len(wrong) <= (
        1 - MINIMUM_AGREEMENT
    ) * len(table)


def is_outcome(cells: pd.Series, truth: pd.Series, verdict: pd.Series) -> bool:
    """Tell whether a column follows from truth and verdict, and not from the truth alone."""
    if not follows_from_answers(cells, truth, verdict):
        return False
    _, meanings = find_contradictions(cells, truth, verdict)
    by_truth = {
        side: {meanings[pair] for pair in meanings if pair[0] == side} for side, _ in meanings
    }
    return any(len(values) > 1 for values in by_truth.values())
