"""Statistical tests against R (stats), coin, car, pROC and sandwich; `made_by` in the file has versions.

The numbers are in reference.json, written once by make_reference.R; R is not needed here.
"""

import numpy as np
import pytest
from project import read_reference
from scipy import stats

from turingstats.stats import agreement, effects, intervals, multiplicity, trends
from turingstats.stats.hypothesis import correlation, means, proportions, ranks

REFERENCE = read_reference("reference")


def close(value):
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def rates(entry):
    return np.array(entry["k"]) / np.array(entry["n"])


def agree(outcome, case, **keys):
    """Numbers of an outcome are those of the reference under these keys."""
    for name, key in keys.items():
        found = getattr(outcome, name)
        if name == "df":
            given = pytest.approx(np.atleast_1d(case[key]).tolist(), rel=1e-9)
            assert [float(part) for part in found.split(", ")] == given
        else:
            assert found == close(case[key]), name


def expect_limits(outcome):
    """Limits of a share explained are those of its statistic, which are compared with R below."""
    df, statistic = map(float, outcome.df.split(", ")), outcome.statistic
    if ", " in outcome.df:
        limits = effects.eta_squared(statistic, *df)
    else:
        limits = effects.scale_chi2(statistic, *df, statistic / outcome.effect)
    assert (outcome.effect, outcome.ci_low, outcome.ci_high) == pytest.approx(limits)


def cases(section):
    """One test a case, named as in the reference where it has a name."""
    entries = REFERENCE[section]
    names = [entry.get("name", str(number)) for number, entry in enumerate(entries)]
    return pytest.mark.parametrize("case", entries, ids=names)


@cases("wilcoxon")
def test_wilcoxon(case):
    values, null = rates(case["input"]), case["input"]["null"]
    outcome = ranks.wilcoxon(values, null, exact_ties=True)
    agree(outcome, case, statistic="z_coin", p="p", effect="rank_biserial")
    assert outcome.statistic == close(case["z_formula"])
    assert outcome.n1 == len(case["input"]["k"])
    assert ("zero difference" in outcome.dropped) == (case["zeros"] > 0)
    exact = ranks.wilcoxon(values, null, exact_ties=True, exact_p=True)
    agree(exact, case, statistic="z_coin", p="p_exact")
    assert "p exact" in exact.method


def test_wilcoxon_published_reading_needs_no_ties():
    # Without ties and zeros rounding changes nothing, so only the sign convention is left.
    case = REFERENCE["wilcoxon"][0]
    outcome = ranks.wilcoxon(rates(case["input"]), 0.5, exact_ties=False)
    assert outcome.statistic == close(-abs(case["z_coin"]))
    mirrored = ranks.wilcoxon(1 - rates(case["input"]), 0.5, exact_ties=False)
    assert mirrored.statistic == close(-abs(case["z_coin"]))
    # The trap: 7/10 and 3/10 are equally far from 1/2, but not in floating point.
    case = REFERENCE["wilcoxon"][2]
    outcome = ranks.wilcoxon(rates(case["input"]), 0.5, exact_ties=False)
    assert abs(outcome.statistic) != pytest.approx(abs(case["z_coin"]), abs=1e-3)


@cases("friedman")
def test_friedman(case):
    outcome = ranks.friedman(rates(case["input"]), "complete")
    agree(outcome, case, statistic="chi2", df="df", p="p", effect="kendall_w")
    if outcome.effect:
        expect_limits(outcome)


@cases("mann_whitney")
def test_mann_whitney(case):
    a, b = rates(case["input"]["a"]), rates(case["input"]["b"])
    outcome = ranks.mann_whitney(a, b, exact_ties=True)
    agree(outcome, case, statistic="u1", p="p", effect="rank_biserial")
    published = ranks.mann_whitney(a, b, exact_ties=False)
    assert published.statistic == close(min(case["u1"], len(a) * len(b) - case["u1"]))


@cases("welch")
def test_welch_t(case):
    outcome = means.welch_t(rates(case["input"]["a"]), rates(case["input"]["b"]))
    agree(outcome, case, statistic="t", df="df", p="p")


@cases("groups")
def test_anova_and_kruskal(case):
    groups = [rates(group) for group in case["input"]]
    agree(means.anova_one_way(groups), case, statistic="f", df="df", p="p", effect="eta2")
    assert case["f_type2"] == close(case["f"])
    kruskal = ranks.kruskal(groups)
    agree(kruskal, case, statistic="h", df="h_df", p="h_p", effect="epsilon2")
    assert kruskal.n_per_group == "; ".join(str(len(group)) for group in groups)
    expect_limits(kruskal)
    expect_limits(means.anova_one_way(groups))


@cases("two_way")
def test_anova_two_way(case):
    given = case["input"]
    outcomes = means.anova_two_way(rates(given), given["a"], given["b"])
    for i, term in enumerate(("a", "b", "a:b")):
        of_term = {key: case[key][i] for key in ("f", "p", "partial_eta2")}
        of_term["df"] = case["df"][i], case["df"][3]
        agree(outcomes[term], of_term, statistic="f", df="df", p="p", effect="partial_eta2")
        expect_limits(outcomes[term])


@cases("proportions")
def test_two_proportions(case):
    given = case["input"]
    outcome = proportions.two_proportions(**given)
    assert outcome.statistic**2 == close(case["chi2"])
    assert np.sign(outcome.statistic) == np.sign(outcome.effect)
    assert outcome.p == close(case["p"])
    assert [outcome.ci_low, outcome.ci_high] == close(case["newcombe"])
    limits = intervals.compute_mean_proportion_interval(**given)
    assert list(limits) == close(case["mean_interval"])


@cases("wilson")
def test_wilson(case):
    assert list(intervals.wilson(**case["input"])) == close(case["limits"])


@cases("adjust")
@pytest.mark.parametrize("method", ["bonferroni", "holm", "fdr_bh"])
def test_adjust(case, method):
    given = case["input"]
    with_nan = [np.nan, *given["p"], np.nan]
    adjusted = multiplicity.adjust_p_values(with_nan, method, given["family_size"])
    assert list(adjusted[1:-1]) == close(case[method])
    assert np.isnan(adjusted[[0, -1]]).all()
    turned = multiplicity.adjust_p_values(with_nan[::-1], method, given["family_size"])
    np.testing.assert_array_equal(turned[::-1], adjusted)
    assert len(multiplicity.adjust_p_values([], method, 0)) == 0
    assert (
        list(multiplicity.adjust_p_values(given["p"], "none", given["family_size"])) == given["p"]
    )


@cases("pearson")
def test_pearson(case):
    x, y = case["input"]["x"], case["input"]["y"]
    outcome = correlation.pearson([*x, np.nan], [*y, 1])
    agree(outcome, case, statistic="r", effect="r", df="df", p="p")
    # R takes the exact normal quantile, as scipy does.
    assert [outcome.ci_low, outcome.ci_high] == close(case["limits"])
    assert outcome.n1 == len(x)
    assert outcome.dropped == "1 missing value"


@pytest.mark.parametrize("compute", [correlation.pearson, correlation.spearman])
def test_correlation_with_a_constant_is_undefined(compute):
    outcome = compute([1, 2, 3], [2, 2, 2])
    assert np.isnan(outcome.p)
    assert "constant" in outcome.dropped


EXPLAINED = {
    "eta": (effects.eta_squared, lambda f, df, df_error: f * df / (f * df + df_error)),
    "chi2": (effects.scale_chi2, lambda chi2, df, largest: chi2 / largest),
}


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name in EXPLAINED for case in REFERENCE["effects"][name]]
)
def test_shares_explained(name, case):
    compute, expect = EXPLAINED[name]
    effect, *limits = compute(**case["input"])
    assert effect == close(expect(**case["input"]))
    # R's noncentral distributions are good to about eight digits.
    assert limits == pytest.approx(case["limits"], rel=1e-6, abs=1e-8)


EFFECTS = {
    "paired": effects.rank_biserial_paired,
    # With DeLong's interval.
    "roc": lambda given: effects.rank_biserial(*(rates(given[side]).round(12) for side in "ab")),
    "hedges": lambda given: effects.hedges_g(rates(given["a"]), rates(given["b"])),
    "mean": effects.mean,
}


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name in EFFECTS for case in REFERENCE["effects"][name]]
)
def test_effects_of_pairs_and_groups(name, case):
    effect, low, high = EFFECTS[name](case["input"])
    assert effect == close(case["effect"])
    assert [low, high] == [close(limit) for limit in case["limits"]]


@cases("paired_wilcoxon")
def test_paired_wilcoxon(case):
    a, b = (rates(case["input"][key]) for key in "ab")
    outcome = ranks.paired_wilcoxon([*a, np.nan], [*b, 0.5])
    agree(outcome, case, statistic="z", p="p")
    assert outcome.n1 == len(a)
    assert outcome.dropped.startswith("1 judge without both values")
    assert "first - second of each judge" in outcome.method


@cases("chi_square")
def test_chi_square(case):
    outcome = proportions.chi_square([*case["input"]["k"], 0], [*case["input"]["n"], 0])
    agree(outcome, case, statistic="chi2", df="df", p="p")
    expect_limits(outcome)
    assert outcome.dropped == "1 group without a trial"
    assert proportions.chi_square([1, 3], [1, 6]).n_per_group == "1; 6"


@cases("binomial")
def test_binomial(case):
    given = case["input"]
    outcome = proportions.binomial(given["k"], given["n"], given["null"])
    assert outcome.p == close(case["p"])
    low, high = (limit - given["null"] for limit in case["limits"])
    assert (outcome.ci_low, outcome.ci_high) == pytest.approx((low, high), abs=1e-9)


@cases("spearman")
def test_spearman(case):
    outcome = correlation.spearman(case["input"]["x"], case["input"]["y"])
    agree(outcome, case, statistic="rho", p="p")
    assert ("exact p" in outcome.method) == ("exact" in case["name"])
    # Bonett & Wright (2000): on Fisher's scale, the variance of rho is (1 + rho^2 / 2) / (n - 3).
    half = stats.norm.isf(0.025) * np.sqrt(
        (1 + case["rho"] ** 2 / 2) / (len(case["input"]["x"]) - 3)
    )
    limits = np.tanh(np.arctanh(case["rho"]) + half * np.array([-1, 1]))
    assert [outcome.ci_low, outcome.ci_high] == close(limits)
    # The orders of ten are too many.
    assert correlation.spearman(range(10), np.roll(range(10), 3)).df == "8"


@cases("slopes")
def test_lines(case):
    k, n = np.array(case["input"]["k"]), np.array(case["input"]["n"])
    with np.errstate(invalid="ignore"):
        values = np.where(n > 0, k / np.maximum(n, 1), np.nan)
    for name, weights in (("alike", np.ones_like(n)), ("weighted", n)):
        slope, intercept = trends.fit_lines(case["input"]["x"], values, weights)
        assert np.column_stack([intercept, slope]) == close(np.array(case[name]))


@cases("jonckheere")
def test_jonckheere(case):
    outcome = ranks.jonckheere(case["input"])
    agree(outcome, case, statistic="z", p="p", effect="tau")
    assert case["z_kendall"] == close(case["z"])
    # Fieller, Hartley & Pearson (1957): on Fisher's scale, the variance of tau is 0.437 / (n - 4).
    half = stats.norm.isf(0.025) * np.sqrt(0.437 / (sum(map(len, case["input"])) - 4))
    for limit, sign in ((outcome.ci_low, -1), (outcome.ci_high, 1)):
        assert np.arctanh(limit) == close(np.arctanh(case["tau"]) + sign * half)
    falling = ranks.jonckheere(case["input"][::-1])
    assert (falling.statistic, falling.p) == (close(-case["z"]), close(case["p"]))


@cases("regression")
def test_binomial_regression(case):
    right = np.array(case["input"]["right"])
    plain, robust = (
        trends.binomial_regression(case["input"]["x"], right, np.ones_like(right), clustered)
        for clustered in (False, True)
    )
    assert [plain.effect, robust.effect] == pytest.approx([case["slope"]] * 2, rel=1e-7)
    assert [plain.statistic, plain.p] == pytest.approx([case["z"], case["p"]], rel=1e-5)
    assert robust.statistic == pytest.approx(case["slope"] / case["se_clustered"], rel=1e-5)


@cases("kappa")
def test_fleiss_kappa(case):
    outcome = agreement.fleiss_kappa(case["input"], np.random.default_rng(1), 500)
    agree(outcome, case, statistic="z", effect="kappa")
    assert outcome.p == pytest.approx(case["p"], rel=1e-6, abs=1e-15)
    assert outcome.ci_low < outcome.effect < outcome.ci_high


ALIKE = "fewer than 2 subjects, or all answers alike"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 0], [0, 1]], "subjects have 1 answer each, at least 2 needed"),
        ([[2, 1]], ALIKE),
        ([[3, 0], [3, 0]], ALIKE),
    ],
)
def test_kappa_of_what_cannot_agree_is_not_computed(table, reason):
    outcome = agreement.fleiss_kappa(table, np.random.default_rng(1), 100)
    assert np.isnan(outcome.p)
    assert outcome.dropped == f"not computed: {reason}"
    # A third of pairs agree, and by chance 5/9.
    odd = agreement.fleiss_kappa([[2, 1], [2, 1]], np.random.default_rng(1), 100)
    assert odd.effect == pytest.approx((1 / 3 - 5 / 9) / (4 / 9))
