"""Systems of a task, people, models and embeddings, and their vectors of pairs of items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.config.study.tests import PAIRS
from turingstats.core.errors import InputError
from turingstats.ratings.arrays import Rated
from turingstats.stats import similarity


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
                participants=list(np.array(rated.participants, object)[has]),
                **{part: getattr(rated, part)[has] for part in ("ratings", "shown", "rated")},
            )
    return kept


def compute_embedding_similarity(
    distances: pd.DataFrame, system: str, members: np.ndarray, items: pd.DataFrame
) -> np.ndarray:
    """Compute the similarity (minus the distance) of the pairs of a task for a system without raters; the two
    orders of a pair must have the same distance.
    """
    part = distances[distances["system"] == system]
    n, index = len(items), pd.Index(items["item"])
    matrix = np.full((n, n), np.nan)
    a, b = (index.get_indexer(part[column].astype(object)) for column in ("item_a", "item_b"))
    matrix[a, b] = part["distance"]
    if np.nanmax(np.abs(matrix - matrix.T), initial=0) > 1e-6:
        x, y = np.argwhere(np.abs(matrix - matrix.T) > 1e-6)[0]
        raise InputError(
            "distances", f"two distances for one pair of {system}",
            row=", ".join(items["item"].iloc[[x, y]]), column="distance",
            value=f"{matrix[x, y]:g} and {matrix[y, x]:g}", fix="keep one of the two",
        )  # fmt: skip
    rows, columns = similarity.index_pairs(len(members))
    upper = matrix[members[rows], members[columns]]
    lower = matrix[members[columns], members[rows]]
    return -np.where(np.isnan(upper), lower, upper)


@dataclass(frozen=True)
class Systems:
    """The systems of a task in one reading, as vectors of pairs of items."""

    task: str
    reading: str
    # Systems with data, with those of sweeps last.
    names: list[str]
    # Number of systems for which all pairs are compared.
    family: int
    # By system with raters: their ratings of the task, and the same as vectors (participants x pairs).
    rated: dict[str, Rated]
    raters: dict[str, np.ndarray]
    # Mean of the raters, or similarities of an embedding (systems x pairs).
    groups: np.ndarray
    # Items of the task: rows of the list of items, and its part.
    members: np.ndarray
    items: pd.DataFrame

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.members)

    @property
    def n_comparisons(self) -> int:
        """Number of pairs of systems that are compared."""
        return self.family * (self.family - 1) // 2

    @cached_property
    def categories(self) -> np.ndarray:
        """One integer per item."""
        return np.unique(self.items["category"].astype(str), return_inverse=True)[1]

    def flatten_ratings(self, system: str) -> np.ndarray:
        """Flatten ratings of all ordered pairs, with identical items, to one row per participant."""
        grid = self.rated[system].ratings[:, self.members][:, :, self.members]
        return grid.reshape(len(grid), -1)

    def select_pairs(self, pairs: str) -> np.ndarray:
        """Select all pairs, or those within a category, or those between categories, as a mask."""
        rows, columns = similarity.index_pairs(self.n_items)
        same = self.categories[rows] == self.categories[columns]
        return {"all": np.ones_like(same), "within": same, "between": ~same}[pairs]

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of pairs to analyze: only all pairs if there are no categories."""
        few = min(self.select_pairs(pairs).sum() for pairs in ("between", "within")) < 3
        return ["all"] if few else PAIRS


def arrange_all(
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    items: pd.DataFrame,
    study: Study,
    reading: str,
) -> dict[str, Systems]:
    """Arrange the systems of every task in one reading."""
    return {
        task: arrange_systems(study, task, reading, arrays, distances, items)
        for task in study.tasks
    }


def arrange_systems(
    study: Study,
    task: str,
    reading: str,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    items: pd.DataFrame,
) -> Systems:
    """Arrange the systems of a task in one reading."""
    members = np.flatnonzero(items[task])
    task_items = items.iloc[members]
    rated = select_task_raters(arrays, members, reading)
    pairs = distances[["item_a", "item_b"]].astype(object)
    in_task = pairs.isin(list(task_items["item"])).all(axis=1) & (
        pairs["item_a"] != pairs["item_b"]
    )
    embedded = set(distances["system"][in_task])
    names = [name for name in study.tasks[task].raters if name in {*rated, *embedded}]
    raters = {
        name: build_rating_vectors(rated[name], members, reading) for name in names if name in rated
    }
    groups = [
        similarity.average_raters(raters[name])
        if name in raters
        else compute_embedding_similarity(distances, name, members, items)
        for name in names
    ]
    return Systems(
        task,
        reading,
        names,
        sum(name not in study.tasks[task].also for name in names),
        {name: rated[name] for name in raters},
        raters,
        np.array(groups).reshape(len(names), len(similarity.index_pairs(len(members))[0])),
        members,
        task_items,
    )
