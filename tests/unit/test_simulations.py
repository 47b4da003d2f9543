"""Simulated studies: every kind still runs, and the machines of a page are compared rightly."""

import numpy as np
import pytest

from tools.simulations import DECLARED, claims, list_cases, simulate_case

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
