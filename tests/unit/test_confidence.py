"""Confidence and right verdicts: the area under the ROC curve, and its interval over judges."""

import numpy as np
import pytest

from turingstats.stats import effects, roc

RNG = np.random.default_rng(7)
RIGHT = RNG.random(120) < 0.6
SURE = np.round(RNG.normal(50, 15, 120) + 10 * RIGHT, -1)
JUDGES = np.repeat(np.arange(12), 10)


def test_area_is_the_share_of_pairs():
    pairs = SURE[RIGHT][:, None] - SURE[~RIGHT][None, :]
    share = np.mean((pairs > 0) + (pairs == 0) / 2)
    found = roc.compute_roc_area(RIGHT, SURE, JUDGES, 0.95)
    assert found["value"] == pytest.approx(share)
    assert (found["k"], found["n"], found["n_judges"]) == (RIGHT.sum(), 120, 12)
    # Every judge has verdicts of both kinds: what a judge adds is the sum of both.
    for number in (12, 2):
        judges = JUDGES % number
        found = roc.compute_roc_area(RIGHT, SURE, judges, 0.95)
        added = np.bincount(judges, roc.linearize_area(RIGHT, SURE)[1])
        assert found["se"] == pytest.approx(np.sqrt(number / (number - 1) * added @ added))


def test_with_a_verdict_a_judge_the_variance_is_delongs():
    found = roc.compute_roc_area(RIGHT, SURE, np.arange(120), 0.95)
    # From Sen's and DeLong's variance of the rank-biserial correlation, 2 * area - 1, checked against pROC.
    expected = effects.rank_biserial(SURE[RIGHT], SURE[~RIGHT], 0.95)
    r, low = 2 * found["value"] - 1, expected[1]
    se = (np.arctanh(r) - np.arctanh(low)) * (1 - r**2) / 2 / 1.959964
    odds = [end / (1 - end) for end in (found["value"], found["ci_low"])]
    own = np.log(odds[0] / odds[1]) / 1.959964 * found["value"] * (1 - found["value"])
    # Both sides have factors m / (m - 1) here and the joint one of all clusters for the covariance, 0.
    assert own == pytest.approx(se, rel=1e-3)


@pytest.mark.parametrize(
    ("right", "judges"), [([1, 1, 1], [1, 2, 3]), ([0, 0], [1, 2]), ([1, 1, 0], [1, 1, 1])]
)
def test_what_cannot_be_told_is_empty(right, judges):
    found = roc.compute_roc_area(right, np.arange(len(right)), judges, 0.95)
    assert np.isnan(found["ci_low"])
    assert np.isnan(found["value"]) == (len(set(right)) == 1)
