"""Default tests and figures for a study that declares none of its own.

A study file that names figures (or comparisons) gets only those; what it names under `add` joins the default
ones. `explain_skipped_figures` says which of the default figures a study does not get, and what it lacks
for them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

from turingstats.config.graded import CohortGrades
from turingstats.config.study import Additions, Cohort, Comparison, Figure, Study, Task
from turingstats.config.study.panels import (
    IntervalsPanel,
    JudgesPanel,
    ListedPanel,
    MatrixPanel,
    Panel,
    PiePanel,
    PlainPanel,
    RatingsPanel,
    SimilarityPanel,
)
from turingstats.core.errors import ConfigError


def fill_defaults(
    study: Study,
    grades: CohortGrades | None = None,
    with_stimuli: Mapping[str, Collection[str]] | None = None,
) -> Study:
    """Add the default tests and figures to a study that declares none.

    `with_stimuli` are cohorts with known stimuli, by task.
    """
    declared: dict[str, Any] = {}
    if not study.comparisons:
        declared["comparisons"] = (
            *declare_comparisons(study, with_stimuli or {}),
            *study.add.comparisons,
        )
    if not study.figures:
        figures = (
            declare_similarity_figures(study)
            if study.design == "ratings"
            else declare_figures(study, grades or {})
        )
        declared["figures"] = figures | study.add.figures
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
    often or, for choices, by an exact binomial test. Each kind of test in a task is one family, with Holm's
    correction.
    """
    comparisons = []
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            agents = list_agents(described)
            selection = {"task": name, "cohorts": (cohort,), "agents": agents}
            people = described.judge_kind == "human"
            of_verdicts = "binomial" if task.choice else "two_proportions"
            crossed = people or not {cohort, "all"}.isdisjoint(with_stimuli.get(name, ()))
            comparisons.append(
                Comparison(
                    id=f"{name}.{cohort}.chance",
                    quantity="detectability",
                    against=0.5,
                    recommended=declare_procedure(
                        "crossed_t" if crossed else of_verdicts, f"{name}.chance"
                    ),
                    **selection,
                )
            )
            for by in study.demographics if people else ():
                comparisons.append(
                    Comparison(
                        id=f"{name}.{cohort}.{by}",
                        quantity="detectability",
                        by=by,
                        recommended=declare_procedure("crossed_t", f"{name}.{by}"),
                        **selection,
                    )
                )
    return comparisons


def declare_procedure(test: str, family: str) -> dict[str, Any]:
    """Return a recommended procedure, as a study file declares it."""
    return {"test": test, "family": family, "correction": "holm"}


def declare_figures(study: Study, grades: CohortGrades) -> dict[str, Figure]:
    """Declare the default figures, without those that have no panels."""
    figures = {
        "matrices": Figure(
            title="Confusion matrices",
            caption=(
                "How often are responses of people and of each machine judged human, and how often "
                "machine? Each panel is a group of judges; rows are who made a response, columns "
                "the verdict, and darker cells hold more of the verdicts of their row. A machine "
                "passes well if its row looks like the row of people. Panels with few judges or "
                "verdicts are uncertain, as the errors in parentheses show."
            ),
            panels=letter_panels(make_matrix_panels(study)),
        ),
        "agents": Figure(
            title="Detectability by agent",
            caption=(
                "Can judges tell each machine from people? Each row is a machine; the mark is its "
                "detectability, the mean of the shares of people's and of its responses judged "
                "right, with an interval, and the dashed line is chance. An interval that contains "
                "the line leaves open whether judges can tell, which is not the same as showing "
                "that they cannot."
            ),
            panels=letter_panels(make_interval_panels(study)),
        ),
        "judges": Figure(
            title="Accuracy of each judge",
            caption=(
                "Are all judges about equally good? Each mark is one judge, placed by the share of "
                "right verdicts; the dashed line is chance. With few verdicts per judge, chance "
                "alone spreads judges widely."
            ),
            panels=letter_panels(make_judge_panels(study)),
        ),
        "stimuli": Figure(
            title="How often each response was judged human",
            caption=(
                "Do some responses pass and others not, or are all of them judged alike? Each mark "
                "is a response, placed by the share of its verdicts that were human, in a row for "
                "each source of responses. Responses with few verdicts reach extreme shares by "
                "chance."
            ),
            panels=letter_panels(make_stimuli_panels(study)),
        ),
        "confidence": Figure(
            title="Confidence and accuracy",
            caption=(
                "Are judges right more often when they are more confident? One kind of panel shows "
                "the share judged right at each level of confidence, the other how well confidence "
                "tells right from wrong verdicts; lines are intervals, and the dashed line is "
                "chance. Confident judges and confident verdicts are not told apart here."
            ),
            panels=letter_panels(make_confidence_panels(study)),
        ),
        "ratings": Figure(
            title="Distribution of ratings",
            caption=(
                "Do people and machines get different ratings or scores? Each panel is a group of "
                "judges or a detector, and shows how its ratings are distributed for every source "
                "of responses. Distributions that overlap widely mean that ratings hardly tell the "
                "sources apart."
            ),
            panels=letter_panels(make_rating_panels(study, grades, "ratings")),
        ),
        "roc": Figure(
            title="How well ratings tell machines from people",
            caption=(
                "How well do ratings or scores tell machines from people, wherever the line "
                "between them is drawn? Each curve shows, for every possible threshold, the share "
                "of machines found against the share of people taken for machines; the diagonal is "
                "chance. The closer a curve comes to the upper left corner, the better."
            ),
            panels=letter_panels(make_rating_panels(study, grades, "rating curves")),
        ),
        "calibration": Figure(
            title="Calibration of scores",
            caption=(
                "Do scores of a detector mean what they say, so that a score of one half is a "
                "machine half of the time? Points show the share of machines among responses with "
                "similar scores, with intervals; on the diagonal, scores are calibrated. The share "
                "of machines depends on how many of them are in the test, so calibration need not "
                "hold elsewhere."
            ),
            panels=letter_panels(make_rating_panels(study, grades, "score calibration")),
        ),
        "groups": Figure(
            title="Judges and their detectability",
            caption=(
                "Do groups of judges, such as ages or genders, differ in how well they tell "
                "machines from people? Rings show how large each group is, the rows beside them "
                "each group's detectability with an interval; the dashed line is chance. Groups "
                "were not assigned at random, and those with few judges are uncertain."
            ),
            panels=letter_panels(make_group_panels(study)),
        ),
        "conditions": Figure(
            title="By condition",
            caption=(
                "Does it depend on the condition how well judges tell machines from people? Each "
                "row is a condition; the mark is detectability with an interval, and the dashed "
                "line is chance. Conditions that the same judges or stimuli share are not "
                "independent, so intervals that overlap do not show that conditions are equal."
            ),
            panels=letter_panels(make_condition_panels(study)),
        ),
    }
    return {name: figure for name, figure in figures.items() if figure.panels}


def explain_skipped_figures(study: Study, grades: CohortGrades | None = None) -> dict[str, str]:
    """Explain which default figures a study lacks; empty for a study that declares its own figures."""
    default = declare_figures(study, grades or {})
    if not set(default) <= set(study.figures):
        return {}
    people = any(c.judge_kind == "human" for t in study.tasks.values() for c in t.cohorts.values())
    reasons = {
        "judges": "no cohort of human judges",
        "confidence": "the study declares no bands of confidence"
        if people
        else "no cohort of human judges",
        "ratings": "no file has ratings or scores",
        "roc": "no file has ratings or scores",
        "calibration": "no file has scores of detectors",
        "groups": "the study declares no demographics" if people else "no cohort of human judges",
        "conditions": "the study declares no conditions",
    }
    return {name: reason for name, reason in reasons.items() if name not in default}


def declare_similarity_figures(study: Study) -> dict[str, Figure]:
    """Declare the default figures of similarity ratings, each with one panel per task."""
    texts = {
        "dissimilarity": (
            "Dissimilarity of items",
            "Whose ratings of similarity have the same structure? Each matrix shows how dissimilar people or "
            "an agent find every pair of items, dark for similar pairs. Colors are scaled for each matrix, "
            "so only patterns can be compared, not levels.",
        ),
        "variability": (
            "Agreement of raters",
            "Do raters agree with each other? Above are the agreement among the raters of each system and "
            "the correlation of their mean with people; below, correlations of every two raters. Raters "
            "from one model are not independent samples of people.",
        ),
        "alignment": (
            "Alignment with people",
            "Who judges similarity most as people do? Each bar is the rank correlation of an agent with "
            "people over all pairs of items. Short lines are the mean correlation with single people, to be "
            "compared with the gray band, about the best that people's own agreement allows; the dashed line "
            "is the ceiling for the bars. Pairs share items and are not independent.",
        ),
    }
    if len(study.agents) == 1:
        del texts["alignment"]
    return {
        kind: Figure(
            title=title,
            caption=caption,
            panels=letter_panels(
                SimilarityPanel(kind=kind, title=task.label, task=name)
                for name, task in study.tasks.items()
            ),
        )
        for kind, (title, caption) in texts.items()
    }


def letter_panels(panels: Iterable[Panel]) -> dict[str, Panel]:
    """Label panels with letters: A to Z, then AA and so on."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    names = [*letters, *(one + other for one in letters for other in letters)]
    return dict(zip(names, panels, strict=False))


def list_cohorts(
    study: Study, people: bool = False
) -> Iterator[tuple[Task, Cohort, dict[str, str]]]:
    """Yield each task and cohort with the keys of a panel; only cohorts of people if `people`."""
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            if described.judge_kind == "human" or not people:
                yield task, described, {"task": name, "cohort": cohort}


def list_agents(cohort: Cohort) -> tuple[str, ...]:
    """List all agents together and each of them; a single agent is listed once."""
    return ("all", *cohort.agents) if len(cohort.agents) > 1 else cohort.agents


def make_matrix_panels(study: Study) -> Iterator[Panel]:
    """Make one confusion matrix per cohort."""
    for _, cohort, keys in list_cohorts(study):
        yield MatrixPanel(title=cohort.label, agents=list_agents(cohort), **keys)


def make_interval_panels(study: Study) -> Iterator[Panel]:
    """Make one panel per cohort with the detectability of each agent and its interval."""
    for _, cohort, keys in list_cohorts(study):
        test = f"{keys['task']}.{keys['cohort']}.chance"
        yield IntervalsPanel(
            title=cohort.label,
            agents=list_agents(cohort),
            chance_test=test,
            **keys,
        )


def make_judge_panels(study: Study) -> Iterator[Panel]:
    """Make one panel per cohort of people with the accuracy of each judge."""
    for _, cohort, keys in list_cohorts(study, people=True):
        yield JudgesPanel(title=cohort.label, **keys)


def make_stimuli_panels(study: Study) -> Iterator[Panel]:
    """Make one panel per cohort with the responses of people and of each agent."""
    for task, cohort, keys in list_cohorts(study):
        rows = cohort.agents if task.choice else ("human", *cohort.agents)
        yield PlainPanel(kind="stimuli", title=cohort.label, rows=rows, **keys)


def make_confidence_panels(study: Study) -> Iterator[Panel]:
    """Make panels of accuracy by confidence, and of how well confidence predicts accuracy."""
    labels = {
        "human": "on people's responses",
        "machine": "on machines' responses",
        "all": "All verdicts",
    }
    for task, cohort, keys in (
        list_cohorts(study, people=True) if "confidence" in study.bands else ()
    ):
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


def make_rating_panels(
    study: Study,
    grades: CohortGrades,
    kind: Literal["ratings", "rating curves", "score calibration"],
) -> Iterator[Panel]:
    """Make one panel per cohort with ratings (not of calibration), and one per task with scores."""
    scored: dict[str, dict[str, Cohort]] = {}
    for _, cohort, keys in list_cohorts(study):
        by_cohort = grades.get(keys["task"], {})
        scale = by_cohort.get(keys["cohort"], by_cohort.get("all"))
        if scale and scale.kind == "score":
            scored.setdefault(keys["task"], {})[keys["cohort"]] = cohort
        elif scale and kind != "score calibration":
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


def make_group_panels(study: Study) -> Iterator[Panel]:
    """Make panels of the judges by demographic variable, and of detectability in each group."""
    for task, cohort, keys in list_cohorts(study, people=True):
        what = "Right choices" if task.choice else "Detectability"
        for by in study.demographics:
            yield PiePanel(title=f"{cohort.label}: {format_variable(by)}", by=by, **keys)
            yield IntervalsPanel(
                title=f"{what} by {format_variable(by)}",
                by=by,
                agents=list_agents(cohort)[:1],
                group_test=f"{keys['task']}.{keys['cohort']}.{by}",
                **keys,
            )


def make_condition_panels(study: Study) -> Iterator[Panel]:
    """Make panels of detectability at each level of each condition."""
    for task, cohort, keys in list_cohorts(study):
        for by in task.conditions:
            if "+" not in by:
                yield IntervalsPanel(
                    title=f"{cohort.label}: {format_variable(by)}",
                    by=by,
                    agents=list_agents(cohort)[:1],
                    **keys,
                )


def format_variable(name: str) -> str:
    """Format the name of a variable for a title."""
    return name.replace("_", " ")
