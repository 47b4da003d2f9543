"""Published statistics of three tasks, from the public files through the pipeline to its tests.

The trials are not part of the repository. Without them the tests are skipped.
"""

import pytest


@pytest.fixture(scope="module")
def found(results):
    """Rows of tests.csv by id and reading."""
    return results["tests"].set_index(["test_id", "reading"])


@pytest.mark.parametrize(
    ("identity", "reading", "column", "value", "decimals"),
    [
        ("color.amt.p_HH.chance", "published", "statistic", -2.1697, 4),
        ("color.amt.p_MM.chance.all", "published", "statistic", -4.1275, 4),
        ("color.amt.p_HH.chance", "recommended", "statistic", 2.1520, 4),
        ("color.amt.p_MM.chance.all", "recommended", "statistic", 4.1650, 4),
        ("color.amt.p_MM.agents", "published", "statistic", 0.974, 3),
        ("color.amt.p_MM.agents", "recommended", "statistic", 1.275, 3),
        ("color.expertise.detectability.all", "published", "statistic", 282, 1),
        ("attention.amt.p_HH.chance", "published", "statistic", -5.4722, 4),
        ("attention.amt.p_MM.chance.all", "published", "statistic", -1.7292, 4),
        ("attention.amt.p_HH.chance", "recommended", "statistic", 6.9205, 4),
        ("attention.amt.p_MM.chance.all", "recommended", "statistic", -0.0429, 4),
        ("attention.amt.p_MM.agents", "published", "statistic", 20.8945, 4),
        ("attention.variant.p_HH", "published", "statistic", 4183, 1),
        ("attention.variant.p_HH", "published", "p", 0.284, 3),
        ("conversation.length.p_HH", "published", "effect", 0.0020, 4),
        ("conversation.length.p_HH", "published", "statistic", 1.120, 3),
        ("conversation.length.p_HH", "published", "p", 0.263, 3),
        ("conversation.length.p_MM.all", "published", "effect", -0.0003, 4),
        ("conversation.length.p_MM.all", "published", "statistic", 0.253, 3),
        ("conversation.length.p_MM.all", "published", "p", 0.800, 3),
        ("conversation.length.p_HH.H-H", "published", "statistic", -0.732, 3),
        ("conversation.length.p_HH.H-M", "published", "statistic", 0.363, 3),
        ("conversation.length48.p_HH", "published", "effect", -0.020, 3),
        ("conversation.length48.p_HH", "published", "p", 0.58, 2),
        ("conversation.length48.p_MM.all", "published", "effect", 0.058, 3),
        ("conversation.length48.p_MM.all", "published", "p", 0.68, 2),
        # Lines 240-241: p = 0.83, 0.06 and 0.34 by kind of conversation.
        ("conversation.length48.p_HH.H-H", "published", "p", 0.83, 2),
        ("conversation.length48.p_MM.M-M.all", "published", "p", 0.06, 2),
        ("conversation.length48.p_MM.H-M.all", "published", "p", 0.33, 2),
        # Lines through single verdicts, as the specification has them.
        ("conversation.length.p_HH", "recommended", "effect", -0.0003, 4),
        ("conversation.online.p_MM.length.all", "published", "effect", 0.1493, 4),
        ("conversation.online.p_MM.length.all", "published", "statistic", 2.149, 3),
        ("conversation.online.p_MM.length.all", "published", "p", 0.0317, 4),
    ],
)
def test_published_statistic(found, identity, reading, column, value, decimals):
    assert found.loc[(identity, reading), column] == pytest.approx(value, abs=0.51 * 10**-decimals)


def test_sizes_of_groups(found):
    assert found.loc[("color.expertise.detectability.all", "published"), "n_per_group"] == "65; 12"
    assert found.loc[("attention.variant.p_HH", "published"), "n_per_group"] == "89; 103"
    assert found.loc[("conversation.length.p_HH", "published"), "n1"] == 45
    online = found.loc[("conversation.online.p_MM.length.all", "published")]
    assert (online["n1"], online["n_per_group"]) == (188, "47; 47; 47; 47")


def test_chance_by_length_of_the_online_test(found):
    right = [
        found.loc[(f"conversation.online.p_MM.chance.all.{n}", "recommended")] for n in (1, 2, 4, 8)
    ]
    assert [row["statistic"] for row in right] == [32, 32, 36, 40]


def test_kappa_says_what_it_lacks(found):
    row = found.loc[("color.responses.agreement", "published")]
    assert row["dropped"].startswith("not computed")
