"""The engine for large mixed models: the same numbers as glmm and as dense algebra."""

import glmm
import numpy as np
import pandas as pd
import pytest

from turingstats.stats.mixed import cells as layout
from turingstats.stats.mixed import crosscheck, laplace, large
from turingstats.stats.mixed.fit import fit_model

DEFAULT = "said ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)"
PLAIN = "said ~ agent + (1 | judge) + (1 | stimulus)"
OWN = "turingstats"


@pytest.fixture(autouse=True)
def every_model_is_large(monkeypatch):
    monkeypatch.setattr(large, "LEAST_TRIALS", 0)


def simulate(n=1500, judges=25, stimuli=30, sd=(0.6, 0.4, 0.5), seed=1, rare=False):
    """Draw verdicts; `rare`: stimuli are as unequally frequent as words are."""
    draws = np.random.default_rng(seed)
    judge = draws.integers(0, judges, n)
    weights = 1 / np.arange(1, stimuli + 1) if rare else np.ones(stimuli)
    stimulus = draws.choice(stimuli, n, p=weights / weights.sum())
    agent = draws.choice(3, n, p=[0.5, 0.25, 0.25])
    machine = (agent > 0).astype(int)
    logit = np.array([-0.3, 0.2, 0.6])[agent] + draws.normal(0, sd[0], judges)[judge]
    logit += draws.normal(0, sd[1], (judges, 2))[judge, machine]
    logit += draws.normal(0, sd[2], (stimuli, 2))[stimulus, machine]
    return pd.DataFrame(
        {
            "said": (draws.random(n) < 1 / (1 + np.exp(-logit))).astype(float),
            "agent": pd.Categorical.from_codes(agent, ["human", "a", "b"]),
            "made_by": np.where(machine, "machine", "human"),
            "judge": [f"w{j:02d}" for j in judge],
            "stimulus": [f"s{s:02d}" for s in stimulus],
            "x": draws.normal(size=n).round(2),
        }
    )


def fit_both(table, formula, monkeypatch, errors=True):
    """Fit with the engine, and with glmm."""
    own = fit_model(table, formula, quadrature=1, errors=errors)
    monkeypatch.setattr(large, "LEAST_TRIALS", np.inf)
    other = fit_model(table, formula, quadrature=1, errors=errors)
    assert own.method.startswith(OWN)
    assert other.method.startswith("glmm")
    return own, other


SHAPES = {
    "balanced": (simulate(), DEFAULT),
    "plain": (simulate(), PLAIN),
    "sparse": (simulate(600, 80, 60, rare=True), PLAIN),
    "more stimuli": (simulate(judges=10, stimuli=60), DEFAULT),
    "stimuli twice": (simulate(), DEFAULT + " + (1 | stimulus)"),
    "one side": (simulate(), "said ~ agent + (1 | judge) + (1 | judge:made_by)"),
    "one term": (simulate(), "said ~ agent + (1 | judge)"),
    "a number": (simulate(), "said ~ agent * x + (1 | judge) + (1 | stimulus)"),
    "no effects": (simulate(), "said ~ 1 + (1 | judge) + (1 | stimulus)"),
}


@pytest.mark.parametrize(("table", "formula"), SHAPES.values(), ids=SHAPES)
def test_numbers_are_those_of_glmm(table, formula, monkeypatch):
    own, other = fit_both(table, formula, monkeypatch)
    assert own.names == other.names
    np.testing.assert_allclose((own.estimate - other.estimate) / other.se, 0, atol=1e-4)
    np.testing.assert_allclose(own.se, other.se, rtol=1e-3)
    assert own.loglik == pytest.approx(other.loglik, abs=1e-6)
    assert (own.n, own.trials, own.parameters, own.nodes, own.groups) == (
        other.n, other.trials, other.parameters, other.nodes, other.groups
    )  # fmt: skip
    for one, two in zip(own.components, other.components, strict=True):
        assert one[:3] == two[:3]
        assert one.value == pytest.approx(two.value, abs=1e-4)
        assert one.se == pytest.approx(two.se, rel=0.01)
    for one, two in zip(own.random, other.random, strict=True):
        assert one[:3] == two[:3]
        np.testing.assert_allclose(one.values, two.values, atol=1e-4)
        np.testing.assert_allclose(one.errors, two.errors, atol=1e-4)
    np.testing.assert_array_equal(own.data.design, other.data.design)


def test_errors_of_coefficients_alone_are_those_of_glmm(monkeypatch):
    own, other = fit_both(simulate(), DEFAULT, monkeypatch, errors=False)
    np.testing.assert_allclose(own.se, other.se, rtol=1e-4)


@pytest.mark.parametrize("sd", [(0.6, 0, 0.5), (0, 0.5, 0.5), (0.5, 0.3, 0), (0, 0, 0)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_variance_of_zero_is_exact(sd, seed, monkeypatch):
    own, other = fit_both(simulate(sd=sd, seed=seed), DEFAULT, monkeypatch)
    assert own.loglik >= other.loglik - 1e-6
    np.testing.assert_allclose((own.estimate - other.estimate) / other.se, 0, atol=1e-3)
    np.testing.assert_allclose(own.se, other.se, rtol=1e-3)
    assert own.singular == any(part.value == 0 for part in own.components)
    assert own.singular == other.singular


def test_counts_and_judges_with_one_verdict(monkeypatch):
    table = simulate(rare=True)
    table.loc[0, "judge"] = "once"
    counted = (
        table.groupby(["agent", "judge", "stimulus", "made_by"], observed=True)["said"]
        .agg(yes="sum", all="size")
        .reset_index()
        .assign(no=lambda rows: rows["all"] - rows["yes"])
    )
    assert counted["all"].max() > 5
    formula = PLAIN.replace("said", "cbind(yes, no)")
    own, other = fit_both(counted, formula, monkeypatch)
    np.testing.assert_allclose((own.estimate - other.estimate) / other.se, 0, atol=1e-4)
    assert own.loglik == pytest.approx(other.loglik, abs=1e-6)
    assert own.trials == len(table)
    monkeypatch.setattr(large, "LEAST_TRIALS", 0)
    single = fit_model(table, PLAIN)
    np.testing.assert_allclose(single.estimate, own.estimate, atol=1e-7)


def test_order_of_rows_changes_no_bit():
    table = simulate()
    one = fit_model(table, DEFAULT)
    other = fit_model(table.sample(frac=1, random_state=1), DEFAULT)
    assert one.estimate.tobytes() == other.estimate.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()
    assert one.components == other.components


def test_terms_determined_by_others_are_left_out(monkeypatch):
    own, other = fit_both(simulate(), DEFAULT.replace("agent", "agent + made_by"), monkeypatch)
    assert own.names == other.names
    assert own.notes == other.notes


@pytest.mark.parametrize("formula", [PLAIN, DEFAULT])
def test_separation_is_reported(formula):
    table = simulate()
    table.loc[table["agent"] == "a", "said"] = 1.0
    fitted = fit_model(table, formula)
    assert not fitted.converged
    assert "separation" in " ".join(fitted.notes)


def test_models_beyond_the_engine_are_fitted_with_glmm(monkeypatch):
    slopes = "said ~ made_by + (1 + made_by | judge) + (1 | stimulus)"
    assert fit_model(simulate(), slopes).method.startswith("glmm")
    assert fit_model(simulate(), PLAIN).method.startswith(OWN)
    monkeypatch.setattr(layout, "MOST_CELLS", 10)
    assert fit_model(simulate(), PLAIN).method.startswith("glmm")


def test_quadrature_remains_the_default_for_few_trials_a_judge():
    assert fit_model(simulate(), "said ~ agent + (1 | judge)").nodes == 7


def test_the_side_with_more_levels_is_eliminated():
    draws = np.random.default_rng(1)
    judge, stimulus = draws.integers(0, 50, 3000), draws.integers(0, 20, 3000)
    side = draws.integers(0, 2, 3000)
    assert layout.choose_sides([judge, stimulus]) == ([0], [1])
    assert layout.choose_sides([stimulus, judge]) == ([1], [0])
    assert layout.choose_sides([judge, 2 * judge + side, 2 * stimulus + side]) == ([1, 0], [2])


def arrange(table, formula):
    """Lay a model out as the engine does; also its dense design of random effects, by term."""
    groups = [part.split("|")[1].strip(" )+") for part in formula.split("(")[1:]]
    codes = []
    for group in groups:
        joined = table[group.split(":")].agg(":".join, axis=1)
        codes.append(np.unique(joined, return_inverse=True)[1])
    design, _ = glmm.model_matrix(table, "~ agent")
    y = table["said"].to_numpy()
    sides = layout.choose_sides(codes)
    cells, _ = layout.arrange_cells(
        np.asarray(design, float), np.arange(len(table)), codes, y, np.ones(len(y)), sides
    )
    return cells, np.asarray(design, float), [np.eye(code.max() + 1)[code] for code in codes], y


@pytest.mark.parametrize("formula", [PLAIN, DEFAULT, DEFAULT + " + (1 | stimulus)"])
def test_deviance_is_that_of_dense_algebra(formula):
    table = simulate(300, 8, 6)
    cells, design, random, y = arrange(table, formula)
    sd = np.linspace(0.4, 0.8, len(random))
    beta = np.array([-0.2, 0.3, 0.1])
    z = np.hstack([s * own for s, own in zip(sd, random, strict=True)])
    u = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ beta - z @ u))
        inner = z.T @ ((p * (1 - p))[:, None] * z) + np.eye(len(u))
        u += np.linalg.solve(inner, z.T @ (y - p) - u)
    loglik = np.log(np.where(y == 1, p, 1 - p)).sum()
    expected = -2 * loglik + u @ u + np.linalg.slogdet(inner)[1]
    found = laplace.evaluate_deviance(cells, np.concatenate([beta, sd]))
    assert found.deviance == pytest.approx(expected, rel=1e-11)
    leverage, _ = laplace.measure_leverage(cells, found.factor)
    hat = np.einsum("ij,jk,ik->i", z, np.linalg.inv(inner), z)
    # Cells are in another order than rows.
    np.testing.assert_allclose(np.sort(leverage), np.sort(hat), rtol=1e-9)


@pytest.mark.parametrize("formula", [PLAIN, DEFAULT, DEFAULT + " + (1 | stimulus)"])
def test_gradient_is_that_of_differences(formula):
    cells, _, random, _ = arrange(simulate(300, 8, 6), formula)
    at = np.concatenate([[-0.2, 0.3, 0.1], np.linspace(0.4, 0.8, len(random))])
    point = laplace.evaluate_deviance(cells, at)
    for k, slope in enumerate(point.gradient):
        step = 1e-5 * np.eye(len(at))[k]
        up, down = (laplace.evaluate_deviance(cells, at + s * step, point) for s in (1, -1))
        assert slope == pytest.approx((up.deviance - down.deviance) / 2e-5, rel=1e-5, abs=1e-5)


def test_huge_fits_are_not_checked_and_say_so(monkeypatch):
    fitted = fit_model(simulate(), PLAIN)
    assert crosscheck.explain_no_check(fitted) == ""
    monkeypatch.setattr(crosscheck, "MOST_TRIALS", 1000)
    assert crosscheck.explain_no_check(fitted) == (
        "not checked with gpboost, which takes minutes with more than 1,000 verdicts"
    )
