"""Ratings as dense arrays, and the ratings of a task as vectors of pairs of items."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from turingstats.config.study import Study


@dataclass(frozen=True)
class Rated:
    """Ratings of one system: arrays of participants x item_a x item_b, in the order shown."""

    participants: list[str]
    # Mean rating of a participant; NaN where there are none.
    ratings: np.ndarray
    # Numbers of trials, with or without a rating, and with one.
    shown: np.ndarray
    rated: np.ndarray
    # A pair was shown in one order only: every rating then counts for both orders.
    mirrored: bool


def read_item_list(path: str | Path) -> pd.DataFrame:
    """Read the list of items of a study, from a file of the workflow."""
    # Items may be called 12 or NA.
    return pd.read_csv(path, dtype={"item": str, "category": str}, keep_default_na=False)


def build_rating_arrays(
    ratings: pd.DataFrame, study: Study, items: pd.DataFrame
) -> dict[str, Rated]:
    """Build the arrays of each system that rated."""
    n = len(items)
    row_of = {name: number for number, name in enumerate(items["item"])}
    codes = {
        column: np.array([row_of[name] for name in ratings[column].cat.categories])[
            ratings[column].cat.codes
        ]
        for column in ("item_a", "item_b")
    }
    who, of_system = ratings["participant"].cat, ratings["system"].cat
    values, there = ratings["rating"].to_numpy(), ratings["rating"].notna().to_numpy()
    arrays = {}
    for name in study.agents:
        if name not in of_system.categories:
            continue
        rows = np.flatnonzero(of_system.codes == of_system.categories.get_loc(name))
        present, number = np.unique(who.codes.to_numpy()[rows], return_inverse=True)
        at = (number * n + codes["item_a"][rows]) * n + codes["item_b"][rows]
        shape = (len(present), n, n)
        shown = np.bincount(at, minlength=np.prod(shape)).reshape(shape)
        rated, at = rows[there[rows]], at[there[rows]]
        count = np.bincount(at, minlength=np.prod(shape)).reshape(shape)
        total = np.bincount(at, weights=values[rated], minlength=np.prod(shape)).reshape(shape)
        with np.errstate(invalid="ignore"):
            dense = np.where(count > 0, total / count, np.nan)
        any_shown = shown.any(axis=0)
        arrays[name] = Rated(
            [str(who.categories[code]) for code in present],
            dense,
            # Counts per cell are small; narrow integers save memory.
            shown.astype(np.int32),
            count.astype(np.int32),
            bool((any_shown != any_shown.T).any()),
        )
    return arrays


def build_rating_vectors(rated: Rated, members: np.ndarray, reading: str) -> np.ndarray:
    """Build vectors (participants x pairs) of the ratings of the pairs of items `members`.

    Published: the order of a pair in which the earlier item in the list comes first ("one half" of the
    matrix). Recommended, and where pairs were shown in one order only: the mean of both orders, or the one
    there is.
    """
    rows, columns = np.triu_indices(len(members), 1)
    upper = rated.ratings[:, members[rows], members[columns]]
    lower = rated.ratings[:, members[columns], members[rows]]
    if reading == "published" and not rated.mirrored:
        return upper
    mean = (upper + lower) / 2
    return np.where(np.isnan(mean), np.where(np.isnan(upper), lower, upper), mean)


def select_task_raters(
    arrays: dict[str, Rated], members: np.ndarray, reading: str
) -> dict[str, Rated]:
    """Select the participants who rated a pair of a task (others are not raters of it), and systems that have
    any.
    """
    kept = {}
    for name, rated in arrays.items():
        has = (~np.isnan(build_rating_vectors(rated, members, reading))).any(axis=1)
        if has.any():
            kept[name] = replace(
                rated,
                participants=[
                    who for who, rates in zip(rated.participants, has, strict=True) if rates
                ],
                **{part: getattr(rated, part)[has] for part in ("ratings", "shown", "rated")},
            )
    return kept
