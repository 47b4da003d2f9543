"""Alignment of systems with each other, and with the references by kind of pair; the declared tests of it."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

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

ALIGNMENT = [
    *("alignment_id", "study", "task", "system_a", "system_b", "pairs", "reading", "value", "n"),
    *("se", "ci_low", "ci_high", "p", "p_adjusted", "correction", "family_size", "method"),
]
OUTCOME = ["statistic_name", "statistic", "p", "effect_name", "effect", "method"]
"""Fields of a test outcome that are columns of its row."""


class Alignments(NamedTuple):
    """Alignments of a system with others, over one kind of pairs; arrays by other system."""

    system: int
    others: np.ndarray
    pairs: str
    family_size: int
    value: np.ndarray
    n: np.ndarray
    p: np.ndarray
    p_adjusted: np.ndarray


def align_systems(
    study: Study, systems: Systems, options: AnalysisSettings
) -> list[dict[str, Any]]:
    """Align all systems with each other, and with the references by kind of pair: rows of `ALIGNMENT`."""
    names, published = np.array(systems.names, object), systems.reading == "published"
    unknown = np.full((len(names),) * 2, np.nan)
    errors = {
        pairs: unknown if published else estimate_standard_errors(systems, pairs)
        for pairs in systems.kinds
    }
    rows = []
    for aligned in (*align_family(study, systems, options), *align_pairs(study, systems, options)):
        one, others, pairs = names[aligned.system], names[aligned.others], aligned.pairs
        se = errors[pairs][aligned.system, aligned.others]
        low, high = compute_fisher_limits(aligned.value, se, options["confidence"])
        within = "" if pairs == "all" else " within categories"
        method = f"Mantel, {options['n_permutation']} relabellings{within}; jackknife over items and raters"
        columns = aligned._asdict() | {
            **{"study": study.study, "task": systems.task, "reading": systems.reading},
            **{"system_a": one, "system_b": others, "se": se, "ci_low": low, "ci_high": high},
            "alignment_id": [f"{systems.task}.{one}.{other}.{pairs}" for other in others],
            "correction": "bonferroni" if published else "maximum",
            "method": f"Spearman; {'t with n - 2 degrees of freedom' if published else method}",
        }
        rows += pd.DataFrame(columns)[ALIGNMENT].to_dict("records")
    return rows


def align_family(study: Study, systems: Systems, options: AnalysisSettings) -> Iterator[Alignments]:
    """Align all pairs of systems, except those of sweeps."""
    family = np.arange(systems.family)
    size = systems.family * (systems.family - 1) // 2
    rho, n = similarity.spearman(systems.groups[family])
    if systems.reading == "published" or len(family) < 2:
        p = similarity.compute_rho_p(rho, n)
        adjusted = np.minimum(p * size, 1)
    else:
        rng = make_generator(options["seed"], f"{study.study}.{systems.task}.mantel")
        draws = options["n_permutation"]
        p, adjusted = similarity.mantel(systems.groups[family], systems.n_items, draws, rng)
    for a in family[:-1]:
        values = (part[a, a + 1 :] for part in (rho, n, p, adjusted))
        yield Alignments(a, family[a + 1 :], "all", size, *values)


def align_pairs(study: Study, systems: Systems, options: AnalysisSettings) -> Iterator[Alignments]:
    """Align systems with the references: those of sweeps, and all by kind of pair."""
    every = np.arange(len(systems.names))
    references = [r for r in study.tasks[systems.task].references if r in systems.names]
    for reference, pairs in itertools.product(references, systems.kinds):
        at = systems.names.index(reference)
        others = every[systems.family :] if pairs == "all" else every[every != at]
        if len(others) == 0:
            continue
        where, size = systems.select_pairs(pairs), len(others)
        cut = systems.groups[:, where]
        rho, n = (table[0] for table in similarity.spearman(cut[at], cut[others]))
        if systems.reading == "published":
            size = systems.family * (systems.family - 1) // 2
            p = similarity.compute_rho_p(rho, n)
            adjusted = np.minimum(p * size, 1)
        else:
            name = f"{study.study}.{systems.task}.{reference}.{pairs}"
            p, adjusted = similarity.mantel(
                systems.groups[np.append(at, others)],
                systems.n_items,
                options["n_permutation"],
                make_generator(options["seed"], name),
                # Items are relabeled within categories, so that pairs within one stay within.
                categories=None if pairs == "all" else systems.categories,
                where=where,
                reference=0,
            )
            p, adjusted = p[1:], adjusted[1:]
        yield Alignments(at, others, pairs, size, rho, n, p, adjusted)


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
    """Run the declared tests on rows of `ALIGNMENT`; the result has the columns of `TESTS`."""
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
