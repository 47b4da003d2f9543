"""Errors over judges and stimuli, against statsmodels and by hand."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from turingstats.stats import clustered, crossed
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

J, S = 12, 9


def draw_verdicts(rng, share=0.7):
    """Judges, stimuli and right verdicts of a study in which judges see some of the stimuli."""
    seen = rng.random((J, S)) < share
    judges, stimuli = np.nonzero(seen)
    chance = 0.5 + 0.2 * rng.normal(size=J)[judges] + 0.2 * rng.normal(size=S)[stimuli]
    return judges, stimuli, (rng.random(len(judges)) < np.clip(chance, 0.05, 0.95)).astype(float)


def measure_rate(right):
    """A rate and how each verdict moves it."""
    gradient = differentiate_quantity("p_MM", [0, 0, right.sum(), len(right)])
    return right.mean(), np.column_stack([right, np.ones_like(right)]) @ gradient[2:]


@pytest.mark.parametrize(("seed", "share", "rel"), [(0, 1, 1e-9), (1, 1, 1e-9), (2, 0.7, 0.03)])
def test_variance_is_that_of_statsmodels(seed, share, rel):
    """If all judges give as many verdicts, exactly; otherwise their shares make a difference."""
    judges, stimuli, right = draw_verdicts(np.random.default_rng(seed), share)
    rate, influence = measure_rate(right)
    error = crossed.estimate_crossed_error(influence, judges, stimuli)
    fitted = sm.OLS(right, np.ones_like(right)).fit()
    by_unit = {}
    for name, unit in (("judges", judges), ("stimuli", stimuli)):
        robust = fitted.get_robustcov_results(
            "cluster", groups=unit, use_correction=False, df_correction=False
        )
        units = len(np.unique(unit))
        by_unit[name] = robust.cov_params()[0, 0] * units / (units - 1)
        assert getattr(error, name) == pytest.approx(by_unit[name], rel=rel)
    assert error.verdicts == pytest.approx(rate * (1 - rate) / len(right))
    wanted = by_unit["judges"] + by_unit["stimuli"] - error.verdicts
    # Judges who see all stimuli do not differ by these, which verdicts do.
    assert wanted < error.se**2 <= wanted + error.verdicts


def test_one_judge_or_one_stimulus_is_no_sample():
    right = np.array([1.0, 0, 1, 1])
    _, influence = measure_rate(right)
    one, many = np.zeros(4), np.arange(4)
    # A share of independent verdicts, over the units that are many.
    expected = np.sqrt(0.75 * 0.25 / 4 * 4 / 3)
    for *units, over in ((one, many, "stimuli"), (many, one, "judges"), (many, None, "judges")):
        error = crossed.estimate_crossed_error(influence, *units)
        assert crossed.describe_units(error) == over
        assert (error.se, error.df) == (pytest.approx(expected), 3)
    neither = crossed.estimate_crossed_error(influence, one, one)
    assert crossed.describe_units(neither) == ""
    assert np.isnan([neither.se, *crossed.compute_crossed_interval(0.75, neither, 0.95)]).all()


def test_verdicts_of_one_judge_on_one_stimulus_are_related():
    """Such as those on a person's and a machine's response: they are one row of the variance of verdicts."""
    rng = np.random.default_rng(5)
    judge, stimulus = np.indices((8, 9)).reshape(2, -1)
    twice = np.repeat([judge, stimulus], 2, axis=1)
    values = rng.random((72, 2))
    error = crossed.estimate_mean_error(values.ravel(), *twice)
    assert error.verdicts == pytest.approx(
        (((values - values.mean()).sum(axis=1) / 144) ** 2).sum()
    )
    alone = crossed.estimate_mean_error(values.ravel(), twice[0])
    assert alone.verdicts == pytest.approx((((values - values.mean()) / 144) ** 2).sum())


def test_influence_is_how_much_a_verdict_moves_a_quantity():
    """Numerically, for every quantity; corrected rates of d' and c are moved by right verdicts only."""
    four, step = np.array([37.0, 60, 25, 45]), 1e-4
    for name, quantity in QUANTITIES.items():
        slopes = differentiate_quantity(name, four)
        for i in (0, 2) if name in ("d_prime", "criterion") else range(4):
            moved = [four + sign * step * (np.arange(4) == i) for sign in (1, -1)]
            up, down = (quantity.value(*counts) for counts in moved)
            assert slopes[i] == pytest.approx((up - down) / (2 * step), abs=1e-9), (name, i)
        # All verdicts together move nothing: a quantity does not depend on how many there are.
        assert slopes @ four == pytest.approx(0, abs=1e-12)


def assess_rows(values, influence, group, judges, stimuli, weights=None):
    """Test contrasts of groups from how much each row moves its group's value."""
    sides = (np.asarray(group)[:, None] == np.unique(group)).astype(float)
    moved = influence[:, None] * sides
    units = [
        clustered.UnitSums(*(crossed.sum_by_unit(part, unit) for part in (moved, sides)))
        for unit in (judges, stimuli)
        if unit is not None
    ]
    weights = np.ones((1, sides.shape[1])) if weights is None else weights
    return crossed.assess_contrasts(values, units, moved.T @ moved, weights)


def measure_difference(one, other):
    """The difference of two rates, and how much each verdict moves it."""
    (first, moved), (second, moved_other) = measure_rate(one), measure_rate(other)
    return np.array([first - second]), np.concatenate([moved, -moved_other])


def assess(value, influence, judges, stimuli):
    group = np.zeros(len(influence))
    return assess_rows(np.array([value]), influence, group, judges, stimuli)


def test_a_difference_of_two_groups_of_judges_is_welch():
    """One verdict per judge, and stimuli that no one shares: Welch's t of two samples."""
    right = np.random.default_rng(7).random(40) < np.repeat([0.8, 0.5], [30, 10])
    group, one = np.repeat([0, 1], [30, 10]), right.astype(float)
    difference, influence = measure_difference(*(one[group == place] for place in (0, 1)))
    test = assess_rows(difference, influence, group, np.arange(40), None)
    expected = stats.ttest_ind(one[group == 0], one[group == 1], equal_var=False)
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.df[0] == pytest.approx(expected.df)
    assert test.p == pytest.approx(expected.pvalue)


def test_a_difference_of_two_agents_is_paired_over_judges():
    """Two verdicts per judge on different agents: the paired t test."""
    right = (np.random.default_rng(9).random((25, 2)) < [0.7, 0.5]).astype(float)
    difference, influence = measure_difference(*right.T)
    judges, group = np.tile(np.arange(25), 2), np.repeat([0, 1], 25)
    test = assess_rows(difference, influence, group, judges, None)
    expected = stats.ttest_rel(*right.T)
    assert (test.statistic, test.df[0]) == pytest.approx((expected.statistic, 24))
    assert test.p == pytest.approx(expected.pvalue)


def test_a_test_of_one_contrast_agrees_with_its_interval():
    judges, stimuli, right = draw_verdicts(np.random.default_rng(4))
    rate, influence = measure_rate(right)
    error = crossed.estimate_crossed_error(influence, judges, stimuli)
    test = assess(rate - 0.5, influence, judges, stimuli)
    assert (test.statistic, test.se) == pytest.approx(((rate - 0.5) / error.se, error.se))
    assert test.p == pytest.approx(2 * stats.t.sf(abs(test.statistic), error.df))


def test_the_variance_of_a_fully_crossed_mean_is_without_bias():
    """Judges who all see all stimuli: E V is the variance of both means, and that of the verdicts."""
    rng, (judges, stimuli) = np.random.default_rng(8), np.divmod(np.arange(48), 6)
    values = rng.normal(size=(8, 4000))[judges] + rng.normal(size=(6, 4000))[stimuli]
    values += rng.normal(size=values.shape)
    error = crossed.estimate_crossed_error((values - values.mean(axis=0)) / 48, judges, stimuli)
    # Without what judges and stimuli have in common in all verdicts it would be a tenth less.
    assert (error.se**2).mean() == pytest.approx(1 / 8 + 1 / 6 + 1 / 48, rel=0.03)


def test_both_variances_are_uncertain_and_have_a_lower_bound():
    """The approximation of Satterthwaite (1946), whether or not verdicts alone would vary as much."""
    found = crossed.combine_units([4.0, 1.0], [10.0, 5.0], 1.0, 1.0)
    assert found == pytest.approx((4, 16 / (16 / 10 + 1 / 5)))
    found = crossed.combine_units([1.0, 1.0], [8.0, 8.0], 1.0, 2.0)
    bound = 1 / (1 + 0.5**0.5)
    assert found == pytest.approx((bound, bound**2 / (1 / 4)))


def test_too_few_units_are_not_tested_and_those_without_trials_do_not_count():
    judges, stimuli, right = draw_verdicts(np.random.default_rng(6))
    rate, influence = measure_rate(right)
    assert np.isnan(assess(rate - 0.5, influence, judges % 4, stimuli).p)
    assert np.isnan(assess(0.1, np.zeros(len(right)), judges, stimuli).p)
    # Verdicts that cancel out within every judge.
    level = clustered.UnitSums(np.zeros((6, 1)), np.full((6, 1), 2))
    found = crossed.assess_contrasts(np.ones(1), [level], np.ones((1, 1)), np.ones((1, 1)))
    assert found is crossed.NOT_TESTED and np.isnan(found.statistic) and found.df == ()
    judges, stimuli, right = draw_verdicts(np.random.default_rng(2))
    _, influence = measure_rate(right)
    more = np.append(influence, [0.0, 0.0])
    shown = np.append(np.ones(len(right), bool), [False, False])
    units = (np.append(unit, [98, 99]) for unit in (judges, stimuli))
    with_others = crossed.estimate_crossed_error(more[:, None], *units, shown[:, None])
    assert with_others == pytest.approx(crossed.estimate_crossed_error(influence, judges, stimuli))


def test_interval_of_a_share_is_on_the_logit_scale():
    error = crossed.CrossedError(*map(np.array, (0.05, 11.0, 0, 0, 0)))
    low, high = crossed.compute_crossed_interval(0.9, error, 0.95)
    reach = stats.t.ppf(0.975, 11) * 0.05 / 0.09
    assert np.log(low / (1 - low)) == pytest.approx(np.log(9) - reach)
    assert np.log(high / (1 - high)) == pytest.approx(np.log(9) + reach)
    low, high = crossed.compute_crossed_interval(0.9, error, 0.95, share=False)
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * 0.05)
    assert np.isnan(crossed.compute_crossed_interval(1.0, error, 0.95)).all()


def test_three_groups_of_other_judges_are_an_analysis_of_variance():
    """One verdict per judge, and shares of equal variance: the F test, whose groups have one variance."""
    right = np.concatenate([np.arange(20) < number for number in (8, 12, 12)]).astype(float)
    groups = np.repeat(np.arange(3), 20)
    measured = [measure_rate(right[groups == place]) for place in range(3)]
    weights = np.array([[-1, 1, 0], [-1, 0, 1]])
    values = weights @ [rate for rate, _ in measured]
    influence = np.concatenate([moved for _, moved in measured])
    test = assess_rows(values, influence, groups, np.arange(60), None, weights)
    expected = stats.f_oneway(*right.reshape(3, 20))
    found = (test.statistic, *test.df, test.p)
    assert found == pytest.approx((expected.statistic, 2, 57, expected.pvalue))


@pytest.mark.parametrize(
    ("variances", "low", "high"), [((1, 1, 1), 2.7, 3), ((1, 0.2, 0.2), 1.8, 2.1)]
)
def test_directions_are_counted_as_if_the_variances_were_known(variances, low, high):
    """Of Wishart matrices with 12 degrees of freedom; the plain ratio would be 2.5, and 1.6."""
    drawn = np.random.default_rng(1).normal(size=(1000, 12, 3)) * np.sqrt(variances)
    found = [crossed.count_directions(one.T @ one / 12, 12) for one in drawn]
    assert low < np.mean(found) <= high
    # Where the estimate of the matrix says too little, there are as many as contrasts.
    assert crossed.count_directions(np.eye(2), 2) == 2
    # A group whose verdicts are all alike leaves one direction.
    assert crossed.count_directions(np.diag([1.0, 0.0]), 50) == pytest.approx(1, abs=0.05)


def test_groups_that_differ_in_spread_have_fewer_directions():
    rng, weights = np.random.default_rng(3), np.array([[-1, 1, 0], [-1, 0, 1]])
    judges, groups = np.repeat(np.arange(60), 10), np.repeat(np.arange(3), 200)
    alike, apart = rng.normal(size=600) / 200, np.zeros(600)
    apart[groups == 0] = rng.normal(size=20)[judges[groups == 0]] / 200

    def assess(influence, stimuli=None):
        return assess_rows(np.array([0.1, 0.1]), influence, groups, judges, stimuli, weights).df[0]

    assert assess(alike + 10 * apart) < 1.5
    # Stimuli with one verdict each tell nothing that judges do not.
    fewer = assess(alike + apart)
    assert fewer == pytest.approx(assess(alike + apart, np.arange(600)), rel=0.01)


def test_nothing_is_divided_by_what_is_not_positive():
    assert clustered.divide([1, 1, 1, 0], [2, 0, -1, np.nan]).tolist() == [0.5, 0, 0, 0]
