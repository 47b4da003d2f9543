"""The systems of a task, as vectors of pairs of items."""

from dataclasses import dataclass

import numpy as np

from turingstats.config.ratings_study import PAIRS
from turingstats.ratings import raw_ratings as ratings_of
from turingstats.stats import similarity


@dataclass(frozen=True)
class Systems:
    """The systems of a task in one reading, as vectors of pairs.

    Attributes
    ----------
    task, reading : str
    names : list of str
        Available systems, with those of sweeps last.
    family : int
        Number of systems for which all pairs are compared.
    raters : dict of str to array, shape (participants, pairs)
        Ratings by system, for systems with raters.
    participants : dict of str to list of str
    grids : dict of str to array
        All ratings by system, for the published agreement.
    groups : array, shape (systems, pairs)
        Mean of the raters, or similarities of an embedding.
    categories : array of int, shape (items,)
    labels : list of str
        Names of the items.
    """

    task: str
    reading: str
    names: list
    family: int
    raters: dict
    participants: dict
    grids: dict
    groups: np.ndarray
    categories: np.ndarray
    labels: list

    @property
    def n_items(self):
        """Number of items."""
        return len(self.categories)

    def find_row(self, system):
        """Find the row of a system in `groups`."""
        return self.names.index(system)

    def select_pairs(self, pairs):
        """Select all pairs, or those within a category, or those between categories, as a mask."""
        rows, columns = similarity.index_pairs(self.n_items)
        same = self.categories[rows] == self.categories[columns]
        return {"all": np.ones_like(same), "within": same, "between": ~same}[pairs]

    @property
    def kinds(self):
        """Kinds of pairs to analyze: only all pairs if there are no categories."""
        return (
            PAIRS
            if self.select_pairs("between").sum() >= 3 <= self.select_pairs("within").sum()
            else ["all"]
        )


def arrange_systems(study, task, reading, found, distances, items):
    """Arrange the systems of a task in one reading.

    Parameters
    ----------
    study : RatingsStudy
    task, reading : str
    found : dict of str to Rated
    distances : pandas.DataFrame
    items : pandas.DataFrame

    Returns
    -------
    Systems
    """
    members = np.flatnonzero(items[task])
    found = ratings_of.select_task_raters(found, members, reading)
    embedded = ratings_of.list_embedded_systems(distances, members, items)
    names = [name for name in study.list_systems(task) if name in found or name in embedded]
    raters, grids, groups = {}, {}, []
    for name in names:
        if name in found:
            raters[name] = ratings_of.build_rating_vectors(found[name], members, reading)
            groups.append(similarity.average_raters(raters[name]))
            if not found[name].mirrored:
                grids[name] = ratings_of.flatten_ratings(found[name], members)
        else:
            groups.append(ratings_of.compute_embedding_similarity(distances, name, members, items))
    task_items = items.iloc[members]
    return Systems(
        task,
        reading,
        names,
        sum(name in study.tasks[task].systems for name in names),
        raters,
        {name: found[name].participants for name in raters},
        grids,
        np.array(groups) if groups else np.empty((0, len(similarity.index_pairs(len(members))[0]))),
        np.unique(task_items["category"].astype(str), return_inverse=True)[1],
        list(task_items["item"].astype(str)),
    )
