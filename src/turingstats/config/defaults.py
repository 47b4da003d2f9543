"""Default tests and figures for a study that declares none of its own.

A study file that names figures (or comparisons) gets only those; what it names under `add` joins the default
ones. Titles and captions of the figures are in `templates/default_figures.yaml`.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from turingstats.config.graded import CohortGrades
from turingstats.config.study import Additions, Cohort, Comparison, Figure, Study, Task
from turingstats.config.study.panels import (
    HeatmapPanel,
    IntervalsPanel,
    ListedPanel,
    MatrixPanel,
    Panel,
    PiePanel,
    PlainPanel,
    RatingsPanel,
    SimilarityPanel,
)
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import read_mapping

TEXTS = Path(__file__).parents[1] / "templates/default_figures.yaml"
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
        declared["comparisons"] = (
            *declare_comparisons(study, with_stimuli or {}),
            *study.add.comparisons,
        )
    if not study.figures:
        declared["figures"] = declare_figures(study, grades or {}) | study.add.figures
    ids = Counter(comparison.id for comparison in declared.get("comparisons", ()))
    for comparison in study.add.comparisons:
        if ids[comparison.id] > 1:
            raise ConfigError(
                f"study {study.study}: add.comparisons: {comparison.id} is the id of a default test\n"
                "  fix:     give it another id"
            )
    return study.model_copy(update=declared | {"add": Additions()})


def declare_comparisons(
    study: Study, with_stimuli: Mapping[str, Collection[str]]
) -> list[Comparison]:
    """Declare tests of each agent's detectability against chance and of differences between judge groups.

    Both are tests with errors over judges and stimuli, so that p and the interval of the estimate agree, and
    a stimulus that several machines judged is not counted several times. Of machine judges whose stimuli are
    not known, single verdicts are tested: whether people's and machines' responses are judged machine equally
    often or, for choices, by an exact binomial test. Machines among which
    people chose are compared in pairs. Each kind of test in a task is one family, with Holm's
    correction.
    """
    comparisons = []
    for task, cohort, keys in list_cohorts(study):
        name, key = keys["task"], keys["cohort"]
        people = cohort.judge_kind == "human"
        crossed = people or not {key, "all"}.isdisjoint(with_stimuli.get(name, ()))
        of_verdicts = "binomial" if task.choice else "two_proportions"
        tests = {"chance": "crossed_t" if crossed else of_verdicts}
        tests |= dict.fromkeys(study.demographics if people else (), "crossed_t")
        for what, test in tests.items():
            comparisons.append(
                Comparison(
                    id=f"{name}.{key}.{what}",
                    task=name,
                    cohorts=(key,),
                    agents=list_agents(cohort),
                    quantity="detectability",
                    recommended={"test": test, "family": f"{name}.{what}", "correction": "holm"},
                    **({"against": 0.5} if what == "chance" else {"by": what}),
                )
            )
        if task.choice and people:
            # Which machines are chosen in place of the person more often than others.
            comparisons += [
                Comparison(
                    id=f"{name}.{key}.{one}-{other}",
                    task=name,
                    cohorts=(key,),
                    agents=(one, other),
                    quantity="called human",
                    recommended={
                        "test": "crossed_t",
                        "family": f"{name}.agents",
                        "correction": "holm",
                    },
                )
                for one, other in itertools.combinations(cohort.agents, 2)
            ]
    return comparisons


def declare_figures(study: Study, grades: CohortGrades) -> dict[str, Figure]:
    """Declare the default figures, without those that have no panels."""
    texts = read_mapping(TEXTS)
    panels: dict[str, list[Panel]] = {name: [] for name in texts}
    for task, cohort, keys in list_cohorts(study):
        parts = [*make_cohort_panels(task, cohort, keys)]
        if cohort.judge_kind == "human":
            parts += make_group_panels(study, task, cohort, keys)
        for figure, panel in parts:
            panels[figure].append(panel)
    for name, task in study.tasks.items():
        kinds = ("dissimilarity", "variability", *["alignment"] * bool(task.agents))
        for kind in kinds if task.references else ():
            panels[kind].append(SimilarityPanel(kind=kind, title=task.label, task=name))
    panels["codes"] = [*make_code_panels(study)]
    panels["scales"] = [*make_scale_panels(study)]
    panels["ratings"] = [*make_rating_panels(study, grades, "ratings")]
    panels["roc"] = [*make_rating_panels(study, grades, "rating curves")]
    return {
        name: Figure(**text, panels=letter_panels(panels[name]))
        for name, text in texts.items()
        if panels[name]
    }


def make_cohort_panels(
    task: Task, cohort: Cohort, keys: dict[str, str]
) -> Iterator[tuple[str, Panel]]:
    """Make the panels of a cohort of any judges, each with the name of its figure."""
    everyone, label = list_agents(cohort), cohort.label
    chance = f"{keys['task']}.{keys['cohort']}.chance"
    of_games = task.design == "three_party"
    yield "matrices", MatrixPanel(title=label, agents=everyone, **keys)
    yield "agents", IntervalsPanel(title=label, agents=everyone, chance_test=chance, **keys)
    if of_games:
        where = {**keys, "quantity": "p_HM", "group_by": "all", "agent": everyone}
        wins = {"where": where, "name": "agent", "axis": "Share judged human"}
        shared = {"task": keys["task"], "table": "estimates", "reference": 0.5}
        yield "wins", ListedPanel(title=label, **shared, **wins)
    else:
        rows = cohort.agents if task.choice else ("human", *cohort.agents)
        yield "stimuli", PlainPanel(kind="stimuli", title=label, rows=rows, **keys)
    rate = "called human" if of_games else "detectability"
    for by in task.conditions:
        if "+" in by:
            continue
        of_condition = {"title": f"{label}: {format_variable(by)}", "by": by, **keys}
        yield "conditions", IntervalsPanel(agents=everyone[:1], **of_condition)
        if len(cohort.agents) > 1:
            of_agents = {"agents": cohort.agents, "quantity": rate}
            yield "agents_by_condition", HeatmapPanel(**of_agents, **of_condition)


def make_group_panels(
    study: Study, task: Task, cohort: Cohort, keys: dict[str, str]
) -> Iterator[tuple[str, Panel]]:
    """Make the panels of a cohort of people: by their confidence, and by groups of them."""
    if "confidence" in study.bands:
        for panel in make_confidence_panels(task, cohort, keys):
            yield "confidence", panel
    what = "Right choices" if task.choice else "Detectability"
    for by in study.demographics:
        group = format_variable(by)
        yield "groups", PiePanel(title=f"{cohort.label}: {group}", by=by, **keys)
        test = f"{keys['task']}.{keys['cohort']}.{by}"
        agents = list_agents(cohort)[:1]
        yield (
            "groups",
            IntervalsPanel(
                title=f"{what} by {group}", by=by, agents=agents, group_test=test, **keys
            ),
        )


def explain_skipped_figures(study: Study, grades: CohortGrades | None = None) -> dict[str, str]:
    """Explain which default figures a study lacks; empty for a study that declares its own figures."""
    default = declare_figures(study, grades or {})
    if not set(default) <= set(study.figures):
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


def letter_panels(panels: Iterable[Panel]) -> dict[str, Panel]:
    """Label panels with letters: A to Z, then AA and so on."""
    names = [*LETTERS, *(one + other for one in LETTERS for other in LETTERS)]
    return dict(zip(names, panels, strict=False))


def list_cohorts(study: Study) -> Iterator[tuple[Task, Cohort, dict[str, str]]]:
    """Yield each task and cohort with the keys of a panel."""
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            yield task, described, {"task": name, "cohort": cohort}


def list_agents(cohort: Cohort) -> tuple[str, ...]:
    """List all agents together and each of them; a single agent is listed once."""
    return ("all", *cohort.agents) if len(cohort.agents) > 1 else cohort.agents


def make_confidence_panels(task: Task, cohort: Cohort, keys: dict[str, str]) -> Iterator[Panel]:
    """Make panels of accuracy by confidence, and of how well confidence predicts accuracy."""
    labels = {
        "human": "on people's responses",
        "machine": "on machines' responses",
        "all": "All verdicts",
    }
    # A choice is one verdict, on the machine.
    truths = ("all",) if task.choice else ("human", "machine")
    where = {**keys, "by": "confidence"}
    shared = {"task": keys["task"], "table": "breakdowns", "reference": 0.5}
    yield ListedPanel(
        title=f"{cohort.label}: right verdicts by confidence",
        where=where | {"quantity": "accuracy", "truth": truths},
        name="level",
        series=None if task.choice else "truth",
        labels=labels,
        axis="Share judged right",
        **shared,
    )
    yield ListedPanel(
        title=f"{cohort.label}: does confidence tell right from wrong?",
        where=where | {"quantity": "confidence_area", "truth": ("all", *truths)[-3:]},
        name="truth",
        labels={name: label[0].upper() + label[1:] for name, label in labels.items()},
        axis="Area under the ROC curve of confidence",
        **shared,
    )


def make_code_panels(study: Study) -> Iterator[Panel]:
    """Make a panel of accuracy by code for each column of codes: what the reasons of judges predict."""
    for name, codes in study.codes.items():
        yield ListedPanel(
            title=codes.label,
            task=codes.task,
            table="codes",
            where={"scheme": name, "subset": "all", "unit": "code", "quantity": "accuracy"},
            order="value",
            axis="Share judged right",
            reference=0.5,
        )


def make_scale_panels(study: Study) -> Iterator[Panel]:
    """Make panels of ratings beside the verdict: agents minus people, and correlation with the verdict."""
    for task, cohort, keys in list_cohorts(study):
        if not task.scales or cohort.judge_kind != "human":
            continue
        labels = {"all": "All models"} | {name: study.agents[name].label for name in task.agents}
        labels |= {name: format_variable(name) for name in task.scales}
        shared: dict[str, Any] = {"task": keys["task"], "table": "scales", "name": "scale"}
        shared |= {"labels": labels, "reference": 0.0, "percent": False}
        yield ListedPanel(
            title=f"{cohort.label}: machines rated higher than people",
            where=keys | {"quantity": "difference", "agent": list_agents(cohort)},
            series="agent" if len(cohort.agents) > 1 else None,
            axis="Difference of mean ratings",
            **shared,
        )
        yield ListedPanel(
            title=f"{cohort.label}: ratings and verdicts of the same judge",
            where=keys | {"quantity": "within_judges"},
            axis="Correlation with the verdict human",
            **shared,
        )


def make_rating_panels(
    study: Study, grades: CohortGrades, kind: Literal["ratings", "rating curves"]
) -> Iterator[Panel]:
    """Make one panel per cohort with ratings, and one per task with scores."""
    scored: dict[str, dict[str, Cohort]] = {}
    for _, cohort, keys in list_cohorts(study):
        by_cohort = grades.get(keys["task"], {})
        scale = by_cohort.get(keys["cohort"], by_cohort.get("all"))
        if scale and scale["kind"] == "score":
            scored.setdefault(keys["task"], {})[keys["cohort"]] = cohort
        elif scale:
            yield RatingsPanel(title=cohort.label, kind=kind, agents=list_agents(cohort), **keys)
    for task, cohorts in scored.items():
        one = len(cohorts) == 1
        yield RatingsPanel(
            title=next(iter(cohorts.values())).label if one else "Detectors",
            kind=kind,
            task=task,
            cohort=next(iter(cohorts)) if one else None,
            cohorts=() if one else tuple(cohorts),
            agents=list_agents(next(iter(cohorts.values()))),
        )


def format_variable(name: str) -> str:
    """Format the name of a variable for a title."""
    return name.replace("_", " ")
