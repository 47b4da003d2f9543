"""Which models figures show."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.figures import model_source_data

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
