"""Fit the declared models, and list the results of each fit."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from turingstats.analysis.models.contrasts import list_factors
from turingstats.analysis.models.trials import (
    prepare_model_trials,
    sample_judges,
    select_trials,
)
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study, VerdictModel
from turingstats.core import parallel
from turingstats.data.schema import RESULTS
from turingstats.stats.intervals import compute_logit_interval
from turingstats.stats.mixed import fit, marginal, wald
from turingstats.stats.mixed.fit import Fit

NAN = float("nan")
MAX_VERDICTS = 1_000_000
"""A model of more verdicts is fitted to a random sample of judges with about so many, and says so."""
CHOOSING = {"judge": ("ability", 1), "stimulus": ("difficulty", -1)}
"""What the random effects in a model of right choices are called, and their sign."""


def fit_models(
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    config: AnalysisSettings,
    workers: int = 1,
    people: dict[str, str] | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Fit]]:
    """Fit every declared model: the tables of coefficients and of random effects, and fits by model id."""
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
    rows: list[dict[str, Any]] = []
    random: list[dict[str, Any]] = []
    fits = {}
    for (model, *_), (fitted, own_rows, own_random) in zip(arguments, made, strict=True):
        fits[model.id] = fitted
        rows += own_rows
        random += own_random
    return (
        pd.DataFrame(rows).reindex(columns=RESULTS["models"]),
        pd.DataFrame(random).reindex(columns=RESULTS["random_effects"]),
        fits,
    )


def fit_declared_model(
    model: VerdictModel, table: pd.DataFrame, drawn: str, study: Study, config: AnalysisSettings
) -> tuple[Fit, list[dict[str, Any]], list[dict[str, Any]]]:
    """Fit one model, and return the fit and its rows of both tables of `fit_models`."""
    fitted = fit.fit_model(table, model.formula, cluster=model.cluster)
    if drawn:
        fitted = replace(fitted, notes=(*fitted.notes, drawn))
    shared = {
        "model_id": model.id,
        "study": study.study,
        "task": model.task,
        "cohort": " + ".join(model.cohorts),
        "reading": "recommended",
    }
    choice = study.tasks[model.task].choice
    rows = [shared | row for row in describe_fit(fitted, table, config, choice)]
    random = [shared | row for row in list_random_effects(fitted, config["confidence"], choice)]
    return fitted, rows, random


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
        levels = {}
        cells = marginal.build_cell_designs(fitted, [factor])
        for (name,), (design, sd, weights) in cells.items():
            value, se, low, high, gradient = marginal.average_probability(
                fitted, design, sd, weights, level
            )
            levels[name] = value, gradient, np.average(design, axis=0, weights=weights)
            row = {"kind": "probability", "group": factor, "term": name}
            yield row | {"estimate": value, "se": se, "ci_low": low, "ci_high": high}
        if (
            factor in ("agent", "made_by")
            and fitted.data.response == "said_machine"
            and "human" in levels
        ):
            people = levels.pop("human")
            for name, machine in levels.items():
                value = (machine[0] + 1 - people[0]) / 2
                gradient = (machine[1] - people[1]) / 2
                se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
                low, high = compute_logit_interval(value, se, level, fitted.df)
                tested = wald.assess_contrast(fitted, machine[2] - people[2], level)
                row = {"kind": "detectability", "group": factor, "term": name, "estimate": value}
                row |= {"se": se, "ci_low": low, "ci_high": high, "z": tested.z, "p": tested.p}
                row["df"] = fitted.df
                yield row


def estimate_right_choices(fitted: Fit, level: float) -> Iterator[dict[str, Any]]:
    """Estimate the detectability of each agent from choices: the average probability of the right one.

    One row per agent or, in a model without the factor agent, one for all; the test is that of the log
    odds against 0.
    """
    if fitted.data.response != "correct":
        return
    if "agent" in list_factors(fitted):
        designs = marginal.build_cell_designs(fitted, ["agent"])
    else:
        sd = marginal.compute_random_sd(fitted)
        designs = {("all",): (fitted.design, sd, np.ones(len(sd)))}
    for (name,), (design, sd, weights) in designs.items():
        value, se, low, high, _ = marginal.average_probability(fitted, design, sd, weights, level)
        predictors = np.average(design, axis=0, weights=weights)
        tested = wald.assess_contrast(fitted, predictors, level)
        row = {"kind": "detectability", "group": "agent", "term": name, "estimate": value}
        row |= {"se": se, "ci_low": low, "ci_high": high, "z": tested.z, "p": tested.p}
        yield row | {"df": fitted.df}


def list_random_effects(
    fitted: Fit, level: float, choice: bool = False
) -> Iterator[dict[str, Any]]:
    """List conditional modes of random effects, with judges' sensitivity and stimuli's difficulty.

    The effect "sensitivity" of a judge is derived from `judge:made_by`, as the effect for machines'
    responses minus that for people's; the effect "difficulty" of a stimulus, towards the wrong verdict,
    from `stimulus:made_by`. In a model of right choices, "ability" is the effect of a judge, and
    "difficulty" minus that of a stimulus.
    """
    half = norm.isf((1 - level) / 2)

    def row(group: str, name: str, effect: str, value: float, se: float) -> dict[str, Any]:
        limits = {"ci_low": value - half * se, "ci_high": value + half * se}
        return {"group": group, "level": name, "effect": effect, "value": value, "se": se} | limits

    for random in fitted.random:
        for i, name in enumerate(random.levels):
            for j, effect in enumerate(random.effects):
                value, se = float(random.values[i, j]), float(random.errors[i, j])
                yield row(random.group, name, effect, value, se)
        if random.group == "judge:made_by":
            index_of = {name: i for i, name in enumerate(random.levels)}
            for judge in dict.fromkeys(name.rsplit(":", 1)[0] for name in random.levels):
                pair = [index_of.get(f"{judge}:{side}") for side in ("machine", "human")]
                if None not in pair:
                    value = float(random.values[pair[0], 0] - random.values[pair[1], 0])
                    se = float(np.hypot(*random.errors[pair, 0]))
                    yield row("judge", judge, "sensitivity", value, se)
        derived, group, signs = "", random.group, [1] * len(random.levels)
        if choice and fitted.data.response == "correct" and group in CHOOSING:
            derived, sign = CHOOSING[group]
            signs = [sign] * len(random.levels)
        elif group == "stimulus:made_by":
            derived, group = "difficulty", "stimulus"
            signs = [1 if name.endswith(":human") else -1 for name in random.levels]
        for i, name in enumerate(random.levels if derived else ()):
            value, se = signs[i] * float(random.values[i, 0]), float(random.errors[i, 0])
            yield row(group, name, derived, value, se)
