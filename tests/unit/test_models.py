"""Declared models: which trials, which contrasts, and what a published test is set beside."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from judged_studies import prepare_trials
from project import NOBODY
from scipy import stats

from turingstats.analysis.models import contrasts, counterparts, fits
from turingstats.analysis.models.asked import Asked, parse_fit_summaries
from turingstats.analysis.models.fits import fit_models
from turingstats.config import subset
from turingstats.config.study import Cohort, Comparison, Part, Study
from turingstats.core import yaml_models
from turingstats.stats.mixed import wald
from turingstats.stats.mixed.fit import fit_model

STUDY = yaml.safe_load("""
study: toy
title: Toy
reference: none
agents: {human: {label: Human}, a: {label: A}, b: {label: B}}
tasks:
  word:
    label: Word
    agents: [a, b]
    cohorts:
      amt: {label: Online, agents: [a, b]}
      inlab: {label: Laboratory, agents: [a, b]}
      both: {label: Both, agents: [a, b], pools: [amt, inlab]}
demographics:
  gender:
    female: {published: [female], recommended: [female]}
    male: {published: [male], recommended: [male]}
comparisons:
  - {id: word.p_MM, task: word, cohorts: [both], quantity: p_MM, against: 0.5,
     agents: [all, a, b], published: {test: wilcoxon}}
  - {id: word.p_HH, task: word, cohorts: [both], quantity: p_HH, against: 0.5,
     published: {test: wilcoxon}}
  - {id: word.agents, task: word, cohorts: [both], quantity: p_MM, agents: [a, b],
     published: {test: friedman}}
  - {id: word.gender, task: word, cohorts: [both], quantity: detectability, by: gender,
     groups: [female, male], published: {test: permutation}}
models:
  - {id: word.agents, task: word, cohorts: [both],
     formula: said_machine ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by),
     counterpart_of: [word.p_MM, word.p_HH, word.agents]}
  - {id: word.gender, task: word, cohorts: [both],
     formula: said_machine ~ made_by * gender + (1 | judge) + (1 | judge:made_by),
     counterpart_of: [word.gender]}
""")
OPTIONS = {"confidence": 0.95, "seed": 1, "correction": "holm"}
INTERCEPT = "(Intercept)"


@pytest.fixture(scope="module")
def study():
    return Study(**STUDY)


@pytest.fixture(scope="module")
def judgments():
    """Agent a is told from people, b is not; women are better at it."""
    draws = np.random.default_rng(7)
    n = 2400
    judge = draws.integers(0, 40, n)
    agent = draws.choice(["human", "human", "a", "b"], n)
    stimulus = draws.integers(0, 30, n)
    female = judge % 2 == 0
    bias = draws.normal(0, 0.6, 40)[judge]
    ability = draws.normal(0, 0.8, 40)[judge]
    looks = draws.normal(0, 0.7, (30, 2))[stimulus, (agent == "human").astype(int)]
    effect = np.where(agent == "a", 1.2 + 0.6 * female, 0.0) + looks
    effect = effect + ability * np.where(agent == "human", -0.5, 0.5)
    said = draws.random(n) < 1 / (1 + np.exp(-(-0.2 + bias + effect)))
    table = pd.DataFrame({"judge": judge, "stimulus": stimulus, "agent": agent}).assign(
        **{"study": "toy", "task": "word", "kept_published": True, "kept_recommended": True},
        judge=[f"w{j:02d}" for j in judge],
        stimulus=[f"s{s}" for s in stimulus],
        cohort=np.where(judge < 20, "amt", "inlab"),
        truth=np.where(agent == "human", "human", "machine"),
        verdict=np.where(said, "machine", "human"),
    )
    table.loc[:9, "kept_recommended"] = False
    table.loc[10:14, "verdict"] = "unsure"
    return table


@pytest.fixture(scope="module")
def groups():
    judges = [f"w{j:02d}" for j in range(40)]
    table = pd.DataFrame({"judge": judges, "group": ["female", "male"] * 20})
    return table.assign(reading="recommended", group_by="gender")


@pytest.fixture(scope="module")
def results(judgments, groups, study):
    return fit_models(judgments, groups, {}, study, OPTIONS, 1)


@pytest.fixture(scope="module")
def fitted_models(judgments, groups, study):
    """The fits of the models, by id."""
    return {
        model.id: fit_model(prepare_trials(model, judgments, groups, study), model.formula)
        for model in study.models
    }


def test_trials_are_those_that_are_kept_and_decided(judgments, groups, study):
    table = prepare_trials(study.models[0], judgments, groups, study)
    assert len(table) == 2400 - 15
    assert set(table["cohort"]) == {"both"}
    assert list(table["agent"].cat.categories) == ["human", "a", "b"]
    right = (table["said_machine"] == 1) == (table["made_by"] == "machine")
    assert (table["correct"] == right).all()
    assert (table.groupby("judge")["gender"].nunique() == 1).all()
    of_machines = study.models[0].model_copy(update={"only": {"truth": ("machine",)}})
    ordered = study.model_copy(update={"ordered": ("gender", "age")})
    ranks = prepare_trials(study.models[0], judgments, groups, ordered)["gender_rank"]
    assert ranks.tolist() == (table["gender"] == "male").astype(float).tolist()
    some = prepare_trials(of_machines, judgments, groups, study)
    assert len(some) == (table["truth"] == "machine").sum()
    assert set(some["agent"]) == {"a", "b"}


def test_probabilities_are_close_to_the_rates(results, judgments, groups, study):
    table = results["models"]
    trials = prepare_trials(study.models[0], judgments, groups, study)
    rates = trials.groupby("agent", observed=True)["said_machine"].mean()
    expected = {("probability", name): rate for name, rate in rates.items()}
    for name in "ab":
        expected["detectability", name] = (rates[name] + 1 - rates["human"]) / 2
    own = table.query("model_id == 'word.agents' and group == 'agent'")
    own = own[own["kind"].isin(["probability", "detectability"])]
    assert len(own) == len(expected)
    for row in own.to_dict("records"):
        assert row["estimate"] == pytest.approx(expected[row["kind"], row["term"]], abs=0.02)
        assert row["ci_low"] < row["estimate"] < row["ci_high"]


def tabulate(*rows):
    """Rows of tests.csv, given by comparison, agent, cohort, test and p."""
    table = pd.DataFrame(rows, columns=["comparison", "agent", "cohort", "test", "p"])
    ids = [".".join(filter(None, names)) for names in table[["comparison", "agent"]].to_numpy()]
    p = {"p_published_trials": 0.01, "p_judges": 0.02, "p_crossed": 0.2}
    table = table.assign(test_id=ids, group="", groups="", unit="judge", statistic=2.0, **p)
    return table.assign(reading="published")


def compare_with_tests(study, results, tests):
    summaries = parse_fit_summaries(json.loads(results["fits"]))
    return counterparts.build_counterparts(study, summaries, tests, 0.95).set_index("test_id")


def test_tests_have_the_degrees_of_freedom_of_the_fewest_units(results, fitted_models):
    fitted = fitted_models["word.agents"]
    assert fitted.df == min(fitted.groups.values()) - len(fitted.names)
    assert replace(fitted, groups={"judge": 2, "stimulus": 90}).df == 1
    row = results["models"].query("model_id == 'word.agents' and kind == 'coefficient'").iloc[1]
    reach = stats.t.isf(0.025, fitted.df) * row["se"]
    assert (row["ci_high"] - row["ci_low"]) / 2 == pytest.approx(reach)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["z"]), fitted.df))
    weights = np.eye(len(fitted.names))[1:3]
    chi2, df, p = wald.assess_joint_contrast(fitted, weights)
    assert p == pytest.approx(stats.f.sf(chi2 / df, df, fitted.df))


def test_counterparts_ask_what_the_tests_asked(results, fitted_models, study):
    tests = tabulate(
        ("word.p_MM", "all", "both", "wilcoxon", 0.01),
        ("word.p_MM", "a", "both", "wilcoxon", 0.2),
        ("word.p_HH", "human", "both", "wilcoxon", 0.01),
        ("word.agents", "", "both", "friedman", 0.01),
        ("word.gender", "all", "both", "permutation", 0.01),
    )
    found = compare_with_tests(study, results, tests)
    assert len(found) == len(tests)
    assert found.loc[tests["test_id"], "agent"].tolist() == ["all", "a", "human", "", "all"]
    fitted = fitted_models["word.agents"]

    def assess(**weights):
        return wald.assess_contrast(fitted, np.array([weights.get(n, 0) for n in fitted.names])).z

    assert found.loc["word.p_MM.a", "mixed"] == pytest.approx(assess(agenta=1, **{INTERCEPT: 1}))
    assert found.loc["word.p_MM.a", "change"] == "becomes significant"
    # People are judged human where the intercept of "machine" is below 0.
    intercept = fitted.estimate[list(fitted.names).index(INTERCEPT)]
    assert found.loc["word.p_HH.human", "log_odds"] == pytest.approx(-intercept)
    # Two agents differ by their coefficients.
    assert found.loc["word.agents", "mixed"] == pytest.approx(assess(agenta=1, agentb=-1))
    gender = fitted_models["word.gender"]
    third = gender.estimate[[n.count(":") for n in gender.names].index(1)]
    assert abs(found.loc["word.gender.all", "log_odds"]) == pytest.approx(abs(third) / 2)


def test_every_published_test_without_a_model_says_why(judgments, groups, study):
    more = [
        {"id": "word.score", "cohorts": ("both",), "quantity": "detectability", "score": "cider"},
        {"id": "word.svm.p_MM", "cohorts": ("svm",), "quantity": "p_MM"},
        {"id": "word.length", "cohorts": ("both",), "quantity": "p_MM", "by": "length"},
        {"id": "word.asked", "cohorts": ("both",), "quantity": "p_MM", "agents": ("a",)},
    ]
    comparisons = [Comparison(task="word", **keys) for keys in more]
    task = study.tasks["word"]
    svm = Cohort(label="SVM", agents=("a", "b"), judge_kind="svm")
    cohorts = {**task.cohorts, "svm": svm}
    gender = study.models[1]
    asked = gender.model_copy(update={"counterpart_of": (*gender.counterpart_of, "word.asked")})
    tasks = {"word": task.model_copy(update={"cohorts": cohorts})}
    more = {"comparisons": (*study.comparisons, *comparisons), "models": (study.models[0], asked)}
    wide = study.model_copy(update=more | {"tasks": tasks})
    tests = tabulate(
        ("word.score", "", "both", "pearson", 0.01),
        ("word.svm.p_MM", "a", "svm", "friedman", 0.01),
        ("word.length", "a", "both", "slopes", 0.01),
        ("word.asked", "a", "both", "wilcoxon", 0.01),
        ("word.p_HH", "human", "both", "wilcoxon", 0.01),
        ("word.p_HH", "human", "both", "wilcoxon", 0.02),
    )
    tests.loc[0, "unit"], tests.loc[5, "reading"] = "agent", "recommended"
    results = fit_models(judgments, groups, {}, wide, OPTIONS, 1)
    found = compare_with_tests(wide, results, tests)
    assert found.index.is_unique
    # Of the recommended test, with errors over judges and stimuli; others have none.
    shown = found.loc["word.p_HH.human", ["crossed_p", "crossed_change", "crossed_moved_by"]]
    assert shown.tolist() == [0.2, "no longer significant", "error"]
    assert set(found.drop("word.p_HH.human")["crossed_change"]) == {"not comparable"}
    assert found.loc["word.p_HH.human", "change"] != "no counterpart"
    lacking = found[found["change"] == "no counterpart"]
    assert set(lacking.index) == set(tests["test_id"][:4])
    assert lacking["mixed_p"].isna().all()
    assert "unit is the agent" in lacking.loc["word.score", "notes"]
    assert "single judge" in lacking.loc["word.svm.p_MM.a", "notes"]
    assert "length" in lacking.loc["word.length.a", "notes"]
    assert "takes the agents together" in lacking.loc["word.asked.a", "notes"]


def test_changes_are_classified():
    pairs = [(0.01, 0.01), (0.2, 0.3), (0.01, 0.2), (0.2, 0.01), (np.nan, 0.2)]
    assert [counterparts.classify_change(*pair, 0.05) for pair in pairs] == [
        *("still significant", "still not significant", "no longer significant"),
        *("becomes significant", "not comparable"),
    ]


@pytest.mark.parametrize(
    ("factor", "response", "other"),
    [("agent", "said_human", "m9"), ("agent", "correct", "m1"), ("length", "correct", "human")],
)
def test_of_many_levels_each_is_compared_with_one(factor, response, other):
    fitted = SimpleNamespace(data=SimpleNamespace(response=response))
    values = {"human": 0.95} | {f"m{n}": n / 10 for n in range(1, 10)}
    levels = {name: SimpleNamespace(value=value) for name, value in values.items()}
    pairs, _ = contrasts.choose_pairs(fitted, factor, levels)
    assert pairs == [(name, other) for name in levels if name != other]
    few = dict(list(levels.items())[:-1])
    pairs, _ = contrasts.choose_pairs(fitted, "agent", few)
    assert len(pairs) == len(few) * (len(few) - 1) / 2


@pytest.mark.parametrize(
    ("published", "test", "data", "last", "expected"),
    [
        (0.2, 0.01, 0.01, 0.01, "test"),
        (0.2, 0.2, 0.01, 0.01, "data"),
        (0.01, 0.01, 0.01, 0.2, "error"),
        (0.2, 0.01, 0.2, 0.01, "test, data, error"),
        (0.2, 0.2, np.nan, 0.01, "data or error"),
        (0.01, 0.2, 0.2, np.nan, ""),
        (0.01, 0.01, 0.01, 0.01, ""),
    ],
)
def test_the_step_that_moves_a_result_is_named(published, test, data, last, expected):
    p = {"published_p": published, "published_trials_p": test, "judges_p": data}
    assert counterparts.find_moving_steps(p, last, 0.05) == expected


def test_a_hypothesis_counts_once_however_often_it_was_tested():
    rows = [
        *(("a", "inlab vs amt", 0.5, 0.02), ("b", "inlab vs amt", 0.04, 0.02)),
        *(("c", "amt vs 0.5", 0.3, 0.02), ("d", "amt vs 0.5", 0.2, 0.001)),
        *(("e", "inlab vs amt", np.nan, 0.02), ("f", "inlab vs amt", 0.01, np.nan)),
    ]
    table = pd.DataFrame(rows, columns=["test_id", "groups", "published_p", "crossed_p"])
    found = counterparts.correct_hypotheses(table.assign(task="t", agent="x", quantity="p_MM"))
    assert found["hypothesis"].fillna("").tolist() == ["b", "b", "c", "d", "", ""]
    # Of three: 0.001, and 0.02 twice.
    assert found["crossed_p_holm"].tolist()[:4] == pytest.approx([0.04, 0.04, 0.04, 0.003])
    assert found["crossed_p_fdr"].tolist()[:4] == pytest.approx([0.02, 0.02, 0.02, 0.003])
    assert found["crossed_p_holm"].isna().tolist()[4:] == [True, True]


def test_a_model_that_cannot_be_fitted_has_a_row_that_says_so(judgments, groups, study):
    constant = judgments.assign(verdict="machine")
    results = fit_models(constant, groups, {}, study, OPTIONS, 1)
    table = results["models"]
    row = table[table["model_id"] == "word.agents"].iloc[0]
    assert row["kind"] == "not fitted"
    assert "constant" in row["notes"]
    found = compare_with_tests(
        study, results, tabulate(("word.p_HH", "human", "both", "wilcoxon", 0.01))
    )
    assert found.loc["word.p_HH.human", "change"] == "model not fitted"


def test_a_model_of_too_many_verdicts_is_fitted_to_a_sample_of_judges(
    judgments, groups, study, monkeypatch
):
    one = study.model_copy(update={"models": study.models[:1]})
    whole = prepare_trials(one.models[0], judgments, groups, one)
    most = len(whole) // 3
    monkeypatch.setattr(fits, "MAX_VERDICTS", most)
    table = fit_models(judgments, groups, {}, one, OPTIONS, 1)["models"]
    row = table.iloc[0]
    sizes = whole.groupby("judge", observed=True).size()
    assert 0 < most - row["n"] < sizes.max()
    said = f"{row['n_judges']:,} of {len(sizes):,} judges, with {row['n']:,} of {len(whole):,} verdicts"
    assert said in row["notes"]
    # Another seed draws other judges.
    other = fit_models(judgments, groups, {}, one, OPTIONS | {"seed": 2}, 1)["models"]
    assert not np.allclose(other["estimate"].iloc[0], row["estimate"])


def test_models_of_unknown_comparisons_are_refused_and_of_some_cohorts_go_on():
    broken = STUDY | {"models": [STUDY["models"][0] | {"counterpart_of": ["word.none"]}]}
    with pytest.raises(Exception, match=r"word\.none"):
        Study(**broken)
    three = STUDY["models"][1] | {"cohorts": ["amt", "inlab", "both"], "counterpart_of": []}
    study = Study(**STUDY | {"models": [three]})
    left = subset.cut_study(study, Part(cohorts=("amt", "inlab"))).models
    assert [model.cohorts for model in left] == [("amt", "inlab")]
    assert subset.cut_study(study, Part(cohorts=("amt",))).models == ()


def test_contrasts_are_listed_for_every_factor(results, fitted_models):
    table = results["model_contrasts"]
    agents = table[(table["model_id"] == "word.agents") & (table["factor"] == "agent")]
    pairs = list(zip(agents["first"], agents["second"], strict=True))
    assert pairs == [("human", "a"), ("human", "b"), ("a", "b")]
    assert (agents["family_size"] == 3).all() and (agents["p_adjusted"] >= agents["p"]).all()
    # The contrast with people is the coefficient.
    models = results["models"].set_index(["model_id", "term"])
    assert agents["estimate"].iloc[0] == pytest.approx(-models["estimate"]["word.agents", "agenta"])
    assert set(table["factor"]) == {"agent", "made_by", "gender"}
    fitted = fitted_models["word.agents"]
    levels = contrasts.average_levels(fitted, "agent", 0.95)
    chosen = contrasts.compare_levels(fitted, "agent", levels, 0.95, "bonferroni")
    for row, p in zip(chosen, agents["p"], strict=True):
        assert (
            row["p_adjusted"] == pytest.approx(min(3 * p, 1)) and row["correction"] == "bonferroni"
        )
    assert set(agents["correction"]) == {"holm"}


def test_a_model_without_the_groups_of_a_test_predicts_nothing_about_them(fitted_models):
    assert contrasts.average_predictors("gender", fitted_models["word.agents"]) is None
    assert contrasts.average_predictors("gender", fitted_models["word.gender"])


@pytest.mark.parametrize("agents", [["a", "b"], ["a"]])
def test_models_of_choices_have_detectabilities_and_abilities(agents):
    rng = np.random.default_rng(3)
    ability, ease = rng.normal(0, 0.8, 30), rng.normal(0, 0.5, 20)
    rows = [
        (f"w{j}", f"s{s}", agents[(j + s) % len(agents)], 0.6 + ability[j] + ease[s])
        for j in range(30)
        for s in range(20)
    ]
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "agent", "logit"])
    right = rng.random(len(table)) < 1 / (1 + np.exp(-table["logit"]))
    judgments = table.assign(
        **{"task": "word", "cohort": "amt", "truth": "machine", "kept_recommended": True},
        verdict=np.where(right, "machine", "human"),
    )
    fixed = "agent" if len(agents) > 1 else "1"
    model = {"formula": f"correct ~ {fixed} + (1 | judge) + (1 | stimulus)"}
    declared = {
        **{"study": "toy", "title": "Toy", "readings": ["recommended"]},
        "agents": {name: {"label": name} for name in agents},
        "tasks": {"word": {"label": "Word", "choice": True, "cohorts": {"amt": {"label": "A"}}}},
        "models": [model | {"id": "word.agents", "task": "word", "cohorts": ["amt"]}],
    }
    study = yaml_models.build_model(Study, declared, "study")
    models = fit_models(judgments, NOBODY, {}, study, OPTIONS, 1)["models"]
    shown = models[models["kind"] == "detectability"].set_index("term")
    assert list(shown.index) == (agents if len(agents) > 1 else ["all"])
    share = right.groupby(table["agent"]).mean() if len(agents) > 1 else {"all": right.mean()}
    for name, row in shown.iterrows():
        # Averaged over the random effects, as the share over judges and stimuli is.
        assert row["estimate"] == pytest.approx(share[name], abs=0.02)
        assert row["ci_low"] < row["estimate"] < row["ci_high"] and row["p"] < 0.05


def test_a_test_that_names_no_agent_is_set_beside_none():
    comparison = SimpleNamespace(
        id="word.x", quantity="p_MM", agents=("a", "b"), against=None, groups=(), cohorts=("p", "q")
    )
    rng = np.random.default_rng(2)
    predictors = {(who, group): rng.random(4) for who in ("human", "a", "b") for group in "pq"}

    def ask(agent, test, group=""):
        about = {"agent": agent, "test": test, "group": group}
        return counterparts.build_contrasts(comparison, about, predictors)

    asked = ask("b", "mann_whitney")
    np.testing.assert_array_equal(asked, [predictors["b", "p"] - predictors["b", "q"]])
    assert ask("", "anova") is None
    comparison.against = 0.5
    asked = ask("b", "wilcoxon", "q")
    np.testing.assert_array_equal(asked, [predictors["b", "q"]])
    assert ask("b", "wilcoxon") is None
    comparison.quantity = "p_HM"
    np.testing.assert_array_equal(ask("b", "wilcoxon", "q"), [-predictors["b", "q"]])


def test_three_agents_are_compared_by_two_contrasts():
    rng = np.random.default_rng(2)
    comparison = SimpleNamespace(quantity="p_MM", agents=("a", "b", "c", "absent"))
    a, b, c = rng.random((3, 4))
    test = {"agent": "", "test": "friedman"}
    asked = counterparts.build_contrasts(comparison, test, {("a",): a, ("b",): b, ("c",): c})
    np.testing.assert_array_equal(asked, [b - a, c - a])
    fitted = Asked(rng.random(4), np.eye(4), 20.0, (), {})
    tested = {"published_p": 0.01, "published_trials_p": np.nan, "judges_p": np.nan}
    row = counterparts.describe_model_answer(fitted, asked, tested, 0.05)
    expected = wald.assess_joint_contrast(fitted, asked)
    assert (row["mixed_statistic"], row["mixed"], row["df"], row["mixed_p"]) == ("chi2", *expected)
