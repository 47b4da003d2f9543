"""Attention prediction: what the study does with the judgments."""

import pandas as pd
import pytest
from project import NOBODY, read_study

from turingstats.analysis.comparisons.samples import Source
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.core.yaml_models import READINGS
from turingstats.data import cleaning, counts, schema

STUDY = read_study("zhang2025")


PLACE = {"study": "zhang2025", "task": "attention", "judge_kind": "human", "phase": "test"}


def judgments_of(judge, right, cohort="gpt4o_agent", verdict="machine", variant="free viewing"):
    """One judgment on people and one on GBVS for each control answer."""
    rows = [(agent, ok) for ok in right for agent in ("human", "gbvs")]
    table = pd.DataFrame(rows, columns=["agent", "control_ok"]).assign(
        **PLACE | {"cohort": cohort, "judge": f"attention.{cohort}.{judge}", "verdict": verdict},
        **{"variant": variant, "truth": ["human", "machine"] * len(right)},
    )
    return table.reindex(columns=list(schema.JUDGMENTS))


def mark(*parts):
    joined = pd.concat([p.astype(object) for p in parts], ignore_index=True)
    table = schema.check_judgments(joined, "test")
    return cleaning.mark_exclusions(table, STUDY, settings.Cleaning())


def test_judges_who_fail_the_control_are_left_out_in_both_readings():
    just = [True] * 7 + [False] * 5
    below = [True] * 6 + [False] * 6
    marked = mark(judgments_of("w001", just), judgments_of("w002", below))
    for reading in READINGS:
        assert marked.groupby("judge", observed=True)[f"kept_{reading}"].sum().tolist() == [24, 0]
        reason = marked[f"excluded_{reading}"].iloc[-1]
        assert reason == "judge with less than 7/12 of the control answers right"
    # Judges without control answers stay.
    marked = mark(judgments_of("w001", [None] * 12, cohort="amt"))
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
    counted = counts.count_verdicts(mark(*parts), STUDY)
    options = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}
    table = estimate_rates(counted, NOBODY, STUDY, options)
    value = table.set_index(["estimate_id", "reading"])["value"].rename(
        lambda name: name.removeprefix("attention.svm."), level=0
    )
    for name, expected in {
        "all.human.p_HH": 0.79, "all.human.p_MH": 0.21, "all.gbvs.p_MM": 0.94,
        "all.gbvs.detectability": 0.865, "free viewing.human.p_HH": 0.81,
    }.items():  # fmt: skip
        assert value[name, "published"] == pytest.approx(expected)
    assert value["all.human.p_HH", "recommended"] == pytest.approx(235 / 300)


def test_cohorts_are_compared_at_one_level():
    parts = []
    for n in range(1, 8):
        parts.append(judgments_of(f"w{n:03d}", [None] * 6, "amt", "machine"))
        parts.append(judgments_of(f"w{n:03d}", [True] * 6, "feedback", "machine"))
        parts.append(judgments_of(f"w1{n:02d}", [None] * 6, "amt", "human", "visual search"))
    counted = counts.count_verdicts(mark(*parts), STUDY)
    (asked,) = (c for c in STUDY.comparisons if c.id == "attention.feedback.detectability")
    in_reading = counted[counted["reading"] == "published"]
    samples = Source(in_reading, NOBODY, STUDY).select_samples(asked)
    judges = {name: len(sample.judges) for name, sample in samples.items()}
    assert judges == {"amt": 7, "feedback": 7}


def labelled_trials(answers):
    rows = [
        (judge, position, f"naturalsaliency subj{judge} img{picture} nfix9", right)
        for judge, own in enumerate(answers, start=1)
        for position, (picture, right) in enumerate(own, start=1)
    ]
    table = pd.DataFrame(rows, columns=["judge", "trial", "stimulus", "control_ok"])
    table["judge"] = table["judge"].map("attention.expert.w{:03d}".format)
    same = dict.fromkeys(("agent", "truth", "verdict"), "human") | {"cohort": "expert"}
    table = table.assign(**PLACE | same, position=table["trial"])
    table = table.reindex(columns=list(schema.JUDGMENTS)).astype(object)
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
