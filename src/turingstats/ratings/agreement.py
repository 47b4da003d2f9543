"""Agreement within each system, noise ceilings, and alignment of single raters."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

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
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return rows of `AGREEMENT`, and of `INDIVIDUALS`: pairs of raters within a system, and of every rater
    with every person of the reference.
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
        if k > 1:
            rho, common = similarity.spearman(raters)
            upper = np.triu_indices(k, 1)
            singles += list_individual_rows(
                study, systems, name, name, rho, common, zip(*upper, strict=True)
            )
            rhos = rho[upper]
            for summary, compute in SUMMARIES.items():
                method = f"Spearman, {summary} over pairs of raters"
                add(name, f"intersubject_{summary}", compute(rhos), len(rhos), k, method)
        for reference in references:
            if name == reference:
                continue
            people = systems.raters[reference]
            rho, common = similarity.spearman(raters, people)
            everyone = np.ndindex(rho.shape)
            singles += list_individual_rows(study, systems, name, reference, rho, common, everyone)
            for summary, compute in SUMMARIES.items():
                method = f"Spearman, {summary} over a rater and a rater of {reference}"
                add(name, f"individual_{summary}.{reference}", compute(rho), rho.size, k, method)
    for reference in references:
        people = systems.raters[reference]
        k = len(people)
        low, high = similarity.noise_ceiling(people)
        method = "Nili et al. 2014: mean alignment of a rater with the mean ranks of"
        add(reference, "ceiling_lower", low, k, k, f"{method} the others")
        add(reference, "ceiling_upper", high, k, k, f"{method} all")
        if k > 1:
            mean = np.nanmean(similarity.spearman(people)[0][np.triu_indices(k, 1)])
            value = np.sqrt(max(similarity.spearman_brown(mean, k), 0))
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


def list_individual_rows(
    study: Study,
    systems: Systems,
    name: str,
    other: str,
    rho: np.ndarray,
    n: np.ndarray,
    places: Iterable[tuple[int, int]],
) -> list[dict[str, Any]]:
    """List rows of the table of individuals."""
    one, two = (systems.rated[system].participants for system in (name, other))
    return [
        {
            "individual_id": f"{systems.task}.{name}.{one[a]}.{other}.{two[b]}",
            "study": study.study,
            "task": systems.task,
            "system": name,
            "participant": one[a],
            "with": other,
            "rater": two[b],
            "reading": systems.reading,
            "value": rho[a, b],
            "n": n[a, b],
        }
        for a, b in places
    ]
