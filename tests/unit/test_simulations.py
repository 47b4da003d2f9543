"""Simulated studies: every kind still runs, and the machines of a page are compared rightly."""

import numpy as np
import pandas as pd
import pytest

from tools.simulations import DECLARED, check_intervals, claims, list_cases, simulate_case

KINDS = [name for name in DECLARED if name not in ("calibration", "pairs")]
"""Those that take seconds."""


@pytest.mark.parametrize("kind", KINDS)
def test_one_study_of_every_kind(kind):
    rows = simulate_case(kind, 0, 1)
    assert rows and all(list_cases(kind)[0].items() <= row.items() for row in rows)


@pytest.mark.parametrize("stimuli", ["same", "own"])
def test_p_of_machines_like_people_is_uniform(stimuli):
    rng = np.random.default_rng(1)
    case = {"judges": 60, "stimuli": 100, "trials": 20, "stimuli_are": stimuli}
    p = np.ravel([claims.compare_with_people(rng, case)["p"] for _ in range(25)])
    assert len(p) == 25 * (1 + claims.MACHINES)
    assert 0.35 < np.mean(p < 0.5) < 0.65
    assert 0.01 < np.mean(p < 0.1) < 0.2


def test_intervals_miss_the_truth_on_a_side():
    ends = [(0.0, 1.0), (0.6, 0.8), (0.1, 0.2), (np.nan, 1.0)]
    found = check_intervals(pd.DataFrame({"quantity": "rate", "ends": ends, "truth": 0.5}))
    assert found["coverage"].tolist() == [True, False, False]
    assert found["too_high"].tolist() == [False, True, False]
    assert found["too_low"].tolist() == [False, False, True]
    assert found["width"].round(3).tolist() == [1.0, 0.2, 0.1]
