"""Fit the declared models, and list the results of each fit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.models.contrasts import average_levels, average_rows, list_factors
from turingstats.analysis.models.trials import (
    prepare_model_trials,
    sample_judges,
    select_trials,
)
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study, VerdictModel
from turingstats.core import parallel
from turingstats.core.names import join_names
from turingstats.data.schema import RESULTS
from turingstats.stats.intervals import compute_logit_interval
from turingstats.stats.mixed import fit, marginal, wald
from turingstats.stats.mixed.fit import Fit

NAN = float("nan")
MAX_VERDICTS = 1_000_000
"""A model of more verdicts is fitted to a random sample of judges with about so many, and says so."""


def fit_models(
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    config: AnalysisSettings,
    workers: int = 1,
    people: dict[str, str] | None = None,
) -> tuple[pd.DataFrame, dict[str, Fit]]:
    """Fit every declared model: the table of coefficients, and fits by model id."""
    arguments = []
    for model in study.models:
        # Drawn here, so that at most one table of all verdicts is held.
        trials = select_trials(model, judgments, groups, study, people)
        trials, drawn = sample_judges(trials, MAX_VERDICTS, config["seed"], model.id)
        if len(trials):
            table = prepare_model_trials(model, trials, study)
            arguments.append((model, table, drawn, study, config))
    made = parallel.call_in_parallel(
        fit_declared_model,
        arguments,
        workers,
        lambda each: len(each[1]),
    )
    models = [model.id for model, *_ in arguments]
    fits = {name: fitted for name, (fitted, _) in zip(models, made, strict=True)}
    rows = [row for _, of_model in made for row in of_model]
    return pd.DataFrame(rows).reindex(columns=RESULTS["models"]), fits


def fit_declared_model(
    model: VerdictModel, table: pd.DataFrame, drawn: str, study: Study, config: AnalysisSettings
) -> tuple[Fit, list[dict[str, Any]]]:
    """Fit one model, and return the fit and its rows of the table of `fit_models`."""
    fitted = fit.fit_model(table, model.formula, cluster=model.cluster)
    if drawn:
        fitted = replace(fitted, notes=(*fitted.notes, drawn))
    shared = {
        "model_id": model.id,
        "study": study.study,
        "task": model.task,
        "cohort": join_names(model.cohorts, " + "),
        "reading": "recommended",
    }
    choice = study.tasks[model.task].choice
    return fitted, [shared | row for row in describe_fit(fitted, table, config, choice)]


def describe_fit(
    fitted: Fit, table: pd.DataFrame, config: AnalysisSettings, choice: bool = False
) -> Iterator[dict[str, Any]]:
    """List the rows of models.csv for one fit: coefficients first, then quantities derived from them.

    `choice`: each verdict is a choice between a person's and a machine's response. A row's kind is
    coefficient, probability, detectability, sd, correlation or not fitted.
    """
    level = config["confidence"]
    common = {
        "loglik": fitted.loglik,
        "n": fitted.trials,
        "n_judges": table["judge"].nunique(),
        "groups": "; ".join(f"{name} {size}" for name, size in fitted.groups.items()),
        "dropped": fitted.dropped,
        "engine": fitted.method.split(",")[0],
        "converged": fitted.converged,
        "singular": fitted.singular,
        "notes": "; ".join(fitted.notes),
        "formula": fitted.formula,
        "method": fitted.method,
    }
    if not fitted.usable:
        yield common | {"kind": "not fitted", "term": ""}
    for name, estimate, se in zip(fitted.names, fitted.estimate, fitted.se, strict=True):
        row = {"kind": "coefficient", "term": name, "df": fitted.df}
        yield common | row | wald.list_wald_columns(wald.wald(estimate, se, level, fitted.df))
    for part in fitted.components:
        term = f"{part.effect}, {part.other}" if part.other else part.effect
        row = {
            "kind": "correlation" if part.other else "sd",
            "group": part.group,
            "term": term,
            "estimate": part.value,
            "se": part.se,
        }
        yield common | row
    if fitted.usable:
        for row in estimate_probabilities(fitted, level):
            yield common | row
        for row in estimate_right_choices(fitted, level) if choice else ():
            yield common | row


def estimate_probabilities(fitted: Fit, level: float) -> Iterator[dict[str, Any]]:
    """Estimate average marginal probabilities for every level of every factor, and detectability.

    The test of a detectability is that of its log odds ratio against 0.
    """
    for factor in list_factors(fitted):
        levels = average_levels(fitted, factor, level)
        for name, average in levels.items():
            row = {"kind": "probability", "group": factor, "term": name, "estimate": average.value}
            yield row | {"se": average.se, "ci_low": average.low, "ci_high": average.high}
        of_verdicts = factor in ("agent", "made_by") and fitted.data.response == "said_machine"
        people = levels.pop("human", None) if of_verdicts else None
        for name, machine in levels.items() if people else ():
            value = (machine.value + 1 - people.value) / 2
            gradient = (machine.gradient - people.gradient) / 2
            se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
            limits = compute_logit_interval(value, se, level, fitted.df)
            tested = wald.assess_contrast(fitted, machine.predictors - people.predictors, level)
            yield describe_detectability(factor, name, (value, se, *limits), tested, fitted.df)


def describe_detectability(
    factor: str, name: str, estimate: Sequence[Any], tested: wald.Wald, df: float
) -> dict[str, Any]:
    """Describe the detectability of an agent: value, error and limits, and the test of its log odds."""
    numbers = dict(zip(("estimate", "se", "ci_low", "ci_high"), estimate, strict=True))
    row = {"kind": "detectability", "group": factor, "term": name} | numbers
    return row | {"z": tested.z, "p": tested.p, "df": df}


def estimate_right_choices(fitted: Fit, level: float) -> Iterator[dict[str, Any]]:
    """Estimate the detectability of each agent from choices: the average probability of the right one.

    One row per agent or, in a model without the factor agent, one for all; the test is that of the log
    odds against 0.
    """
    if fitted.data.response != "correct":
        return
    if "agent" in list_factors(fitted):
        averages = average_levels(fitted, "agent", level)
    else:
        sd = marginal.compute_random_sd(fitted)
        every = fitted.design, sd, np.ones(len(sd))
        averages = {"all": average_rows(fitted, *every, level=level)}
    for name, average in averages.items():
        tested = wald.assess_contrast(fitted, average.predictors, level)
        yield describe_detectability("agent", name, average[:4], tested, fitted.df)
