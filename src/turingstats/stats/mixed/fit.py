"""Fit a regression of verdicts: prepare its data, fit it, and put the fit in the common form."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import gammaln

from turingstats import __version__
from turingstats.stats.mixed.cells import MAX_SHARED, RandomTerm, arrange_cells, choose_sides
from turingstats.stats.mixed.fitted import NAN, Component, Fit, RandomEffects
from turingstats.stats.mixed.formula import (
    NOT_FITTED,
    build_random_design,
    find_patterns,
    prepare_data,
)
from turingstats.stats.mixed.glm import build_fixed_design, fit_glm
from turingstats.stats.mixed.maximum import find_maximum
from turingstats.stats.mixed.syntax import find_formula_columns

MAX_SPREAD = 20
"""Largest standard deviation of random effects on the logit scale; beyond it, all outcomes are certain."""

NODES = 7
"""Quadrature nodes per random effect, if quadrature is possible and there are few trials."""

FEW_TRIALS = 100
"""With fewer trials per group, Laplace's standard deviations are too small, and quadrature is used."""


def fit_model(
    table: pd.DataFrame,
    formula: str,
    quadrature: int | None = None,
    cluster: str | None = None,
    errors: bool = True,
) -> Fit:
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
        return fit_glm(blank, table, cluster)
    return fit_mixed_model(blank, quadrature, errors)


def fit_mixed_model(blank: Fit, quadrature: int | None, errors: bool) -> Fit:
    """Fit a mixed model; `blank` contains everything known before the fit."""
    data = blank.data
    pattern, distinct = find_patterns(data)
    design, names, notes = build_fixed_design(distinct, blank)
    notes = [*blank.notes, *notes]
    levels, terms, effects, shifts = [], [], [], []
    for term in data.random:
        # Sorted, so that the order of rows does not matter.
        codes, values = pd.factorize(data.table[term.group.replace(":", "_by_")], sort=True)
        matrix, labels = build_random_design(distinct, term)
        levels.append(tuple(map(str, values)))
        effects.append(tuple(labels))
        shifts.append(standardize_effects(matrix))
        terms.append(RandomTerm(codes, (matrix @ shifts[-1])[pattern]))
    sides = choose_sides(terms)
    if sides is None:
        why = (
            f"{NOT_FITTED}: more than about {MAX_SHARED:,} judges and stimuli need too much memory"
        )
        return replace(blank, notes=(*notes, why))
    single = len(terms) == 1 and terms[0].design.shape[1] <= 3
    few = data.trials.sum() / len(levels[0]) < FEW_TRIALS
    nodes = (quadrature or (NODES if few else 1)) if single else 1
    cells, cell = arrange_cells(design, pattern, terms, data.successes, data.trials, sides)
    maximum = find_maximum(cells, nodes, errors)
    if maximum is None:
        why = "separation: some outcomes are certain; coefficients have no finite value"
        return replace(blank, notes=(*notes, f"{NOT_FITTED}: {why}"))
    converged = maximum.converged
    if not converged:
        notes.append("the search for the maximum did not converge")
    for k, term in enumerate(data.random):
        if np.sqrt(((cells.effects[k] @ maximum.factors[k]) ** 2).sum(axis=1).mean()) > MAX_SPREAD:
            converged = False
            notes.append(
                f"outcomes hardly vary within {term.group}: its effects have no finite spread"
            )
    if not np.isfinite(maximum.covariance).all():
        notes.append("no standard errors: the data do not determine all parameters")
    probability = maximum.probability[cell]
    weight = data.trials * probability * (1 - probability)
    failures = data.trials - data.successes
    ways = gammaln(data.trials + 1) - gammaln(data.successes + 1) - gammaln(failures + 1)
    start, components, random = len(names), [], []
    for k, term in enumerate(data.random):
        size = len(effects[k])
        stop = start + size * (size + 1) // 2
        spread = maximum.covariance[start:stop, start:stop] if errors else None
        factor = shifts[k] @ maximum.factors[k]
        components += list_components(term.group, effects[k], factor, shifts[k], spread)
        start = stop
        original = RandomTerm(terms[k].level, terms[k].design @ np.linalg.inv(shifts[k]))
        random.append(
            RandomEffects(
                term.group,
                effects[k],
                levels[k],
                maximum.modes[cells.modes[k]] @ factor.T,
                measure_mode_errors(original, weight, factor @ factor.T),
            )
        )
    return replace(
        blank,
        names=names,
        estimate=maximum.estimate,
        covariance=maximum.covariance[: len(names), : len(names)],
        components=tuple(components),
        random=tuple(random),
        loglik=float(ways.sum() - maximum.deviance / 2),
        parameters=start,
        nodes=nodes,
        converged=converged,
        singular=any((np.diag(factor) == 0).any() for factor in maximum.factors),
        notes=tuple(notes),
        method=f"turingstats {__version__}, maximum likelihood, {describe_approximation(nodes)}, "
        f"Wald errors from the {'Hessian' if errors else 'fixed effects alone'}",
        data=replace(data, design=design[pattern]),
    )


def describe_approximation(nodes: int) -> str:
    """Describe the approximation of the integral over random effects."""
    return "Laplace approximation" if nodes == 1 else f"adaptive quadrature of {nodes} nodes"


def standardize_effects(design: np.ndarray) -> np.ndarray:
    """Find the matrix that gives the columns of a random term, after the intercept, mean 0 and SD 1.

    The likelihood is the same, and its maximum easier to find.
    """
    means, spreads = design.mean(axis=0), design.std(axis=0)
    shift = np.diag(1 / np.where(spreads > 0, spreads, 1))
    shift[0, 1:] = -means[1:] * np.diag(shift)[1:]
    return shift


def list_components(
    group: str,
    effects: Sequence[str],
    factor: np.ndarray,
    shift: np.ndarray,
    spread: np.ndarray | None,
) -> Iterator[Component]:
    """List the standard deviations and correlations of a random term.

    Parameters
    ----------
    factor : array, shape (effects, effects)
        Its product with its transpose is the covariance of the effects.
    shift : array, shape (effects, effects)
        From `standardize_effects`: `factor` is this matrix times a lower triangle.
    spread : array, optional
        Covariance of the estimated entries of the triangle; errors of standard deviations follow by the delta
        method.
    """
    sd = np.sqrt((factor**2).sum(axis=1))
    rows, columns = np.tril_indices(len(sd))
    for i, effect in enumerate(effects):
        for j in range(i):
            both = sd[i] * sd[j]
            value = float(factor[i] @ factor[j] / both) if both else NAN
            yield Component(group, effect, effects[j], value, NAN)
        # The standard deviation is the length of a row of `factor`.
        direction = factor[i] / sd[i] if sd[i] else np.eye(len(sd))[i]
        slope = shift[i, rows] * direction[columns]
        se = NAN if spread is None else float(np.sqrt(slope @ spread @ slope))
        yield Component(group, effect, None, float(sd[i]), se)


def measure_mode_errors(term: RandomTerm, weight: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Measure errors of conditional modes, given that all other effects are known, shape (levels, effects).

    Parameters
    ----------
    weight : array, shape (rows,)
    prior : array, shape (effects, effects)
        Covariance of the effects.
    """
    size, count = len(prior), int(term.level.max()) + 1
    information = np.empty((count, size, size))
    for i in range(size):
        for j in range(size):
            product = weight * term.design[:, i] * term.design[:, j]
            information[:, i, j] = np.bincount(term.level, product, count)
    # (Z'WZ + S^-1)^-1 = S (1 + Z'WZ S)^-1, written so that S may be singular.
    covariance = prior @ np.linalg.inv(np.eye(size) + information @ prior)
    return np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0))
