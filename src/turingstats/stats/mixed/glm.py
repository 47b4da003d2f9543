"""Generalized linear models: binomial regressions without random effects."""

import warnings
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pandas as pd
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from turingstats.stats.mixed.fitted import Fit
from turingstats.stats.mixed.formula import build_design
from turingstats.stats.mixed.syntax import find_formula_columns, name_terms


def fit_glm(blank: Fit, table: pd.DataFrame, cluster: str | None) -> Fit:
    """Fit a generalized linear model with statsmodels, with cluster-robust errors if `cluster` is given."""
    data = blank.data
    design, names, notes = build_fixed_design(data.table, blank)
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
    notes = [*blank.notes, *notes]
    notes += [str(w.message) for w in caught if "eparation" in str(w.message)]
    fitted = np.asarray(result.fittedvalues)
    separated = bool(np.any((fitted < 1e-8) | (fitted > 1 - 1e-8)))
    if separated:
        notes.append(
            "separation: some fitted probabilities are 0 or 1; coefficients have no finite value"
        )
    return replace(
        blank,
        names=names,
        estimate=np.asarray(result.params, float),
        covariance=np.asarray(result.cov_params(), float),
        loglik=float(result.llf),
        parameters=len(names),
        converged=bool(result.converged) and not separated,
        notes=tuple(notes),
        groups=blank.groups | ({cluster: int(codes.max() + 1)} if cluster else {}),
        method=f"statsmodels {version('statsmodels')} GLM, binomial, logit, {how}",
        data=replace(data, design=design),
    )


def build_fixed_design(
    table: pd.DataFrame, blank: Fit
) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """Build the design of the fixed effects, without columns that are determined by others.

    Returns
    -------
    design : array, shape (rows, coefficients)
    names : tuple of str
    notes : tuple of str
        What was left out.
    """
    design, names = build_design(table, blank.data.fixed)
    # A triangular factor has the same dependent columns, and few rows.
    keep = find_independent_columns(np.linalg.qr(design).R)
    gone = [name_terms(name, blank.formula) for i, name in enumerate(names) if i not in keep]
    notes = (f"left out, determined by other terms: {', '.join(gone)}",) if gone else ()
    return design[:, keep], tuple(names[i] for i in keep), notes


def find_independent_columns(matrix: np.ndarray) -> list[int]:
    """Find the columns that are linearly independent of the preceding ones."""
    keep: list[int] = []
    for i in range(matrix.shape[1]):
        if np.linalg.matrix_rank(matrix[:, [*keep, i]]) > len(keep):
            keep.append(i)
    return keep
