"""ROC curves against R: pROC (make_ratings_reference.R)."""

import numpy as np
import pandas as pd
import pytest
from project import read_reference
from scipy.stats import norm

from turingstats.analysis import detector_scores, graded_verdicts
from turingstats.stats import roc

REFERENCE = read_reference("ratings_reference")
SCORED = pytest.mark.parametrize("case", REFERENCE["scores"], ids=lambda case: case["name"])


def make_scores(case):
    return pd.DataFrame(
        {
            "judge": "d",
            "stimulus": [f"s{number}" for number in range(len(case["score"]))],
            "agent": pd.Categorical(np.where(case["machine"], "bot", "human")),
            "truth": np.where(case["machine"], "machine", "human"),
            "rating": case["score"],
        }
    )


@SCORED
def test_area_and_its_variance_are_delongs(case):
    stimuli = np.arange(len(case["score"]))
    found = roc.compute_roc_area(case["machine"], case["score"], stimuli, 0.95)
    assert found["value"] == pytest.approx(case["auc"], abs=1e-12)
    assert found["se"] ** 2 == pytest.approx(case["variance"], rel=1e-9)
    # pROC's interval is symmetric, ours on the logit scale: with the same error.
    half = norm.isf(0.025) * found["se"]
    low, _, high = case["se_ci"]
    assert (found["value"] - half, found["value"] + half) == pytest.approx((low, high), abs=1e-9)
    assert low < found["value"] < high
    assert found["ci_low"] == pytest.approx(low, abs=0.02)
    assert found["ci_high"] == pytest.approx(high, abs=0.02)


@SCORED
def test_curve_has_the_points_of_proc(case):
    trials = make_scores(case)
    grades = {"kind": "rating", "points": []}
    rows = pd.DataFrame(graded_verdicts.measure_curve(trials, grades, 0.95))
    points = rows[rows["quantity"] == "roc"]
    np.testing.assert_allclose(points["value"], case["hits"], atol=1e-12)
    np.testing.assert_allclose(points["x"], case["false_alarms"], atol=1e-12)
    (area,) = rows[rows["quantity"] == "roc_area"].to_dict("records")
    assert area["value"] == pytest.approx(case["auc"], abs=1e-12)


@SCORED
def test_hits_at_false_alarm_rates(case):
    trials = make_scores(case)
    rates = [at["rate"] for at in case["at"]]
    found = [*detector_scores.measure_thresholds(trials, 0.95, rates)]
    for at in case["at"]:
        own = {
            (row["agent"], row["quantity"]): row["value"]
            for row in found
            if row["level"] == f"{at['rate']:g}"
        }
        assert own["human", "threshold"] == pytest.approx(at["threshold"], abs=1e-12)
        assert own["human", "false_alarms"] == pytest.approx(at["false_alarms"], abs=1e-12)
        assert own["bot", "hits"] == pytest.approx(at["hits"], abs=1e-12)
