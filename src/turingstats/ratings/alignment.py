"""Alignment of systems with each other, and with the references by kind of pair."""

from typing import Any

import numpy as np

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity
from turingstats.stats.resampling import make_generator

ALIGNMENT = [
    "alignment_id",
    "study",
    "task",
    "system_a",
    "system_b",
    "pairs",
    "reading",
    "value",
    "n",
    "se",
    "ci_low",
    "ci_high",
    "p",
    "p_adjusted",
    "correction",
    "family_size",
    "method",
]


def align_systems(
    study: Study, systems: Systems, options: AnalysisSettings
) -> list[dict[str, Any]]:
    """Align all systems with each other, and with the references by kind of pair: rows of `ALIGNMENT`."""
    every = np.arange(len(systems.names))
    family = every[: systems.family]
    comparisons = systems.family * (systems.family - 1) // 2
    rows = []
    references = [r for r in study.tasks[systems.task].references if r in systems.names]
    recommended = systems.reading == "recommended"
    errors = {}
    if recommended:
        errors = {pairs: estimate_standard_errors(systems, pairs) for pairs in systems.kinds}
    # All pairs of systems.
    rho, n = similarity.spearman(systems.groups[family])
    if len(family) < 2:
        p = adjusted = np.full(rho.shape, np.nan)
    elif recommended:
        p, adjusted = similarity.mantel(
            systems.groups[family],
            systems.n_items,
            options["n_permutation"],
            make_generator(options["seed"], f"{study.study}.{systems.task}.mantel"),
        )
    else:
        p = similarity.compute_rho_p(rho, n)
        adjusted = np.minimum(p * comparisons, 1)
    for a in family:
        for b in family[a + 1 :]:
            cell = {"value": rho[a, b], "n": n[a, b], "p": p[a, b], "p_adjusted": adjusted[a, b]}
            error = errors["all"][a, b] if recommended else np.nan
            rows.append(
                make_alignment_row(study, systems, a, b, "all", cell, error, comparisons, options)
            )
    # Sweeps with the references, and all systems by kind of pair.
    for reference in references:
        at = systems.names.index(reference)
        for pairs in systems.kinds:
            where = systems.select_pairs(pairs)
            others = every[systems.family :] if pairs == "all" else every[every != at]
            if len(others) == 0:
                continue
            cut = np.where(where, systems.groups, np.nan)
            rho, n = (table[0] for table in similarity.spearman(cut[at], cut))
            if recommended:
                chosen = np.append(at, others)
                # Items are relabeled within categories, so that pairs within one stay within.
                p, adjusted = similarity.mantel(
                    systems.groups[chosen],
                    systems.n_items,
                    options["n_permutation"],
                    make_generator(
                        options["seed"], f"{study.study}.{systems.task}.{reference}.{pairs}"
                    ),
                    categories=None if pairs == "all" else systems.categories,
                    where=where,
                    reference=0,
                )
                p, adjusted = (place_values(values, chosen, len(every)) for values in (p, adjusted))
                size = len(others)
            else:
                p = similarity.compute_rho_p(rho, n)
                adjusted, size = np.minimum(p * comparisons, 1), comparisons
            for b in others:
                cell = {"value": rho[b], "n": n[b], "p": p[b], "p_adjusted": adjusted[b]}
                error = errors[pairs][at, b] if recommended else np.nan
                rows.append(
                    make_alignment_row(study, systems, at, b, pairs, cell, error, size, options)
                )
    return rows


def place_values(values: np.ndarray, places: np.ndarray, size: int) -> np.ndarray:
    """Place values in a longer vector that is NaN elsewhere."""
    whole = np.full(size, np.nan)
    whole[places] = values
    return whole


def make_alignment_row(
    study: Study,
    systems: Systems,
    a: int,
    b: int,
    pairs: str,
    cell: dict[str, Any],
    error: float,
    family_size: int,
    options: AnalysisSettings,
) -> dict[str, Any]:
    """Make a row of the table of alignments."""
    published = systems.reading == "published"
    one, other = systems.names[a], systems.names[b]
    low, high = similarity.compute_rho_interval(cell["value"], error, options["confidence"])
    within = "" if pairs == "all" else " within categories"
    return cell | {
        "alignment_id": f"{systems.task}.{one}.{other}.{pairs}",
        "study": study.study,
        "task": systems.task,
        "system_a": one,
        "system_b": other,
        "pairs": pairs,
        "reading": systems.reading,
        "se": error,
        "ci_low": float(low),
        "ci_high": float(high),
        "correction": "bonferroni" if published else "maximum",
        "family_size": family_size,
        "method": "Spearman; t with n - 2 degrees of freedom"
        if published
        else f"Spearman; Mantel, {options['n_permutation']} relabellings{within}; jackknife over "
        "items and raters",
    }


def estimate_standard_errors(systems: Systems, pairs: str) -> np.ndarray:
    """Estimate standard errors (systems x systems) by the jackknife, with items and the raters of both
    systems as samples.
    """
    where, n_items = systems.select_pairs(pairs), systems.n_items
    groups = similarity.Ranked(systems.groups)
    items = [
        similarity.spearman(groups.take_pairs(where & similarity.mask_item_pairs(n_items, item)))[0]
        for item in range(n_items)
    ]
    variance = similarity.jackknife(items) ** 2
    groups = groups.take_pairs(where)
    for at, name in enumerate(systems.names):
        raters = systems.raters.get(name)
        if raters is None or len(raters) < 2:
            continue
        left_out = similarity.Ranked(
            [similarity.average_raters(np.delete(raters, k, axis=0)) for k in range(len(raters))]
        )
        rater_variance = (
            similarity.jackknife(similarity.spearman(left_out.take_pairs(where), groups)[0]) ** 2
        )
        variance[at] += rater_variance
        variance[:, at] += rater_variance
    return np.sqrt(variance)
