"""Conclusions of equivalence, the margins at which they hold, and the sizes that they need."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats import norm

from turingstats.stats import crossed, equivalence


def test_tost_agrees_with_two_tests_of_statsmodels():
    from statsmodels.stats.weightstats import ztost

    values = np.random.default_rng(1).normal(0.02, 0.3, 200)
    se = values.std(ddof=1) / np.sqrt(200)
    expected = ztost(values, -0.1, 0.1)[0]
    assert equivalence.tost(values.mean(), se, 0.1) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("conclusion", "difference", "against", "direction"),
    [
        ("distinguishable", -0.2, "people", "judged machine more often than people"),
        ("distinguishable", 0.2, "people", "judged human more often than people (more human"),
        ("different, but within", -0.04, "chance", "judged machine more than half of the time"),
        ("undecided", -0.1, "people", ""),
    ],
)
def test_a_difference_has_a_direction(conclusion, difference, against, direction):
    conclusion += " the margin" * conclusion.endswith("within")
    stated = equivalence.state_direction(conclusion, difference, against)
    assert stated.startswith(direction) and bool(stated) == bool(direction)


def compute_tost_power(se, margin):
    return 2 * norm.cdf(margin / se - norm.isf(0.05)) - 1


def test_power_and_number_of_judges_agree_with_simulation():
    needed = equivalence.compute_equivalence_n(0.05, 50, 0.1)
    se = 0.05 * np.sqrt(50 / needed)
    found = np.random.default_rng(3).normal(0, se, 50_000)
    share = np.mean(equivalence.tost(found, se, 0.1) < 0.05)
    assert share == pytest.approx(0.8, abs=0.02)
    fewer = 0.05 * np.sqrt(50 / (needed - 1))
    assert compute_tost_power(fewer, 0.1) < 0.8


def estimates(se_machine, se_detectability, rate=0.55, n=400):
    rows = [
        ("human", "p_HH", 0.6, 240, 400, 0.02),
        ("azure", "p_HM", rate, rate * n, n, se_machine),
        ("azure", "detectability", (0.6 + 1 - rate) / 2, np.nan, n + 400, se_detectability),
    ]
    names = ["agent", "quantity", "value", "k", "n", "se"]
    return pd.DataFrame(rows, columns=names).assign(
        study="s", task="t", cohort="c", judge_kind="human", reading="recommended",
        group_by="all", n_judges=40, n_stimuli=30.0, error_over="judges", df=np.inf,
        se_judges=lambda table: table["se"], se_stimuli=np.nan,
    )  # fmt: skip


OPTIONS = {"margin": 0.1, "power": 0.8, "confidence": 0.95}


def test_the_smallest_margin_is_where_equivalence_begins_to_hold():
    table = equivalence.assess_agents(estimates(0.02, 0.01), OPTIONS)
    row = table.set_index("against").loc["people"]
    assert row["smallest_margin"] == pytest.approx(0.05 + stats.norm.isf(0.05) * 0.02)
    within = "different, but within the margin"
    for margin, conclusion in ((0.99, "distinguishable"), (1.01, within)):
        options = OPTIONS | {"margin": margin * row["smallest_margin"]}
        again = equivalence.assess_agents(estimates(0.02, 0.01), options).iloc[1]
        assert again["conclusion"] == conclusion


def test_headlines_are_chosen_from_the_comparisons():
    chosen = []

    def choose(judged):
        chosen.extend(judged["against"])
        return {(row.task, row.cohort) for row in judged.itertuples()}

    estimated = estimates(0.02, 0.01)
    estimated["agent"] = estimated["agent"].where(estimated["agent"] == "human", "all")
    table = equivalence.assess_agents(estimated, OPTIONS, choose)
    assert chosen == ["chance", "people"]
    assert table["family"].tolist() == ["headlines", "headlines"]
    assert "headlines" not in set(equivalence.assess_agents(estimated, OPTIONS)["family"])


def compare(*rows):
    """Comparisons with people, as (task, cohort, agent, difference), with an error of 0.02."""
    table = pd.DataFrame(rows, columns=["task", "cohort", "agent", "difference"])
    difference = table["difference"]
    return table.reindex(columns=equivalence.CONCLUSION_COLUMNS).assign(
        judge_kind="human", against="people", se=0.02, df=50.0, margin=0.1,
        ci_low=difference - 0.04, ci_high=difference + 0.04,
        p_difference=crossed.compute_two_sided_p(difference, 0.02, 50),
        p_equivalence=equivalence.tost(difference, 0.02, 0.1, 50),
    )  # fmt: skip


def test_agents_of_a_cohort_are_corrected_by_holm():
    from statsmodels.stats.multitest import multipletests

    gaps = [-0.045, -0.047, -0.01, 0.07]
    table = compare(*(("t", "c", f"a{i}", gap) for i, gap in enumerate(gaps)))
    found = equivalence.correct_conclusions(table, 0.05)
    for what in ("difference", "equivalence"):
        expected = multipletests(table[f"p_{what}"], method="holm")[1]
        assert found[f"p_{what}_adjusted"].tolist() == pytest.approx(expected.tolist())
    assert (table["p_difference"] < 0.05).tolist() == [True, True, False, True]
    same, within = "equivalent", "different, but within the margin"
    assert found["conclusion"].tolist() == [same, same, same, "distinguishable"]
    assert set(found["family_size"]) == {4}
    again = equivalence.correct_conclusions(found, 0.3)
    assert again["conclusion"].tolist() == [within, within, same, within]


def test_families_are_what_stands_beside_each_other():
    table = compare(
        *(("t", "c", "all", -0.05), ("t", "c", "a", -0.05), ("t", "c", "b", -0.05)),
        *(("t", "d", "all", -0.05), ("t", "e", "all", -0.05), ("u", "c", "all", -0.05)),
        # The only agent of a cohort is all agents.
        ("u", "c", "a", -0.05),
        # All tasks of a page name machines.
        *(("v", "c", "all", -0.05), ("v", "c", "a", -0.05), ("v", "c", "b", -0.05)),
        *(("v", "d", "a", -0.05), ("v", "d", "b", -0.05), ("v", "d", "c", -0.05)),
    )
    headlines = [("t", "c"), ("u", "c"), ("v", "c")]
    found = equivalence.correct_conclusions(table, 0.05, headlines)
    families = [list(of) for of in found.groupby("family", sort=False).groups.values()]
    assert families == [[0, 5, 6, 7], [1, 2, 8, 9], [3, 4], [10, 11, 12]]
    assert found["family_size"].tolist() == [3, 4, 4, 2, 2, 3, 3, 3, 4, 4, 3, 3, 3]


def test_smallest_margins_are_those_from_which_holm_finds_equivalence():
    gaps = (0.0, 0.001, 0.0, -0.09)
    table = compare(*(("t", "c", f"a{i}", gap) for i, gap in enumerate(gaps)))
    table.loc[1, "se"] = 0.03
    found = equivalence.correct_conclusions(table, 0.05)
    for i, margin in enumerate(found["smallest_margin"]):
        for factor, expected in ((0.999, False), (1.001, True)):
            p = equivalence.tost(table["difference"], table["se"], factor * margin, 50)
            again = equivalence.correct_conclusions(table.assign(p_equivalence=p), 0.05)
            assert (again["p_equivalence_adjusted"][i] < 0.05) == expected


def test_one_judge_is_no_sample_and_few_trials_prove_nothing():
    row = equivalence.assess_agents(estimates(np.nan, np.nan), OPTIONS).iloc[1]
    assert (row["against"], row["unit"]) == ("people", "trials")
    # One more success and one more failure in each sample: 221 and 241 of 402.
    expected = np.sqrt(221 * 181 / 402**3 + 241 * 161 / 402**3)
    assert row["se"] == pytest.approx(expected)
    assert row["difference"] == pytest.approx(-0.05)
    assert row["ci_low"] == pytest.approx(-20 / 402 - 1.959964 * expected)
    table = equivalence.assess_agents(estimates(np.nan, np.nan, rate=0.0, n=2), OPTIONS)
    chance = table.iloc[0]
    # Two successes and two failures more: 2 of 6.
    assert chance["se"] == pytest.approx(np.sqrt(2 / 6 * 4 / 6 / 6))
    assert chance["p_difference"] == pytest.approx(0.3865, abs=1e-4)
    assert (chance["conclusion"], chance["unit"]) == ("undecided", "trials")


def test_more_judges_do_not_help_if_stimuli_limit():
    """All of the error but 0.01 comes from 30 stimuli: with as many judges as one likes, 0.06 remains."""
    judges, stimuli, verdicts = 0.02, np.hypot(0.06, np.sqrt(0.02**2 - 0.01**2)), 0.02
    table = estimates(np.sqrt(judges**2 + stimuli**2 - verdicts**2), 0.03).assign(
        error_over="judges and stimuli", se_judges=judges, se_stimuli=stimuli
    )
    row = equivalence.assess_agents(table, OPTIONS | {"margin": 0.15}).iloc[0]
    assert row["against"] == "chance"
    assert row["judges_for_equivalence"] == np.inf
    needed = row["stimuli_for_equivalence"]
    floor = row["se"] ** 2 - stimuli**2
    errors = [np.sqrt(floor + stimuli**2 * 30 / n) for n in (needed - 1, needed)]
    assert compute_tost_power(errors[0], 0.15) < 0.8 <= compute_tost_power(errors[1], 0.15)
    # Of both together, as of all verdicts: the whole error decreases with the root of their number.
    se = row["se"] / np.sqrt(row["both_for_equivalence"])
    assert compute_tost_power(se, 0.15) == pytest.approx(0.8, abs=0.01)


def test_few_degrees_of_freedom_widen_intervals():
    table = estimates(0.03, 0.03)
    few, many = (
        equivalence.assess_agents(table.assign(df=df), OPTIONS).iloc[0] for df in (6, np.inf)
    )
    assert few["ci_high"] - few["difference"] == pytest.approx(stats.t.ppf(0.975, 6) * 0.03)
    assert few["p_difference"] == pytest.approx(2 * stats.t.sf(0.05 / 0.03, 6))
    assert few["p_equivalence"] > many["p_equivalence"]


def test_plus_four_interval_is_that_of_statsmodels():
    from statsmodels.stats.proportion import confint_proportions_2indep

    center, se = equivalence.add_four_trials([(7, 9), (2, 11)])
    expected = confint_proportions_2indep(7, 9, 2, 11, method="agresti-caffo", compare="diff")
    assert (center - 1.959964 * se, center + 1.959964 * se) == pytest.approx(expected, rel=1e-6)


def test_no_difference_is_larger_than_what_is_possible():
    """All people and no machines were judged human: the interval ends at -100 points, -50 from chance."""
    table = equivalence.assess_agents(estimates(0.02, 0.02, rate=0.0, n=20), OPTIONS)
    assert table["ci_low"].tolist() == [-0.5, pytest.approx(table["ci_low"][1])]
    assert table["ci_low"].between(-1, 1).all() and table["smallest_margin"].le([0.5, 1]).all()
    # The center from which margins follow is that of the interval before it was cut.
    assert table["ci_high"][0] > -0.5
    for sign in (-1, 1):
        ends = np.sort([sign * 0.5, sign * (0.44 - stats.norm.isf(0.025) * 0.032)])
        cut = dict(zip(["ci_low", "ci_high", "se", "df"], [*ends, 0.032, np.inf], strict=True))
        row = equivalence.correct_conclusions(table[:1].assign(against="chance", **cut), 0.05)
        assert row["smallest_margin"][0] == pytest.approx(0.44 + stats.norm.isf(0.05) * 0.032)
