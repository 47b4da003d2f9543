"""Maps of raters: each rater is a point, near those with similar ratings."""

import numpy as np
import pandas as pd

from turingstats.ratings import raw_ratings as ratings_of
from turingstats.stats import maps, similarity
from turingstats.stats.resampling import make_generator

PERPLEXITY = 30
COLUMNS = "map_id study task system participant reading method x y".split()


def place_raters(study, items, found, distances, seed):
    """Place all raters and embeddings on a plane, for each task that the study maps.

    Parameters
    ----------
    study : RatingsStudy
    items : pandas.DataFrame
    found : dict of str to Rated
    distances : pandas.DataFrame
    seed : int

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`. Published: t-SNE of one order of the pairs, with missing ratings set to the middle
        of the scale. Recommended: classical scaling of 1 minus Spearman's correlation over the pairs that
        both rated, which keeps large distances comparable, too.
    """

    tables = []
    for task in study.maps:
        if task not in study.tasks:
            continue
        for reading in study.readings:
            vectors, who = collect_rater_vectors(study, task, reading, items, found, distances)
            if len(vectors) < 4:
                continue
            if reading == "published":
                middle = np.mean(study.scale)
                number = int(make_generator(seed, f"{study.study}.{task}.map").integers(2**31))
                filled = np.where(np.isnan(vectors), middle, vectors)
                place = maps.embed_tsne(filled, PERPLEXITY, number)
                method = f"t-SNE, perplexity {PERPLEXITY}, 50 principal components"
            else:
                rho = similarity.spearman(vectors)[0]
                # Raters with a constant rating correlate with no one.
                place, kept = maps.scale_classically(1 - np.nan_to_num(rho))
                method = f"classical scaling of 1 - Spearman; {kept:.0%} of the variation"
            tables.append(
                pd.DataFrame(
                    {
                        "map_id": [f"{task}.{system}.{person}" for system, person in who],
                        "study": study.study,
                        "task": task,
                        "system": [system for system, _ in who],
                        "participant": [person for _, person in who],
                        "reading": reading,
                        "method": method,
                        "x": place[:, 0].round(6),
                        "y": place[:, 1].round(6),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


def collect_rater_vectors(study, task, reading, items, found, distances):
    """Collect vectors of all raters and embeddings of a task, with (system, participant) of each."""
    members = np.flatnonzero(items[task])
    found = ratings_of.select_task_raters(found, members, reading)
    embedded = ratings_of.list_embedded_systems(distances, members, items)
    low, high = study.scale
    vectors, who = [], []
    for name in study.list_systems(task):
        if name in found:
            vectors.append(ratings_of.build_rating_vectors(found[name], members, reading))
            who += [(name, person) for person in found[name].participants]
        elif name in embedded:
            values = ratings_of.compute_embedding_similarity(distances, name, members, items)
            spread = np.nanmax(values) - np.nanmin(values)
            scaled = low + (high - low) * (values - np.nanmin(values)) / (spread or 1)
            vectors.append(scaled[None])
            who.append((name, "embedding"))
    return (np.concatenate(vectors) if vectors else np.empty((0, 0))), who
