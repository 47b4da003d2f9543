"""Ordinal models and ROC curves against R: ordinal (clm, clmm) and pROC (make_ratings_reference.R)."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from turingstats.analysis import detector_scores, graded_verdicts, ordinal_models
from turingstats.stats import ordinal, roc

REFERENCE = json.loads(Path(__file__).with_name("ratings_reference.json").read_text())
RATED = pytest.mark.parametrize("case", REFERENCE["ratings"], ids=lambda case: case["name"])
SCORED = pytest.mark.parametrize("case", REFERENCE["scores"], ids=lambda case: case["name"])


def make_trials(case):
    """The trials of a case as judgments of people."""
    agents = list(dict.fromkeys(["human", *case["agent"]]))
    return pd.DataFrame(
        {
            "judge": [f"w{judge}" for judge in case["judge"]],
            "stimulus": [f"s{stimulus}" for stimulus in case["stimulus"]],
            "agent": pd.Categorical(case["agent"], categories=sorted(agents, reverse=True)),
            "truth": np.where(np.array(case["agent"]) == "human", "human", "machine"),
            "rating": np.array(case["rating"], float),
        }
    )


def make_scores(case):
    """The trials of a case as scores of one detector."""
    return pd.DataFrame(
        {
            "judge": "d",
            "stimulus": [f"s{number}" for number in range(len(case["score"]))],
            "agent": pd.Categorical(np.where(case["machine"], "bot", "human")),
            "truth": np.where(case["machine"], "machine", "human"),
            "rating": case["score"],
        }
    )


@RATED
def test_ordinal_model_is_that_of_clm(case):
    machines = [name.removeprefix("agent") for name in case["coefficients"]]
    agent = np.array(case["agent"])
    predictors = np.column_stack([agent == name for name in machines])
    fit = ordinal.fit_cumulative_logit(case["rating"], predictors, np.ones(len(agent)))
    assert fit.converged
    np.testing.assert_allclose(fit.coefficients, list(case["coefficients"].values()), atol=1e-5)
    np.testing.assert_allclose(fit.thresholds, case["thresholds"], atol=1e-5)


@RATED
def test_errors_over_judges_and_stimuli_are_those_computed_in_r(case):
    machines = [name.removeprefix("agent") for name in case["coefficients"]]
    rows = pd.DataFrame(ordinal_models.fit_model(make_trials(case), machines, 0.95))
    rows = rows.set_index("term").loc[machines]
    np.testing.assert_allclose(rows["estimate"], list(case["coefficients"].values()), atol=1e-5)
    np.testing.assert_allclose(rows["se"], list(case["se"].values()), rtol=1e-4)
    assert (rows["n_judges"] == len(set(case["judge"]))).all()
    assert (rows["n_stimuli"] == len(set(case["stimulus"]))).all()


@RATED
def test_the_mixed_model_is_conditional_and_near(case):
    machines = [name.removeprefix("agent") for name in case["coefficients"]]
    rows = pd.DataFrame(ordinal_models.fit_model(make_trials(case), machines, 0.95))
    marginal = rows.set_index("term").loc[machines]
    for name in machines:
        conditional = case["clmm"][f"agent{name}"]
        ratio = marginal.loc[name, "estimate"] / conditional
        # Odds ratios within judges and stimuli are larger than those of all trials together.
        assert 0.7 < ratio < 1
        assert 0.75 < marginal.loc[name, "se"] / case["clmm_se"][f"agent{name}"] < 1.15


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
def test_influence_has_delongs_variance(case):
    area, influence = roc.linearize_area(case["machine"], case["score"])
    assert area == pytest.approx(case["auc"], abs=1e-12)
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    machine = np.array(case["machine"])
    parts = [influence[machine], influence[~machine]]
    variance = sum((part**2).sum() * len(part) / (len(part) - 1) for part in parts)
    assert variance == pytest.approx(case["variance"], rel=1e-9)


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
def test_hits_at_false_alarm_rates_and_brier_score(case):
    trials = make_scores(case)
    rates = [at["rate"] for at in case["at"]]
    found = [*detector_scores.measure_thresholds(trials, rates, 0.95)]
    for at in case["at"]:
        own = {
            (row["agent"], row["quantity"]): row["value"]
            for row in found
            if row["level"] == f"{at['rate']:g}"
        }
        assert own["human", "threshold"] == pytest.approx(at["threshold"], abs=1e-12)
        assert own["human", "false_alarms"] == pytest.approx(at["false_alarms"], abs=1e-12)
        assert own["bot", "hits"] == pytest.approx(at["hits"], abs=1e-12)
    rows = [*detector_scores.measure_calibration(trials, 0.95)]
    (brier,) = [row for row in rows if row["quantity"] == "brier"]
    assert brier["value"] == pytest.approx(case["brier"], abs=1e-12)
    bins = [row for row in rows if row["quantity"] == "calibration"]
    assert sum(row["n"] for row in bins) == len(trials)
    assert sum(row["k"] for row in bins) == sum(case["machine"])
