"""Verdicts from ratings on a scale of points, and from scores of detectors.

A rating or score is kept next to its verdict in the column `rating`, where larger values always mean a
machine: the scale of a table in which they mean a person is reversed.
"""

import operator

import numpy as np
import pandas as pd

from turingstats.config.graded import Rating, Score
from turingstats.config.study import Task
from turingstats.data.adapters import columns
from turingstats.data.adapters.messages import make_error, make_source_error
from turingstats.data.adapters.shapes import Shaped
from turingstats.data.distinct_values import make_column
from turingstats.data.notes import describe

NAME = "rating"
"""Column of the judgments, and its name under `values` in data/sources/."""
FEW_POINTS = 20
"""Maximum number of points that a message lists."""
COMPARE = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}


def derive_verdicts(shaped: Shaped, table: pd.DataFrame, task: Task) -> dict[str, pd.Series]:
    """Derive the verdicts and ratings of a table, and its confidence if it has no column for it."""
    file = shaped.file
    grade, kind = file.grade, "rating" if file.rating else "score"
    if grade is None:
        return {}
    if task.choice:
        raise make_source_error(file, "graded_choice", kind=kind, task=file.task)
    people = [n for n in table["cohort"].unique() if task.cohorts[n].judge_kind == "human"]
    if file.score and people:
        raise make_source_error(file, "scores_of_people", people=", ".join(people))
    empty = table.loc[table[NAME].isna(), NAME].astype(object).fillna("")
    shaped.refuse(empty, NAME, "no_grade", kind=kind)
    numbers = columns.parse_numbers(shaped, table[NAME], NAME)
    if isinstance(grade, Score):
        check_scores(shaped, numbers, table, grade)
        is_machine = COMPARE[grade.sign](numbers, grade.threshold)
        return {
            "verdict": make_column(is_machine.astype(int), ("human", "machine")),
            NAME: numbers if grade.rises else 1 - numbers,
        }
    return read_ratings(shaped, numbers, table, grade)


def read_ratings(
    shaped: Shaped, numbers: pd.Series, table: pd.DataFrame, grade: Rating
) -> dict[str, pd.Series]:
    """Read ratings on a scale of points: what they mean, and how sure they are.

    Answers of a slider between two points count as the nearer one; halfway between points with different
    meanings they are unsure.
    """
    low, high = grade.ends
    few = len(grade.points) <= FEW_POINTS
    allowed = grade.points if few else [f"numbers from {low:g} to {high:g}"]
    shaped.refuse(table.loc[~numbers.between(low, high), NAME], NAME, "no_point", allowed)
    verdict = numbers.map(grade.interpret).astype("category")
    between = numbers[numbers % 1 != 0]
    if len(between) and not grade.is_slider:
        places = [f"row {row}: {number:g}" for row, number in between.items()]
        check = f"{grade.column}: answers between two points of the scale"
        shaped.note(check, places, len(numbers), "read as the nearer point")
        numbers = np.floor(numbers + 0.5)
    found = {"verdict": verdict, NAME: numbers if grade.rises else low + high - numbers}
    if "confidence" not in table:
        found["confidence"] = (numbers - (low + high) / 2).abs()
    return found


def check_scores(shaped: Shaped, numbers: pd.Series, table: pd.DataFrame, grade: Score) -> None:
    """Refuse shares of detectors beside percent of others, and note those that never reach the threshold."""
    detector = table["judge"] if "judge" in table else table["cohort"]
    ends = numbers.groupby(detector.astype(str), sort=False).agg(["min", "max"])
    shares = ends[(ends["min"] >= 0) & (ends["max"] <= 1)]
    percent = ends[(ends["min"] >= 0) & (ends["max"] > 2) & (ends["max"] <= 100)]
    if len(shares) and len(percent):
        said = {"one": percent.index[0], "high": percent["max"].iloc[0], "other": shares.index[0]}
        raise make_error(shaped.path, "two_scales", column=grade.column, **said)
    reaches = COMPARE[grade.sign]
    alike = ends.index[
        reaches(ends["min"], grade.threshold) == reaches(ends["max"], grade.threshold)
    ]
    if len(alike):
        check = f"{grade.column}: detectors whose scores are all on one side of {grade.machine}"
        done = "nothing: correct the threshold if it is not theirs"
        shaped.notes.append(describe("warning", check, [*alike], len(ends), done))
