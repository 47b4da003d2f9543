"""Correlation of abilities against R: nested quadrature, and lme4 (make_abilities_reference.R)."""

import json
from pathlib import Path

import numpy as np
import pytest

from turingstats.stats import shared_abilities

REFERENCE = json.loads(Path(__file__).with_name("abilities_reference.json").read_text())["cases"]
CASES = pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case["name"])


@CASES
def test_likelihood_is_that_of_nested_quadrature(case):
    patterns = shared_abilities.find_patterns(case["k"], case["n"])
    for point in case["likelihoods"]:
        place = point["mean"], point["sd"], point["correlation"]
        found, _ = shared_abilities.log_likelihood(patterns, *place)
        assert found == pytest.approx(point["loglik"], abs=1e-6)


@CASES
def test_maximum_is_that_of_nested_quadrature(case):
    found = shared_abilities.correlate_abilities(np.array(case["k"]), np.array(case["n"]))
    best = case["best"]
    assert found.loglik == pytest.approx(best["loglik"], abs=1e-5)
    assert found.correlation == pytest.approx(best["correlation"], abs=2e-3)
    np.testing.assert_allclose(found.mean, best["mean"], atol=2e-3)
    np.testing.assert_allclose(found.sd, best["sd"], atol=2e-3)
    assert found.low < best["correlation"] < found.high


@CASES
def test_lme4_is_near(case):
    found = shared_abilities.correlate_abilities(np.array(case["k"]), np.array(case["n"]))
    # Laplace's approximation.
    assert found.correlation == pytest.approx(case["lme4"]["correlation"], abs=0.02)
    np.testing.assert_allclose(found.mean, case["lme4"]["mean"], atol=0.01)
    np.testing.assert_allclose(found.sd, case["lme4"]["sd"], atol=0.03)
