"""The figure of language-model judges: people, published judges, and those asked here, by task."""

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Figure, Study
from turingstats.config.study.panels import MatrixPanel
from turingstats.config.subset import list_judged_tasks, list_language_judges

if TYPE_CHECKING:
    import pandas as pd

ACROSS = 4
"""Panels in a row."""


def add_llm_figure(
    study: Study, settings: LanguageModels, answers: "pd.DataFrame | None" = None
) -> Study:
    """Declare the figure `llm` in a study.

    Parameters
    ----------
    study : turingstats.config.study.Study
    settings : turingstats.config.settings.LanguageModels
    answers : pandas.DataFrame, optional
        From `turingstats.judges.llm.language.judge_responses`: says how many responses are without a verdict.

    Returns
    -------
    turingstats.config.study.Study
    """
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
    """Cohorts to show of a task: the first of people, published language models, those asked here.

    Yields
    ------
    cohort, label : str
    here : bool
        It is asked here.
    """
    ours = {name: label for name, _, _, label in list_language_judges(study.tasks[task], settings)}
    known = study.tasks[task].cohorts
    people = next((name for name, own in known.items() if own.judge_kind == "human"), None)
    if people:
        yield people, known[people].label, False
    for name, own in known.items():
        if own.judge_kind == "llm" and name not in ours:
            yield name, f"Paper's {own.label}", False
    for name, label in ours.items():
        yield name, f"{label} (asked here)", True


def describe_llm_judge(
    answers: "pd.DataFrame | None", task: str, cohort: str, settings: LanguageModels
) -> str:
    """What a reader must know of a judge asked here."""
    if answers is None:
        return ""
    own = answers[(answers["task"] == task) & (answers["cohort"] == cohort)]
    warmth = "endpoint's default" if settings.temperature is None else f"{settings.temperature:g}"
    lost, n = int(own["unparsed"].sum()), int(own["n"].sum())
    return f"temperature {warmth}; {lost} of {n} responses without a readable verdict"


def arrange_letters(panels: "pd.DataFrame", across: int = ACROSS) -> list[list[str]]:
    """Letters of a figure in rows, each task starting a row of its own.

    Parameters
    ----------
    panels : pandas.DataFrame
        Source data of the figure.
    """
    rows = []
    for _, own in panels.groupby("task", sort=False):
        letters = list(own["panel"].unique())
        rows += [letters[start : start + across] for start in range(0, len(letters), across)]
    return rows
