"""Published numbers of Object detection and Attention prediction, from the public files to the tests.

The trials are not part of the repository. Without them the tests are skipped.
"""

import pytest

from turingstats.core.yaml_models import READINGS


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


def test_attention_judges(found):
    value = found["size", "published"]["value"]
    expected = {
        "all": 192, "18-35": 56, "36-45": 76, "46 and over": 60, "female": 85, "male": 106,
        "bachelor": 102, "postgraduate": 16,
    }  # fmt: skip
    numbers = {group: value[f"attention.amt.{group}.n_judges"] for group in expected}
    assert numbers == expected


@pytest.mark.parametrize(
    ("agent", "right", "of"),
    [
        ("human", 88, 181),
        ("all", 139, 186),
        ("azure", 35, 49),
        ("detectron", 38, 59),
        ("google", 40, 44),
        ("rekognition", 26, 34),
    ],
)
def test_object_experts(found, agent, right, of):
    """No printed result exists for this file; the counts are those of its records."""
    rate = "p_HH" if agent == "human" else "p_MM"
    row = found["estimate", "published"].loc[f"object.expert.all.{agent}.{rate}"]
    assert (row["k"], row["n"]) == (right, of)
    value = found["size", "published"]["value"]
    assert value["object.expert.all.n_judges"] == 10
    assert round(value["object.expert.all.trials_per_judge"]) == 37  # Table S2
