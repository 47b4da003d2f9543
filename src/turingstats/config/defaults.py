"""Default tests and figures for a study that declares none of its own.

A study file that names figures (or comparisons) gets only those; what it names under `add` joins the default
ones. The tests are written in `templates/default_comparisons.yaml`, the figures in `default_figures.yaml`.
"""

import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import yaml

from turingstats.config.graded import CohortGrades
from turingstats.config.study import Additions, Cohort, Comparison, Figure, Study, Task
from turingstats.core.errors import ConfigError
from turingstats.core.templating import PAGES, make_environment
from turingstats.core.yaml_models import StrictLoader

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NO_PEOPLE = "no cohort of human judges"


def fill_defaults(
    study: Study,
    grades: CohortGrades | None = None,
    with_stimuli: Mapping[str, Collection[str]] | None = None,
) -> Study:
    """Add the default tests and figures to a study that declares none."""
    declared: dict[str, Any] = {}
    if study.design == "pairs":
        return study
    if not study.comparisons:
        functions = {"pairs": lambda agents: itertools.combinations(agents, 2)}
        known = functions | {"with_stimuli": with_stimuli or {}}
        tests = fill_template("default_comparisons.yaml", study, **known) or ()
        ids = {comparison["id"] for comparison in tests}
        for added in study.add.comparisons:
            if added.id in ids:
                problem = (
                    f"study {study.study}: add.comparisons: {added.id} is the id of a default test"
                )
                raise ConfigError(problem, fix="give it another id")
        default = (Comparison(**comparison) for comparison in tests)
        declared["comparisons"] = (*default, *study.add.comparisons)
    if not study.figures:
        declared["figures"] = declare_figures(study, grades or {}) | study.add.figures
    return study.model_copy(update=declared | {"add": Additions()})


def fill_template(name: str, study: Study, **values: Any) -> Any:
    """Fill in a template of a part of a study, in which each cohort is a test or a panel."""
    template = make_environment(PAGES, escape=False).get_template(name)
    text = template.render(
        study=study, cohorts=[*list_cohorts(study)], everyone=list_agents, **values
    )
    return yaml.load(text, Loader=StrictLoader)


def declare_figures(study: Study, grades: CohortGrades) -> dict[str, Figure]:
    """Declare the default figures, without those that have no panels."""
    figures = fill_template(
        "default_figures.yaml",
        study,
        graded=[*list_graded_panels(study, grades)],
        words=lambda name: name.replace("_", " "),
    )
    letters = [*LETTERS, *(first + second for first in LETTERS for second in LETTERS)]
    return {
        name: Figure(**figure | {"panels": dict(zip(letters, figure["panels"], strict=False))})
        for name, figure in figures.items()
        if figure["panels"]
    }


def explain_skipped_figures(study: Study, grades: CohortGrades | None = None) -> dict[str, str]:
    """Explain which default figures a study lacks; empty for a study that declares its own figures."""
    default = declare_figures(study, grades or {})
    # Every study without figures of its own gets the first one.
    if not {"matrices", *default} <= set(study.figures):
        return {}
    people = any(cohort.judge_kind == "human" for _, cohort, _ in list_cohorts(study))
    reasons = {
        "confidence": "the study declares no bands of confidence" if people else NO_PEOPLE,
        "ratings": "no file has ratings or scores",
        "roc": "no file has ratings or scores",
        "stimuli": "each game is a conversation of its own",
        "groups": "the study declares no demographics" if people else NO_PEOPLE,
        "conditions": "the study declares no conditions",
    }
    return {name: reason for name, reason in reasons.items() if name not in default}


def list_cohorts(study: Study) -> Iterator[tuple[Task, Cohort, dict[str, str]]]:
    """Yield each task and cohort with the keys of a panel."""
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            yield task, described, {"task": name, "cohort": cohort}


def list_agents(cohort: Cohort) -> tuple[str, ...]:
    """List all agents together and each of them; a single agent is listed once."""
    return ("all", *cohort.agents) if len(cohort.agents) > 1 else cohort.agents


def list_graded_panels(study: Study, grades: CohortGrades) -> Iterator[dict[str, Any]]:
    """Yield the keys of one panel per cohort with ratings, and of one per task with scores."""
    scored: dict[str, dict[str, Cohort]] = {}
    for _, cohort, keys in list_cohorts(study):
        by_cohort = grades.get(keys["task"], {})
        scale = by_cohort.get(keys["cohort"], by_cohort.get("all"))
        if scale and scale["kind"] == "score":
            scored.setdefault(keys["task"], {})[keys["cohort"]] = cohort
        elif scale:
            yield {"title": cohort.label, "agents": list_agents(cohort), **keys}
    for task, cohorts in scored.items():
        first, *others = cohorts.values()
        judged_by = {"cohorts": [*cohorts]} if others else {"cohort": next(iter(cohorts))}
        title = "Detectors" if others else first.label
        yield {"title": title, "task": task, "agents": list_agents(first), **judged_by}
