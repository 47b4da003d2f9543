"""Generalized linear models: binomial regressions without random effects."""

import warnings
from dataclasses import replace
from importlib.metadata import version

import glmm
import numpy as np
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from turingstats.stats.mixed.syntax import find_formula_columns, name_terms


def fit_glm(blank, table, cluster):
    """Fit a generalized linear model with statsmodels, with cluster-robust errors if `cluster` is given."""
    data = blank.data
    matrix, names = glmm.model_matrix(data.table, f"~ {data.fixed}")
    keep = find_independent_columns(np.asarray(matrix, float))
    design = np.asarray(matrix, float)[:, keep]
    notes = list(blank.notes)
    if len(keep) < len(names):
        gone = [name_terms(name, blank.formula) for i, name in enumerate(names) if i not in keep]
        notes.append(f"left out, determined by other terms: {', '.join(gone)}")
    outcome = np.column_stack([data.successes, data.trials - data.successes])
    options, how = {}, "errors of independent trials"
    if cluster:
        rows = table.reset_index(drop=True)[find_formula_columns(blank.formula)].dropna().index
        codes = np.unique(table[cluster].astype(str).to_numpy()[rows], return_inverse=True)[1]
        options = {"cov_type": "cluster", "cov_kwds": {"groups": codes}}
        how = f"errors robust to {codes.max() + 1} clusters ({cluster})"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # A family object keeps the counts of an earlier fit, so each fit gets a new one.
        result = GLM(outcome, design, family=Binomial()).fit(**options)
    notes += [str(w.message) for w in caught if "eparation" in str(w.message)]
    fitted = np.asarray(result.fittedvalues)
    separated = bool(np.any((fitted < 1e-8) | (fitted > 1 - 1e-8)))
    if separated:
        notes.append(
            "separation: some fitted probabilities are 0 or 1; coefficients have no finite value"
        )
    return replace(
        blank,
        names=tuple(names[i] for i in keep),
        estimate=np.asarray(result.params, float),
        covariance=np.asarray(result.cov_params(), float),
        loglik=float(result.llf),
        parameters=len(keep),
        converged=bool(result.converged) and not separated,
        notes=tuple(notes),
        groups=blank.groups | ({cluster: int(codes.max() + 1)} if cluster else {}),
        method=f"statsmodels {version('statsmodels')} GLM, binomial, logit, {how}",
        data=replace(data, design=design),
    )


def find_independent_columns(matrix):
    """Find the columns that are linearly independent of the preceding ones."""
    keep = []
    for i in range(matrix.shape[1]):
        if np.linalg.matrix_rank(matrix[:, [*keep, i]]) > len(keep):
            keep.append(i)
    return keep
