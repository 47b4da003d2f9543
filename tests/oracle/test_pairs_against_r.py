"""Models of comparisons against R: BradleyTerry2, brglm2, glm and lme4 (make_pairs_reference.R)."""

import numpy as np
import pytest
from project import read_reference

from turingstats.stats.bradley_terry import fit_bradley_terry
from turingstats.stats.comparisons import Comparisons

REFERENCE = read_reference("pairs_reference")
CASES = {case["name"]: case for case in REFERENCE["cases"]}
UNPENALIZED = pytest.mark.parametrize("name", [name for name in CASES if "se" in CASES[name]])


def read(case):
    """The comparisons of a case; R numbers agents from 1."""
    parts = [np.array(case[name]) for name in ("first", "second", "outcome", "judge", "prompt")]
    return Comparisons(parts[0] - 1, parts[1] - 1, *parts[2:])


def fit(name, **options):
    """The model here, and what turns its parameters into those of R: differences from the first, home."""
    case = CASES[name]
    comparisons, agents = read(case), case["agents"]
    contrasts = np.eye(agents + 2)[1:-1]
    contrasts[:-1, 0] = -1
    return case, fit_bradley_terry(comparisons, agents, **options), contrasts


@UNPENALIZED
def test_strengths_and_errors_are_those_of_bradleyterry2(name):
    case, fitted, contrasts = fit(name, penalized=False)
    assert contrasts @ fitted.parameters == pytest.approx(case["estimate"], abs=1e-6)
    se = np.sqrt(np.diag(contrasts @ fitted.independent @ contrasts.T))
    assert se == pytest.approx(case["se"], abs=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_reduced_bias_is_that_of_brglm2(name):
    case, fitted, contrasts = fit(name)
    assert contrasts @ fitted.parameters == pytest.approx(case["reduced"], abs=2e-5)
    se = np.sqrt(np.diag(contrasts @ fitted.independent @ contrasts.T))
    assert se == pytest.approx(case["reduced_se"], abs=2e-5)


@pytest.mark.parametrize(("penalized", "key"), [(False, "davidson"), (True, "davidson_penalized")])
def test_ties_are_those_of_davidson_s_model(penalized, key):
    case, fitted, contrasts = fit("ties", ties=True, penalized=penalized)
    assert contrasts @ fitted.parameters == pytest.approx(case[key][:-1], abs=1e-5)
    assert fitted.tie == pytest.approx(case[key][-1], abs=1e-5)


@UNPENALIZED
def test_clustered_variances_are_sums_of_squared_scores(name):
    case, fitted, contrasts = fit(name, penalized=False)
    # R lists the home advantage first or last, as in its formula.
    order = np.roll(np.arange(case["agents"]), 1)
    for mine, theirs in zip(fitted.by_unit, case["clustered"], strict=True):
        variance = (contrasts @ mine @ contrasts.T)[np.ix_(order, order)]
        assert variance == pytest.approx(np.array(theirs), rel=1e-5)
