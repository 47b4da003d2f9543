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

import itertools
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data.schema import RESULTS
from turingstats.ratings.agreement import measure_agreement
from turingstats.ratings.alignment import align_systems, run_tests
from turingstats.ratings.arrays import Rated
from turingstats.ratings.systems import Systems, arrange_systems


def analyze_ratings(
    study: Study,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    distances: pd.DataFrame,
    options: AnalysisSettings,
) -> dict[str, pd.DataFrame]:
    """Compute the tables alignment, agreement, individuals, tests and sizes of a study."""
    aligned, agreed, singles, sizes = [], [], [], []
    for reading, task in itertools.product(study.readings, study.tasks):
        systems = arrange_systems(study, task, reading, arrays, distances, items)
        aligned.append(align_systems(study, systems, options))
        agreement, individuals = measure_agreement(study, systems, options)
        agreed += agreement
        singles += individuals
        if reading == study.readings[-1]:
            sizes += count_sizes(study, systems, arrays)
    alignment = pd.concat(aligned, ignore_index=True)
    no_singles = pd.DataFrame(columns=RESULTS["similarity_individuals"])
    return {
        "alignment": alignment,
        "agreement": tabulate(agreed, "similarity_agreement", study=study.study),
        "individuals": pd.concat(singles or [no_singles], ignore_index=True),
        "tests": run_tests(study, alignment),
        "sizes": tabulate(sizes, "similarity_sizes", study=study.study),
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
            "n_comparisons": systems.n_comparisons,
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
        {"task": task, "system": name, "quantity": what, "value": value}
        for name, counts in sizes.items()
        for what, value in counts.items()
    ]
