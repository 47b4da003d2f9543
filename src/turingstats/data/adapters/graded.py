"""Verdicts from ratings on a scale of points, and from scores of detectors.

A rating or score is kept next to its verdict in the column `rating`, where larger values always mean a
machine: the scale of a table in which they mean a person is reversed.
"""

import operator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.graded import Score
from turingstats.config.raw_files import RawFile
from turingstats.config.study import Task
from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters import columns
from turingstats.data.distinct_values import make_column
from turingstats.data.notes import describe

NAME = "rating"
"""Column of the judgments, and its name under `values` in data/sources/."""
FEW_POINTS = 20
"""Maximum number of points that a message lists."""
COMPARE = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}


def name_column(file: RawFile) -> RawFile:
    """Return a raw file whose columns include that of its rating or score, if it has one."""
    grade = file.rating or file.score
    if grade is None:
        return file
    return file.model_copy(update={"columns": {**file.columns, NAME: grade.column}})


def derive_verdicts(
    table: pd.DataFrame, file: RawFile, task: Task, path: str | Path, notes: list[dict[str, Any]]
) -> dict[str, pd.Series]:
    """Derive the verdicts and ratings of a table, and its confidence if it has no column for it.

    Answers of a slider between two points count as the nearer one; halfway between points with different
    meanings they are unsure.
    """
    grade = file.rating or file.score
    if grade is None:
        return {}
    check_cohorts(table, file, task)
    kind = "rating" if file.rating else "score"
    columns.refuse_cells(
        table.loc[table[NAME].isna(), NAME].astype(object).fillna(""),
        f"no {kind}",
        grade.column,
        path,
        f'fill it in, or leave such rows out in data/sources/: values: {{{NAME}: {{"": null}}}}',
    )
    numbers = columns.parse_numbers(table[NAME], NAME, grade.column, path)
    if isinstance(grade, Score):
        check_scores(numbers, table, grade, path, notes)
        is_machine = COMPARE[grade.sign](numbers, grade.threshold)
        return {
            "verdict": make_column(is_machine.astype(int), ("human", "machine")),
            NAME: numbers if grade.rises else 1 - numbers,
        }
    low, high = grade.ends
    few = len(grade.points) <= FEW_POINTS
    columns.refuse_cells(
        table.loc[~numbers.between(low, high), NAME],
        "not a point of the scale",
        grade.column,
        path,
        "correct it, add it to the points under rating: in data/sources/, or say what it means under "
        f"values: {NAME}: (null leaves the rows out)",
        grade.points if few else [f"numbers from {low:g} to {high:g}"],
    )
    verdict = numbers.map(grade.interpret).astype("category")
    between = numbers[numbers % 1 != 0]
    if len(between) and not grade.is_slider:
        places = [f"row {row}: {number:g}" for row, number in between.items()]
        check = f"{grade.column}: answers between two points of the scale"
        notes.append(describe("note", check, places, len(numbers), "read as the nearer point"))
        numbers = np.floor(numbers + 0.5)
    found = {"verdict": verdict, NAME: numbers if grade.rises else low + high - numbers}
    if "confidence" not in table:
        found["confidence"] = (numbers - (low + high) / 2).abs()
    return found


def check_scores(
    numbers: pd.Series,
    table: pd.DataFrame,
    grade: Score,
    path: str | Path,
    notes: list[dict[str, Any]],
) -> None:
    """Refuse shares of detectors beside percent of others, and note those that never reach the threshold."""
    detector = table["judge"] if "judge" in table else table["cohort"]
    ends = numbers.groupby(detector.astype(str), sort=False).agg(["min", "max"])
    shares = ends[(ends["min"] >= 0) & (ends["max"] <= 1)]
    percent = ends[(ends["min"] >= 0) & (ends["max"] > 2) & (ends["max"] <= 100)]
    if len(shares) and len(percent):
        raise InputError(
            path,
            f"scores of {percent.index[0]} go up to {percent['max'].iloc[0]:g}, those of {shares.index[0]} "
            "from 0 to 1, with one threshold for both",
            column=grade.column,
            fix="bring them to one scale; or list the file once for each, with where and a threshold",
        )
    reached = COMPARE[grade.sign](numbers, grade.threshold).groupby(
        detector.astype(str), sort=False
    )
    alike = reached.nunique() == 1
    if alike.any():
        check = f"{grade.column}: detectors whose scores are all on one side of {grade.machine}"
        done = "nothing: correct the threshold if it is not theirs"
        notes.append(describe("warning", check, [*alike.index[alike]], len(alike), done))


def check_cohorts(table: pd.DataFrame, file: RawFile, task: Task) -> None:
    """Refuse ratings in choices, and scores of people."""
    kind = "rating" if file.rating else "score"
    if task.choice:
        raise ConfigError(
            f"data/sources: {file.path}: a {kind} is of one response, but {file.task} is a choice between "
            "two\n  fix:     remove choice: from the task, or name the column of the choice"
        )
    people = [n for n in table["cohort"].unique() if task.cohorts[n].judge_kind == "human"]
    if file.score and people:
        raise ConfigError(
            f"data/sources: {file.path}: scores belong to machine judges, but {', '.join(people)} are "
            "people\n  fix:     add judge_kind: detector to the cohort in the study file; answers of people "
            "on a scale are a rating:"
        )
