"""Agreement within each system, noise ceilings, and alignment of single raters."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data.schema import RESULTS
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity

SUMMARIES: dict[str, Callable[[np.ndarray], float]] = {
    "min": np.nanmin,
    "median": np.nanmedian,
    "mean": np.nanmean,
    "max": np.nanmax,
}


class Agreement(NamedTuple):
    """A measure of agreement of a system's raters."""

    system: str
    quantity: str
    value: float
    n: int
    n_raters: int
    method: str
    ci_low: float = np.nan
    ci_high: float = np.nan


def measure_agreement(
    study: Study, systems: Systems, options: AnalysisSettings
) -> tuple[list[dict[str, Any]], list[pd.DataFrame]]:
    """Measure the agreement of each system's raters; also list, as tables, the alignments of pairs of raters
    within a system, and of every rater with every person of the reference.
    """
    references = [name for name in study.tasks[systems.task].references if name in systems.raters]
    measures, singles = [], []
    for name in systems.raters:
        measures.append(estimate_reliability(systems, name, options["confidence"]))
        for individuals, summaries in correlate_raters(study, systems, name, references):
            singles.append(individuals)
            measures += summaries
    for reference in references:
        measures += measure_ceilings(systems, reference)
    place = {"task": systems.task, "reading": systems.reading}
    return [place | one._asdict() for one in measures], singles


def estimate_reliability(systems: Systems, name: str, level: float) -> Agreement:
    """Estimate the intraclass correlation of the raters of a system."""
    raters = systems.raters[name]
    whole = systems.reading == "published" and not systems.rated[name].mirrored
    used = systems.flatten_ratings(name) if whole else raters
    icc, low, high, n = similarity.icc_agreement(used.T, level)
    what = "every ordered pair, identical items too" if whole else "pairs of different items"
    method = f"ICC(A,1), two-way, absolute agreement, one rater; {what} that all rated"
    if np.isnan(icc):
        method += f"; none, because {explain_lack(len(raters), n)}"
    return Agreement(name, "icc", icc, n, len(raters), method, low, high)


def correlate_raters(
    study: Study, systems: Systems, name: str, references: Sequence[str]
) -> Iterator[tuple[pd.DataFrame, list[Agreement]]]:
    """Correlate the raters of a system with each other, and with those of each reference."""
    k = len(systems.raters[name])
    sizes = {whose: len(systems.raters[whose]) for whose in dict.fromkeys([name, *references])}
    # Ranks of what both of two raters rated differ by pair: all correlations are computed once.
    tables = similarity.spearman(np.vstack([systems.raters[whose] for whose in sizes]))
    for whose, end in zip(sizes, np.cumsum(list(sizes.values())), strict=True):
        rho, common = (table[:k, end - sizes[whose] : end] for table in tables)
        if name == whose:
            quantity, whom = "intersubject_{}", "pairs of raters"
            places = np.triu_indices(k, 1)
        else:
            quantity, whom = f"individual_{{}}.{whose}", f"a rater and a rater of {whose}"
            places = tuple(np.indices(rho.shape).reshape(2, -1))
        values = rho[places]
        if len(values):
            summaries = [
                Agreement(
                    *(name, quantity.format(summary), compute(values), len(values), k),
                    f"Spearman, {summary} over {whom}",
                )
                for summary, compute in SUMMARIES.items()
            ]
            yield (
                list_individuals(study, systems, (name, whose), places, values, common),
                summaries,
            )


def measure_ceilings(systems: Systems, reference: str) -> Iterator[Agreement]:
    """Measure how well any system could be aligned with the raters of a reference, and how well each is."""
    people = systems.raters[reference]
    k = len(people)
    low, high = similarity.noise_ceiling(people)
    method = "Nili et al. 2014: mean alignment of a rater with the mean ranks of"
    yield Agreement(reference, "ceiling_lower", low, k, k, f"{method} the others")
    yield Agreement(reference, "ceiling_upper", high, k, k, f"{method} all")
    if k > 1:
        mean = np.nanmean(similarity.spearman(people)[0][np.triu_indices(k, 1)])
        value = np.sqrt(max(k * mean / (1 + (k - 1) * mean), 0))
        method = "root of the Spearman-Brown reliability of the mean of all raters"
        yield Agreement(reference, "ceiling_of_group", value, k, k, method)
    rho = similarity.spearman(systems.groups, people)[0]
    method = f"Spearman of the system's mean with each rater of {reference}, mean"
    for name, values in zip(systems.names, rho, strict=True):
        if name != reference:
            yield Agreement(name, f"with_single.{reference}", values.mean(), k, k, method)


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
    name, whose = names
    one, two = (
        np.array(systems.rated[system].participants, dtype=object)[at]
        for system, at in zip(names, places, strict=True)
    )
    columns = {
        "individual_id": f"{systems.task}.{name}." + one + f".{whose}." + two,
        **{"study": study.study, "task": systems.task, "system": name, "with": whose},
        **{"participant": one, "rater": two, "reading": systems.reading},
        **{"value": values, "n": common[places]},
    }
    return pd.DataFrame(columns)[RESULTS["similarity_individuals"]]
