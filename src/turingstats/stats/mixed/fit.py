"""Fit a regression of verdicts: prepare its data, fit it, and put the fit in the common form."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import gammaln

from turingstats import __version__
from turingstats.stats.mixed.cells import MAX_SHARED, RandomTerm, arrange_cells
from turingstats.stats.mixed.formula import (
    NOT_FITTED,
    Data,
    build_design,
    build_fixed_design,
    find_patterns,
    prepare_data,
)
from turingstats.stats.mixed.maximum import Maximum, find_maximum
from turingstats.stats.mixed.syntax import Term, find_formula_columns

NAN = float("nan")
MAX_SPREAD = 20
"""Largest standard deviation of random effects on the logit scale; beyond it, all outcomes are certain."""

NO_ERRORS = "no standard errors: the data do not determine all parameters"

NODES = 7
"""Quadrature nodes per random effect, if quadrature is possible and there are few trials."""

FEW_TRIALS = 100
"""With fewer trials per group, Laplace's standard deviations are too small, and quadrature is used."""


class Component(NamedTuple):
    """Standard deviation of a random effect (`other` is None), or correlation of two effects of a group."""

    group: str
    effect: str
    other: str | None
    value: float
    se: float


class FittedTerm(NamedTuple):
    """A random term of a model."""

    group: str
    effects: tuple[str, ...]
    original: RandomTerm
    shift: np.ndarray  # of `standardize_effects`


@dataclass(frozen=True)
class Fit:
    """A fitted model."""

    formula: str
    data: Data = field(repr=False)
    n: int  # rows used (for aggregated counts: rows, not trials)
    trials: int  # verdicts used
    groups: dict[str, int]  # levels of each grouping factor
    dropped: str  # rows that were left out, with reasons
    notes: tuple[str, ...]  # problems to report: separation, a constant outcome, dropped terms
    names: tuple[str, ...] = ()  # coefficients, without aliased ones
    # Fixed effects, shape (rows, coefficients).
    design: np.ndarray = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    # Coefficients on the logit scale, and their covariance; NaN if it could not be computed.
    estimate: np.ndarray = field(default_factory=lambda: np.empty(0))
    covariance: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    components: tuple[Component, ...] = ()
    # Covariance of the effects of each random term in the population, shape (effects, effects).
    random: tuple[np.ndarray, ...] = ()
    loglik: float = NAN
    nodes: int = 0  # quadrature nodes; 1 is the Laplace approximation, 0 means no random effects
    converged: bool = False
    singular: bool = False  # a variance is estimated as 0, or a correlation as 1
    method: str = ""  # program, version, options

    @property
    def se(self) -> np.ndarray:
        """Standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def df(self) -> float:
        """Degrees of freedom of tests: the judges or stimuli, whichever are fewer, less the coefficients.

        Errors come from so many units, not from so many verdicts. Infinite without random effects.
        """
        if not self.random:
            return np.inf
        return float(max(min(self.groups.values()) - len(self.names), 1))

    @property
    def usable(self) -> bool:
        """Whether estimates and standard errors exist."""
        return self.converged and bool(np.isfinite(self.se).all()) and len(self.names) > 0


def fit_model(
    table: pd.DataFrame,
    formula: str,
    quadrature: int | None = None,
    cluster: str | None = None,
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
    """
    present = [name for name in dict.fromkeys(find_formula_columns(formula)) if name in table]
    data, groups, dropped, notes = prepare_data(pd.DataFrame(table)[present], formula)
    trials = int(data.trials.sum())
    blank = Fit(formula, data, len(data.table), trials, groups, dropped, tuple(notes))
    if not len(data.table):
        return replace(blank, notes=(*notes, f"{NOT_FITTED}: no row is complete"))
    if data.successes.sum() in (0, trials):
        return replace(blank, notes=(*notes, f"{NOT_FITTED}: the outcome is constant"))
    for name in find_formula_columns("y ~ " + data.fixed):
        levels = getattr(data.table.get(name), "cat", None)
        if levels is not None and len(levels.categories) < 2:
            why = f"{NOT_FITTED}: {name} has a single level, {levels.categories[0]}"
            return replace(blank, notes=(*notes, why))
    if not data.random:
        return fit_glm(blank, table, cluster)
    return fit_mixed_model(blank, quadrature)


def fit_mixed_model(blank: Fit, quadrature: int | None) -> Fit:
    """Fit a mixed model; `blank` contains everything known before the fit."""
    data = blank.data
    pattern, distinct = find_patterns(data)
    design, names, aliased = build_fixed_design(distinct, data.fixed)
    blank = replace(blank, notes=(*blank.notes, *aliased))
    terms = [arrange_term(data, term, distinct, pattern) for term in data.random]
    failures = data.trials - data.successes
    # A row of counts is one of successes and one of failures.
    rows = [np.flatnonzero(counts) for counts in (failures, data.successes)]
    row, codes = np.concatenate(rows), np.repeat([0, 1], [len(each) for each in rows])
    counts = np.where(codes, data.successes[row], failures[row])
    random_terms = [
        RandomTerm(term.level[row], term.design[row], term.paired)
        for term in pair_terms(data, terms)
    ]
    arranged = arrange_cells(design, pattern[row], random_terms, codes, counts)
    if arranged is None:
        why = f"more than about {MAX_SHARED:,} judges and stimuli need too much memory"
        return replace(blank, notes=(*blank.notes, f"{NOT_FITTED}: {why}"))
    cells, _ = arranged
    single = len(terms) == 1 and len(terms[0].effects) <= 3
    few = data.trials.sum() / (terms[0].original.level.max() + 1) < FEW_TRIALS
    nodes = (quadrature or (NODES if few else 1)) if single else 1
    maximum = find_maximum(cells, nodes)
    if maximum is None:
        why = "separation: some outcomes are certain; coefficients have no finite value"
        return replace(blank, notes=(*blank.notes, f"{NOT_FITTED}: {why}"))
    components, triangles, problems = describe_effects(terms, maximum, len(names))
    factors = [term.shift @ triangle for term, triangle in zip(terms, triangles, strict=True)]
    ways = gammaln(data.trials + 1) - gammaln(data.successes + 1) - gammaln(failures + 1)
    notes = [*problems, *[NO_ERRORS] * (not np.isfinite(maximum.covariance).all())]
    approximation = (
        f"adaptive quadrature of {nodes} nodes" if nodes > 1 else "Laplace approximation"
    )
    return replace(
        blank,
        names=names,
        estimate=maximum.parameters[: len(names)],
        covariance=maximum.covariance[: len(names), : len(names)],
        components=tuple(components),
        random=tuple(factor @ factor.T for factor in factors),
        loglik=float(ways.sum() - maximum.deviance / 2),
        nodes=nodes,
        converged=not problems,
        singular=any((np.diag(triangle) == 0).any() for triangle in triangles),
        notes=(*blank.notes, *notes),
        method=f"turingstats {__version__}, maximum likelihood, {approximation}, "
        "Wald errors from the Hessian",
        design=design[pattern],
    )


def arrange_term(data: Data, term: Term, distinct: pd.DataFrame, pattern: np.ndarray) -> FittedTerm:
    """Arrange a random term; `distinct` are the rows of which `pattern` numbers one for each row."""
    # Sorted, so that the order of rows does not matter.
    codes, _ = pd.factorize(data.table[term.group.replace(":", "_by_")], sort=True)
    matrix, labels = build_design(distinct, " + ".join(term.effects))
    original = RandomTerm(codes, matrix[pattern])
    return FittedTerm(term.group, tuple(labels), original, standardize_effects(matrix))


def pair_terms(data: Data, terms: list[FittedTerm]) -> list[RandomTerm]:
    """Standardize random terms; (1 | judge) + (1 | judge:kind) with two kinds is one of two effects."""
    paired: list[RandomTerm] = []
    for k, term in enumerate(terms):
        outer, _, kind = term.group.rpartition(":")
        last = terms[k - 1]
        follows = k and outer == last.group and not paired[-1].paired
        if follows and len(term.effects) == len(last.effects) == 1 and kind in data.table:
            kinds = pd.factorize(data.table[kind], sort=True)[0]
            if kinds.max() == 1:
                paired[-1] = RandomTerm(last.original.level, np.eye(2)[kinds], True)
                continue
        paired.append(RandomTerm(term.original.level, term.original.design @ term.shift))
    return paired


def describe_effects(
    terms: Sequence[FittedTerm], maximum: Maximum, stop: int
) -> tuple[list[Component], list[np.ndarray], list[str]]:
    """Describe the random effects of a fit, whose coefficients stop at `stop`: their spread, the triangle of
    each term, and what is wrong with them.
    """
    problems = [] if maximum.converged else ["the search for the maximum did not converge"]
    components, triangles = [], []
    for term in terms:
        rows, columns = np.tril_indices(len(term.effects))
        at = slice(stop, stop := stop + len(rows))
        triangle = np.zeros((len(term.effects),) * 2)
        triangle[rows, columns] = maximum.parameters[at]
        factor = term.shift @ triangle
        if np.sqrt(((term.original.design @ factor) ** 2).sum(axis=1).mean()) > MAX_SPREAD:
            why = "its effects have no finite spread"
            problems.append(f"outcomes hardly vary within {term.group}: {why}")
        spread = maximum.covariance[at, at]
        components += list_components(term.group, term.effects, factor, term.shift, spread)
        triangles.append(triangle)
    return components, triangles, problems


def fit_glm(blank: Fit, table: pd.DataFrame, cluster: str | None) -> Fit:
    """Fit a generalized linear model with statsmodels, with cluster-robust errors if `cluster` is given."""
    # Imported here: it takes most of a second, and most models have random effects.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    data = blank.data
    design, names, aliased = build_fixed_design(data.table, data.fixed)
    outcome = np.column_stack([data.successes, data.trials - data.successes])
    options, how = {}, "errors of independent trials"
    if cluster:
        rows = table.reset_index(drop=True)[find_formula_columns(blank.formula)].dropna().index
        codes = np.unique(table[cluster].astype(str).to_numpy()[rows], return_inverse=True)[1]
        options = {"cov_type": "cluster", "cov_kwds": {"groups": codes}}
        how = f"errors robust to {codes.max() + 1} clusters ({cluster})"
    with warnings.catch_warnings():
        # That of separation is also given where there are as many coefficients as kinds of rows.
        warnings.simplefilter("ignore")
        # A family object keeps the counts of an earlier fit, so each fit gets a new one.
        result = GLM(outcome, design, family=Binomial()).fit(**options)
    notes = [*blank.notes, *aliased]
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
        converged=bool(result.converged) and not separated,
        notes=tuple(notes),
        groups=blank.groups | ({cluster: int(codes.max() + 1)} if cluster else {}),
        method=f"statsmodels {version('statsmodels')} GLM, binomial, logit, {how}",
        design=design,
    )


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
    spread: np.ndarray,
) -> Iterator[Component]:
    """List the standard deviations and correlations of a random term.

    The product of `factor` with its transpose is the covariance of the effects; it is `shift`, of
    `standardize_effects`, times a lower triangle. `spread` is the covariance of the estimated entries of the
    triangle; errors of standard deviations follow by the delta method.
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
        se = float(np.sqrt(slope @ spread @ slope))
        yield Component(group, effect, None, float(sd[i]), se)
