"""The AI experts of Word association, read from their public file, against the published numbers.

The trials are not part of the repository. Without them the tests are skipped.
"""

import pytest


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


def test_judges_of_the_file_are_those_of_the_paper(transcribed_tables):
    _, judges, _ = transcribed_tables
    assert ((judges["task"] == "word") & (judges["cohort"] == "expert")).sum() == 8
