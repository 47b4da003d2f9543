"""Strengths, ranks and their errors, where agents can be compared and where they cannot."""

import numpy as np
import pytest
from scipy.special import expit

from turingstats.rankings.analysis import explain_open_end
from turingstats.stats import bradley_terry, crossed, rank_sets, separation
from turingstats.stats.bradley_terry import fit_bradley_terry
from turingstats.stats.comparisons import (
    Comparisons,
    estimate_win_rates,
    order_agents,
    shows_both_orders,
)

STRENGTHS = np.array([1.5, 0.1, 0.0, -1.6])


def simulate(rng, rows=1200, lean=0.0):
    """Comparisons of agents by 30 judges about 20 stimuli."""
    first, second = rng.random((rows, len(STRENGTHS))).argsort(axis=1)[:, :2].T
    wins = rng.random(rows) < expit(lean + STRENGTHS[first] - STRENGTHS[second])
    units = (rng.integers(0, number, rows) for number in (30, 20))
    return Comparisons(first, second, wins * 1.0, *units)


def rank(comparisons, rng, level=0.95):
    """Ranks at a level."""
    fit = fit_bradley_terry(comparisons, len(STRENGTHS))
    return fit, rank_sets.infer_ranks(fit.estimate_differences(), fit.shared_spread, level, rng)


def list_choices(*rows, judges=8):
    """Comparisons (first, second, outcome), each by every judge about a stimulus of its own."""
    first, second, outcome = np.array(rows * judges).T
    number = len(rows)
    judge = np.repeat(np.arange(judges), number)
    return Comparisons(first.astype(int), second.astype(int), outcome, judge, None)


def test_ranks_contain_the_true_ones_and_similar_agents_are_a_group():
    rng = np.random.default_rng(3)
    fit, ranks = rank(simulate(rng, lean=0.5), rng)
    assert fit.strength.sum() == pytest.approx(0)
    assert fit.advantage == pytest.approx(0.5, abs=0.15)
    assert list(ranks.low) == [1, 2, 2, 4] and list(ranks.high) == [1, 3, 3, 4]
    groups = rank_sets.group_similar_agents(ranks.is_stronger, np.argsort(-fit.strength))
    assert [sorted(group) for group in groups] == [[0], [1, 2], [3]]
    # Adjusted p values agree with what is told apart.
    told = ranks.is_stronger | ranks.is_stronger.T
    assert ((ranks.p < 0.05) == told)[np.triu_indices(4, 1)].all()
    # Groups may overlap.
    is_stronger = np.zeros((3, 3), bool)
    is_stronger[0, 2] = True
    groups = rank_sets.group_similar_agents(is_stronger, np.array([0, 1, 2]))
    assert groups == [[0, 1], [1, 2]]


def test_agents_that_win_always_or_never_meet_have_no_finite_difference():
    # 0 beats 1 and 2 always; 1 and 2 beat each other; 3 and 4 meet only each other.
    first, second = np.array([0, 0, 1, 2, 3, 4]), np.array([1, 2, 2, 1, 4, 3])
    rows = Comparisons(first, second, np.ones(6), np.arange(6), None)
    order = order_agents(rows, 5)
    assert list(order.island) == [0, 0, 0, 1, 1]
    assert list(order.group) == [1, 0, 0, 2, 2]
    order = order_agents(rows.select(np.arange(4)), 3)
    assert list(order.find_base()) == [False, True, True]
    low, high = order.find_open_ends()
    assert list(low) == [False] * 3 and list(high) == [True, False, False]
    assert explain_open_end(order, 1, list("abc")) == ""
    cycle = (2, 3, 1), (3, 4, 1), (4, 2, 1), (0, 2, 1), (1, 3, 1)
    two = order_agents(list_choices((0, 1, 1), (1, 0, 1), *cycle), 5)
    said = explain_open_end(two, 1, ["Al", "Bo", "Cy", "Di", "Ed"])
    assert said == "no upper limit of its strength: it, like Al, lost no comparison with the others"
    # Who lost all has no lower limit.
    lost = rows.select(np.arange(4))._replace(outcome=np.array([0, 0, 1, 1.0]))
    low, high = order_agents(lost, 3).find_open_ends()
    assert list(low) == [True, False, False] and not high.any()
    # A tie is half a win: nobody wins always.
    tied = rows._replace(outcome=np.array([0.5, 1, 1, 1, 1, 1]))
    assert list(order_agents(tied, 5).group) == [0, 0, 0, 1, 1]


def test_a_perfect_order_has_limits_on_one_side():
    rows = list_choices((0, 1, 1), (1, 0, 0), (1, 2, 1), (2, 1, 0), (0, 2, 1), (2, 0, 0))
    order = order_agents(rows, 3)
    assert order.find_base().all() and separation.is_determined(rows, order)
    low, high = order.find_open_ends()
    assert list(low) == [False, True, True] and list(high) == [True, True, False]
    limits = [explain_open_end(order, at, ["Al", "Bo", "Cy"]).partition(":") for at in range(3)]
    ends = ["no upper limit", "no limits", "no lower limit"]
    assert [limit.removesuffix(" of its strength") for limit, *_ in limits] == ends
    whys = ["it lost no comparison", "it won all", "it won no comparison"]
    assert all(said.strip().startswith(why) for (*_, said), why in zip(limits, whys, strict=True))
    fit = fit_bradley_terry(rows, 3, places=False)
    differences = separation.compare_agents(fit, rows, order)
    assert fit.strength[0] > 2 and fit.strength[2] == pytest.approx(-fit.strength[0])
    # All of eight judges agree: the p of a sign test.
    assert differences.p[0, 1] == differences.p[2, 1] == pytest.approx(2 / 2**8)
    se, _ = separation.estimate_strength_errors(fit, rows, order)
    assert list(np.isfinite(se)) == [True, False, True]
    assert fit.strength[0] / se[0] == pytest.approx(2.66, abs=0.01)


def test_a_score_test_asks_whether_judges_agree():
    # 0 wins against 1 in all of 16 comparisons, which 2 and 3 share; judges differ about 2 and 3.
    wins = (0, 1, 1), (1, 0, 0), (2, 3, 1), (3, 2, 1), (1, 2, 1), (2, 1, 1)
    z = {}
    for judges in (4, 5, 9, 16):
        rows = list_choices(*wins, judges=judges)
        contrast = np.array([1.0, -1, 0, 0, 0, 0])
        z[judges] = separation.assess_contrast(rows, 4, True, contrast)
        turned = rows._replace(outcome=1 - rows.outcome)
        other = separation.assess_contrast(turned, 4, True, contrast)
        assert other == pytest.approx(-z[judges], nan_ok=True)
    # Of four judges nothing is concluded, and of sixteen z is the square root of their number.
    assert np.isnan(z[4]) and z[5] == pytest.approx(1.863, abs=0.001)
    assert z[9] == pytest.approx(2.886, abs=0.001) and z[16] == pytest.approx(4)
    assert separation.imply_error(-2, 4) == np.inf
    assert separation.imply_error(2, 4) == 0.5


def test_scores_of_each_parameter_sum_to_zero_at_the_maximum():
    rows = list_choices((0, 1, 1), (1, 0, 0), (0, 1, 0.5), (1, 0, 0.5), (1, 0, 1), judges=30)
    choices = bradley_terry.maximize(rows, 2, True, True, penalized=False).choices
    columns, values = bradley_terry.list_scores(rows, choices, True, True)
    assert np.bincount(columns.ravel(), values.ravel()) == pytest.approx(np.zeros(4), abs=1e-6)


def test_verdicts_of_a_judge_about_a_stimulus_vary_together():
    rows = simulate(np.random.default_rng(4))
    pairs = rows._replace(judge=rows.judge * 20 + rows.stimulus, stimulus=None)
    (_, _, together), (apart, *_) = (fit_bradley_terry(r, 4).by_unit for r in (rows, pairs))
    assert together == pytest.approx(apart)


def test_order_may_say_nothing(monkeypatch):
    rows = Comparisons(np.array([0, 1] * 9), np.array([1, 0] * 9), np.ones(18), np.arange(18), None)
    # Whoever is first wins: the advantage of the first place has no finite value.
    assert separation.is_determined(rows, order_agents(rows, 2))
    assert fit_bradley_terry(rows, 2, penalized=False) is None
    assert fit_bradley_terry(rows, 2, places=False).strength == pytest.approx([0, 0])
    assert shows_both_orders(rows)
    mixed = rows._replace(outcome=np.array([1.0, 1, 0, 1, 1, 0] * 3))
    assert not separation.is_determined(mixed, order_agents(mixed, 2))
    one_order = rows._replace(first=np.zeros(18, int), second=np.ones(18, int))
    assert not shows_both_orders(one_order)
    # Without the penalty, what steps do not reach is no maximum.
    monkeypatch.setattr(bradley_terry, "MAX_STEPS", 1)
    assert fit_bradley_terry(mixed, 2, penalized=False) is None
    assert len(fit_bradley_terry(mixed, 2).strength) == 2
    # One comparison in either order is enough; of half of the comparisons it is not.
    assert shows_both_orders(list_choices((0, 1, 1), (1, 0, 1), (0, 2, 1), judges=1))
    assert not shows_both_orders(list_choices((0, 1, 1), (1, 0, 1), (0, 2, 1), (1, 2, 1), judges=1))


def test_few_judges_are_no_sample():
    rng = np.random.default_rng(5)
    comparisons = simulate(rng)
    one_judge = comparisons._replace(judge=np.zeros(1200, int))
    fit, _ = rank(one_judge, rng)
    assert fit.units[:, -1].tolist() == [1, 20]
    assert np.isfinite(fit.estimate_differences().se[0, 1])
    fit, ranks = rank(one_judge._replace(stimulus=None), rng)
    assert np.isnan(fit.estimate_differences().se).all()
    assert ranks.low.tolist() == [1] * 4 and ranks.high.tolist() == [4] * 4


def test_errors_of_differences_are_those_of_contrasts():
    rng = np.random.default_rng(9)
    fit = fit_bradley_terry(simulate(rng, 300), 4)
    differences = fit.estimate_differences()
    assert differences.se[1, 3] == pytest.approx(differences.se[3, 1])
    assert np.isnan(differences.se[2, 2])
    # Of two agents, the difference is twice the strength of one.
    rows = simulate(rng, 900)
    rows = rows.select((rows.first < 2) & (rows.second < 2))
    fit = fit_bradley_terry(rows, 2)
    differences = fit.estimate_differences()
    se, df = fit.estimate_error(0)
    assert (differences.se[0, 1], differences.df[0, 1]) == pytest.approx((2 * se, df))


def test_unequal_shares_make_errors_larger_and_degrees_of_freedom_fewer(monkeypatch):
    rng = np.random.default_rng(11)
    rows = simulate(rng, 1200)._replace(judge=np.repeat(np.arange(30), 40), stimulus=None)
    equal = fit_bradley_terry(rows, 4)
    # With equal numbers, G / (G - 1) and nearly G - 1.
    assert equal.correction[0, :5] == pytest.approx(np.full(5, 30 / 29), rel=0.01)
    assert (np.abs(equal.freedom[0, :5] - 28) < 1.5).all()
    uneven = rows._replace(judge=np.maximum(np.arange(1200) // 40, 15))
    unequal = fit_bradley_terry(uneven, 4)
    # One of 15 judges gave more than half of the answers.
    assert unequal.units[0, -1] == 15
    assert (unequal.correction[0, :5] > 1).all() and unequal.correction[0, :5].mean() > 1.3
    assert (unequal.freedom[0, :5] < 8).all()
    differences = unequal.estimate_differences()
    between = np.sort(unequal.freedom[0, :2])
    assert between[0] <= differences.df[0, 1] <= between[1]
    plain = unequal.by_unit[0][:4, :4]
    ratio = differences.se[0, 1] ** 2 / (plain[0, 0] + plain[1, 1] - 2 * plain[0, 1])
    corrections = np.sort(unequal.correction[0, :2])
    assert corrections[0] <= ratio <= corrections[1]
    # Where 15 judges times 5 parameters are too many, every second one stands for all.
    monkeypatch.setattr(bradley_terry, "MAX_CORRECTED", 76)
    assert fit_bradley_terry(uneven, 4).correction == pytest.approx(unequal.correction, nan_ok=True)
    monkeypatch.setattr(bradley_terry, "MAX_CORRECTED", 75)
    fewer, full = (fit.correction[0, :5] for fit in (fit_bradley_terry(uneven, 4), unequal))
    assert fewer[::2] == pytest.approx(full[::2]) and fewer[1::2] == pytest.approx(full[::2].mean())


@pytest.mark.parametrize("known", [True, False])
def test_win_rates_of_all_pairs_have_the_errors_of_each(known):
    rows = simulate(np.random.default_rng(13), 700)
    # Nobody compares twice about a stimulus.
    rows = rows._replace(judge=np.arange(700) % 30, stimulus=np.arange(700) // 30)
    rows = rows._replace(outcome=np.where(np.arange(700) % 9 == 0, 0.5, rows.outcome))
    rows = rows if known else rows._replace(stimulus=None)
    found = estimate_win_rates(rows, 4)
    for place, (a, b) in enumerate(zip(*np.triu_indices(4, 1), strict=True)):
        part = rows.select(np.isin(rows.first, [a, b]) & np.isin(rows.second, [a, b]))
        gained = np.where(part.first == a, part.outcome, 1 - part.outcome)
        influence = (gained - gained.mean()) / len(gained)
        error = crossed.estimate_crossed_error(influence, part.judge, part.stimulus)
        assert found.rate[place] == pytest.approx(gained.mean())
        expected = (float(error.se), float(error.df))
        assert (found.error.se[place], found.error.df[place]) == pytest.approx(expected)
        assert found.n[place] == len(gained) and found.ties[place] == (gained == 0.5).sum()
        assert found.wins[place] == (gained == 1).sum()
    # One comparison has a rate, and none has not.
    once = estimate_win_rates(rows.select(np.flatnonzero(rows.first + rows.second == 1)[:1]), 3)
    assert list(once.n) == [1, 0, 0] and list(np.isnan(once.rate)) == [False, True, True]
    # Of four judges, and without stimuli, nothing is known of others.
    few = rows._replace(judge=rows.judge % 4, stimulus=None)
    assert np.isnan(estimate_win_rates(few, 4).error.se).all()
