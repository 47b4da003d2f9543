"""The AI experts of Word association, read from their public file, against the published numbers.

The trials are not part of the repository. Without them the tests are skipped.
"""

from pathlib import Path

import pytest
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import raw_files, settings
from turingstats.config.load import load_study
from turingstats.data import adapters, cleaning, counts

ROOT = Path(__file__).parents[2]
OPTIONS = {"seed": 1, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}


@pytest.fixture(scope="module")
def values(transcribed):
    """Estimates of the experts by id and reading."""
    study = load_study(ROOT / "config/studies/zhang2025.yaml")
    listed = raw_files.load_sources(ROOT / "data/sources/zhang2025.yaml").files
    files = [file for file in listed if (file.task, file.cohort) == ("word", "expert")]
    judgments, judges, _ = adapters.read_raw_files(files, transcribed, study)
    assert len(judges) == 8
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    groups = counts.assign_groups(judges, study.demographics)
    table = estimate_rates(counts.count_verdicts(marked, study), groups, study, OPTIONS)
    return table.set_index(["estimate_id", "reading"])


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
