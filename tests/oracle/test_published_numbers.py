"""Published numbers of the tasks, from the public files through the pipeline to its tables.

The trials are not part of the repository. Without them the tests are skipped.
"""

import pytest

from turingstats.core.yaml_models import READINGS

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def tests(results):
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
def test_published_statistic(tests, identity, reading, column, value, decimals):
    assert tests.loc[(identity, reading), column] == pytest.approx(value, abs=0.51 * 10**-decimals)


def test_chance_by_length_of_the_online_test(tests):
    right = [
        tests.loc[(f"conversation.online.p_MM.chance.all.{n}", "recommended")] for n in (1, 2, 4, 8)
    ]
    assert [row["statistic"] for row in right] == [32, 32, 36, 40]


# --- Object detection and Attention prediction ----------------------------------------------------


@pytest.fixture(scope="module")
def found(results):
    """Estimates, tests and sizes, by table and reading."""
    return {
        (name, reading): results[f"{name}s"].query("reading == @reading").set_index(f"{name}_id")
        for name in ("estimate", "test", "size")
        for reading in READINGS
    }


@pytest.mark.parametrize(
    ("group", "agent", "right", "of", "detectability"),
    [
        ("all", "human", 721, 1152, None),
        ("all", "all", 575, 1152, 0.565),
        ("all", "gbvs", 180, 384, 0.55),
        ("all", "ivsn", 165, 384, 0.53),
        ("all", "deepgaze3", 230, 384, 0.615),
        ("free viewing", "human", 342, 534, None),
        ("free viewing", "all", 275, 534, 0.575),
        ("free viewing", "gbvs", 80, 178, 0.545),
        ("free viewing", "ivsn", 76, 178, 0.535),
        ("free viewing", "deepgaze3", 119, 178, 0.655),
        ("visual search", "human", 379, 618, None),
        ("visual search", "all", 300, 618, 0.55),
        ("visual search", "gbvs", 100, 206, 0.55),
        ("visual search", "ivsn", 89, 206, 0.52),
        ("visual search", "deepgaze3", 111, 206, 0.575),
    ],
)
def test_attention_matrices(found, group, agent, right, of, detectability):
    """Fig 6E, S9A, S9C: counts of the file, printed detectabilities of the authors' code."""
    table = found["estimate", "published"]
    rate = "p_HH" if agent == "human" else "p_MM"
    row = table.loc[f"attention.amt.{group}.{agent}.{rate}"]
    assert (row["k"], row["n"]) == (right, of)
    if detectability is not None:
        value = table.loc[f"attention.amt.{group}.{agent}.detectability", "value"]
        assert value == pytest.approx(detectability, abs=1e-9)


@pytest.mark.parametrize(
    ("test", "reading", "statistic", "p"),
    [
        ("attention.amt.p_HH.chance", "published", -5.4722, 4.44e-8),
        ("attention.amt.p_HH.chance", "recommended", 6.9205, 4.5e-12),
        ("attention.amt.p_MM.chance.all", "published", -1.7292, 0.0838),
        ("attention.amt.p_MM.chance.all", "recommended", -0.0429, 0.9658),
        ("attention.amt.p_MM.agents", "published", 20.8945, 2.90e-5),
        ("attention.amt.p_MM.agents", "recommended", 20.8945, 2.90e-5),
        ("attention.variant.p_HH", "published", 4183, 0.2837),
        # The other U of the same test: 89 * 103 - 4183.
        ("attention.variant.p_HH", "recommended", 4984, 0.2837),
    ],
)
def test_attention_tests(found, test, reading, statistic, p):
    row = found["test", reading].loc[test]
    assert row["statistic"] == pytest.approx(statistic, abs=5e-5)
    assert row["p"] == pytest.approx(p, rel=5e-3)
    assert row["n1"] == (89 if "variant" in test else 192)


# --- the AI experts of Word association -----------------------------------------------------------


@pytest.fixture(scope="module")
def values(results):
    """Estimates by id and reading."""
    return results["estimates"].set_index(["estimate_id", "reading"])


@pytest.mark.parametrize(
    ("agent", "published", "n"),
    [
        ("all", 0.595, 222),
        ("word2vec", 0.60, 23),
        ("gpt2", 0.645, 38),
        ("gpt3_embedding", 0.52, 33),
        ("gpt3_prompt_curie", 0.555, 28),
        ("gpt3_prompt_davinci", 0.485, 28),
        ("catch", 0.66, 72),
    ],
)
def test_published_detectability(values, agent, published, n):
    row = values.loc[(f"word.expert.all.{agent}.detectability", "published")]
    assert row["value"] == pytest.approx(published)
    assert row["n"] == 169 + n


def test_recommended_reading_keeps_the_second_half_without_catch_trials(values):
    people = values.loc[("word.expert.all.human.p_HH", "recommended")]
    machine = values.loc[("word.expert.all.all.p_MM", "recommended")]
    assert (people["k"], people["n"]) == (54, 77)
    assert (machine["k"], machine["n"]) == (29, 71)
    assert ("word.expert.all.catch.p_MM", "recommended") not in values.index
