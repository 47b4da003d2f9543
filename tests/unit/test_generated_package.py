"""The generated data package has the counts of the design, and the rates of its model."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_study
from scipy.integrate import quad
from scipy.stats import norm

from demo import write_study
from demo.zhang2025 import verdicts
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
    """The package of seed 1 as written."""
    made = tmp_path_factory.mktemp("package")
    paths = [PUBLISHED / f"{name}.csv" for name in ("design", "demographics")]
    write_study("zhang2025", paths, made, 1)
    return made


@pytest.fixture(scope="module")
def tables(folder):
    """Judgments, judges and responses as they are read."""
    judgments, judges, responses, *_ = package_reader.read_package(folder, STUDY)
    text = judgments.select_dtypes("category").columns
    return judgments.astype(dict.fromkeys(text, object)), judges, responses


def name_design_rows(judgments):
    """Cohort and agent of each judgment as the design names them; sides of conversations are left out."""
    own = judgments[(judgments["task"] != "conversation") & (judgments["phase"] != "train")]
    split = (own["task"] == "attention") & own["cohort"].isin(["amt", "svm"])
    cohort = own["cohort"].where(~split, own["cohort"] + " " + own["variant"].astype(str))
    shared = own["defect"] == "shared word"
    agent = own["agent"].where(own["phase"] != "swapped", "swapped")
    return own.assign(cohort=cohort.where(~shared, cohort + "_shared"), agent=agent)


def test_counts_are_those_of_the_design(tables, design):
    own = design[design["task"] != "conversation"]
    expected = {(d.task, d.cohort, d.agent): d.n_trials for d in own.itertuples()}
    rows = name_design_rows(tables[0])
    assert Counter(zip(rows["task"], rows["cohort"], rows["agent"], strict=True)) == expected


def test_rates_are_those_of_the_design(tables, design):
    """Within 4 standard errors: binomial, judges, and stimuli seen repeatedly."""
    rows = name_design_rows(tables[0])
    machine = (rows["verdict"] == "machine").groupby([rows["task"], rows["cohort"], rows["agent"]])
    found = machine.mean()
    judge_variance = verdicts.JUDGE_BIAS_SD**2 + verdicts.JUDGE_SENSITIVITY_SD**2 / 4
    for row in design[design["task"] != "conversation"].itertuples():
        p = row.judged_machine / row.n_trials
        repeats = 5 if row.cohort in verdicts.REPEATED else 1
        variance = p * (1 - p) * repeats / row.n_trials
        variance += (p * (1 - p)) ** 2 * (verdicts.STIMULUS_SD**2 / 60)
        variance += (p * (1 - p)) ** 2 * judge_variance / row.n_judges
        assert abs(found[row.task, row.cohort, row.agent] - p) < 4 * np.sqrt(variance), row


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


@pytest.mark.parametrize("rate", [0.05, 0.38, 0.5, 0.72, 0.97])
@pytest.mark.parametrize("sd", [0.0, 1.0, 2.0])
def test_intercept_gives_the_rate(rate, sd):
    """Checked against adaptive quadrature."""
    b = verdicts.solve_intercept(rate, sd)
    value, _ = quad(lambda z: norm.pdf(z) / (1 + np.exp(-(b + sd * z))), -9, 9)
    assert value == pytest.approx(rate, abs=1e-5)


def test_an_unknown_generator_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"unknown generator 'jones2042\.games'"):
        write_study("jones2042.games", [], tmp_path, 1)
