"""What the default run says of the paper: which printed numbers the observed trials give."""

import re
from urllib.parse import urlsplit

import pandas as pd
import pytest
from html_page import Page


@pytest.fixture(scope="module")
def ledger(observed):
    table = pd.read_csv(observed.folder / "results/zhang2025/claims/claims.csv")
    return table[table["paper"] == "zhang2025"].set_index("claim_id")


def test_numbers_are_of_observed_trials_and_whatever_is_not_reproduced_says_why(ledger):
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
