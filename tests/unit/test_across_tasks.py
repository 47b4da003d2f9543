"""How well the same people judge in two tasks: pairs, correlations, figure and table."""

import numpy as np
import pandas as pd
import pytest
from project import read_study
from scipy import stats
from scipy.special import expit

from turingstats.analysis import across_tasks
from turingstats.config import raw_files
from turingstats.figures.standalone import across_tasks as figure_across_tasks
from turingstats.stats import shared_abilities

STUDY = read_study("zhang2025")
OPTIONS = {"seed": 1, "n_bootstrap": 500, "confidence": 0.95}


def counts_of(task, cohort, people, right, n=20, **more):
    """Rows of the counts: each person's verdicts, half of them on people's responses."""
    rows = []
    for side, agent in enumerate(("human", "gbvs")):
        k = (np.asarray(right) + side) // 2
        human = k if agent == "human" else n // 2 - k
        rows.append(
            pd.DataFrame(
                {
                    "reading": "recommended", "study": "zhang2025", "task": task, "cohort": cohort,
                    "judge_kind": "human", "judge": [f"{task}.{cohort}.{name}" for name in people],
                    "person": people, "group_by": "all", "group": "all", "agent": agent,
                    "n": n // 2, "n_human": human, "n_machine": n // 2 - human,
                }
                | more
            )
        )  # fmt: skip
    return pd.concat(rows, ignore_index=True)


def people(*numbers):
    return [f"m.p{number:03d}" for number in numbers]


@pytest.fixture
def shared():
    """Twelve people in color and object, eleven in color and another cohort of object, one alone."""
    rng = np.random.default_rng(4)
    able = rng.normal(0.4, 0.8, 30)

    def right(who):
        return rng.binomial(20, expit(able[list(who)]))

    return pd.concat(
        [
            counts_of("color", "feedback", people(*range(15)), right(range(15))),
            counts_of("object", "feedback", people(*range(3, 20)), right(range(3, 20))),
            counts_of("object", "amt", people(*range(11)), right(range(11))),
            counts_of("word", "feedback", people(*range(9)), right(range(9))),
            counts_of("word", "inlab", people(*range(15)), right(range(15)), person=""),
            counts_of("word", "combined", people(*range(15)), right(range(15))),
            counts_of("attention", "svm", people(*range(15)), right(range(15)), judge_kind="svm"),
        ],
        ignore_index=True,
    )


def test_pairs_are_those_that_share_ten_people(shared):
    pairs = across_tasks.correlate_tasks(shared, STUDY, [], OPTIONS)
    # Word association shares nine with either; machines, pools and unknown people do not count.
    assert pairs["pair_id"].tolist() == ["color.object"]
    row = pairs.iloc[0]
    # The cohort that shares most people.
    assert row[["cohort_a", "cohort_b", "n_people"]].tolist() == ["feedback", "feedback", 12]
    assert row["n_trials"] == 12 * 40
    assert across_tasks.correlate_tasks(shared, STUDY, [("object", "color")], OPTIONS).empty


def test_correlation_is_that_of_shares_with_an_interval_over_people(shared):
    row = across_tasks.correlate_tasks(shared, STUDY, [], OPTIONS).iloc[0]
    found = across_tasks.score_people(shared, STUDY)
    one, other = (found[task, "feedback"] for task in ("color", "object"))
    both = one.index.intersection(other.index)
    shares = (one["k"] / one["n"])[both], (other["k"] / other["n"])[both]
    assert row["correlation"] == pytest.approx(stats.pearsonr(*shares).statistic)
    again = across_tasks.correlate_tasks(shared, STUDY, [], OPTIONS).iloc[0]
    assert (row["ci_low"], row["ci_high"]) == (again["ci_low"], again["ci_high"])
    assert row["ci_low"] < row["correlation"] < row["ci_high"]
    reference = stats.bootstrap(
        shares, lambda a, b: stats.pearsonr(a, b).statistic, paired=True, vectorized=False,
        n_resamples=2000, method="percentile", random_state=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert row["ci_low"] == pytest.approx(reference.low, abs=0.06)
    assert row["ci_high"] == pytest.approx(reference.high, abs=0.06)


def test_d_primes_are_correlated_and_p_values_corrected(shared):
    pairs = across_tasks.correlate_tasks(shared, STUDY, [], OPTIONS)
    row = pairs.iloc[0]
    people = across_tasks.score_people(shared, STUDY)
    one, other = (people[task, "feedback"] for task in ("color", "object"))
    hits = (one["k_machine"] + 0.5) / (one["n_machine"] + 1)
    false_alarms = (one["n_human"] - one["k_human"] + 0.5) / (one["n_human"] + 1)
    assert one["d_prime"].dropna().to_numpy() == pytest.approx(
        (stats.norm.ppf(hits) - stats.norm.ppf(false_alarms))[one["d_prime"].notna()]
    )
    both = pd.concat([one["d_prime"], other["d_prime"]], axis=1, join="inner").dropna().to_numpy()
    assert row["d_prime_correlation"] == pytest.approx(stats.pearsonr(*both.T).statistic)
    assert row["n_d_prime"] == len(both)
    assert (row["ability_p_adjusted"], row["family_size"]) == (row["ability_p"], 1)


def test_figure_and_table_show_each_person(shared):
    pairs = across_tasks.correlate_tasks(shared, STUDY, [], OPTIONS)
    points = across_tasks.list_points(shared, pairs, STUDY, 0.95, "observed data")
    assert list(points) == across_tasks.POINTS
    assert len(points) == 12
    one = points.iloc[0]
    low, high = (
        stats.binomtest(int(one["k_a"]), int(one["n_a"])).proportion_ci(0.95, "wilson")
    )  # fmt: skip
    assert (one["low_a"], one["high_a"]) == pytest.approx((low, high))
    figure = figure_across_tasks.draw(points)
    page, panel = figure.axes
    assert panel.get_xlabel() == "Color estimation"
    (dots,) = (line for line in panel.lines if line.get_marker() == "o")
    assert len(dots.get_xdata()) == 12
    text = " ".join(words.get_text() for words in page.texts)
    assert f"n = {len(points)}" in text and "r = " in text
    shown = across_tasks.tabulate_pairs(pairs, STUDY)
    assert shown["People in both"].tolist() == ["12"]
    assert shown["Tasks"].tolist() == ["Color estimation and Object detection"]


def test_nobody_in_two_tasks(shared):
    alone = shared[shared["task"] == "color"]
    pairs = across_tasks.correlate_tasks(alone, STUDY, [], OPTIONS)
    points = across_tasks.list_points(alone, pairs, STUDY, 0.95, "observed data")
    assert pairs.empty and points.empty and across_tasks.tabulate_pairs(pairs, STUDY).empty
    (page,) = figure_across_tasks.draw(points).axes
    assert "ten or more people" in " ".join(words.get_text() for words in page.texts)


def file_of(task, path="own.csv", **where):
    return raw_files.RawFile(path=path, format="verdict_table", task=task, where=where)


@pytest.mark.parametrize(
    ("files", "pairs"),
    [
        ([file_of("a"), file_of("b")], [("a", "b")]),
        ([file_of("a", history=["100"]), file_of("b", turns=["10"])], [("a", "b")]),
        ([file_of("a", part=["x"]), file_of("b", part=["y", "z"])], []),
        ([file_of("a"), file_of("b", "other.csv"), file_of("a")], []),
    ],
)
def test_tasks_may_count_the_same_rows_of_a_file(files, pairs):
    assert raw_files.find_overlapping_tasks(files) == pairs


# --- correlation of abilities --------------------------------------------------------------------


def simulated(seed, people=200, n=60, correlation=0.6, sd=(0.8, 0.6)):
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(2, people))
    other = correlation * one + np.sqrt(1 - correlation**2) * other
    able = np.column_stack([0.3 + sd[0] * one, 0.6 + sd[1] * other])
    size = np.full((people, 2), n)
    return rng.binomial(size, expit(able)), size


def test_abilities_correlate_more_than_shares_do():
    k, n = simulated(1, n=20)
    raw = np.corrcoef((k / n).T)[0, 1]
    found = shared_abilities.correlate_abilities(k, n)
    assert raw < 0.5 < found.correlation
    assert found.low < 0.6 < found.high
    np.testing.assert_allclose(found.sd, (0.8, 0.6), atol=0.2)


def test_limits_are_where_the_likelihood_ratio_rejects():
    k, n = simulated(4, people=60)
    found = shared_abilities.correlate_abilities(k, n, 0.9)
    for limit in (found.low, found.high):
        _, _, loglik = shared_abilities.maximize_likelihood(
            shared_abilities.find_patterns(k, n), np.array([0.3, 0.6, -0.3, -0.5]), limit
        )
        assert 2 * (found.loglik - loglik) == pytest.approx(stats.chi2.ppf(0.9, 1), abs=0.05)


def test_alike_people_have_no_correlation():
    n = np.full((40, 2), 20)
    k = np.tile([10, 11], (40, 1))
    found = shared_abilities.correlate_abilities(k, n)
    assert np.isnan([found.correlation, found.low, found.high, found.p]).all()
    assert found.note == "no differences of ability beyond chance in task 1 and task 2"


def test_perfect_correlation_is_a_limit():
    k, n = simulated(5, people=100, n=40, correlation=1.0)
    found = shared_abilities.correlate_abilities(k, n)
    assert found.high == 1
    assert found.correlation > 0.9 and found.low > 0.7
    assert found.p < 1e-6
