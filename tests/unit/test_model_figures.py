"""Source data and pictures of models and equivalence."""

import importlib

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
def models():
    rows = []
    for model in ("word.agents", "word.other"):
        rows += [
            {"model_id": model, "kind": "detectability", "group": "agent", "term": "a",
             "estimate": 0.6, "ci_low": 0.55, "ci_high": 0.65, "p": 0.01, "n": 100, "n_judges": 9,
             "groups": "judge 9", "converged": True, "singular": False, "notes": ""},
            {"model_id": model, "kind": "sd", "group": "judge:made_by", "estimate": 0.5},
            {"model_id": model, "kind": "sd", "group": "stimulus:made_by", "estimate": 0.4},
        ]  # fmt: skip
    return pd.DataFrame(rows).assign(formula="said_machine ~ agent + (1 | judge)", **PLACE)


@pytest.fixture
def estimates():
    rows = [(agent, "detectability", 0.58, 0.53, 0.63) for agent in ("a", "all")]
    names = ["agent", "quantity", "value", "ci_low", "ci_high"]
    return pd.DataFrame(rows, columns=names).assign(
        **PLACE, judge_kind="human", reading="recommended", group_by="all", n=100, n_judges=9,
        wilson_low=0.2, wilson_high=0.6, error_over="judges and stimuli",
    )  # fmt: skip


@pytest.fixture
def random_effects():
    rows = [("judge", f"w{i}", "sensitivity", i / 10 - 0.4) for i in range(9)]
    rows += [("stimulus", f"s{i}:human", "difficulty", 0.3 - i / 10) for i in range(7)]
    table = pd.DataFrame(rows, columns=["group", "level", "effect", "value"])
    limits = {"se": 0.1, "ci_low": table["value"] - 0.2, "ci_high": table["value"] + 0.2}
    return table.assign(model_id="word.agents", **PLACE, **limits)


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


def test_forest_pairs_model_and_pooled_trials(models, estimates, verdicts):
    table = model_source_data.select_forest(models, estimates, verdicts, STUDY)
    assert list(table["source"]) == ["mixed model", "pooled trials"]
    assert list(table["value"]) == [0.6, 0.58]
    assert set(table["agent_label"]) == {"Agent A"}


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


def test_abilities_are_the_spread_of_judges_and_stimuli(random_effects, models, verdicts):
    table = model_source_data.select_abilities(random_effects, models, verdicts, STUDY)
    judges, stimuli = table.to_dict("records")
    assert (judges["effect"], judges["n"], judges["n_distinct"]) == ("sensitivity", 9, 4)
    assert judges["value"] == pytest.approx(0.5 * 2**0.5)
    assert (stimuli["effect"], stimuli["n"], stimuli["value"]) == ("difficulty", 7, 0.4)
    # Numbers of stimuli say nothing, words do.
    assert stimuli["highest"] is None
    words = dict(
        zip((f"s{i}:human" for i in range(7)), ("a", "b", "c", "d", "e", "f", "g"), strict=True)
    )
    named = random_effects.replace({"level": {old: f"{new}:human" for old, new in words.items()}})
    named = model_source_data.select_abilities(named, models, verdicts, STUDY)
    assert named["highest"].iloc[1].startswith("a (by a person), b (by a person)")


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


@pytest.mark.parametrize("name", ["forest", "abilities", "equivalence"])
def test_pictures_show_every_number_and_say_what_the_data_are(
    name, models, estimates, random_effects, verdicts
):
    given = {
        "forest": (models, estimates, verdicts),
        "abilities": (random_effects, models, verdicts),
        "equivalence": (verdicts,),
    }[name]
    powers = [0.8] if name == "equivalence" else []
    table = getattr(model_source_data, f"select_{name}")(*given, STUDY, *powers)
    table = table.assign(data="generated data", level=0.9)
    figure = importlib.import_module(f"turingstats.figures.standalone.{name}").draw(table)
    texts = " ".join(text.get_text() for axes in figure.axes for text in axes.texts)
    assert all(part in texts for part in ("Generated data", "90% interval", "Words"))
    canvas = figure.axes[0]
    across, down = canvas.get_xlim()[1], canvas.get_ylim()[0]
    for text in canvas.texts:
        x, y = text.get_position()
        assert 0 <= x <= across and 0 <= y <= down
    points = {
        round(float(value), 6)
        for axes in figure.axes[1:]
        for line in axes.lines
        for value in (*line.get_xdata(), *line.get_ydata())
    }
    if name == "equivalence":
        table = table[table["against"] == "people"].assign(value=table["difference"])
    assert set(table["value"].round(6)) <= points


@pytest.mark.parametrize("name", ["forest", "abilities", "equivalence"])
def test_without_numbers_a_picture_says_so(name):
    draw = importlib.import_module(f"turingstats.figures.standalone.{name}").draw
    (axes,) = draw(pd.DataFrame(columns=["task", "effect", "against", "data"])).axes
    assert axes.texts[0].get_text().startswith("No ")


def test_table_of_contrasts_names_agents_and_cohorts():
    numbers = {"odds_ratio": 0.5, "or_low": 0.25, "or_high": 1.0}
    numbers |= {"probability_difference": -0.1, "probability_low": -0.2, "probability_high": 0.0}
    rows = [
        {"factor": "agent", "first": "human", "second": "a"},
        {"factor": "cohort", "first": "amt", "second": "other"},
    ]
    shared = {"model_id": "word.agents", "outcome": "said_machine", "p": 0.02, "p_adjusted": 0.0004}
    table = model_tables.tabulate_contrasts(
        pd.DataFrame(rows).assign(**PLACE, **shared, **numbers), STUDY
    )
    assert table["First"].tolist() == ["Human", "Online judges"]
    assert table["Second"].tolist() == ["Agent A", "other"]
    first = table.iloc[0]
    assert first["Odds ratio"] == "0.50 (0.25 to 1.00)"
    assert first["Difference of probability"] == "-0.10 (-0.20 to +0.00)"
    assert (first["p"], first["p, Holm"]) == ("0.020", "< 0.001")
    assert first["Outcome"] == "judged machine"
