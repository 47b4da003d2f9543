"""Cumulative logit models of ratings: how much higher each agent is rated than people.

The models are marginal (population-averaged; `turingstats.stats.ordinal`): judges and stimuli are not in the
model, but in its errors.
"""

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from turingstats.analysis.graded_verdicts import (
    MOST_POINTS,
    Graded,
    code_units,
    count_units,
    describe_method,
    estimate_error,
    select_agents,
)
from turingstats.stats import multiplicity, ordinal

NAN = float("nan")
ORDINAL_MODELS = [
    "model_id", "study", "task", "cohort", "judge_kind", "judge", "reading", "kind", "term",
    "estimate", "se", "df", "t", "p", "p_adjusted", "correction", "family_size", "ci_low",
    "ci_high", "odds_ratio", "or_low", "or_high", "n", "n_judges", "n_stimuli", "converged",
    "formula", "method",
]  # fmt: skip
FORMULA = "logit P(rating <= k) = threshold_k - agent"
METHOD = "cumulative logit model, marginal (population-averaged), people's responses as reference"


def fit_ordinal_models(graded: list[Graded], level: float) -> pd.DataFrame:
    """Fit a cumulative logit model of the ratings of each cohort, or machine judge, on the agent.

    Terms are agents (kind coefficient: log odds ratio of a rating more toward machine than people's
    responses get) and thresholds between neighboring points. A cohort without ratings of people's and
    machines' responses, or with more than `MOST_POINTS` points, has no rows.
    """
    rows = []
    for keys, scale, trials in graded:
        agents = select_agents(trials)
        machines = [name for name in agents if name not in ("human", "all")]
        few_points = scale["kind"] == "rating" and len(scale["points"]) <= MOST_POINTS
        if few_points and "human" in agents and machines and trials["rating"].nunique() > 1:
            rows += [keys | row for row in fit_model(trials, machines, level)]
    names = ("task", "cohort", "judge")
    for row in rows:
        row["model_id"] = ".".join(row[name] for name in names if row[name])
    return pd.DataFrame(rows).reindex(columns=ORDINAL_MODELS)


def fit_model(trials: pd.DataFrame, machines: list[str], level: float) -> list[dict[str, Any]]:
    """Fit the model of one cohort or machine judge; returns rows."""
    trials = trials.assign(agent=trials["agent"].astype(str))
    cells = trials.groupby(["rating", "agent"]).size().reset_index(name="trials")
    predictors = np.column_stack([cells["agent"] == agent for agent in machines])
    fit = ordinal.fit_cumulative_logit(cells["rating"], predictors, cells["trials"])
    keys = pd.MultiIndex.from_frame(cells[["rating", "agent"]])
    cell_of_trial = keys.get_indexer(pd.MultiIndex.from_frame(trials[["rating", "agent"]]))
    units = code_units(trials)
    error = estimate_error(fit.influence[cell_of_trial], *units)
    estimates = np.concatenate([fit.coefficients, fit.thresholds])
    with np.errstate(invalid="ignore", divide="ignore"):
        t = estimates / error.se
    reach = stats.t.ppf(0.5 + level / 2, error.df) * error.se
    p = 2 * stats.t.sf(np.abs(t), error.df)
    points = [f"{point:g}" for point in np.unique(cells["rating"])]
    terms = [("coefficient", agent) for agent in machines]
    terms += [("threshold", f"{a}|{b}") for a, b in itertools.pairwise(points)]
    adjusted = np.full(len(terms), NAN)
    adjusted[: len(machines)] = multiplicity.adjust_p_values(p[: len(machines)], "holm")
    shared = count_units(units) | {
        "n": len(trials),
        "converged": fit.converged,
        "formula": FORMULA,
        "method": f"{METHOD}; {describe_method(error.pick(0))}"
        if fit.converged
        else f"{METHOD}; not converged: an agent's ratings are all at one end, or too few",
    }
    rows = []
    for i, (kind, term) in enumerate(terms):
        row = {"kind": kind, "term": term, "estimate": estimates[i], "se": error.se[i]}
        row |= {
            "df": error.df[i],
            "ci_low": estimates[i] - reach[i],
            "ci_high": estimates[i] + reach[i],
        }
        if kind == "coefficient":
            row |= {"t": t[i], "p": p[i], "p_adjusted": adjusted[i]}
            row |= {"correction": "holm", "family_size": len(machines)}
            if fit.converged:
                ends = (row["estimate"], row["ci_low"], row["ci_high"])
                names = ("odds_ratio", "or_low", "or_high")
                row |= dict(zip(names, np.exp(ends), strict=True))
        rows.append(shared | row)
    return rows
