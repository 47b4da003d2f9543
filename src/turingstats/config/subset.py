"""Load a study, cut it to the part that a run needs, and add the language models that judge it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from turingstats.config.settings import Config, LanguageModels
from turingstats.config.study import Cohort, Figure, Part, Sample, ShownTable, Study, Task
from turingstats.config.study.checks import list_bad_formulas
from turingstats.config.study.tests import Correction
from turingstats.core.errors import ConfigError
from turingstats.core.names import split_level
from turingstats.core.yaml_models import build_model, make_slug, read_parts


def load_study(path: str | Path) -> Study:
    """Read and check a study file with its parts; the study is named after the file.

    A study that takes tasks from another one keeps only the cohorts (tasks, agents) named by its key `keep`.
    """
    values, name = read_parts(path), Path(path).stem
    keep = values.pop("keep", None)
    if values.setdefault("study", name) != name:
        problem = f"{path}: study is {values['study']!r}, but the file is named {name}"
        fix = f"leave the key out, or rename the file to {values['study']}.yaml"
        raise ConfigError(problem, fix=fix)
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        problem = f"{path}: the name of a study may contain only letters, digits and underscores"
        raise ConfigError(problem, fix="rename the file")
    study = build_model(Study, values, str(path))
    for fault in list_bad_formulas(study):
        problem = f"{path} is not valid:\n  {fault}"
        raise ConfigError(problem, fix="correct it (docs/study_file.md)")
    return cut_study(study, build_model(Part, keep, f"{path}: keep")) if keep else study


def cut_study(study: Study, config: Config | Part) -> Study:
    """Keep the tasks, cohorts and AI agents that the configuration asks for."""
    tasks = cut_tasks(study, choose_names(study, config))
    if not tasks:
        raise ConfigError(
            f"tasks {config.tasks}, cohorts {config.cohorts} and agents {config.agents} leave no cohort of "
            f"study {study.study}; widen one of them"
        )
    comparisons, models = [], []
    for comparison in study.comparisons:
        if has_cohorts(tasks, comparison.task, comparison.cohorts):
            agents = keep_agents(comparison.agents, tasks[comparison.task], comparison.cohorts)
            comparisons += [comparison.model_copy(update={"agents": agents})] if agents else []
    tested = {comparison.id for comparison in comparisons}
    for model in study.models:
        compared = tuple(c for c in model.cohorts if has_cohorts(tasks, model.task, (c,)))
        # A comparison of cohorts continues with the remaining ones.
        if compared == model.cohorts or len(compared) > 1:
            counterparts = tuple(name for name in model.counterpart_of if name in tested)
            update = {"cohorts": compared, "counterpart_of": counterparts}
            models.append(model.model_copy(update=update))
    kept = {
        "tasks": tasks,
        "comparisons": tuple(comparisons),
        "alignment_tests": tuple(
            test
            for test in study.alignment_tests
            if is_rated(test.first, tasks) and is_rated(test.second, tasks)
        ),
        "models": tuple(models),
        "figures": cut_figures(study, tasks),
        "tables": {
            name: table
            for name, table in study.tables.items()
            if isinstance(table, ShownTable) or table.task in tasks
        },
    }
    return study.model_copy(update=kept)


def choose_names(study: Study, config: Config | Part) -> dict[str, set[str]]:
    """Choose the tasks, cohorts and agents that are kept; refuse unknown ones."""
    known = {
        "tasks": set(study.tasks),
        "cohorts": {name for task in study.tasks.values() for name in task.cohorts},
        "agents": set(study.agents) - {"human"},
    }
    chosen = {}
    for what, names in known.items():
        asked = getattr(config, what)
        chosen[what] = names if asked == "all" else set(asked)
        of_models = config.llm.tasks if what == "tasks" and isinstance(config, Config) else "all"
        unknown = sorted(chosen[what] - names)
        unknown += [] if of_models == "all" else sorted(set(of_models) - names)
        if unknown:
            problem = f"{what}: {', '.join(unknown)} unknown to study {study.study}"
            raise ConfigError(f"{problem}; known: {', '.join(sorted(names))}")
    return chosen


def cut_tasks(study: Study, chosen: dict[str, set[str]]) -> dict[str, Task]:
    """Keep the chosen tasks, with the chosen cohorts that have agents."""
    tasks = {}
    for name, task in study.tasks.items():
        wanted, cohorts = chosen["agents"] | {*task.references}, {}
        for cohort, described in task.cohorts.items():
            agents = tuple(agent for agent in described.agents if agent in wanted)
            if {cohort, *described.pools} <= chosen["cohorts"] and agents:
                cohorts[cohort] = described.model_copy(update={"agents": agents})
        if name in chosen["tasks"] and (cohorts or task.references):
            judged = {agent for cohort in cohorts.values() for agent in cohort.agents}
            kept: dict[str, Any] = {
                key: tuple(a for a in getattr(task, key) if a in (judged or wanted))
                for key in ("agents", "also")
            }
            controlled = tuple(name for name in task.published_control if name in cohorts)
            kept |= {"cohorts": cohorts, "published_control": controlled}
            tasks[name] = task.model_copy(update=kept)
    return tasks


def has_cohorts(tasks: dict[str, Task], task: str, cohorts: Iterable[str]) -> bool:
    """Tell whether a task is kept with all of some cohorts."""
    return task in tasks and set(cohorts) <= set(tasks[task].cohorts)


def is_rated(sample: Sample, tasks: dict[str, Task]) -> bool:
    """Tell whether a task is kept with all agents of a sample."""
    return sample.task in tasks and sample.agent_names <= {*tasks[sample.task].raters}


def keep_agents(names: Iterable[str], task: Task, cohorts: Iterable[str]) -> tuple[str, ...]:
    """Keep the agents, or agents at a level, that the cohorts or else the task still have."""
    present = {agent for cohort in cohorts for agent in task.cohorts[cohort].agents}
    present = present or {*task.agents, *task.also}
    kept = {"human", "all", *present}
    return tuple(name for name in names if split_level(name, kept)[0] in kept)


def cut_figures(study: Study, tasks: dict[str, Task]) -> dict[str, Figure]:
    """Keep the panels of the tasks and cohorts that are kept, and the figures that have any."""
    figures = {}
    for name, figure in study.figures.items():
        panels = {}
        for letter, panel in figure.panels.items():
            if not has_cohorts(tasks, panel.task, panel.cohort_names):
                continue
            update: dict[str, Any] = {
                key: keep_agents(getattr(panel, key), tasks[panel.task], panel.cohort_names)
                for key in ("agents", "rows")
                if key in type(panel).model_fields
            }
            # Without agents, a panel of similarity would show all of them.
            if panel.cohort_names or update.get("agents") or not panel.agent_names:
                panels[letter] = panel.model_copy(update=update)
        if panels:
            figures[name] = figure.model_copy(update={"panels": panels})
    return figures


def correct_families(study: Study, correction: Correction | None) -> Study:
    """Correct all families of the recommended reading in one way; None leaves them as declared."""
    comparisons = list(study.comparisons)
    for number, comparison in enumerate(comparisons):
        if correction and comparison.recommended:
            corrected = comparison.recommended.model_copy(update={"correction": correction})
            comparisons[number] = comparison.model_copy(update={"recommended": corrected})
    return study.model_copy(update={"comparisons": tuple(comparisons)})


def list_language_judges(
    task: Task, settings: LanguageModels
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the language models that judge a task: cohort, model, protocol and label."""
    blind = task.response.to_image and settings.images is None
    for protocol in settings.protocols:
        for model in settings.models:
            label = f"{model}, {protocol.removesuffix('shot')}-shot{', no image' if blind else ''}"
            yield f"{protocol}_{make_slug(model)}", model, protocol, label


def add_language_judges(study: Study, settings: LanguageModels) -> Study:
    """Add the language models that judge here to the cohorts of a study; none without an endpoint."""
    tasks = dict(study.tasks)
    for name in list_judged_tasks(study, settings) if settings.base_url else ():
        task = tasks[name]
        added = {
            cohort: Cohort(label=label, judge_kind="llm", agents=task.agents)
            for cohort, _, _, label in list_language_judges(task, settings)
        }
        for cohort in added.keys() & task.cohorts.keys():
            raise ConfigError(f"llm.models: task {name} has a cohort {cohort} already")
        tasks[name] = task.model_copy(update={"cohorts": task.cohorts | added})
    return study.model_copy(update={"tasks": tasks})


def list_judged_tasks(study: Study, settings: LanguageModels) -> list[str]:
    """List the tasks of a study that language models judge, in the study's order."""
    # A task that the run leaves out is not an error; `cut_study` reports unknown tasks.
    return [name for name in study.tasks if settings.tasks == "all" or name in settings.tasks]
