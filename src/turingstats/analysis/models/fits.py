"""Fit the declared models, and list the results of each fit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.models.asked import Asked, format_fit_summaries
from turingstats.analysis.models.contrasts import (
    LevelAverage,
    average_levels,
    average_rows,
    compare_levels,
    list_factors,
    summarize_fit,
)
from turingstats.analysis.models.trials import (
    prepare_model_trials,
    sample_judges,
    select_trials,
)
from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study, VerdictModel
from turingstats.core import parallel
from turingstats.core.names import join_names
from turingstats.stats.intervals import compute_logit_interval
from turingstats.stats.mixed import fit, marginal, wald
from turingstats.stats.mixed.fit import Fit

Averages = dict[str, dict[str, LevelAverage]]
"""Average probabilities of the outcome by factor and level."""
MAX_VERDICTS = 1_000_000
"""A model of more verdicts is fitted to a random sample of judges with about so many, and says so."""


def fit_models(
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    people: dict[str, str],
    study: Study,
    options: AnalysisSettings,
    workers: int,
) -> dict[str, Any]:
    """Fit every declared model: tables by name, and `fits`, what published tests ask of them, as text."""
    arguments = []
    for model in study.models:
        # Drawn here, so that at most one table of all verdicts is held.
        trials = select_trials(model, judgments, groups, study, people)
        trials, drawn = sample_judges(trials, MAX_VERDICTS, options["seed"], model.id)
        if len(trials):
            table = prepare_model_trials(model, trials, study)
            arguments.append((model, table, drawn, study, options))
    made = parallel.call_in_parallel(
        fit_declared_model, arguments, workers, lambda each: len(each[1])
    )
    asked = {
        model.id: summary for (model, *_), (_, _, summary) in zip(arguments, made, strict=True)
    }
    return {
        "models": tabulate([row for rows, _, _ in made for row in rows], "models"),
        "model_contrasts": tabulate(
            [row for _, rows, _ in made for row in rows], "model_contrasts"
        ),
        "fits": format_fit_summaries(asked),
    }


def fit_declared_model(
    model: VerdictModel, table: pd.DataFrame, drawn: str, study: Study, options: AnalysisSettings
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], Asked]:
    """Fit one model: rows of models.csv and model_contrasts.csv, and what published tests ask."""
    fitted = fit.fit_model(table, model.formula, cluster=model.cluster)
    if drawn:
        fitted = replace(fitted, notes=(*fitted.notes, drawn))
    level = options["confidence"]
    factors = list_factors(fitted) if fitted.usable else []
    averages = {factor: average_levels(fitted, factor, level) for factor in factors}
    shared = {
        "model_id": model.id,
        "study": study.study,
        "task": model.task,
        "cohort": join_names(model.cohorts, " + "),
        "reading": "recommended",
        "n": fitted.trials,
        "formula": fitted.formula,
    }
    described = shared | {
        "loglik": fitted.loglik,
        "n_judges": table["judge"].nunique(),
        "groups": "; ".join(f"{name} {size}" for name, size in fitted.groups.items()),
        "dropped": fitted.dropped,
        "engine": fitted.method.split(",")[0],
        "converged": fitted.converged,
        "singular": fitted.singular,
        "notes": "; ".join(fitted.notes),
        "method": fitted.method,
    }
    rows = describe_fit(fitted, averages, level, study.tasks[model.task].choice)
    compared = shared | {
        "outcome": fitted.data.response,
        "n_judges": fitted.groups.get("judge"),
        "unit": "verdict",
    }
    contrasts = [
        compared | row
        for factor, levels in averages.items()
        for row in compare_levels(fitted, factor, levels, level, options["correction"])
    ]
    asked = [each for each in study.comparisons if each.id in model.counterpart_of]
    return [described | row for row in rows], contrasts, summarize_fit(fitted, asked)


def describe_fit(
    fitted: Fit, averages: Averages, level: float, choice: bool
) -> Iterator[dict[str, Any]]:
    """List the rows of models.csv for one fit: coefficients first, then quantities derived from them.

    `choice`: each verdict is a choice between a person's and a machine's response. A row's kind is
    coefficient, probability, detectability, sd, correlation or not fitted.
    """
    if not fitted.usable:
        yield {"kind": "not fitted", "term": ""}
    for name, estimate, se in zip(fitted.names, fitted.estimate, fitted.se, strict=True):
        row = {"kind": "coefficient", "term": name, "df": fitted.df}
        yield row | wald.list_wald_columns(wald.wald(estimate, se, level, fitted.df))
    for part in fitted.components:
        kind = "correlation" if part.other else "sd"
        row = {"kind": kind, "group": part.group, "estimate": part.value, "se": part.se}
        yield row | {"term": f"{part.effect}, {part.other}" if part.other else part.effect}
    response = fitted.data.response
    for factor, levels in averages.items():
        for name, average in levels.items():
            yield describe_average("probability", factor, name, average)
        if response == "said_machine" and factor in ("agent", "made_by") and "human" in levels:
            yield from compare_with_people(fitted, factor, levels, level)
    if choice and fitted.usable and response == "correct":
        yield from estimate_right_choices(fitted, averages, level)


def describe_average(kind: str, factor: str, name: str, estimate: Sequence[Any]) -> dict[str, Any]:
    """Describe an average: its kind, of what it is, and value, error and limits."""
    numbers = dict(zip(("estimate", "se", "ci_low", "ci_high"), estimate, strict=False))
    return {"kind": kind, "group": factor, "term": name} | numbers


def compare_with_people(
    fitted: Fit, factor: str, levels: dict[str, LevelAverage], level: float
) -> Iterator[dict[str, Any]]:
    """Estimate detectability; its test is that of its log odds ratio against 0."""
    people = levels["human"]
    for name, machine in levels.items():
        if name == "human":
            continue
        value = (machine.value + 1 - people.value) / 2
        gradient = (machine.gradient - people.gradient) / 2
        se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
        limits = compute_logit_interval(value, se, level, fitted.df)
        tested = wald.assess_contrast(fitted, machine.predictors - people.predictors, level)
        row = describe_average("detectability", factor, name, (value, se, *limits))
        yield row | {"z": tested.z, "p": tested.p, "df": fitted.df}


def estimate_right_choices(
    fitted: Fit, averages: Averages, level: float
) -> Iterator[dict[str, Any]]:
    """Estimate the detectability of each agent from choices: the average probability of the right one.

    One row per agent or, in a model without the factor agent, one for all; the test is that of the log
    odds against 0.
    """
    levels = averages.get("agent")
    if levels is None:
        sd = marginal.compute_random_sd(fitted)
        every = fitted.design, sd, np.ones(len(sd))
        levels = {"all": average_rows(fitted, *every, level=level)}
    for name, average in levels.items():
        tested = wald.assess_contrast(fitted, average.predictors, level)
        row = describe_average("detectability", "agent", name, average)
        yield row | {"z": tested.z, "p": tested.p, "df": fitted.df}
