"""Which models figures show, and what their notes say."""

import pandas as pd
import pytest

from turingstats.config.study import Study
from turingstats.figures import model_source_data, notes

MODEL = {"task": "word", "cohorts": ["amt"], "formula": "said_machine ~ agent"}
COHORTS = {"amt": {"label": "Online judges", "agents": ["a"]}}
STUDY = Study(
    **{"study": "toy", "title": "Toy", "reference": "none"},
    agents={"human": {"label": "Human"}, "a": {"label": "Agent A"}},
    tasks={"word": {"label": "Words", "agents": ["a"], "cohorts": COHORTS}},
    models=[
        MODEL | {"id": "word.first"},
        MODEL | {"id": "word.agents", "formula": "correct ~ agent"},
    ],
)


def test_models_of_the_headline_cohort_are_shown():
    task = STUDY.tasks["word"]
    lab = task.cohorts["amt"].model_copy(update={"label": "Laboratory"})
    tasks = {"word": task.model_copy(update={"cohorts": task.cohorts | {"lab": lab}})}
    of_lab = STUDY.models[0].model_copy(update={"id": "w.lab", "cohorts": ("lab",)})
    study = STUDY.model_copy(update={"tasks": tasks, "models": [*STUDY.models, of_lab]})
    place = {"task": "word", "judge_kind": "human", "agent": "all", "against": "people"}
    rows = [
        place | {"cohort": cohort, "n_judges": n, "equivalence_id": f"word.{cohort}.all.people"}
        for cohort, n in (("amt", 9), ("lab", 10))
    ]
    small, both = pd.DataFrame(rows[:1]), pd.DataFrame(rows)
    assert model_source_data.find_main_models(study, small) == {"word.first"}
    assert model_source_data.find_main_models(study, both) == {"w.lab"}


def fill_in(macro, row):
    return notes.fill_in(getattr(notes.load_sentences(), macro), row)


def test_a_note_names_the_judges_and_stimuli_of_a_model():
    row = {"task_label": "Words", "groups": "stimulus:made_by 1300; judge 71; session 5"}
    stimuli = "1,300 stimuli (counted apart for people and machines)"
    assert fill_in("groups", row) == f"Words, 71 judges and {stimuli}"


@pytest.mark.parametrize(
    ("unit", "quantity", "reading", "counted"),
    [
        ("verdict", "Accuracy", "published", "verdicts; intervals are clustered by judge"),
        ("verdict", "Accuracy", "recommended",
         "verdicts; intervals are over judges, and stimuli if they are known"),
        ("trial", "Accuracy", "recommended", "trials"),
        ("judge", "d'", "published", "judges"),
        ("code", "Share of reasons", "published", "reasons"),
        ("responses", "Share of reasons", "published", "responses, taken as independent"),
        (float("nan"), "Accuracy", "published", "trials"),
    ],
)  # fmt: skip
def test_a_note_says_what_is_counted_beside_a_listed_row(unit, quantity, reading, counted):
    row = {"unit": unit, "quantity": quantity, "reading": reading}
    assert fill_in("counted", row) == counted
