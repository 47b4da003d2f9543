"""Contrasts of agents and of conditions against emmeans on fits of lme4 (make_contrasts_reference.R)."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_reference
from scipy import stats
from scipy.optimize import approx_fprime

from turingstats.analysis.models.contrasts import average_levels, compare_levels
from turingstats.stats.mixed import marginal
from turingstats.stats.mixed.fit import Fit, fit_model

TRIALS = ROOT / "data/observed/zhang2025"
CASES = read_reference("contrasts_reference")["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['task']}.{case['factor']}")
def test_contrasts_are_those_of_emmeans(case, monkeypatch):
    # emmeans has infinitely many degrees of freedom for fits of glmer.
    monkeypatch.setattr(Fit, "df", np.inf)
    table = pd.read_csv(TRIALS / f"{case['task']}_trials.csv", dtype={"stimulus": str})
    table = table[(table["cohort"] == case["cohort"]) & (table["control_ok"] == "yes")]
    table["said_machine"] = (table["verdict"] == "machine").astype(float)
    table["half"] = table["position"].map(lambda place: "first" if place <= 15 else "second")
    others = sorted(set(table["agent"]) - {"human"})
    table["agent"] = pd.Categorical(table["agent"], ["human", *others])
    fitted = fit_model(table, case["formula"], quadrature=1)
    assert fitted.trials == case["n"]
    levels = average_levels(fitted, case["factor"], 0.95)
    compared = compare_levels(fitted, case["factor"], levels, 0.95)
    rows = {(row["first"], row["second"]): row for row in compared}
    assert len(rows) == len(case["rows"])
    names = {"ci_low": "low", "ci_high": "high"}
    for expected in case["rows"]:
        found = rows[expected["first"], expected["second"]]
        for name in ("estimate", "se", "z", "ci_low", "ci_high"):
            # Optimizers differ by about 0.001 standard errors.
            close = {"rel": 1e-3, "abs": 1e-3 * expected["se"]}
            assert found[name] == pytest.approx(expected[names.get(name, name)], **close), name
        for name in ("p", "p_adjusted"):
            assert found[name] == pytest.approx(expected[name], rel=0.02), name
        assert found["odds_ratio"] == pytest.approx(np.exp(expected["estimate"]), rel=2e-3)


def test_difference_of_probabilities_is_that_of_the_average_probabilities():
    (case, *_) = CASES
    table = pd.read_csv(TRIALS / "color_trials.csv")
    table = table[(table["cohort"] == "amt") & (table["control_ok"] == "yes")]
    table["said_machine"] = (table["verdict"] == "machine").astype(float)
    fitted = fit_model(table, case["formula"])
    levels = average_levels(fitted, "agent", 0.95)
    row = next(r for r in compare_levels(fitted, "agent", levels, 0.95) if r["second"] == "mccq")
    designs = marginal.build_cell_designs(fitted, ["agent"])
    first, second = (
        marginal.average_probability(fitted, *designs[(row[side],)]) for side in ("first", "second")
    )
    assert row["probability_difference"] == pytest.approx(first[0] - second[0])
    shares = table.groupby("agent")["said_machine"].mean()
    plain = shares[row["first"]] - shares[row["second"]]
    assert row["probability_difference"] == pytest.approx(plain, abs=0.02)
    limits = stats.t.interval(0.95, row["df"], row["probability_difference"], row["probability_se"])
    assert (row["probability_low"], row["probability_high"]) == pytest.approx(limits)

    def compute_difference(estimate):
        moved = replace(fitted, estimate=estimate)
        one, other = (
            marginal.average_probability(moved, *designs[(row[side],)])[0]
            for side in ("first", "second")
        )
        return one - other

    slope = approx_fprime(fitted.estimate, compute_difference)
    variance = slope @ fitted.covariance @ slope
    assert row["probability_se"] == pytest.approx(np.sqrt(variance), rel=1e-5)
