"""Statistical tests against R 4.2.2 (stats), coin 1.4.2 and car 3.1.1.

The numbers are in reference.json, written once by make_reference.R; R is not needed here.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from turingstats import tests

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text())


def close(value):
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def rates(entry):
    return np.array(entry["k"]) / np.array(entry["n"])


def cases(section):
    """One test a case, named as in the reference where it has a name."""
    entries = REFERENCE[section]
    names = [entry.get("name", str(number)) for number, entry in enumerate(entries)]
    return pytest.mark.parametrize("case", entries, ids=names)


@cases("wilcoxon")
def test_wilcoxon(case):
    outcome = tests.wilcoxon(rates(case["input"]), case["input"]["null"], exact_ties=True)
    assert outcome.statistic == close(case["z_coin"])
    assert outcome.statistic == close(case["z_formula"])
    assert outcome.p == close(case["p"])
    assert outcome.effect == close(case["rank_biserial"])
    assert outcome.n1 == len(case["input"]["k"])
    assert ("zero difference" in outcome.dropped) == (case["zeros"] > 0)


def test_wilcoxon_published_reading_without_ties():
    # Without ties and zeros rounding changes nothing, so only the sign convention is left.
    case = REFERENCE["wilcoxon"][0]
    outcome = tests.wilcoxon(rates(case["input"]), 0.5, exact_ties=False)
    assert outcome.statistic == close(-abs(case["z_coin"]))
    mirrored = tests.wilcoxon(1 - rates(case["input"]), 0.5, exact_ties=False)
    assert mirrored.statistic == close(-abs(case["z_coin"]))


def test_wilcoxon_published_reading_loses_ties():
    # The trap: 7/10 and 3/10 are equally far from 1/2, but not in floating point.
    case = REFERENCE["wilcoxon"][2]
    outcome = tests.wilcoxon(rates(case["input"]), 0.5, exact_ties=False)
    assert abs(outcome.statistic) != pytest.approx(abs(case["z_coin"]), abs=1e-3)


@cases("friedman")
def test_friedman(case):
    outcome = tests.friedman(rates(case["input"]), "complete")
    assert outcome.statistic == close(case["chi2"])
    assert outcome.df == str(case["df"])
    assert outcome.p == close(case["p"])
    assert outcome.effect == close(case["kendall_w"])


@cases("mann_whitney")
def test_mann_whitney(case):
    a, b = rates(case["input"]["a"]), rates(case["input"]["b"])
    outcome = tests.mann_whitney(a, b, exact_ties=True)
    assert outcome.statistic == close(case["u1"])
    assert outcome.p == close(case["p"])
    assert outcome.effect == close(case["rank_biserial"])
    published = tests.mann_whitney(a, b, exact_ties=False)
    assert published.statistic == close(min(case["u1"], len(a) * len(b) - case["u1"]))


@cases("welch")
def test_welch_t(case):
    outcome = tests.welch_t(rates(case["input"]["a"]), rates(case["input"]["b"]))
    assert outcome.statistic == close(case["t"])
    assert float(outcome.df) == pytest.approx(case["df"], rel=1e-9)
    assert outcome.p == close(case["p"])
    assert outcome.effect == close(case["difference"])
    assert (outcome.ci_low, outcome.ci_high) == (close(case["low"]), close(case["high"]))


@cases("groups")
def test_anova_one_way(case):
    outcome = tests.anova_one_way([rates(group) for group in case["input"]])
    assert outcome.statistic == close(case["f"])
    assert outcome.statistic == close(case["f_type2"])
    assert outcome.df == f"{case['df'][0]}, {case['df'][1]}"
    assert outcome.p == close(case["p"])
    assert outcome.effect == close(case["eta2"])


@cases("groups")
def test_kruskal(case):
    outcome = tests.kruskal([rates(group) for group in case["input"]])
    assert outcome.statistic == close(case["h"])
    assert outcome.df == str(case["h_df"])
    assert outcome.p == close(case["h_p"])
    assert outcome.effect == close(case["epsilon2"])


@cases("two_way")
def test_anova_two_way(case):
    given = case["input"]
    outcomes = tests.anova_two_way(rates(given), given["a"], given["b"])
    for i, term in enumerate(("a", "b", "a:b")):
        assert outcomes[term].statistic == close(case["f"][i])
        assert outcomes[term].df == f"{case['df'][i]}, {case['df'][3]}"
        assert outcomes[term].p == close(case["p"][i])
        assert outcomes[term].effect == close(case["partial_eta2"][i])


@cases("proportions")
def test_two_proportions(case):
    given = case["input"]
    outcome = tests.two_proportions(**given)
    assert outcome.statistic**2 == close(case["chi2"])
    assert np.sign(outcome.statistic) == np.sign(outcome.effect)
    assert outcome.p == close(case["p"])
    assert [outcome.ci_low, outcome.ci_high] == close(case["newcombe"])


@cases("proportions")
def test_mean_of_two_proportions_interval(case):
    limits = tests.mean_of_two_proportions_interval(**case["input"])
    assert list(limits) == close(case["mean_interval"])


@cases("wilson")
def test_wilson(case):
    assert list(tests.wilson(**case["input"])) == close(case["limits"])


@cases("adjust")
@pytest.mark.parametrize("method", ["bonferroni", "holm"])
def test_adjust(case, method):
    given = case["input"]
    assert list(tests.adjust(given["p"], method, given["family_size"])) == close(case[method])
    with_nan = [np.nan, *given["p"], np.nan]
    adjusted = tests.adjust(with_nan, method, given["family_size"])
    assert list(adjusted[1:-1]) == close(case[method])
    assert np.isnan(adjusted[[0, -1]]).all()


@cases("pearson")
def test_pearson(case):
    x, y = case["input"]["x"], case["input"]["y"]
    outcome = tests.pearson([*x, np.nan], [*y, 1])
    assert outcome.statistic == outcome.effect == close(case["r"])
    assert outcome.p == close(case["p"])
    assert float(outcome.df) == case["df"]
    # R takes the exact normal quantile, as scipy does.
    assert [outcome.ci_low, outcome.ci_high] == close(case["limits"])
    assert outcome.n1 == len(x)
    assert outcome.dropped == "1 missing value"


def test_pearson_of_the_published_means():
    case = REFERENCE["pearson"][0]
    assert round(case["r"], 3) == -0.088
    assert round(case["p"], 2) == 0.84


def test_pearson_of_a_constant_is_undefined():
    outcome = tests.pearson([1, 2, 3], [2, 2, 2])
    assert np.isnan(outcome.p)
    assert "constant" in outcome.dropped
