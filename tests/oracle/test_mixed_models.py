"""Mixed models against R's lme4, and on real trials of other studies.

`make_mixed_reference.R` made the references: glmer with tolerances of 1e-12. Required: coefficients within
0.001 standard errors, standard errors and standard deviations of random effects within 0.1 %.
"""

import numpy as np
import pandas as pd
import pytest
from project import REAL_TABLES, read_reference

from turingstats.stats.mixed import marginal
from turingstats.stats.mixed.fit import fit_model

REFERENCE = read_reference("mixed_reference")
FITS = [(name, fit) for name, part in REFERENCE["sets"].items() for fit in part["fits"]]


def table_of(name):
    """A data set of the reference; people come first among agents."""
    table = pd.DataFrame(REFERENCE["sets"][name]["data"])
    if "agent" in table:
        table["agent"] = pd.Categorical(table["agent"], ["human", "a", "b"])
    return table


def agree(fitted, reference):
    """Compare a fit with one of lme4, matched by name."""
    order = [fitted.names.index(name) for name in reference["names"]]
    apart = (fitted.estimate[order] - reference["estimate"]) / reference["se"]
    np.testing.assert_allclose(apart, 0, atol=1e-3)
    np.testing.assert_allclose(fitted.se[order], reference["se"], rtol=1e-3)
    for expected in reference["components"]:
        pair = {expected["effect"], expected.get("other") or None}
        group = sorted(expected["group"].split(":"))
        found = [c for c in fitted.components if {c.effect, c.other} == pair]
        (own,) = (c for c in found if sorted(c.group.split(":")) == group)
        assert own.value == pytest.approx(expected["value"], rel=1e-3, abs=1e-4)
    assert fitted.converged
    assert fitted.singular == reference["singular"]


@pytest.mark.parametrize(
    ("name", "reference"), FITS, ids=[f"{n} {f['formula']} {f['nodes']}" for n, f in FITS]
)
def test_fit_agrees_with_lme4(name, reference):
    fitted = fit_model(table_of(name), reference["formula"], quadrature=reference["nodes"])
    assert fitted.nodes == reference["nodes"]
    agree(fitted, reference)
    # Other constants are left out of the likelihood with quadrature.
    if reference["nodes"] == 1:
        assert fitted.loglik == pytest.approx(reference["loglik"], abs=1e-5)


def test_clustered_errors_agree_with_the_sandwich_by_hand():
    reference = REFERENCE["glm"]
    table = table_of("crossed")
    for cluster, se in ((None, "se_plain"), ("judge", "se")):
        fitted = fit_model(table, reference["formula"], cluster=cluster)
        order = [fitted.names.index(name) for name in reference["names"]]
        np.testing.assert_allclose(fitted.estimate[order], reference["estimate"], atol=1e-6)
        np.testing.assert_allclose(fitted.se[order], reference[se], rtol=1e-4)
        assert fitted.loglik == pytest.approx(reference["loglik"], abs=1e-6)


def others(name):
    return pd.read_csv(REAL_TABLES / name / "trials.csv")


def test_bots_reference_fit():
    """Verdicts on accounts of a social network; reference fit of lme4 1.1-31 (Laplace)."""
    trials = others("vk-bots")
    answered = trials[trials["verdict"] != "IDN"]
    table = answered.assign(
        said_bot=(answered["verdict"] == "BOT").astype(float),
        truth=pd.Categorical(answered["truth"], ["USER", "BOT"]),
    )
    fitted = fit_model(table, "said_bot ~ truth + (1 | judge)", quadrature=1)
    assert fitted.n == 2434
    np.testing.assert_allclose(fitted.estimate, [-0.5966, 1.2774], atol=1e-3)
    np.testing.assert_allclose(fitted.se, [0.1151, 0.1013], rtol=0.01)
    assert fitted.components[0].value == pytest.approx(0.6613, rel=0.01)
    assert fitted.loglik == pytest.approx(-1508.781, abs=2e-3)
    # Few answers a judge: quadrature is what is done unless told otherwise.
    assert fit_model(table, "said_bot ~ truth + (1 | judge)").nodes == 7


def test_abstracts_crossed_judges_and_items():
    """Verdicts on abstracts, at most nine a judge; reference fit of lme4 1.1-31 (Laplace, bobyqa)."""
    trials = others("brainbench-2afc")
    formula = "correct ~ altered_by + (1 | judge) + (1 | item)"
    fitted = fit_model(trials, formula)
    assert fitted.groups == {"judge": 171, "item": 300}
    np.testing.assert_allclose(fitted.estimate, [0.617283, 0.339659], atol=1e-3)
    np.testing.assert_allclose(fitted.se, [0.089831, 0.153738], rtol=0.01)
    sd = {c.group: c.value for c in fitted.components}
    assert sd == pytest.approx({"item": 0.706801, "judge": 0.221768}, rel=0.01)
    assert fitted.loglik == pytest.approx(-958.05241, abs=1e-3)
    design = marginal.build_cell_designs(fitted, ["altered_by"])
    rates = trials.groupby("altered_by")["correct"].mean()
    for (level,), rows in design.items():
        value, _, low, high, _ = marginal.average_probability(fitted, *rows)
        assert low < rates[level] < high
        assert value == pytest.approx(rates[level], abs=0.02)


def base(n=400, seed=3):
    draws = np.random.default_rng(seed)
    judge = np.repeat(np.arange(20), n // 20)
    x = draws.normal(size=n)
    y = draws.random(n) < 1 / (1 + np.exp(-x - draws.normal(size=20)[judge]))
    return pd.DataFrame({"y": y.astype(float), "x": x, "judge": [f"w{j}" for j in judge]})


def test_what_cannot_be_fitted_or_is_missing_is_said():
    fitted = fit_model(base().assign(y=1.0), "y ~ x + (1 | judge)")
    assert not fitted.usable
    assert "constant" in fitted.notes[0]
    fitted = fit_model(base().assign(cohort="amt"), "y ~ x * cohort + (1 | judge)")
    assert not fitted.usable
    assert fitted.notes == ("not fitted: cohort has a single level, amt",)
    fitted = fit_model(base().assign(judge="w0"), "y ~ x + (1 | judge)")
    assert fitted.groups == {"judge": 1}
    assert not fitted.components
    assert "single level" in fitted.notes[0]
    two = base().assign(judge=lambda rows: np.where(rows.index % 2, "w0", "w1"))
    assert len(fit_model(two, "y ~ x + (1 | judge)").components) == 1
    table = base()
    table.loc[[0, 5, 7], "x"] = np.nan
    fitted = fit_model(table, "y ~ x + (1 | judge)")
    assert fitted.n == 397
    assert fitted.dropped == "3 rows without a value (x 3)"


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("y ~ x + (1 || judge)", "not offered"),
        ("y ~ x + (0 + x | judge)", "intercept"),
        ("y ~ z + (1 | judge)", "no column z"),
        ("x ~ 1 + (1 | judge)", "0 or 1"),
    ],
)
def test_formulas_that_cannot_be_are_refused(formula, words):
    with pytest.raises(ValueError, match=words):
        fit_model(base(), formula)
