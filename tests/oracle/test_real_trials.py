"""What explains printed numbers that trials do not give at once; reasons of the ledger name these tests."""

import numpy as np
import pytest
from project import ROOT, read_study
from scipy import stats

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.config import settings
from turingstats.data import cleaning, counts, package_reader, record_checks

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


def test_conversations_read_too_fast_as_fitted(trials):
    """Three choices fitted to the 47 judges of the printed tests; most numbers do not come out by them."""
    study, judgments, judges = trials
    # 0.1 s for each of 20 words an exchange; ten conversations read in time and answered correctly, in place
    # of 15 correct answers; wrong answers count.
    own = judgments[judgments["task"] == "conversation"]
    in_time = ~(own["rt_ms"] < 2000 * own["exchanges"]).fillna(False).astype(bool)
    asked = (own["side"] != "B") & (own["phase"] != "catch") & own["exchanges"].notna()
    good = in_time & own["control_ok"].fillna(False).astype(bool)
    number = good[asked & own["control_ok"].notna()].groupby(own["judge"].astype(str)).sum()
    own = own[in_time & ~own["judge"].isin(number.index[number < 10])]
    task = study.tasks["conversation"]
    cohorts = {
        name: cohort.model_copy(update={"min_control_right": None})
        for name, cohort in task.cohorts.items()
    }
    task = task.model_copy(update={"cohorts": cohorts, "published_control": ()})
    study = study.model_copy(update={"tasks": study.tasks | {"conversation": task}})
    groups = counts.assign_groups(judges, study.demographics)
    marked = cleaning.mark_exclusions(own, study, settings.Cleaning())
    counted = counts.count_verdicts(marked, study, groups)
    table = run_comparisons(counted, groups, study, OPTIONS)
    table = table[table["reading"] == "published"].set_index("test_id")
    assert table.loc["conversation.inlab.p_HH.chance", "n1"] == 47
    found = table["statistic"].round(2)
    expected = {
        "inlab.p_HH.chance": -5.10,
        "inlab.p_MM.chance.all": -1.45,
        "inlab.p_HH.variant.chance.H-H": -3.30,
        "inlab.p_HH.variant.chance.H-M": -4.88,
        "inlab.p_MM.variant.chance.all.M-M": -2.67,
        "inlab.p_MM.variant.chance.all.H-M": -1.67,
        "expertise.p_HH": 305,
        "expertise.p_MM.all": 243.5,
    }
    assert found[[f"conversation.{name}" for name in expected]].tolist() == [*expected.values()]
    kept = marked[marked["kept_published"] & (marked["cohort"] == "inlab")]
    people = kept[kept["truth"] == "human"]
    said_human = people["verdict"] == "human"
    assert (said_human.sum(), len(people)) == (432, 648)
    between_people = people["variant"] == "H-H"
    assert (said_human[between_people].sum(), between_people.sum()) == (211, 328)


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
