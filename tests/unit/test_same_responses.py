"""Verdicts of several judges on the same responses: agreement, responses, machine judges, sample."""

import numpy as np
import pandas as pd
import pytest
from project import describe_texts

from turingstats.analysis import agreement, machine_judges, responses, sample
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.data import counts
from turingstats.tables import judges as judge_tables

CONFIG = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}
PANEL = {"kind": "stimuli", "title": "People", "task": "texts", "cohort": "people"}
FIGURE = {"title": "Responses", "panels": {"A": PANEL | {"agents": ["bot", "gpt"]}}}
GENDERS = {"gender": {"female": ["female"], "male": ["male"]}}
DESCRIBED = describe_texts(["bot", "gpt"], demographics=GENDERS, figures={"stimuli": FIGURE})
STUDY = yaml_models.build_model(Study, DESCRIBED, "study")


def mark(rows, cohort="people"):
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "agent", "verdict"])
    place = {"study": "own", "task": "texts", "cohort": cohort, "side": None}
    place["judge_kind"] = "human" if cohort == "people" else "llm"
    truth = np.where(table["agent"] == "human", "human", "machine")
    table = table.assign(**place, kept_recommended=True, truth=truth)
    return table.astype({"judge": "category", "task": "category", "cohort": "category"})


def select(rows, cohort="people", people=None):
    return responses.select_first_verdicts(mark(rows, cohort), STUDY, people)


SHOWN = [("s1", "human"), ("s1", "bot"), ("s2", "bot")]
TWICE = [
    *(("a", *shown, said) for shown, said in zip(SHOWN, "hmh", strict=True)),
    *(("b", *shown, said) for shown, said in zip(SHOWN, "mmu", strict=True)),
    *(("c", "s1", "bot", "m"), ("c", "s3", "human", "h")),
]
TWICE = [(*row[:3], {"h": "human", "m": "machine", "u": "unsure"}[row[3]]) for row in TWICE]


def test_only_the_first_verdict_of_a_person_counts():
    again = [*TWICE, ("a", "s1", "bot", "human"), ("a2", "s2", "bot", "machine")]
    assert len(select(again)) == len(TWICE) + 1
    same = select(again, people={"a": "p1", "a2": "p1"})
    assert same.astype(object).equals(select(TWICE).astype(object))


def test_agreement_counts_pairs_of_judges():
    found = agreement.measure_agreement(select(TWICE), STUDY, CONFIG)
    table = found.set_index(["truth", "quantity"])
    # s1 human: 0 of 1 pair; s1 bot: 3 of 3; s2 bot: 0 of 1.
    assert table.loc[("all", "percent_agreement"), "value"] == pytest.approx(1 / 3)
    assert table.loc[("machine", "percent_agreement"), "value"] == pytest.approx(1 / 2)
    whole = table.loc[("all", "krippendorff_alpha")]
    assert (whole["n"], whole["n_stimuli"], whole["n_judges"], whole["n_verdicts"]) == (3, 2, 3, 7)
    assert whole["dropped"] == "1 responses with one judge"
    assert whole["ci_low"] <= whole["value"] <= whole["ci_high"]
    assert "human, machine, unsure" in whole["method"]
    again = agreement.measure_agreement(select(TWICE), STUDY, CONFIG)
    pd.testing.assert_frame_equal(found, again)


@pytest.mark.parametrize(
    ("judged", "note"),
    [
        (["as1", "bs2"], "not computed: no response was judged by two judges"),
        (["as1"], "not computed: no response was judged by two judges; the cohort has one judge"),
        (["as1", "bs1"], "not defined: all verdicts are the same"),
    ],
)
def test_undefined_agreement_says_why(judged, note):
    rows = [(one[0], one[1:], "bot", "human") for one in judged]
    found = agreement.measure_agreement(select(rows), STUDY, CONFIG)
    last = found.iloc[-1]
    assert last["quantity"] == "krippendorff_alpha"
    assert pd.isna(last["value"]) and last["note"] == note


def test_stimuli_without_names_are_reported_as_such():
    unnamed = [(judge, None, agent, "human") for judge in "ab" for agent in ("bot", "bot", "gpt")]
    verdicts = select(unnamed)
    assert len(verdicts) == 6
    (row,) = agreement.measure_agreement(verdicts, STUDY, CONFIG).to_dict("records")
    assert (row["note"], row["n"]) == ("not computed: the source does not name stimuli", 0)
    assert responses.tabulate_responses(verdicts, 0.95).empty
    models = select(unnamed, "models")
    (row,) = machine_judges.compare_machine_judges(models, STUDY, 0.95).to_dict("records")
    assert "does not name stimuli of two machine judges" in row["note"]
    judges = pd.DataFrame(columns=["judge", "task", "cohort", "gender", "age_band"])
    groups = counts.assign_groups(judges, STUDY.demographics)
    table = sample.describe_sample(mark(unnamed), judges, groups, STUDY)
    assert not table["variable"].isin(["stimuli", "responses", "judges per stimulus"]).any()
    (row,) = judge_tables.summarize_cohorts(table, STUDY).to_dict("records")
    assert (row["Stimuli"], row["Judges per stimulus"]) == ("not known", "not known")


def test_machine_judges_are_named_where_they_are_several():
    judges = pd.DataFrame(columns=["judge", "task", "cohort", "gender", "age_band"])
    groups = counts.assign_groups(judges, STUDY.demographics)
    rows = [(f"texts.models.{name}", "s1", "bot", "human") for name in ("one", "two")]
    for verdicts, names in ((rows, {"Machine judges": "one, two"}), (rows[:1], {})):
        table = sample.describe_sample(mark(verdicts, "models"), judges, groups, STUDY)
        (row,) = judge_tables.summarize_cohorts(table, STUDY).to_dict("records")
        assert {key: row[key] for key in row if key == "Machine judges"} == names


def test_responses_are_counted_with_unsure_apart():
    table = responses.tabulate_responses(select(TWICE), 0.95).set_index(["stimulus", "agent"])
    bot = table.loc[("s2", "bot")]
    assert (bot["n_judges"], bot["n"], bot["k"], bot["unsure"]) == (2, 1, 0, 1)
    assert bot["right"] == 0
    person = table.loc[("s1", "human")]
    assert (person["share"], person["right"]) == (0.5, 0.5)
    assert person["ci_low"] == pytest.approx(0.0945, abs=1e-4)
    undecided = select([("a", "s1", "bot", "unsure")])
    (row,) = responses.tabulate_responses(undecided, 0.95).to_dict("records")
    assert pd.isna([row["share"], row["right"]]).all()


def test_machine_judges_of_a_task_are_compared_on_common_responses():
    rows = [
        (judge, f"s{s}", "bot", "machine" if s < right else "human")
        for judge, right in (("m1", 9), ("m2", 3))
        for s in range(10)
    ]
    table = machine_judges.compare_machine_judges(select(rows, "models"), STUDY, 0.95)
    whole, pair = table.to_dict("records")
    # Two judges: Cochran's Q is McNemar's chi-square without correction.
    assert whole["statistic"] == pytest.approx((6 - 0) ** 2 / 6)
    assert (pair["judge"], pair["other"]) == ("models/m1", "models/m2")
    assert (pair["k1"], pair["k2"], pair["only_first"], pair["only_second"]) == (9, 3, 6, 0)
    assert pair["p"] == pytest.approx(2 * 0.5**6) and pair["difference"] == pytest.approx(0.6)
    assert pair["dropped"] == ""
    assert machine_judges.compare_machine_judges(select(rows), STUDY, 0.95).empty
    third = [("m3", *row[1:]) for row in rows[10:]]
    _, *pairs = machine_judges.compare_machine_judges(
        select([*rows, *third], "models"), STUDY, 0.95, "bonferroni"
    ).to_dict("records")
    assert [p["p_adjusted"] for p in pairs] == [min(3 * p["p"], 1) for p in pairs]
    assert {(p["correction"], p["family_size"]) for p in pairs} == {("bonferroni", 3)}
    many = [(f"m{number}", *row[1:]) for number in range(21) for row in rows[:10]]
    (note,) = machine_judges.compare_machine_judges(select(many, "models"), STUDY, 0.95)["note"]
    assert note == "not computed: 21 machine judges, at most 20 are compared"


def test_sample_counts_judges_answers_and_ages():
    judges = pd.DataFrame({"judge": list("abcd"), "task": "texts", "cohort": "people"})
    judges["gender"] = ["female", "male", None, "other"]
    judges["age_band"] = ["20", "40", "old", None]
    rows = [*TWICE, ("d", "s3", "human", "machine")]
    groups = counts.assign_groups(judges, STUDY.demographics)
    table = sample.describe_sample(mark(rows), judges, groups, STUDY)
    numbers = table.set_index(["variable", "level", "quantity"])["value"]
    assert numbers["judges", "", "number"] == 4 and numbers["responses", "", "number"] == 4
    assert numbers["verdicts per judge", "", "median"] == 2.5
    assert numbers["judges per response", "", "max"] == 3
    assert numbers["age", "", "mean"] == 30 and numbers["age", "", "sd"] == pytest.approx(14.142136)
    shares = {level: numbers["gender", level, "number"] for level in ("female", "male")}
    assert shares == {"female": 1, "male": 1}
    assert numbers["gender", "other answer", "number"] == 1
    assert numbers["gender", "not answered", "share"] == 0.25
    (row,) = judge_tables.summarize_cohorts(table, STUDY).to_dict("records")
    assert row["Age"] == "30.0 (sd 14.1; 20 to 40)"
    assert row["Gender of judges"] == "female 1; male 1; other answer 1; not answered 1"
    assert row["Verdicts per judge"] == "2.5 (1 to 3)"


def test_detectability_of_judges_has_a_mean_and_spreads():
    rows = [("a", "human", 3), ("a", "machine", 2), ("b", "human", 1), ("b", "machine", 2)]
    # A judge who saw no machine has no detectability.
    rows += [("c", "human", 2)]
    other = {"human": "machine", "machine": "human"}
    verdicts = [
        (judge, truth, truth if i < right else other[truth])
        for judge, truth, right in rows
        for i in range(4)
    ]
    columns = ["judge", "truth", "verdict"]
    trials = pd.DataFrame([*verdicts, ("a", "human", "unsure")], columns=columns)
    found = {row[2]: row[3] for row in sample.describe_detectability(trials)}
    values = np.array([(3 / 4 + 2 / 4) / 2, (1 / 4 + 2 / 4) / 2])
    assert found["mean"] == pytest.approx(values.mean())
    assert found["sd with divisor n"] == pytest.approx(values.std())
    assert found["sd"] == pytest.approx(values.std(ddof=1))
