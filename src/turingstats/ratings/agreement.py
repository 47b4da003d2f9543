"""Agreement within each system, noise ceilings, and alignment of single raters."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity

AGREEMENT = [
    *("agreement_id", "study", "task", "system", "quantity", "reading", "value", "n", "n_raters"),
    *("ci_low", "ci_high", "method"),
]
INDIVIDUALS = [
    *("individual_id", "study", "task", "system", "participant", "with", "rater", "reading"),
    *("value", "n"),
]
SUMMARIES: dict[str, Callable[[np.ndarray], float]] = {
    "min": np.nanmin,
    "median": np.nanmedian,
    "mean": np.nanmean,
    "max": np.nanmax,
}


def measure_agreement(
    study: Study, systems: Systems, options: AnalysisSettings
) -> tuple[list[dict[str, Any]], list[pd.DataFrame]]:
    """Return rows of `AGREEMENT`, and tables of `INDIVIDUALS`: pairs of raters within a system, and of every
    rater with every person of the reference.
    """
    rows, singles = [], []

    def add(
        system: str,
        quantity: str,
        value: float,
        n: int,
        n_raters: int,
        method: str,
        low: float = np.nan,
        high: float = np.nan,
    ) -> None:
        name = f"{systems.task}.{system}.{quantity}"
        cells = (name, study.study, systems.task, system, quantity, systems.reading)
        cells += (value, n, n_raters, low, high, method)
        rows.append(dict(zip(AGREEMENT, cells, strict=True)))

    references = [name for name in study.tasks[systems.task].references if name in systems.raters]
    for name, raters in systems.raters.items():
        k = len(raters)
        whole = systems.reading == "published" and not systems.rated[name].mirrored
        used = systems.flatten_ratings(name) if whole else raters
        icc, low, high, n = similarity.icc_agreement(used.T, options["confidence"])
        what = "every ordered pair, identical items too" if whole else "pairs of different items"
        method = f"ICC(A,1), two-way, absolute agreement, one rater; {what} that all rated"
        if np.isnan(icc):
            method += f"; none, because {explain_lack(k, n)}"
        add(name, "icc", icc, n, k, method, low, high)
        sizes = {other: len(systems.raters[other]) for other in dict.fromkeys([name, *references])}
        # Ranks of what both of two raters rated differ by pair: all correlations are computed once.
        tables = similarity.spearman(np.vstack([systems.raters[other] for other in sizes]))
        for other, end in zip(sizes, np.cumsum(list(sizes.values())), strict=True):
            rho, common = (table[:k, end - sizes[other] : end] for table in tables)
            if name == other:
                quantity, whom = "intersubject_{}", "pairs of raters"
                places = np.triu_indices(k, 1)
            else:
                quantity, whom = f"individual_{{}}.{other}", f"a rater and a rater of {other}"
                places = tuple(np.indices(rho.shape).reshape(2, -1))
            if not len(places[0]):
                continue
            values = rho[places]
            singles.append(list_individuals(study, systems, (name, other), places, values, common))
            for summary, compute in SUMMARIES.items():
                method = f"Spearman, {summary} over {whom}"
                add(name, quantity.format(summary), compute(values), len(values), k, method)
    for reference in references:
        people = systems.raters[reference]
        k = len(people)
        low, high = similarity.noise_ceiling(people)
        method = "Nili et al. 2014: mean alignment of a rater with the mean ranks of"
        add(reference, "ceiling_lower", low, k, k, f"{method} the others")
        add(reference, "ceiling_upper", high, k, k, f"{method} all")
        if k > 1:
            mean = np.nanmean(similarity.spearman(people)[0][np.triu_indices(k, 1)])
            value = np.sqrt(max(k * mean / (1 + (k - 1) * mean), 0))
            method = "root of the Spearman-Brown reliability of the mean of all raters"
            add(reference, "ceiling_of_group", value, k, k, method)
        rho = similarity.spearman(systems.groups, people)[0]
        for name, values in zip(systems.names, rho, strict=True):
            if name != reference:
                method = f"Spearman of the system's mean with each rater of {reference}, mean"
                add(name, f"with_single.{reference}", values.mean(), k, k, method)
    return rows, singles


def explain_lack(raters: int, pairs: int) -> str:
    """Explain why there is no intraclass correlation of raters on the pairs that all of them rated."""
    if raters < 2:
        return "there is one rater"
    if pairs < 2:
        return f"{'no' if pairs == 0 else 'one'} pair was rated by all {raters} raters"
    return "ratings do not vary"


def list_individuals(
    study: Study,
    systems: Systems,
    names: tuple[str, str],
    places: tuple[np.ndarray, ...],
    values: np.ndarray,
    common: np.ndarray,
) -> pd.DataFrame:
    """List the alignments of raters of two systems, whose numbers are `places`, as a table of individuals."""
    one, two = (
        np.array(systems.rated[name].participants, dtype=object)[at]
        for name, at in zip(names, places, strict=True)
    )
    table = pd.DataFrame({"participant": one, "rater": two, "value": values, "n": common[places]})
    name, other = names
    return table.assign(
        individual_id=f"{systems.task}.{name}."
        + table["participant"]
        + f".{other}."
        + table["rater"],
        study=study.study,
        task=systems.task,
        system=name,
        reading=systems.reading,
        **{"with": other},
    )[INDIVIDUALS]
