"""Ratings of similarity as arrays of participants and pairs of items, by system."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.core import files


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
    return files.read_frame(path).fillna({"category": ""})


def build_rating_arrays(
    ratings: pd.DataFrame, study: Study, items: pd.DataFrame
) -> dict[str, Rated]:
    """Build the arrays of each system that rated."""
    n, index = len(items), pd.Index(items["item"])
    first, second = (
        index.get_indexer(ratings[name].cat.categories)[ratings[name].cat.codes]
        for name in ("item_a", "item_b")
    )
    arrays = {}
    for name in study.agents:
        rows = np.flatnonzero(ratings["system"] == name)
        if not len(rows):
            continue
        # Sorted, so that the order of rows does not matter.
        number, participants = pd.factorize(ratings["participant"].iloc[rows], sort=True)
        values = ratings["rating"].to_numpy()[rows]
        shown, rated, total = np.zeros((3, len(participants), n, n))
        for array, weight in (
            (shown, 1),
            (rated, ~np.isnan(values)),
            (total, np.nan_to_num(values)),
        ):
            np.add.at(array, (number, first[rows], second[rows]), weight)
        with np.errstate(invalid="ignore"):
            mean = total / rated
        any_shown = shown.any(axis=0)
        mirrored = bool((any_shown != any_shown.T).any())
        # Counts per cell are small; narrow integers save memory.
        counts = shown.astype(np.int32), rated.astype(np.int32)
        arrays[name] = Rated(list(map(str, participants)), mean, *counts, mirrored)
    return arrays
