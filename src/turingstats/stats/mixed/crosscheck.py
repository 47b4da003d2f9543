"""Cross-check of a fitted mixed model with a second engine, gpboost."""

import logging
from importlib.metadata import version
from typing import NamedTuple

import gpboost
import numpy as np
import pandas as pd

from turingstats.stats.mixed.formula import build_random_design

SMALLEST = 0.01
"""Initial standard deviation of a random effect in the second fit, if the first fit estimated 0."""

MOST_TRIALS = 100_000
"""With more verdicts, the second fit takes minutes and gigabytes."""


class Crosscheck(NamedTuple):
    """Results of another program for the same model."""

    estimate: np.ndarray
    se: np.ndarray
    sd: dict  # (group, effect) to standard deviation, where effects are independent
    loglik: float
    method: str


def explain_no_check(fitted):
    """Explain why a mixed model is not fitted again; empty if it is."""
    if fitted.trials <= MOST_TRIALS:
        return ""
    return f"not checked with gpboost, which takes minutes with more than {MOST_TRIALS:,} verdicts"


def fit_with_gpboost(fitted):
    """Fit a mixed model again with gpboost (Laplace, sparse Cholesky factors, one thread).

    Parameters
    ----------
    fitted : Fit
        Fit of a mixed model.

    Returns
    -------
    Crosscheck

    Notes
    -----
    The fit starts at the first fit's estimates and moves only if the likelihood increases, which takes one
    or two steps instead of up to two hundred; a difference means that the first fit had not reached the
    maximum. Likelihood and standard errors are computed independently.

    gpboost's effects are independent. Correlated effects are rotated into independent ones using the
    correlations of the first fit, so everything except these is checked. gpboost has no quadrature: if the
    first fit used it, the approximation differs, too.
    """
    # gpboost warns that a one-step search may have ended far from the maximum, although it started there.
    gpboost.register_logger(logging.getLogger("gpboost"))
    data = fitted.data
    groups, slopes, index, labels = [], [], [], []
    drop_intercept, intercepts, others = [], [], []
    for number, term in enumerate(data.random, start=1):
        # Numbers, because gpboost copies texts one by one.
        groups.append(pd.factorize(data.table[term.group.replace(":", "_by_")])[0])
        components = [c for c in fitted.components if c.group == term.group]
        effects = [c.effect for c in components if c.other is None]
        if len(effects) == 1:
            labels.append((term.group, effects[0]))
            drop_intercept.append(False)
            intercepts += [c.value for c in components]
            continue
        sd = np.array([c.value for c in components if c.other is None])
        correlation = np.eye(len(effects))
        for c in components:
            if c.other is not None and np.isfinite(c.value):
                i, j = effects.index(c.effect), effects.index(c.other)
                correlation[i, j] = correlation[j, i] = c.value
        z = build_random_design(data, term, effects)
        # b = A v with independent v: z'b = (z A)'v. A has ones on its diagonal.
        lower = np.linalg.cholesky(correlation * np.outer(sd, sd) + 1e-12 * np.eye(len(effects)))
        rotated = z @ (lower / np.diag(lower))
        drop_intercept.append(True)
        others += list(np.diag(lower))
        for column in rotated.T:
            slopes.append(column)
            index.append(number)
    options = {}
    if slopes:
        options = {
            "group_rand_coef_data": np.column_stack(slopes),
            "ind_effect_group_rand_coef": index,
            "drop_intercept_group_rand_effect": drop_intercept,
        }
    binary = bool((data.trials == 1).all())
    model = gpboost.GPModel(
        likelihood="bernoulli_logit" if binary else "binomial_logit",
        group_data=np.column_stack(groups),
        weights=None if binary else data.trials,
        # The default stochastic solvers give errors that are too small or missing.
        matrix_inversion_method="cholesky",
        num_parallel_threads=1,
        **options,
    )
    outcome = data.successes if binary else data.successes / data.trials
    # In gpboost's order: intercepts first, then slopes. A variance could not move away from 0.
    deviations = np.maximum(np.array(intercepts + others), SMALLEST)
    start = {"init_coef": fitted.estimate, "init_cov_pars": deviations**2}
    model.fit(y=outcome, X=data.design, params={"delta_rel_conv": 1e-10, **start})
    coefficients = model.get_coef(std_err=True).to_numpy()
    sd = {}
    if not slopes:
        variances = model.get_cov_pars(std_err=False).to_numpy().ravel()
        sd = dict(zip(labels, np.sqrt(np.maximum(variances, 0)).tolist(), strict=False))
    return Crosscheck(
        coefficients[0],
        coefficients[1],
        sd,
        -float(model.get_current_neg_log_likelihood()),
        f"gpboost {version('gpboost')}, Laplace approximation, Cholesky, delta_rel_conv 1e-10",
    )
