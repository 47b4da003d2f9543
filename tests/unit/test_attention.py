"""Attention prediction: what the study does with the judgments."""

import pandas as pd
import pytest
from project import NOBODY, read_study

from turingstats.analysis.comparisons.samples import Source
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.core.yaml_models import READINGS
from turingstats.data import cleaning, counts, schema
from turingstats.data import sample_sizes as sizes

STUDY = read_study("zhang2025")


def judgments_of(judge, right, cohort="gpt4o_agent", verdict="machine", variant="free viewing"):
    """One judgment on people and one on GBVS for each control answer."""
    rows = [
        {
            "study": "zhang2025",
            "task": "attention",
            "cohort": cohort,
            "judge_kind": "human",
            "judge": f"attention.{cohort}.{judge}",
            "phase": "test",
            "variant": variant,
            "agent": agent,
            "truth": "human" if agent == "human" else "machine",
            "verdict": verdict,
            "control_ok": ok,
        }
        for ok in right
        for agent in ("human", "gbvs")
    ]
    return pd.DataFrame(rows, columns=list(schema.JUDGMENTS))


def checked(*parts):
    joined = pd.concat([p.astype(object) for p in parts], ignore_index=True)
    return schema.check_judgments(joined, "test")


def test_judges_who_fail_the_control_are_left_out_in_both_readings():
    just = [True] * 7 + [False] * 5
    below = [True] * 6 + [False] * 6
    table = checked(judgments_of("w001", just), judgments_of("w002", below))
    marked = cleaning.mark_exclusions(table, STUDY, settings.Cleaning())
    for reading in READINGS:
        assert marked.groupby("judge", observed=True)[f"kept_{reading}"].sum().tolist() == [24, 0]
        reason = marked[f"excluded_{reading}"].iloc[-1]
        assert reason == "judge with less than 7/12 of the control answers right"


def test_judges_without_control_answers_stay():
    marked = cleaning.mark_exclusions(
        checked(judgments_of("w001", [None] * 12, cohort="amt")), STUDY, settings.Cleaning()
    )
    assert marked["kept_published"].all() and marked["kept_recommended"].all()


def test_published_matrix_is_the_mean_of_the_variants():
    people = {"free viewing": (81, 19, 5, 95), "visual search": (154, 46, 14, 186)}
    parts = []
    for variant, (hh, mh, hm, mm) in people.items():
        cells = [("human", "human", hh), ("human", "machine", mh)]
        cells += [("gbvs", "human", hm), ("gbvs", "machine", mm)]
        for agent, verdict, n in cells:
            part = judgments_of("w001", [None] * n, "svm", verdict, variant)
            parts.append(part[part["agent"] == agent].assign(judge_kind="svm"))
    counted = counts.count_verdicts(
        cleaning.mark_exclusions(checked(*parts), STUDY, settings.Cleaning()), STUDY
    )
    options = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}
    table = estimate_rates(counted, NOBODY, STUDY, options)
    value = table.set_index(["estimate_id", "reading"])["value"]
    assert value["attention.svm.all.human.p_HH", "published"] == pytest.approx(0.79)
    assert value["attention.svm.all.human.p_MH", "published"] == pytest.approx(0.21)
    assert value["attention.svm.all.gbvs.p_MM", "published"] == pytest.approx(0.94)
    assert value["attention.svm.all.gbvs.detectability", "published"] == pytest.approx(0.865)
    assert value["attention.svm.all.human.p_HH", "recommended"] == pytest.approx(235 / 300)
    assert value["attention.svm.free viewing.human.p_HH", "published"] == pytest.approx(0.81)


def test_cohorts_are_compared_at_one_level():
    parts = []
    for n in range(1, 8):
        parts.append(judgments_of(f"w{n:03d}", [None] * 6, "amt", "machine"))
        parts.append(judgments_of(f"w{n:03d}", [True] * 6, "feedback", "machine"))
        parts.append(judgments_of(f"w1{n:02d}", [None] * 6, "amt", "human", "visual search"))
    counted = counts.count_verdicts(
        cleaning.mark_exclusions(checked(*parts), STUDY, settings.Cleaning()), STUDY
    )
    (asked,) = (c for c in STUDY.comparisons if c.id == "attention.feedback.detectability")
    in_reading = counted[counted["reading"] == "published"]
    samples = Source(in_reading, NOBODY, STUDY).select_samples(asked)
    assert {name: len(sample.judges) for name, sample in samples.items()} == {
        "amt": 7,
        "feedback": 7,
    }


def labelled_trials(answers):
    """Judgments of experts from (picture, right) pairs of each judge."""
    rows = [
        {
            "study": "zhang2025",
            "task": "attention",
            "cohort": "expert",
            "judge_kind": "human",
            "judge": f"attention.expert.w{judge:03d}",
            "trial": position,
            "position": position,
            "phase": "test",
            "stimulus": f"naturalsaliency subj{judge} img{picture} nfix9",
            "agent": "human",
            "truth": "human",
            "verdict": "human",
            "control_ok": right,
        }
        for judge, own in enumerate(answers, start=1)
        for position, (picture, right) in enumerate(own, start=1)
    ]
    table = pd.DataFrame(rows, columns=list(schema.JUDGMENTS)).astype(object)
    return schema.check_judgments(table, "test", ("variant",))


def test_nobody_is_left_out_by_a_control_answer_that_is_a_label():
    table = labelled_trials([[(1, True), (2, False)], [(1, True), (2, False)], [(2, False)]])
    marked = cleaning.mark_exclusions(table, STUDY, settings.Cleaning())
    assert marked["kept_published"].all() and marked["kept_recommended"].all()
    # In a cohort whose answers are the judges' own, the third has too few right ones.
    other = table.assign(cohort="ablated").astype({"cohort": "category"})
    marked = cleaning.mark_exclusions(other, STUDY, settings.Cleaning())
    assert set(marked.loc[~marked["kept_published"], "judge"]) == {
        f"attention.expert.w{n:03d}" for n in (1, 2, 3)
    }


def test_pictures_whose_control_answer_never_varies_are_counted():
    table = labelled_trials(
        [[(1, True), (2, False), (3, True)], [(1, True), (2, False), (3, False)], [(4, True)]]
    )
    assert sizes.compare_control_answers(table, STUDY.tasks["attention"]) == {
        "n_control_repeated": 3,
        "n_control_same": 2,
        "n_control_wrong": 1,
        "control_same_by_chance": pytest.approx(3 * 0.5),
    }
