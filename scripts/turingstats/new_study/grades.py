"""Verdicts that follow from ratings or scores: what the user said of them, and what a table suggests."""

import pandas as pd

from turingstats.data.adapters.columns import normalize_spelling
from turingstats.data.adapters.graded import COMPARE, NAME

FEWEST_POINTS, MOST_POINTS = 3, 11
"""Numbers of points of a column that may be a scale of ratings."""


def find_grade(inspector):
    """Find the rating or score that the user described under `table`, or None."""
    return inspector.file.rating or inspector.file.score


def take_grade(inspector):
    """Take the column of ratings or scores for the verdict, with what each of its values means.

    Values that are not on the scale are left to the reading of the table, which names them.
    """
    grade = find_grade(inspector)
    if grade is None:
        return
    column = inspector.resolve_column(grade.column, "table")
    meanings = {}
    for value in inspector.list_levels(column):
        number = pd.to_numeric(value.replace(",", "."), errors="coerce")
        if inspector.file.rating:
            meanings[normalize_spelling(value)] = grade.meanings.get(number)
        elif pd.notna(number):
            machine = COMPARE[grade.sign](number, grade.threshold)
            meanings[normalize_spelling(value)] = "machine" if machine else "human"
    known = {value: meaning for value, meaning in meanings.items() if meaning is not None}
    if inspector.missing_in.get(column) and (inspector.table[column] == "").any():
        known[""] = None
    inspector.given_by[column] = known | inspector.given_by.get(column, {})
    inspector.columns["verdict"] = column


def drop_verdict(inspector):
    """Drop the verdict from the columns, since it follows from a rating or score."""
    if find_grade(inspector) is None:
        return
    column = inspector.columns.pop("verdict")
    known = inspector.values.pop("verdict")
    inspector.slips.pop(column, None)
    inspector.columns[NAME] = column
    if "" in known:
        inspector.values[NAME] = {"": None}
    kind = "rating" if inspector.file.rating else "score"
    inspector.remarks.append(f"the verdict follows from {column}, as described under {kind}")


def suggest_grades(inspector):
    """Suggest how to describe columns of numbers that may be ratings or scores, for a message."""
    suggestions = []
    for column in inspector.list_free_columns():
        numbers = pd.to_numeric(inspector.table[column], errors="coerce").dropna()
        if numbers.empty or len(numbers) < 0.5 * len(inspector.table):
            continue
        whole = (numbers % 1 == 0).all()
        # Larger numbers may be codes of missing values.
        on_scale = numbers[numbers.abs() <= 2 * MOST_POINTS]
        points = sorted(on_scale.unique())
        mostly = len(on_scale) >= 0.9 * len(numbers)
        if whole and mostly and FEWEST_POINTS <= len(points) <= MOST_POINTS:
            low, high = (f"{points[i]:.0f}" for i in (0, -1))
            suggestions.append(
                f'if {column} holds ratings, say what its points mean: table="{{rating: {{column: '
                f'{column}, human: {low}, unsure: ..., machine: {high}}}}}" (ranges such as 1-3)'
            )
        elif not whole and numbers.between(0, 1).all():
            suggestions.append(
                f"if {column} holds scores of detectors, say which mean a machine: "
                f"table=\"{{score: {{column: {column}, machine: '>= 0.5'}}}}\""
            )
    return "; ".join(suggestions)
