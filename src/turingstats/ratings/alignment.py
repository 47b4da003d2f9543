"""Alignment of systems with each other, and with the references by kind of pair; the declared tests of it."""

import itertools
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Sample, Study
from turingstats.data.schema import TESTS
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity
from turingstats.stats.effects import compute_fisher_limits
from turingstats.stats.hypothesis import ranks
from turingstats.stats.resampling import make_generator

ALIGNMENT = [
    *("alignment_id", "study", "task", "system_a", "system_b", "pairs", "reading", "value", "n"),
    *("se", "ci_low", "ci_high", "p", "p_adjusted", "correction", "family_size", "method"),
]
OUTCOME = ["statistic_name", "statistic", "p", "effect_name", "effect", "method"]
"""Fields of a test outcome that are columns of its row."""


def align_systems(
    study: Study, systems: Systems, options: AnalysisSettings
) -> list[dict[str, Any]]:
    """Align all systems with each other, and with the references by kind of pair: rows of `ALIGNMENT`."""
    published = systems.reading == "published"
    every = np.arange(len(systems.names))
    family = every[: systems.family]
    comparisons = systems.family * (systems.family - 1) // 2
    errors = {
        pairs: np.full((len(every),) * 2, np.nan)
        if published
        else estimate_standard_errors(systems, pairs)
        for pairs in systems.kinds
    }
    draws, seed = options["n_permutation"], options["seed"]
    rows = []

    def add_row(a: int, b: int, pairs: str, size: int, *values: float) -> None:
        one, other = systems.names[a], systems.names[b]
        value, n, p, adjusted = values
        error = errors[pairs][a, b]
        low, high = compute_fisher_limits(value, error, options["confidence"])
        within = "" if pairs == "all" else " within categories"
        method = f"Mantel, {draws} relabellings{within}; jackknife over items and raters"
        cells = (f"{systems.task}.{one}.{other}.{pairs}", study.study, systems.task, one, other)
        cells += (pairs, systems.reading, value, n, error, float(low), float(high), p, adjusted)
        cells += ("bonferroni" if published else "maximum", size)
        cells += (f"Spearman; {'t with n - 2 degrees of freedom' if published else method}",)
        rows.append(dict(zip(ALIGNMENT, cells, strict=True)))

    # All pairs of systems.
    rho, n = similarity.spearman(systems.groups[family])
    if published or len(family) < 2:
        p = similarity.compute_rho_p(rho, n)
        adjusted = np.minimum(p * comparisons, 1)
    else:
        rng = make_generator(seed, f"{study.study}.{systems.task}.mantel")
        p, adjusted = similarity.mantel(systems.groups[family], systems.n_items, draws, rng)
    for a in family:
        for b in family[a + 1 :]:
            values = (table[a, b] for table in (rho, n, p, adjusted))
            add_row(a, b, "all", comparisons, *values)
    # Sweeps with the references, and all systems by kind of pair.
    references = [r for r in study.tasks[systems.task].references if r in systems.names]
    for reference, pairs in itertools.product(references, systems.kinds):
        at = systems.names.index(reference)
        others = every[systems.family :] if pairs == "all" else every[every != at]
        if len(others) == 0:
            continue
        where = systems.select_pairs(pairs)
        cut = systems.groups[:, where]
        rho, n = (table[0] for table in similarity.spearman(cut[at], cut))
        size = comparisons if published else len(others)
        if published:
            p = similarity.compute_rho_p(rho, n)
            adjusted = np.minimum(p * comparisons, 1)
        else:
            chosen = np.append(at, others)
            p, adjusted = np.full((2, len(every)), np.nan)
            p[chosen], adjusted[chosen] = similarity.mantel(
                systems.groups[chosen],
                systems.n_items,
                draws,
                make_generator(seed, f"{study.study}.{systems.task}.{reference}.{pairs}"),
                # Items are relabeled within categories, so that pairs within one stay within.
                categories=None if pairs == "all" else systems.categories,
                where=where,
                reference=0,
            )
        for b in others:
            add_row(at, b, pairs, size, *(table[b] for table in (rho, n, p, adjusted)))
    return rows


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
    """Run the declared tests on rows of `ALIGNMENT`; the result has the columns of `TESTS` except `data`."""
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
            rows.append(
                {
                    "test_id": test.id,
                    "study": study.study,
                    "task": test.first.task,
                    "groups": f"{test.first.pairs} {test.first.task}; {test.second.pairs} "
                    f"{test.second.task}",
                    "test": name,
                    "reading": reading,
                    "unit": "system",
                    "n1": len(first),
                    "n2": len(second),
                    "p_adjusted": outcome.p,
                    "correction": "none",
                    "family_size": 1,
                    "dropped": "; ".join(filter(None, [missing, outcome.dropped])),
                    "note": test.note,
                }
                | {column: getattr(outcome, column) for column in OUTCOME}
            )
    return pd.DataFrame(rows, columns=[column for column in TESTS if column != "data"])


def find_alignments(sample: Sample, values: dict[str, float]) -> np.ndarray:
    """Find the alignments of a sample; NaN where a system is missing."""
    alignments = []
    for system, reference in sample.pair_agents():
        names = (f"{reference}.{system}", f"{system}.{reference}")
        keys = [f"{sample.task}.{name}.{sample.pairs}" for name in names]
        alignments.append(next((values[key] for key in keys if key in values), np.nan))
    return np.array(alignments)
