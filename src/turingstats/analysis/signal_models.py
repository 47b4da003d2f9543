"""Signal detection as a mixed model: d' and criterion of the population of judges, and how far judges differ.

z(P(judged machine)) = d' x - criterion, with x = 1/2 for machines and -1/2 for people, is a probit model of
single verdicts. Judges with few trials, or only hits, count as far as they are informative: no rate is
corrected, and nobody is left out. Where judges gave ratings, the same model of the ratings allows people's
and machines' responses to differ in variance.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from turingstats.analysis.graded_verdicts import MOST_POINTS, Graded
from turingstats.analysis.models.trials import sample_judges
from turingstats.analysis.ordinal_models import fit_answers
from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data.counts import merge_sessions
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.mixed.cumulative import CumulativeFit

Means = Iterator[tuple[str, str, float, float]]
"""Agent, quantity, value and standard error."""
MAX_VERDICTS = 100_000
"""A model of more answers is fitted to a random sample of judges with about so many, and says so."""

VERDICTS, RATINGS = "verdicts", "ratings, unequal variance"
NEEDED = [
    "task", "cohort", "judge_kind", "judge", "stimulus", "agent", "truth", "verdict",
    "kept_recommended",
]  # fmt: skip


def model_signals(
    judgments: pd.DataFrame,
    study: Study,
    people: Mapping[str, str],
    graded: list[Graded],
    level: float,
    config: AnalysisSettings,
) -> pd.DataFrame:
    """Fit the models of each cohort of people who judged people's and machines' responses.

    In the recommended reading. Quantities are d_prime and criterion (population means; of all machines and,
    by a second model, of each), sd_d_prime and sd_criterion (between judges), their correlation, and
    sd_stimulus; of ratings d_a and sd_ratio (machines' SD over people's) instead of the means.
    """
    kept = judgments["kept_recommended"] & judgments["verdict"].isin(["human", "machine"])
    kept &= judgments["judge_kind"].eq("human") & judgments["truth"].isin(["human", "machine"])
    kept &= ~judgments["task"].isin([name for name, task in study.tasks.items() if task.choice])
    trials = merge_sessions(judgments.loc[kept, NEEDED], people)
    cohorts = [
        (str(task), str(cohort), "verdict", own)
        for (task, cohort), own in trials.groupby(["task", "cohort"])
    ]
    for keys, scale, own in graded:
        few_points = 2 < len(scale["points"]) <= MOST_POINTS
        if keys["reading"] == "recommended" and keys["judge_kind"] == "human" and few_points:
            of_both = own[own["truth"].isin(["human", "machine"])]
            cohorts.append((keys["task"], keys["cohort"], "rating", of_both))
    rows = []
    for task, cohort, column, own in cohorts:
        own, drawn = sample_judges(own, MAX_VERDICTS, config["seed"], f"{task}.{cohort}.signals")
        shared = {"task": task, "cohort": cohort}
        shared["model"] = RATINGS if column == "rating" else VERDICTS
        rows += [shared | row for row in fit_signals(own, column, level, drawn)]
        agents = select_agents(own) if column == "verdict" else []
        if agents:
            part = own[own["truth"].eq("human") | own["agent"].isin(agents)]
            rows += [shared | row for row in fit_signals(part, column, level, drawn, agents)]
    for row in rows:
        names = [row["task"], row["cohort"], row["model"].partition(",")[0]]
        names += [row["agent"]] * (row["agent"] != "all") + [row["quantity"]]
        row["signal_id"] = ".".join(names)
    return tabulate(rows, "signal_models", study=study.study, reading="recommended")


def select_agents(trials: pd.DataFrame) -> list[str]:
    """Select the machines with both verdicts, and with enough judges and stimuli for an error over these.

    None if too few judges are left as degrees of freedom, or if there is no second agent.
    """
    of_machines = trials[trials["truth"] == "machine"].groupby("agent")
    numbers = of_machines[["verdict", "judge", "stimulus"]].nunique()
    agents = list(numbers.index[(numbers >= [2, MIN_UNITS, MIN_UNITS]).all(axis=1)])
    return agents if 1 < len(agents) < trials["judge"].nunique() - MIN_UNITS else []


def fit_signals(
    trials: pd.DataFrame, column: str, level: float, drawn: str, agents: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Fit the model of one cohort, with unequal variance if there are more than two answers; yields rows.

    `drawn` says how judges were drawn. With `agents`, each has a d' and a criterion of its own, and all have
    the same random effects.
    """
    answers = trials[column]
    answers = answers.eq("machine") if column == "verdict" else answers
    answers = answers.to_numpy(float)
    machine = trials["truth"].eq("machine").to_numpy(float)
    points = np.unique(answers)
    if min(len(np.unique(machine)), len(points), trials["judge"].nunique()) < 2:
        return
    x = machine[:, None]
    if agents:
        x = np.column_stack([trials["agent"].eq(name) for name in agents]).astype(float)
    rated = len(points) > 2
    response = "z(rating) ~ machine; scale ~ machine" if rated else "z(verdict) ~ machine"
    response = response.replace("machine", "agent") if agents else response
    scaled = machine[:, None] if rated else None
    fit, errors, df, shared = fit_answers(
        trials, answers, x, response, link="probit", scaled=scaled
    )
    shared["method"] = "; ".join([shared["method"], *[drawn] * bool(drawn)])
    reach = stats.t.ppf(0.5 + level / 2, df)
    if not fit.converged:
        for agent in agents or ["all"]:
            yield shared | {"agent": agent, "quantity": "d_a" if rated else "d_prime"}
        return
    enlarged = errors[0] / fit.se[0]
    means = list_unequal(fit) if rated else list_by_agent(fit, agents or ["all"])
    for agent, name, value, se in means:
        se *= enlarged
        row = {"agent": agent, "quantity": name, "value": value, "se": se}
        row |= {"ci_low": value - reach * se, "ci_high": value + reach * se}
        if name == "sd_ratio":
            row |= dict(zip(("ci_low", "ci_high"), spread_interval(value, se, reach), strict=True))
        yield shared | row
    if agents:
        return
    normal = stats.norm.ppf(0.5 + level / 2)
    for name, value, se in list_spreads(fit):
        low, high = spread_interval(value, se, normal)
        row = {"agent": "all", "quantity": name, "value": value, "se": se, "df": np.nan}
        yield shared | row | {"ci_low": low, "ci_high": high}


def list_by_agent(fit: CumulativeFit, agents: Sequence[str]) -> Means:
    """List d' and criterion of each agent, whose coefficient shifts the evidence from that of people's."""
    last, half = len(agents), np.array([1, -0.5])
    for k, agent in enumerate(agents):
        yield agent, "d_prime", float(fit.coefficients[k]), float(fit.se[k])
        part = fit.covariance[np.ix_([last, k], [last, k])]
        criterion = fit.thresholds[0] - fit.coefficients[k] / 2
        yield agent, "criterion", float(criterion), float(np.sqrt(half @ part @ half))


def list_unequal(fit: CumulativeFit) -> Means:
    """List d_a, in units of the mean variance of both kinds, and the ratio of standard deviations."""
    apart, ratio = fit.coefficients[0], np.exp(fit.log_scale[0])
    shrink = np.sqrt(2 / (1 + ratio**2))
    slope = np.array([shrink, -apart * shrink * ratio**2 / (1 + ratio**2)])
    spots = np.ix_([0, len(fit.se) - 1], [0, len(fit.se) - 1])
    yield "all", "d_a", float(apart * shrink), float(np.sqrt(slope @ fit.covariance[spots] @ slope))
    yield "all", "sd_ratio", float(ratio), float(ratio * fit.se[-1])


def list_spreads(fit: CumulativeFit) -> Iterator[tuple[str, float, float]]:
    """List the standard deviations between judges and stimuli, and the correlation of d' and criterion."""
    names = {
        ("judge", "(Intercept)"): "sd_criterion",
        ("judge", "machine"): "sd_d_prime",
        ("stimulus", "(Intercept)"): "sd_stimulus",
        ("stimulus", "machine"): "sd_stimulus_d_prime",
    }
    for part in fit.components:
        if part.other is None:
            se = part.se if part.value else np.nan
            yield names[part.group, part.effect], part.value, se
        elif part.group == "judge":
            # The intercept is minus the criterion.
            yield "correlation", -part.value, part.se


def spread_interval(value: float, se: float, reach: float) -> tuple[float, float]:
    """Compute the interval of a standard deviation, symmetric on the scale of logarithms.

    There is none for one near 0, smaller than its error.
    """
    if not value > se:
        return np.nan, np.nan
    factor = np.exp(reach * se / value)
    return value / factor, value * factor
