"""How far judges differ, against scipy and by hand."""

import numpy as np
import pandas as pd
import pytest
from project import read_study
from scipy import stats

from turingstats.analysis import judge_spread
from turingstats.figures import judge_spread as figure

STUDY = read_study("zhang2025")


def counts_of(cohort, judges, agent, right, n):
    rows = pd.DataFrame({"judge": [f"color.{cohort}.w{i:03}" for i in range(judges)]})
    human = right if agent == "human" else n - right
    return rows.assign(
        reading="published", study="zhang2025", task="color", cohort=cohort, judge_kind="human",
        group_by="all", group="all", agent=agent, n=n, n_human=human, n_machine=n - human,
    )  # fmt: skip


def spread_of(*parts):
    counts = pd.concat(parts, ignore_index=True)
    return judge_spread.tabulate_judge_shares(counts, STUDY, "published", 0.95, "generated data")


@pytest.mark.parametrize(("p", "n"), [(0.5, 10), (0.75, 12), (0.3, 40)])
def test_range_of_equal_judges_is_that_of_one_binomial(p, n):
    k = np.array([round(p * n)] * 6)
    low, high = judge_spread.compute_homogeneous_range(k, np.full(6, n), 0.95)
    assert low == stats.binom.ppf(0.025, n, k[0] / n) / n
    assert high == stats.binom.ppf(0.975, n, k[0] / n) / n


def test_an_end_of_the_range_is_cut_off_where_it_is_as_rare_as_the_tail():
    k, n = np.array([1, 1, 1, 0]), np.ones(4, int)
    assert judge_spread.compute_homogeneous_range(k, n, 0.5) == (1, 1)


def test_range_of_unequal_judges_holds_the_share_asked_for():
    n = np.array([4, 4, 7, 10, 25, 60])
    k = np.array([1, 3, 4, 8, 12, 40])
    low, high = judge_spread.compute_homogeneous_range(k, n, 0.9)
    p = k.sum() / n.sum()
    draws = np.random.default_rng(1).binomial(n, p, (200_000, len(n))) / n
    assert ((draws >= low) & (draws <= high)).mean() >= 0.9 - 0.002
    # No narrower range would do: what lies beyond either end is at most half of the rest.
    for beyond, within in ((draws < low, draws <= low), (draws > high, draws >= high)):
        assert beyond.mean() <= 0.05 + 0.002
        assert within.mean() >= 0.05 - 0.002


def test_shares_pool_the_agents_and_keep_people_apart():
    others = {"reading": "recommended", "group_by": "gender", "judge_kind": "llm"}
    wrong = counts_of("amt", 6, "human", 0, 4)
    table = spread_of(
        *(wrong.assign(**{column: value}) for column, value in others.items()),
        counts_of("amt", 6, "human", 3, 4),
        counts_of("amt", 1, "human", 0, 0).assign(judge="color.amt.unsure"),
        counts_of("amt", 6, "azure", 1, 2),
        counts_of("amt", 6, "mccq", 2, 8),
        counts_of("expert", 4, "human", 3, 4),
    )
    # Four experts are too few.
    assert set(table["cohort"]) == {"amt"} and set(table["unit"]) == {"judges"}
    by_truth = table.set_index("truth")
    assert set(by_truth.loc["human", "value"]) == {0.75}
    assert set(by_truth.loc["machine", "value"]) == {3 / 10}
    assert by_truth.loc["machine", ["k", "n"]].drop_duplicates().to_numpy().tolist() == [[3, 10]]


@pytest.mark.parametrize(("cohorts", "width"), [(1, 89), (2, 89), (3, 183)])
def test_few_groups_take_one_column_of_a_journal(cohorts, width):
    names = ("amt", "expert", "feedback")[:cohorts]
    sides = [(name, agent) for name in names for agent in ("human", "google")]
    data = spread_of(*(counts_of(name, 6, agent, 5, 10) for name, agent in sides))
    assert data["cohort"].nunique() == cohorts
    page = figure.draw(data)
    assert page.get_figwidth() * 25.4 == pytest.approx(width)
    tasks = [data, data.assign(task="word", task_label="Words")]
    assert figure.draw(pd.concat(tasks)).get_figwidth() * 25.4 == pytest.approx(183)
    # The chart is as wide as the page, less its margins and the scale.
    page.draw_without_rendering()
    assert page.axes[1].get_position().x1 * width == pytest.approx(
        width - 2 if cohorts < 3 else 13 + 0.6 * 168
    )
