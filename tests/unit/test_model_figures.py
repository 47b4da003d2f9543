"""Source data and pictures of models and equivalence."""

import numpy as np
import pandas as pd
import pytest

from turingstats.config.study import Study
from turingstats.figures import model_source_data
from turingstats.stats import equivalence
from turingstats.tables import models as model_tables

MODEL = {"task": "word", "cohorts": ["amt"], "formula": "correct ~ 1"}
COHORTS = {"amt": {"label": "Online judges", "agents": ["a"]}}
STUDY = Study(
    **{"study": "toy", "title": "Toy", "reference": "none"},
    agents={"human": {"label": "Human"}, "a": {"label": "Agent A"}},
    tasks={"word": {"label": "Words", "agents": ["a"], "cohorts": COHORTS}},
    models=[MODEL | {"id": name} for name in ("word.agents", "word.other")],
)
PLACE = {"study": "toy", "task": "word", "cohort": "amt"}


@pytest.fixture
def verdicts():
    row = {"agent": "a", "judge_kind": "human", "rate": 0.5, "baseline": 0.6, "difference": -0.1}
    row |= {"se": 0.04, "ci_low": -0.18, "ci_high": -0.02, "equivalence_low": -0.17}
    row |= {"equivalence_high": -0.03, "p_difference": 0.01, "p_equivalence": 0.5, "margin": 0.1}
    row |= {"p_difference_adjusted": 0.02, "p_equivalence_adjusted": 1.0}
    row |= {"conclusion": "distinguishable", "smallest_margin": 0.12, "n": 100}
    row |= {"direction": "judged machine more often than people"}
    row |= {"n_judges": 9, "n_stimuli": 40.0, "unit": "judges"}
    row |= dict.fromkeys((c for c in equivalence.COLUMNS if c.endswith("for_equivalence")), np.nan)
    row |= {"judges_for_equivalence": np.inf}
    rows = [row | {"against": a, "agent": b} for a in ("chance", "people") for b in ("all", "a")]
    table = pd.DataFrame(rows).assign(**PLACE)
    ids = table["task"] + "." + table["cohort"] + "." + table["agent"] + "." + table["against"]
    return table.assign(equivalence_id=ids)


def test_models_of_the_headline_cohort_are_shown(verdicts):
    task = STUDY.tasks["word"]
    lab = task.cohorts["amt"].model_copy(update={"label": "Laboratory"})
    tasks = {"word": task.model_copy(update={"cohorts": task.cohorts | {"lab": lab}})}
    of_lab = STUDY.models[0].model_copy(update={"id": "w.lab.agents", "cohorts": ("lab",)})
    study = STUDY.model_copy(update={"tasks": tasks, "models": [*STUDY.models, of_lab]})
    assert model_source_data.find_main_models(study, verdicts) == {"word.agents"}
    larger = verdicts.assign(cohort="lab", n_judges=10)
    larger["equivalence_id"] = larger["equivalence_id"].str.replace("amt", "lab")
    both = pd.concat([verdicts, larger])
    assert model_source_data.find_main_models(study, both) == {"w.lab.agents"}


def test_tables_say_what_no_number_of_judges_can_do_and_if_stimuli_are_too_few(verdicts):
    table = model_tables.tabulate_equivalence(verdicts, STUDY)
    assert table["Conclusion"].iloc[1] == "distinguishable: judged machine more often than people"
    assert set(table["Judges to show equivalence"]) == {"never"}
    assert set(table["Judges now"]) == {"9"}
    crossed = verdicts.assign(unit="judges and stimuli", stimuli_for_equivalence=250)
    table = model_tables.tabulate_equivalence(crossed, STUDY)
    assert set(table["Judges to show equivalence"]) == {"250 stimuli"}
    both = crossed.assign(stimuli_for_equivalence=np.inf, both_for_equivalence=2.55)
    table = model_tables.tabulate_equivalence(both, STUDY)
    assert set(table["Judges to show equivalence"]) == {"2.5 times both"}
