"""Simulated studies: every kind still runs, and the machines of a page are compared rightly."""

import importlib

import numpy as np
import pytest

from tools.simulations import claims, simulate_case

KINDS = "claims games joint judges machines models rates ratings selected unequal".split()


@pytest.mark.parametrize("kind", KINDS)
def test_one_study_of_every_kind(kind):
    rows = simulate_case(kind, 0, 1)
    columns = importlib.import_module(f"tools.simulations.{kind}").CASES[0].columns
    assert rows and all(columns.items() <= row.items() for row in rows)


@pytest.mark.parametrize("stimuli", ["same", "own"])
def test_p_of_machines_like_people_is_uniform(stimuli):
    rng = np.random.default_rng(1)
    p = np.ravel(
        [claims.compare_with_people(rng, claims.DESIGNS[0], stimuli)["p"] for _ in range(25)]
    )
    assert len(p) == 25 * (1 + claims.MACHINES)
    assert 0.35 < np.mean(p < 0.5) < 0.65
    assert 0.01 < np.mean(p < 0.1) < 0.2
