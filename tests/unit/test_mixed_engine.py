"""The engine for mixed models against dense algebra, and what it does with awkward data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit, logsumexp

from turingstats.stats.mixed import fit, laplace, marginal
from turingstats.stats.mixed.cells import RandomTerm, arrange_cells
from turingstats.stats.mixed.cumulative import arrange_effect, fit_cumulative_model
from turingstats.stats.mixed.fit import fit_model
from turingstats.stats.mixed.formula import build_design

DEFAULT = "said ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)"
PLAIN = "said ~ agent + (1 | judge) + (1 | stimulus)"
SLOPE = "said ~ agent + (1 + x | judge) + (1 | stimulus)"


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


def arrange(table, formula):
    """Arrange a model as the engine does; also its dense design of all random effects, by term."""
    design, _ = build_design(table, "agent")
    terms, dense = [], []
    for part in formula.split("(")[1:]:
        effects, group = (side.strip(" )+") for side in part.split("|"))
        level = np.unique(table[group.split(":")].agg(":".join, axis=1), return_inverse=True)[1]
        columns = [np.ones(len(table))] + ([table["x"].to_numpy()] if "x" in effects else [])
        terms.append(RandomTerm(level, np.column_stack(columns)))
        dense.append([np.eye(level.max() + 1)[level] * column[:, None] for column in columns])
    y, pattern = table["said"].to_numpy(), np.arange(len(table))
    cells, cell = arrange_cells(design, pattern, terms, y.astype(int), np.ones(len(y)))
    return cells, cell, design, dense, y


SHAPES = {
    "crossed": (simulate(300, 8, 6), PLAIN),
    "nested": (simulate(300, 8, 6), DEFAULT),
    "three factors": (simulate(300, 8, 6), DEFAULT + " + (1 | stimulus)"),
    "slopes": (simulate(300, 8, 6), SLOPE),
    "few trials each": (simulate(200, 60, 50, rare=True), PLAIN),
    "one factor": (simulate(300, 8, 6), "said ~ agent + (1 + x | judge)"),
}


def place_parameters(cells):
    """Parameters away from the maximum."""
    theta = [
        np.array([[0.5, 0], [0.2, 0.4]])[np.tril_indices(d.shape[1])] + 0.1 * k
        for k, d in enumerate(cells.effects)
    ]
    return np.concatenate([[-0.2, 0.3, 0.1], *theta])


@pytest.mark.parametrize(("table", "formula"), SHAPES.values(), ids=SHAPES)
def test_deviance_is_that_of_dense_algebra(table, formula):
    cells, cell, design, dense, y = arrange(table, formula)
    parameters = place_parameters(cells)
    beta = parameters[:3]
    factors = [factor for factor, _ in cells.differentiate_factors(parameters)]
    z = np.hstack(
        [
            sum(factor[e, f] * columns[e] for e in range(len(columns)))
            for factor, columns in zip(factors, dense, strict=True)
            for f in range(len(columns))
        ]
    )
    u = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ beta - z @ u))
        inner = z.T @ ((p * (1 - p))[:, None] * z) + np.eye(len(u))
        u += np.linalg.solve(inner, z.T @ (y - p) - u)
    loglik = np.log(np.where(y == 1, p, 1 - p)).sum()
    expected = -2 * loglik + u @ u + np.linalg.slogdet(inner)[1]
    point = laplace.evaluate_deviance(cells, parameters)
    assert point.deviance == pytest.approx(expected, rel=1e-11)
    model = laplace.Model(cells, parameters)
    elements = model.measure_leverage(point.factor)
    leverage = sum(v * e for (_, v), e in zip(model.columns, elements, strict=True))
    hat = np.einsum("ij,jk,ik->i", z, np.linalg.inv(inner), z)
    np.testing.assert_allclose(leverage[cell], hat, rtol=1e-9)


@pytest.mark.parametrize("sd", [(0.6, 0, 0.5), (0, 0.5, 0.5), (0.5, 0.3, 0), (0, 0, 0)])
def test_a_variance_of_zero_is_exact(sd):
    table = simulate(sd=sd)
    fitted = fit_model(table, DEFAULT, quadrature=1)
    assert fitted.usable
    empty = [part.group for part in fitted.components if part.value == 0]
    assert fitted.singular == bool(empty)
    # The model without these terms is the same.
    terms = DEFAULT.split(" + (")
    left = [term for term in terms[1:] if term[4:-1] not in empty]
    smaller = fit_model(table, " + (".join([terms[0], *left]), quadrature=1)
    assert fitted.loglik == pytest.approx(smaller.loglik, abs=1e-6)
    np.testing.assert_allclose(fitted.estimate, smaller.estimate, atol=1e-4)
    np.testing.assert_allclose(fitted.se, smaller.se, rtol=1e-3)


def test_counts_are_the_same_as_single_verdicts():
    table = simulate(rare=True)
    table.loc[0, "judge"] = "once"
    counted = (
        table.groupby(["agent", "judge", "stimulus", "made_by"], observed=True)["said"]
        .agg(yes="sum", all="size")
        .reset_index()
        .assign(no=lambda rows: rows["all"] - rows["yes"])
    )
    assert counted["all"].max() > 5
    own = fit_model(counted, PLAIN.replace("said", "cbind(yes, no)"))
    assert own.trials == len(table)
    single = fit_model(table, PLAIN)
    np.testing.assert_allclose(single.estimate, own.estimate, atol=1e-7)
    np.testing.assert_allclose(single.se, own.se, rtol=1e-6)


@pytest.mark.parametrize("formula", [DEFAULT, SLOPE])
def test_order_of_rows_changes_no_bit(formula):
    table = simulate()
    one = fit_model(table, formula)
    other = fit_model(table.sample(frac=1, random_state=1), formula)
    assert one.estimate.tobytes() == other.estimate.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()
    assert one.components == other.components


@pytest.mark.parametrize("formula", [PLAIN, DEFAULT, SLOPE])
def test_separation_is_reported(formula):
    table = simulate()
    table.loc[table["agent"] == "a", "said"] = 1.0
    fitted = fit_model(table, formula)
    assert not fitted.converged
    assert "separation" in " ".join(fitted.notes)
    # As many coefficients as rates fit them exactly, and none is certain.
    rates = pd.DataFrame({"agent": ["a", "b"], "yes": [3, 7], "no": [7, 3]})
    assert fit_model(rates, "cbind(yes, no) ~ agent").notes == ()


def test_models_that_need_too_much_memory_are_not_fitted_and_say_so(monkeypatch):
    monkeypatch.setattr("turingstats.stats.mixed.cells.MAX_PAIRS", 10)
    fitted = fit_model(simulate(), PLAIN)
    assert not fitted.usable
    assert "too much memory" in " ".join(fitted.notes)
    rated, x = np.arange(300) % 3, np.linspace(0, 1, 300)[:, None]
    effects = [
        arrange_effect("judge", np.arange(300) // 30),
        arrange_effect("stimulus", np.arange(300) % 30),
    ]
    rated_fit = fit_cumulative_model(rated, x, effects, scaled=x)
    assert not rated_fit.converged and len(rated_fit.estimate) == len(rated_fit.se) == 1 + 2 + 1


@pytest.mark.parametrize(("points", "why"), [(2, "no standard errors"), (3, "no finite spread")])
def test_ratings_that_do_not_vary_within_judges_have_no_errors(points, why):
    judge, x = np.arange(240) // 8, np.arange(240) % 2
    fitted = fit_cumulative_model(judge % points, x[:, None], [arrange_effect("judge", judge)])
    (note,) = fitted.notes
    assert why in note and not fitted.converged and np.isnan(fitted.se).all()
    table = pd.DataFrame({"said": judge % 2 * 1.0, "x": x, "judge": judge})
    alike = fit_model(table, "said ~ x + (1 | judge)", quadrature=15)
    assert not alike.usable and "hardly vary within judge" in alike.notes[0]
    assert "no row is complete" in fit_model(table.assign(x=np.nan), "said ~ x").notes[0]


def test_products_are_sparse_where_few_effects_meet(monkeypatch):
    cells, *_ = arrange(*SHAPES["few trials each"])
    blocks, _, shared = cells.shape
    number = (np.bincount(cells.crossing.block) ** 2).sum()
    # Products of dense matrices are faster where more effects meet, and too many need too much memory.
    share = number / (blocks * shared**2)
    for limit, most, sparse in (
        (1.001 * share, number + 1, True),
        (0.999 * share, number + 1, False),
        (1.001 * share, number, False),
    ):
        monkeypatch.setattr("turingstats.stats.mixed.cells.SPARSE", limit)
        monkeypatch.setattr("turingstats.stats.mixed.cells.MAX_PAIRS", most)
        assert (replace(cells).crossing.meetings is not None) == sparse


def test_interval_of_a_probability_is_symmetric_on_the_logit_scale():
    fitted = fit_model(simulate(300), "said ~ agent")
    design = np.array([[1.0, 0, 0]])
    value, se, low, high, _ = marginal.average_probability(fitted, design, np.zeros(1))
    assert (logit(low) + logit(high)) / 2 == pytest.approx(logit(value)) and se < value


def integrate_densely(table, beta, spread, correlation, slope):
    """Log likelihood of verdicts by judges with a random slope, over a grid of 60 by 60 nodes."""
    roots, weights = np.polynomial.hermite_e.hermegauss(60)
    first, second = (grid.ravel()[:, None] for grid in np.meshgrid(roots, roots))
    weight = np.log(np.outer(weights, weights).ravel() / (2 * np.pi))
    other = slope * (correlation * first + np.sqrt(1 - correlation**2) * second)
    total = 0.0
    for _, own in table.groupby("judge"):
        x, said = own["x"].to_numpy(), own["said"].to_numpy()
        chance = expit(beta[0] + spread * first + (beta[1] + other) * x)
        each = np.log(np.where(said == 1, chance, 1 - chance)).sum(axis=1)
        total += logsumexp(each + weight)
    return total


@pytest.mark.parametrize("seed", [13, 22])
def test_slopes_are_fitted_at_the_maximum_and_not_at_a_saddle(seed):
    """Where a correlation is 1 the gradient vanishes too, by symmetry."""
    table = simulate(300, judges=60, stimuli=6, seed=seed)
    fitted = fit_model(table, "said ~ x + (1 + x | judge)")
    at = [component.value for component in fitted.components]
    highest = integrate_densely(table, fitted.estimate, *at)
    assert fitted.usable and not fitted.singular
    assert highest == pytest.approx(fitted.loglik, abs=0.02)
    for k, step in ((0, 0.1), (1, 0.1), (2, 0.05)):
        for sign in (-1, 1):
            beside = np.clip(np.add(at, sign * step * np.eye(3)[k]), [0, -1, 0], [9, 1, 9])
            assert integrate_densely(table, fitted.estimate, *beside) < highest


@pytest.mark.parametrize("theta", [(0.7, 0.4), (0.7, 0.0), (0.0, 0.4), (-0.5, 0.3), (0.0, 0.0)])
def test_two_kinds_of_each_judge_are_one_term_of_two_effects(theta):
    """The deviance and its gradient by theta are those of (1 | judge) + (1 | judge:made_by)."""
    table = simulate(300, 8, 6)
    cells, *_ = arrange(table, "said ~ agent + (1 | judge) + (1 | judge:made_by)")
    design, _ = build_design(table, "agent")
    judge, kind = (np.unique(table[name], return_inverse=True)[1] for name in ("judge", "made_by"))
    term = RandomTerm(judge, np.eye(2)[kind], paired=True)
    said, ones = table["said"].to_numpy().astype(int), np.ones(len(table))
    paired, _ = arrange_cells(design, np.arange(len(table)), [term], said, ones)
    assert paired.n_modes == 16 and cells.n_modes == 24
    parameters = np.array([-0.2, 0.3, 0.1, *theta])
    two, one = (laplace.evaluate_deviance(each, parameters) for each in (cells, paired))
    assert one.deviance == pytest.approx(two.deviance, rel=1e-12)
    np.testing.assert_allclose(one.gradient, two.gradient, rtol=1e-8, atol=1e-8)


def test_judges_of_two_kinds_of_responses_are_paired_and_of_more_are_not(monkeypatch):
    kept = []
    real = laplace.Model.__init__
    monkeypatch.setattr(
        laplace.Model, "__init__", lambda self, *a: (kept.append(a[0].paired), real(self, *a))[1]
    )
    table = simulate(400).assign(third=lambda rows: rows["agent"].astype(str))
    for kind, paired in (("made_by", [True, False]), ("third", [False] * 3)):
        formula = f"said ~ agent + (1 | judge) + (1 | judge:{kind}) + (1 | stimulus)"
        fitted = fit_model(table, formula)
        assert kept[-1] == paired and len(fitted.components) == 3


def test_effects_of_a_term_are_standardized_for_the_search():
    rng = np.random.default_rng(4)
    design = np.column_stack([np.ones(50), rng.normal(3, 2, 50), rng.random(50), np.full(50, 7)])
    found = design @ fit.standardize_effects(design)
    np.testing.assert_allclose(found.mean(axis=0), [1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.std(axis=0), [0, 1, 1, 0], atol=1e-12)
