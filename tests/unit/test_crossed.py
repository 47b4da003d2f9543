"""Errors over judges and stimuli, against statsmodels and by hand."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from turingstats.stats import crossed
from turingstats.stats.quantities import differentiate_quantity

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


@pytest.mark.parametrize("seed", range(5))
def test_variance_is_that_of_statsmodels(seed):
    judges, stimuli, right = draw_verdicts(np.random.default_rng(seed))
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
    assert error.judges == pytest.approx(by_unit["judges"])
    assert error.stimuli == pytest.approx(by_unit["stimuli"])
    assert error.verdicts == pytest.approx(rate * (1 - rate) / len(right))
    wanted = by_unit["judges"] + by_unit["stimuli"] - error.verdicts
    assert error.se**2 == pytest.approx(max(wanted, *by_unit.values()))


def test_stimuli_that_no_two_judges_see_add_nothing():
    judges, _, right = draw_verdicts(np.random.default_rng(1))
    _, influence = measure_rate(right)
    own = crossed.estimate_crossed_error(influence, judges, np.arange(len(right)))
    n = len(right)
    assert own.stimuli == pytest.approx(own.verdicts * n / (n - 1))
    assert own.se**2 == pytest.approx(max(own.judges + own.verdicts / (n - 1), own.stimuli))


def test_one_judge_or_one_stimulus_is_no_sample():
    right = np.array([1.0, 0, 1, 1])
    _, influence = measure_rate(right)
    alone = crossed.estimate_crossed_error(influence, np.zeros(4), np.arange(4))
    assert np.isnan(alone.se)
    assert np.isnan(crossed.estimate_crossed_error(influence, np.arange(4), np.zeros(4)).se)
    assert np.isnan(crossed.compute_crossed_interval(0.75, alone, 0.95)).all()


def test_units_without_trials_do_not_count():
    judges, stimuli, right = draw_verdicts(np.random.default_rng(2))
    _, influence = measure_rate(right)
    more = np.append(influence, [0.0, 0.0])
    shown = np.append(np.ones(len(right), bool), [False, False])
    with_others = crossed.estimate_crossed_error(
        more, np.append(judges, [98, 99]), np.append(stimuli, [98, 99]), shown
    )
    assert with_others == pytest.approx(crossed.estimate_crossed_error(influence, judges, stimuli))


def test_tables_are_computed_at_once():
    rng = np.random.default_rng(3)
    judges, stimuli, right = draw_verdicts(rng)
    both = np.column_stack([measure_rate(right)[1], measure_rate(1 - right)[1]])
    error = crossed.estimate_crossed_error(both, judges, stimuli)
    assert error.se.shape == (2,)
    # The rate of wrong verdicts varies as that of right ones.
    assert error.se[0] == pytest.approx(error.se[1])


def test_interval_of_a_share_is_on_the_logit_scale():
    error = crossed.CrossedError(*map(np.array, (0.05, 11.0, 0, 0, 0)))
    low, high = crossed.compute_crossed_interval(0.9, error, 0.95)
    reach = stats.t.ppf(0.975, 11) * 0.05 / 0.09
    assert np.log(low / (1 - low)) == pytest.approx(np.log(9) - reach)
    assert np.log(high / (1 - high)) == pytest.approx(np.log(9) + reach)
    low, high = crossed.compute_crossed_interval(0.9, error, 0.95, share=False)
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * 0.05)
    assert np.isnan(crossed.compute_crossed_interval(1.0, error, 0.95)).all()
