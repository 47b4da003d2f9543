"""Tables of a similarity ratings study: alignments, agreement, tests and sizes, in both readings.

| | published | recommended |
| --- | --- | --- |
| pairs rated in both orders | one order: the earlier item first | mean of both |
| p of an alignment | Student's t over pairs | Mantel: items relabeled |
| correction | Bonferroni over all pairs of systems | maximum over all pairs of systems |
| error of an alignment | none | jackknife over items and over the raters of both systems |
| within vs. between categories | rank sum, models as independent | signed rank, each model with itself |
| ICC | all ratings, identical items included | pairs of different items, mean of both orders |
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.ratings_study import RatingsStudy
from turingstats.ratings.agreement import AGREEMENT, INDIVIDUALS, measure_agreement
from turingstats.ratings.alignment import ALIGNMENT, align_systems
from turingstats.ratings.alignment_tests import run_tests
from turingstats.ratings.raw_ratings import Rated
from turingstats.ratings.systems import Systems, arrange_systems

SIZES = ["size_id", "study", "task", "system", "quantity", "value"]


def analyze_ratings(
    study: RatingsStudy,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    options: dict[str, Any],
) -> dict[str, pd.DataFrame]:
    """Compute the tables alignment, agreement, individuals, tests and sizes of a study."""
    aligned, agreed, singles = [], [], []
    for reading in study.readings:
        every = {
            task: arrange_systems(study, task, reading, arrays, distances, items)
            for task in study.tasks
        }
        for systems in every.values():
            aligned += align_systems(study, systems, options)
            system_rows, individual_rows = measure_agreement(study, systems, options)
            agreed += system_rows
            singles += individual_rows
    alignment = pd.DataFrame(aligned, columns=ALIGNMENT)
    return {
        "alignment": alignment,
        "agreement": pd.DataFrame(agreed, columns=AGREEMENT),
        "individuals": pd.DataFrame(singles, columns=INDIVIDUALS),
        "tests": run_tests(study, alignment),
        "sizes": count_sizes(study, every, arrays, items),
    }


def count_sizes(
    study: RatingsStudy, every: dict[str, Systems], arrays: dict[str, Rated], items: pd.DataFrame
) -> pd.DataFrame:
    """Count items, systems, raters and trials of each task; ids such as words.all.n_items,
    words.human.n_raters.
    """
    # Trials are those on two items of the task; trials of people who rated none of them count, too, but not
    # per rater.
    rows = []

    def add(task: str, system: str, quantity: str, value: float) -> None:
        name = f"{task}.{system}.{quantity}"
        rows.append(
            dict(zip(SIZES, (name, study.study, task, system, quantity, value), strict=True))
        )

    for task, systems in every.items():
        members = np.flatnonzero(items[task])
        n_pairs = systems.n_items * (systems.n_items - 1) // 2
        add(task, "all", "n_items", systems.n_items)
        add(task, "all", "n_pairs", n_pairs)
        add(task, "all", "n_categories", len(np.unique(systems.categories)))
        add(task, "all", "n_pairs_within", systems.select_pairs("within").sum())
        add(task, "all", "n_systems", systems.family)
        add(task, "all", "n_comparisons", systems.family * (systems.family - 1) // 2)
        asked = [s for s in systems.names if study.systems[s].kind == "llm"]
        add(task, "all", "n_models", len({study.systems[s].model or s for s in asked}))
        for name, raters in systems.raters.items():
            add(task, name, "n_raters", len(raters))
            shown, rated = (
                table[:, members][:, :, members].sum(axis=(1, 2))
                for table in (arrays[name].shown, arrays[name].rated)
            )
            is_rater = np.isin(arrays[name].participants, systems.participants[name])
            add(task, name, "n_trials", shown.sum())
            add(task, name, "n_trials_per_rater", shown[is_rater].sum() / len(raters))
            add(task, name, "n_not_rated", shown.sum() - rated.sum())
            pairs = (~np.isnan(raters)).sum(axis=1).max()
            add(task, name, "n_pairs_per_rater", pairs)
    return pd.DataFrame(rows, columns=SIZES)
