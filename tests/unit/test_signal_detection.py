"""d' and criterion, by hand and by simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from turingstats.analysis.breakdowns import compute_judge_d_primes
from turingstats.stats import signal_detection


def test_values_by_hand():
    # 18 of 20 people judged human, 15 of 20 machines judged machine.
    hit, false_alarm = norm.ppf(15.5 / 21), norm.ppf(2.5 / 21)
    assert signal_detection.d_prime(18, 20, 15, 20) == pytest.approx(hit - false_alarm)
    assert signal_detection.criterion(18, 20, 15, 20) == pytest.approx(-(hit + false_alarm) / 2)
    # Both have a detectability of 0.5 and no sensitivity; only the criterion differs.
    blind, biased = (10, 20, 10, 20), (1, 20, 19, 20)
    assert signal_detection.d_prime(*blind) == pytest.approx(0)
    assert signal_detection.d_prime(*biased) == pytest.approx(0)
    assert signal_detection.criterion(*blind) == pytest.approx(0)
    assert signal_detection.criterion(*biased) < -1.3


def test_values_of_judges_are_those_of_their_trials():
    shown = [("a", "human", 18, 20), ("a", "machine", 15, 20), ("b", "machine", 20, 20)]
    shown += [("c", "human", 1, 1), ("c", "machine", 1, 1), ("d", "machine", 1, 1)]
    rows = [(*who, float(i < k)) for *who, k, n in shown for i in range(n)]
    table = compute_judge_d_primes(pd.DataFrame(rows, columns=["judge", "truth", "right"]))
    assert table.loc["a", "d_prime"] == pytest.approx(signal_detection.d_prime(18, 20, 15, 20))
    assert table.loc["b", "d_prime"] == pytest.approx(norm.ppf(20.5 / 21))
    # One machine told and no people: hit rate 0.75, false alarm rate 0.5.
    assert table.loc["d", "d_prime"] == pytest.approx(0.6745, abs=1e-4)
    expected = [True, False, True, False]
    assert table["both"].tolist() == expected == (~table["same_answers"]).tolist()


def test_the_same_answer_to_all_has_no_sensitivity_and_perfect_judges_are_finite():
    for counts in ((0, 10, 20, 20), (10, 10, 0, 20), (0, 20, 20, 20)):
        assert np.isnan(signal_detection.d_prime(*counts))
        assert np.isnan(signal_detection.criterion(*counts))
    assert np.isfinite(signal_detection.d_prime(1, 10, 20, 20))
    assert np.isfinite(signal_detection.d_prime(20, 20, 20, 20))
    assert np.isnan(signal_detection.d_prime(0, 0, 5, 10))
    assert np.isnan(signal_detection.criterion(5, 10, 0, 0))


def test_analytic_error_is_that_of_many_samples():
    draws = np.random.default_rng(1)
    human = draws.binomial(300, 0.7, 40_000)
    machine = draws.binomial(200, 0.6, 40_000)
    expected = signal_detection.compute_standard_errors(210, 300, 120, 200)
    for measure, se in zip(("d_prime", "criterion"), expected, strict=True):
        values = getattr(signal_detection, measure)(human, 300, machine, 200)
        assert np.std(values) == pytest.approx(se, rel=0.02)
    low, high = signal_detection.compute_intervals(210, 300, 120, 200)[0]
    value, se = signal_detection.d_prime(210, 300, 120, 200), expected[0]
    assert [low, high] == pytest.approx([value - 1.959964 * se, value + 1.959964 * se])
