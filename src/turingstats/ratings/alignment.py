"""Alignment of systems with each other, and with the references by kind of pair; the declared tests of it."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Sample, Study
from turingstats.data.schema import RESULTS
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity
from turingstats.stats.effects import compute_fisher_limits
from turingstats.stats.hypothesis import ranks
from turingstats.stats.hypothesis.outcome import join_notes
from turingstats.stats.resampling import make_generator

OUTCOME = ["statistic_name", "statistic", "p", "effect_name", "effect", "method"]
"""Fields of a test outcome that are columns of its row."""


def align_systems(study: Study, systems: Systems, options: AnalysisSettings) -> pd.DataFrame:
    """Align all systems with each other, and with the references by kind of pair."""
    names, published = np.array(systems.names, object), systems.reading == "published"
    aligned = [
        align_family(study, systems, options),
        *align_with_references(study, systems, options),
    ]
    table = pd.concat(aligned, ignore_index=True)
    first, second = names[table["one"]], names[table["other"]]
    se, within = np.full(len(table), np.nan), table["pairs"] != "all"
    for pairs in () if published else systems.kinds:
        rows = table["pairs"] == pairs
        errors = estimate_standard_errors(systems, pairs)
        se[rows] = errors[table["one"][rows], table["other"][rows]]
    low, high = compute_fisher_limits(table["value"], se, options["confidence"])
    method = f"Spearman; Mantel, {options['n_permutation']} relabellings"
    return table.assign(
        **{"study": study.study, "task": systems.task, "reading": systems.reading},
        **{"system_a": first, "system_b": second, "se": se, "ci_low": low, "ci_high": high},
        alignment_id=systems.task + "." + first + "." + second + "." + table["pairs"],
        correction="bonferroni" if published else "maximum",
        method="Spearman; t with n - 2 degrees of freedom"
        if published
        else method
        + np.where(within, " within categories", "")
        + "; jackknife over items and raters",
    )[RESULTS["similarity_alignment"]]


def align_family(study: Study, systems: Systems, options: AnalysisSettings) -> pd.DataFrame:
    """Align all pairs of systems, except those of sweeps."""
    first, second = np.triu_indices(systems.family, 1)
    family, name = np.arange(systems.family), f"{study.study}.{systems.task}.mantel"
    tested = assess_alignments(systems, family, "all", name, options)
    tested = {quantity: values[first, second] for quantity, values in tested.items()}
    return pd.DataFrame(
        {"one": first, "other": second, "pairs": "all", "family_size": len(first)} | tested
    )


def align_with_references(
    study: Study, systems: Systems, options: AnalysisSettings
) -> Iterator[pd.DataFrame]:
    """Align systems with the references: those of sweeps, and all by kind of pair."""
    every = np.arange(len(systems.names))
    references = [r for r in study.tasks[systems.task].references if r in systems.names]
    for reference, pairs in itertools.product(references, systems.kinds):
        at = systems.names.index(reference)
        others = every[systems.family :] if pairs == "all" else every[every != at]
        if len(others) == 0:
            continue
        name = f"{study.study}.{systems.task}.{reference}.{pairs}"
        tested = assess_alignments(systems, np.append(at, others), pairs, name, options, 0)
        tested = {quantity: values[1:] for quantity, values in tested.items()}
        size = systems.n_comparisons if systems.reading == "published" else len(others)
        yield pd.DataFrame(
            {"one": at, "other": others, "pairs": pairs, "family_size": size} | tested
        )


def assess_alignments(
    systems: Systems,
    chosen: np.ndarray,
    pairs: str,
    name: str,
    options: AnalysisSettings,
    reference: int | None = None,
) -> dict[str, np.ndarray]:
    """Assess the alignments of the chosen systems with each other, or with the `reference` among them.

    Returns value, n (common pairs), p and p_adjusted; `name` seeds the relabelings.
    """
    where, at = systems.select_pairs(pairs), slice(None) if reference is None else reference
    rho, n = (table[at] for table in similarity.spearman(systems.groups[chosen][:, where]))
    if systems.reading == "published" or len(chosen) < 2:
        p = similarity.compute_rho_p(rho, n)
        adjusted = np.minimum(p * systems.n_comparisons, 1)
    else:
        p, adjusted = similarity.mantel(
            systems.groups[chosen],
            systems.n_items,
            options["n_permutation"],
            make_generator(options["seed"], name),
            # Items are relabeled within categories, so that pairs within one stay within.
            categories=None if pairs == "all" else systems.categories,
            where=where,
            reference=reference,
        )
    return {"value": rho, "n": n, "p": p, "p_adjusted": adjusted}


def estimate_standard_errors(systems: Systems, pairs: str) -> np.ndarray:
    """Estimate standard errors (systems x systems) by the jackknife, with items and the raters of both
    systems as samples.
    """
    where = systems.select_pairs(pairs)
    rows, columns = similarity.index_pairs(systems.n_items)
    items = [
        similarity.spearman(systems.groups[:, where & (rows != item) & (columns != item)])[0]
        for item in range(systems.n_items)
    ]
    variance = similarity.jackknife(items) ** 2
    groups = systems.groups[:, where]
    for at, name in enumerate(systems.names):
        raters = systems.raters.get(name)
        if raters is None or len(raters) < 2:
            continue
        left_out = similarity.average_other_raters(raters[:, where])
        rater_variance = similarity.jackknife(similarity.spearman(left_out, groups)[0]) ** 2
        variance[at] += rater_variance
        variance[:, at] += rater_variance
    return np.sqrt(variance)


def run_tests(study: Study, table: pd.DataFrame) -> pd.DataFrame:
    """Run the declared tests on a table of alignments."""
    rows = []
    for reading in study.readings:
        reading_rows = table[table["reading"] == reading]
        values = dict(zip(reading_rows["alignment_id"], reading_rows["value"], strict=True))
        for test in study.alignment_tests:
            first, second = (
                find_alignments(sample, values) for sample in (test.first, test.second)
            )
            paired = test.paired and reading == "recommended"
            kept = ~np.isnan(first), ~np.isnan(second)
            if paired:
                kept = (kept[0] & kept[1],) * 2
            lost = len(first) + len(second) - kept[0].sum() - kept[1].sum()
            first, second = first[kept[0]], second[kept[1]]
            if paired:
                name, outcome = "wilcoxon_signed_rank", ranks.signed_rank(first - second)
            else:
                name, outcome = "wilcoxon_ranksum", ranks.rank_sum(first, second)
            missing = f"{lost} alignments not at hand" if lost else ""
            groups = "; ".join(f"{one.pairs} {one.task}" for one in (test.first, test.second))
            rows.append(
                {"test_id": test.id, "study": study.study, "task": test.first.task}
                | {"groups": groups, "test": name, "reading": reading, "unit": "system"}
                | {column: getattr(outcome, column) for column in OUTCOME}
                | {"n1": len(first), "n2": len(second), "note": test.note}
                | {"p_adjusted": outcome.p, "correction": "none", "family_size": 1}
                | {"dropped": join_notes(missing, outcome.dropped)}
            )
    return pd.DataFrame(rows, columns=RESULTS["tests"])


def find_alignments(sample: Sample, values: dict[str, float]) -> np.ndarray:
    """Find the alignments of a sample; NaN where a system is missing."""
    alignments = []
    for system, reference in sample.pair_agents():
        names = (f"{reference}.{system}", f"{system}.{reference}")
        keys = [f"{sample.task}.{name}.{sample.pairs}" for name in names]
        alignments.append(next((values[key] for key in keys if key in values), np.nan))
    return np.array(alignments)
