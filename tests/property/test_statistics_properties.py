"""Properties that the statistics must have for any data."""

import importlib
import inspect
import pkgutil
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

import turingstats.stats
from turingstats.stats import (
    agreement,
    effects,
    equivalence,
    intervals,
    multiplicity,
    resampling,
    similarity,
    trends,
)
from turingstats.stats.hypothesis import correlation, means, proportions, ranks
from turingstats.stats.mixed import wald
from turingstats.stats.quantities import rate

seeds = st.integers(0, 2**32 - 1)


def correct_rate(n, right):
    return right / n


@st.composite
def judge_tables(draw):
    """Trials and correct verdicts of some judges, each with one trial or more."""
    judges = draw(st.integers(1, 12))
    trials = draw(hnp.arrays(np.int64, judges, elements=st.integers(1, 20)))
    correct = np.array([draw(st.integers(0, int(n))) for n in trials])
    return np.column_stack([trials, correct])


def test_undefined_tests_say_why():
    undefined = [
        ranks.wilcoxon([0.5, 0.5, np.nan], 0.5, exact_ties=True),
        ranks.wilcoxon([], 0.5, exact_ties=False),
        ranks.friedman([[0.1, 0.2], [0.3, 0.1]], "complete"),
        ranks.friedman([[0.1, 0.2, np.nan], [0.3, 0.1, 0.2]], "complete"),
        ranks.friedman([[0.1, 0.1, 0.1], [0.3, 0.3, 0.3]], "complete"),
        ranks.mann_whitney([], [1.0], exact_ties=True),
        means.welch_t([1.0], [0.0, 1.0]),
        means.welch_t([1.0, 1.0], [0.0, 0.0]),
        means.anova_one_way([[1.0, 1.0], [0.0, 0.0]]),
        ranks.kruskal([[1.0, 1.0], [1.0]]),
        proportions.two_proportions(0, 0, 1, 2),
        proportions.chi_square([0, 0], [3, 4]),
        proportions.chi_square([3, 4], [3, 4]),
        ranks.jonckheere([[1, 2], []]),
        ranks.jonckheere([[1, 2, 3], []]),
        ranks.jonckheere([[1, 1], [1]]),
        ranks.rank_sum([], [1.0]),
        ranks.signed_rank(np.zeros(3)),
        trends.binomial_regression([1, 2], np.array([[3, 3]]), np.array([[3, 3]]), False),
        trends.binomial_regression([1, 2], np.array([[0, 2]]), np.array([[0, 3]]), False),
        *means.anova_two_way([1, 2, 3], ["f", "f", "m"], ["x", "y", "x"]).values(),
    ]
    for outcome in undefined:
        assert np.isnan(outcome.statistic) and np.isnan(outcome.p)
        assert "not computed: " in outcome.dropped
    lost, _, why = undefined[0].dropped.partition("; not computed: ")
    assert lost == "1 missing value; 2 zero differences" and why


def test_what_too_few_values_tell_has_no_number():
    for k, signs in (((3, 4), (-1, 1)), ((0, 0), (1, -1))):
        alike = proportions.two_proportions(k[0], 3, k[1], 4)
        assert np.isnan([alike.statistic, alike.p]).all() and "z not computed" in alike.dropped
        # As far as the limits of Wilson's intervals, z^2 / (n + z^2).
        limits = sorted(
            sign * 3.841459 / (n + 3.841459) for sign, n in zip(signs, (3, 4), strict=True)
        )
        assert [alike.effect, alike.ci_low, alike.ci_high] == pytest.approx([0, *limits])
    nothing = [
        effects.rank_biserial_paired([0, 0]),
        effects.mean([])[:1],
        effects.mean([3.0])[1:],
        effects.rank_correlation(0.5, 4, 0.437, 4)[1:],
        similarity.icc_agreement(np.ones((1, 3)))[:3],
        similarity.icc_agreement(np.ones((3, 1)))[:3],
        similarity.icc_agreement(np.ones((3, 2)))[:3],
        wald.wald(2.0, 0.0, 0.95)[1:],
        [equivalence.compute_equivalence_n(*few, 0.1) for few in ((0, 9), (np.nan, 9), (0.1, 0))],
    ]
    assert np.isnan(np.concatenate(nothing)).all()
    assert effects.mean([3.0])[0] == 3 and wald.wald(2.0, 0.0, 0.95)[0] == 2
    assert effects.rank_correlation(0.5, 4, 0.437, 4)[0] == 0.5
    for missing in ((np.nan, 0.01), (0.01, np.nan)):
        assert equivalence.classify_difference(*missing, 0.05) == ""
    for counts in (np.empty((0, 2)), [[2, 0], [1, 0]]):
        with pytest.raises(ValueError, match="two answers"):
            agreement.list_pair_columns(counts)
    with pytest.raises(ValueError, match="above 0, got 0"):
        equivalence.tost(0.1, 0.1, 0)


def test_wilson_without_trials_is_missing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = intervals.wilson([0, 2], [0, 3])
        given = ([1, 2], [2, 3], [0, 2], [0, 3])
        mean_low, mean_high = intervals.compute_mean_proportion_interval(*given)
    for limits in (low, high, mean_low, mean_high):
        assert np.isnan(limits[0]) and 0 <= limits[1] <= 1


def test_adjust_refuses_a_family_smaller_than_its_tests():
    with pytest.raises(ValueError, match="family_size 2 is smaller"):
        multiplicity.adjust_p_values([0.1, 0.2, 0.3], "holm", 2)


@given(judge_tables(), st.integers(0, 30), seeds)
def test_bootstrap_totals_equal_row_resampling(counts, n_resamples, seed):
    totals = resampling.bootstrap_totals(counts, n_resamples, np.random.default_rng(seed))
    rows = np.random.default_rng(seed).integers(0, len(counts), size=(n_resamples, len(counts)))
    np.testing.assert_array_equal(totals, counts[rows].sum(axis=1))


def test_draws_are_summarized_if_half_of_them_are_defined():
    draws = np.arange(1001.0)
    assert resampling.summarize_draws(draws, 0.95) == pytest.approx((draws.std(ddof=1), 25, 975))
    draws[:500] = np.nan
    se = draws[500:].std(ddof=1)
    assert resampling.summarize_draws(draws, 0.9) == pytest.approx((se, 525, 975))
    draws[500] = np.nan
    assert np.isnan(resampling.summarize_draws(draws, 0.95)).all()


def permute(counts, labels, n_resamples, seed):
    rng = np.random.default_rng(seed)
    return resampling.permutation_test(counts, labels, correct_rate, n_resamples, rng)


def test_the_studentized_difference_of_single_verdicts_is_welchs_t():
    right = np.array([1.0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1])
    counts, labels = np.column_stack([np.ones(11), right]), np.repeat([0, 1], [2, 9])

    def differentiate(n, k):
        return -k / n**2, 1 / n

    drawn = (1, np.random.default_rng(1), differentiate)
    statistic, _ = resampling.permutation_test(counts, labels, correct_rate, *drawn)
    expected = stats.ttest_ind(right[:2], right[2:], equal_var=False)
    assert statistic == pytest.approx(expected.statistic)
    # Of three groups: weights n / variance are 4, 16 and 25, rates 0.5, 0.75 and 0.8, their mean 34/45.
    three = np.repeat([0, 1, 2], [2, 4, 5])
    statistic, _ = resampling.permutation_test(counts, three, correct_rate, *drawn)
    assert statistic == pytest.approx(14 / 45)


def test_the_plain_difference_is_that_of_two_rates_or_the_variance_of_several():
    right = np.array([1.0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1])
    counts = np.column_stack([np.ones(11), right])
    statistic, _ = permute(counts, np.repeat([0, 1], [2, 9]), 1, 1)
    assert statistic == pytest.approx(1 / 2 - 7 / 9)
    statistic, _ = permute(counts, np.repeat([0, 1, 2], [2, 4, 5]), 1, 1)
    apart = np.array([1 / 2, 3 / 4, 4 / 5]) - 8 / 11
    assert statistic == pytest.approx((np.array([2, 4, 5]) * apart**2).sum() / 11)


@pytest.mark.parametrize("n_resamples", [200, 3000, 4500])
def test_every_permutation_counts(n_resamples):
    # Of judges who are all right and others who are all wrong, hardly any order is as far apart.
    counts = np.column_stack([np.full(40, 5), np.repeat([5, 0], 20)])
    _, p = permute(counts, np.repeat([0, 1], 20), n_resamples, 1)
    assert p == 1 / (n_resamples + 1)


def test_a_rate_of_no_trial_is_not_defined():
    np.testing.assert_array_equal(rate([0, 1, 3], [0, 1, 4]), [np.nan, 1, 0.75])


def test_resampled_spreads_of_several_groups_lose_their_excess():
    drawn = np.array([[0.1, 0.3], [0.5, 0.5]])
    effects = resampling.convert_to_effect(drawn, np.array([0.1, 0.5]), groups=3)
    np.testing.assert_allclose(effects**2, [[0, 0.2], [0.5, 0.5]], atol=1e-12)
    one = resampling.convert_to_effect(drawn[0], np.array(0.1), groups=3)
    np.testing.assert_array_equal(one, effects[0])
    assert resampling.convert_to_effect(drawn, np.array([0.1, 0.5]), groups=2) is drawn


@pytest.mark.parametrize("n_groups", [2, 3])
def test_equal_judges_have_p_of_one(n_groups):
    # 3/7 is not exact in floating point: every permutation must still count as a tie.
    counts = np.tile([7, 3], (9, 1))
    statistic, p = permute(counts, np.arange(9) % n_groups, 300, 1)
    assert statistic == pytest.approx(0) and p == 1
    # It is undefined for a group without trials.
    counts = np.array([[0, 0], [0, 0], [5, 1], [5, 2]])
    assert np.isnan(permute(counts, [0, 0, 1, 1], 10, 0)).all()


def test_half_sample_sd_is_that_of_its_distribution():
    rng, half = np.random.default_rng(4), 16
    found = [resampling.half_sample_sd(20, 31, 54, 90, rng) for _ in range(600)]
    sides = stats.hypergeom(np.array([31, 90]), np.array([20, 54]), half)
    sd = np.sqrt(sides.var().sum()) / (2 * half)
    # Of as many draws, nearly normal, as the smaller side has verdicts.
    assert np.mean(found) == pytest.approx(sd * (1 - 3 / (4 * 31)), rel=0.02)
    assert np.std(found) == pytest.approx(sd / np.sqrt(2 * 31), rel=0.15)
    assert resampling.half_sample_sd(1, 1, 54, 90, rng) == 0
    assert np.isnan(resampling.half_sample_sd(0, 0, 54, 90, rng))


def test_an_effect_without_an_interval_says_why():
    one_sided = ranks.wilcoxon([0.6, 0.7, 0.8, 0.9], 0.5, True)
    assert np.isnan(one_sided.ci_low)
    assert one_sided.dropped == ranks.ONE_SIGN
    assert ranks.mann_whitney([1, 2], [3, 4], True).dropped == ranks.APART
    effect, *limits = effects.rank_biserial_paired([-1, 2])
    assert effect == pytest.approx(1 / 3) and np.isnan(limits).all()
    assert np.isfinite(effects.rank_biserial_paired([-1, 2, 3])).all()
    # Means of slopes have an interval all the same.
    right = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3]])
    rising = trends.assess_slopes([1, 2, 3], right, np.full((3, 3), 4), False)
    assert np.isfinite(rising.ci_low)
    assert rising.dropped == ""
    n = np.array([[4, 4, 8], [4, 4, 4], [4, 8, 4]])
    by_verdict = trends.assess_slopes([1, 2, 3], right, n, True)
    slopes = [
        np.polyfit([1, 2, 3], k / m, 1, w=np.sqrt(m))[0] for k, m in zip(right, n, strict=True)
    ]
    assert by_verdict.effect == pytest.approx(np.mean(slopes))


def test_tests_name_their_statistic():
    a, b = np.array([1.0, 4, 2, 8, 5, 7]), np.array([2.0, 3, 1, 9, 17, 15])
    tests = {
        "rho": partial(correlation.spearman, a, b),
        "r": partial(correlation.pearson, a, b),
        "U": partial(ranks.mann_whitney, a, b, exact_ties=True),
        "H": partial(ranks.kruskal, [a, b]),
    }
    for name, test in tests.items():
        assert test().statistic_name == name
    empty = ranks.kruskal([[1, 1], []])
    assert "an empty group" in empty.dropped
    # One value is a group, and 0.1 + 0.2 is 0.3 where values are rounded.
    found = [ranks.mann_whitney([0.1 + 0.2], [0.3], exact_ties) for exact_ties in (True, False)]
    assert [outcome.statistic for outcome in found] == [0.5, 0] and np.isfinite(found[0].p)


def test_levels_are_95_percent_unless_told():
    # At the other level it is decided whether more permutations are drawn.
    usual = {"level": (0.95, 0.999), "alpha": (0.05,), "power": (0.8,)}
    for found in pkgutil.walk_packages(turingstats.stats.__path__, "turingstats.stats."):
        module = importlib.import_module(found.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            given = inspect.signature(function).parameters
            for key in usual.keys() & given.keys() if function.__module__ == found.name else ():
                assert given[key].default in (*usual[key], inspect.Parameter.empty), name
