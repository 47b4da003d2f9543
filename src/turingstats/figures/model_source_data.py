"""Source data of the figures of models and of equivalence.

Numbers are selected from the results and labeled, nothing is computed; drawing is in
`turingstats.figures.standalone`, one module per figure.
"""

import math
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.headline_cohorts import list_answering_cohorts, list_headline_cohorts
from turingstats.config.study import Study


def add_labels(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Add the labels of task, cohort and agents."""
    tasks = [study.tasks[name] for name in table["task"]]
    cohorts = zip(tasks, table["cohort"], strict=True)
    table = table.assign(
        task_label=[task.label for task in tasks],
        cohort_label=[
            " + ".join(task.cohorts[part].label for part in name.split(" + "))
            for task, name in cohorts
        ],
    )
    labels = {"all": "All models"} | {name: agent.label for name, agent in study.agents.items()}
    for column in ("agent", "other"):
        if column in table:
            table[f"{column}_label"] = table[column].map(labels)
    return table


def find_main_models(study: Study, judged: pd.DataFrame) -> set[str]:
    """Find for each task the model that compares agents with people, if possible in its headline cohort."""
    headlines = {
        (task, cohort) for task, (cohort, *_) in list_headline_cohorts(study, judged).items()
    }
    agents = [model for model in study.models if model.id.endswith(".agents")]
    # The last model of a task stays.
    agents.sort(key=lambda model: (model.task, model.cohorts[0]) in headlines)
    return set({model.task: model.id for model in agents}.values())


def select_forest(
    models: pd.DataFrame, estimates: pd.DataFrame, judged: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Select the detectability of each agent from the mixed model (with its p) and from pooled trials."""
    shown = models[
        (models["kind"] == "detectability")
        & models["model_id"].isin(find_main_models(study, judged))
    ]
    mixed = shown.rename(columns={"term": "agent", "estimate": "value"}).assign(
        source="mixed model", outcome=shown["formula"].str.split("~").str[0].str.strip()
    )
    pooled = estimates[
        (estimates["reading"] == "recommended")
        & (estimates["group_by"] == "all")
        & (estimates["quantity"] == "detectability")
    ].assign(source="pooled trials")
    keys = ["task", "cohort", "agent"]
    pooled = mixed[keys].merge(pooled, on=keys)
    table = pd.concat([mixed, pooled], ignore_index=True)
    columns = "outcome source value ci_low ci_high p n n_judges groups converged singular notes"
    return add_labels(table.reindex(columns=[*keys, *columns.split()]), study)


GROUPS = {
    "bias": ("judge",),
    "sensitivity": ("judge:made_by",),
    "ability": ("judge",),
    "stimulus bias": ("stimulus",),
    # The latter in choices.
    "difficulty": ("stimulus:made_by", "stimulus"),
}
"""Groups of random effects whose spread is that of an effect of judges or stimuli."""


HARDEST = 5
"""Number of stimuli that are named."""


def select_abilities(
    random_effects: pd.DataFrame, models: pd.DataFrame, judged: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Select the spread of judges and stimuli in the models that compare agents.

    Effects of judges are bias and sensitivity, or in choices ability; those of stimuli are difficulty, or
    bias if the model does not distinguish who made the response. value is the standard deviation in the
    population; n_distinct counts the judges or stimuli whose interval excludes the average, and highest
    names the hardest stimuli if they have names.
    """
    main = find_main_models(study, judged)
    effects = random_effects[random_effects["model_id"].isin(main)]
    outcome = models.groupby("model_id")["formula"].first().str.split("~").str[0].str.strip()
    plain = effects["effect"].eq("(Intercept)") & effects["model_id"].map(outcome).eq(
        "said_machine"
    )
    named = {"judge": "bias", "stimulus": "stimulus bias"}
    effects = effects.assign(effect=effects["group"].map(named).where(plain, effects["effect"]))
    effects = effects[effects["effect"].isin(GROUPS)]
    sd = models[models["kind"] == "sd"].set_index(["model_id", "group"])["estimate"]
    rows = []
    keys = ["model_id", "task", "cohort", "effect"]
    for key, part in effects.groupby(keys, sort=False):
        model, task, cohort, effect = key
        spreads = (sd[model, group] for group in GROUPS[effect] if (model, group) in sd.index)
        # A sensitivity is the difference of two independent effects of equal variance.
        value = next(spreads, math.nan) * (2**0.5 if effect == "sensitivity" else 1)
        distinct = (part["ci_low"] > 0) | (part["ci_high"] < 0)
        row = {"task": task, "cohort": cohort, "effect": effect, "value": value, "n": len(part)}
        row |= {"n_distinct": int(distinct.sum()), "highest": name_hardest(part)}
        rows.append(row)
    columns = ["task", "cohort", "effect", "value", "n", "n_distinct", "highest"]
    return add_labels(pd.DataFrame(rows, columns=columns), study)


def name_hardest(stimuli: pd.DataFrame) -> str | None:
    """Name the hardest stimuli, and who made the responses; None if they have numbers, which say nothing."""
    levels = stimuli.nlargest(HARDEST, "value")["level"].astype(str)
    if levels.str.contains(r"\d").any():
        return None
    makers = {":human": " (by a person)", ":machine": " (by a machine)"}
    return ", ".join(levels.replace(makers, regex=True))


def select_equivalence(judged: pd.DataFrame, study: Study, power: float) -> pd.DataFrame:
    """Select the comparisons of agents in each headline cohort, and of all agents together in others.

    `power` is that of the sizes needed.
    """
    parts = [judged.iloc[:0]]
    for task, ((first, *others), *groups) in list_answering_cohorts(study, judged).items():
        others = [*others, *(group[0] for group in groups)]
        of_task = judged[judged["task"] == task]
        parts.append(put_agents_first(of_task[of_task["cohort"] == first]))
        # An agent that is the only one is the same as all.
        if (parts[-1]["agent"] != "all").groupby(parts[-1]["against"]).sum().max() == 1:
            parts[-1] = parts[-1][parts[-1]["agent"] == "all"]
        parts += [
            of_task[(of_task["cohort"] == other) & (of_task["agent"] == "all")] for other in others
        ]
    return add_labels(pd.concat(parts), study).assign(power=power)


def put_agents_first(judged: pd.DataFrame) -> pd.DataFrame:
    """Put all agents of a cohort together after the single ones, of which they are no sample."""
    places = pd.factorize(judged["task"] + "." + judged["cohort"])[0]
    return judged.iloc[np.lexsort((judged["agent"] == "all", places))]


def format_size(row: dict[str, Any]) -> str:
    """Format how large a study is: its judges, or its stimuli or trials if errors are over these alone."""
    if row["unit"] == "trials":
        return f"{row['n']:,.0f} trials"
    if row["unit"] == "stimuli":
        return f"{row['n_stimuli']:,.0f} stimuli"
    return f"{row['n_judges']:,.0f}"


def format_needed_size(row: dict[str, Any]) -> str:
    """Format how large a study must be to show equivalence: judges, or else stimuli, or times both."""
    for unit, noun in (("judges", ""), ("stimuli", " stimuli"), ("trials", " trials")):
        if math.isfinite(needed := row[f"{unit}_for_equivalence"]):
            return f"{needed:,.0f}{noun}"
    times = row["both_for_equivalence"]
    if math.isfinite(times):
        return f"{times:.1f} times both"
    return "never" if times == math.inf or row[f"{row['unit']}_for_equivalence"] == math.inf else ""
