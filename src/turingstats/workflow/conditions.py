"""What results of the list depend on: whether a study gets them, and which needs its file names."""

from collections.abc import Collection
from dataclasses import dataclass

from turingstats.config.graded import CohortGrades
from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.config.study.panels import ListedPanel, RatingsPanel


@dataclass(frozen=True)
class Facts:
    """What is known of a study before its run begins."""

    study: Study
    """Cut to the configured subset; `whole` is the study as its file declares it."""
    whole: Study
    grades: CohortGrades
    config: Config
    published: Collection[str]
    """Names of the tables in data/published/ of the study."""
    notebooks: Collection[str] = ()
    """Lists of the numbers that notebooks of its papers print."""

    @property
    def trained_tasks(self) -> list[str]:
        """Names of the tasks for which judges are trained."""
        return [
            name
            for name, task in self.study.tasks.items()
            if self.config.judges.train and any(c.trained for c in task.cohorts.values())
        ]


# --- when a result is made; where it is not, the report says what it needs -----------------------


def always(facts: Facts) -> bool:
    """Needs nothing else."""
    return True


def trains_judges(facts: Facts) -> bool:
    """Needs a cohort of judges that are trained here."""
    return bool(facts.trained_tasks)


def asks_language_models(facts: Facts) -> bool:
    """Needs the address of language models that judge (`llm.base_url`)."""
    return bool(facts.config.llm.base_url)


def has_grades(facts: Facts) -> bool:
    """Needs ratings or scores in place of verdicts."""
    return bool(facts.grades)


def has_breakdowns(facts: Facts) -> bool:
    """Needs `bands` or `breakdowns` of the study."""
    return bool(facts.study.bands or facts.study.breakdowns)


def has_scales(facts: Facts) -> bool:
    """Needs ratings beside the verdict (`scales` of a task)."""
    return any(task.scales for task in facts.whole.tasks.values())


def has_codes(facts: Facts) -> bool:
    """Needs codes of free text (`codes` of the study)."""
    return bool(facts.study.codes)


def has_genders(facts: Facts) -> bool:
    """Needs a table of perceived genders in the study."""
    return bool(facts.study.gender_tables)


def has_choices(facts: Facts) -> bool:
    """Needs a task in which judges choose between two."""
    return any(task.choice for task in facts.whole.tasks.values())


def has_people_and_machines(facts: Facts) -> bool:
    """Needs a task with both people and machines as judges."""
    return any(
        len({cohort.judge_kind == "human" for cohort in task.cohorts.values()}) > 1
        for task in facts.study.tasks.values()
    )


def has_judging_people(facts: Facts) -> bool:
    """Needs people who judge one response at a time."""
    return any(
        cohort.judge_kind == "human"
        for task in facts.study.tasks.values()
        for cohort in task.cohorts.values()
        if not task.choice
    )


def has_models(facts: Facts) -> bool:
    """Needs mixed models (`models` of the study)."""
    return bool(facts.study.models)


def compares_agents(facts: Facts) -> bool:
    """Needs a mixed model that compares agents."""
    return bool(facts.study.agent_models)


def has_counterparts(facts: Facts) -> bool:
    """Needs a mixed model that asks the question of a published test."""
    return any(model.counterpart_of for model in facts.study.models)


def has_printed_counts(facts: Facts) -> bool:
    """Needs counts that the paper prints (`data/published/<study>/counts.csv`)."""
    return "counts" in facts.published


def has_printed_rates(facts: Facts) -> bool:
    """Needs rates that the paper prints (`data/published/<study>/pass_rates.csv`)."""
    return "pass_rates" in facts.published


def has_claims(facts: Facts) -> bool:
    """Needs a list of what the paper prints (`data/published/<study>/claims.csv`)."""
    return bool(facts.study.claims)


def has_notebooks(facts: Facts) -> bool:
    """Needs a list of the numbers that the authors' notebooks print."""
    return bool(facts.notebooks)


# --- further needs that a study file names --------------------------------------------------------


def list_coding_schemes(facts: Facts) -> list[str]:
    """List the published coding schemes of free text."""
    schemes = {code.scheme for code in facts.study.codes.values() if code.scheme}
    return [f"published/{scheme}" for scheme in sorted(schemes)]


def list_shown_tables(facts: Facts) -> list[str]:
    """List the tables from which panels of figures pick their numbers."""
    panels = [p for figure in facts.study.figures.values() for p in figure.panels.values()]
    listed = [panel for panel in panels if isinstance(panel, ListedPanel)]
    named = {panel.table for panel in listed}
    if any(isinstance(panel, RatingsPanel) for panel in panels):
        named |= {"ratings"}
    named |= {test.table for panel in listed for test in panel.tested} - {"tests"}
    named |= {"stimuli" for panel in panels if panel.kind == "stimuli"}
    return [
        *dict.fromkeys(("estimates", "tests", "sizes", *sorted(named))),
        *("responses", "missing", "judges/evaluation"),
        *("published/benchmarks", "published/notebooks"),
    ]


def list_printed_tables(facts: Facts) -> list[str]:
    """List the tables of the study file that the paper prints, for those whose data are generated."""
    return [f"published/{name}" for name in facts.study.tables]


def list_declared_figures(facts: Facts) -> list[str]:
    """List the figures of the study file."""
    return [f"figures/{name}" for name in facts.study.figures]
