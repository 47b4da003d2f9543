"""Transcribed public trials: the published numbers come out of them.

The transcriptions are not part of the project; without them beside its folder these tests are
skipped. Numbers are those of the published notebooks (ids COL-...) and of the paper.
"""

import math
from decimal import Decimal

import pandas as pd
import pytest
from project import TRANSCRIBED, git

EXPECTED = TRANSCRIBED / "spec/expected-vision-judges.csv"
WANTED = {
    "Conversations/Participants results - datasets/compiled_original_dataset_first_collection.json",
    "Conversations/Participants results - datasets/new_results_prolific.csv",
    "Conversations/Participants results - datasets/prolific_may30.csv",
    "Conversations/savedResults_rebuttle/topic_data/compiled_books.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_fashion.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_food.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_general entertainment.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_movies.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_music.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_politics.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_science.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_sports.json",
    "Conversations/savedResults_rebuttle/topic_data/compiled_technology.json",
    "Conversations/turing_online/trials_all.json",
    "Experiments with AI experts/AI experts databases/attention prediction/AIexperts.csv",
    "Experiments with AI experts/AI experts databases/conversations/AI_experts.csv",
    "Experiments with AI experts/AI experts databases/dominant color recognition/"
    "compiled_AIexperts.json",
    "Experiments with AI experts/AI experts databases/image captioning/"
    "compiled_AIexperts_may4.json",
    "Experiments with AI experts/AI experts databases/object recognition/compiled_AIexperts.json",
    "Experiments with AI experts/AI experts databases/word association/compiled_AIexperts.json",
    "attentionPrediction/Plot/Data_all/complete_humanjudge.json",
    "attentionPrediction/Plot/Data_all/humanjudge_FV_Feedback_testphase.json",
    "benchmarking/groundtruth_dictionaries/word.json",
    "colorDetection/Plot/Data_all/ai_judge_feedback_color.json",
    "colorDetection/Plot/Data_all/ai_judge_zeroshot_colorest.json",
    "colorDetection/Plot/Data_all/ai_judge_zeroshot_wordassoc.json",
    "colorDetection/Plot/Data_all/humanjudge_Color_Feedback_testphase.json",
    "colorDetection/Plot/savedResults/compiled.json",
    "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_5th_layer.json",
    "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_bertonly.json",
    "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_fullmodel.json",
    "objectDetection/Plot/Data_all/ai_judge_feedback_object.json",
    "objectDetection/Plot/Data_all/ai_judge_zeroshot_chatgpt_objdet.json",
    "objectDetection/Plot/Data_all/humanjudge_Object_Feedback_testphase.json",
    "objectDetection/Plot/savedResults/compiled.json",
    "wordAssociation/Plot/Data_all/AIjudge_compiled_Word_Feedback_testphase.json",
    "wordAssociation/Plot/Data_all/dict_human_judge_from_noga_to_mengmi_april.json",
    "wordAssociation/Plot/Data_all/humanjudge_Word_Feedback_testphase.json",
    "wordAssociation/Plot/savedResults/DataValidity.json",
    "wordAssociation/Plot/savedResults/compiled.json",
    "wordAssociation/Plot/savedResults/compiled_TwoVersion.json",
}
AGENTS = ("all", "azure", "mccq", "google")


@pytest.fixture(scope="module")
def found(public):
    """Look up a number: table, reading, id, column."""
    folder = public.from_checkout.folder / "results/zhang2025/statistics"
    keys = {"estimates": "estimate_id", "tests": "test_id", "sizes": "size_id"}
    tables = {
        name: pd.read_csv(folder / f"{name}.csv").set_index([key, "reading"]).sort_index()
        for name, key in keys.items()
    }
    return lambda table, name, column="value", reading="published": tables[table].loc[
        (name, reading), column
    ]


# --- where the data come from ------------------------------------------------------------------


def test_repository_and_checkout_give_the_same_ledger(public):
    one, other = public.from_checkout.results(), public.from_repository.results()
    names = ["claims/claims.csv", "claims/summary.csv", "data/missing.csv", "data/sources.csv"]
    names += ["statistics/estimates.csv", "statistics/tests.csv", "data/judgments.parquet"]
    assert [name for name in names if one[name] != other[name]] == []


def test_only_the_wanted_files_are_fetched(public):
    folder = public.from_repository.folder / "data/raw/zhang2025/public"
    laid_out = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != ".git"
    }
    assert laid_out == WANTED
    kept = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    for path in git(public.checkout, "ls-files", "-z").split("\0")[:-1]:
        assert (git(public.checkout, "rev-parse", f"HEAD:{path}") in kept) == (path in WANTED), path


# --- published numbers -------------------------------------------------------------------------


def test_pooled_rates(found):
    for name, k, n in (("human.p_HH", 381, 691), ("all.p_MM", 445, 725)):
        row = [found("estimates", f"color.amt.all.{name}", column) for column in ("k", "n")]
        assert row == [k, n]


@pytest.mark.parametrize(
    ("test", "reading", "expected"),
    [
        ("amt.p_HH.chance", "published", {"statistic": "-2.1697", "p": "0.0300", "n1": "65"}),
        ("amt.p_HH.chance", "recommended", {"statistic": "2.1520", "p": "0.0314"}),
        ("amt.p_MM.chance.all", "published", {"statistic": "-4.1275", "p": "3.7e-5", "n1": "65"}),
        ("amt.p_MM.chance.all", "recommended", {"statistic": "4.1650", "p": "3.1e-5"}),
        ("amt.p_MM.chance.mccq", "published", {"statistic": "-3.964", "p": "7.4e-5"}),
        ("amt.p_MM.agents", "published", {"statistic": "0.969", "p": "0.616", "n1": "65"}),
        ("amt.p_MM.agents", "recommended", {"statistic": "1.275", "p": "0.529", "n1": "63"}),
        (
            "expertise.detectability.all",
            "published",
            {"statistic": "282", "p": "0.1311", "n1": "65", "n2": "12"},
        ),
    ],
)
def test_tests_of_the_text(found, test, reading, expected):
    for column, printed in expected.items():
        number = found("tests", f"color.{test}", column, reading)
        half = 0.5001 * 10.0 ** Decimal(printed).as_tuple().exponent
        # The sign of a z of the recommended reading follows from its direction.
        number = abs(number) if (reading, column) == ("recommended", "statistic") else number
        assert number == pytest.approx(float(printed), abs=half, rel=0), column


def test_ledger(public):
    ledger = pd.read_csv(public.from_checkout.folder / "results/zhang2025/claims/claims.csv")
    ledger = ledger.set_index("claim_id")
    # Not the commit that data/sources/ pins: nobody vouches that these are the public trials.
    assert set(ledger["data"]) == {"observed data"}
    for claim, exact in (("z25.color.pHH", "381/691"), ("z25.color.pMM", "445/725")):
        assert ledger.loc[claim, "status"] == "reproduced"
        assert ledger.loc[claim, "recomputed_exact"] == exact
    for claim in ("pHH.z", "pHH.p", "pMM.z", "pMM.p", "models.chi2", "models.p"):
        assert ledger.loc[f"z25.color.{claim}", "status"] == "reproduced", claim
    pasted = ledger.loc["z25.color.MCCQ.z"]
    assert pasted["status"] == "impossible"
    assert "the paper contradicts itself" in pasted["why"]
    assert float(pasted["recomputed"]) == -3.96
    absent = ledger[ledger["status"] == "no data"]
    assert len(absent)
    assert absent["why"].str.startswith("needs ").all()


# --- numbers of the notebooks ------------------------------------------------------------------


def notebook():
    """Number of the project for each id: how to compare, table, row, column."""
    rows = {"COL-030": ("exact", "sizes", "color.amt.all.n_trials", "value")}
    bins = ["18-35", "36-45", "46 and over", "female", "male", "school", "bachelor", "postgraduate"]
    for i, name in enumerate(bins):
        rows[f"COL-{59 + i:03d}"] = ("exact", "sizes", f"color.amt.{name}.n_trials", "value")
    rows["COL-215"] = ("exact", "estimates", "color.expert.all.all.detectability", "n")
    # First ids of: trials (people, then machines), detectability, its spread, rates.
    for cohort, trials, mean, spread, rate in (
        ("amt", 31, 36, 40, 44),
        ("expert", 216, 221, 225, 229),
    ):
        people = f"color.{cohort}.all.human.p_HH"
        rows[f"COL-{trials:03d}"] = ("exact", "estimates", people, "n")
        rows[f"COL-{rate:03d}"] = ("rounded", "estimates", people, "value")
        for i, agent in enumerate(AGENTS):
            machine = f"color.{cohort}.all.{agent}"
            rows[f"COL-{trials + 1 + i:03d}"] = ("exact", "estimates", f"{machine}.p_MM", "n")
            rows[f"COL-{rate + 1 + i:03d}"] = ("rounded", "estimates", f"{machine}.p_MM", "value")
            detected = f"{machine}.detectability"
            rows[f"COL-{mean + i:03d}"] = ("exact", "estimates", detected, "value")
            rows[f"COL-{spread + i:03d}"] = ("spread", "estimates", detected, "se")
    return rows


@pytest.mark.parametrize(("number", "place"), notebook().items(), ids=notebook())
def test_numbers_of_the_notebooks(found, number, place):
    printed = pd.read_csv(EXPECTED, index_col="id").loc[number, "value"]
    how, table, name, column = place
    value = found(table, name, column)
    if how == "exact":
        assert value == float(printed)
    elif how == "rounded":
        assert round(value, 2) == float(printed)
    else:
        # Both are standard deviations of n unseeded means, n trials in the smaller set, each with
        # a relative error of 1 / sqrt(2 n): three times that of their difference.
        machine, people = name.replace("detectability", "p_MM"), name.split(".all.")[0]
        n = min(found(table, machine, "n"), found(table, f"{people}.all.human.p_HH", "n"))
        assert value == pytest.approx(float(printed), rel=3 / math.sqrt(n))
