"""Planned studies: assumptions, cheapest designs, words, and errors."""

from dataclasses import replace

import numpy as np
import pandas as pd
import project
import pytest
from project import ROOT
from scipy import stats

from turingstats.config.planning import Plan
from turingstats.config.settings import Config
from turingstats.core import data_labels
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import build_model
from turingstats.planning import assumptions, grid, page
from turingstats.stats.power.simulation import QUESTIONS, find_needed_variance
from turingstats.workflow.load import load_plan
from turingstats.workflow.plan import list_planning_models

OPTIONS = {"confidence": 0.95, "margin": 0.1, "seed": 7}
STATED = project.STATED | {"judges": (15, 30, 60), "trials": (10, 20), "simulations": 200}
FORMULA = "said_machine ~ agent + (1 | judge) + (1 + position | judge) + (1 | stimulus:made_by)"


def make_models(**changed):
    """Rows of models.csv: one fitted model of two agents, and one that was not fitted."""
    shared = {"model_id": "color.agents", "formula": FORMULA, "n": 900, "n_judges": 30}
    shared |= {"groups": "judge 30; stimulus:made_by 161", "notes": "", "data": "observed data"}
    rows = [
        {"kind": "probability", "group": "agent", "term": name, "estimate": value}
        for name, value in (("human", 0.45), ("near", 0.5), ("far", 0.7))
    ]
    rows += [
        {"kind": "sd", "group": "judge", "term": "(Intercept)", "estimate": 0.7, "se": 0.1},
        {"kind": "sd", "group": "judge", "term": "position", "estimate": 0.1, "se": 0.05},
    ]
    rows.append(rows[-2] | {"group": "stimulus:made_by", "estimate": 0.3, "se": 0.4})
    table = pd.DataFrame([shared | row for row in rows])
    failed = {"model_id": "word.agents", "kind": "not fitted", "formula": FORMULA, "groups": ""}
    failed |= {"notes": "the outcome is constant", "data": "observed data"}
    return pd.concat([table.assign(**changed), pd.DataFrame([failed])], ignore_index=True)


def assume(models=None, labels=None, **keys):
    return assumptions.assume(Plan(**keys), models, labels or {}, "mine", OPTIONS)


def describe(assumed, power):
    """The cheapest design of each question, with its description in words."""
    return page.describe_designs(grid.find_cheapest(power, assumed), assumed)


@pytest.fixture(scope="module")
def planned():
    """What is assumed for a plan, its designs, and the cheapest ones."""
    assumed = assume(**STATED, cost_per_judge=2, cost_per_trial=0.05)
    power = grid.simulate_grid(assumed)
    designs = grid.find_cheapest(power, assumed)
    return assumed, grid.mark_cheapest(power, designs), designs


def test_a_model_says_what_to_assume():
    found = assume(make_models(), {"near": "Near", "far": "Far"})
    assert found.rates == pytest.approx((0.55, 0.5, 0.3))
    assert found.names == ("people", "Near", "Far")
    assert found.spreads == (0.7, 0, 0, 0.3)
    sources = page.list_assumptions(found)["source"]
    drawn = "model color.agents, standard error 0.1: drawn anew for each study"
    assert sources[sources.str.contains("drawn")].tolist()[:1] == [drawn]
    assert found.spread_errors == (0.1, 0, 0, 0)
    # Each stimulus has two levels of made_by.
    assert found.stimuli == 81
    assert found.data == (
        "generated data, studies simulated from the model color.agents of observed data"
    )
    assert data_labels.is_generated(found.data)
    assert "position of judge" in " ".join(found.left_out)
    assert assume(make_models(groups="judge 30; stimulus 90")).stimuli == 90
    alike = make_models().replace({"estimate": {0.3: 0.0}})
    assert "differences between stimuli: the model finds none" in assume(alike).left_out[1]
    said_human = assume(make_models(formula=FORMULA.replace("machine", "human")), agent="far")
    assert said_human.rates == pytest.approx((0.45, 0.7, 0.5))


def test_stated_values_come_first():
    found = assume(make_models(), rates={"agent": 0.2}, spreads={"judge": 0.0}, stimuli=99)
    assert found.rates == pytest.approx((0.55, 0.2, 0.3))
    assert found.spreads == (0, 0, 0, 0.3)
    assert found.spread_errors == (0, 0, 0, 0)
    assert found.stimuli == 99
    assert found.stated == ["rates.agent", "spreads.judge"]
    rows = page.list_assumptions(found).set_index("quantity")["source"]
    assert rows["share judged human: near"] == rows["stimuli"] == "stated"
    assert rows["share judged human: people"] == "model color.agents"


def test_a_question_without_its_agents_is_left_out():
    found = assume(**STATED | {"agents": 1})
    assert "agents" not in found.questions and np.isnan(found.rates[2])
    assert "plan.agents is 1" in found.left_out[0]
    counted = [found.agents, assume(**STATED).agents, assume(**STATED | {"agents": 5}).agents]
    assert counted == [1, 2, 5]
    alone = assume(**STATED | {"rates": {"people": 0.5, "agent": 0.4}})
    assert alone.agents == 1 and "there is no other agent" in alone.left_out[0]
    with pytest.raises(ConfigError, match=r"plan\.questions: none can be asked"):
        assume(**STATED | {"agents": 1, "questions": ("agents",)})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"model": "gone.agents"}, ["plan.model", "gone.agents", "choose color.agents, or"]),
        ({"model": "word.agents"}, ["no estimates (the outcome is constant)", "fix: "]),
        ({"agent": "gone"}, ["plan.agent", "no agent 'gone'", "one of near, far"]),
        ({"agent": "near", "other": "near"}, ["plan.other", "compared with itself"]),
        ({"trials": (85, 90)}, ["plan.trials", "there are 81 stimuli", "fewer than 85"]),
    ],
)
def test_errors_name_file_key_value_and_fix(keys, words):
    with pytest.raises(ConfigError) as error:
        assume(make_models(), **keys)
    for word in [*words, "file:    config/config.yaml", "fix:     "]:
        assert word in str(error.value)


def test_more_trials_than_stimuli_are_left_out_and_without_a_model_values_are_asked_for():
    found = assume(make_models(), trials=(10, 80, 90, 120))
    assert found.trials == (10, 80)
    assert "90, 120 trials per judge: no judge sees a stimulus twice" in found.left_out[-1]
    models = make_models()
    told = r"(?s)no fitted model of mine compares agents.*fix: .*stated"
    with pytest.raises(ConfigError, match=told):
        assume(models[models["model_id"] == "word.agents"])
    # A model without stimuli does not know how many there are.
    with pytest.raises(ConfigError, match=r"(?s)plan\.stimuli: .*own_stimuli: true"):
        assume(make_models(groups="judge 30"))
    assert assume(make_models(groups="judge 30"), own_stimuli=True).stimuli is None


def test_a_study_without_models_or_verdicts_is_refused():
    plan = load_plan("turingrsa", Config(study="turingrsa"), ROOT)
    with pytest.raises(ConfigError, match=r"(?s)turingrsa declares no mixed models.*fix:"):
        list_planning_models(plan)
    stated = Config(study="turingrsa", plan=STATED)
    assert list_planning_models(load_plan("turingrsa", stated, ROOT)) == []
    found = load_plan("zhang2025", Config(), ROOT)
    assert list_planning_models(found) == ["<results>/zhang2025/statistics/models.csv"]


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"judges": [40, 20]}, "numbers must rise"),
        ({"ratings": {"people": [0.5, 0.3, 0.1], "agent": [0.5, 0.3, 0.2]}}, "add up to 1"),
        ({"ratings": {"people": [0.5, 0.3, 0.2]}}, "of the agent"),
        ({"judges": [3]}, r"plan\.judges.*found 3"),
        ({"rates": {"people": 1.2}}, r"plan\.rates.*found 1\.2"),
        ({"rates": {"robot": 0.5}}, "people.*agent.*other"),
        ({"spreads": {"judge": -1}}, r"plan\.spreads.*found -1"),
        ({"questions": ["width", "width"]}, "asked once"),
        ({"questions": ["pass"]}, "same_as_people"),
        ({"model": "stated"}, r"needs rates\.agent, rates\.people, spreads\.judge"),
        ({"model": "stated", "rates": STATED["rates"], "spreads": {"judge": 1}}, "needs stimuli"),
        ({"jugdes": [20]}, r"plan\.jugdes: unknown key; known here: .*judges"),
        ({"unsure": 1}, r"plan\.unsure"),
    ],
)
def test_impossible_values_are_shown(keys, word):
    with pytest.raises(ConfigError, match=word):
        build_model(Config, {"plan": keys}, "the configuration")


def test_the_grid_has_every_design_and_says_that_it_is_simulated(planned):
    assumed, power, _ = planned
    plan = assumed.plan
    assert len(power) == len(plan.judges) * len(plan.trials) * len(assumed.questions)
    limits = power[["power_low", "power", "power_high"]].to_numpy()
    assert (np.diff(limits) >= 0).all()
    labels = power["question_label"].unique()
    assert {"The agent differs from people", "The agent differs from one half"} < {*labels}
    own = power[(power["judges"] == 15) & (power["trials"] == 20)]
    assert set(own["cost"]) == {15 * (2 + 20 * 0.05)}
    assert data_labels.is_generated(assumed.data)


def test_the_cheapest_design_has_the_power(planned):
    assumed, power, designs = planned
    plan = assumed.plan
    assert designs["found"].any()
    for row in designs[designs["found"]].to_dict("records"):
        own = power[(power["question"] == row["question"]) & power["reaches"]]
        assert row["power"] >= plan.power
        assert row["simulations"] == 2 * plan.simulations
        assert row["cost"] in own["cost"].to_numpy()
        marked = own[own["cheapest"]]
        assert marked[["judges", "trials"]].to_numpy().tolist() == [[row["judges"], row["trials"]]]


def test_a_plan_for_ratings_and_one_for_d_prime():
    ratings = {"people": (0.1, 0.2, 0.3, 0.4), "agent": (0.3, 0.3, 0.2, 0.2)}
    keys = STATED | {"rates": {}, "ratings": ratings, "simulations": 100, "trials": (10,)}
    assumed = assume(**keys)
    assert assumed.rates[0] == pytest.approx((0.9, 0.7, 0.4))
    assert assumed.questions == ("people",) and "it is not asked of ratings" in assumed.left_out[0]
    power = grid.simulate_grid(assumed)
    (answer,) = describe(assumed, power)
    assert answer["found"] and "rated differently" in answer["question_label"]
    # Of the same answers cut in the middle, fewer studies find a difference.
    cut = {"ratings": {}, "rates": {"people": 0.7, "agent": 0.4}}
    fewer = grid.simulate_grid(assume(**keys | cut))
    fewer = fewer[fewer["question"] == "people"]
    assert power["detectable"].iloc[0] < fewer["detectable"].iloc[0]
    expected = power["se"] * stats.norm.ppf([1 - assumed.goals.alpha / 2, 0.8]).sum()
    assert power["detectable"].to_numpy() == pytest.approx(expected.to_numpy())
    text = page.write_methods(assumed, [answer])
    assert "mean ratings, from 0 to 1, were 0.667 for people" in text

    assumed = assume(**STATED | {"questions": ("d_prime", "d_prime_width"), "d_prime_width": 0.6})
    designs = grid.find_cheapest(grid.simulate_grid(assumed), assumed).set_index("question")
    # z(0.55) - z(0.35)
    assert designs.loc["d_prime", "difference"] == pytest.approx(0.511, abs=1e-3)
    assert designs["found"].all()


@pytest.mark.parametrize(
    ("questions", "shares"), [(("people",), (0.4, 0.15, 0)), (("agents",), (0.4, 0.15, 0.15))]
)
def test_agents_share_the_trials_that_are_not_on_people(monkeypatch, questions, shares):
    drawn = []
    monkeypatch.setattr(
        grid.simulation, "simulate_design", lambda design, *_: drawn.append(design) or {}
    )
    assumed = assume(**STATED | {"people_share": 0.4, "agents": 4, "questions": questions})
    assert grid.simulate(assumed, 20, 10, questions, 5, "x") == []
    assert drawn[0].shares == pytest.approx(shares)
    assert (drawn[0].judges, drawn[0].trials, drawn[0].stimuli) == (20, 10, 40)


def test_where_nothing_has_the_power_the_plan_says_what_would():
    keys = STATED | {"rates": {"people": 0.55, "agent": 0.5}, "judges": (10, 20), "trials": (10,)}
    keys |= {"questions": ("people", "chance", "width"), "simulations": 400}
    assumed = assume(**keys)
    answers = {row["question"]: row for row in describe(assumed, grid.simulate_grid(assumed))}
    assert not any(row["found"] for row in answers.values())
    # What would do follows from a formula, and nearly does in a simulation.
    for question in ("people", "width"):
        more = (int(answers[question]["needed_judges"]),)
        power = grid.simulate_grid(assume(**keys | {"judges": more, "questions": (question,)}))
        assert power["power"].item() > 0.75, question
        assert f"about {more[0]:,} judges would" in answers[question]["text"]
    assert "No design here reaches a power of 0.8" in answers["people"]["text"]
    assert "There is nothing to detect" in answers["chance"]["text"]


def test_where_stimuli_are_too_few_more_judges_do_not_help():
    keys = STATED | {"rates": {"people": 0.55, "agent": 0.5}, "stimuli": 10, "judges": (900,)}
    keys |= {"spreads": {"judge": 0.3, "stimulus:made_by": 0.6}, "questions": ("people",)}
    assumed = assume(**keys | {"agents": 1, "trials": (10,)})
    (row,) = describe(assumed, grid.simulate_grid(assumed))
    text = row["text"]
    assert "More judges alone would not suffice, since all of them see the same 10 stimuli" in text
    assert "stimuli would" in text


def test_the_page_leads_to_the_report_of_the_study_if_there_is_one(planned, tmp_path):
    assumed, power, _ = planned
    given = ({}, assumed, power, [], [tmp_path / "plan/power.pdf"], {})
    assert not page.build_context(*given)["home"]
    (tmp_path / "report").mkdir()
    (tmp_path / "report/index.html").touch()
    assert page.build_context(*given)["home"]


def test_methods_name_the_numbers(planned):
    assumed, _, designs = planned
    answers = page.describe_designs(designs, assumed)
    text = page.write_methods(assumed, answers)
    for words in (
        "(200 studies per design",
        "were 0.550 for people, 0.350 for the agent and 0.500",
        "There were 40 stimuli",
        "were 0.60 (judges",
        "a margin of 0.1, and 95% intervals. With",
    ):
        assert words in text
    found = next(row for row in answers if row["found"])
    assert "the probability of showing that " in text
    assert "the probability of an interval of detectability up to 0.1 wide" in text
    # The paragraph says what was simulated, the answer that fewer judges may do as well.
    fewest = assumed.plan.model_copy(update={"judges": (int(found["judges"]),)})
    again = page.describe_designs(designs, replace(assumed, plan=fewest))
    assert any("judges (the fewest tried) with" in row["text"] for row in again)
    assert "fewest" not in page.write_methods(replace(assumed, plan=fewest), again)
    assert not any(row["fewest"] for row in answers if row["judges"] != min(assumed.plan.judges))
    assert f"{found['judges']:,.0f} judges and {found['trials']:,.0f} trials each" in text


def test_stimuli_that_would_do_follow_from_the_variances():
    assumed = assume(**STATED | {"questions": ("people",), "judges": (900,)})
    largest = pd.Series({"question": "people", "judges": 900, "trials": 10, "stimuli": 40})
    difference = grid.expect_difference("people", assumed)
    needed = find_needed_variance(QUESTIONS["people"], difference, assumed.goals, 0.8)
    # The floor alone is nearly twice what is needed, and judges add a fifth.
    errors = {"se": np.sqrt(2.15 * needed), "se_floor": np.sqrt(1.95 * needed)}
    row = grid.look_beyond(pd.concat([largest, pd.Series(errors)]), assumed)
    assert row["needed_judges"] == np.inf
    assert row["needed_stimuli"] == 98  # 40 * 1.95 / (1 - 0.2), rounded up
    # With no floor, judges do it alone.
    errors = {"se": np.sqrt(99.5 * needed), "se_floor": 0.0}
    row = grid.look_beyond(pd.concat([largest, pd.Series(errors)]), assumed)
    assert row["needed_judges"] == pytest.approx(90_000) and np.isnan(row["needed_stimuli"])
    limit = f"(confirmed by simulation up to {grid.MAX_SIMULATED_JUDGES:,})"
    assert limit in (ROOT / "docs/planning.md").read_text(encoding="utf-8")
