"""The figure of language-model judges: people, published judges, and those queried here, by task."""

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Figure, Study
from turingstats.config.study.panels import MatrixPanel
from turingstats.config.subset import list_judged_tasks, list_language_judges

if TYPE_CHECKING:
    import pandas as pd


def add_llm_figure(
    study: Study, settings: LanguageModels, answers: "pd.DataFrame | None" = None
) -> Study:
    """Add the figure `llm` to a study; `answers` count responses without a verdict."""
    panels, letters = {}, iter(ascii_uppercase + ascii_lowercase)
    for task in list_judged_tasks(study, settings):
        for cohort, label, here in choose_cohorts(study, task, settings):
            note = describe_llm_judge(answers, task, cohort, settings) if here else ""
            panels[next(letters)] = MatrixPanel(
                title=label,
                task=task,
                cohort=cohort,
                agents=("all", *study.tasks[task].agents),
                note=dict.fromkeys(("published", "recommended"), note) if note else {},
            )
    figure = Figure(title="Language models as judges", panels=panels)
    return study.model_copy(update={"figures": {**study.figures, "llm": figure}})


def choose_cohorts(
    study: Study, task: str, settings: LanguageModels
) -> Iterator[tuple[str, str, bool]]:
    """Choose cohorts of a task: the first of people, published language models, those queried here.

    Yields cohort, label and whether the judge is queried here.
    """
    ours = {name: label for name, _, _, label in list_language_judges(study.tasks[task], settings)}
    cohorts = study.tasks[task].cohorts
    people = next((name for name, cohort in cohorts.items() if cohort.judge_kind == "human"), None)
    if people:
        yield people, cohorts[people].label, False
    for name, cohort in cohorts.items():
        if cohort.judge_kind == "llm" and name not in ours:
            yield name, f"Paper's {cohort.label}", False
    for name, label in ours.items():
        yield name, f"{label} (asked here)", True


def describe_llm_judge(
    answers: "pd.DataFrame | None", task: str, cohort: str, settings: LanguageModels
) -> str:
    """Describe a judge that is queried here, for the note of its panel."""
    if answers is None:
        return ""
    responses = answers[(answers["task"] == task) & (answers["cohort"] == cohort)]
    warmth = "endpoint's default" if settings.temperature is None else f"{settings.temperature:g}"
    lost, n = int(responses["unparsed"].sum()), int(responses["n"].sum())
    return f"temperature {warmth}; {lost} of {n} responses without a readable verdict"
