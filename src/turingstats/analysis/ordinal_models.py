"""Cumulative-link mixed models of ratings: how much higher each agent is rated than people."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from turingstats import __version__
from turingstats.analysis.graded_verdicts import (
    MOST_POINTS,
    Graded,
    code_units,
    count_units,
    select_agents,
)
from turingstats.analysis.rows import tabulate
from turingstats.stats.mixed.cumulative import CumulativeFit, arrange_effect, fit_cumulative_model
from turingstats.stats.mixed.fit import FittedTerm
from turingstats.stats.multiplicity import correct_family

NAN = float("nan")


def fit_ordinal_models(
    graded: list[Graded], level: float, correction: str | None = None
) -> pd.DataFrame:
    """Fit a cumulative logit mixed model of the ratings of each cohort, or machine judge, on the agent.

    Terms are agents (kind coefficient: log odds ratio of a rating more toward machine than people's
    responses get), thresholds between neighboring points, and standard deviations of random effects. A cohort
    without ratings of people's and machines' responses, or with more than `MOST_POINTS` points, has no rows.
    """
    rows = []
    for keys, scale, trials in graded:
        agents = select_agents(trials)
        machines = [name for name in agents if name not in ("human", "all")]
        few_points = scale["kind"] == "rating" and len(scale["points"]) <= MOST_POINTS
        if few_points and "human" in agents and machines and trials["rating"].nunique() > 1:
            rows += [keys | row for row in fit_model(trials, machines, level, correction)]
    return tabulate(rows, "ordinal_models")


def list_effects(units: tuple[np.ndarray, np.ndarray], machine: np.ndarray) -> list[FittedTerm]:
    """List random effects of judges and stimuli, with a slope of the truth where most levels have both kinds.

    Stimuli that are one for each judge are the judges.
    """
    effects = []
    numbers = {len(np.unique(units, axis=1).T), *(unit.max() + 1 for unit in units)}
    if len(numbers) == 1:
        units = units[:1]
    for group, level in zip(("judge", "stimulus"), units, strict=False):
        effects.append(arrange_effect(group, level))
        if (pd.Series(machine).groupby(level).nunique() > 1).mean() > 0.5:
            slopes = (machine - 0.5)[:, None]
            effects[-1] = arrange_effect(group, level, ("(Intercept)", "machine"), slopes)
    return effects


def correct_errors(
    fit: CumulativeFit, effects: list[FittedTerm], groups: int
) -> tuple[np.ndarray, int]:
    """Enlarge standard errors for the bias of maximum likelihood, and count their degrees of freedom.

    These are the judges or stimuli, whichever are fewer, less the groups compared: between so many units,
    variances are estimated too small by this share.
    """
    fitted = {part.group for part in fit.components}
    levels = [int(effect.original.level.max()) + 1 for effect in effects if effect.group in fitted]
    number = min(levels, default=fit.trials)
    df = max(number - groups, 1)
    return fit.se * np.sqrt(number / df), df


def fit_answers(
    trials: pd.DataFrame,
    answers: np.ndarray,
    predictors: np.ndarray,
    response: str,
    **options: Any,
) -> tuple[CumulativeFit, np.ndarray, int, dict[str, Any]]:
    """Fit answers on predictors, with random effects of judges and stimuli.

    Returns the fit, its corrected errors and their degrees of freedom, and columns of all its rows. `options`
    are those of `fit_cumulative_model`.
    """
    units = code_units(trials)
    effects = list_effects(units, trials["truth"].eq("machine").to_numpy(float))
    fit = fit_cumulative_model(answers, predictors, effects, **options)
    errors, df = correct_errors(fit, effects, 1 + predictors.shape[1])
    how = "maximum likelihood, Laplace approximation; t and errors for few judges or stimuli"
    problems = [*fit.notes] if fit.converged else ["not converged", *fit.notes]
    effects_of: dict[str, list[str]] = {}
    for part in fit.components:
        if part.other is None:
            effects_of.setdefault(part.group, []).append(part.effect.replace("(Intercept)", "1"))
    terms = [f"({' + '.join(names)} | {group})" for group, names in effects_of.items()]
    shared = count_units(units) | {
        "n": len(trials),
        "df": df,
        "converged": fit.converged,
        "formula": " + ".join([response, *terms]),
        "method": "; ".join([f"turingstats {__version__}, {how}", *problems]),
    }
    return fit, errors, df, shared


def fit_model(
    trials: pd.DataFrame, machines: list[str], level: float, correction: str | None
) -> list[dict[str, Any]]:
    """Fit the model of one cohort or machine judge; returns rows."""
    agent = trials["agent"].astype(str).to_numpy()
    ratings = trials["rating"].to_numpy(float)
    predictors = np.column_stack([agent == name for name in machines]).astype(float)
    fit, errors, df, shared = fit_answers(trials, ratings, predictors, "rating ~ agent")
    estimates = fit.estimate
    with np.errstate(invalid="ignore", divide="ignore"):
        t = estimates / errors
    p = 2 * stats.t.sf(np.abs(t), df)
    points = [f"{point:g}" for point in np.unique(ratings)]
    terms = [("coefficient", name) for name in machines]
    terms += [("threshold", f"{a}|{b}") for a, b in itertools.pairwise(points)]
    reach = stats.t.ppf(0.5 + level / 2, df)
    rows = []
    for i, (kind, term) in enumerate(terms):
        ends = estimates[i] + np.array([0, -reach, reach]) * errors[i]
        row = {"kind": kind, "term": term, "estimate": ends[0], "se": errors[i]}
        row |= {"ci_low": ends[1], "ci_high": ends[2]}
        if kind == "coefficient":
            row |= {"t": t[i], "p": p[i]}
            if fit.converged:
                row |= dict(zip(("odds_ratio", "or_low", "or_high"), np.exp(ends), strict=True))
        rows.append(shared | row)
    correct_family(rows[: len(machines)], correction)
    return rows + [shared | {"df": NAN} | row for row in list_spreads(fit)]


def list_spreads(fit: CumulativeFit) -> list[dict[str, Any]]:
    """List the standard deviations and correlations of the random effects."""
    return [
        {
            "kind": "sd" if part.other is None else "correlation",
            "term": " ".join([part.group, part.effect, *([part.other] if part.other else [])]),
            "estimate": part.value,
            "se": part.se,
        }
        for part in fit.components
    ]
