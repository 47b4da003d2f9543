"""Generated games of a public Turing test: the published marginals, filters, breakdowns and codes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from project import ROOT, read_study
from statsmodels.stats.proportion import proportion_confint

import demo
from turingstats.analysis import breakdowns, codes, judge_tests
from turingstats.config import raw_files, settings
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters, cleaning, counts
from turingstats.stats.intervals import wilson

PUBLISHED = ROOT / "data/published/jones2024"
STUDY = read_study("jones2024")
SOURCES = raw_files.load_sources(ROOT / "data/sources/jones2024.yaml")


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raw")
    paths = [PUBLISHED / f"{name}.csv" for name in SOURCES.generated_from]
    demo.write_study("jones2024", paths, folder, 2025)
    return folder


@pytest.fixture(scope="module")
def read(raw):
    judgments, judges, _ = adapters.read_with_left_out(SOURCES.files, raw, STUDY)[:3]
    members = counts.assign_groups(judges, STUDY.demographics)
    return cleaning.mark_exclusions(judgments, STUDY, settings.Cleaning()), members


@pytest.fixture(scope="module")
def schemes():
    return {name: codes.read_scheme(PUBLISHED / own.scheme) for name, own in STUDY.codes.items()}


def test_games_of_ones_own_may_lack_columns_and_name_nobody(raw, tmp_path):
    games = pd.read_csv(raw / "games.csv", dtype=str, keep_default_na=False).head(400)
    games["interrogator"] += "@example.org"
    games = games.drop(columns="messages").assign(ip="192.0.2.7", player="Lovelace")
    games.to_csv(tmp_path / "games.csv", index=False)
    tables = adapters.read_with_left_out(SOURCES.files, tmp_path, STUDY)[:3]
    text = "".join(table.to_csv() for table in tables)
    assert not [secret for secret in ("192.0.2.", "Lovelace", "@example.org") if secret in text]
    assert tables[0]["words"].notna().any() and tables[0]["messages"].isna().all()


def test_trials_numbered_from_one_stay_apart_and_unknown_codes_are_named(read, schemes):
    few = read[0].head(60)
    study = STUDY.model_copy(update={"readings": ("recommended",)})
    place = few.groupby("judge", observed=True).cumcount() + 1
    expected = codes.measure_codes(few, study, schemes, 0.95)
    # A trial with two codes of a category counts once in what is said of its trials.
    (name, first), *_ = study.codes.items()
    given = codes.list_given_codes(few, first, schemes[name], first.scheme)
    given = given[given["kept_recommended"]].reset_index(names="row")
    of_category = expected.query("unit == 'category' and subset == 'all'").set_index("category")
    of_category = of_category[of_category["scheme"] == name]
    trials = given.groupby("category")["row"].nunique()
    assert of_category[of_category["quantity"] == "accuracy"]["n"].to_dict() == trials.to_dict()
    assert trials.sum() < len(given)
    found = codes.measure_codes(few.assign(trial=place), study, schemes, 0.95)
    pd.testing.assert_frame_equal(found, expected)
    marked, declared = read[0], STUDY.codes["reasons"]
    scheme = codes.read_scheme(PUBLISHED / declared.scheme)
    with pytest.raises(InputError, match="'1a'"):
        codes.list_given_codes(marked, declared, scheme[scheme["code"] != "1a"], "reasons.csv")


def test_shares_of_few_stimuli_vary_more_than_between_judges():
    """Forty judges of the same six texts, which are all right or all wrong: judges do not differ at all."""
    right = np.tile([1, 1, 1, 1, 0, 0], 40)
    judges, texts = np.repeat(np.arange(40), 6), np.tile(np.arange(6), 40)
    alone = breakdowns.estimate_share(right, judges, 0.95)
    both = breakdowns.estimate_share(right, judges, 0.95, texts)
    # Six independent texts: the effective number of trials is five, since the variance has the divisor n - 1.
    assert [both["ci_low"], both["ci_high"]] == pytest.approx(wilson(10 / 3, 5, 0.95))
    assert alone["ci_low"] > both["ci_low"] and "judges and stimuli" in both["method"]


def test_two_judges_who_agree_tell_no_variance_between_judges():
    """10 of 20 of each of two judges: their equal shares are no sign that errors are small."""
    right = np.tile([1.0, 0.0], 20)
    few = breakdowns.estimate_share(right, np.repeat([0, 1], 20), 0.95)
    low, high = proportion_confint(20, 40, method="wilson")
    assert (few["ci_low"], few["ci_high"]) == (pytest.approx(low), pytest.approx(high))
    assert few["method"].startswith("fewer than 5 judges")
    apart = np.r_[np.ones(19), 0, np.zeros(19), 1]
    assert breakdowns.estimate_share(apart, np.repeat([0, 1], 20), 0.95) == few
    enough = breakdowns.estimate_share(right, np.repeat(np.arange(5), 8), 0.95)
    assert enough["method"].startswith("variance between judges")


def test_bands_hold_their_lower_limit_and_intervals_of_positive_means_stay_positive():
    found, names = breakdowns.cut_into_bands([1, 2, 4, 5, 90], (2, 3, 5))
    assert names == ["2", "3 to 4", "5+"]
    assert found.fillna("-").tolist() == ["-", "2", "3 to 4", "5+", "5+"]
    index, judges = np.array([1, 1, 2, 1, 60.0]), np.arange(5)
    plain = breakdowns.estimate_mean(index, judges, 0.95)
    found = breakdowns.estimate_mean(index, judges, 0.95, positive=True)
    assert plain["ci_low"] < 0 < found["ci_low"] < found["value"] < found["ci_high"]
    assert found["ci_low"] * found["ci_high"] == pytest.approx(found["value"] ** 2)


def test_only_ordered_groups_are_tested_for_a_trend(read):
    marked, members = read
    found = judge_tests.compare_judge_groups(marked, members, STUDY, 0.95).set_index(
        ["by", "reading"]
    )
    assert found["p"].between(0, 1).all()
    assert (found["p_adjusted"] >= found["p"]).all()
    plain = judge_tests.compare_judge_groups(marked, members, STUDY, 0.95, "none")
    assert set(plain["correction"]) == {"none"} and plain["p_adjusted"].equals(plain["p"])
    assert set(found["correction"].xs("recommended", level="reading")) == {"holm"}
    of = found["test"].to_dict()
    assert of["education", "published"] == "linear_regression"
    assert of["education", "recommended"] == "jonckheere"
    assert of["gender", "published"] == "anova_one_way"
    assert of["gender", "recommended"] == "kruskal"
    groups = [[0.1, 0.5, 0.3], [0.4, 0.6], [0.9, 0.7, 0.8]]
    slope = judge_tests.fit_group_slope(groups, 0.9)
    places = sm.add_constant(np.repeat([0, 1, 2], [3, 2, 3]))
    line = sm.OLS(np.concatenate(groups), places).fit()
    expected = [line.params[1], line.tvalues[1], line.pvalues[1], *line.conf_int(0.1)[1]]
    assert [slope.effect, slope.statistic, slope.p, slope.ci_low, slope.ci_high] == pytest.approx(
        expected
    )
    # Three judges have a slope, if they are unlike.
    few = [[0.1], [0.5], [0.4]], [[0.1], [0.5]], [[0.1, 0.5, 0.4]], [[0.5], [0.5], [0.5]]
    p = [judge_tests.fit_group_slope(groups, 0.9).p for groups in few]
    assert np.isfinite(p).tolist() == [True, False, False, False]
    # U of two groups is that of the first: pairs in which it is higher, of equal ones one half.
    two = [np.array([0.4, 0.6]), np.array([0.1, 0.5, 0.3, 0.4])]
    test, outcome = judge_tests.run_group_test("recommended", two, False, 0.95)
    assert (test, outcome.statistic) == ("mann_whitney", 6.5)
    # d' says nothing of judges who saw people or machines alone.
    n = found["n_judges"].unstack()
    assert (n["recommended"] < n["published"]).all()
    judges = marked.loc[marked["kept_published"], "judge"].astype(str).unique()
    own = members[(members["reading"] == "published") & members["judge"].isin(judges)]
    assert n["published"].to_dict() == own["group_by"].value_counts()[n.index].to_dict()
    with pytest.raises(ValueError, match="hair"):
        Study(**STUDY.model_dump() | {"ordered": ["hair"]})


def test_groups_without_judges_keep_their_place_in_an_order_alone():
    values = {"a": np.array([0.4, 0.6]), "b": np.array([]), "c": np.array([0.1, 0.5, 0.3])}
    found = judge_tests.compare_scores(values, False, "recommended", 0.95)
    assert (found["groups"], found["test"], found["n_judges"]) == ("a vs c", "mann_whitney", 5)
    found = judge_tests.compare_scores(values, True, "published", 0.95)
    assert (found["groups"], found["effect"]) == ("a < b < c", pytest.approx(-0.1))


def test_judges_are_counted_and_their_d_prime_averaged_by_group():
    right = {"w1": [1, 1, 0, 1], "w2": [1, 0, 1, 1], "w3": [0, 1, 1, 0], "w4": [1, 1, 1, 1]}
    trials = pd.DataFrame([(judge, k) for judge, own in right.items() for k in own])
    trials = trials.set_axis(["judge", "right"], axis=1).assign(
        **{"truth": ["human", "human", "machine", "machine"] * 4, "age": ["20", None] * 8},
        **{"group:sex": np.repeat(["f", "f", "m", None], 4), "words": ["3", "x"] * 8},
    )
    study = SimpleNamespace(demographics={"sex": {"f": [], "m": [], "d": []}, "job": {}})
    ways = {"sex": (trials["group:sex"], ["f", "m", "d"])}
    rows = [*breakdowns.measure_judges(trials, ways, "recommended", study, 0.95)]
    found = {(quantity, level): (row["value"], row["n"]) for quantity, _, level, _, row in rows}
    scores = breakdowns.compute_judge_d_primes(trials)["d_prime"]
    assert found == {
        ("judges", "f"): (2 / 3, 3),
        ("judges", "m"): (1 / 3, 3),
        ("judges", "d"): (0, 3),
        ("d_prime", "f"): (pytest.approx(scores[["w1", "w2"]].mean()), 2),
        ("d_prime", "m"): (scores["w3"], 1),
    }
    mean, spread = breakdowns.measure_numbers(trials, {"age": "number", "words": "text"}, 0.95)
    assert mean[:4] == ("mean", "age", "all", "all") and spread[0] == "sd"
    assert (mean[-1]["value"], spread[-1]["value"], spread[-1]["n"]) == (20, 0, 8)


def test_an_unknown_generator_is_named(tmp_path):
    with pytest.raises(ConfigError, match="unknown generator 'jones2042'"):
        demo.write_study("jones2042", [], tmp_path, 1)
