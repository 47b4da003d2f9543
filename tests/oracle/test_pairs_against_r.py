"""Bradley-Terry models against R: BradleyTerry2, glm and lme4 (make_pairs_reference.R)."""

import json
from pathlib import Path

import numpy as np
import pytest

from turingstats.stats.bradley_terry import Comparisons, fit_bradley_terry, fit_mixed_strengths

REFERENCE = json.loads(Path(__file__).with_name("pairs_reference.json").read_text())
CASES = pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])


def read(case):
    """The comparisons of a case; R numbers agents from 1."""
    parts = [np.array(case[name]) for name in ("first", "second", "outcome", "judge", "prompt")]
    return Comparisons(parts[0] - 1, parts[1] - 1, *parts[2:])


def fit(case):
    """The model here, and what turns its parameters into those of R: differences from the first, home."""
    comparisons, agents = read(case), case["agents"]
    contrasts = np.eye(agents + 1)[1:]
    contrasts[:-1, 0] = -1
    return fit_bradley_terry(comparisons, agents), contrasts


@CASES
def test_strengths_and_errors_are_those_of_bradleyterry2(case):
    fitted, contrasts = fit(case)
    parameters = np.append(fitted.strength, fitted.advantage)
    assert contrasts @ parameters == pytest.approx(case["estimate"], abs=1e-6)
    se = np.sqrt(np.diag(contrasts @ fitted.independent @ contrasts.T))
    assert se == pytest.approx(case["se"], abs=1e-6)


@CASES
def test_clustered_variances_are_sums_of_squared_scores(case):
    fitted, contrasts = fit(case)
    # R lists the home advantage first or last, as in its formula.
    order = np.roll(np.arange(case["agents"]), 1)
    for mine, theirs in zip(fitted.by_unit, case["clustered"], strict=True):
        variance = (contrasts @ mine @ contrasts.T)[np.ix_(order, order)]
        assert variance == pytest.approx(np.array(theirs), rel=1e-5)


def test_mixed_model_is_that_of_lme4():
    case = next(case for case in REFERENCE["cases"] if "mixed" in case)
    strength, se, fitted = fit_mixed_strengths(read(case), case["agents"])
    differences = strength[1:] - strength[0]
    assert differences == pytest.approx(case["mixed"][1:], abs=1e-3)
    assert fitted.estimate[0] == pytest.approx(case["mixed"][0], abs=1e-3)
    assert fitted.se == pytest.approx(case["mixed_se"], abs=1e-3)
    spread = {part.group: part.value for part in fitted.components}
    assert spread["judge"] == pytest.approx(case["mixed_sd"]["judge"], abs=2e-3)
    # A mean has no larger error than the differences from one agent.
    assert se.max() < max(case["mixed_se"][1:])
