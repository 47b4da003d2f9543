"""Confidence and right verdicts: the area under the ROC curve, and its interval over judges."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from turingstats.analysis import breakdowns
from turingstats.stats import crossed, roc

RNG = np.random.default_rng(7)
RIGHT = RNG.random(120) < 0.6
SURE = np.round(RNG.normal(50, 15, 120) + 10 * RIGHT, -1)
JUDGES = np.repeat(np.arange(12), 10)


def test_area_is_the_share_of_pairs():
    pairs = SURE[RIGHT][:, None] - SURE[~RIGHT][None, :]
    share = np.mean((pairs > 0) + (pairs == 0) / 2)
    found = roc.compute_roc_area(RIGHT, SURE, JUDGES, 0.95)
    assert found["value"] == pytest.approx(share)
    assert (found["k"], found["n"], found["n_judges"]) == (RIGHT.sum(), 120, 12)
    # Every judge has verdicts of both kinds: what a judge adds is the sum of both.
    for number in (12, 2):
        judges = JUDGES % number
        found = roc.compute_roc_area(RIGHT, SURE, judges, 0.95)
        added = np.bincount(judges, roc.linearize_area(RIGHT, SURE)[1])
        assert found["se"] == pytest.approx(np.sqrt(number / (number - 1) * added @ added))


@pytest.mark.parametrize(
    ("right", "judges"), [([1, 1, 1], [1, 2, 3]), ([0, 0], [1, 2]), ([1, 1, 0], [1, 1, 1])]
)
def test_what_cannot_be_told_is_empty(right, judges):
    found = roc.compute_roc_area(right, np.arange(len(right)), judges, 0.95)
    assert np.isnan(found["ci_low"])
    assert np.isnan(found["value"]) == (len(set(right)) == 1)


@pytest.mark.parametrize(
    ("reading", "method"), [("published", "CLUSTERED"), ("recommended", "CROSSED")]
)
def test_accuracy_and_confidence_are_of_each_level_and_each_truth(reading, method):
    draws = np.random.default_rng(4)
    trials = pd.DataFrame(
        {
            "task": "texts",
            "judge": draws.choice([f"w{k}" for k in range(10)], 400),
            "stimulus": draws.choice([f"s{k}" for k in range(12)], 400),
            "truth": draws.choice(["human", "machine"], 400),
            "right": draws.integers(0, 2, 400).astype(float),
            "confidence": np.where(draws.random(400) < 0.1, np.nan, draws.integers(0, 5, 400)),
        }
    )
    levels = pd.Series(draws.choice(["low", "high", None], 400))
    ways = {"band": (levels, ["low", "high"]), "confidence": (levels, [])}
    study = SimpleNamespace(tasks={"texts": SimpleNamespace(samples=("stimuli",))})
    rows = list(breakdowns.measure_levels(trials, ways, reading, study, 0.95))
    assert [row[:4] for row in rows[:2]] == [
        ("accuracy", "band", "low", "all"), ("accuracy", "band", "low", "human")
    ]  # fmt: skip
    assert len(rows) == 2 * 3 + 3
    for quantity, _, level, truth, row in rows:
        kept = (trials["truth"] == truth) | (truth == "all")
        if quantity == "accuracy":
            part = trials[kept & (levels == level)]
            stimuli = part["stimulus"] if reading == "recommended" else None
            expected = breakdowns.estimate_share(part["right"], part["judge"], 0.95, stimuli)
            assert row == expected and row["method"] == getattr(breakdowns, method)
            assert (row["value"], row["n"]) == (part["right"].mean(), len(part))
        else:
            part = trials[kept & trials["confidence"].notna()]
            alone = roc.compute_roc_area(part["right"], part["confidence"], part["judge"], 0.95)
            if reading == "recommended":
                value, influence = roc.linearize_area(part["right"], part["confidence"])
                error = crossed.estimate_crossed_error(influence, part["judge"], part["stimulus"])
                alone |= crossed.describe_estimate(value, error, 0.95)
            assert (row["ci_low"], row["ci_high"]) == pytest.approx(
                (alone["ci_low"], alone["ci_high"])
            )
            assert row["n"] == len(part) and row["value"] == pytest.approx(alone["value"])
            assert ("judges and stimuli" in row["method"]) == (reading == "recommended")
