"""What explains printed numbers that trials do not give at once; reasons of the ledger name these tests."""

import numpy as np
import pytest
from project import ROOT, read_study
from scipy import stats

from turingstats.config import settings
from turingstats.data import cleaning, package_reader, record_checks

pytestmark = pytest.mark.thorough

OPTIONS = {"seed": 2025, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}


@pytest.fixture(scope="module")
def trials():
    """The study, its judgments and its judges."""
    study = read_study("zhang2025")
    return study, *package_reader.read_package(ROOT / "data/observed/zhang2025", study)[:2]


def test_two_versions_of_word_association_are_halves_of_the_file(trials):
    """The kept online trials in the order of the file: 965 called free, then 965 called prompted."""
    study, judgments, _ = trials
    kept = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    kept = kept[(kept["task"] == "word") & (kept["cohort"] == "amt") & kept["kept_published"]]
    kept = kept.sort_values("trial")
    assert kept["variant"].astype(str).tolist() == ["free"] * 965 + ["prompted"] * 965
    judges = kept["judge"].astype(str)
    assert judges.iloc[964] == judges.iloc[965]


def test_repeated_verdicts_of_the_ablated_judges_count_once(trials):
    study, judgments, _ = trials
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    for cohort in ("svm_full", "svm_layer5", "svm_word"):
        own = marked[marked["cohort"] == cohort]
        kept = own[own["kept_recommended"]]
        assert (len(own), len(kept), kept["trial"].max()) == (890, 178, 178)


def test_long_runs_of_machine_judges_are_flagged(trials):
    study, judgments, _ = trials
    found = record_checks.flag_careless_judges(
        cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    )
    runs = found[found["flag"] == "same verdict in a row"].set_index(["task", "cohort"])
    assert runs.loc[("color", "svm_feedback"), "number"] == 160


def test_a_printed_z_hangs_on_rounding_noise(trials):
    """Slopes of P(H|H) in human-human conversations, printed z = -0.73, p = 0.46, are tied in part."""
    study, judgments, _ = trials
    kept = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    kept = kept[(kept["cohort"] == "prolific2025") & kept["kept_published"]]
    people = kept[(kept["truth"] == "human") & (kept["variant"] == "H-H")]
    people = people.assign(
        right=(people["verdict"] == "human").astype(float),
        exchanges=people["exchanges"].astype(float),
    )
    people = people[people["exchanges"] < 48]
    rates = people.groupby(["judge", "exchanges"], observed=True)["right"].mean()
    slopes = [
        stats.linregress(own.index.get_level_values("exchanges"), own.to_numpy()).slope
        for _, own in rates.groupby("judge")
    ]
    options = {"zero_method": "wilcox", "correction": False, "method": "asymptotic"}
    noisy = stats.wilcoxon(slopes, **options)
    assert (round(noisy.zstatistic, 2), round(noisy.pvalue, 2)) == (-0.73, 0.46)
    exact = stats.wilcoxon(np.round(slopes, 12), **options)
    assert round(exact.zstatistic, 2) == -0.78
