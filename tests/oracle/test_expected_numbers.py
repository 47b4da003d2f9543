"""Numbers that the authors' notebooks print, as the ledger answers them from the real trials.

`data/published/zhang2025/notebooks.csv` lists them, each with its query. The trials are not part of the
repository; without them the tests are skipped.
"""

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_study
from scipy import stats

from converters.zhang2025 import raw_files
from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.claims import claims_file
from turingstats.claims.ledger import Recomputed, check_claims
from turingstats.config import settings
from turingstats.data import careless, cleaning, counts

pytestmark = pytest.mark.thorough

PUBLISHED = ROOT / "data/published/zhang2025"
OPTIONS = {"seed": 2025, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}
# Rates of conversations after the authors' filter on reading time, which needs pages that are not public.
READ_TOO_FAST = 47
DIFFERENT = {
    # Slips of the paper: a z pasted, and judges of another test.
    *("COL-009", "conv-311", "conv-292.p"),
    # High school alone; the group here has a judge of middle school, too.
    "ATT-123",
    # Answers to the control question that are not public.
    *("COL-013", "OBJ-015"),
    # Records of a session and sessions, where trials and judges are counted here.
    *("ATT-027", "ATT-028"),
    # Ties that the authors' unpublished code leaves to rounding noise, or other trials.
    *("conv-296.z", "conv-297.z", "conv-297.p", "conv-300"),
    # The 47 judges of Conversation in the lab, of whom 49 are left here.
    *("conv-274", "conv-275.z", "conv-278", "conv-279.z", "conv-280", "conv-281.z", "conv-281.p"),
    *("conv-282.U", "conv-282.p", "conv-287", "conv-288.z", "conv-289.z", "conv-289.p"),
    *("conv-290.U", "conv-290.p", "conv-304.p", "conv-305.U", "conv-305.p", "conv-303"),
    # Judges and trials of Conversation whose cohorts are not stated.
    *("conv-313.nTests", "conv-314.online.nJudges", "conv-314.online.trialsPerJudge"),
    *("conv-314.inlab.nJudges", "conv-314.inlab.trialsPerJudge", "conv-317.nJudgesAMT"),
    *("conv-317.nJudgesInlab", "conv-318"),
    # Four conversations without a public label, which two printed rates tell to be between machines.
    *("conv-104", "conv-107"),
    # Judges and trials of Attention prediction, and trials of a judge of Color estimation.
    *("ATT-023", "ATT-024", "ATT-025", "ATT-026", "ATT-031", "ATT-032", "COL-022"),
    # Rates of 0.545, rounded to 0.54 or to 0.55.
    *("COL-156", "COL-159", "COL-162", "COL-165", "COL-168"),
    # Captions that are not public.
    "CAP-230",
    # Words and experts that are not public.
    *("WRD-198", "WRD-219", "WRD-225", "WRD-226", "BTH-001"),
}


@pytest.fixture(scope="module")
def trials(transcribed, transcribed_tables):
    """The study, its listed files, those at hand and what they hold: judgments, judges, responses."""
    study = read_study("zhang2025")
    listed = raw_files.list_files()
    return study, listed, raw_files.list_present(listed, transcribed), *transcribed_tables


@pytest.fixture(scope="module")
def ledger(trials, results):
    """The numbers of the notebooks; those that ask for other tables are left out."""
    study, listed, there, *_ = trials
    missing = pd.DataFrame(
        [
            {"task": file.task, "cohort": file.cohort, "path": file.path}
            for file in listed
            if file not in there and not file.stands_in_for
        ]
    ).assign(why="not in this source")
    pools = {
        task: {pool: cohort.pools for pool, cohort in own.cohorts.items()}
        for task, own in study.tasks.items()
    }
    printed = claims_file.read_claims(
        PUBLISHED / "notebooks.csv", study.tasks, further=claims_file.NOTEBOOK_COLUMNS
    )
    printed = printed[printed["table"].isna() | printed["table"].isin(results)]
    made = Recomputed(results, missing, study.comparisons, "public data", pools=pools)
    return check_claims(printed, "zhang2025", made).set_index("claim_id")


def test_two_versions_of_word_association_are_halves_of_the_file(trials):
    """The kept online trials in the order of the file: 965 called free, then 965 called prompted."""
    study, _, _, judgments, *_ = trials
    kept = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    kept = kept[(kept["task"] == "word") & (kept["cohort"] == "amt") & kept["kept_published"]]
    kept = kept.sort_values("trial")
    assert kept["variant"].astype(str).tolist() == ["free"] * 965 + ["prompted"] * 965
    judges = kept["judge"].astype(str)
    assert judges.iloc[964] == judges.iloc[965]


def test_repeated_verdicts_of_the_ablated_judges_count_once(trials):
    study, _, _, judgments, *_ = trials
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    for cohort in ("svm_full", "svm_layer5", "svm_word"):
        own = marked[marked["cohort"] == cohort]
        kept = own[own["kept_recommended"]]
        assert (len(own), len(kept), kept["trial"].max()) == (890, 178, 178)


def test_long_runs_of_machine_judges_are_flagged(trials):
    study, _, _, judgments, *_ = trials
    found = careless.flag_careless_judges(
        cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    )
    runs = found[found["flag"] == "same verdict in a row"].set_index(["task", "cohort"])
    assert runs.loc[("color", "svm_feedback"), "number"] == 160


def test_conversations_read_too_fast_as_fitted(trials):
    """Three choices fitted to the 47 judges of the printed tests; printed z are -5.06 and -1.37."""
    study, _, _, judgments, judges, _ = trials
    fitted = settings.Cleaning(
        reading_time={"words_per_exchange": 20, "least_trials": 10, "keep_wrong_answers": True}
    )
    own = judgments[judgments["task"] == "conversation"]
    groups = counts.assign_groups(judges, study.demographics)
    counted = counts.count_verdicts(cleaning.mark_exclusions(own, study, fitted), study, groups)
    table = run_comparisons(counted, groups, study, OPTIONS)
    table = table[table["reading"] == "published"].set_index("test_id")
    found = table["statistic"]
    assert table.loc["conversation.inlab.p_HH.chance", "n1"] == 47
    assert found["conversation.inlab.p_HH.chance"] == pytest.approx(-5.10, abs=0.005)
    assert found["conversation.inlab.p_MM.chance.all"] == pytest.approx(-1.365, abs=0.0005)
    assert found["conversation.expertise.p_MM.all"] == 241


def test_control_answers_of_attention_prediction_are_labels(results):
    """Pictures that several judges were asked about, and those with one answer only."""
    size = results["sizes"][results["sizes"]["reading"] == "published"].set_index("size_id")[
        "value"
    ]
    for cohort, repeated, same, wrong in (("expert", 146, 142, 44), ("feedback", 120, 118, 39)):
        names = ("n_control_repeated", "n_control_same", "n_control_wrong")
        found = [size[f"attention.{cohort}.all.{name}"] for name in names]
        assert found == [repeated, same, wrong]
        assert size[f"attention.{cohort}.all.control_same_by_chance"] < 0.5 * repeated


def test_what_differs_is_explained(ledger):
    different = ledger.loc[ledger["status"] == "differs", "why"]
    assert (different != "").all()
    read = different.str.startswith("the filter on reading time")
    assert read.sum() == READ_TOO_FAST
    assert set(different.index[~read]) == DIFFERENT


def test_the_others_say_which_file_is_missing_or_why_there_is_no_query(ledger):
    rest = ledger[ledger["status"].isin(["no data", "not computed"])]
    assert (rest["why"] != "").all()
    without = rest[rest["status"] == "not computed"]
    assert without["table"].isna().all(), without[without["table"].notna()].index.tolist()


def test_a_printed_z_hangs_on_rounding_noise(trials):
    """Slopes of P(H|H) in human-human conversations, printed z = -0.73, p = 0.46, are tied in part."""
    study, _, _, judgments, *_ = trials
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
