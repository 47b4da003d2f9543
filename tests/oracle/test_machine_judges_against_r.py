"""People and a machine on the same responses, against R (make_machine_judges_reference.R)."""

import numpy as np
import pytest
from project import read_reference
from scipy import stats

from turingstats.stats import annotator_test, machine_agreement, prediction_powered

REFERENCE = read_reference("machine_judges_reference")
PEOPLE, MACHINE = np.array(REFERENCE["people"]), np.array(REFERENCE["machine"])


def test_agreement_and_correction_for_reliability():
    number = np.full(len(PEOPLE), PEOPLE.shape[1])
    estimates = machine_agreement.estimate_machine_agreement(
        MACHINE, PEOPLE.sum(axis=1), number, np.arange(len(PEOPLE))
    )
    for name, expected in REFERENCE["agreement"].items():
        assert estimates[name].value == pytest.approx(expected, rel=1e-9)
        assert estimates[name].ci_low < expected < estimates[name].ci_high


def test_alternative_annotator_test(monkeypatch):
    sparse = np.array(REFERENCE["sparse"], float)
    response, person = np.nonzero(~np.isnan(sparse))
    trials = annotator_test.leave_each_out(
        person, response, response, sparse[response, person], MACHINE[response]
    )
    enough = annotator_test.keep_people(trials)
    assert len(np.unique(enough.person)) == sparse.shape[1]
    advantage = annotator_test.estimate_advantage(enough)
    assert advantage.value == pytest.approx(REFERENCE["advantage"], rel=1e-12)
    monkeypatch.setattr(annotator_test, "MOST_PEOPLE", sparse.shape[1] - 1)
    alone = annotator_test.estimate_winning_rate(enough, 0.2, None, 0)
    assert alone.value == pytest.approx(REFERENCE["rates"][2]) and np.isnan(alone[1:]).all()
    monkeypatch.undo()
    rng = np.random.default_rng(1)
    rates = [
        annotator_test.estimate_winning_rate(enough, e, rng, 200).value for e in (0.1, 0.15, 0.2)
    ]
    assert rates == pytest.approx(REFERENCE["rates"])
    assert rates[0] < rates[1] < rates[2]


def test_prediction_powered_mean_of_independent_verdicts():
    y, f, others = (np.array(REFERENCE[name]) for name in ("y", "f", "others"))
    # With a single judge, errors are over stimuli alone.
    alone, units = np.zeros(len(y)), np.arange(len(y))
    rate = prediction_powered.estimate_powered_rate(
        y, f, alone, units, others, len(y) + np.arange(len(others))
    )
    for name, expected in REFERENCE["powered"].items():
        found = rate.error.se if name == "se" else getattr(rate, name)
        assert found == pytest.approx(expected, rel=1e-9)
    assert rate.error.se < rate.people_error.se
    parts = y - rate.tuning * f, rate.tuning * others
    assert rate.error.df == pytest.approx(compute_welch_df(*parts)[1])


def compute_welch_df(*parts):
    """Standard error of a difference of means, and Satterthwaite's degrees of freedom."""
    variances = np.array([np.var(part, ddof=1) / len(part) for part in parts])
    freedom = np.array([len(part) - 1 for part in parts])
    return np.sqrt(variances.sum()), variances.sum() ** 2 / (variances**2 / freedom).sum()


def test_what_people_judged_is_compared_with_the_rest_by_welch():
    parts = np.array([1.0, 0, 0, 1, 1, 1]), np.array([0.0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    units = np.arange(6), np.arange(10)
    found = prediction_powered.compare_judged(parts[0], units[0], parts[1], units[1], 0.9)
    se, df = compute_welch_df(*parts)
    half = stats.t.isf(0.05, df) * se
    assert found.value == pytest.approx(4 / 6 - 1 / 10)
    assert found.p == pytest.approx(2 * stats.t.sf(found.value / se, df))
    assert [found.ci_low, found.ci_high] == pytest.approx([found.value - half, found.value + half])
