"""Tests and figures of a study that declares none of its own: what can be asked of any judgments.

A study file that names figures (or comparisons) has just those; what it names under `add` joins the default
ones. `explain_skipped_figures` says which of the default figures a study does not get, and what it lacks
for them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from turingstats.config.study import Additions, Cohort, Comparison, Figure, Study, Task
from turingstats.config.study.panels import (
    IntervalsPanel,
    JudgesPanel,
    ListedPanel,
    MatrixPanel,
    Panel,
    PiePanel,
)
from turingstats.core.errors import ConfigError


def fill_defaults(study: Study) -> Study:
    """Give a study the default tests and figures where it declares none, and what it adds to them.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Study
    """
    declared: dict[str, Any] = {}
    if not study.comparisons:
        declared["comparisons"] = (*declare_comparisons(study), *study.add.comparisons)
    if not study.figures:
        declared["figures"] = declare_figures(study) | study.add.figures
    ids = Counter(comparison.id for comparison in declared.get("comparisons", ()))
    for comparison in study.add.comparisons:
        if ids[comparison.id] > 1:
            raise ConfigError(
                f"study {study.study}: add.comparisons: {comparison.id} is the id of a default test\n"
                "  fix:     give it another id"
            )
    return study.model_copy(update=declared | {"add": Additions()})


def declare_comparisons(study: Study) -> list[Comparison]:
    """Each agent's detectability against chance, and differences between groups of judges.

    Chance is tested by Wilcoxon's signed-rank test over judges in cohorts of people, with exact p, since a
    few judges never differ as a normal distribution does, and over verdicts for machine judges, of whom
    there is one: whether they call people's and machines' responses machine alike, or of choices by an
    exact binomial test. Groups of judges are compared by permuting judges. Each kind of test in a task is
    one family, corrected after Holm.
    """
    found = []
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            agents = list_agents(described)
            place = {"task": name, "cohorts": (cohort,), "agents": agents}
            people = described.judge_kind == "human"
            of_verdicts = "binomial" if task.choice else "two_proportions"
            found.append(
                Comparison(
                    id=f"{name}.{cohort}.chance",
                    quantity="detectability",
                    against=0.5,
                    recommended=declare_procedure("wilcoxon", f"{name}.chance", exact_p=True)
                    if people
                    else declare_procedure(of_verdicts, f"{name}.chance"),
                    **place,
                )
            )
            for by in study.demographics if people else ():
                found.append(
                    Comparison(
                        id=f"{name}.{cohort}.{by}",
                        quantity="detectability",
                        by=by,
                        recommended=declare_procedure("permutation", f"{name}.{by}"),
                        **place,
                    )
                )
    return found


def declare_procedure(test: str, family: str, **options: Any) -> dict[str, Any]:
    """A recommended procedure, as a study file declares it."""
    return {"test": test, "family": family, "correction": "holm", **options}


def declare_figures(study: Study) -> dict[str, Figure]:
    """Confusion matrices, detectability by agent, judges' accuracy and confidence, groups of judges,
    conditions."""
    found = {
        "matrices": Figure(
            title="Confusion matrices", panels=letter_panels(make_matrix_panels(study))
        ),
        "agents": Figure(
            title="Detectability by agent", panels=letter_panels(make_interval_panels(study))
        ),
        "judges": Figure(
            title="Accuracy of each judge", panels=letter_panels(make_judge_panels(study))
        ),
        "confidence": Figure(
            title="Confidence and accuracy", panels=letter_panels(make_confidence_panels(study))
        ),
        "groups": Figure(
            title="Judges and their detectability", panels=letter_panels(make_group_panels(study))
        ),
        "conditions": Figure(
            title="By condition", panels=letter_panels(make_condition_panels(study))
        ),
    }
    return {name: figure for name, figure in found.items() if figure.panels}


def explain_skipped_figures(study: Study) -> dict[str, str]:
    """Why a study lacks default figures.

    Returns
    -------
    dict of str to str
        By figure; empty for a study that declares its figures.
    """
    default = declare_figures(study)
    if not set(default) <= set(study.figures):
        return {}
    people = any(c.judge_kind == "human" for t in study.tasks.values() for c in t.cohorts.values())
    reasons = {
        "judges": "no cohort of human judges",
        "confidence": "the study declares no bands of confidence"
        if people
        else "no cohort of human judges",
        "groups": "the study declares no demographics" if people else "no cohort of human judges",
        "conditions": "the study declares no conditions",
    }
    return {name: reason for name, reason in reasons.items() if name not in default}


def letter_panels(panels: Iterable[Panel]) -> dict[str, Panel]:
    """Panels by letter: A to Z, then AA and so on."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    names = [*letters, *(one + other for one in letters for other in letters)]
    return dict(zip(names, panels, strict=False))


def list_cohorts(
    study: Study, people: bool = False
) -> Iterator[tuple[Task, Cohort, dict[str, str]]]:
    """Each task and cohort with the place of a panel; of people only, where asked for."""
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            if described.judge_kind == "human" or not people:
                yield task, described, {"task": name, "cohort": cohort}


def list_agents(cohort: Cohort) -> tuple[str, ...]:
    """All agents together and each; one agent is all there are."""
    return ("all", *cohort.agents) if len(cohort.agents) > 1 else cohort.agents


def make_matrix_panels(study: Study) -> Iterator[Panel]:
    """One confusion matrix a cohort."""
    for _, cohort, place in list_cohorts(study):
        yield MatrixPanel(title=cohort.label, agents=list_agents(cohort), **place)


def make_interval_panels(study: Study) -> Iterator[Panel]:
    """Detectability of each agent with its interval, a panel a cohort."""
    for _, cohort, place in list_cohorts(study):
        test = f"{place['task']}.{place['cohort']}.chance"
        yield IntervalsPanel(
            title=cohort.label,
            agents=list_agents(cohort),
            chance_test=test,
            **place,
        )


def make_judge_panels(study: Study) -> Iterator[Panel]:
    """How right each judge was, a panel a cohort of people."""
    for _, cohort, place in list_cohorts(study, people=True):
        yield JudgesPanel(title=cohort.label, **place)


def make_confidence_panels(study: Study) -> Iterator[Panel]:
    """Share of right verdicts by confidence, and how well confidence tells right from wrong ones."""
    labels = {
        "human": "on people's responses",
        "machine": "on machines' responses",
        "all": "All verdicts",
    }
    for task, cohort, place in (
        list_cohorts(study, people=True) if "confidence" in study.bands else ()
    ):
        # A choice is one verdict, on the machine.
        truths = ("all",) if task.choice else ("human", "machine")
        where = {**place, "by": "confidence"}
        shared = {"task": place["task"], "table": "breakdowns", "reference": 0.5}
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


def make_group_panels(study: Study) -> Iterator[Panel]:
    """The judges by demographic variable, and detectability in each group."""
    for task, cohort, place in list_cohorts(study, people=True):
        what = "Right choices" if task.choice else "Detectability"
        for by in study.demographics:
            yield PiePanel(title=f"{cohort.label}: {format_variable(by)}", by=by, **place)
            yield IntervalsPanel(
                title=f"{what} by {format_variable(by)}",
                by=by,
                agents=list_agents(cohort)[:1],
                group_test=f"{place['task']}.{place['cohort']}.{by}",
                **place,
            )


def make_condition_panels(study: Study) -> Iterator[Panel]:
    """Detectability at each level of each condition."""
    for task, cohort, place in list_cohorts(study):
        for by in task.conditions:
            if "+" not in by:
                yield IntervalsPanel(
                    title=f"{cohort.label}: {format_variable(by)}",
                    by=by,
                    agents=list_agents(cohort)[:1],
                    **place,
                )


def format_variable(name: str) -> str:
    """The name of a variable as a title has it."""
    return name.replace("_", " ")
