"""Fit a regression: choose the engine, and fit mixed models with glmm."""

import warnings
from dataclasses import replace
from importlib.metadata import version

import glmm
import numpy as np
import pandas as pd

from turingstats.stats.mixed import glm, large
from turingstats.stats.mixed.fitted import NAN, Component, Fit, RandomEffects
from turingstats.stats.mixed.formula import NOT_FITTED, build_random_design, prepare_data
from turingstats.stats.mixed.syntax import find_formula_columns, name_terms

NODES = 7
"""Quadrature nodes per random effect, if quadrature is possible and there are few trials."""

FEW_TRIALS = 100
"""With fewer trials per group, Laplace's standard deviations are too small, and quadrature is used."""


def fit_model(table, formula, quadrature=None, cluster=None, errors=True):
    """Fit a binomial regression.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per verdict, or one row of counts per group of verdicts.
    formula : str
        See `turingstats.stats.mixed`.
    quadrature : int, optional
        Nodes per random effect (odd; 1 is Laplace). By default 7 if the model has one grouping factor
        with at most three effects and fewer than 100 trials per group on average, otherwise 1. Crossed
        groups are always fitted with the Laplace approximation.
    cluster : str, optional
        Only for models without random terms: the column of the clusters, for cluster-robust errors.
    errors : bool
        False saves time if only the likelihood is needed: standard errors then treat the variances of the
        random effects as known.

    Returns
    -------
    Fit
    """
    columns = [*find_formula_columns(formula), *([cluster] if cluster else [])]
    present = [name for name in dict.fromkeys(columns) if name in table]
    data, groups, dropped, notes = prepare_data(pd.DataFrame(table)[present], formula)
    blank = Fit(
        formula, (), np.empty(0), np.empty((0, 0)), (), (), NAN, 0, len(data.table),
        int(data.trials.sum()), groups, 0, False, False, dropped, tuple(notes), "", data,
    )  # fmt: skip
    if not len(data.table):
        return replace(blank, notes=(*notes, f"{NOT_FITTED}: no row is complete"))
    if any(note.startswith(NOT_FITTED) for note in notes):
        return blank
    total = data.successes.sum()
    if total in (0, data.trials.sum()):
        return replace(blank, notes=(*notes, f"{NOT_FITTED}: the outcome is constant"))
    for name in find_formula_columns("y ~ " + data.fixed):
        levels = getattr(data.table.get(name), "cat", None)
        if levels is not None and len(levels.categories) < 2:
            why = f"{NOT_FITTED}: {name} has a single level, {levels.categories[0]}"
            return replace(blank, notes=(*notes, why))
    if not data.random:
        return glm.fit_glm(blank, table, cluster)
    return fit_glmm(blank, quadrature, errors)


def fit_glmm(blank, quadrature, errors):
    """Fit a mixed model with glmm; `blank` contains everything known before the fit."""
    data = blank.data
    effects = max(len(term.effects) for term in data.random)
    single = len(data.random) == 1 and effects <= 3
    few = data.trials.sum() / blank.groups[data.random[0].group] < FEW_TRIALS
    nodes = quadrature or (NODES if few else 1)
    if data.trials.sum() >= large.LEAST_TRIALS and (nodes == 1 or not single):
        fitted = large.fit_large(blank, errors)
        if fitted is not None:
            return fitted
    random = " + ".join(
        f"({' + '.join(term.effects)} | {term.group.replace(':', '_by_')})" for term in data.random
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = glmm.fit(
            data.table,
            f"{data.response} ~ {data.fixed} + {random}",
            family="binomial",
            nagq=nodes if single else 1,
            wald_se="hessian" if errors else "rx",
            anova_test="Wald",
        )
    notes = [str(warning.message) for warning in caught]
    notes = [note for note in notes if not note.startswith("Caution: Singular fit")]
    aliased = np.asarray(result.aliased, bool)
    left_out = [name for name, gone in zip(result.names, aliased, strict=True) if gone]
    notes = [note for note in notes if not left_out or "liased" not in note]
    if left_out:
        shown = ", ".join(name_terms(name, blank.formula) for name in left_out)
        notes.append(f"left out, determined by other terms: {shown}")
    keep = np.flatnonzero(~aliased)
    covariance = np.asarray(result.vcov, float)
    if covariance.shape != (len(keep), len(keep)):
        covariance = covariance[np.ix_(keep, keep)]
    matrix, _ = glmm.model_matrix(data.table, f"~ {data.fixed}")
    data = replace(data, design=np.asarray(matrix, float)[:, keep])
    # A diverged fit has no variances.
    complete = len(result.varcorr) == len(result.re_groups)
    fitted = replace(
        blank,
        names=tuple(np.asarray(result.names, dtype=object)[keep]),
        estimate=np.asarray(result.beta, float)[keep],
        covariance=covariance,
        components=tuple(extract_components(result)) if complete else (),
        loglik=float(result.loglik),
        parameters=int(result.df),
        nodes=int(result.nagq),
        converged=bool(result.converged),
        singular=bool(result.singular),
        notes=(*blank.notes, *notes),
        method=f"glmm {version('glmm')}, maximum likelihood, {describe_approximation(result.nagq)}, "
        f"Wald errors from the {'Hessian' if errors else 'fixed effects alone'}",
        data=data,
    )
    return replace(fitted, random=tuple(extract_random_effects(fitted, result)) if complete else ())


def describe_approximation(nodes):
    """Describe the approximation of the integral over random effects."""
    return "Laplace approximation" if nodes == 1 else f"adaptive quadrature of {nodes} nodes"


def extract_components(result):
    """Yield the standard deviations and correlations of a glmm fit."""
    errors = iter(np.asarray(result.stddev_se, float))
    for (group, effects), packed in zip(result.re_groups, result.varcorr, strict=True):
        matrix = unpack_triangle(packed, len(effects))
        sd = np.sqrt(np.diag(matrix))
        # Rows of the packed triangle; only standard deviations have an error.
        for i, effect in enumerate(effects):
            for j in range(i + 1):
                se = next(errors, NAN)
                name = group.replace("_by_", ":")
                if i == j:
                    yield Component(name, effect, None, float(sd[i]), float(se))
                else:
                    both = sd[i] * sd[j]
                    value = matrix[i, j] / both if both else NAN
                    yield Component(name, effect, effects[j], float(value), NAN)


def unpack_triangle(packed, size):
    """Build a symmetric matrix from its lower triangle, stored row by row."""
    matrix = np.zeros((size, size))
    matrix[np.tril_indices(size)] = packed
    return matrix + np.tril(matrix, -1).T


def extract_random_effects(fitted, result):
    """Yield conditional modes and their errors, given that all other effects are known."""
    probability = np.asarray(result.fitted, float)
    weight = fitted.data.trials * probability * (1 - probability)
    packed = {
        group: matrix for (group, _), matrix in zip(result.re_groups, result.varcorr, strict=True)
    }
    terms = {term.group.replace(":", "_by_"): term for term in fitted.data.random}
    for block in result.ranef_blocks:
        levels = np.array([str(level) for level in block["levels"]])
        order = np.argsort(levels)
        codes = order[np.searchsorted(levels[order], fitted.data.table[block["group"]].astype(str))]
        z = build_random_design(fitted.data, terms[block["group"]], block["terms"])
        information = np.zeros((len(levels), z.shape[1], z.shape[1]))
        np.add.at(information, codes, weight[:, None, None] * z[:, :, None] * z[:, None, :])
        prior = unpack_triangle(packed[block["group"]], z.shape[1])
        # (Z'WZ + S^-1)^-1 = S - S (S + (Z'WZ)^-1)^-1 S, written so that S may be singular.
        inside = np.eye(z.shape[1]) + information @ prior
        covariance = prior @ np.linalg.inv(inside)
        errors = np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0))
        yield RandomEffects(
            terms[block["group"]].group,
            tuple(block["terms"]),
            tuple(levels),
            np.asarray(block["values"], float),
            errors,
        )
