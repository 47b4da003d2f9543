"""Strengths, ranks and their errors, where agents can be compared and where they cannot."""

import numpy as np
import pytest
from scipy.special import expit

from turingstats.stats import bradley_terry, rank_sets
from turingstats.stats.bradley_terry import Comparisons, fit_bradley_terry

STRENGTHS = np.array([1.5, 0.1, 0.0, -1.6])


def simulate(rng, rows=1200, lean=0.0):
    """Comparisons of agents by 30 judges about 20 stimuli."""
    first, second = rng.random((rows, len(STRENGTHS))).argsort(axis=1)[:, :2].T
    wins = rng.random(rows) < expit(lean + STRENGTHS[first] - STRENGTHS[second])
    return Comparisons(
        first, second, wins * 1.0, rng.integers(0, 30, rows), rng.integers(0, 20, rows)
    )


def rank(comparisons, rng, level=0.95):
    """Ranks at a level."""
    fit = fit_bradley_terry(comparisons, len(STRENGTHS))
    return fit, rank_sets.infer_ranks(fit.estimate_differences(), fit.shared_spread, level, rng)


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


def test_groups_may_overlap():
    is_stronger = np.zeros((3, 3), bool)
    is_stronger[0, 2] = True
    groups = rank_sets.group_similar_agents(is_stronger, np.array([0, 1, 2]))
    assert groups == [[0, 1], [1, 2]]


@pytest.mark.thorough
def test_differences_hold_at_once_in_simulated_studies():
    held, studies = 0, 150
    for study in range(studies):
        rng = np.random.default_rng([7, study])
        comparisons = simulate(rng, 400)
        fit = fit_bradley_terry(comparisons, len(STRENGTHS))
        differences = fit.estimate_differences()
        ranks = rank_sets.infer_ranks(
            differences._replace(value=differences.value - np.subtract.outer(STRENGTHS, STRENGTHS)),
            fit.shared_spread, 0.95, rng,
        )  # fmt: skip
        held += not ranks.is_stronger.any()
    # Without differences between judges or stimuli, errors in two ways are on the safe side.
    assert 0.92 <= held / studies < 1


def test_agents_that_win_always_or_never_meet_cannot_be_compared():
    # 0 beats 1 and 2 always; 1 and 2 beat each other; 3 and 4 meet only each other.
    first, second = np.array([0, 0, 1, 2, 3, 4]), np.array([1, 2, 2, 1, 4, 3])
    rows = Comparisons(first, second, np.ones(6), np.arange(6), None)
    assert list(bradley_terry.find_comparable_agents(rows, 5)) == [2, 0, 0, 1, 1]
    # A tie is half a win: nobody wins always.
    tied = rows._replace(outcome=np.array([0.5, 1, 1, 1, 1, 1]))
    assert list(bradley_terry.find_comparable_agents(tied, 5)) == [0, 0, 0, 1, 1]


def test_no_strength_is_infinite_and_order_may_say_nothing():
    rows = Comparisons(np.array([0, 1] * 9), np.array([1, 0] * 9), np.ones(18), np.arange(18), None)
    # Whoever is first wins: the advantage of the first place has no finite value.
    assert fit_bradley_terry(rows, 2) is None
    assert fit_bradley_terry(rows, 2, places=False).strength == pytest.approx([0, 0])
    assert bradley_terry.shows_both_orders(rows)
    one_order = rows._replace(first=np.zeros(18, int), second=np.ones(18, int))
    assert not bradley_terry.shows_both_orders(one_order)


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
