"""Rates of rejection under true null hypotheses: minutes of simulation, run with `make test-slow`."""

import numpy as np
import pandas as pd
import pytest

from tools.simulations import calibration, simulate_case

STUDIES = 300


@pytest.fixture(scope="module")
def rejected():
    """Share of studies in which a test rejected, by spread, hypothesis and test."""
    places = 0, 2  # spreads 0 and 1
    table = pd.DataFrame(
        [row for place in places for row in simulate_case("calibration", place, STUDIES)]
    )
    assert (table["n"] == STUDIES).all()
    return table.set_index(["spread", "hypothesis", "test"])


def upper(level=calibration.ALPHA):
    """Four standard errors above the level."""
    return level + 4 * np.sqrt(level * (1 - level) / STUDIES)


def test_recommended_tests_keep_their_level_when_judges_differ(rejected):
    own = rejected[rejected["used_as"] == "recommended"]
    assert len(own) > 15
    assert (own["rejected"] <= upper()).all(), own[own["rejected"] > upper()]


def test_trial_level_tests_keep_their_level_only_when_judges_are_alike(rejected):
    for hypothesis in (h for h in rejected.loc[1.0].index.unique(0) if "groups" in h):
        for test, row in rejected.loc[1.0].loc[hypothesis].iterrows():
            if row["unit"] == "trial":
                assert row["rejected"] > 2 * upper(), (hypothesis, test)
                alike = rejected.loc[(0.0, hypothesis, test), "rejected"]
                assert alike <= upper(), (hypothesis, test)


def test_half_sample_errors_are_too_narrow_and_a_random_vector_makes_chance_more_variable(rejected):
    hypothesis = "interval of detectability holds one half"
    half = rejected.loc[(1.0, hypothesis, "1.96 half-sample sd"), "rejected"]
    assert half > 2 * upper()
    assert rejected.loc[(1.0, hypothesis, "t interval over judges"), "rejected"] <= upper(0.06)
    hypothesis = "detectability is one half"
    welch = rejected.loc[(1.0, hypothesis, "Welch t against a random vector"), "rejected"]
    assert welch > upper() > rejected.loc[(1.0, hypothesis, "Wilcoxon, exact ties"), "rejected"]
