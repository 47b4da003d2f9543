"""Attention prediction: what the study does with the judgments."""

import pandas as pd
import pytest
from project import NOBODY, read_study

from turingstats.analysis.comparisons.samples import Source
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
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
