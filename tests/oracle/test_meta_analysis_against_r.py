"""Random-effects models against metafor and clubSandwich (make_meta_analysis_reference.R)."""

import json
from pathlib import Path

import numpy as np
import pytest

from turingstats.stats.meta_analysis import fit_random_effects

REFERENCE = json.loads(Path(__file__).with_name("meta_analysis_reference.json").read_text())
BCG, SCHOOLS = REFERENCE["bcg"], REFERENCE["schools"]
DISTRICT = np.array(SCHOOLS["district"])
LEVELS = [DISTRICT, np.arange(len(DISTRICT))]
"""Schools in districts."""


def close(found, expected, rtol=2e-5):
    np.testing.assert_allclose(found, expected, rtol=rtol)


def test_mean_with_errors_of_hartung_and_knapp():
    fit = fit_random_effects(BCG["values"], BCG["variances"])
    close(fit.coefficients, BCG["coefficients"])
    close(fit.se, BCG["se"])
    close(fit.variances, BCG["tau2"])
    close([fit.q, fit.q_p], [BCG["q"], BCG["q_p"]])
    close(fit.shares, BCG["i2"])
    close(np.ravel(fit.compute_intervals(0.95)), [BCG["low"], BCG["high"]])
    close(np.ravel(fit.compute_prediction_intervals(0.95)), [BCG["new_low"], BCG["new_high"]])


def test_regression_on_latitude():
    expected = REFERENCE["bcg_latitude"]
    design = np.column_stack([np.ones(13), expected["latitude"]])
    fit = fit_random_effects(BCG["values"], BCG["variances"], design)
    close(fit.coefficients, expected["coefficients"])
    close(fit.se, expected["se"])
    close(fit.variances, expected["tau2"], rtol=2e-4)
    close(fit.compute_intervals(0.95), [expected["low"], expected["high"]], rtol=1e-4)


def test_errors_that_are_at_least_those_of_the_model():
    expected = REFERENCE["bcg_systematic"]
    values, variances = (
        np.array(BCG[name])[expected["chosen"]] for name in ("values", "variances")
    )
    fit = fit_random_effects(values, variances, at_least_model=True)
    close(fit.se, expected["se"])
    close(np.ravel(fit.compute_intervals(0.95)), [expected["low"], expected["high"]])


def check_levels(fit, expected):
    close(fit.coefficients, expected["coefficients"])
    close(fit.variances, expected["sigma2"])
    close(fit.se, expected["cr2"])
    close(fit.df, expected["df"])


def test_two_levels_and_errors_over_clusters():
    fit = fit_random_effects(
        SCHOOLS["values"], SCHOOLS["variances"], levels=LEVELS, clusters=DISTRICT
    )
    check_levels(fit, SCHOOLS)
    close(fit.shares, SCHOOLS["shares"])
    assert fit.q == pytest.approx(SCHOOLS["q"])


def test_regression_with_two_levels():
    expected = REFERENCE["schools_year"]
    design = np.column_stack([np.ones(len(DISTRICT)), expected["year"]])
    fit = fit_random_effects(
        SCHOOLS["values"], SCHOOLS["variances"], design, levels=LEVELS, clusters=DISTRICT
    )
    check_levels(fit, expected)


def test_estimates_with_correlated_errors():
    expected = REFERENCE["correlated"]
    se = np.sqrt(SCHOOLS["variances"])
    correlation = np.where(np.equal.outer(DISTRICT, DISTRICT), expected["correlation"], 0)
    np.fill_diagonal(correlation, 1)
    covariance = correlation * np.outer(se, se)
    fit = fit_random_effects(SCHOOLS["values"], covariance, levels=LEVELS, clusters=DISTRICT)
    check_levels(fit, expected)
    assert fit.q == pytest.approx(expected["q"])
