"""Distributions, means, ROC curves and models of ratings; thresholds of scores."""

import numpy as np
import pandas as pd
import pytest
from project import describe_texts
from scipy import stats
from sklearn.metrics import roc_auc_score

from turingstats.analysis import detector_scores, graded_verdicts, ordinal_models
from turingstats.analysis.graded_verdicts import list_graded
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.report import designs as report_sentences
from turingstats.stats import roc

STUDY = yaml_models.build_model(Study, describe_texts(["bot", "other"]), "study")
SCALE = {"kind": "rating", "points": [1, 2, 3, 4, 5]}
SCORES = {"kind": "score", "points": []}
LABELS = {"tasks": {"texts": "Texts"}}
LABELS["cohorts"] = {"texts": {"detectors": "Detectors", "people": "Raters"}}
GRADES = {"texts": {"people": SCALE, "models": SCALE, "detectors": SCORES}}


def measure(graded, rows=graded_verdicts.measure_ratings):
    return tabulate(rows(graded, 0.95), "ratings")


def make_judgments(rows, cohort="people", kind="human"):
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "agent", "rating"])
    truth = np.where(table["agent"] == "human", "human", "machine")
    prefix = f"texts.{cohort}."
    place = {"task": "texts", "cohort": cohort, "judge_kind": kind, "kept_recommended": True}
    sure = (table["rating"] - 3).abs()
    table = table.assign(judge=prefix + table["judge"], truth=truth, confidence=sure, **place)
    texts = ["judge", "stimulus", "agent", "task", "cohort", "judge_kind", "truth"]
    return table.astype(dict.fromkeys(texts, "category"))


def simulate_crossed(rng, judges=20, stimuli=30):
    """Ratings of people who all see the same stimuli, half of which are machines'."""
    agents = np.array(["human", "bot"])[np.arange(stimuli) % 2]
    shift = 0.8 * (agents == "bot") + rng.normal(0, 0.8, stimuli)
    rows = []
    for judge in range(judges):
        latent = shift + rng.normal(0, 0.6) + rng.logistic(0, 0.5, stimuli)
        points = 1 + np.searchsorted([-1, 0, 0.8, 1.8], latent)
        names = [f"t{i}" for i in range(stimuli)]
        rows += zip([f"w{judge}"] * stimuli, names, agents, points, strict=True)
    return rows


@pytest.fixture(scope="module")
def people():
    judgments = make_judgments(simulate_crossed(np.random.default_rng(5)))
    return judgments, measure(list_graded(judgments, STUDY, GRADES))


def test_distribution_counts_every_point(people):
    judgments, table = people
    # With trials that are left out, and trials without a rating.
    left_out = judgments.head(90).assign(kept_recommended=False, rating=1)
    unrated = judgments.head(90).assign(rating=np.nan)
    more = measure(list_graded(pd.concat([judgments, left_out, unrated]), STUDY, GRADES))
    pd.testing.assert_frame_equal(more, table)
    shares = table[table["quantity"] == "share"]
    for agent in ("human", "bot"):
        own = shares[shares["agent"] == agent]
        of_agent = judgments[judgments["agent"] == agent]
        ratings = of_agent["rating"]
        third = of_agent.assign(rating=ratings == 3)
        mean = graded_verdicts.estimate_mean(third, "rating", 0.95)
        assert own[["se", "df"]].iloc[2].tolist() == pytest.approx([mean["se"], mean["df"]])
        assert own["method"].iloc[2] == f"{mean['method']}; interval on the logit scale"
        assert own["level"].tolist() == ["1", "2", "3", "4", "5"]
        assert own["k"].tolist() == [(ratings == point).sum() for point in range(1, 6)]
        assert own["value"].sum() == pytest.approx(1)
        assert (own["n"] == len(ratings)).all()
        inside = own[own["k"] > 0]
        assert (inside["ci_low"] < inside["value"]).all()
        assert (inside["value"] < inside["ci_high"]).all()


def test_sessions_of_a_person_are_one_judge(people):
    judgments, table = people
    known = {f"texts.people.w{number}": f"p{number // 2}" for number in range(20)}
    merged = measure(list_graded(judgments, STUDY, GRADES, known))
    pair = [t[t["quantity"] == "mean"].set_index("agent") for t in (table, merged)]
    assert (pair[0]["n_judges"] == 20).all() and (pair[1]["n_judges"] == 10).all()
    assert pair[0]["value"].tolist() == pair[1]["value"].tolist()
    assert pair[0]["se"].tolist() != pair[1]["se"].tolist()
    models = ordinal_models.fit_ordinal_models(list_graded(judgments, STUDY, GRADES, known), 0.95)
    assert (models["n_judges"] == 10).all()


def test_area_is_that_of_all_trials_and_far_less_certain_than_independent_trials(people):
    judgments, table = people
    (found,) = table[table["quantity"] == "roc_area"].to_dict("records")
    machine = judgments["truth"] == "machine"
    assert found["value"] == pytest.approx(roc_auc_score(machine, judgments["rating"]))
    alone = roc.compute_roc_area(machine, judgments["rating"], np.arange(len(machine)), 0.95)
    assert found["se"] > 2 * alone["se"]
    assert (found["n_judges"], found["n_stimuli"], found["n"]) == (20, 30, 600)
    assert found["k"] == machine.sum()


def test_difference_from_people_is_that_of_means_with_the_error_of_a_contrast(people):
    judgments, table = people
    means = table[table["quantity"] == "mean"].set_index("agent")["value"]
    (row,) = table[table["quantity"] == "difference"].to_dict("records")
    assert row["agent"] == "bot" and row["n"] == 600
    assert row["method"].endswith(graded_verdicts.CROSSED)
    assert row["value"] == pytest.approx(means["bot"] - means["human"])
    # The same by hand: judges rated both kinds, each stimulus is of one.
    machine = judgments["agent"] == "bot"
    by_judge = judgments.groupby([judgments["judge"].astype(str), machine])["rating"].mean()
    differences = by_judge.unstack().diff(axis=1).iloc[:, -1]
    over_judges = differences.var() / 20
    by_stimulus = judgments.groupby([judgments["stimulus"].astype(str), machine])["rating"].mean()
    over_stimuli = sum(own.var() / 15 for _, own in by_stimulus.groupby(level=1))
    assert row["se"] ** 2 < over_judges + over_stimuli
    assert row["se"] ** 2 > 0.95 * max(over_judges, over_stimuli)
    # Two judges are too few, however many stimuli they rated.
    two = judgments[judgments["judge"].astype(str).str.fullmatch(r"texts\.people\.w[01]")]
    few = measure(list_graded(two, STUDY, GRADES)).set_index("quantity").loc["difference"]
    assert np.isnan(few["se"]) and few["method"].startswith("no interval: fewer than 5 judges")


def test_detectors_are_averaged_each_at_its_own_threshold():
    rng = np.random.default_rng(7)
    parts = []
    for name in ("one", "two", "three"):
        part = make_judgments(make_detector(rng), "detectors", "detector")
        judge = "texts.detectors." + name
        part = part.assign(judge=judge, verdict=np.where(part["rating"] >= 0.5, "machine", "human"))
        parts.append(part.astype({"agent": str, "stimulus": str}))
    judgments = pd.concat(parts, ignore_index=True).astype({"agent": "category"})
    graded = list_graded(judgments, STUDY, GRADES)
    # Raters are no detectors.
    raters = make_judgments(simulate_crossed(rng)).assign(verdict="human")
    table = measure([*list_graded(raters, STUDY, GRADES), *graded], detector_scores.measure_scores)
    pooled = table[table["cohort"] == "all"].set_index(["quantity", "agent", "level"])
    alarms = pooled.loc[("judged_machine", "human", "")]
    of_people = judgments.loc[judgments["agent"] == "human", "verdict"]
    assert alarms["value"] == pytest.approx(of_people.eq("machine").mean())
    assert (alarms["n_judges"], alarms["n_stimuli"], alarms["n"]) == (3, 100, 300)
    by_stimulus = of_people.eq("machine").groupby(judgments["stimulus"]).mean()
    assert alarms["se"] == pytest.approx(by_stimulus.std() / 10)
    assert measure(graded[:2], detector_scores.measure_scores)["cohort"].eq("all").any()
    single = table[(table["quantity"] == "hits") & (table["level"] == "0.01")]
    of_bot = single[(single["agent"] == "bot") & (single["cohort"] == "detectors")]["value"]
    assert pooled.loc[("hits", "bot", "0.01"), "value"] == pytest.approx(of_bot.mean())
    areas = measure(graded)
    of_all = areas[(areas["quantity"] == "roc_area") & (areas["agent"] == "all")]
    area = pooled.loc[("roc_area", "all", "")]
    assert area["value"] == pytest.approx(of_all["value"].mean())
    # Three detectors of the same texts are less certain than if each had texts of its own.
    assert area["se"] > np.sqrt((of_all["se"] ** 2).sum()) / 3 * 0.8
    both = pd.concat([areas, table]).astype(object).fillna("").astype(str)
    study = LABELS | {"agents": {"bot": "Bot", "other": "Other"}}
    (sentence,) = report_sentences.describe_detectors(both.to_dict("records"), study, 0.05)
    assert sentence.startswith("Texts: Detectors, one tells machines from people: AUC 0.")
    assert "On average over 3 detectors, AUC 0." in sentence
    assert f"{alarms['value']:.0%} (" in sentence and "Too few" not in sentence
    few = both.assign(n=both["n"].mask(both["quantity"] == "false_alarms", "40"))
    (sentence,) = report_sentences.describe_detectors(few.to_dict("records"), study, 0.05)
    assert "Too few responses are by people (40)" in sentence
    # z = 2.2, p = 0.03: enough for one detector, but not for three of a task.
    is_area = both["quantity"] == "roc_area"
    weak = both.assign(
        value=both["value"].mask(is_area, "0.6"),
        se=both["se"].mask(is_area, str(0.24 * np.log(1.5) / 2.2)),
        df=both["df"].mask(is_area, ""),
    )
    for kept, words in (
        (weak["judge"] != "", "is not shown to tell"),
        (weak["judge"] == "one", "tells"),
    ):
        (sentence,) = report_sentences.describe_detectors(
            weak[kept].to_dict("records"), study, 0.05
        )
        assert sentence.startswith(f"Texts: Detectors, one {words}")


def test_each_machine_judge_is_described_by_itself():
    rng = np.random.default_rng(2)
    rows = [("gpt", *row[1:]) for row in simulate_crossed(rng, 1, 40)]
    rows += [("claude", *row[1:]) for row in simulate_crossed(rng, 1, 40)]
    # The first saw ten responses of people and 20 of a machine.
    judgments = make_judgments(rows[:20] + rows[21:40:2] + rows[40:], "models", "llm")
    table = measure(list_graded(judgments, STUDY, GRADES))
    assert list(table["judge"].unique()) == ["gpt", "claude"]
    first = judgments[judgments["judge"].astype(str) == "texts.models.gpt"]
    by_agent = [first.loc[first["agent"] == name, "rating"] for name in ("bot", "human")]
    expected = stats.ttest_ind(*by_agent, equal_var=False)
    difference = table[table["quantity"] == "difference"].set_index("judge").loc["gpt"]
    ends = expected.confidence_interval(0.95)
    assert difference["df"] == pytest.approx(expected.df)
    assert difference[["ci_low", "ci_high"]].tolist() == pytest.approx([ends.low, ends.high])
    areas = table[table["quantity"] == "roc_area"].set_index("judge")
    assert (areas["n_judges"] == 1).all()
    assert areas["ci_low"].notna().all()
    assert areas["method"].str.contains("stimulus").all()
    models = ordinal_models.fit_ordinal_models(list_graded(judgments, STUDY, GRADES), 0.95)
    assert set(models["judge"]) == {"gpt", "claude"}
    # Its random effects are of the stimuli alone, and left out where it saw each of them once.
    assert models["method"].str.contains("random effect of judge left out").all()


def test_a_mean_of_few_ratings_stays_on_the_scale():
    rows = [("gpt", "t1", "bot", 4), ("gpt", "t2", "bot", 5), ("gpt", "t3", "human", 1)]
    judgments = make_judgments(rows, "models", "llm")
    table = measure(list_graded(judgments, STUDY, GRADES))
    means = table[table["quantity"] == "mean"].set_index("agent")
    assert (means.loc["bot", "ci_low"], means.loc["bot", "ci_high"]) == (1, 5)
    assert np.isnan(means.loc["human", "ci_low"])
    assert means.loc["human", "method"] == graded_verdicts.NONE
    # A difference is at most the length of the scale.
    for of_bot, of_people in (
        ([5, 5, 5, 5, 3], [1, 1, 1, 1, 3]),
        ([1, 1, 1, 1, 3], [5, 5, 5, 5, 3]),
    ):
        rows = [("gpt", f"t{i}", "bot", rating) for i, rating in enumerate(of_bot)]
        rows += [("gpt", f"p{i}", "human", rating) for i, rating in enumerate(of_people)]
        table = measure(list_graded(make_judgments(rows, "models", "llm"), STUDY, GRADES))
        found = table.set_index("quantity").loc["difference", ["ci_low", "ci_high"]]
        expected = stats.ttest_ind(of_bot, of_people).confidence_interval()
        assert found.tolist() == pytest.approx(np.clip(expected, -4, 4))


def test_without_people_there_is_no_curve_and_no_model():
    rows = [row for row in simulate_crossed(np.random.default_rng(1)) if row[2] == "bot"]
    judgments = make_judgments(rows)
    table = measure(list_graded(judgments, STUDY, GRADES))
    assert set(table["quantity"]) == {"share", "mean", "confidence"}
    assert ordinal_models.fit_ordinal_models(list_graded(judgments, STUDY, GRADES), 0.95).empty


def test_the_model_has_a_coefficient_per_agent_and_a_threshold_between_points(people):
    judgments, _ = people
    models = ordinal_models.fit_ordinal_models(list_graded(judgments, STUDY, GRADES), 0.95)
    fixed, spread = models[models["kind"].isin(["coefficient", "threshold"])], models.iloc[5:]
    assert fixed["term"].tolist() == ["bot", "1|2", "2|3", "3|4", "4|5"]
    terms = ["judge (Intercept)", "judge machine (Intercept)", "judge machine"]
    assert spread["term"].tolist() == [*terms, "stimulus (Intercept)"]
    assert spread["estimate"].iloc[-1] > 0.5
    first = models.iloc[0]
    assert first["converged"] and first["estimate"] > 0 and first["p"] < 0.05
    assert first["ci_low"] < first["estimate"] < first["ci_high"]
    assert first["odds_ratio"] == pytest.approx(np.exp(first["estimate"]))
    assert first["df"] == 20 - 2
    assert fixed["estimate"].iloc[1:].is_monotonic_increasing
    assert models["p"].iloc[1:].isna().all()


def test_agents_of_a_model_are_one_family_that_is_corrected_as_configured(people):
    judgments, _ = people
    second = judgments["agent"].eq("bot") & judgments["stimulus"].isin(["t1", "t3", "t5"])
    agents = judgments["agent"].astype(str).where(~second, "other").astype("category")
    graded = list_graded(judgments.assign(agent=agents), STUDY, GRADES)
    models = ordinal_models.fit_ordinal_models(graded, 0.95, "bonferroni")
    family = models[models["kind"] == "coefficient"]
    assert len(family) == 2 and set(family["family_size"]) == {2}
    assert family["p_adjusted"].tolist() == (2 * family["p"]).clip(upper=1).tolist()
    assert models["p_adjusted"].notna().sum() == 2


def test_ratings_that_never_overlap_have_no_model():
    rows = [(f"w{j}", f"t{i}", "human", 1 + i % 2) for j in range(6) for i in range(6)]
    rows += [(f"w{j}", f"m{i}", "bot", 5) for j in range(6) for i in range(6)]
    graded = list_graded(make_judgments(rows), STUDY, GRADES)
    models = ordinal_models.fit_ordinal_models(graded, 0.95)
    assert not models["converged"].any()
    assert models[["se", "p", "ci_low", "odds_ratio"]].isna().all().all()
    assert models["method"].str.contains("not converged").all()


def make_detector(rng, scale=1.0, shift=0.0):
    agents = np.array(["human", "bot", "other"])[np.arange(300) % 3]
    logit = np.where(agents == "human", -1, 1) + rng.normal(0, 1, 300)
    scores = shift + scale / (1 + np.exp(-logit))
    return [("d", f"t{i}", agents[i], scores[i]) for i in range(300)]


def test_scores_may_be_outside_0_to_1():
    judgments = make_judgments(make_detector(np.random.default_rng(3), 50), "detectors", "detector")
    table = measure(list_graded(judgments, STUDY, GRADES), detector_scores.measure_scores)
    assert set(table["quantity"]) == {"threshold", "false_alarms", "hits"}
    inside = make_judgments(make_detector(np.random.default_rng(3)), "detectors", "detector")
    probable = measure(list_graded(inside, STUDY, GRADES), detector_scores.measure_scores)
    assert set(probable["quantity"]) == set(table["quantity"])
    for agent in ("human", "bot"):
        alone = list_graded(inside[inside["agent"] == agent], STUDY, GRADES)
        assert measure(alone, detector_scores.measure_scores).empty
    bins = graded_verdicts.choose_bins(inside["rating"].to_numpy(), SCORES)
    assert [low for _, low, _ in bins] == pytest.approx(np.arange(10) / 10)
    assert bins[-1][0] == "0.9 to 1" and bins[-1][2] == np.inf
    assert graded_verdicts.choose_bins(np.array([0, 1.5]), SCORES)[-1][1] == pytest.approx(1.35)
    bins = graded_verdicts.choose_bins(judgments["rating"].to_numpy(), SCORES)
    assert bins[0][1] == pytest.approx(judgments["rating"].min())
    assert bins[-1][0].endswith(f"to {judgments['rating'].max():.4g}")
    # Up to 20 points are counted one by one.
    for number, names in ((20, ("0", "19")), (21, ("0 to 2", "18 to 20"))):
        points = {"kind": "rating", "points": [*range(number)]}
        bins = graded_verdicts.choose_bins(np.array([3.0]), points)
        assert (bins[0][0], bins[-1][0]) == names
    rates = np.array([0, 0.004, 0.005, 0.009, 0.011, 0.012])
    for curve in ((rates, 0 * rates), (0 * rates, rates)):
        kept = graded_verdicts.thin_curve(*curve)
        assert kept.tolist() == [True, False, True, False, True, True]
    # Areas and hits depend on the order of scores alone.
    for quantity in ("hits", "false_alarms"):
        pair = [t.loc[t["quantity"] == quantity, "value"].tolist() for t in (table, probable)]
        assert pair[0] == pair[1]
    alarms = probable.loc[probable["quantity"] == "false_alarms", "value"]
    assert list(alarms <= [0.01, 0.05]) == [True, True]
    ratings = measure(list_graded(judgments, STUDY, GRADES))
    assert "confidence" not in set(ratings["quantity"])
    shares = ratings[(ratings["quantity"] == "share") & (ratings["agent"] == "all")]
    assert shares["k"].sum() == 200
    assert len(shares) == 10
    # Each is compared with people, not with people and the other.
    areas = ratings[ratings["quantity"] == "roc_area"].set_index("agent")
    assert areas["n"].to_dict() == {"all": 300, "bot": 200, "other": 200}
