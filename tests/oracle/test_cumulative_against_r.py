"""Cumulative-link and probit mixed models against R: ordinal and lme4 (make_cumulative_reference.R)."""

import numpy as np
import pytest
from project import read_reference

from turingstats.stats.mixed.cumulative import arrange_effect, fit_cumulative_model

REFERENCE = read_reference("cumulative_reference")
RATED = pytest.mark.parametrize("case", REFERENCE["ratings"], ids=lambda case: case["name"])
JUDGED = pytest.mark.parametrize("case", REFERENCE["verdicts"], ids=lambda case: case["name"])


def number_units(case, group):
    return np.unique(case[group], return_inverse=True)[1]


def list_deviations(fit):
    return {(part.group, part.effect, part.other): part.value for part in fit.components}


@RATED
def test_ratings_have_the_model_of_ordinal(case):
    agent = np.array(case["agent"])
    names = [name.removeprefix("agent") for name in case["coefficients"]]
    predictors = np.column_stack([agent == name for name in names]).astype(float)
    scaled = predictors if "log_scale" in case else None
    effects = [arrange_effect(group, number_units(case, group)) for group in case["random"]]
    fit = fit_cumulative_model(np.array(case["rating"]), predictors, effects, case["link"], scaled)
    assert fit.converged
    se = np.array(case["se"])
    expected = [*case["coefficients"].values(), *case["thresholds"]]
    expected += case.get("log_scale", {}).values()
    assert np.abs((fit.estimate - expected) / se).max() < 0.01
    assert np.abs(fit.se / se - 1).max() < 0.01
    assert fit.loglik == pytest.approx(case["loglik"], abs=0.001)
    for group, value in case.get("sd", {}).items():
        assert list_deviations(fit)[group, "(Intercept)", None] == pytest.approx(value, abs=0.001)


@JUDGED
def test_verdicts_have_the_probit_model_of_ordinal_and_nearly_that_of_lme4(case):
    x = (np.array(case["agent"]) != "human") - 0.5
    effects = [
        arrange_effect("judge", number_units(case, "judge"), ("(Intercept)", "x"), x[:, None])
    ]
    if "stimulus" in case["sd"]:
        effects.append(arrange_effect("stimulus", number_units(case, "stimulus")))
    fit = fit_cumulative_model(np.array(case["rating"]), x[:, None], effects, "probit")
    assert fit.converged
    estimate = np.array([-fit.thresholds[0], fit.coefficients[0]])
    for kind, tolerance in (("", 0.01), ("lme4", 0.05)):
        se = np.array(case[f"{kind}_se".strip("_")])
        expected = np.array(case[kind or "estimate"])
        assert np.abs((estimate - expected) / se).max() < tolerance
        assert np.abs(fit.se[::-1] / se - 1).max() < tolerance
    assert fit.loglik == pytest.approx(case["loglik"], abs=0.001)
    deviations = list_deviations(fit)
    by_judge = [deviations["judge", name, None] for name in ("(Intercept)", "x")]
    np.testing.assert_allclose(by_judge, case["sd"]["judge"], atol=0.001)
    correlation = deviations["judge", "x", "(Intercept)"]
    assert correlation == pytest.approx(case["sd"]["correlation"], abs=0.005)
    if "stimulus" in case["sd"]:
        value = deviations["stimulus", "(Intercept)", None]
        assert value == pytest.approx(case["sd"]["stimulus"], abs=0.001)
