"""The systems of a task, as vectors of pairs of items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from turingstats.config.ratings_study import PAIRS, RatingsStudy
from turingstats.ratings import raw_ratings as ratings_of
from turingstats.ratings.raw_ratings import Rated
from turingstats.stats import similarity


@dataclass(frozen=True)
class Systems:
    """The systems of a task in one reading, as vectors of pairs of items."""

    task: str
    reading: str
    # Available systems, with those of sweeps last.
    names: list[str]
    # Number of systems for which all pairs are compared.
    family: int
    # Ratings (participants x pairs) and participants of systems with raters.
    raters: dict[str, np.ndarray]
    participants: dict[str, list[str]]
    # All ratings, for the published agreement.
    grids: dict[str, np.ndarray]
    # Mean of the raters, or similarities of an embedding (systems x pairs).
    groups: np.ndarray
    # One integer per item.
    categories: np.ndarray
    # Names of the items.
    labels: list[str]

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.categories)

    def find_row(self, system: str) -> int:
        """Find the row of a system in `groups`."""
        return self.names.index(system)

    def select_pairs(self, pairs: str) -> np.ndarray:
        """Select all pairs, or those within a category, or those between categories, as a mask."""
        rows, columns = similarity.index_pairs(self.n_items)
        same = self.categories[rows] == self.categories[columns]
        return {"all": np.ones_like(same), "within": same, "between": ~same}[pairs]

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of pairs to analyze: only all pairs if there are no categories."""
        return (
            PAIRS
            if self.select_pairs("between").sum() >= 3 <= self.select_pairs("within").sum()
            else ["all"]
        )


def arrange_systems(
    study: RatingsStudy,
    task: str,
    reading: str,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    items: pd.DataFrame,
) -> Systems:
    """Arrange the systems of a task in one reading."""
    members = np.flatnonzero(items[task])
    arrays = ratings_of.select_task_raters(arrays, members, reading)
    embedded = ratings_of.list_embedded_systems(distances, members, items)
    names = [name for name in study.list_systems(task) if name in arrays or name in embedded]
    raters, grids, groups = {}, {}, []
    for name in names:
        if name in arrays:
            raters[name] = ratings_of.build_rating_vectors(arrays[name], members, reading)
            groups.append(similarity.average_raters(raters[name]))
            if not arrays[name].mirrored:
                grids[name] = ratings_of.flatten_ratings(arrays[name], members)
        else:
            groups.append(ratings_of.compute_embedding_similarity(distances, name, members, items))
    task_items = items.iloc[members]
    return Systems(
        task,
        reading,
        names,
        sum(name in study.tasks[task].systems for name in names),
        raters,
        {name: arrays[name].participants for name in raters},
        grids,
        np.array(groups) if groups else np.empty((0, len(similarity.index_pairs(len(members))[0]))),
        np.unique(task_items["category"].astype(str), return_inverse=True)[1],
        list(task_items["item"].astype(str)),
    )
