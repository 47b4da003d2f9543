"""What explains printed numbers that the trials do not give at once; the ledger has them all.

The trials are not part of the repository; without them the tests are skipped.
"""

import numpy as np
import pytest
from project import read_study
from scipy import stats

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.config import settings
from turingstats.data import cleaning, counts, record_checks

pytestmark = pytest.mark.thorough

OPTIONS = {"seed": 2025, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}


@pytest.fixture(scope="module")
def trials(transcribed_tables):
    """The study, its judgments and its judges."""
    return read_study("zhang2025"), *transcribed_tables[:2]


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
    """Three choices fitted to the 47 judges of the printed tests; printed z are -5.06 and -1.37."""
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
    found = table["statistic"]
    assert table.loc["conversation.inlab.p_HH.chance", "n1"] == 47
    assert found["conversation.inlab.p_HH.chance"] == pytest.approx(-5.10, abs=0.005)
    assert found["conversation.inlab.p_MM.chance.all"] == pytest.approx(-1.365, abs=0.0005)
    assert found["conversation.expertise.p_MM.all"] == 241


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
