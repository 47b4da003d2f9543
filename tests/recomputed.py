"""Results of zhang2025, computed from tables of judgments as its jobs do, without a run of the workflow."""

from project import read_study

from turingstats.analysis import texts
from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.data import cleaning, counts, protocol, sample_sizes

OPTIONS = {"seed": 2025, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}


def compute_results(judgments, judges, responses):
    """Compute the tables of results that published numbers are looked up in, by name."""
    study = read_study("zhang2025")
    groups = counts.assign_groups(judges, study.demographics)
    marked = counts.add_pooled_cohorts(
        cleaning.mark_exclusions(judgments, study, settings.Cleaning()), study
    )
    counted = counts.count_verdicts(marked, study, groups)
    return {
        "estimates": estimate_rates(counted, groups, study, OPTIONS),
        "tests": run_comparisons(counted, groups, study, OPTIONS, responses=responses),
        "sizes": sample_sizes.count_samples(marked, groups, responses, study),
        "protocol": protocol.measure_protocol(judgments, responses, study),
        "texts": texts.tabulate_text_measures(responses, study, 0.95),
    }
