"""Binomial (logit) regressions of verdicts: mixed models, and generalized linear ones.

One interface, `fit`, whatever the engine. A formula such as ``said_machine ~ agent + (1 | judge) +
(1 | stimulus)`` with terms in brackets is a mixed model and fitted by glmm (maximum likelihood, Laplace
approximation or adaptive Gauss-Hermite quadrature, as lme4); one without is a generalized linear model
and fitted by statsmodels, with errors that allow for clusters where `cluster` names them.
`second_opinion` fits the same mixed model with gpboost, an unrelated program.

The response is a column of 0 and 1 (or of booleans), or ``cbind(successes, failures)``. Text columns are
factors, compared with their first level. Nothing that goes wrong is hidden: see `Fit.notes`.
"""

import itertools
import logging
import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

NAN = float("nan")

NODES = 7
"""Quadrature nodes per random effect, where quadrature is possible and trials are few."""
SMALLEST = 0.01
"""Standard deviation of a random effect that a second fit starts from where the first found none."""
FEW_TRIALS = 100
"""Fewer trials per group than this make Laplace's standard deviations too small: quadrature then."""


class Term(NamedTuple):
    """A random term ``(1 + slope | group)`` of a formula; `group` may join columns by a colon."""

    effects: tuple[str, ...]
    group: str


class Component(NamedTuple):
    """Standard deviation of a random effect (`other` None), or correlation of two of one group."""

    group: str
    effect: str
    other: str | None
    value: float
    se: float


class RandomEffects(NamedTuple):
    """Conditional modes of the random effects of one group, and their conditional errors."""

    group: str
    effects: tuple[str, ...]
    levels: tuple[str, ...]
    values: np.ndarray  # (levels, effects)
    errors: np.ndarray  # (levels, effects)


@dataclass(frozen=True)
class Fit:
    """A fitted model.

    Attributes
    ----------
    formula : str
    names : tuple of str
        Coefficients, without those that the others determine.
    estimate : array, shape (coefficients,)
        On the logit scale.
    covariance : array, shape (coefficients, coefficients)
        NaN where the program could not compute it.
    components : tuple of Component
        Of the random effects; empty for a generalized linear model.
    random : tuple of RandomEffects
    loglik : float
    parameters : int
        Coefficients, variances and correlations.
    n : int
        Rows used (of aggregated counts: rows, not trials).
    trials : int
        Verdicts used.
    groups : dict of str to int
        Levels of each grouping factor.
    nodes : int
        Quadrature nodes; 1 is the Laplace approximation, 0 means no random effects.
    converged, singular : bool
        Singular: some variance is estimated as 0, or some correlation as 1.
    dropped : str
        Rows that were left out, and why.
    notes : tuple of str
        What a reader must know: separation, a constant outcome, terms that were dropped.
    method : str
        Program, version, options.
    """

    formula: str
    names: tuple[str, ...]
    estimate: np.ndarray
    covariance: np.ndarray
    components: tuple[Component, ...]
    random: tuple[RandomEffects, ...]
    loglik: float
    parameters: int
    n: int
    trials: int
    groups: dict
    nodes: int
    converged: bool
    singular: bool
    dropped: str
    notes: tuple[str, ...]
    method: str
    data: "Data" = field(repr=False, default=None)

    @property
    def se(self):
        """Standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def usable(self):
        """Whether estimates and standard errors exist."""
        return self.converged and bool(np.isfinite(self.se).all()) and len(self.names) > 0


@dataclass(frozen=True)
class Data:
    """The rows of a fit in the form that engines want.

    Attributes
    ----------
    table : pandas.DataFrame
        The rows used, factors as categories.
    fixed : str
        Right-hand side of the formula without random terms.
    design : array, shape (rows, coefficients)
        Of the fixed effects, without aliased columns.
    successes, trials : array, shape (rows,)
    random : tuple of Term
        Those that were fitted, the group with most levels first.
    response : str
    """

    table: object
    fixed: str
    design: np.ndarray
    successes: np.ndarray
    trials: np.ndarray
    random: tuple[Term, ...]
    response: str


# --- formula and data --------------------------------------------------------------------------


def parse(formula):
    """Split a formula into response, fixed part and random terms.

    Returns
    -------
    response : str
        A column, or ``cbind(successes,failures)``.
    fixed : str
    random : tuple of Term

    Raises
    ------
    ValueError
        The formula has no ``~``, or brackets that are no random term.
    """
    if formula.count("~") != 1:
        raise ValueError(f"a formula needs one ~, found {formula!r}")
    response, right = (side.strip() for side in formula.split("~"))
    random = []

    def take(match):
        if "||" in match.group(1):
            raise ValueError(f"{formula!r}: || is not offered; effects of one group are correlated")
        effects, group = match.group(1).split("|")
        effects = tuple(part.strip() for part in effects.split("+") if part.strip() != "1")
        if "0" in effects:
            raise ValueError(f"{formula!r}: a random slope needs its random intercept")
        random.append(Term(("1", *effects), group.replace(" ", "")))
        return ""

    fixed = re.sub(r"\+?\s*\(([^()]*\|[^()]*)\)", take, right).strip().lstrip("+").strip()
    return response.replace(" ", ""), fixed or "1", tuple(random)


def columns_of(formula):
    """Columns of the data that a formula names."""
    response, fixed, random = parse(formula)
    text = " ".join(
        [response.removeprefix("cbind"), fixed, *(f"{t.effects} {t.group}" for t in random)]
    )
    return sorted({name for name in re.findall(r"[A-Za-z_]\w*", text)})


def prepare(table, formula):
    """Take the rows and columns that a formula needs.

    Parameters
    ----------
    table : pandas.DataFrame
    formula : str

    Returns
    -------
    data : Data
        Without `design`, and with random terms of one level left out.
    groups : dict of str to int
    dropped : str
    notes : list of str

    Raises
    ------
    ValueError
        A column is missing, or the response is neither 0 nor 1.
    """

    response, fixed, random = parse(formula)
    needed = columns_of(formula)
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"{formula!r}: no column {', '.join(missing)}; there are {list(table)}")
    used = table[needed].dropna()
    lost = len(table) - len(used)
    holes = [f"{name} {n}" for name, n in table[needed].isna().sum().items() if n]
    dropped = f"{lost} rows without a value ({', '.join(holes)})" if lost else ""
    used = used.reset_index(drop=True).copy()
    groups, kept, notes = {}, [], []
    for term in random:
        parts = term.group.split(":")
        name = "_by_".join(parts)
        levels = used[parts[0]].astype(str)
        for part in parts[1:]:
            levels = levels + ":" + used[part].astype(str)
        groups[term.group] = levels.nunique()
        if groups[term.group] < 2:
            notes.append(f"random effect of {term.group} left out: it has a single level")
            continue
        used[name] = levels.to_numpy(dtype=object)
        kept.append(term)
    for name in needed:
        if not pd.api.types.is_numeric_dtype(used[name]) or pd.api.types.is_bool_dtype(used[name]):
            values = set(used[name])
            ordered = getattr(used[name].dtype, "categories", sorted(values))
            present = [str(level) for level in ordered if level in values]
            used[name] = pd.Categorical(used[name].astype(str), present)
    if response.startswith("cbind("):
        yes, no = response[6:-1].split(",")
        successes = used[yes].to_numpy(float)
        trials = successes + used[no].to_numpy(float)
    else:
        values = table.loc[table[needed].dropna().index, response].to_numpy(float)
        if not np.isin(values, (0, 1)).all():
            raise ValueError(f"{formula!r}: {response} must be 0 or 1")
        used[response] = values
        successes, trials = values, np.ones(len(values))
    kept = sorted(kept, key=lambda term: place_of(term, kept, groups))
    data = Data(used, fixed, None, successes, trials, tuple(kept), response)
    return data, groups, dropped, notes


def place_of(term, terms, groups):
    """Sorting key of random terms: the program is up to ten times faster in this order.

    Groups nested in each other (judge:made_by in judge) stand together, the outer one first; those with
    most levels together come first of all. The estimates are the same in any order.
    """

    def outermost(group):
        return next(t.group for t in by_length if f"{group}:".startswith(f"{t.group}:"))

    by_length = sorted(terms, key=lambda t: len(t.group))
    own = outermost(term.group)
    together = sum(groups[t.group] for t in terms if outermost(t.group) == own)
    return -together, own, groups[term.group]


# --- fitting -----------------------------------------------------------------------------------


def fit(table, formula, quadrature=None, cluster=None, errors=True):
    """Fit a binomial regression.

    Parameters
    ----------
    table : pandas.DataFrame
        A row a verdict, or a row of counts.
    formula : str
        See the module's first lines.
    quadrature : int, optional
        Nodes per random effect (odd; 1 is Laplace). By default 7 where the model has one grouping factor
        with at most three effects and fewer than 100 trials a group on average, else 1. Crossed groups
        are always fitted by Laplace's approximation.
    cluster : str, optional
        Of a model without random terms: the column whose groups may differ; errors are then
        cluster-robust.
    errors : bool
        False saves time where only the likelihood is wanted: standard errors then take the variances of
        the random effects as known.

    Returns
    -------
    Fit
    """

    columns = [*columns_of(formula), *([cluster] if cluster else [])]
    present = [name for name in dict.fromkeys(columns) if name in table]
    data, groups, dropped, notes = prepare(pd.DataFrame(table)[present], formula)
    blank = Fit(
        formula, (), np.empty(0), np.empty((0, 0)), (), (), NAN, 0, len(data.table),
        int(data.trials.sum()), groups, 0, False, False, dropped, tuple(notes), "", data,
    )  # fmt: skip
    if not len(data.table):
        return replace(blank, notes=(*notes, "not fitted: no row is complete"))
    total = data.successes.sum()
    if total in (0, data.trials.sum()):
        return replace(blank, notes=(*notes, "not fitted: the outcome is constant"))
    for name in columns_of("y ~ " + data.fixed):
        levels = getattr(data.table.get(name), "cat", None)
        if levels is not None and len(levels.categories) < 2:
            why = f"not fitted: {name} has a single level, {levels.categories[0]}"
            return replace(blank, notes=(*notes, why))
    if not data.random:
        return fit_glm(blank, table, cluster)
    return fit_glmm(blank, quadrature, errors)


def fit_glmm(blank, quadrature, errors):
    """Fit a mixed model with glmm; `blank` holds what is known before."""
    # One thread: with more, the workers wait for each other longer than they work.

    os.environ.setdefault("RAYON_NUM_THREADS", "1")

    import glmm

    data = blank.data
    effects = max(len(term.effects) for term in data.random)
    single = len(data.random) == 1 and effects <= 3
    few = data.trials.sum() / blank.groups[data.random[0].group] < FEW_TRIALS
    nodes = quadrature or (NODES if few else 1)
    random = " + ".join(
        f"({' + '.join(term.effects)} | {term.group.replace(':', '_by_')})" for term in data.random
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = glmm.fit(
            data.table,
            f"{data.response} ~ {data.fixed} + {random}",
            family="binomial",
            nagq=nodes if single else 1,
            wald_se="hessian" if errors else "rx",
            anova_test="Wald",
        )
    notes = [str(warning.message) for warning in caught]
    notes = [note for note in notes if not note.startswith("Caution: Singular fit")]
    aliased = np.asarray(made.aliased, bool)
    left_out = [name for name, gone in zip(made.names, aliased, strict=True) if gone]
    notes = [note for note in notes if not left_out or "liased" not in note]
    if left_out:
        notes.append(f"left out, determined by other terms: {', '.join(left_out)}")
    keep = np.flatnonzero(~aliased)
    covariance = np.asarray(made.vcov, float)
    if covariance.shape != (len(keep), len(keep)):
        covariance = covariance[np.ix_(keep, keep)]
    matrix, _ = glmm.model_matrix(data.table, f"~ {data.fixed}")
    data = replace(data, design=np.asarray(matrix, float)[:, keep])
    # A fit that diverged has no variances.
    complete = len(made.varcorr) == len(made.re_groups)
    done = replace(
        blank,
        names=tuple(np.asarray(made.names, dtype=object)[keep]),
        estimate=np.asarray(made.beta, float)[keep],
        covariance=covariance,
        components=tuple(components_of(made)) if complete else (),
        loglik=float(made.loglik),
        parameters=int(made.df),
        nodes=int(made.nagq),
        converged=bool(made.converged),
        singular=bool(made.singular),
        notes=(*blank.notes, *notes),
        method=f"glmm {version('glmm')}, maximum likelihood, {approximation(made.nagq)}, "
        f"Wald errors from the {'Hessian' if errors else 'fixed effects alone'}",
        data=data,
    )
    return replace(done, random=tuple(random_effects(done, made)) if complete else ())


def approximation(nodes):
    """What was used for the integral over random effects."""
    return "Laplace approximation" if nodes == 1 else f"adaptive quadrature of {nodes} nodes"


def components_of(made):
    """Standard deviations and correlations of a glmm fit."""
    errors = iter(np.asarray(made.stddev_se, float))
    for (group, effects), packed in zip(made.re_groups, made.varcorr, strict=True):
        matrix = unpacked(packed, len(effects))
        sd = np.sqrt(np.diag(matrix))
        # Rows of the packed triangle: an error belongs to each standard deviation.
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


def unpacked(packed, size):
    """Symmetric matrix from its lower triangle, stored row by row."""
    matrix = np.zeros((size, size))
    matrix[np.tril_indices(size)] = packed
    return matrix + np.tril(matrix, -1).T


def random_design(data, term, effects):
    """Values that the random effects of a term are multiplied with, shape (rows, effects)."""
    import glmm

    if len(term.effects) == 1:
        return np.ones((len(data.table), 1))
    matrix, names = glmm.model_matrix(data.table, "~ " + " + ".join(term.effects))
    place = {name: i for i, name in enumerate(names)}
    return np.asarray(matrix, float)[:, [place[name] for name in effects]]


def random_effects(done, made):
    """Conditional modes with the errors that remain when all other effects are known."""
    probability = np.asarray(made.fitted, float)
    weight = done.data.trials * probability * (1 - probability)
    packed = {
        group: matrix for (group, _), matrix in zip(made.re_groups, made.varcorr, strict=True)
    }
    terms = {term.group.replace(":", "_by_"): term for term in done.data.random}
    for block in made.ranef_blocks:
        levels = np.array([str(level) for level in block["levels"]])
        order = np.argsort(levels)
        codes = order[np.searchsorted(levels[order], done.data.table[block["group"]].astype(str))]
        z = random_design(done.data, terms[block["group"]], block["terms"])
        information = np.zeros((len(levels), z.shape[1], z.shape[1]))
        np.add.at(information, codes, weight[:, None, None] * z[:, :, None] * z[:, None, :])
        prior = unpacked(packed[block["group"]], z.shape[1])
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


def fit_glm(blank, table, cluster):
    """Fit a generalized linear model with statsmodels, its errors cluster-robust where asked."""

    import glmm
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    data = blank.data
    matrix, names = glmm.model_matrix(data.table, f"~ {data.fixed}")
    keep = independent(np.asarray(matrix, float))
    design = np.asarray(matrix, float)[:, keep]
    notes = list(blank.notes)
    if len(keep) < len(names):
        gone = [name for i, name in enumerate(names) if i not in keep]
        notes.append(f"left out, determined by other terms: {', '.join(gone)}")
    outcome = np.column_stack([data.successes, data.trials - data.successes])
    options, how = {}, "errors of independent trials"
    if cluster:
        rows = table.reset_index(drop=True)[columns_of(blank.formula)].dropna().index
        codes = np.unique(table[cluster].astype(str).to_numpy()[rows], return_inverse=True)[1]
        options = {"cov_type": "cluster", "cov_kwds": {"groups": codes}}
        how = f"errors robust to {codes.max() + 1} clusters ({cluster})"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # A family object keeps the counts of an earlier fit, so each fit has its own.
        made = GLM(outcome, design, family=Binomial()).fit(**options)
    notes += [str(w.message) for w in caught if "eparation" in str(w.message)]
    fitted = np.asarray(made.fittedvalues)
    separated = bool(np.any((fitted < 1e-8) | (fitted > 1 - 1e-8)))
    if separated:
        notes.append(
            "separation: some fitted probabilities are 0 or 1; coefficients have no finite value"
        )
    return replace(
        blank,
        names=tuple(names[i] for i in keep),
        estimate=np.asarray(made.params, float),
        covariance=np.asarray(made.cov_params(), float),
        loglik=float(made.llf),
        parameters=len(keep),
        converged=bool(made.converged) and not separated,
        notes=tuple(notes),
        groups=blank.groups | ({cluster: int(codes.max() + 1)} if cluster else {}),
        method=f"statsmodels {version('statsmodels')} GLM, binomial, logit, {how}",
        data=replace(data, design=design),
    )


def independent(matrix):
    """Columns that those before them do not determine."""
    keep = []
    for i in range(matrix.shape[1]):
        if np.linalg.matrix_rank(matrix[:, [*keep, i]]) > len(keep):
            keep.append(i)
    return keep


# --- what follows from a fit -------------------------------------------------------------------


class Wald(NamedTuple):
    """A linear function of the coefficients, and its test against 0."""

    estimate: float
    se: float
    z: float
    p: float
    low: float
    high: float


def wald(estimate, se, level=0.95):
    """z, two-sided p and interval of a number with a standard error."""

    if not np.isfinite(se) or se <= 0:
        return Wald(float(estimate), NAN, NAN, NAN, NAN, NAN)
    z, half = estimate / se, norm.isf((1 - level) / 2) * se
    p = float(2 * norm.sf(abs(z)))
    return Wald(
        float(estimate), float(se), float(z), p, float(estimate - half), float(estimate + half)
    )


def contrast(fitted, weights, level=0.95):
    """Test a linear function of the coefficients against 0.

    Parameters
    ----------
    fitted : Fit
    weights : array, shape (coefficients,)
    level : float

    Returns
    -------
    Wald
    """
    weights = np.asarray(weights, float)
    variance = weights @ fitted.covariance @ weights
    return wald(weights @ fitted.estimate, np.sqrt(variance), level)


def joint(fitted, weights):
    """Test several linear functions of the coefficients against 0 together.

    Returns
    -------
    chi2, df, p : float
        Wald's chi-square; df is the rank of `weights`.
    """
    from scipy.stats import chi2

    weights = np.atleast_2d(np.asarray(weights, float))
    value = weights @ fitted.estimate
    inner = weights @ fitted.covariance @ weights.T
    df = int(np.linalg.matrix_rank(weights))
    statistic = float(value @ np.linalg.pinv(inner) @ value)
    return statistic, df, float(chi2.sf(statistic, df))


class LikelihoodRatio(NamedTuple):
    """Chi-square of a model against one nested in it."""

    chi2: float
    df: int
    p: float


def likelihood_ratio(full, reduced):
    """Likelihood-ratio test of a model against one nested in it.

    Raises
    ------
    ValueError
        The models rest on different rows, or approximate the likelihood differently.
    """
    from scipy.stats import chi2

    if (full.n, full.trials) != (reduced.n, reduced.trials):
        raise ValueError(f"{full.n} and {reduced.n} rows: the models rest on different data")
    if full.nodes != reduced.nodes:
        raise ValueError(f"{full.nodes} and {reduced.nodes} nodes: log-likelihoods do not compare")
    df = full.parameters - reduced.parameters
    if not (full.converged and reduced.converged) or df < 1:
        return LikelihoodRatio(NAN, df, NAN)
    # The optimum of the larger model is never lower; a hair below it is the optimizer's tolerance.
    statistic = max(2 * (full.loglik - reduced.loglik), 0.0)
    return LikelihoodRatio(statistic, df, float(chi2.sf(statistic, df)))


def random_sd(fitted):
    """Standard deviation of the sum of all random effects, for each row.

    Correlated slopes enter with their row's values.
    """
    variance = np.zeros(len(fitted.data.table))
    for term in fitted.data.random:
        own = [c for c in fitted.components if c.group == term.group]
        sd = {c.effect: c.value for c in own if c.other is None}
        effects = list(sd)
        matrix = np.diag(list(sd.values())) ** 2
        for c in own:
            if c.other is not None and np.isfinite(c.value):
                i, j = effects.index(c.effect), effects.index(c.other)
                matrix[i, j] = matrix[j, i] = c.value * sd[c.effect] * sd[c.other]
        z = random_design(fitted.data, term, effects)
        variance += np.einsum("ij,jk,ik->i", z, matrix, z)
    return np.sqrt(variance)


def marginal(fitted, design, sd, weights=None, level=0.95):
    """Average probability of the outcome over rows and over the random effects.

    Parameters
    ----------
    fitted : Fit
    design : array, shape (rows, coefficients)
        Fixed effects of the rows to average over.
    sd : array, shape (rows,)
        Standard deviation of their random effects together.
    weights : array, shape (rows,), optional
        How often each row counts.
    level : float

    Returns
    -------
    value, se, low, high : float
    gradient : array, shape (coefficients,)
        Of the probability in the coefficients, so that differences have errors as well.

    Notes
    -----
    The integral over the normal random effects takes 15 Gauss-Hermite nodes; errors follow by the delta
    method from those of the coefficients, with the variances of random effects as estimated; the interval
    is symmetric on the logit scale.
    """
    x, w = np.polynomial.hermite_e.hermegauss(15)
    w = w / w.sum()
    weights = np.ones(len(design)) if weights is None else np.asarray(weights, float)
    share = weights / weights.sum()
    p = 1 / (1 + np.exp(-(design @ fitted.estimate)[:, None] - sd[:, None] * x))
    value = float(share @ (p @ w))
    gradient = (share * ((p * (1 - p)) @ w)) @ design
    se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
    return value, se, *logit_interval(value, se, level), gradient


def logit_interval(value, se, level):
    """Interval of a probability, symmetric on the logit scale."""

    if not 0 < value < 1 or not np.isfinite(se):
        return NAN, NAN
    half = norm.isf((1 - level) / 2) * se / (value * (1 - value))
    center = np.log(value / (1 - value))
    return tuple(float(1 / (1 + np.exp(-(center + side * half)))) for side in (-1, 1))


def cells(fitted, factors):
    """Design of the fixed effects with factors set to each combination of levels.

    Parameters
    ----------
    fitted : Fit
    factors : sequence of str
        Columns of the model; all other columns stay as observed.

    Returns
    -------
    dict of tuple to (design, sd, weights)
        By levels; arguments of `marginal`. Rows with equal predictors occur once.
    """

    import glmm

    table = fitted.data.table
    sd = random_sd(fitted) if fitted.data.random else np.zeros(len(table))
    names = [name for name in columns_of("y ~ " + fitted.data.fixed) if name in table]
    distinct = table[names].assign(_sd=sd).groupby(names, observed=True, sort=False)["_sd"]
    rows = distinct.agg(["mean", "size"]).reset_index() if names else None
    found = {}
    for levels in itertools.product(*(table[name].cat.categories for name in factors)):
        changed = rows.copy()
        for name, level in zip(factors, levels, strict=True):
            changed[name] = pd.Categorical([level] * len(rows), table[name].cat.categories)
        matrix, every = glmm.model_matrix(changed, f"~ {fitted.data.fixed}")
        keep = [list(every).index(name) for name in fitted.names]
        design = np.asarray(matrix, float)[:, keep]
        found[levels] = design, rows["mean"].to_numpy(), rows["size"].to_numpy()
    return found


# --- second engine -----------------------------------------------------------------------------


class Opinion(NamedTuple):
    """What another program says about the same model."""

    estimate: np.ndarray
    se: np.ndarray
    sd: dict  # (group, effect) to standard deviation, where effects are independent
    loglik: float
    method: str


def second_opinion(fitted):
    """Fit a mixed model again with gpboost (Laplace, sparse Cholesky factors, one thread).

    Parameters
    ----------
    fitted : Fit
        Of a mixed model.

    Returns
    -------
    Opinion

    Notes
    -----
    It starts at the first fit's estimates and moves on only where its own likelihood rises, which takes a
    step or two in place of up to two hundred; a difference says that the first fit had not reached the
    maximum. Its likelihood and standard errors are its own.

    gpboost's effects are independent. Correlated ones are rotated into independent ones by the
    correlations of the first fit, so all but these are checked. It has no quadrature: where the first fit
    used it, the approximation differs too.
    """

    import gpboost

    # It warns that a search of one step may have ended far from the maximum, where it started.
    gpboost.register_logger(logging.getLogger("gpboost"))
    data = fitted.data
    groups, slopes, index, labels = [], [], [], []
    drop_intercept, intercepts, others = [], [], []
    for number, term in enumerate(data.random, start=1):
        groups.append(data.table[term.group.replace(":", "_by_")].astype(str).to_numpy())
        own = [c for c in fitted.components if c.group == term.group]
        effects = [c.effect for c in own if c.other is None]
        if len(effects) == 1:
            labels.append((term.group, effects[0]))
            drop_intercept.append(False)
            intercepts += [c.value for c in own]
            continue
        sd = np.array([c.value for c in own if c.other is None])
        correlation = np.eye(len(effects))
        for c in own:
            if c.other is not None and np.isfinite(c.value):
                i, j = effects.index(c.effect), effects.index(c.other)
                correlation[i, j] = correlation[j, i] = c.value
        z = random_design(data, term, effects)
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
        # The defaults are stochastic solvers, which leave errors that are too small or missing.
        matrix_inversion_method="cholesky",
        num_parallel_threads=1,
        **options,
    )
    outcome = data.successes if binary else data.successes / data.trials
    # In its order: intercepts first, then slopes. A variance of 0 could not leave the edge.
    deviations = np.maximum(np.array(intercepts + others), SMALLEST)
    start = {"init_coef": fitted.estimate, "init_cov_pars": deviations**2}
    model.fit(y=outcome, X=data.design, params={"delta_rel_conv": 1e-10, **start})
    coefficients = model.get_coef(std_err=True).to_numpy()
    sd = {}
    if not slopes:
        variances = model.get_cov_pars(std_err=False).to_numpy().ravel()
        sd = dict(zip(labels, np.sqrt(np.maximum(variances, 0)).tolist(), strict=False))
    return Opinion(
        coefficients[0],
        coefficients[1],
        sd,
        -float(model.get_current_neg_log_likelihood()),
        f"gpboost {version('gpboost')}, Laplace approximation, Cholesky, delta_rel_conv 1e-10",
    )


def estimates(fitted, level=0.95) -> Sequence[Wald]:
    """z, p and interval of every coefficient."""
    return [wald(b, s, level) for b, s in zip(fitted.estimate, fitted.se, strict=True)]
