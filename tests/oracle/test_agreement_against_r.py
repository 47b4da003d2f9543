"""Agreement and paired tests against R (make_agreement_reference.R)."""

import numpy as np
import pandas as pd
import pytest
from project import read_reference

from turingstats.analysis import machine_judges
from turingstats.stats import agreement
from turingstats.stats.hypothesis import proportions

REFERENCE = read_reference("agreement_reference")


def estimate(counts):
    rng = np.random.default_rng(1)
    return agreement.estimate_agreement(counts, np.arange(len(counts)), rng, 400)


@pytest.mark.parametrize("name", ["unequal", "equal"])
def test_agreement_is_that_of_pairs_one_by_one(name):
    case = REFERENCE["agreement"][name]
    for measure, found in estimate(np.array(case["counts"])).items():
        assert found.value == pytest.approx(case[measure], rel=1e-12)
        assert found.ci_low < found.value < found.ci_high


def test_cochran_q_and_mcnemar():
    right = np.array(REFERENCE["right"])
    whole = proportions.assess_cochran_q(right)
    assert [*whole] == pytest.approx([*REFERENCE["cochran"].values()], rel=1e-10)
    for case in REFERENCE["mcnemar"]:
        pair = (right[:, case[place]] for place in ("first", "second"))
        found = proportions.compare_paired_outcomes(*pair)
        assert (found.only_first, found.only_second) == (case["only_first"], case["only_second"])
        expected = [case[name] for name in ("low", "high", "p")]
        assert [found.ci_low, found.ci_high, found.p] == pytest.approx(expected, rel=1e-10)
    # One row tells something: of its three outcomes, two are 1. Rows and columns alike tell nothing.
    assert proportions.assess_cochran_q([[1, 0, 1]])[:2] == pytest.approx((2, 2))
    assert proportions.assess_cochran_q([[1, 0], [1, 1]])[:2] == pytest.approx((1, 1))
    for nothing in (np.empty((0, 3)), [[1], [0]], [[1, 1], [0, 0]]):
        assert np.isnan(proportions.assess_cochran_q(nothing).p)
    # Of two pairs, the interval ends where differences do.
    ends = [proportions.compare_paired_outcomes([at] * 2, [1 - at] * 2) for at in (0, 1)]
    assert (ends[0].ci_low, ends[1].ci_high) == (-1, 1)
    np.testing.assert_equal([*proportions.compare_paired_outcomes([], [])], [0] * 3 + [np.nan] * 4)


def test_machine_judges_are_compared_and_corrected_as_in_r():
    right = pd.DataFrame(np.array(REFERENCE["right"], bool)).astype(object)
    whole, *pairs = machine_judges.compare_columns(right, 0.95)
    assert whole["statistic"] == pytest.approx(REFERENCE["cochran"]["statistic"])
    expected = [case["p_adjusted"] for case in REFERENCE["mcnemar"]]
    assert [row["p_adjusted"] for row in pairs] == pytest.approx(expected, rel=1e-10)
