"""Counts that a paper prints: what they can be, their contrasts, and errors in the table."""

import math

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_study

from turingstats.analysis import published_counts
from turingstats.config.study import ShownTable
from turingstats.core.errors import ConfigError, InputError
from turingstats.tables import writer

COUNTS = ROOT / "data/published/jones2024/counts.csv"


@pytest.fixture(scope="module")
def study():
    return read_study("jones2024")


@pytest.fixture(scope="module")
def table(study):
    counted = published_counts.read_counts(COUNTS, study.agents)
    return published_counts.estimate_printed_rates(counted, study, 0.95)


@pytest.mark.parametrize(
    ("rate", "n", "expected"),
    [
        ("0.497", 855, (425, 425, 425, True)),
        ("0.50", 855, (427, 424, 431, True)),
        ("0.00", 7, (0, 0, 0, True)),
        ("1.00", 7, (7, 7, 7, True)),
        ("0.17", 5, (1, 1, 1, False)),
    ],
)
def test_counts_that_a_printed_rate_can_stand_for(rate, n, expected):
    assert published_counts.infer_count(rate, n) == expected


def test_printed_tests_of_the_paper(study, table):
    found = published_counts.compute_contrasts(table, study, 0.95)
    found = found.set_index("contrast_id")
    assert round(found.loc["published_counts.human_dragon", "z"], 2) == 6.63
    # The paper prints z = -0.71 and z = -0.452; its p values belong to these.
    dragon, sierra = (found.loc[f"published_counts.{n}_half"] for n in ("dragon", "sierra"))
    assert (round(dragon["z"], 3), round(dragon["p"], 3)) == (-0.171, 0.864)
    assert (round(sierra["z"], 2), round(sierra["log_odds"], 3)) == (-2.09, -0.452)
    assert (found["z_low"] <= found["z_high"]).sum() == found["z"].notna().sum()
    family = found[found.index.str.startswith("published_counts.half.")]
    assert len(family) == 13
    chosen = published_counts.compute_contrasts(table, study, 0.95, correction="bonferroni")
    chosen = chosen.set_index("contrast_id")
    adjusted = chosen.loc[family.index, "p_adjusted"]
    assert adjusted.tolist() == (family["p"] * 13).clip(upper=1).tolist()
    assert (family["p_adjusted"] >= family["p"]).all()
    assert all(map(math.isnan, published_counts.contrast_log_odds(0, 7)))


def test_counts_of_judgments_are_those_of_the_reading(study):
    rows = [
        ("published", "all", "all", "human", "p_HH", 10, 6),
        ("published", "all", "all", "gpt4_dragon", "p_HM", 8, 4),
        ("published", "all", "all", "gpt4_dragon", "p_MM", 8, 4),
        ("published", "first_game", "yes", "gpt4_dragon", "p_HM", 3, 1),
        ("published", "first_game", "no", "gpt4_dragon", "p_HM", 5, 3),
        ("published", "all", "all", "all", "p_HM", 8, 4),
        ("published", "all", "all", "eliza", "p_HM", 0, 0),
        ("published", "all", "all", "gpt4_dragon", "p_HH", 8, 4),
        ("published", "last_game", "yes", "gpt4_dragon", "p_HM", 4, 2),
        ("recommended", "all", "all", "human", "p_HH", 9, 5),
    ]
    columns = "reading group_by group agent quantity n k".split()
    estimates = pd.DataFrame(rows, columns=columns).assign(task="online")
    own = published_counts.count_observed_verdicts(estimates, study.subsets, "published")
    counted = [["all", "human", 10, 6], ["all", "gpt4_dragon", 8, 4]]
    rows = own[["subset", "agent", "n", "k"]].values.tolist()
    assert rows == [*counted, ["first", "gpt4_dragon", 3, 1]]


@pytest.mark.parametrize("second", [None, pd.Series({"k": 40, "n": 90, "k_low": 39, "k_high": 41})])
def test_the_range_is_over_all_compatible_counts(second):
    firsts = pd.DataFrame(
        {"k": [50, 30], "n": 100, "k_low": [49, 29], "k_high": [51, 31]}, index=["a", "b"]
    )
    found = published_counts.compare_counts(firsts, second, 0.5, 0.9)
    ends = [
        published_counts.contrast_log_odds(firsts[k], 100, *other)
        for k in ("k_low", "k_high")
        for other in (((),) if second is None else ((39, 90), (41, 90)))
    ]
    z, p = (np.array([getattr(end, name) for end in ends]) for name in "zp")
    np.testing.assert_array_equal(found[["z_low", "z_high"]].T, [z.min(axis=0), z.max(axis=0)])
    # 49 to 51 of 100 are on either side of one half.
    highest = [1.0 if second is None else p[:, 0].max(), p[:, 1].max()]
    np.testing.assert_array_equal(found[["p_low", "p_high"]].T, [p.min(axis=0), highest])
    limits = [np.exp(found["log_odds"] + sign * 1.6448536 * found["se"]) for sign in (-1, 0, 1)]
    np.testing.assert_allclose(found[["ci_low", "odds_ratio", "ci_high"]].T, limits)


@pytest.mark.parametrize(
    ("column", "value"), [("agent", "gpt5"), ("n", "0"), ("rate", "22 %"), ("finer_rate", "2")]
)
def test_a_wrong_cell_is_named(tmp_path, study, column, value):
    table = pd.read_csv(COUNTS, dtype=str, keep_default_na=False)
    table.loc[2, column] = value
    path = tmp_path / "counts.csv"
    table.to_csv(path, index=False)
    with pytest.raises(InputError, match="row:     4") as error:
        published_counts.read_counts(path, study.agents)
    assert column in str(error.value) and value in str(error.value)


def test_equivalence_follows_from_printed_counts(study, table):
    """One agent is as good as chance: 425 of 855 lie within the margin, and people do better."""
    options = {"margin": 0.1, "power": 0.8, "confidence": 0.95}
    judged = published_counts.judge_equivalence(table[table["subset"] == "all"], study, options)
    assert set(judged["data"]) == {"published counts"} and set(judged["unit"]) == {"trials"}
    dragon = judged[judged["agent"] == "gpt4_dragon"].set_index("against")
    assert dragon.loc["chance", "conclusion"] == "equivalent"
    assert dragon.loc["people", "conclusion"] == "distinguishable"
    assert dragon.loc["people", "direction"] == "judged machine more often than people"
    assert dragon.loc["chance", "value"] == dragon.loc["chance", "difference"] == 425 / 855 - 0.5
    # Panels of listed rows head their rows with the verdict.
    assert (judged["category"] == judged["conclusion"]).all()
    assert judged["equivalence_id"].is_unique


def test_success_rates_need_printed_counts(study):
    entry = ShownTable(title="Rates", shows="success_rates")
    study = study.model_copy(update={"study": "mine", "tables": {"table1": entry}})
    with pytest.raises(ConfigError, match=r"data/published/mine/counts\.csv"):
        writer.fill_table("table1", *[None] * 7, study, "published")


def test_every_printed_rate_is_possible_and_inside_its_interval(table):
    assert len(table) == 28
    assert table["location"].value_counts().to_dict() == {"Table 1": 27, "Table 1, Section 3.1": 1}
    assert set(table["possible"]) == {"yes"}
    assert ((table["ci_low"] <= table["value"]) & (table["value"] <= table["ci_high"])).all()
    assert set(table["data"]) == {"published counts"}
