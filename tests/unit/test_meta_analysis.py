"""Random-effects meta-analysis: what must hold whatever the numbers."""

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from turingstats.stats import meta_analysis
from turingstats.stats.meta_analysis import fit_random_effects

VALUES = np.array([-0.9, -1.6, -0.2, 0.1, -0.5, -1.1])
VARIANCES = np.array([0.04, 0.2, 0.05, 0.01, 0.06, 0.1])


def test_q_is_that_of_statsmodels():
    fit = fit_random_effects(VALUES, VARIANCES)
    assert fit.q == pytest.approx(combine_effects(VALUES, VARIANCES).q)
    assert fit.q_df == 5


def test_an_error_shared_by_all_does_not_shrink_with_their_number():
    covariance = np.diag(np.full(50, 0.01)) + 0.04
    fit = fit_random_effects(np.full(50, -1.0), covariance, at_least_model=True)
    assert fit.se[0] == pytest.approx(np.sqrt(0.04 + 0.01 / 50), rel=1e-3)
    alone = fit_random_effects(np.full(50, -1.0), np.diag(covariance), at_least_model=True)
    assert alone.se[0] < fit.se[0] / 5


def test_two_estimates_have_no_interval():
    fit = fit_random_effects(VALUES[:2], VARIANCES[:2])
    assert fit.df[0] == 1
    assert np.isnan(fit.compute_intervals(0.95)).all()
    assert np.isfinite(fit.coefficients).all()


def test_levels_find_their_own_variance():
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(60), 4)
    values = rng.normal(0, 0.8, 60)[groups] + rng.normal(0, 0.3, 240) + rng.normal(0, 0.1, 240)
    fit = fit_random_effects(values, np.full(240, 0.01), levels=[groups, np.arange(240)])
    np.testing.assert_allclose(np.sqrt(fit.variances), [0.8, 0.3], rtol=0.15)


def test_means_of_groups_keep_shared_errors():
    covariance = np.eye(4) + 1
    means, shared = meta_analysis.average_by_group([1, 3, 5, 9], covariance, ["a", "a", "b", "b"])
    assert list(means) == [2, 7]
    np.testing.assert_allclose(shared, [[1.5, 1], [1, 1.5]])


def test_noisy_correlations_make_a_covariance():
    correlation = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    covariance = meta_analysis.make_covariance(correlation, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.diag(covariance), [1, 4, 9])
    assert np.linalg.eigvalsh(covariance).min() > 0
