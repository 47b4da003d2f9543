"""What the default run says of the paper: which printed numbers the observed trials give."""

import re
from urllib.parse import urlsplit

import pandas as pd
import pytest
from html_page import Page

# Printed numbers that come out, task by task: z and U of the tests in the text, slopes, a chi-square.
COME_OUT = {
    "color.pHH.z": -2.17,
    "color.pMM.z": -4.13,
    "color.models.chi2": 0.97,
    "color.expert.U": 282,
    "word.pHH.z": -3.36,
    "word.pMM.z": -1.63,
    "word.expert.pMM.U": 224,
    "word.expert.pHH.U": 205.5,
    "object.pHH.z": -1.22,
    "object.pMM.z": -4.29,
    "object.expert.U": 342,
    "attention.pHH.z": -5.47,
    "attention.pMM.z": -1.73,
    "attention.freeVsSearch.pHH.U": 4183,
    "attention.expert.U": 1298,
    "conv.len.pHH.beta": 0.002,
    "conv.len.pMM.beta": -0.0003,
    "online.llama.pMMbyLength.p": 0.032,
    # Models inferred from blocks of conversations, and 47 judges.
    "conv.MM.Blender.pHM": 0.67,
    "conv.BlenderVsHuman.U": 1007.5,
    # Catch trials, and people in names of scan paths.
    "tS3.word.pMM": 0.75,
    "m.attention.nParticipants": 40,
    # Fitted procedures, which say so.
    "conv.len48.pMM.z": -0.40,
    "conv.len48.HM.p": 0.34,
}
AT_LEAST = 350
OTHERS = {
    # The z of P(H|H), pasted; its p belongs to another z.
    "color.MCCQ.z": "impossible",
    # chi2 = 20.90 with two degrees of freedom has another p.
    "attention.models.p": "impossible",
    # Two statements exclude each other; the trials decide for one.
    "object.feedback.p": "reproduced",
    # One answer per image is public.
    "m.color.kappa": "no data",
    # GBVS is not the worst imitator, and the text swaps two numbers.
    "svm.attention.GBVS.worst": "differs",
    "attention.free.n": "differs",
    # A part of the answers is public, and one term of a sum is not.
    "m.color.nPairsHuman": "no data",
    "abs.nTests": "adds up",
    # What the study file declares.
    "m.stats.alpha": "taken over",
}


@pytest.fixture(scope="module")
def ledger(observed):
    table = pd.read_csv(observed.folder / "results/zhang2025/claims/claims.csv")
    return table[table["paper"] == "zhang2025"].set_index("claim_id")


@pytest.mark.parametrize(("claim", "printed"), COME_OUT.items())
def test_numbers_that_come_out_as_printed(ledger, claim, printed):
    row = ledger.loc[f"z25.{claim}"]
    assert float(row["published"]) == printed
    assert row["status"] == "reproduced", row["why"]


def test_how_many_come_out_and_others_say_why(ledger):
    assert len(ledger) == 696
    assert (ledger["status"] == "reproduced").sum() >= AT_LEAST
    assert set(ledger["data"]) == {"observed data"}
    unexplained = ledger[
        ~ledger["status"].isin(["reproduced", "taken over"]) & ledger["why"].isna()
    ]
    assert unexplained.empty, list(unexplained.index)


def test_every_difference_has_a_reason_that_the_run_tested(ledger):
    derivations = pd.read_csv("data/published/zhang2025/derivations.csv").set_index("claim_id")
    reasons = derivations[derivations["kind"] == "reason"]
    # This run trains judges with fewer folds and answers than the paper and the default configuration.
    trained_less = ledger.index.str.contains(r"svm\.(?:folds|seeds|trainFrac)$")
    differs = ledger[(ledger["status"] == "differs") & ~trained_less]
    assert set(differs.index) == set(reasons.index)
    untested = differs["why"].str.contains("no longer holds|no number here")
    assert not untested.any(), differs["why"][untested].tolist()
    assert (ledger["status"] == "no data").sum() <= 205


def test_absent_files_are_told_apart(ledger, observed):
    missing = pd.read_csv(observed.folder / "results/zhang2025/data/missing.csv")
    assert set(missing["why"]) <= {"not public", "public, not bundled"}
    why = ledger.loc[ledger["status"] == "no data", "why"]
    assert why.str.startswith("needs ").all()
    fetched = why[why.str.contains("public, not bundled")]
    assert fetched.str.contains("data.source: public fetches it", regex=False).all()
    pairs = "z25.m.color.nPairsHuman"
    assert "color_more.json" in why[pairs] and "the part that is public gives 873" in why[pairs]
    total = ledger.loc["z25.abs.nTests", "why"]
    assert "caption, amt: imageCaptioning" in total and "the other terms add up to" in total


@pytest.mark.parametrize(("claim", "status"), OTHERS.items())
def test_other_statuses(ledger, claim, status):
    row = ledger.loc[f"z25.{claim}"]
    assert row["status"] == status, row["why"]


def test_exact_fractions(ledger):
    exact = {"color.pHH": "381/691", "color.pMM": "445/725", "attention.pHH": "721/1152"}
    assert {name: ledger.loc[f"z25.{name}", "recomputed_exact"] for name in exact} == exact


def test_numbers_that_the_notebooks_print(observed):
    folder = observed.folder / "results/zhang2025/claims"
    ledger = pd.read_csv(folder / "notebooks.csv")
    counted = ledger["status"].value_counts()[["reproduced", "close", "differs"]]
    assert counted["reproduced"] >= 805
    assert ledger.loc[ledger["status"] != "reproduced", "why"].notna().all()
    assert pd.read_csv(folder / "notebooks_summary.csv")["n"].sum() == len(ledger)


def test_no_generated_number_is_among_the_results(observed):
    for name, content in observed.results().items():
        if name.endswith((".csv", ".tex", ".json", ".svg")):
            assert not re.search(rb"generated data", content, re.IGNORECASE), name
        if name.endswith(".html"):
            # What a status means is said for all kinds of data.
            text = content.replace(b"on generated data, inside the interval of the rate", b"")
            assert not re.search(rb"generated data", text, re.IGNORECASE), name


def test_links_of_the_page_lead_to_files(observed):
    folder = observed.folder / "results/zhang2025/claims"
    for name in ("index.html", "summary.html", "notebooks.html"):
        page = Page((folder / name).read_text())
        links = [link for link in page.links if link]
        assert len(links) > 1
        for link in links:
            parts = urlsplit(link)
            assert (folder / parts.path).exists(), link
            assert parts.path or parts.query or parts.fragment in page.ids, link
