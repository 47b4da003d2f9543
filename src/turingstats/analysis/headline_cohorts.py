"""The cohorts whose judges stand for a task wherever one answer per task is given.

The headline of a task is its largest cohort of people who were neither trained with feedback nor pooled.
Cohorts most of whose machines are others, such as newer ones, have an answer of their own.
"""

from collections.abc import Collection, Mapping

import pandas as pd

from turingstats.config.study import Comparison, Study
from turingstats.config.study.tests import PlainTest

WHO_JUDGES = "who judges"
"""Family of the tests whether the answer about all machines depends on who judges."""


def list_answering_cohorts(study: Study, judged: pd.DataFrame) -> dict[str, list[list[str]]]:
    """List by task the cohorts of each answer, the largest first: those who judged the same machines.

    `judged` are the comparisons of `statistics/equivalence.csv`; tasks without one are left out. The first
    group has the headline cohort; others follow if most of their machines are not the headline's.
    """
    pooled = judged[judged["agent"] == "all"]
    sizes = {
        (row.task, row.cohort): row.n_judges
        for row in pooled.itertuples()
        if row.against == ("chance" if study.tasks[row.task].choice else "people")
    }
    listed = {}
    for name in study.tasks:
        groups = group_cohorts(study, name, {cohort for task, cohort in sizes if task == name})
        for group in groups:
            group.sort(key=lambda cohort: -sizes[name, cohort])
        groups.sort(key=lambda group: -sizes[name, group[0]])
        if groups:
            machines = [set(study.tasks[name].cohorts[group[0]].agents) for group in groups]
            listed[name] = [
                group
                for group, own in zip(groups, machines, strict=True)
                if group is groups[0] or len(own - machines[0]) > len(own & machines[0])
            ]
    return listed


def list_headlines(study: Study, judged: pd.DataFrame) -> list[tuple[str, str]]:
    """List the task and cohort of every answer that stands beside others."""
    answers = list_answering_cohorts(study, judged).items()
    return [(task, group[0]) for task, groups in answers for group in groups]


def group_cohorts(study: Study, task: str, present: Collection[str]) -> list[list[str]]:
    """Group the cohorts of people with data, neither trained with feedback nor pooled, by their machines."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, cohort in study.tasks[task].cohorts.items():
        taken = cohort.judge_kind == "human" and not cohort.pools and cohort.setting != "feedback"
        if taken and name in present:
            groups.setdefault(frozenset(cohort.agents), []).append(name)
    return list(groups.values())


def ask_who_judges(
    study: Study, present: Mapping[tuple[str, str], Collection[str]]
) -> list[Comparison]:
    """Ask for every task whether cohorts who judged the same machines tell them from people equally well.

    `present` are the agents with data by task and cohort. The tests of all machines together are corrected
    over tasks, those of each machine over the machines of all tasks.
    """
    asked = []
    for task in study.tasks:
        cohorts = [cohort for name, cohort in present if name == task]
        for group in (group for group in group_cohorts(study, task, cohorts) if len(group) > 1):
            declared = study.tasks[task].cohorts[group[0]].agents
            machines = tuple(a for a in declared if all(a in present[task, c] for c in group))
            families: dict[tuple[str, ...], str] = {("all",): WHO_JUDGES}
            if len(machines) > 1:
                families[machines] = f"{WHO_JUDGES}, machines"
            asked += [
                Comparison(
                    id=name_who_judges(study, task, group),
                    task=task,
                    cohorts=tuple(group),
                    quantity="detectability",
                    agents=agents,
                    recommended=PlainTest(test="crossed_t", family=family, correction="holm"),
                )
                for agents, family in families.items()
            ]
    return asked


def name_who_judges(study: Study, task: str, cohorts: Collection[str]) -> str:
    """Name the comparison of cohorts of `ask_who_judges`."""
    first = next(name for name in study.tasks[task].cohorts if name in cohorts)
    return f"{task}.{first}.who_judges"
