"""Fit large mixed models with random intercepts, for which glmm takes minutes."""

from dataclasses import replace

import glmm
import numpy as np
import pandas as pd
from scipy.special import gammaln

from turingstats import __version__
from turingstats.stats.mixed import cells as layout
from turingstats.stats.mixed import laplace
from turingstats.stats.mixed.fitted import Component, Fit, RandomEffects
from turingstats.stats.mixed.formula import Data
from turingstats.stats.mixed.glm import find_independent_columns
from turingstats.stats.mixed.syntax import find_formula_columns, name_terms

LEAST_TRIALS = 20_000
"""With fewer trials glmm takes seconds at most; all bundled studies have fewer."""

INTERCEPT = "(Intercept)"


def fit_large(blank: Fit, errors: bool) -> Fit | None:
    """Fit a mixed model with `turingstats.stats.mixed.laplace`.

    Parameters
    ----------
    blank : Fit
        Everything known before the fit.
    errors : bool
        As in `turingstats.stats.mixed.fit.fit_model`.

    Returns
    -------
    Fit or None
        None if the model has random slopes, too many levels on both sides, or no maximum: glmm then says why.
    """
    data = blank.data
    if data is None or any(len(term.effects) > 1 for term in data.random):
        return None
    columns = [term.group.replace(":", "_by_") for term in data.random]
    coded = [pd.factorize(data.table[name].astype(object), sort=True) for name in columns]
    codes = [code for code, _ in coded]
    sides = layout.choose_sides(codes)
    if sides is None:
        return None
    pattern, design, names = find_patterns(data)
    # A triangular factor has the same dependent columns, and few rows.
    keep = find_independent_columns(np.linalg.qr(design, mode="r"))
    design, notes = design[:, keep], list(blank.notes)
    if len(keep) < len(names):
        gone = [name_terms(name, blank.formula) for i, name in enumerate(names) if i not in keep]
        notes.append(f"left out, determined by other terms: {', '.join(gone)}")
    cells, cell = layout.arrange_cells(design, pattern, codes, data.successes, data.trials, sides)
    result = laplace.fit_laplace(cells, errors)
    if result is None or not result.converged:
        return None
    probability = result.probability[cell]
    weight = data.trials * probability * (1 - probability)
    failures = data.trials - data.successes
    ways = gammaln(data.trials + 1) - gammaln(data.successes + 1) - gammaln(failures + 1)
    source = "Hessian" if errors else "fixed effects alone"
    method = f"turingstats {__version__}, maximum likelihood, Laplace approximation by blocks"
    groups = [term.group for term in data.random]
    return replace(
        blank,
        names=tuple(names[i] for i in keep),
        estimate=result.estimate,
        covariance=result.covariance,
        components=tuple(
            Component(group, INTERCEPT, None, float(sd), float(se))
            for group, sd, se in zip(groups, result.sd, result.sd_se, strict=True)
        ),
        random=tuple(
            RandomEffects(
                group,
                (INTERCEPT,),
                tuple(map(str, levels)),
                modes[:, None],
                measure_mode_errors(code, weight, sd)[:, None],
            )
            for group, (code, levels), modes, sd in zip(
                groups, coded, result.modes, result.sd, strict=True
            )
        ),
        loglik=float(ways.sum() - result.deviance / 2),
        parameters=len(keep) + len(groups),
        nodes=1,
        converged=True,
        singular=bool((result.sd == 0).any()),
        notes=tuple(notes),
        method=f"{method}, Wald errors from the {source}",
        data=replace(data, design=design[pattern]),
    )


def find_patterns(data: Data) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Find the distinct rows of the fixed effects.

    Returns
    -------
    pattern : array of int, shape (rows,)
    design : array, shape (patterns, coefficients)
    names : list of str
    """
    table = data.table
    columns = [
        name
        for name in find_formula_columns("y ~ " + data.fixed)
        if name in table and name != data.response
    ]
    pattern = np.zeros(len(table), int)
    if columns:
        pattern = table.groupby(columns, observed=True).ngroup().to_numpy()
    _, first = np.unique(pattern, return_index=True)
    matrix, names = glmm.model_matrix(table.iloc[first], f"~ {data.fixed}")
    return pattern, np.asarray(matrix, float), list(names)


def measure_mode_errors(code: np.ndarray, weight: np.ndarray, sd: float) -> np.ndarray:
    """Measure errors of conditional modes of a random intercept, given that all other effects are known."""
    return sd / np.sqrt(1 + sd**2 * np.bincount(code, weight))
