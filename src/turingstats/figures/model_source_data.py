"""Source data of the figures of models and of equivalence.

Numbers are selected from the results and labeled, nothing is computed; drawing is in
`turingstats.figures.forests`.
"""

import numpy as np
import pandas as pd

from turingstats.analysis.headline_cohorts import list_answering_cohorts
from turingstats.config.study import Study
from turingstats.core.names import split_names


def add_labels(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Add the labels of task, cohort and agents."""
    tasks = [study.tasks[name] for name in table["task"]]
    cohorts = zip(tasks, table["cohort"], strict=True)
    labels = [
        " + ".join(task.cohorts[part].label for part in split_names(name, " + "))
        for task, name in cohorts
    ]
    table = table.assign(task_label=[task.label for task in tasks], cohort_label=labels)
    for column in ("agent", "other"):
        if column in table:
            table[f"{column}_label"] = table[column].map(study.agent_labels)
    return table


def find_main_models(study: Study, judged: pd.DataFrame) -> set[str]:
    """Find for each task the model that compares agents with people, if possible in its headline cohort."""
    headlines = {
        (task, groups[0][0]) for task, groups in list_answering_cohorts(study, judged).items()
    }
    agents = study.agent_models
    # The last model of a task stays.
    agents.sort(key=lambda model: (model.task, model.cohorts[0]) in headlines)
    return set({model.task: model.id for model in agents}.values())


def select_forest(
    models: pd.DataFrame, estimates: pd.DataFrame, judged: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Select the detectability of each agent from the mixed model (with its p) and from pooled trials."""
    effects = models[
        (models["kind"] == "detectability")
        & models["model_id"].isin(find_main_models(study, judged))
    ]
    mixed = effects.rename(columns={"term": "agent", "estimate": "value"}).assign(
        source="mixed model", outcome=effects["formula"].str.split("~").str[0].str.strip()
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


def select_equivalence(judged: pd.DataFrame, study: Study, power: float) -> pd.DataFrame:
    """Select the comparisons of agents in each headline cohort, and of all agents together in others.

    `power` is that of the sizes needed.
    """
    tables = [judged.iloc[:0]]
    for task, ((first, *others), *groups) in list_answering_cohorts(study, judged).items():
        others = [*others, *(group[0] for group in groups)]
        of_task = judged[judged["task"] == task]
        tables.append(put_agents_first(of_task[of_task["cohort"] == first]))
        # An agent that is the only one is the same as all.
        if (tables[-1]["agent"] != "all").groupby(tables[-1]["against"]).sum().max() == 1:
            tables[-1] = tables[-1][tables[-1]["agent"] == "all"]
        tables += [
            of_task[(of_task["cohort"] == other) & (of_task["agent"] == "all")] for other in others
        ]
    return add_labels(pd.concat(tables), study).assign(power=power)


def put_agents_first(judged: pd.DataFrame) -> pd.DataFrame:
    """Put all agents of a cohort together after the single ones, of which they are no sample."""
    places = pd.factorize(judged["task"] + "." + judged["cohort"])[0]
    return judged.iloc[np.lexsort((judged["agent"] == "all", places))]
