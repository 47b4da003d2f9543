"""Averages of odds ratios over agents, tasks and studies, and how much these differ."""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.synthesis.odds_ratios import Effects
from turingstats.stats import meta_analysis
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.meta_analysis import LEAST_DF

POOLED = [
    "pooled_id", "by", "group", "label", "n_agents", "n_tasks", "n_studies", "log_odds_ratio", "se",
    "df", "p", "odds_ratio", "ci_low", "ci_high", "prediction_low", "prediction_high", "sd_studies",
    "sd_tasks", "sd_agents", "i_squared", "q", "q_df", "q_p", "level", "method", "note",
]  # fmt: skip
"""Columns of the table of averages. `sd_` are standard deviations of true log odds ratios."""

FOREST = [
    "section", "row", "label", "kind", "design", "k", "n", "k_people", "n_people", "n_agents",
    "n_tasks", "n_studies", "odds_ratio", "ci_low", "ci_high", "prediction_low", "prediction_high",
    "error_over", "level", "method", "reading", "data",
]  # fmt: skip
"""Columns of the source data of the forest plot; `row` is agent or average."""

ALL = "all machines"
MEAN = "mean of these"
POOLED_DATA = "observed data and published counts"
YEARS = 5
"""Years of publication between which odds are compared."""
WITHOUT_KIND = "kind not stated"
TOO_FEW = "too few for an interval"


def pool_effects(effects: Effects, level: float) -> pd.DataFrame:
    """Average odds ratios over everything, by kind of agent, by task, and relate them to years.

    True log odds ratios vary between tasks and between agents of a task, with variances by restricted
    maximum likelihood; from `MIN_UNITS` studies on also between studies. Errors are CR2 over tasks (over
    studies from `MIN_UNITS` on); where each task has one agent, and for one task alone, those of Hartung and
    Knapp. No error is smaller than that of the model. A group of one agent has its odds ratio alone.
    """
    table = effects.table
    if table.empty:
        return pd.DataFrame(columns=POOLED)
    rows = [pool_group(effects, level) | {"by": "all", "group": "all", "label": ALL}]
    kinds = table["kind"].fillna(WITHOUT_KIND)
    rows += [
        pool_group(effects.take(kinds == kind), level)
        | {"by": "kind", "group": kind, "label": kind}
        for kind in order_by_number(kinds)
    ]
    tasks = table["study"] + "." + table["task"]
    for task in dict.fromkeys(tasks):
        of_task = effects.take(tasks == task)
        first = of_task.table.iloc[0]
        label = f"{first['task_label']} ({first['reference']})"
        rows.append(pool_group(of_task, level) | {"by": "task", "group": task, "label": label})
    rows += [row for row in (relate_to_year(effects, level), pool_tasks(effects, level)) if row]
    pooled = pd.DataFrame(rows).reindex(columns=POOLED)
    pooled["pooled_id"] = pooled["by"] + "." + pooled["group"].str.replace(" ", "_")
    for name in ("odds_ratio", "ci_low", "ci_high", "prediction_low", "prediction_high"):
        source = "log_odds_ratio" if name == "odds_ratio" else name
        pooled[name] = np.exp(pooled[source].astype(float))
    return pooled.assign(level=level)


def order_by_number(values: pd.Series) -> list[str]:
    """Order distinct values by how often they occur, then by name."""
    numbers = values.value_counts()
    return sorted(numbers.index, key=lambda value: (-numbers[value], value))


def pool_group(
    effects: Effects, level: float, design: np.ndarray | None = None, term: int = 0
) -> dict[str, Any]:
    """Average the odds ratios of a group of agents, or return one term of a meta-regression on `design`.

    Intervals are on the log scale; a regression has no prediction interval.
    """
    table = effects.table
    tasks = (table["study"] + "." + table["task"]).to_numpy()
    studies = table["study"].to_numpy()
    sizes = {
        "n_agents": len(table),
        "n_tasks": len(np.unique(tasks)),
        "n_studies": len(np.unique(studies)),
    }
    values = table["log_odds_ratio"].to_numpy(float)
    if len(table) == 1:
        alone = table.iloc[0]
        ends = {name: np.log(alone[name]) for name in ("ci_low", "ci_high")}
        shown = {name: alone[name] for name in ("log_odds_ratio", "se", "df")}
        return (
            sizes | shown | ends | {"method": alone["method"], "note": "one agent, its own error"}
        )
    levels, clusters, method = choose_levels(tasks, studies)
    fit = meta_analysis.fit_random_effects(
        values,
        effects.covariance,
        design,
        list(levels.values()),
        clusters,
        at_least_model=True,
    )
    spreads = dict(zip(levels, np.sqrt(fit.variances), strict=True))
    row = describe_fit(fit, level, term, predicted=design is None)
    return (
        sizes
        | row
        | {
            **{f"sd_{name}": spread for name, spread in spreads.items()},
            "method": f"random effects of {' and '.join(levels)}, REML; {method}",
            "note": "" if fit.df[term] > LEAST_DF else TOO_FEW,
        }
    )


def describe_fit(
    fit: meta_analysis.RandomEffects, level: float, term: int = 0, predicted: bool = True
) -> dict[str, Any]:
    """Describe one term of a random-effects model, on the log scale."""
    low, high = fit.compute_intervals(level)
    row = {
        "log_odds_ratio": fit.coefficients[term],
        "se": fit.se[term],
        "df": fit.df[term],
        "ci_low": low[term],
        "ci_high": high[term],
        "i_squared": fit.shares.sum(),
        "q": fit.q,
        "q_df": fit.q_df,
        "q_p": fit.q_p,
    }
    if fit.df[term] > LEAST_DF:
        row["p"] = fit.p[term]
    if predicted:
        lows, highs = fit.compute_prediction_intervals(level)
        row |= {"prediction_low": lows[0], "prediction_high": highs[0]}
    return row


def choose_levels(
    tasks: np.ndarray, studies: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray | None, str]:
    """Choose the levels at which true values vary, and what errors are taken over, also in words.

    Returns the group of each agent by level, and the clusters, None for errors of Hartung and Knapp.
    """
    number = {"studies": len(set(studies)), "tasks": len(set(tasks)), "agents": len(tasks)}
    levels = {"agents": np.arange(len(tasks))}
    if 1 < number["tasks"] < number["agents"]:
        levels = {"tasks": tasks} | levels
    if MIN_UNITS <= number["studies"] < number["tasks"]:
        levels = {"studies": studies} | levels
        return levels, studies, "CR2 errors over studies"
    if "tasks" in levels:
        return levels, tasks, "CR2 errors over tasks"
    return levels, None, "Hartung\N{EN DASH}Knapp errors"


def list_forest(effects: Effects, pooled: pd.DataFrame) -> pd.DataFrame:
    """List the rows of the forest plot: the agents of each task, with their average, then all averages.

    Averages of too few agents for an interval are left out.
    """
    parts = []
    pooled = pooled[(pooled["n_agents"] > 1) & pooled["ci_low"].notna()]
    for task, of_task in effects.table.groupby(
        effects.table["study"] + "." + effects.table["task"], sort=False
    ):
        section = f"{of_task['task_label'].iloc[0]}, {of_task['reference'].iloc[0]}"
        agents = of_task.sort_values("log_odds_ratio", ascending=False, kind="stable")
        parts.append(agents.assign(section=section, row="agent", label=agents["agent_label"]))
        average = pooled[pooled["group"] == task]
        described = {name: of_task[name].iloc[0] for name in ("design", "data")}
        parts.append(average.assign(section=section, row="average", label=MEAN, **described))
    for by, section in (("kind", "Averages by kind"), ("all", "Average over everything")):
        averages = pooled[pooled["by"] == by]
        parts.append(averages.assign(section=section, row="average", data=POOLED_DATA))
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=FOREST)
    return table.reindex(columns=FOREST).assign(reading="recommended")


def relate_to_year(effects: Effects, level: float) -> dict[str, Any] | None:
    """Relate odds ratios to the year of an agent's publication; None with fewer than three years."""
    has_year = effects.table["released"].notna()
    dated = effects.take(has_year)
    years = dated.table["released"].to_numpy(float)
    if len(set(years)) < 3:
        return None
    design = np.column_stack([np.ones(len(years)), (years - years.mean()) / YEARS])
    row = pool_group(dated, level, design, term=1)
    note = f"factor per {YEARS} years, {years.min():.0f} to {years.max():.0f}"
    return row | {
        "by": "year",
        "group": "released",
        "label": f"per {YEARS} years of publication",
        "note": "; ".join(filter(None, [row["note"], note])),
    }


def pool_tasks(effects: Effects, level: float) -> dict[str, Any] | None:
    """Average tasks, each the mean of its agents, as a check; None with fewer than three tasks."""
    table = effects.table
    tasks = (table["study"] + "." + table["task"]).to_numpy()
    if len(set(tasks)) < 3:
        return None
    means, covariance = meta_analysis.average_by_group(
        table["log_odds_ratio"], effects.covariance, tasks
    )
    fit = meta_analysis.fit_random_effects(means, covariance, at_least_model=True)
    return describe_fit(fit, level) | {
        "by": "check",
        "group": "tasks",
        "label": "check: tasks, each the mean of its machines",
        "n_agents": len(table),
        "n_tasks": len(means),
        "n_studies": table["study"].nunique(),
        "sd_tasks": np.sqrt(fit.variances[0]),
        "method": "random effects of tasks, REML; Hartung\N{EN DASH}Knapp errors",
        "note": "",
    }
