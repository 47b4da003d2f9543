"""The generated data package has the counts of the design, and the rates of its model."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_study

from demo import verdicts, write_study, zhang2025
from turingstats.core.errors import ConfigError
from turingstats.data import package_reader, sample_sizes

pytestmark = pytest.mark.thorough

PUBLISHED = ROOT / "data/published/zhang2025"
STUDY = read_study("zhang2025")


@pytest.fixture(scope="module")
def design():
    return pd.read_csv(PUBLISHED / "design.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("package")
    paths = [PUBLISHED / f"{name}.csv" for name in ("design", "demographics")]
    write_study("zhang2025", paths, made, 1)
    return made


@pytest.fixture(scope="module")
def tables(folder):
    judgments, judges, responses, *_ = package_reader.read_package(folder, STUDY)
    text = judgments.select_dtypes("category").columns
    return judgments.astype(dict.fromkeys(text, object)), judges, responses


def name_design_rows(judgments):
    """Cohort and agent of each judgment as the design names them; sides of conversations are left out."""
    own = judgments[(judgments["task"] != "conversation") & (judgments["phase"] != "train")]
    # The design has the trials of the first wave with a right answer alone.
    first = own["task"].isin(zhang2025.FIRST_WAVE) & (own["cohort"] == "amt")
    own = own[~first | own["control_ok"].fillna(True).astype(bool)]
    split = (own["task"] == "attention") & own["cohort"].isin(["amt", "svm"])
    cohort = own["cohort"].where(~split, own["cohort"] + " " + own["variant"].astype(str))
    shared = own["defect"] == "shared word"
    agent = own["agent"].where(own["phase"] != "swapped", "swapped")
    return own.assign(cohort=cohort.where(~shared, cohort + "_shared"), agent=agent)


def test_counts_and_rates_are_those_of_the_design(tables, design):
    own = design[design["task"] != "conversation"]
    expected = {(d.task, d.cohort, d.agent): d.n_trials for d in own.itertuples()}
    rows = name_design_rows(tables[0])
    assert Counter(zip(rows["task"], rows["cohort"], rows["agent"], strict=True)) == expected
    rows = name_design_rows(tables[0])
    machine = (rows["verdict"] == "machine").groupby([rows["task"], rows["cohort"], rows["agent"]])
    found = machine.sum()
    for row in design[design["task"] != "conversation"].itertuples():
        # The predictions of some classifiers are repeated five times.
        room = 2.5 if row.cohort in zhang2025.REPEATED else 0
        assert abs(found[row.task, row.cohort, row.agent] - row.judged_machine) <= room, row


def test_judges_and_responses_have_effects():
    """The same judge, and the same response, gets verdicts that are more alike than by chance."""
    rng = np.random.default_rng(1)
    judge, response = (place.ravel() for place in np.indices((200, 60)))
    trials = pd.DataFrame({"judge": judge, "response": response, "is_machine": True})
    machine = verdicts.draw_machine_verdicts(rng, trials.assign(kind="one", rate=0.4))
    assert machine.mean() == 0.4
    for column, size in (("judge", 60), ("response", 200)):
        shares = pd.Series(machine).groupby(trials[column]).mean()
        assert shares.var() > 3 * 0.24 / size
    unknown = trials.assign(kind="one", rate=0.4, judge=None, response=None)
    shares = pd.Series(verdicts.draw_machine_verdicts(rng, unknown)).groupby(judge).mean()
    assert shares.var() < 1.5 * 0.24 / 60


def test_judges_are_those_of_the_demographics(tables):
    demographics = pd.read_csv(PUBLISHED / "demographics.csv")
    asked = demographics[(demographics["task"] == "color") & (demographics["cohort"] == "amt")]
    own = tables[1][(tables[1]["task"] == "color") & (tables[1]["cohort"] == "amt")]
    for variable in ("gender", "education"):
        rows = asked[asked["variable"] == variable]
        assert Counter(own[variable]) == dict(zip(rows["value"], rows["n_judges"], strict=True))
    # Some people judged in several tasks, nobody twice in one cohort.
    known = tables[1].dropna(subset="person")
    assert (known.groupby("person")["task"].nunique() > 1).sum() > 100
    assert not known.duplicated(["task", "cohort", "person"]).any()


@pytest.mark.parametrize(
    ("task", "number", "people"),
    [
        ("caption", 9910, 229),
        ("word", 2050, 40),
        ("conversation", 3845, 217),
        ("color", 5495, 65),
        ("object", 5656, 45),
        ("attention", 8920, 40),
    ],
)
def test_responses_are_as_many_as_in_table_s1(tables, task, number, people):
    own = tables[2][tables[2]["task"] == task]
    lengths = STUDY.tasks[task].page_lengths
    assert sample_sizes.count_shown_stimuli(own, lengths) == number
    assert own.loc[own["agent"] == "human", "responder"].nunique() == people
    assert own.loc[own["agent"] != "human", "responder"].isna().all()


def test_an_unknown_generator_is_named(tmp_path):
    with pytest.raises(ConfigError, match="unknown generator 'jones2042'"):
        write_study("jones2042", [], tmp_path, 1)
