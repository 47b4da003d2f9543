"""Signal detection as a mixed model: population of judges, ratings of unequal variance, and what fails."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from project import describe_texts
from scipy import stats
from scipy.optimize import approx_fprime

from turingstats.analysis import signal_models
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.stats.crossed import MIN_UNITS
from turingstats.tables import judges as judge_tables

STUDY = yaml_models.build_model(Study, describe_texts(["bot"]), "study")
SCALE = {"kind": "rating", "points": [1, 2, 3, 4, 5]}


def simulate(seed, judges=60, stimuli=80, seen=40, spread=(0.5, 0.6), stretch=1.0):
    """Latent evidence of judges whose criterion and d' differ; d' is 1 on average, the criterion 0.2."""
    rng = np.random.default_rng(seed)
    rows = []
    for judge in range(judges):
        criterion, d_prime = rng.normal([0.2, 1.0], spread)
        for stimulus in rng.choice(stimuli, seen, replace=False):
            machine = stimulus % 2
            noise = rng.normal(0, stretch if machine else 1)
            rows.append((judge, stimulus, machine, d_prime * (machine - 0.5) - criterion + noise))
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "machine", "evidence"])
    return table.assign(
        **{"task": "texts", "cohort": "people", "judge_kind": "human", "kept_recommended": True},
        judge=("texts.people.w" + table["judge"].astype(str)).astype("category"),
        stimulus=("t" + table["stimulus"].astype(str)).astype("category"),
        agent=np.where(table["machine"] == 1, "bot", "human"),
        truth=np.where(table["machine"] == 1, "machine", "human"),
        verdict=np.where(table["evidence"] > 0, "machine", "human"),
        rating=1.0 + np.searchsorted([-1, 0, 0.5, 1.5], table["evidence"]),
    ).drop(columns=["machine", "evidence"])


def fit(judgments, graded=()):
    table = signal_models.model_signals(judgments, STUDY, {}, list(graded), 0.95, {"seed": 1})
    return table.set_index(["model", "quantity"])


def test_decided_verdicts_of_people_and_ratings_of_few_points_are_modeled(monkeypatch):
    asked = []

    def record(trials, column, *_):
        asked.append((column, len(trials)))
        return []

    monkeypatch.setattr(signal_models, "fit_signals", record)
    judgments = simulate(7, judges=3)
    others = {"verdict": "unsure", "truth": "mixed", "judge_kind": "llm", "kept_recommended": False}
    more = [judgments.assign(**{column: value}) for column, value in others.items()]
    whole = pd.concat([judgments, *more])
    keys = {"task": "texts", "cohort": "people", "judge_kind": "human", "reading": "recommended"}
    points = {number: {"points": [*range(number)]} for number in (2, 3, 20, 21)}
    graded = [(keys, scale, whole) for scale in points.values()]
    graded += [(keys | {"reading": "published"}, SCALE, judgments)]
    graded += [(keys | {"judge_kind": "llm"}, SCALE, judgments)]
    fit(whole, graded)
    assert asked == [("verdict", 120), ("rating", 480), ("rating", 480)]


def test_population_and_spread_of_judges_are_recovered():
    table = fit(simulate(1)).loc[signal_models.VERDICTS]
    assert table["converged"].all()
    row = table.loc["criterion"]
    reach = stats.t.ppf(0.975, 58) * row["se"]
    ends = [row["value"] - reach, row["value"] + reach]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(ends)
    row = table.loc["sd_d_prime"]
    ends = signal_models.spread_interval(row["value"], row["se"], stats.norm.ppf(0.975))
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(ends)
    assert signal_models.spread_interval(2.0, 1.0, 3.0) == pytest.approx(
        (2 / np.exp(1.5), 2 * np.exp(1.5))
    )
    assert np.isnan(signal_models.spread_interval(1.0, 1.0, 3.0)).all()
    truth = {"d_prime": 1.0, "criterion": 0.2, "sd_criterion": 0.5, "sd_d_prime": 0.6}
    for name, value in truth.items():
        assert table.loc[name, "ci_low"] < value < table.loc[name, "ci_high"]
    assert table.loc["d_prime", "df"] == 60 - 2
    shown = judge_tables.tabulate_signals(table.reset_index().assign(model="verdicts"), STUDY)
    assert len(shown) == 1 and shown["d'"].iloc[0].startswith(
        f"{table.loc['d_prime', 'value']:.2f}"
    )


@pytest.mark.thorough
def test_ratings_tell_that_evidence_of_machines_varies_more():
    judgments = simulate(2, stretch=1.6)
    keys = {"task": "texts", "cohort": "people", "judge_kind": "human", "reading": "recommended"}
    table = fit(judgments, [(keys, SCALE, judgments)]).loc[signal_models.RATINGS]
    ratio = table.loc["sd_ratio"]
    assert ratio["ci_low"] < 1.6 < ratio["ci_high"] and ratio["ci_low"] > 1.2
    expected = np.sqrt(2 / (1 + 1.6**2))
    assert table.loc["d_a", "value"] == pytest.approx(expected, abs=2 * table.loc["d_a", "se"])


def test_d_a_is_over_the_root_of_the_mean_variance_and_its_error_is_of_both():
    covariance = np.array([[0.04, 0.0, 0.01], [0.0, 1.0, 0.0], [0.01, 0.0, 0.09]])
    at = np.array([1.2, np.log(1.6)])
    errors = {"covariance": covariance, "se": covariance.diagonal() ** 0.5}
    fitted = SimpleNamespace(coefficients=at[:1], log_scale=at[1:], **errors)
    (*_, value, se), (*_, ratio, ratio_se) = signal_models.list_unequal(fitted)
    slope = approx_fprime(at, lambda x: x[0] / np.sqrt((1 + np.exp(2 * x[1])) / 2))
    expected = np.sqrt(slope @ covariance[np.ix_([0, 2], [0, 2])] @ slope)
    assert (value, se) == pytest.approx((1.2 / np.sqrt((1 + 1.6**2) / 2), expected), rel=1e-6)
    assert (ratio, ratio_se) == pytest.approx((1.6, 1.6 * 0.3))


def test_the_criterion_of_an_agent_is_halfway_and_its_error_is_of_both():
    covariance = np.array([[0.04, 0.01], [0.01, 0.09]])
    fitted = SimpleNamespace(
        coefficients=[1.0], thresholds=[0.7], covariance=covariance, se=covariance.diagonal() ** 0.5
    )
    d_prime, criterion = signal_models.list_by_agent(fitted, ["bot"])
    assert d_prime == ("bot", "d_prime", 1.0, pytest.approx(0.2))
    expected = np.sqrt(0.09 + 0.04 / 4 - 0.01)
    assert criterion == ("bot", "criterion", pytest.approx(0.2), pytest.approx(expected))


def test_the_intercept_of_a_judge_is_minus_the_criterion():
    rows = [
        ("judge", "(Intercept)", None, 0.5, 0.1), ("judge", "machine", None, 0.6, 0.2),
        ("judge", "machine", "(Intercept)", 0.3, 0.4), ("stimulus", "(Intercept)", None, 0.0, 0.1),
    ]  # fmt: skip
    names = ["group", "effect", "other", "value", "se"]
    parts = [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in rows]
    found = pd.DataFrame(signal_models.list_spreads(SimpleNamespace(components=parts)))
    assert found[0].tolist() == ["sd_criterion", "sd_d_prime", "correlation", "sd_stimulus"]
    assert found[1].tolist() == [0.5, 0.6, -0.3, 0]
    assert found[2].tolist() == pytest.approx([0.1, 0.2, 0.4, np.nan], nan_ok=True)


def test_a_stimulus_of_each_judge_is_the_judge():
    judgments = simulate(3, judges=30, seen=20)
    own = judgments.assign(stimulus=judgments["judge"])
    table = fit(own).loc[signal_models.VERDICTS]
    assert table["converged"].all()
    assert not table.index.str.startswith("sd_stimulus").any()
    assert table["formula"].iloc[0] == "z(verdict) ~ machine + (1 + machine | judge)"


def test_an_infinite_d_prime_is_not_shown():
    judgments = simulate(4, judges=8, seen=20)
    sure = fit(judgments.assign(verdict=judgments["truth"])).loc[signal_models.VERDICTS]
    assert not sure["converged"].any() and sure["value"].isna().all()
    same = fit(judgments.assign(verdict="human"))
    assert same.empty


def test_each_agent_has_a_d_prime_and_a_criterion_if_it_has_enough_trials():
    judgments = simulate(5)
    number = judgments["stimulus"].astype(str).str[1:].astype(int)
    machine = judgments["truth"] == "machine"
    # Half of the machine's responses are told with certainty half of the time.
    better = machine & (number % 4 == 1)
    sure = better & (np.random.default_rng(1).random(len(judgments)) < 0.5)
    judgments["agent"] = judgments["agent"].mask(better, "worse_bot").mask(number == 3, "rare")
    judgments["verdict"] = judgments["verdict"].mask(sure, "machine")
    table = signal_models.model_signals(judgments, STUDY, {}, [], 0.95, {"seed": 1}).set_index(
        "signal_id"
    )
    assert set(table["agent"]) == {"all", "bot", "worse_bot"}
    bot, worse = (
        table.loc[f"texts.people.verdicts.{name}.d_prime"] for name in ("bot", "worse_bot")
    )
    assert bot["ci_low"] < 1.0 < bot["ci_high"] < worse["ci_low"]
    criterion = table.loc["texts.people.verdicts.bot.criterion"]
    assert criterion["ci_low"] < 0.2 < criterion["ci_high"]
    every = table.loc["texts.people.verdicts.d_prime"]
    assert bot["value"] < every["value"] < worse["value"]
    assert bot["n"] == every["n"] - (judgments["agent"] == "rare").sum()


@pytest.mark.parametrize(("judges", "fitted"), [(0, False), (1, True)])
def test_agents_are_fitted_with_enough_judges_for_degrees_of_freedom(judges, fitted):
    judges += 2 + MIN_UNITS
    trials = pd.DataFrame(
        [
            (agent, verdict, judge, f"{agent}{stimulus}")
            for agent in ("a", "b")
            for verdict in ("human", "machine")
            for judge in range(judges)
            for stimulus in range(MIN_UNITS)
        ],
        columns=["agent", "verdict", "judge", "stimulus"],
    ).assign(truth="machine")
    assert signal_models.select_agents(trials) == (["a", "b"] if fitted else [])


def test_of_many_verdicts_a_sample_of_judges_is_fitted_and_the_table_says_so(monkeypatch):
    judgments = simulate(6)
    every = fit(judgments).loc[signal_models.VERDICTS]
    monkeypatch.setattr(signal_models, "MAX_VERDICTS", 1000)
    keys = {"task": "texts", "cohort": "people", "judge_kind": "human", "reading": "recommended"}
    table = fit(judgments, [(keys, SCALE, judgments)])
    assert (table["n_judges"] == 25).all() and (table["n"] == 1000).all()
    words = "fitted to a random sample of 25 of 60 judges, with 1,000 of 2,400 verdicts"
    assert table["method"].str.endswith(words).all() and len(table.loc[signal_models.RATINGS])
    sampled = table.loc[signal_models.VERDICTS]
    assert 1.2 < sampled.loc["d_prime", "se"] / every.loc["d_prime", "se"] < 2
    assert sampled.loc["d_prime", "ci_low"] < 1.0 < sampled.loc["d_prime", "ci_high"]
    assert "sample" not in every["method"].iloc[0]
    assert table.equals(fit(judgments, [(keys, SCALE, judgments)]))
