"""Maps of raters: each rater is a point, near those with similar ratings."""

import numpy as np
import pandas as pd

from turingstats.config.ratings_study import RatingsStudy
from turingstats.ratings import raw_ratings as ratings_of
from turingstats.ratings.raw_ratings import Rated
from turingstats.stats import maps, similarity
from turingstats.stats.resampling import make_generator

PERPLEXITY = 30
COLUMNS = ["map_id", "study", "task", "system", "participant", "reading", "method", "x", "y"]


def place_raters(
    study: RatingsStudy,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    seed: int,
) -> pd.DataFrame:
    """Place all raters and embeddings on a plane, for each task that the study maps: rows of `COLUMNS`."""

    tables = []
    for task in study.maps:
        if task not in study.tasks:
            continue
        for reading in study.readings:
            vectors, who = collect_rater_vectors(study, task, reading, items, arrays, distances)
            if len(vectors) < 4:
                continue
            if reading == "published":
                middle = np.mean(study.scale)
                number = int(make_generator(seed, f"{study.study}.{task}.map").integers(2**31))
                # t-SNE takes no missing values.
                filled = np.where(np.isnan(vectors), middle, vectors)
                positions = maps.embed_tsne(filled, PERPLEXITY, number)
                method = f"t-SNE, perplexity {PERPLEXITY}, 50 principal components"
            else:
                # Unlike t-SNE, this keeps large distances comparable, too.
                rho = similarity.spearman(vectors)[0]
                # Raters with a constant rating correlate with no one.
                positions, explained = maps.scale_classically(1 - np.nan_to_num(rho))
                method = f"classical scaling of 1 - Spearman; {explained:.0%} of the variation"
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
                        "x": positions[:, 0].round(6),
                        "y": positions[:, 1].round(6),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


def collect_rater_vectors(
    study: RatingsStudy,
    task: str,
    reading: str,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
) -> tuple[np.ndarray, list[tuple[str, str]]]:
    """Collect vectors of all raters and embeddings of a task, with (system, participant) of each."""
    members = np.flatnonzero(items[task])
    arrays = ratings_of.select_task_raters(arrays, members, reading)
    embedded = ratings_of.list_embedded_systems(distances, members, items)
    low, high = study.scale
    vectors, who = [], []
    for name in study.list_systems(task):
        if name in arrays:
            vectors.append(ratings_of.build_rating_vectors(arrays[name], members, reading))
            who += [(name, person) for person in arrays[name].participants]
        elif name in embedded:
            values = ratings_of.compute_embedding_similarity(distances, name, members, items)
            spread = np.nanmax(values) - np.nanmin(values)
            scaled = low + (high - low) * (values - np.nanmin(values)) / (spread or 1)
            vectors.append(scaled[None])
            who.append((name, "embedding"))
    return (np.concatenate(vectors) if vectors else np.empty((0, 0))), who
