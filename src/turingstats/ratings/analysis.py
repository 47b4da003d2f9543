"""Tables of a similarity ratings study: alignments, agreement, tests and sizes, in both readings.

| | published | recommended |
| --- | --- | --- |
| pairs rated in both orders | one order: the earlier item first | mean of both |
| p of an alignment | Student's t over pairs | Mantel: items relabeled |
| correction | Bonferroni over all pairs of systems | maximum over all pairs of systems |
| error of an alignment | none | jackknife over items and over the raters of both systems |
| within vs. between categories | rank sum, models as independent | signed rank, each model with itself |
| ICC | all ratings, identical items included | pairs of different items, mean of both orders |

rsatoolbox is not used: where a rating is missing, its correlations differ from those over common pairs
(0.3.2: by 0.01) and its noise ceiling is an error; it takes 5 s to import and 12 more packages. Without
missing ratings, its alignments and ceilings are the same to 1e-9.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.ratings.agreement import AGREEMENT, INDIVIDUALS, measure_agreement
from turingstats.ratings.alignment import ALIGNMENT, align_systems, run_tests
from turingstats.ratings.arrays import Rated
from turingstats.ratings.systems import Systems, arrange_systems

SIZES = ["size_id", "study", "task", "system", "quantity", "value"]


def analyze_ratings(
    study: Study,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    options: AnalysisSettings,
) -> dict[str, pd.DataFrame]:
    """Compute the tables alignment, agreement, individuals, tests and sizes of a study."""
    aligned, agreed, singles = [], [], []
    sizes: list[dict[str, Any]] = []
    for reading in study.readings:
        sizes = []
        for task in study.tasks:
            systems = arrange_systems(study, task, reading, arrays, distances, items)
            aligned += align_systems(study, systems, options)
            system_rows, individual_rows = measure_agreement(study, systems, options)
            agreed += system_rows
            singles += individual_rows
            # Those of the last reading.
            sizes += count_sizes(study, systems, arrays)
    alignment = pd.DataFrame(aligned, columns=ALIGNMENT)
    return {
        "alignment": alignment,
        "agreement": pd.DataFrame(agreed, columns=AGREEMENT),
        "individuals": pd.concat(singles or [pd.DataFrame(columns=INDIVIDUALS)], ignore_index=True),
        "tests": run_tests(study, alignment),
        "sizes": pd.DataFrame(sizes, columns=SIZES),
    }


def count_sizes(study: Study, systems: Systems, arrays: dict[str, Rated]) -> list[dict[str, Any]]:
    """Count items, systems, raters and trials of a task; ids such as words.all.n_items,
    words.human.n_raters.
    """
    # Trials are those on two items of the task; trials of people who rated none of them count, too, but not
    # per rater.
    members, task = systems.members, systems.task
    asked = [name for name in systems.raters if name != "human"]
    sizes = {
        "all": {
            "n_items": systems.n_items,
            "n_pairs": systems.n_items * (systems.n_items - 1) // 2,
            "n_categories": len(np.unique(systems.categories)),
            "n_pairs_within": systems.select_pairs("within").sum(),
            "n_systems": systems.family,
            "n_comparisons": systems.family * (systems.family - 1) // 2,
            "n_models": len({study.agents[name].model or name for name in asked}),
        }
    }
    for name, raters in systems.raters.items():
        shown, rated = (
            table[:, members][:, :, members].sum(axis=(1, 2))
            for table in (arrays[name].shown, arrays[name].rated)
        )
        is_rater = np.isin(arrays[name].participants, systems.rated[name].participants)
        sizes[name] = {
            "n_raters": len(raters),
            "n_trials": shown.sum(),
            "n_trials_per_rater": shown[is_rater].sum() / len(raters),
            "n_not_rated": shown.sum() - rated.sum(),
            "n_pairs_per_rater": (~np.isnan(raters)).sum(axis=1).max(),
        }
    return [
        dict(
            zip(SIZES, (f"{task}.{name}.{what}", study.study, task, name, what, value), strict=True)
        )
        for name, counts in sizes.items()
        for what, value in counts.items()
    ]
